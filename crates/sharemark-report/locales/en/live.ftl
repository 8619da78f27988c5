# The line that shows a run under way.
live-round-of = { $round }/{ $of }
live-round = round { $round }
live-left = { $time } left
live-operations =
    { $n ->
        [one] { $n } operation
       *[other] { $n } operations
    }

live-stage-preparing = preparing
live-stage-opening = opening the file
live-stage-transferring = moving data
live-stage-flushing = flushing
live-stage-closing = closing the file
live-stage-verifying = checking the content
live-stage-housekeeping = tidying up

# One line a phase, for logs.
live-done = { $target }, round { $round }, { $workload }: { $rate } ({ $size } in { $time })
live-done-verified = { $target }, round { $round }, { $workload }: { $rate } ({ $size } in { $time }, content right)
live-done-files = { $target }, round { $round }, { $workload }: { $rate } ({ $n } in { $time })
live-done-files-verified = { $target }, round { $round }, { $workload }: { $rate } ({ $n } in { $time }, content right)
live-done-wrong = { $target }, round { $round }, { $workload }: WRONG CONTENT, does not count
live-done-partial = { $target }, round { $round }, { $workload }: ended early after { $size } ({ $matter }), does not count
live-done-partial-plain = { $target }, round { $round }, { $workload }: ended early after { $size }, does not count
live-preparing = writing what the next phase works on
