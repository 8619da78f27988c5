"""The PC: a real Linux kernel in a process (User-Mode Linux), with its own CIFS and NFS clients.

The guest is reached over a serial line; see guest/agent.py.
"""

import itertools
import json
import os
import shutil
import sys
import threading
import time

from .client import Client
from .host import LabError, end_session, start_daemon, wait_for
from .job import Job
from .network import NAS_ADDRESS, PC_ADDRESS
from .workspace import LAB


class Guest(Client):
    def __init__(self, workspace, hosts, memory_mib=1024):
        self.workspace = workspace
        self._numbers = itertools.count(1)
        self._jobs = {}
        self._ready = threading.Event()
        #: The guest's private folder in memory: mount points and files that die with it.
        self.folder = workspace.path("guest")
        shutil.copy(LAB / "guest/agent.py", workspace.folder)
        shutil.copy(LAB / "guest/init.sh", workspace.folder)
        self.log = workspace.folder / "guest.log"

        to_guest, self._send = os.pipe()
        self._receive, from_guest = os.pipe()
        kernel = [
            "linux.uml", f"mem={memory_mib}M", "root=/dev/root", "rootfstype=hostfs", "rootflags=/", "rw", "quiet",
            f"init={workspace.folder}/init.sh", "vec0:transport=tap,ifname=tap0,depth=128,gro=1",
            "con=null", "con0=fd:0,fd:1", "ssl=null", f"ssl0=fd:{to_guest},fd:{from_guest}",
            f"smlab_folder={workspace.folder}", f"smlab_address={PC_ADDRESS}",
            f"smlab_python={os.path.realpath(sys.executable)}",
        ]
        began = time.monotonic()
        self.process = start_daemon(
            hosts.on_pc(*kernel), self.log, pass_fds=(to_guest, from_guest))
        workspace.later.callback(self.stop)
        os.close(to_guest)
        os.close(from_guest)
        threading.Thread(target=self._read, daemon=True).start()
        if not self._ready.wait(60):
            raise LabError(f"the guest does not come up: {self.log.read_text(errors='replace')[-500:]}")
        self.boot_seconds = time.monotonic() - began

    def stop(self):
        """Pulls the plug: a guest with a dead mount would not shut down in an orderly way."""
        end_session(self.process)

    def _read(self):
        with open(self._receive, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                try:
                    event = json.loads(line)
                except ValueError:
                    continue
                if event["event"] == "ready":
                    self._ready.set()
                else:
                    self._jobs[event["job"]].take(event)

    def _request(self, job, **request):
        number = next(self._numbers)
        self._jobs[number] = job
        os.write(self._send, (json.dumps({"job": number, **request}) + "\n").encode())
        return job

    def _knock(self):
        os.write(self._send, b"\n")

    def start(self, *argv, env=None):
        """Starts a command and returns at once."""
        argv = [str(a) for a in argv]
        return self._request(Job(argv, self._knock), do="start", argv=argv,
                             env={name: str(value) for name, value in (env or {}).items()})

    def clock_offset(self):
        """Guest's wall clock minus the host's in seconds, and how much faster its steady clock runs (0 = the same)."""
        offset, steady, host = self._compare_clocks()
        time.sleep(1)
        _, steady_later, host_later = self._compare_clocks()
        return offset, (steady_later - steady) / (host_later - host) - 1

    def _compare_clocks(self):
        """The quickest of some questions: its answer was under way for the shortest time."""
        answers = []
        for _ in range(8):
            wall, steady = time.time(), time.monotonic()
            job = self._request(Job(["clock"]), do="clock")
            wait_for(lambda: job.clock, 5, "the guest's clock", every=0.001)
            trip = time.monotonic() - steady
            answers.append((trip, job.clock["wall"] - wall - trip / 2, job.clock["steady"], steady + trip / 2))
        return min(answers)[1:]

    def mount_cifs(self, share="share", at="mnt", options=""):
        return self._mount(at, "cifs", f"//{NAS_ADDRESS}/{share}", f"guest,vers=3.1.1,cache=strict,iocharset=utf8,{options}")

    def mount_nfs(self, at="mnt", options=""):
        return self._mount(at, "nfs", f"{NAS_ADDRESS}:/share", f"vers=4.2,proto=tcp,{options}")

    def _mount(self, at, kind, source, options):
        point = self.folder / at
        self.run("mkdir", "-p", point)
        self.run("mount", "-t", kind, source, point, "-o", options.rstrip(","), timeout=30)
        return point
