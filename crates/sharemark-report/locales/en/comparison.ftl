# One target against another. $a and $b are names of targets, or comparison-of-report.
comparison-heading = Compared
comparison-faster = { $workload }: { $a } is { $ratio } times as fast as { $b } ({ $evidence }).
comparison-slower = { $workload }: { $a } is slower than { $b }: { $ratio } times its rate ({ $evidence }).
comparison-same = { $workload }: no difference between { $a } and { $b }: within { $margin } of each other (ratio { $ratio }, { $evidence }).
comparison-inconclusive = { $workload }: it cannot be told whether { $a } and { $b } differ by more than { $margin } (ratio { $ratio }, { $evidence }).
comparison-single = { $workload }: it cannot be told whether { $a } and { $b } differ by more than { $margin }: a ratio of { $ratio } from { $rounds } has no interval.

# What an answer rests on.
comparison-evidence = 95 % interval { $interval }, { $rounds }
comparison-rounds-each =
    { $n ->
        [one] at least { $n } round each
       *[other] at least { $n } rounds each
    }
comparison-without-first = { $rounds } without the first

# What would decide it.
comparison-more = More rounds may decide it: { $runs } would about halve the interval; without `--runs`, a longer `--budget` allows more.
comparison-more-single = One round gives no interval: `--runs 5` gives one.

# The table, for three targets or more.
comparison-column-ratio = ratio
comparison-column-interval = 95 % interval
comparison-column-rounds = rounds
comparison-column-answer = answer
comparison-pair = { $a } : { $b }
comparison-answer-faster = { $name } is faster
comparison-answer-same = no difference
comparison-answer-inconclusive = inconclusive
comparison-without-first-note = * without the first round, which stands apart
comparison-others =
    { $n ->
        [one] Shown is each target against the first. One more pair is in the JSON report.
       *[other] Shown is each target against the first. { $n } more pairs are in the JSON report.
    }

# Two targets whose bytes went different ways.
comparison-unlike-writes = Read with care: { $a } and { $b } did not write in the same way ({ $way-a }; { $way-b }).
comparison-unlike-reads = Read with care: { $a } and { $b } did not read in the same way ({ $way-a }; { $way-b }).

# Two reports.
comparison-reports-heading = Report { $a } against report { $b }
comparison-of-report = { $label } in { $report }
comparison-forbidden = These cannot be compared, because they did not measure the same:
comparison-forbidden-some = Part of these cannot be compared, because they did not measure the same:
comparison-care = Read with care:
comparison-nothing = Nothing was compared.

# In what two reports differ; $a belongs to the first, $b to the second.
difference-size = file size: { $a } against { $b }
difference-time-limit = time limit of a phase: { $a } against { $b }
difference-no-limit = none
difference-block = block: { $a } against { $b }
difference-depth = blocks at a time: { $a } against { $b }
difference-durability = durability asked for: { $a } against { $b }
difference-read-cache = read cache: { $a } against { $b }
difference-data = data: { $a } against { $b }
difference-mode = { $target }, { $workload }: { $a } against { $b }
difference-workloads = what was measured: { $a } against { $b }
difference-targets = targets: { $a } against { $b }
difference-unmeasured = { $target }, { $workload }: at least one has no complete measurement
difference-location = { $target }: another place, { $a } against { $b }
difference-files = number of small files: { $a } against { $b }
difference-mix = sizes of small files: { $a } against { $b }
difference-settle = wait between writing and reading: { $a } against { $b }
difference-pause = wait between rounds: { $a } against { $b }
difference-connections = the options of connections to shares were not the same
difference-host = machine: { $a } against { $b }
difference-version = version of sharemark: { $a } against { $b }
