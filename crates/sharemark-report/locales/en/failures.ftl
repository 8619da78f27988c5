# A failure: what was tried and where, what is the matter, what the system answered, what to do next.
failure-line = { $tried }: { $matter }.
failure-line-other = { $tried }.
failure-no-room = There is not enough free space in { $place }.
failure-interrupted = You stopped the run.
failure-space = Needed: { $needed }. Free for you: { $available }.
failure-size = Expected: { $needed }. Found: { $available }.
failure-offset = At byte offset { $offset } of the file.
failure-system = The system answered: { $text }
failure-advice = What to do: { $advice }

# What was tried.
failure-tried-inspect = Could not look at { $place }
failure-tried-create-folder = Could not make a folder in { $place }
failure-tried-create = Could not create { $place }
failure-tried-write = Could not write { $place }
failure-tried-flush = Could not flush { $place }
failure-tried-close = Could not close { $place }
failure-tried-open = Could not open { $place }
failure-tried-read = Could not read { $place }
failure-tried-verify = The check of { $place } failed
failure-tried-remove = Could not remove { $place }
failure-tried-worker = The worker process for { $place } failed
failure-tried-manifest = Could not keep the list of created files, { $place }
failure-tried-history = Could not use the history { $place }
failure-tried-output = Could not write the result to { $place }

# What is the matter; fits after a colon.
failure-code-not-found = nothing is there
failure-code-not-a-folder = it is not a folder
failure-code-no-permission = this user may not do that
failure-code-root-squash = the NFS server treats root as a user without rights (root_squash)
failure-code-read-only = the share or file system is read-only
failure-code-no-space = there is not enough free space
failure-code-quota = your quota is used up
failure-code-name-too-long = a name or path is longer than the file system allows
failure-code-not-empty = it holds something that sharemark did not make
failure-code-not-storage = the kernel makes up what is in this folder; it stores no files
failure-code-not-unicode = the name is not valid Unicode
failure-code-server-gone = the server does not answer, or the connection to it broke
failure-code-input-output = the device or the server reported a failed transfer
failure-code-stalled = nothing moved for longer than the limit
failure-code-worker-died = the process ended without saying how
failure-code-interrupted = you stopped the run
failure-code-mismatch = what was read is not what was written
failure-code-wrong-size = the file is not as long as what was written
failure-code-unsupported = this version cannot measure such a location
failure-code-other = it failed

# What to do next.
failure-advice-not-found = check the spelling, and that the share is mounted. `sharemark` without arguments lists what can be measured here.
failure-advice-not-found-windows = check the spelling, and that the drive is connected. A window with administrator rights does not see your mapped drives: use an ordinary window, or the path that begins with the server's name (\\server\share). `sharemark` without arguments lists what can be measured here.
failure-advice-not-found-later = the file was there when it was written. Another program may have removed it, or the share was connected anew meanwhile. Run again.
failure-advice-not-found-output = make the folder of that file first, or name a file elsewhere.
failure-advice-not-a-folder = give the folder that holds it: { $command }
failure-advice-not-a-folder-plain = give a folder in the share.
failure-advice-no-permission = give a folder in the share that you can write in, or ask whoever runs the server for write access. Administrator rights on this machine are not needed.
failure-advice-no-permission-read = the file was yours to write but is not yours to read: the share hands out other rights than expected (a drop box, or another owner for new files). Give a folder in which you can read and write.
failure-advice-no-permission-local = give a file in a folder that you can write in.
failure-advice-root-squash = run sharemark as an ordinary user who may write there (without sudo), or let the server export with no_root_squash for the test.
failure-advice-read-only = mount it for writing, or give a folder on a share that you can write to: sharemark writes the files that it reads.
failure-advice-no-space = free some space there, or give a smaller `--size`.
failure-advice-no-space-local = free some space, or name a file on another disk.
failure-advice-quota = remove some of your files there, have the quota raised, or give a smaller `--size`.
failure-advice-name-too-long = give a folder with a shorter path, nearer to the top of the share.
failure-advice-not-storage = give a folder on a share or a disk. `sharemark` without arguments lists what can be measured here.
failure-advice-not-unicode = rename the folder, or mount the share with its right character set (for SMB on Linux: iocharset=utf8).
failure-advice-server-gone = check that the server is on and reachable (its name, VPN, Wi-Fi), then run again. What was measured before is kept.
failure-advice-server-gone-inspect = check that the server is on and reachable (its name, VPN, Wi-Fi). If it is, connect the share anew and run again.
failure-advice-input-output = run again. If it comes back, look into the server's log and its disks' state (SMART): a benchmark does not bring this about on sound hardware.
failure-advice-input-output-local = run again. If it comes back, check that disk.
failure-advice-stalled = on a very slow path one block can take longer than the limit: use `--block 1MiB`, or a longer `--stall` (for example 2m). Otherwise check the connection to the server; what was measured before is kept.
failure-advice-stalled-flush = the server takes long to answer a flush. Give a longer `--stall` (for example 5m), or a smaller `--size`.
failure-advice-stalled-inspect = the server behind this folder does not answer. Check that it is on and reachable (its name, VPN, Wi-Fi), or connect the share anew.
failure-advice-worker-died = run again. If something ended it (too little memory, a security program), the system's log says so; a smaller `--block` or `--depth` needs less memory.
failure-advice-interrupted = nothing needs to be done; what was measured before is kept. `sharemark clean` removes what an interrupted run left, if anything.
failure-advice-mismatch = do not trust this share with data until this is explained: run again, by cable if it was Wi-Fi, then test the server's memory and disks, and this machine's memory.
failure-advice-wrong-size = the server said that the data was written, and it was not all there. Check its free space and quota, and its disks; do not trust it with data until this is explained.
failure-advice-unsupported = this version measures folders. Mount the share and give the folder (for example `sharemark run /mnt/nas`, on Windows also \\server\share).
failure-advice-history = go on without a history with `--history none`, or name another place with `--history PATH`.
failure-advice-manifest = sharemark lists each file before it creates it, so that none is forgotten, and keeps that list on this machine. Make that place writable, then run again.
failure-advice-not-empty = take out of it what is yours, then type `sharemark clean`. Only files that sharemark made are ever removed.
failure-advice-remove = `sharemark clean` tries again. Only files that sharemark made are ever removed.
failure-advice-output = name another file, or use `-` to write to standard output.
failure-advice-other = if the system's answer above does not explain it, run again; if it comes back, report it with that answer.
