"""What every PC can do: run commands, and look at its processes."""

import shlex
import time

from .host import LabError


class Client:
    """`start` is each PC's own; the rest follows from it."""

    #: How long the PC took to come up.
    boot_seconds = 0.0

    @property
    def program(self):
        """The command that is the program under test, as a list of words."""
        if self.workspace.binary is None:
            raise LabError("no sharemark binary: cargo build --release, or set SHAREMARK_BIN")
        return [self.workspace.binary]

    def start(self, *argv, env=None):
        """Starts a command and returns its Job at once. Words and values of the environment may be paths."""
        raise NotImplementedError

    def run(self, *argv, timeout=20, check=True, env=None):
        """Runs a command to its end and returns its Job."""
        job = self.start(*argv, env=env)
        if not job.wait(timeout):
            raise LabError(f"{shlex.join(job.argv)}: no end after {timeout} s; {job.stderr[-300:]}")
        if check and job.code != 0:
            raise LabError(f"{shlex.join(job.argv)}: exit {job.code}: {job.stderr.strip()[-500:]}")
        return job

    def shell(self, script, **options):
        return self.run("sh", "-c", script, **options)

    def worker_of(self, pid):
        """The process ids of the workers of the program whose process id this is."""
        found = self.shell(f"grep -l '^PPid:[[:space:]]*{pid}$' /proc/[0-9]*/status 2>/dev/null", check=False).stdout
        return [line.split("/")[2] for line in found.split()]

    def wait_for_none(self, timeout):
        """Waits until no process of the program is left; returns what still is, or an empty text."""
        end = time.monotonic() + timeout
        while True:
            left = self.still_running()
            if not left or time.monotonic() > end:
                return left
            time.sleep(0.5)

    def still_running(self):
        """The processes of the program, with their states, or an empty text."""
        script = (f'for p in /proc/[0-9]*; do [ "$(readlink $p/exe)" = "{self.program[0]}" ] && '
                  'grep -hE "^(Pid|State)" $p/status | tr "\\n\\t" "  "; done; true')
        return self.shell(script).stdout.strip()

    def clock_offset(self):
        """The PC's wall clock minus the host's in seconds, and how much faster its steady clock runs (0 = the same)."""
        return 0.0, 0.0
