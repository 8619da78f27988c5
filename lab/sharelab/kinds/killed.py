"""The program is killed or interrupted: the user's files stay as they were, and `clean` takes what is left of ours."""

import time

from .. import residue, sharemark
from ..host import LabError, wait_for
from ..stage import Stage
from ..truth import Sampler
from ..workspace import Workspace
from .server_gone import wait_for_phase


def run(data, checks):
    with Workspace() as workspace:
        stage = Stage(workspace, data)
        residue.plant(stage.disk)
        before = residue.snapshot(stage.disk)
        for case in data["case"]:
            one_case(stage, data, case, checks, before)


def one_case(stage, data, case, checks, before):
    name = case["name"]
    with Sampler(stage.wire) as sampler:
        run = sharemark.Run(stage, data["run"])
        wait_for_phase(sampler, run, case["phase"])
        during = residue.snapshot(stage.disk)
        checks.true(f"{name}: a folder of its own meanwhile", any(n not in before for n in during))
        victim = run.job.pid if case["who"] == "parent" else worker_of(stage, run)
        send = f"kill -{case['signal']} {victim}"
        # Twice: a short while apart, as an impatient hand does it, and in one go, or the first may already have done.
        stage.client.shell("; sleep 0.1; ".join([send] * case.get("times", 1)), check=False)
        sent_at = time.monotonic()
        run.job.wait(case["seconds"] + 15, pipes=False)
        ended = max(0.0, (run.job.ended_at or time.monotonic()) - sent_at)
    checks.within(f"{name}: the command ends after", case["seconds"], ended)
    if "exit_codes" in case:
        checks.one_of(f"{name}: exit code", case["exit_codes"], run.code)
    # A worker whose parent died must not go on writing.
    left = stage.client.wait_for_none(15)
    checks.true(f"{name}: no process left", not left, left or "none", "none")
    if case.get("report"):
        report = run.report()
        checks.true(f"{name}: report valid and partial", report is not None and report["partial"], run.why_no_report)
    if case.get("cleans_itself"):
        residue.check_unchanged(checks, f"{name}: the share before clean", before, stage.disk)
    clean = sharemark.command(stage, "clean", stage.point, timeout=30)
    checks.equal(f"{name}: clean", 0, clean.code)
    residue.check_unchanged(checks, f"{name}: the share after clean", before, stage.disk)


def worker_of(stage, run):
    workers = wait_for(lambda: stage.client.worker_of(run.job.pid), 5, "a worker process")
    if len(workers) != 1:
        raise LabError(f"expected one worker process, found {workers}")
    return workers[0]
