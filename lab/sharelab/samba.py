"""A NAS that speaks SMB: smbd with every folder of its own, alone in the nas namespace."""

import shutil

from .host import LabError, call, end_session, start_daemon, wait_for
from .network import NAS_ADDRESS

GLOBAL = """\
[global]
    workgroup = LAB
    server role = standalone server
    map to guest = Bad User
    guest account = root
    smb ports = 445
    disable netbios = yes
    interfaces = {address}
    bind interfaces only = yes
    load printers = no
    printcap name = /dev/null
    log level = 1
    log file = {state}/smbd.log
    private dir = {state}/private
    lock directory = {state}/lock
    state directory = {state}/state
    cache directory = {state}/cache
    pid directory = {state}/pid
    ncalrpc dir = {state}/ncalrpc
    server min protocol = SMB2_10
"""


class Samba:
    """`shares` maps a share's name to a pair: its folder, and extra smb.conf lines as a dictionary."""

    def __init__(self, workspace, wire, shares, tracer=()):
        self.workspace, self.wire = workspace, wire
        self.state = workspace.path("samba")
        for name in ("private", "lock", "state", "cache", "pid", "ncalrpc"):
            workspace.path("samba", name)
        self.config = self.state / "smb.conf"
        text = GLOBAL.format(address=NAS_ADDRESS, state=self.state)
        for name, (folder, extra) in shares.items():
            # A home NAS's usual settings; what a scenario wants otherwise stands in `extra`.
            settings = {"path": folder, "guest ok": "yes", "read only": "no", "strict sync": "yes", **extra}
            text += f"[{name}]\n" + "".join(f"    {key} = {value}\n" for key, value in settings.items())
        self.config.write_text(text)
        #: A command that runs the server, strace for one.
        self.tracer = tracer
        self.process = None
        workspace.later.callback(self.kill)
        self.start()

    def start(self):
        smbd = shutil.which("smbd") or "/usr/sbin/smbd"
        argv = [*self.tracer, smbd, "-F", "--no-process-group", "-s", self.config]
        self.process = start_daemon(self.wire.inside(self.wire.nas, *argv), self.state / "smbd.out")
        wait_for(self._answers, 15, "smbd to answer", every=0.1)

    def _answers(self):
        if self.process.poll() is not None:
            raise LabError(f"smbd ended: {(self.state / 'smbd.out').read_text()[-500:]}")
        listening = call(*self.wire.inside(self.wire.nas, "ss", "-Hltn", "sport", "=", ":445"))
        return NAS_ADDRESS in listening

    def kill(self):
        """SIGKILL for the server and each of its connections: the client is told nothing but a reset."""
        if self.process is not None:
            end_session(self.process)
            self.process = None
