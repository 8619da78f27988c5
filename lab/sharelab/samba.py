"""A NAS that speaks SMB: smbd with every folder of its own, alone in the nas namespace."""

import json
import shutil
import subprocess

from . import people
from .host import LabError, call, end_session, start_daemon, wait_for

GLOBAL = """\
[global]
    workgroup = LAB
    server role = standalone server
    map to guest = Bad User
    guest account = root
    smb ports = 445
    disable netbios = yes
    interfaces = {addresses}
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
"""


class Samba:
    """`shares` maps a share's name to a pair: its folder, and extra smb.conf lines as a dictionary. `settings` are lines
    for all of them: `server signing`, `smb encrypt`, `server max protocol`. Guests are welcome, and so is people.USER."""

    def __init__(self, workspace, hosts, shares, tracer=(), settings=None):
        self.workspace, self.hosts = workspace, hosts
        self.state = workspace.path("samba")
        for name in ("private", "lock", "state", "cache", "pid", "ncalrpc"):
            workspace.path("samba", name)
        self.config = self.state / "smb.conf"
        text = GLOBAL.format(addresses=" ".join(hosts.nas_addresses), state=self.state)
        text += lines({"server min protocol": "SMB2_10", **(settings or {})})
        for name, (folder, extra) in shares.items():
            # A home NAS's usual settings; what a scenario wants otherwise stands in `extra`.
            text += f"[{name}]\n"
            text += lines({"path": folder, "guest ok": "yes", "read only": "no", "strict sync": "yes", **extra})
        self.config.write_text(text)
        self._let_in(people.USER, people.PASSWORD)
        #: A command that runs the server, strace for one.
        self.tracer = tracer
        self.process = None
        workspace.later.callback(self.kill)
        self.start()

    def _let_in(self, user, password):
        people.settle(self.hosts)
        done = subprocess.run(
            self.hosts.on_nas("smbpasswd", "-c", str(self.config), "-a", "-s", user),
            input=f"{password}\n{password}\n", capture_output=True, text=True, timeout=20)
        if done.returncode != 0:
            raise LabError(f"smbpasswd: {done.stderr.strip() or done.stdout.strip()}")

    def start(self):
        smbd = shutil.which("smbd") or "/usr/sbin/smbd"
        argv = [*self.tracer, smbd, "-F", "--no-process-group", "-s", self.config]
        self.process = start_daemon(self.hosts.on_nas(*argv), self.state / "smbd.out")
        wait_for(self._answers, 15, "smbd to answer", every=0.1)

    def _answers(self):
        if self.process.poll() is not None:
            raise LabError(f"smbd ended: {(self.state / 'smbd.out').read_text()[-500:]}")
        listening = call(*self.hosts.on_nas("ss", "-Hltn", "sport", "=", ":445"))
        return all(address in listening for address in self.hosts.nas_addresses)

    def sessions(self):
        """The sessions as Samba itself tells them: dialect, signing and encryption of each."""
        text = call(*self.hosts.on_nas("smbstatus", "-s", self.config, "--json"))
        return list(json.loads(text)["sessions"].values())

    def kill(self):
        """SIGKILL for the server and each of its connections: the client is told nothing but a reset."""
        if self.process is not None:
            end_session(self.process)
            self.process = None


def lines(settings):
    return "".join(f"    {key} = {value}\n" for key, value in settings.items())
