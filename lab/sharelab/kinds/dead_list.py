"""`sharemark` alone lists the mounts in a few seconds, dead ones and all, and says which do not answer."""

import os
import signal
import time

from .. import sharemark
from ..ganesha import Ganesha
from ..stage import Stage
from ..workspace import Workspace


def run(data, checks):
    with Workspace() as workspace:
        stage = Stage(workspace, {"protocol": "cifs", "mount": "over cifs"})
        Ganesha(workspace, stage.hosts, workspace.tmpfs("disk2"))
        points = {"cifs": stage.point, "nfs": stage.client.mount_nfs("over nfs")}

        look(checks, data["true"], stage, "all well", points, dead=[])
        # A server that hangs still holds its connections, and answers nothing.
        os.killpg(stage.server.process.pid, signal.SIGSTOP)
        time.sleep(2)  # what the kernel remembers of a file is believed for a second
        look(checks, data["true"], stage, "smbd hangs", points, dead=["cifs"])
        stage.wire.cut()
        time.sleep(2)
        look(checks, data["true"], stage, "the wire is cut", points, dead=["cifs", "nfs"])


def look(checks, true, stage, name, points, dead):
    began = time.monotonic()
    job = sharemark.command(stage, timeout=30)
    checks.within(f"{name}: the list comes after", true["seconds"], time.monotonic() - began)
    checks.equal(f"{name}: exit code", 0, job.code)
    for protocol, point in points.items():
        lines = about(job.stdout, str(point))
        silent = any(word in lines.lower() for word in true["silent"])
        checks.true(f"{name}: {protocol} listed as {'dead' if protocol in dead else 'alive'}",
                    bool(lines) and silent == (protocol in dead), repr(" ".join(lines.split())[-120:]))


def about(text, point):
    """The line that names a mount point, and the one below when it belongs to it (is set in deeper)."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if point in line:
            depth = len(line) - len(line.lstrip())
            found = [line]
            for next_line in lines[number + 1:]:
                if not next_line.strip() or len(next_line) - len(next_line.lstrip()) <= depth:
                    break
                found.append(next_line)
            return "\n".join(found)
    return ""
