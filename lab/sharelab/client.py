"""What every PC can do: run commands, and look at its processes."""

import shlex
import time

from .host import LabError


class Client:
    """`start` is each PC's own; the rest follows from it."""

    #: How long the PC took to come up.
    boot_seconds = 0.0

    def start(self, *argv, env=None):
        """Starts a command and returns its Job at once."""
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
        """The PC's wall clock minus the host's in seconds, and how much faster its steady clock runs (0 = the same)."""
        return 0.0, 0.0
