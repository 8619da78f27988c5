"""The lab's own proof: the sampler, which reads counters, agrees with a plain client, which reads a clock."""

import json
import shutil
import sys
import time

from ..stage import Stage
from ..truth import Sampler
from ..workspace import LAB, Workspace

BLOCK = 8 << 20


def run(data, checks):
    for case in data["case"]:
        with Workspace() as workspace:
            stage = Stage(workspace, case)
            client = shutil.copy(LAB / "guest/reference.py", workspace.folder)
            with Sampler(stage.wire) as sampler:
                job = stage.client.run(sys.executable, client, stage.point / "file", case["blocks"], timeout=60)
                time.sleep(0.2)
            seconds = json.loads(job.stdout)
            name = f"{case['protocol']} {case['mbit']} Mbit/s"
            phases = sampler.phases()
            if not checks.equal(f"{name}: phases", "write read", " ".join(p.direction for p in phases)):
                continue
            size = case["blocks"] * BLOCK
            for phase in phases:
                rate = size / seconds[phase.direction]
                checks.near(f"{name}: {phase.direction} rate, client and wire", phase.rate, rate, data["tolerance"])
                checks.near(f"{name}: {phase.direction} bytes", size, phase.payload, data["tolerance"], "MB")
