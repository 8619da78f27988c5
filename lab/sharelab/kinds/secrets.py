"""A run that logs in with a password shows it nowhere, however the password was given."""

import base64
import urllib.parse

from .. import people, residue, sharemark
from ..secrecy import Watch
from ..stage import Stage
from ..workspace import Workspace


def run(data, checks):
    with Workspace() as workspace:
        proof(workspace, checks)
    for case in data["case"]:
        with Workspace() as workspace:
            stage = Stage(workspace, {**data, **case})
            residue.plant(stage.disk)
            before = residue.snapshot(stage.disk)
            one_case(stage, data, case, checks)
            residue.check_unchanged(checks, f"{case['protocol']}, {case['how']}: the share afterwards", before, stage.disk)


def one_case(stage, data, case, checks):
    name = f"{case['protocol']}, {case['how']}"
    target, flags, extra = stage.point, {"history": None, "csv": stage.client.folder / "samples.csv"}, {}
    if case["how"] == "in the address":
        # What was typed stands in the list of processes; nobody else's command line may show it.
        target = target.replace("@", f":{urllib.parse.quote(people.PASSWORD)}@", 1)
        extra = {"SHAREMARK_PASSWORD": ""}
    elif case["how"] == "in a file":
        file = stage.client.folder.parent / "credentials"
        file.write_text(f"username={people.USER}\npassword={people.PASSWORD}\n")
        file.chmod(0o600)
        flags["credentials"] = file
        extra = {"SHAREMARK_PASSWORD": ""}
    with Watch([people.PASSWORD], "run" if case["how"] == "in the address" else None) as watch:
        done = sharemark.Run(stage, {**data["run"], **flags}, target, extra=extra).finish(60)
        watch.look("standard output", done.job.stdout)
        watch.look("standard error", done.job.stderr)
        watch.look_below(stage.client.folder)
    checks.equal(f"{name}: exit code", 0, done.code)
    kept = [path.name for path in stage.client.folder.rglob("*") if path.is_file()]
    checks.true(f"{name}: a report, a table and a history were kept", len(kept) >= 3, " ".join(sorted(kept)))
    checks.true(f"{name}: no secret anywhere", not watch.found and watch.rounds > 0, ", ".join(sorted(watch.found)) or "none")


def proof(workspace, checks):
    """The watch finds what is there to be found: on a command line, and in a file in a protocol's spelling."""
    stage = Stage(workspace, {"protocol": "smb"})
    basic = base64.b64encode(f"{people.USER}:{people.PASSWORD}".encode())
    (stage.client.folder / "told.sqlite").write_bytes(b"\0\1" + basic)
    with Watch([people.PASSWORD]) as watch:
        stage.client.run("sh", "-c", "sleep 0.3; true", people.PASSWORD)
        watch.look_below(stage.client.folder)
    checks.equal("the watch finds what is told", {"the command line of sh", "told.sqlite"}, watch.found)
