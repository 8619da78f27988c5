"""A NAS that speaks SFTP: OpenSSH's own server and file transfer, alone in the nas namespace."""

import shutil
from pathlib import Path

from . import people
from .host import LabError, call, end_session, start_daemon, wait_for
from .network import NAS_ADDRESS, NAS_NAME

CONFIG = """\
ListenAddress {address}
HostKey {state}/host_key
AuthorizedKeysFile {state}/authorized_keys
PidFile {state}/sshd.pid
StrictModes no
UsePAM no
PasswordAuthentication yes
KbdInteractiveAuthentication no
UseDNS no
LogLevel VERBOSE
MaxStartups 100:30:200
Subsystem sftp internal-sftp
"""

# The place where it locks itself in is on /run, which this way is nobody else's.
WITH_RUN = 'mount -t tmpfs run /run && mkdir -m 755 /run/sshd && exec "$@"'


class Sshd:
    """Lets people.USER in, by password and by the key in `client_key`. The folder is found under its own path."""

    def __init__(self, workspace, hosts, tracer=()):
        self.hosts = hosts
        self.state = workspace.path("sshd")
        people.settle(hosts)
        self.client_key = make_key(self.state / "client_key")
        shutil.copy(f"{self.client_key}.pub", self.state / "authorized_keys")
        self.config = self.state / "sshd_config"
        self.config.write_text(CONFIG.format(address=NAS_ADDRESS, state=self.state))
        make_key(self.state / "host_key")
        #: What a client that has been here before knows.
        self.known_hosts = self.state / "known_hosts"
        self.remember(self.known_hosts)
        #: A command that runs the server, strace for one.
        self.tracer = tracer
        self.process = None
        workspace.later.callback(self.kill)
        self.start()

    def remember(self, path, key=None):
        """Writes a list of known hosts in which the NAS has `key` (a private key's path), or the key it has."""
        public = Path(f"{key or self.state / 'host_key'}.pub").read_text().split()
        path.write_text(f"{NAS_ADDRESS},{NAS_NAME} {public[0]} {public[1]}\n")
        return path

    def start(self):
        argv = ["sh", "-c", WITH_RUN, "sh", *self.tracer, "/usr/sbin/sshd", "-D", "-e", "-f", self.config]
        self.process = start_daemon(self.hosts.on_nas(*argv), self.state / "sshd.out")
        wait_for(self._answers, 10, "sshd to answer", every=0.1)

    def _answers(self):
        if self.process.poll() is not None:
            raise LabError(f"sshd ended: {(self.state / 'sshd.out').read_text()[-500:]}")
        return ":22" in call(*self.hosts.on_nas("ss", "-Hltn", "sport", "=", ":22"))

    def kill(self):
        """SIGKILL for the server and each of its connections, which have sessions of their own."""
        if self.process is None:
            return
        family = descendants(self.process.pid)
        end_session(self.process)
        for pid in family:
            call("kill", "-KILL", pid, check=False)
        self.process = None


def descendants(pid):
    """Process ids of all that come from a process."""
    children = call("pgrep", "-P", pid, check=False).split()
    return children + [below for child in children for below in descendants(child)]


def make_key(path):
    call("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "lab", "-f", path)
    return path
