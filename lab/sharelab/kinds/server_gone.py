"""The server goes away in mid-phase: the command ends in time, says so, keeps what it has, and can be cleaned up after."""

import time

from .. import residue, sharemark
from ..host import LabError, wait_for
from ..stage import Stage
from ..truth import Sampler
from ..workspace import Workspace


def run(data, checks):
    for case in data["case"]:
        with Workspace() as workspace:
            one_case(workspace, data, case, checks)


def one_case(workspace, data, case, checks):
    true, name = data["true"], case["name"]
    stage = Stage(workspace, data)
    residue.plant(stage.disk)
    before = residue.snapshot(stage.disk)
    with Sampler(stage.wire) as sampler:
        run = sharemark.Run(stage, {**data["run"], **case.get("run", {})})
        wait_for_phase(sampler, run, case["phase"])
        stage.wire.cut() if case["how"] == "cut" else stage.server.kill()
        gone_at = time.monotonic()
        run.job.wait(true["seconds"] + 20, pipes=False)
    ended = (run.job.ended_at or time.monotonic()) - gone_at
    checks.within(f"{name}: the command ends after", true["seconds"], ended)
    free = run.job.wait(3)
    checks.true(f"{name}: the shell is free, pipes and all", free, f"closed: {sorted(run.job.closed) or 'none'}")
    judge_report(checks, name, case, true, run)

    if case.get("early_clean"):
        # While the server is still away, cleaning must not hang either. One case is enough: it takes its time, and the
        # longer the server is away the later the kernel tries again.
        began = time.monotonic()
        early = sharemark.command(stage, "clean", stage.point, timeout=true["seconds"] + 40)
        checks.within(f"{name}: clean without the server ends after", true["seconds"], time.monotonic() - began)
        checks.true(f"{name}: and says that it could not", early.code not in (0, None), f"exit {early.code}", "not exit 0")

    stage.wire.mend() if case["how"] == "cut" else stage.server.start()
    reconnect(stage, true["reconnect_seconds"])
    clean = sharemark.command(stage, "clean", stage.point, timeout=60)
    if clean.code != 0:
        # A mount that answers one question may still be writing back what it held: cleaning says so and can be repeated.
        checks.note(f"{name}: clean said {' '.join((clean.stdout + clean.stderr).split())[-300:]!r}; once more")
        time.sleep(10)
        clean = sharemark.command(stage, "clean", stage.point, timeout=60)
    checks.equal(f"{name}: clean with the server back", 0, clean.code)
    left = stage.client.wait_for_none(30)
    checks.true(f"{name}: no process left", not left, left or "none", "none")
    residue.check_unchanged(checks, f"{name}: the share afterwards", before, stage.disk)


def wait_for_phase(sampler, run, number):
    """Until the wire has carried a second of the given phase."""
    def reached():
        if run.code is not None:
            raise LabError(f"the run ended too early: exit {run.code}: {run.text[-300:]}")
        phases = sampler.phases()
        return len(phases) > number or len(phases) == number and phases[-1].seconds > 1
    wait_for(reached, 90, f"phase {number} on the wire")


def judge_report(checks, name, case, true, run):
    report = run.report()
    checks.true(f"{name}: the JSON is valid", report is not None, run.why_no_report or "yes")
    checks.equal(f"{name}: exit code", 3 if case["phase"] > 1 else 1, run.code)
    checks.says(f"{name}: the message", [true["message"]], run.text)
    if report is None:
        return
    checks.equal(f"{name}: partial", True, report["partial"])
    whole = [s for s in report["samples"] if sharemark.good(s)]
    checks.equal(f"{name}: whole samples kept", case["phase"] - 1, len(whole))
    checks.true(f"{name}: each whole sample has its rate", all(s["bytes_per_second"] > 0 for s in whole))


def reconnect(stage, timeout):
    """Until the guest's kernel reaches the server again; a hanging probe must not stop us from asking again."""
    def answers():
        job = stage.client.start("stat", "-f", stage.point)
        return job.wait(5) and job.code == 0
    wait_for(answers, timeout, "the mount to come back", every=1)
