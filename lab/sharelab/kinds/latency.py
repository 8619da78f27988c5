"""Over a long way the rate rises with what is in flight, until the wire is full."""

import time

from .. import residue, sharemark
from ..host import call
from ..stage import Stage
from ..truth import Sampler
from ..workspace import Workspace

KIB = 1 << 10


def run(data, checks):
    with Workspace() as workspace:
        stage = Stage(workspace, data)
        residue.plant(stage.disk)
        before = residue.snapshot(stage.disk)
        true = data["true"]
        trip = round_trip(stage.wire)
        checks.true("round trip, by ping", abs(trip - true["round_trip_ms"] / 1e3) < 5e-4, f"{trip * 1e3:.2f} ms",
                    f"{true['round_trip_ms']} +- 0.5 ms")
        reached = {sharemark.WRITE: [], sharemark.READ: []}
        for case in data["case"]:
            one_case(stage, data, case, trip, checks, reached)
        for workload, rates in reached.items():
            rising = all(later > earlier * 0.9 for earlier, later in zip(rates, rates[1:]))
            checks.true(f"{workload}: more in flight is never slower", rising,
                        " ".join(f"{rate / 1e6:.2f}" for rate in rates) + " MB/s")
        residue.check_unchanged(checks, "the share afterwards", before, stage.disk)


def one_case(stage, data, case, trip, checks, reached):
    block, depth = case["block_kib"] * KIB, case["depth"]
    name = f"{case['block_kib']} KiB x {depth}"
    options = {**data["run"], "block": f"{case['block_kib']}KiB", "depth": depth}
    true = data["true"]
    # Payload of full packets; what the protocol adds is small against the tolerance.
    wire = true["mbit"] * 1e6 / 8 * 1448 / 1514
    expected = {workload: min(wire, depth * block / (trip + block / wire)) for workload in reached}
    if true.get("writes_stream"):
        expected[sharemark.WRITE] = wire
    for last in (False, True):
        with Sampler(stage.wire) as sampler:
            done = sharemark.Run(stage, options).finish(60)
            time.sleep(0.1)
        report = done.report()
        if done.code != 0 or report is None:
            checks.true(f"{name}: measured", False, f"exit {done.code}: {done.text[-300:]}")
            return
        off = [s for s in report["samples"]
               if abs(s["bytes_per_second"] / expected[s["workload"]] - 1) > true["tolerance"]]
        if not off or last:
            break
        # One phase of two seconds: a single lost packet on a long way halves what TCP has in flight.
        checks.note(f"{name}: {off[0]['workload']} at {off[0]['bytes_per_second'] / 1e6:.2f} MB/s; once more")
    for sample in report["samples"]:
        rate = sample["bytes_per_second"]
        reached[sample["workload"]].append(rate)
        checks.near(f"{name}: {sample['workload']}", expected[sample["workload"]], rate, true["tolerance"])
    to_nas, from_nas = sampler.moved()
    for workload, moved in ((sharemark.WRITE, to_nas), (sharemark.READ, from_nas)):
        claimed = sum(s["bytes"] for s in report["samples"] if s["workload"] == workload)
        checks.at_least(f"{name}: {workload} bytes on the wire", claimed, moved)


def round_trip(wire):
    """The smallest of some round trips in seconds: what the way itself takes, without what a busy machine adds."""
    ping = ["ping", "-q", "-i", "0.05", wire.nas_address]
    call(*wire.hosts.on_pc(*ping, "-c", "1"))  # also asks for the hardware address
    text = call(*wire.hosts.on_pc(*ping, "-c", "20"))
    return float(text.rsplit("=", 1)[1].split("/")[0]) / 1e3
