"""Two ways to one NAS, measured in turn: the answer, and how sure it is, against what the two wires are."""

import statistics
import time

from .. import residue, sharemark
from ..network import Wire
from ..stage import Stage
from ..truth import Sampler
from ..workspace import Workspace


# A shaped wire that is as even as this leaves the interval of six rounds well below the width that is asked for. A wire
# that is not tells of the machine and not of the program, whose interval then has to be wide.
EVEN = 0.03
ATTEMPTS = 3


class TwoPaths(Stage):
    """The stage with a second wire, which is there before the server starts."""

    def _serve(self, tracer):
        self.second = Wire(self.hosts, self.data.get("second_mbit"), number=1)
        return super()._serve(tracer)

    @property
    def targets(self):
        return f"lan={self.url()}", f"ts={self.url(host=self.second.nas_address)}"


def run(data, checks):
    with Workspace() as workspace:
        stage = TwoPaths(workspace, data)
        residue.plant(stage.disk)
        before = residue.snapshot(stage.disk)
        answers = []
        for number in range(1, data.get("repeats", 1) + 1):
            once(stage, data, checks, number, answers)
        if data.get("repeats", 1) > 1:
            checks.note("answers: " + ", ".join(f"{answers.count(a)} {a}" for a in sorted(set(answers))))
            checks.equal("repeats with an answer for each workload", 2 * data["repeats"], len(answers))
        residue.check_unchanged(checks, "the share afterwards", before, stage.disk)


def once(stage, data, checks, number, answers):
    true = data["true"]
    repeated = data.get("repeats", 1) > 1
    done, report, wires = measured(stage, data)
    for _ in range(0 if "half_width" not in true else ATTEMPTS - 1):
        uneven = max(unevenness(wire) for wire in wires.values())
        if uneven <= EVEN:
            break
        checks.note(f"the wires' own rates differ by {uneven:.1%} from phase to phase: the machine was busy; again")
        done, report, wires = measured(stage, data)
    if done.code != 0 or report is None:
        checks.true(f"run {number}: measured", False, f"exit {done.code}: {done.text[-300:]}")
        return
    if not repeated:
        order_is_interleaved(checks, report)
        through_its_own_wire(checks, report, wires)
    checks.equal(f"run {number}: comparisons", 2, len(report["comparisons"]))
    for found in report["comparisons"]:
        name = f"run {number} {found['workload']}" if repeated else found["workload"]
        answers.append(found["answer"])
        low, high = found["ci95"] or (0, float("inf"))
        shown = f"{found['ratio']:.4f} [{low:.4f}, {high:.4f}]"
        checks.one_of(f"{name}: the answer to {shown}", true["answers"], found["answer"])
        if "ratio" in true:
            checks.equal(f"{name}: of what", "lan / ts", f"{found['a']} / {found['b']}")
            checks.true(f"{name}: the interval holds the truth", low * (1 - true["slack"]) <= true["ratio"]
                        <= high * (1 + true["slack"]), shown, f"{true['ratio']:.4f}")
            checks.near(f"{name}: the ratio", true["ratio"], found["ratio"], true["tolerance"], unit="", scale=1)
            width = (high - low) / 2 / found["ratio"]
            checks.within(f"{name}: half the interval", true["half_width"] * 100, width * 100, "%")


def measured(stage, data):
    with Sampler(stage.wire) as first, Sampler(stage.second) as second:
        done = sharemark.Run(stage, data["run"], *stage.targets).finish(data.get("limit", 120))
        time.sleep(0.1)
    return done, done.report(), {"lan": first, "ts": second}


def unevenness(sampler):
    """How far the wire's rate in one phase is off the median of its direction, at most."""
    rates = {}
    for phase in sampler.phases():
        rates.setdefault(phase.direction, []).append(phase.rate)
    return max((abs(rate / statistics.median(alike) - 1) for alike in rates.values() for rate in alike), default=0)


def order_is_interleaved(checks, report):
    """Each round measures both before the next begins."""
    ordered = sorted(report["samples"], key=sharemark.started)
    rounds = [sample["round"] for sample in ordered]
    checks.true("rounds follow one another, both targets in each", rounds == sorted(rounds)
                and all({s["target"] for s in ordered if s["round"] == r} == {"lan", "ts"} for r in set(rounds)))


def through_its_own_wire(checks, report, samplers):
    for label, sampler in samplers.items():
        to_nas, from_nas = sampler.moved()
        for workload, moved in ((sharemark.WRITE, to_nas), (sharemark.READ, from_nas)):
            claimed = sum(s["bytes"] for s in report["samples"] if (s["target"], s["workload"]) == (label, workload))
            checks.near(f"{label} {workload}: bytes over its wire", claimed, moved, 0.02, "MB")
