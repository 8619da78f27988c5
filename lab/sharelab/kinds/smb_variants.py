"""SMB in its variants: the run works or is refused, and what the report says of the connection is what Samba and the wire say."""

import time

from .. import residue, sharemark
from ..frames import Frames
from ..stage import Stage
from ..workspace import Workspace

#: Samba's names for the dialects.
DIALECTS = {"SMB2_02": "2.0.2", "SMB2_10": "2.1", "SMB3_00": "3.0", "SMB3_02": "3.0.2", "SMB3_11": "3.1.1"}
#: And for what signs.
ALGORITHMS = {"HMAC-SHA256": "hmac-sha256", "AES-128-CMAC": "cmac", "AES-128-GMAC": "gmac"}


def run(data, checks):
    for case in data["case"]:
        with Workspace() as workspace:
            one_case(workspace, data, case, checks)


def one_case(workspace, data, case, checks):
    name, true = case["name"], case["true"]
    stage = Stage(workspace, {**data, **case})
    residue.plant(stage.disk)
    before = residue.snapshot(stage.disk)
    with Frames(stage.wire) as frames:
        job = sharemark.Run(stage, {**data["run"], **case.get("run", {})})
        sessions = sessions_until_the_end(stage, job)
    checks.equal(f"{name}: exit code", true.get("exit_code", 0), job.code)
    report = job.report()
    if "code" in true:
        checks.one_of(f"{name}: error.code", [true["code"]], sharemark.first_failure(report))
    elif report is None or not report["targets"]:
        checks.true(f"{name}: report", False, f"{job.why_no_report} {job.text[-300:]}")
    else:
        agree(checks, name, true, report, sessions, frames)
    residue.check_unchanged(checks, f"{name}: the share afterwards", before, stage.disk)


def sessions_until_the_end(stage, job):
    """Every session that Samba told of while the run lasted."""
    seen = []
    end = time.monotonic() + 60
    while job.code is None and time.monotonic() < end:
        seen += stage.server.sessions()
        time.sleep(0.1)
    job.finish(1)
    return seen


def agree(checks, name, true, report, sessions, frames):
    server = report["targets"][0]["server"] or {}
    # A session that has only just begun has none yet.
    told = lambda fact, part: {s[fact][part] for s in sessions} - {"-"}
    checks.equal(f"{name}: dialect, as Samba has it", {true["dialect"]}, {DIALECTS.get(s["session_dialect"]) for s in sessions})
    checks.equal(f"{name}: dialect in the report", true["dialect"], server.get("dialect"))
    wire = frames.signed()
    checks.equal(f"{name}: reads and writes on the wire", true["wire"], wire)
    degrees = told("encryption", "degree")
    if "full" in degrees and wire == "encrypted":
        degrees -= {"none"}  # a session that has only just begun; on the wire all was encrypted
    checks.equal(f"{name}: encryption, as Samba has it", {"full" if wire == "encrypted" else "none"}, degrees)
    signing = {ALGORITHMS.get(a, a) for a in told("signing", "cipher")} if wire == "signed" else {"off"}
    checks.equal(f"{name}: signing in the report", signing, {server.get("signing")})
    cipher = {a.lower() for a in told("encryption", "cipher")} if wire == "encrypted" else {"off"}
    checks.equal(f"{name}: encryption in the report", cipher, {server.get("encryption")})
