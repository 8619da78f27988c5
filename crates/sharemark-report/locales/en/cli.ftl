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
cli-clean = Remove what an interrupted run left; only what sharemark made is ever removed
cli-schema = Print the JSON Schema of the report

# Arguments.
cli-argument-target = The folder to measure, as the system names it (/mnt/nas, W:\, \\nas\share); LABEL=FOLDER gives it a name of your own
cli-argument-report = The report's identifier, or its beginning as long as that is unique; without it the latest
cli-argument-folder = Only what was left in this folder; without it, everywhere

# Options.
cli-option-workload = What is done, in this order, parted by commas: see `docs/method.md`; seq-write,rand-read:4KiB:q32 for example
cli-option-files = How many small files small-files uses
cli-option-mix = Their sizes: documents or photos
cli-option-size = Size of each file. 1GiB is 2^30 bytes, 1GB is 10^9
cli-option-block = Bytes of one operation
cli-option-depth = Operations under way at once, 1 to 1024
cli-option-runs = Make exactly this many rounds
cli-option-time = End a phase after this time even if the file is not complete; 0 is without limit
cli-option-pause = Wait between rounds
cli-option-settle = Wait between writing a file and reading it
cli-option-profile = Begin from a named plan: quick, or article (1 GiB, five rounds, long pauses)
cli-option-data = What the files hold: random (cannot be compressed), zeros, or compressible=50 (half of it zeros)
cli-option-durability = When a write counts as done: write-through (each block acknowledged), flush (one flush at the end), or buffered (shows this machine's cache)
cli-option-read-cache = avoid makes the bytes come from the server; allow lets this machine's cache answer, to show what it does
cli-option-stall = Give up when nothing moves for this long
cli-option-budget = Time from the start within which rounds beyond the first five may end, to make the result surer
cli-option-json = Write the report as JSON to FILE; - is standard output
cli-option-csv = Write each measurement as a row of CSV to FILE; - is standard output
cli-option-lang = Language: en or ja; without it, as the system is set
cli-option-history = Where runs are kept: a file, or none
cli-option-quiet = No progress, only the result
cli-option-no-colour = No colours (NO_COLOR does the same)
cli-option-limit = List at most this many runs
cli-option-help = Show this help
cli-option-version = Show the version
