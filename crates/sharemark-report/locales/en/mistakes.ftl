# Wrong usage. `cli-error` and `cli-hint` frame every such message.
cli-error = error: { $text }
cli-warning = warning: { $text }
cli-hint = hint: { $text }
cli-error-help = `{ $command }` explains the options.

cli-error-invalid-value = `{ $value }` is no value for { $option }: { $reason }
cli-error-choice = it must be one of { $choices }
cli-error-not-a-count = it must be a whole number
cli-error-missing-value = { $option } needs a value.
cli-error-unexpected-value = { $option } takes no value, but was given `{ $value }`.
cli-error-repeated-option = { $option } was given more than once.
cli-error-unknown-option = There is no option `{ $option }`.
cli-error-unknown-option-similar = There is no option `{ $option }`. Did you mean `{ $similar }`?
cli-error-unknown-command = There is no command `{ $command }`.
cli-error-unknown-command-similar = There is no command `{ $command }`. Did you mean `{ $similar }`?
cli-error-unknown-command-folder = There is no command `{ $command }`. To measure that folder, type `{ $suggestion }`.
cli-error-unexpected-argument = `{ $argument }` is one argument too many.
cli-error-missing-target = Which folder? Give the one to measure, for example `sharemark run /mnt/nas`. `sharemark` without arguments lists what can be measured here.
cli-error-conflict = { $first } and { $second } cannot be used together.
cli-error-both-stdout = `--json -` and `--csv -` cannot both go to standard output: give one of them a file.
cli-error-duplicate-label = Two targets are called `{ $label }`: give each its own name, as in `lan=/mnt/nas`.
cli-error-not-unicode = `{ $argument }` is not valid Unicode.

# Sizes and times; each fits after a colon.
cli-unit-empty = nothing was typed
cli-unit-not-a-number = `{ $text }` does not begin with a number
cli-unit-unknown = `{ $text }` is not a known unit; sizes end in B, kB, MB, GB, KiB, MiB or GiB, times in ms, s, m or h
cli-unit-ambiguous = `{ $text }` could mean two sizes; type MiB (2^20 bytes) or MB (10^6 bytes), for example
cli-unit-too-large = `{ $text }` is too large
cli-unit-not-whole = `{ $text }` is not a whole number of bytes

# Targets and data; each fits after a colon.
cli-location-empty = nothing was typed
cli-location-unknown-scheme = { $scheme }:// is not a protocol of a share; this version measures folders
cli-location-nul = it holds a NUL character, which no system takes in a path
cli-data-kind = `{ $text }` is neither random, zeros, nor compressible=1 to compressible=99

# Plans that cannot be.
cli-error-block-larger = A block of { $block } is larger than a file of { $size }. Use `{ $suggestion }`.
cli-error-zero-size = A file of no bytes measures nothing: give a `--size` of at least one block.
cli-error-zero-block = A block of no bytes moves nothing: give a `--block` such as 1MiB.
cli-error-depth = The depth must be from 1 to 1024, not { $value }.
cli-error-zero-runs = No rounds measure nothing: give `--runs` at least 1.
cli-error-zero-stall = A limit of no time would end every run at once: give a `--stall` such as 30s.

# Results and history.
cli-error-output = Could not write { $path }: { $system }
cli-error-no-such-report = There is no report `{ $id }` in the history. `sharemark history` lists them.
cli-error-ambiguous-report = More than one report begins with `{ $id }`: { $matches }. Type more of it.
cli-error-no-reports = There is no report in the history yet. `sharemark run FOLDER` makes the first.
cli-error-missing-report = Which reports? Give one or two identifiers; `sharemark history` lists them.
cli-error-compare-single = The report `{ $id }` has one target, which leaves nothing to compare it with. Name a second report, as in `sharemark compare { $id } ID`.
cli-error-report-damaged = The report `{ $id }` cannot be read: { $system }
cli-history-unavailable = Going on without the history. { $text }
cli-error-no-data-dir = This system names no folder for a program's data. Set SHAREMARK_DATA_DIR to a folder that sharemark may use.
cli-history-url = this version keeps its history in a file
cli-error-memory = Blocks of { $block }, { $depth } at once, need { $needed } of memory; more than { $limit } is refused. Use a smaller `--block` or `--depth`.
cli-error-same-file = `--json` and `--csv` cannot both go to { $path }.
cli-address-malformed = this is no address of a share: it looks like smb://server/share; write @ and / in a password as %40 and %2F, and beside a password also @ in the path as %40
cli-address-fragment = a # in an address is written %23
cli-address-no-host = the address names no server
cli-address-path = a part of its path is not a name
cli-workload = `{ $text }` is no workload. One is seq-write, seq-read, rand-read, rand-write, mixed or small-files, then block and depth as in rand-read:4KiB:q32. seq-write and seq-read take a depth only with a block; small-files takes a depth alone.
cli-workload-twice = { $text } is named twice
cli-error-files = `--files` takes 1 to { $limit }
cli-error-workload-block = The block of { $workload } is larger than the file of { $size }. Use a larger --size, or a smaller block in --workload.
