"""After a buffered write the whole file lies in the client's memory: a read must still come from the server, or say so."""

import time

from .. import sharemark
from ..stage import Stage
from ..truth import Sampler
from ..workspace import Workspace


def run(data, checks):
    for case in data["case"]:
        with Workspace() as workspace:
            stage = Stage(workspace, {**data, **case})
            name = case["name"]
            with Sampler(stage.wire) as sampler:
                done = sharemark.Run(stage, {**data["run"], **case.get("run", {})}).finish(120)
                time.sleep(0.2)
            checks.equal(f"{name}: exit code", 0, done.code)
            report = done.report()
            if report is None:
                checks.true(f"{name}: report", False, done.text[-300:])
                continue
            claimed = sum(s["bytes"] for s in report["samples"] if s["workload"] == sharemark.READ)
            checks.true(f"{name}: something was read", claimed > 0, f"{claimed} bytes")
            _, from_nas = sampler.moved()
            honest = all(sharemark.says_cached(s) for s in report["samples"] if s["workload"] == sharemark.READ)
            if case.get("cached"):
                # Whether the client still trusts its pages is its own affair; what counts is what the sample says.
                checks.note(f"{name}: {from_nas} of {claimed} bytes came from the server")
                checks.true(f"{name}: the samples say so", honest)
            elif from_nas < claimed and honest:
                checks.true(f"{name}: cached, and the samples say so", True)
            else:
                checks.at_least(f"{name}: bytes that came from the server", claimed, from_nas)
