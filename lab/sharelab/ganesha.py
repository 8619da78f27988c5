"""A NAS that speaks NFS: nfs-ganesha, in user space, alone in the nas namespace."""

import shutil

from .host import LabError, call, end_session, start_daemon, wait_for
from .network import NAS_ADDRESS

# A short grace period: clients may reclaim their state after a restart, and nobody waits 90 s for it.
CONFIG = """\
NFS_CORE_PARAM {{ Protocols = {versions}; Mount_Path_Pseudo = true; Bind_addr = {address}; Enable_UDP = false; Enable_NLM = false; Enable_RQUOTA = false; }}
NFSv4 {{ Lease_Lifetime = 10; Grace_Period = 5; Only_Numeric_Owners = true; RecoveryBackend = "fs"; RecoveryRoot = "{state}"; RecoveryDir = "recovery"; }}
LOG {{ Default_Log_Level = EVENT; }}
EXPORT {{
    Export_Id = 1; Path = "{folder}"; Pseudo = "/share"; Filesystem_Id = 77.1;
    Protocols = {versions}; Transports = TCP; Access_Type = {access}; Squash = No_Root_Squash; SecType = sys;
    FSAL {{ Name = VFS; }}
}}
"""


# Version 3 finds its ports by rpcbind, whose socket has a fixed place: both get a /run of their own.
WITH_RPCBIND = """mount -t tmpfs run /run; rpcbind -f &
until [ -S /run/rpcbind.sock ]; do sleep 0.05; done; exec "$@\""""


class Ganesha:
    """Exports `folder` as /share. With "3, 4" in `versions` an rpcbind stands beside it."""

    def __init__(self, workspace, hosts, folder, access="RW", tracer=(), versions="4"):
        self.hosts, self.versions = hosts, versions
        self.state = workspace.path("ganesha")
        workspace.path("ganesha", "recovery")
        self.config = self.state / "ganesha.conf"
        self.config.write_text(CONFIG.format(
            address=NAS_ADDRESS, state=self.state, folder=folder, access=access, versions=versions))
        #: A command that runs the server, strace for one.
        self.tracer = tracer
        self.process = None
        workspace.later.callback(self.kill)
        self.start()

    def start(self):
        ganesha = shutil.which("ganesha.nfsd") or "/usr/bin/ganesha.nfsd"
        argv = [*self.tracer, ganesha, "-F", "-f", self.config, "-L", self.state / "ganesha.log",
                "-p", self.state / "ganesha.pid"]
        if "3" in self.versions:
            argv = ["sh", "-c", WITH_RPCBIND, "sh", *argv]
        self.process = start_daemon(self.hosts.on_nas(*argv), self.state / "ganesha.out")
        wait_for(self._answers, 20, "ganesha to answer", every=0.1)

    def _answers(self):
        if self.process.poll() is not None:
            raise LabError(f"ganesha ended: {(self.state / 'ganesha.log').read_text()[-800:]}")
        listening = call(*self.hosts.on_nas("ss", "-Hltn", "sport", "=", ":2049"))
        return ":2049" in listening

    def kill(self):
        if self.process is not None:
            end_session(self.process)
            self.process = None
