"""The scene of most scenarios: wire, disk, server, and a PC with a mount or with an address, as the scenario's data say."""

from . import people
from .apache import Apache
from .ganesha import Ganesha
from .guest import Guest
from .network import NAS_ADDRESS, Hosts, Wire
from .pc import Pc
from .samba import Samba
from .sshd import Sshd
from .wine import Windows

#: The protocols that a kernel speaks, in a guest.
MOUNTED = {"cifs", "nfs"}


def pc(workspace, hosts, system=None):
    """The PC that needs no guest, with the system that a scenario asks for."""
    return Windows(workspace, hosts) if system == "windows" else Pc(workspace, hosts)


class Stage:
    """What a scenario's data may say here:

    protocol   "cifs" or "nfs": the guest's kernel mounts the share;
               "smb", "nfs3", "nfs4", "sftp", "webdav", "webdavs": the program speaks it itself
    mbit       rate of the wire each way; absent: not shaped
    delay_ms   how long each frame is under way, each way; absent: not at all. Not for a guest
    disk       size of the server's disk for tmpfs ("64m"); absent: ample
    share      the SMB share's name; absent: "share"
    mount      name of the mount point; absent: "mnt"
    options    mount options to add
    read_only  true: the server lets nobody write
    smb        extra smb.conf lines for the share
    samba      extra smb.conf lines for the server
    user       true: log in as people.USER where guests are welcome too
    system     "windows": the PC that speaks a protocol itself is one with Windows; absent: the host's own Linux
    """

    def __init__(self, workspace, data, tracer=(), disk_name="disk"):
        self.workspace, self.data, self.protocol = workspace, data, data["protocol"]
        self.mounted = self.protocol in MOUNTED
        self.hosts = Hosts(workspace)
        self.wire = Wire(self.hosts, data.get("mbit"), guest=self.mounted, delay_ms=data.get("delay_ms", 0))
        self.disk = workspace.tmpfs(disk_name, data.get("disk", "6g"))
        #: Flags and environment that the program needs to reach the share.
        self.flags, self.environment = {}, {}
        self.server = self._serve(tracer)
        self.client = Guest(workspace, self.hosts) if self.mounted else pc(workspace, self.hosts, data.get("system"))
        if self.mounted:
            self.point = self.mount(data.get("mount", "mnt"), data.get("options", ""))
        else:
            self.point = self._address()

    def _serve(self, tracer):
        workspace, hosts, data = self.workspace, self.hosts, self.data
        if self.protocol in ("cifs", "smb"):
            extra = dict(data.get("smb", {}))
            if data.get("read_only"):
                extra["read only"] = "yes"
            return Samba(workspace, hosts, {self.share: (self.disk, extra)}, tracer, data.get("samba"))
        if self.protocol in ("nfs", "nfs3", "nfs4"):
            access = "RO" if data.get("read_only") else "RW"
            versions = "3, 4" if self.protocol == "nfs3" else "4"
            return Ganesha(workspace, hosts, self.disk, access, tracer, versions)
        if data.get("read_only"):
            self.disk.chmod(0o555)
        if self.protocol == "sftp":
            return Sshd(workspace, hosts, tracer)
        return Apache(workspace, hosts, self.disk, tracer)

    @property
    def share(self):
        return self.data.get("share", "share")

    def _address(self):
        """The share's URL; notes what else the program has to be told."""
        user = ""
        if self.protocol == "sftp":
            self.flags |= {"known-hosts": self.server.known_hosts, "key": self.server.client_key}
        elif self.protocol.startswith("webdav") or self.data.get("user"):
            self.environment["SHAREMARK_PASSWORD"] = people.PASSWORD
        if self.protocol in ("sftp", "webdav", "webdavs") or self.data.get("user"):
            user = f"{people.USER}@"
        if self.protocol == "webdavs":
            self.flags["ca-file"] = self.server.authority
        return self.url(user=user)

    def url(self, user="", host=NAS_ADDRESS, share=None):
        """The share's URL, or one that is wrong in a part of it."""
        if self.protocol == "smb":
            return f"smb://{user}{host}/{share or self.share}"
        if self.protocol in ("nfs3", "nfs4"):
            return f"nfs://{user}{host}/{share or 'share'}?version={'3' if self.protocol == 'nfs3' else '4.1'}"
        if self.protocol == "sftp":
            return f"sftp://{user}{host}/{share or str(self.disk).lstrip('/')}"
        return f"{self.protocol}://{user}{host}/{share or 'share'}"

    def mount(self, at, options=""):
        if self.protocol == "cifs":
            return self.client.mount_cifs(self.share, at, options)
        return self.client.mount_nfs(at, options)
