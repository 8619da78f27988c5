# What can be measured here.
listing-network = Network shares
listing-fuse = Mounted by a program (FUSE): it may keep a cache of its own
listing-disks = Disks of this machine
listing-unknown = Other
listing-no-network-linux = No network share is mounted. Mount one with, for example, `sudo mount -t cifs //nas/Public /mnt/nas -o user=NAME` (SMB) or `sudo mount -t nfs nas:/export /mnt/nas` (NFS), then type `sharemark run /mnt/nas`.
listing-no-network-windows = No network share is connected. Connect one with, for example, `net use W: \\nas\Public`, then type `sharemark run W:\`; or give its path at once: `sharemark run \\nas\Public`.
listing-no-network-macos = No network share is mounted. In the Finder choose Go > Connect to Server and type, for example, smb://nas/Public, then type `sharemark run /Volumes/Public`.
# Windows, in a console that was opened as administrator.
listing-elevated = This console runs as administrator and does not see the network drives you mapped. Use a normal console, or give a share by its server's name: `sharemark run \\server\share`.
listing-column-type = type
# Of a share, and of anything else.
listing-column-share = share
listing-column-source = source
listing-column-folder = folder
listing-column-free = free
listing-column-command = to measure it, type
listing-at = { $type }  { $source } on { $folder }: { $state }
listing-free-of = { $free } of { $total }
listing-free-unknown = size unknown
listing-silent = does not answer
listing-read-only = read-only
listing-no-permission = no permission
listing-disconnected = not connected
listing-hidden = not seen by this console
listing-run-folder = sharemark run FOLDER

# Earlier runs.
listing-history-empty = There are no runs in the history yet. `sharemark run FOLDER` makes the first.
listing-history-id = report
listing-history-when = when
listing-history-target = target
listing-history-write = write MB/s
listing-history-read = read MB/s
listing-history-state = note
listing-history-partial = partial
listing-history-unfinished = no end
listing-history-hint = `sharemark show { $id }` shows that report again.
