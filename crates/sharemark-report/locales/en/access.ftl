# Who asks: users, passwords and where they come from. No message holds a password.
cli-access-password-in-address = The password in the address stays in the shell's history, and while sharemark runs every program on this machine can see it in the process list. Better: leave it out of the address and give `--user NAME` (asks for it), `--credentials FILE`, or the variable SHAREMARK_PASSWORD.
cli-access-question = Password for { $user } at { $host }:
cli-access-question-host = Password for { $host }:
cli-access-no-password = There is no password for { $user } at { $host }, and no terminal to ask on. Give `--credentials FILE` or the variable SHAREMARK_PASSWORD; `--guest` logs in without a user.
cli-access-no-terminal = There is no terminal to ask for a password on. Leave `--ask-password` out and give `--credentials FILE` or the variable SHAREMARK_PASSWORD.
cli-access-no-user = A password is to be asked for, but nothing says whose: give `--user NAME`, or put the user into the address { $place } in front of the server's name, as in smb://me@nas/share.
cli-access-not-asked = No password was given: { $system }
cli-access-user-form = it must be NAME, or DOMAIN\NAME

# Credentials files.
cli-access-file-unreadable = Could not read the credentials file { $path }: { $system }
cli-access-file-open = Other users of this machine can read the credentials file { $path }. Type `{ $command }` first, so that only you can.
cli-access-file-not-unicode = The credentials file { $path } is not written in UTF-8.
cli-access-file-too-long = { $path } is too large to be a credentials file.
cli-access-file-line = Line { $line } of the credentials file { $path } is none of username=..., password=... and domain=... (a line that begins with # is a comment).

# Wishes; the first two fit after a colon.
cli-error-no-file = it cannot be used: { $system }
cli-error-file-is-folder = it is a folder
cli-error-not-text = the path is not valid Unicode
cli-error-connections = The number of connections must be from 1 to 64, not { $value }.
cli-error-no-config-dir = This system names no folder for a program's settings. Set SHAREMARK_CONFIG to a folder that sharemark may use.

# Saved targets.
cli-target-none = No target is saved yet. `sharemark target add NAME LOCATION` saves one.
cli-target-listed = { $name } = { $location }
cli-target-listed-user = { $name } = { $location } (user { $user })
cli-target-added = Saved. To measure it, type `{ $command }`.
cli-target-removed = { $name } is removed.
cli-target-exists = There is a saved target { $name } already. `{ $force }` replaces it.
cli-target-unknown = No target { $name } is saved. `sharemark target list` shows those that are.
cli-target-unknown-similar = No target { $name } is saved. Did you mean { $similar }?
cli-target-similar = No target `{ $name }` is saved, but one called `{ $similar }` is.
cli-target-folder-taken = `{ $name }` is a folder here and a saved target as well. The folder is taken; go to another folder to use the saved target.
cli-target-missing-argument = Something is missing. To save a target, type `sharemark target add NAME LOCATION`, for example `sharemark target add lan smb://nas/Public`; to forget it, `sharemark target remove NAME`.
cli-target-name-form = a name is made of letters, digits, - and _, and does not begin with -
cli-target-password-refused = A password in an address is not saved, as others could read it there. Leave it out and use `--user NAME --save-password` (the system's keyring keeps it), or `--credentials FILE`.
cli-target-save-needs-user = `--save-password` needs a share's address and a user: `--user NAME`, or one in the address, as in smb://me@nas/share.

# The file of saved targets; from the third on they fit after a colon.
cli-target-file-unreadable = Could not read the saved targets in { $path }: { $system }
cli-target-file-wrong = The saved targets in { $path } cannot be used. Line { $line }: { $reason }
cli-target-unknown-key = { $path }, line { $line }: `{ $key }` means nothing to this version and is passed over.
cli-target-no-table = a target is written as [targets.NAME], with its lines below
cli-target-no-location = { $name } has no location
cli-target-no-password = a password must not be here; the system's keyring keeps it (`sharemark target add ... --save-password`), or a file named with credentials = "FILE"
cli-target-not-a-text = { $key } must be a text in quotes
cli-target-connections = connections must be a number from 1 to 64

# The keyring.
cli-keyring-stored = The system's keyring now keeps the password of { $user } at { $host }.
cli-keyring-missing = No keyring of this system can be reached. `--credentials FILE` works everywhere.
cli-keyring-missing-linux = No keyring can be reached: that needs a desktop session and the program `secret-tool` (package libsecret-tools on Debian and Ubuntu, libsecret on Fedora and Arch). `--credentials FILE` works everywhere.
cli-keyring-failed = The system's keyring did not keep the password: { $system }
cli-keyring-not-removed = The password may still be in the system's keyring: { $system }
