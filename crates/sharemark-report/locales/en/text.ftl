# The headline of a target, and its parts.
text-headline = { $name } ({ $details }): { $rates }
text-headline-plain = { $name }: { $rates }
text-headline-rate = { $workload } { $rate }
text-headline-more = and { $n } more below
text-headline-first = { $workload } { $rate } ({ $without } without the first round)
text-headline-none = { $workload }: no complete measurement
text-headline-cached = { $workload } { $rate } (this machine's cache may have answered)
text-headline-not-durable = { $workload } { $rate } (not made durable)
text-kind-local = a disk of this machine, not a share
text-kind-memory = this machine's memory, not a share
text-kind-network = network drive

# A run that did not come to its end.
text-partial = This result is partial: the run ended before its plan was done.
text-partial-refused = This result is partial: not every measurement came to its end, and those that did not are left out of the numbers.
text-unfinished = This result is partial: the run was ended from outside before it could finish its report.
text-partial-sample = Round { $round }, { $workload }, { $target }:
text-partial-more =
    { $n ->
        [one] One more measurement ended early; the JSON report has it.
       *[other] { $n } more measurements ended early; the JSON report has them.
    }
text-wrong-content =
    { $total ->
        [one] WRONG CONTENT: what was read back is not what was written. Do not trust this share with data until that is explained.
       *[other] WRONG CONTENT in { $wrong } of { $total } checks: what was read back is not what was written. Do not trust this share with data until that is explained.
    }

# The table.
text-column-workload = workload
text-column-mean = mean MB/s
text-column-per-second = mean per second
text-column-megabytes = MB/s
text-column-interval = 95 % interval
text-column-mebibytes = MiB/s
text-column-megabits = Mbit/s
text-column-range = min to max
text-column-rounds = rounds
text-row-narrow = { $workload }: { $mean }, 95 % interval { $interval }, { $rounds }
text-row-none = { $workload }: no complete measurement

# The first round apart.
text-first-heading = First round apart
text-first = { $workload }: the first round ran at { $first }. Without it the mean is { $mean } (95 % interval { $interval }, { $rounds }).
text-first-single = { $workload }: the first round ran at { $first }. Without it the mean is { $mean } ({ $rounds }).

# Warnings.
text-warnings-heading = Keep in mind

# The method, so that a number can be repeated.
text-method-heading = Method
text-method-transfer =
    { $depth ->
        [one] files of { $size } in blocks of { $block }, one at a time; { $limit }
       *[other] files of { $size } in blocks of { $block }, { $depth } at a time; { $limit }
    }
text-method-size = files of { $size }; { $limit }
text-method-time = a phase ends after { $time } at the latest
text-method-no-time = no time limit
text-method-strict = durability { $durability }, read cache { $cache }, data { $data }
text-method-rounds =
    { $done ->
        [one] { $done } round ({ $least } to { $most } planned, until ±{ $precision } or { $budget })
       *[other] { $done } rounds ({ $least } to { $most } planned, until ±{ $precision } or { $budget })
    }
text-method-rounds-fixed =
    { $most ->
        [one] { $done } of { $most } round
       *[other] { $done } of { $most } rounds
    }
text-method-waits = { $settle } between writing and reading, { $pause } between rounds
text-method-made = profile { $profile }, sharemark { $version }, { $host }, { $date } UTC
text-method-id = Report { $id }
text-column-operations = per second (median)
text-column-p50 = half within ms
text-column-p90 = 90 % within
text-column-p99 = 99 % within
text-column-max = longest
text-latency-narrow = { $workload }: half within { $p50 }, 99 % within { $p99 }
text-method-files = { $count } small files with the sizes of { $mix }; { $limit }
