"""The rate the program reports is the rate of the wire."""

import time

from .. import residue, sharemark
from ..stage import Stage
from ..truth import Sampler
from ..workspace import Workspace

DIRECTION = {sharemark.WRITE: "write", sharemark.READ: "read"}


def run(data, checks):
    with Workspace() as workspace:
        stage = Stage(workspace, data)
        residue.plant(stage.disk)
        before = residue.snapshot(stage.disk)
        offset, drift = stage.client.clock_offset()
        if stage.mounted:
            checks.note(f"guest up in {stage.client.boot_seconds:.1f} s; its clock is {offset * 1e3:+.2f} ms off the "
                        f"host's, its speed {drift:+.4%}")
            checks.within("guest's clock against the host's", 0.2, abs(drift) * 100, "%")
        with Sampler(stage.wire) as sampler:
            done = sharemark.Run(stage, data["run"]).finish(data.get("limit", 120))
            time.sleep(0.2)
        checks.equal("exit code", data["true"]["exit_code"], done.code)
        report = done.report()
        if report is None:
            checks.true("report", False, f"{done.why_no_report} / {done.text[-300:]!r}")
            return
        if not report["samples"]:
            checks.true("something was measured", False, repr(done.text[-300:]))
            return
        compare(checks, data["true"], report, sampler, offset)
        checks.equal("partial", False, report["partial"])
        residue.check_unchanged(checks, "the share afterwards", before, stage.disk)


def compare(checks, true, report, sampler, offset):
    samples, block = report["samples"], report["plan"]["block"]
    # What the protocol adds to each byte of the file; the scenario says why.
    protocol = 1 + true.get("overhead", 0)
    phases = sampler.phases()
    seen = [phase.direction for phase in phases]
    if not checks.equal("phases on the wire", " ".join(seen), " ".join(DIRECTION[s["workload"]] for s in samples)):
        return
    checks.equal("number of samples", true["samples"], len(samples))
    for sample, phase in zip(samples, phases):
        name = f"round {sample['round']} {sample['workload']}"
        tolerance = true["tolerance"]
        claimed, again = sample["bytes"], 0
        if sample["workload"] == sharemark.WRITE:
            checks.near(f"{name}: rate", phase.rate / protocol, sample["bytes_per_second"], tolerance)
        else:
            # Blocks that could not be checked in time are read once more after the clock has stopped; they belong to no
            # rate, and they are whole blocks.
            again = max(0, round((phase.payload / protocol - claimed) / block)) * block
            rate = phase.rate_of_first(claimed * protocol) / protocol
            checks.near(f"{name}: rate", rate, sample["bytes_per_second"], tolerance)
            checks.equal(f"{name}: content verified", True, sample["verified"])
        checks.at_least(f"{name}: bytes on the wire", claimed, phase.payload)
        # More than that would mean that something else was measured too, or sent twice.
        beyond = f" (less {again // block} read again)" if again else ""
        checks.near(f"{name}: the file, no more{beyond}", claimed, phase.payload / protocol - again, 0.005, "MB")
        own = sample["bytes"] / sharemark.headline_seconds(sample)
        checks.near(f"{name}: rate by its own times", own, sample["bytes_per_second"], 1e-4)
        late = phase.start - (sharemark.started(sample) - offset)
        checks.true(f"{name}: starts when it says", -0.1 < late < 0.5, f"{late:+.3f} s", "-0.1 to 0.5 s")
    ceiling = true["mbit"] * 1e6 / 8 * 1448 / 1514
    if "fills" in true:
        slowest = min(sample["bytes_per_second"] for sample in samples)
        checks.true("the wire is full", slowest >= true["fills"] * ceiling, f"{slowest / 1e6:.3f} MB/s",
                    f">= {true['fills'] * ceiling / 1e6:.3f} MB/s")
    fastest = max(sample["bytes_per_second"] for sample in samples)
    checks.true("nothing above the wire's ceiling", fastest <= ceiling * 1.01, f"{fastest / 1e6:.3f} MB/s",
                f"<= {ceiling / 1e6:.3f} MB/s")
