"""The rate the program reports is the rate of the wire."""

import time

from .. import residue, sharemark
from ..stage import Stage
from ..truth import Sampler
from ..workspace import Workspace

BLOCK = 8 << 20
DIRECTION = {sharemark.WRITE: "write", sharemark.READ: "read"}


def run(data, checks):
    with Workspace() as workspace:
        stage = Stage(workspace, data)
        residue.plant(stage.disk)
        before = residue.snapshot(stage.disk)
        offset, drift = stage.guest.clock_offset()
        checks.note(f"guest up in {stage.guest.boot_seconds:.1f} s; its clock is {offset * 1e3:+.2f} ms off the host's, "
                    f"its speed {drift:+.4%}")
        checks.within("guest's clock against the host's", 0.2, abs(drift) * 100, "%")
        with Sampler(stage.wire) as sampler:
            done = sharemark.Run(stage, data["run"]).finish(data.get("limit", 120))
            time.sleep(0.2)
        checks.equal("exit code", data["true"]["exit_code"], done.code)
        report = done.report()
        if report is None:
            checks.true("report", False, f"{done.why_no_report} / {done.text[-300:]!r}")
            return
        compare(checks, data["true"], report, sampler, offset)
        checks.equal("partial", False, report["partial"])
        residue.check_unchanged(checks, "the share afterwards", before, stage.disk)


def compare(checks, true, report, sampler, offset):
    samples = report["samples"]
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
            checks.near(f"{name}: rate", phase.rate, sample["bytes_per_second"], tolerance)
        else:
            # Blocks that could not be checked in time are read once more after the clock has stopped; they belong to no
            # rate, and they are whole blocks.
            again = max(0, round((phase.payload - claimed) / BLOCK)) * BLOCK
            checks.near(f"{name}: rate", phase.rate_of_first(claimed), sample["bytes_per_second"], tolerance)
            checks.equal(f"{name}: content verified", True, sample["verified"])
        checks.at_least(f"{name}: bytes on the wire", claimed, phase.payload)
        # More than that would mean that something else was measured too, or sent twice.
        beyond = f" (less {again // BLOCK} read again)" if again else ""
        checks.near(f"{name}: the file, no more{beyond}", claimed, phase.payload - again, 0.005, "MB")
        own = sample["bytes"] / sharemark.headline_seconds(sample)
        checks.near(f"{name}: rate by its own times", own, sample["bytes_per_second"], 1e-4)
        late = phase.start - (sharemark.started(sample) - offset)
        checks.true(f"{name}: starts when it says", -0.1 < late < 0.5, f"{late:+.3f} s", "-0.1 to 0.5 s")
    ceiling = true["mbit"] * 1e6 / 8 * 1448 / 1514
    fastest = max(sample["bytes_per_second"] for sample in samples)
    checks.true("nothing above the wire's ceiling", fastest <= ceiling * 1.01, f"{fastest / 1e6:.3f} MB/s",
                f"<= {ceiling / 1e6:.3f} MB/s")
