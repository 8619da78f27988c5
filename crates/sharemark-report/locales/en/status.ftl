# What the program says while and after it works.
cli-status-settle = settling before the read, { $time } left
cli-status-pause = pausing before the next round, { $time } left
cli-status-cleaning = removing the files of this run
cli-status-saved = The report was written to { $path }.

cli-interrupt = Stopping after the operation under way. Press Ctrl-C again to stop at once.
cli-interrupt-again = Stopped at once. `sharemark clean` removes what is left.

cli-earlier-run =
    { $count ->
        [one] An earlier run left files in { $places }. `sharemark clean` removes them.
       *[other] { $count } earlier runs left files in { $places }. `sharemark clean` removes them.
    }

cli-clean-removed = Removed { $place }.
cli-clean-remains = { $place } remains: { $reason }.
cli-clean-nothing = There is nothing to clean.
cli-clean-nothing-at = There is nothing to clean in { $place }.
cli-clean-running = { $place } was skipped: that run is still going.

cli-compare-nothing = There is nothing to compare: no round has a complete measurement of two targets.
cli-baseline-unlike = The baseline { $id } was measured with other targets or settings, so this run will not be compared with it, or not all of it. `sharemark show { $id }` shows its method.
