# Reasons to read a number with care: what is the matter, and what to do about it.
warning-local-disk = This folder is on a disk of this machine ({ $file-system }): no share was measured.
warning-local-disk-advice = Give the folder where the share is mounted. `sharemark` without arguments lists what can be measured here.
warning-memory = This folder is in this machine's memory ({ $file-system }): neither a share nor a disk was measured.
warning-memory-advice = Give the folder where the share is mounted. `sharemark` without arguments lists what can be measured here.
warning-fuse-cache = A program on this machine ({ $file-system }) stands between sharemark and the server, and may keep a cache that sharemark cannot look into.
warning-fuse-cache-advice = Switch that program's cache off (rclone: `--vfs-cache-mode off`), or mount the share with the system's own SMB or NFS client and compare.
warning-cache-resident =
    { $samples ->
        [one] This machine's cache could not be ruled out for one read: up to { $resident } of the file were still in it.
       *[other] This machine's cache could not be ruled out for { $samples } reads: up to { $resident } of a file were still in it.
    }
warning-cache-unknown =
    { $samples ->
        [one] This machine's cache could not be ruled out for one read: the system does not tell what was in it.
       *[other] This machine's cache could not be ruled out for { $samples } reads: the system does not tell what was in it.
    }
warning-cache-advice = Take the read rate as an upper limit. A `--size` well above this machine's memory leaves the cache little to answer with.
warning-cache-allowed-write = write: nothing had to be durable (`--durability buffered`), so this machine's cache is part of the rate.
warning-cache-allowed-write-advice = Leave `--durability buffered` out to measure the share.
warning-cache-allowed-read = read: this machine's cache was allowed to answer (`--read-cache allow`), so the rate may be the cache's.
warning-cache-allowed-read-advice = Leave `--read-cache allow` out to measure the share.
warning-direct-refused = { $workload }: the file system refused to go past this machine's cache, so another way was taken.
warning-direct-refused-advice = The lines under "How it was measured" say which way, and what shows that the cache had no part. Some FUSE programs accept it with an option such as `direct_io`.
warning-depth-reduced = { $workload }: { $asked } operations at once were asked for; { $carried } were carried.
warning-depth-reduced-advice = The rate is that of depth { $carried }. Try a smaller `--block`, or give `--depth { $carried }` to make it plain.
warning-first-run = { $workload }: the first round ran at { $first }, the mean of the others is { $others }.
warning-first-run-slow-advice = Disks that had to spin up, or a server or tunnel that had to wake, begin slowly. Run again at once: if it does not come back, quote the mean without the first round.
warning-first-run-fast-advice = An empty buffer on the way, or a processor that was still cool, begins fast. Quote the mean without the first round, and use `--runs 10` to see where the rate settles.
warning-trend-rising = { $workload }: later rounds are faster, by { $per-round } a round, so the mean is no steady state.
warning-trend-rising-advice = Something was still warming up, or other traffic was ending. Run again now, with `--runs 10`, to see where the rate settles.
warning-trend-falling = { $workload }: later rounds are slower, by { $per-round } a round, so the mean is no steady state.
warning-trend-falling-advice = A buffer on the server fills, a disk or processor gets hot, or other traffic grows. Run again with `--runs 10`, then with `--pause 30s`: if only the pause helps, it is a buffer or heat.
warning-trend-none = { $workload }: no order in the rounds beyond chance.
warning-trend-none-advice = Nothing needs to be done.
warning-burst-slower = { $workload }: most rounds begin at { $before } and go on at { $after } after { $time }: a buffer on the way fills.
warning-burst-slower-advice = For large files expect { $after }. A larger `--size` with a longer `--time` lets the mean show it.
warning-burst-faster = { $workload }: most rounds begin at { $before } and go on at { $after } after { $time }: something on the way needs that long to get going.
warning-burst-faster-advice = For large files expect { $after }. A larger `--size` with a longer `--time` lets the mean show it.
warning-confidence = { $workload }: the mean is known to ±{ $reached }; ±{ $wanted } was wanted.
warning-confidence-single = { $workload }: one round only, so no interval can be told; ±{ $wanted } was wanted.
warning-confidence-advice = Give it more rounds (`--runs`) or more time (`--budget`), and keep other traffic off the share and the Wi-Fi meanwhile.
warning-repeated-slept = Round { $round }, { $workload }: this machine slept for { $lost }. That measurement was thrown away and made again.
warning-repeated-slept-advice = Keep the machine awake during a run; on a laptop, on mains power and with the lid open.
warning-repeated-stopped = Round { $round }, { $workload }: the measuring process was stopped for { $lost }. That measurement was thrown away and made again.
warning-repeated-stopped-advice = Do not suspend the terminal (Ctrl-Z), and close programs that keep the processor busy.
warning-generator = { $workload }: for { $share } of the time the transfer waited for this machine to make or check the data, so its processor is part of the rate.
warning-generator-advice = Take the rate as a lower limit of what the share gives. Close other programs, or measure from a faster machine.
warning-left-behind = { $place } could not be removed: { $reason }.
warning-left-behind-advice = `sharemark clean` removes it once the share can be written again.
warning-history = This run is not in the history: { $system }
warning-history-advice = Keep the result with `--json FILE`, or name another place with `--history PATH`.
warning-block-unaligned = Blocks of { $block } are no multiple of 4 KiB: nothing could go past this machine's cache.
warning-block-unaligned-advice = Use a multiple, for example `--block { $suggestion }`.
warning-names-remembered = Listing and looking at small files: this machine's own client may have answered from memory, as it does for some seconds.
warning-names-remembered-advice = Take these two as what programs on this machine see. The share's own URL (smb://, nfs://) is measured without that memory.
warning-size-reduced = The server takes no file of { $asked }: files of { $used } were used.
warning-size-reduced-advice = To measure with larger files, raise the server's limit on the size of a request (LimitRequestBody, client_max_body_size).
warning-unsupported = { $workload }: this protocol has no way to write a part of a file, so it was left out.
warning-unsupported-advice = Measure it over SMB, NFS or SFTP, where the server offers one.
