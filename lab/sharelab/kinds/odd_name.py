"""Names that need care: measured like any other, and written exactly so in the report."""

from .. import residue, sharemark
from ..stage import Stage
from ..workspace import Workspace


def run(data, checks):
    with Workspace() as workspace:
        stage = Stage(workspace, data)
        folder = stage.point / data["folder"]
        stage.client.run("mkdir", folder)
        residue.plant(stage.disk)
        before = residue.snapshot(stage.disk)
        for target in (stage.point, folder):
            name = target.name
            done = sharemark.Run(stage, data["run"], target).finish(90)
            checks.equal(f"{name}: exit code", 0, done.code)
            report = done.report()
            if report is None:
                checks.true(f"{name}: report", False, done.text[-300:])
                continue
            checks.equal(f"{name}: location in the JSON", str(target), report["targets"][0]["location"])
            checks.true(f"{name}: measured", all(sharemark.good(s) and s["bytes_per_second"] > 0 for s in report["samples"]))
            checks.true(f"{name}: named in the text", name in done.text)
        listing = sharemark.command(stage, timeout=15)
        checks.true("listed by its name", str(stage.point) in listing.stdout)
        residue.check_unchanged(checks, "the share afterwards", before, stage.disk)
