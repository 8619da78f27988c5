# Quantities. The numbers come formatted.
unit-milliseconds = { $n } ms
unit-seconds = { $n } s
unit-minutes = { $n } min
unit-minutes-seconds = { $minutes } min { $seconds } s
unit-hours = { $n } h
unit-hours-minutes = { $hours } h { $minutes } min
unit-rate = { $value } MB/s
unit-percent = { $n } %
# Both ends of an interval, lower end first.
unit-range = { $low } to { $high }
unit-rounds =
    { $n ->
        [one] { $n } round
       *[other] { $n } rounds
    }
# Between the items of a list within a sentence.
unit-comma = { $before }, { $after }

# The workloads in plain words.
workload-seq-write = write
workload-seq-read = read
workload-rand-read = random read
workload-rand-write = random write
workload-mixed = mixed ({ $reads } % read)
workload-files-write = writing small files
workload-files-list = listing small files
workload-files-stat = looking at small files
workload-files-read = reading small files
workload-files-delete = deleting small files
workload-shape = { $name } ({ $block }, { $depth } at once)
workload-depth = { $name } ({ $depth } at once)
unit-operations = { $value } per second
