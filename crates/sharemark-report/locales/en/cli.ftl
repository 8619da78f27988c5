# The help. Names of options, commands and values in capitals are the same in every language.
cli-about = Measures what a network share really gives you, and shows what the number rests on.
cli-about-bare = Without a command: lists what can be measured here, and what to type.
cli-heading-usage = Usage
cli-heading-commands = Commands
cli-heading-arguments = Arguments
cli-heading-options = Options
cli-usage-command = COMMAND
cli-usage-options = OPTIONS
cli-default = default: { $value }

# Commands.
cli-run = Write and read files in a folder of a share, several rounds, and tell how fast it is
cli-history = List earlier runs
cli-show = Show an earlier run's report again
cli-target = Save names for shares and folders, to type in place of their addresses
cli-target-add = Save a name for a location
cli-target-list = List the saved names
cli-target-remove = Forget a saved name, and its password in the keyring
cli-compare = Compare two earlier runs, or the targets of one
cli-clean = Remove what an interrupted run left; only what sharemark made is ever removed
cli-schema = Print the JSON Schema of the report

# Arguments.
cli-argument-target = The folder to measure, as the system names it (/mnt/nas, W:\, \\nas\share), a share's address (smb://nas/share), or a saved name; LABEL=... gives it a name of your own
cli-argument-first-report = A report's identifier, or its beginning as long as that is unique
cli-argument-other-report = The report to compare it with; without it, the targets of the first are compared with each other
cli-argument-report = The report's identifier, or its beginning as long as that is unique; without it the latest
cli-argument-folder = Only what was left in this folder or share; without it, everywhere
cli-argument-name = The name: letters, digits, - and _
cli-argument-location = The share's address, without a password (smb://nas/share), or a folder

# Options.
cli-option-workload = What is done, in this order, separated by commas: see `docs/method.md`; seq-write,rand-read:4KiB:q32 for example
cli-option-files = How many small files small-files uses
cli-option-mix = Their sizes: documents or photos
cli-option-size = Size of each file. 1GiB is 2^30 bytes, 1GB is 10^9
cli-option-block = Bytes of one operation
cli-option-depth = Operations under way at once, 1 to 1024
cli-option-runs = Make exactly this many rounds
cli-option-time = End a phase after this time even if the file is not complete; 0 is without limit
cli-option-pause = Wait between rounds
cli-option-settle = Wait between writing a file and reading it
cli-option-profile = Begin from a named plan: quick, article, crystal, photos, documents, video-edit or backup
cli-option-data = What the files hold: random (cannot be compressed), zeros, or compressible=50 (half of it zeros)
cli-option-durability = When a write counts as done: write-through (each block acknowledged), flush (one flush at the end), or buffered (shows this machine's cache)
cli-option-read-cache = avoid makes the bytes come from the server; allow lets this machine's cache answer, to show what it does
cli-option-stall = Give up when nothing moves for this long
cli-option-budget = Time from the start within which rounds beyond the first five may end, to make the result surer
cli-option-baseline = Compare with that earlier report afterwards; ends with exit code 4 if this run is slower
cli-option-compare-json = Write the comparison as JSON to FILE; - is standard output
cli-option-json = Write the report as JSON to FILE; - is standard output
cli-option-csv = Write each measurement as a row of CSV to FILE; - is standard output
cli-option-lang = Language: en or ja; without it, as the system is set
cli-option-history = Where runs are kept: a file, or none
cli-option-quiet = No progress, only the result
cli-option-no-colour = No colours (NO_COLOR does the same)
cli-option-limit = List at most this many runs
cli-option-help = Show this help
cli-option-version = Show the version

# Who asks, and how shares are reached.
cli-option-user = Log in as NAME, or DOMAIN\NAME, where an address names no user; asks for the password where none is given
cli-option-credentials = Take user, password and domain from FILE, in the form of mount.cifs and smbclient; only you may be able to read it
cli-option-ask-password = Ask for the password, whatever else could give it
cli-option-guest = Log in nowhere: as a guest for SMB, without a user for WebDAV
cli-option-key = Private key for SFTP
cli-option-known-hosts = Known host keys for SFTP, in place of your own known_hosts
cli-option-ca-file = Certificates (PEM) to trust for WebDAV besides the system's
cli-option-connections = Connections that share the work, 1 to 64
cli-option-smb-dialect = Speak this version of SMB and no other: 2.0.2, 2.1, 3.0, 3.0.2 or 3.1.1
cli-option-smb-signing = Sign SMB messages, or not; without it, as the server wants it
cli-option-save-password = Ask for the password once and let the system's keyring keep it; a piped password is read from standard input
cli-option-force = Replace a saved target of this name
