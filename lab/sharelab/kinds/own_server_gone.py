"""The server of a protocol that the program speaks itself is killed in mid-phase: the run ends at once and says why."""

import time

from .. import residue, sharemark
from ..stage import Stage
from ..truth import Sampler
from ..workspace import Workspace
from .server_gone import wait_for_phase


def run(data, checks):
    for case in data["case"]:
        with Workspace() as workspace:
            one_case(workspace, data, case, checks)


def one_case(workspace, data, case, checks):
    true, name = data["true"], f"{case['protocol']}, {case['how']} in phase {case['phase']}"
    stage = Stage(workspace, {**data, **case})
    residue.plant(stage.disk)
    before = residue.snapshot(stage.disk)
    with Sampler(stage.wire) as sampler:
        run = sharemark.Run(stage, data["run"])
        wait_for_phase(sampler, run, case["phase"])
        stage.wire.cut() if case["how"] == "cut" else stage.server.kill()
        gone_at = time.monotonic()
        run.job.wait(true[case["how"]]["seconds"] + 20)
    ended = (run.job.ended_at or time.monotonic()) - gone_at
    checks.within(f"{name}: the command ends after", true[case["how"]]["seconds"], ended)
    checks.equal(f"{name}: exit code", 3 if case["phase"] > 1 else 1, run.code)
    report = run.report()
    if checks.true(f"{name}: the JSON is valid", report is not None, run.why_no_report or "yes"):
        checks.one_of(f"{name}: error.code", true[case["how"]]["codes"], sharemark.first_failure(report))
        checks.equal(f"{name}: partial", True, report["partial"])
        whole = [s for s in report["samples"] if sharemark.good(s)]
        checks.equal(f"{name}: whole samples kept", case["phase"] - 1, len(whole))
    stage.wire.mend() if case["how"] == "cut" else stage.server.start()
    clean = sharemark.command(stage, "clean", stage.point, timeout=60)
    checks.equal(f"{name}: clean with the server back", 0, clean.code)
    left = stage.client.wait_for_none(10)
    checks.true(f"{name}: no process left", not left, left or "none", "none")
    residue.check_unchanged(checks, f"{name}: the share afterwards", before, stage.disk)
