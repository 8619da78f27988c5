"""The PC: a real Linux kernel in a process (User-Mode Linux), with its own CIFS and NFS clients.

The guest is reached over a serial line; see guest/agent.py.
"""

import itertools
import json
import os
import shlex
import shutil
import sys
import threading
import time

from .host import LabError, end_session, start_daemon, wait_for
from .network import NAS_ADDRESS, PC_ADDRESS
from .workspace import LAB


class Job:
    """A command in the guest. All fields are filled in by the guest's reader as events come."""

    def __init__(self, argv, knock=lambda: None):
        self.argv = argv
        self._knock = knock
        self.pid = None
        self.code = None
        self.output = {"stdout": "", "stderr": ""}
        self.closed = set()
        self.clock = None
        self.ended_at = None

    @property
    def stdout(self):
        return self.output["stdout"]

    @property
    def stderr(self):
        return self.output["stderr"]

    def take(self, event):
        kind = event["event"]
        if kind == "started":
            self.pid = event["pid"]
        elif kind in self.output:
            self.output[kind] += event["text"]
        elif kind == "closed":
            self.closed.add(event["stream"])
        elif kind == "exit":
            self.output["stderr"] += event.get("text", "")
            if "text" in event:
                self.closed |= {"stdout", "stderr"}
            self.ended_at = time.monotonic()
            self.code = event["code"]
        elif kind == "clock":
            self.clock = event

    def wait(self, timeout, pipes=True):
        """Waits for the end, and (with `pipes`) until nobody holds its output any more; True when both came."""
        began = knocked = time.monotonic()
        while time.monotonic() < began + timeout:
            if self.code is not None and (not pipes or len(self.closed) == 2):
                return True
            if self.code is None and time.monotonic() > knocked + 2:
                # An interrupt of the serial line that got lost leaves both sides waiting; the next one wakes them.
                knocked = time.monotonic()
                self._knock()
            time.sleep(0.02)
        return False


class Guest:
    def __init__(self, workspace, wire, memory_mib=1024):
        self.workspace, self.wire = workspace, wire
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
            wire.inside(wire.pc, *kernel), self.log, pass_fds=(to_guest, from_guest))
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
        return self._request(Job(argv, self._knock), do="start", argv=argv, env=env or {})

    def run(self, *argv, timeout=20, check=True, env=None):
        """Runs a command to its end and returns its Job."""
        job = self.start(*argv, env=env)
        if not job.wait(timeout):
            raise LabError(f"guest: {shlex.join(job.argv)}: no end after {timeout} s; {job.stderr[-300:]}")
        if check and job.code != 0:
            raise LabError(f"guest: {shlex.join(job.argv)}: exit {job.code}: {job.stderr.strip()[-500:]}")
        return job

    def shell(self, script, **options):
        return self.run("sh", "-c", script, **options)

    def children(self, pid):
        """Process ids of a process's children."""
        found = self.shell(f"grep -l '^PPid:[[:space:]]*{pid}$' /proc/[0-9]*/status 2>/dev/null", check=False).stdout
        return [line.split("/")[2] for line in found.split()]

    def wait_for_none_of(self, binary, timeout):
        """Waits until no process of a program is left; returns what still is (with its state), or an empty text."""
        script = (f'for p in /proc/[0-9]*; do [ "$(readlink $p/exe)" = "{binary}" ] && '
                  'grep -hE "^(Pid|State)" $p/status | tr "\\n\\t" "  "; done; true')
        end = time.monotonic() + timeout
        while True:
            left = self.shell(script).stdout.strip()
            if not left or time.monotonic() > end:
                return left
            time.sleep(0.5)

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
