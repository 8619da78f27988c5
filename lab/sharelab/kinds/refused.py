"""The share cannot take the files: the program says why, before or when it happens, and leaves nothing behind."""

import time

from .. import residue, sharemark
from ..stage import Stage
from ..truth import Sampler
from ..workspace import Workspace


def run(data, checks):
    for case in data["case"]:
        with Workspace() as workspace:
            one_case(workspace, case, checks)


def one_case(workspace, case, checks):
    true, name = case["true"], case["name"]
    if "claimed_free_kib" in case:
        lie_about_space(workspace, case)
    stage = Stage(workspace, case)
    residue.plant(stage.disk)
    before = residue.snapshot(stage.disk)
    with Sampler(stage.wire) as sampler:
        done = sharemark.Run(stage, case["run"]).finish(90)
        time.sleep(0.2)
    checks.one_of(f"{name}: exit code", true["exit_codes"], done.code)
    checks.says(f"{name}: the message", true["message"], done.text)
    to_nas, _ = sampler.moved()
    if "bytes_at_most" in true:
        checks.within(f"{name}: bytes sent to the server", true["bytes_at_most"], to_nas, "bytes")
    if "bytes_at_least" in true:
        checks.at_least(f"{name}: bytes sent to the server", true["bytes_at_least"], to_nas)
    residue.check_unchanged(checks, f"{name}: the share afterwards", before, stage.disk)


def lie_about_space(workspace, case):
    """Samba then asks our script, not the disk, how much is free; as a NAS with a broken quota would answer."""
    script = workspace.folder / "dfree"
    script.write_text(f"#!/bin/sh\necho {case['claimed_free_kib']} {case['claimed_free_kib']}\n")
    script.chmod(0o755)
    case["smb"] = {"dfree command": str(script)}
