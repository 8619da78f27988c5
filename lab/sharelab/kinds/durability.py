"""Write-through arrives at the server as write-through; the other modes do not pretend to."""

from .. import sharemark, trace
from ..stage import Stage
from ..workspace import Workspace


def run(data, checks):
    with Workspace() as workspace:
        prefix = workspace.path("trace") / "server"
        stage = Stage(workspace, data, tracer=trace.tracer(prefix))
        for mode, true in data["true"].items():
            for old in prefix.parent.glob("*"):
                # A running tracer keeps its file open: emptied, not removed.
                old.write_text("")
            done = sharemark.Run(stage, {**data["run"], "durability": mode}).finish(120)
            checks.equal(f"{mode}: exit code", 0, done.code)
            report = done.report()
            written = trace.largest(prefix, "/sharemark-")
            if report is None or written is None:
                checks.true(f"{mode}: measured and seen by the server", False, done.text[-300:])
                continue
            sample = next(s for s in report["samples"] if s["workload"] == sharemark.WRITE)
            read = next(s for s in report["samples"] if s["workload"] == sharemark.READ)
            # What the client asks for before it reads the file is no part of the write. Between the two lies the second of
            # settling, and in it the middle is far from both, however far the guest's clock is off the host's.
            judge(checks, mode, true, sample, written.until(sharemark.started(read) - 0.5))


def judge(checks, mode, true, sample, written):
    """`true` says what the server must have seen; see scenarios/write-through-*.toml for the words."""
    checks.equal(f"{mode}: bytes the server wrote", sample["bytes"], written.bytes)
    if "opened_sync" in true:
        checks.equal(f"{mode}: opened with O_SYNC by the server", true["opened_sync"], written.opened_sync)
    if "syncs_among_writes_at_least" in true:
        checks.at_least(f"{mode}: syncs on the way", true["syncs_among_writes_at_least"], written.syncs_among_writes, "syncs")
    if "syncs_among_writes_at_most" in true:
        checks.within(f"{mode}: syncs on the way", true["syncs_among_writes_at_most"], written.syncs_among_writes, "syncs")
    if "synced_at_end" in true:
        checks.equal(f"{mode}: synced after the last write", true["synced_at_end"], written.synced_after_last_write)
    label = str((sample.get("cache") or {}).get("write"))
    checks.says(f"{mode}: the sample's label for its writes", [true["label"]], label)
