# What the program says while and after it works.
cli-status-inspecting = looking at { $target }
cli-status-settle = settling before the read, { $time } left
cli-status-pause = pausing before the next round, { $time } left
cli-status-waiting = waiting for { $target } to answer ({ $time })
cli-status-cleaning = removing the files of this run
cli-status-saved = The report was written to { $path }.
cli-status-kept = The report is in the history: `sharemark show { $id }`.

cli-interrupt = Stopping after the operation under way. Press Ctrl-C again to stop at once.
cli-interrupt-again = Stopped at once. `sharemark clean` removes what is left.

cli-earlier-run =
    { $count ->
        [one] An earlier run left files in { $places }. `sharemark clean` removes them.
       *[other] { $count } earlier runs left files in { $places }. `sharemark clean` removes them.
    }

cli-clean-removed =
    { $files ->
        [0] Removed the empty folder { $place }.
        [one] Removed { $place } with its file.
       *[other] Removed { $place } with its { $files } files.
    }
cli-clean-gone = { $place } was gone already.
cli-clean-remains = { $place } remains: { $reason }.
cli-clean-nothing = There is nothing to clean.
cli-clean-nothing-at = There is nothing to clean in { $place }.
cli-clean-running = { $place } was skipped: that run is still going.
cli-clean-not-ours = { $place } was skipped: it is not in the list of what sharemark made.
cli-clean-foreign-files = { $place } remains: it holds files that sharemark did not make.
