"""The PC with the host's own kernel: what speaks a share's protocol itself needs no mount, and so no guest."""

import codecs
import os
import signal
import subprocess
import threading

from .client import Client
from .host import LabError, end_session
from .job import Job


class Pc(Client):
    def __init__(self, workspace, hosts):
        self.workspace, self.hosts = workspace, hosts
        #: A folder for files of this PC.
        self.folder = workspace.path("pc")
        #: Its user's home: no known hosts, no keys but what a scenario puts there.
        self.home = workspace.path("pc", "home")

    @staticmethod
    def path(value):
        """A path or any other word as this PC's programs write it."""
        return str(value)

    def interrupt(self, pid):
        """Ctrl-C, as far as one program is concerned."""
        os.kill(pid, signal.SIGINT)

    def start(self, *argv, env=None):
        # Without the host's own environment: a key agent or a proxy of the person at this machine has no part in it.
        env = {"PATH": os.environ["PATH"], "HOME": str(self.home), "LANG": "C.UTF-8",
               **{name: str(value) for name, value in (env or {}).items()}}
        job = Job([str(a) for a in argv])
        try:
            process = subprocess.Popen(
                [str(a) for a in self.hosts.on_pc(*job.argv)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, env=env, start_new_session=True)
        except OSError as error:
            raise LabError(f"{argv[0]}: {error.strerror}") from error
        self.workspace.later.callback(end_session, process)
        # `ip netns exec` turns into the command, so this is the command's own number.
        job.take({"event": "started", "pid": process.pid})
        for name in ("stdout", "stderr"):
            threading.Thread(target=forward, args=(job, name, getattr(process, name)), daemon=True).start()
        threading.Thread(target=lambda: job.take({"event": "exit", "code": process.wait()}), daemon=True).start()
        return job


def forward(job, stream, pipe):
    """Takes what a command prints as it comes, and notes when the last holder of the pipe has closed it."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    while True:
        data = os.read(pipe.fileno(), 65536)
        text = decoder.decode(data, final=not data)
        if text:
            job.take({"event": stream, "text": text})
        if not data:
            break
    pipe.close()
    job.take({"event": "closed", "stream": stream})
