"""The scene of most scenarios: wire, disk, server, guest and a mount, as the scenario's data say."""

from .ganesha import Ganesha
from .guest import Guest
from .network import Wire
from .samba import Samba


class Stage:
    """What a scenario's data may say here:

    protocol   "cifs" or "nfs"
    mbit       rate of the wire each way; absent: not shaped
    disk       size of the server's disk for tmpfs ("64m"); absent: ample
    share      the SMB share's name; absent: "share"
    mount      name of the mount point; absent: "mnt"
    options    mount options to add
    read_only  true: the server lets nobody write
    smb        extra smb.conf lines for the share
    """

    def __init__(self, workspace, data, tracer=(), disk_name="disk"):
        self.workspace, self.data, self.protocol = workspace, data, data["protocol"]
        self.wire = Wire(workspace, data.get("mbit"))
        self.disk = workspace.tmpfs(disk_name, data.get("disk", "6g"))
        if self.protocol == "cifs":
            extra = dict(data.get("smb", {}))
            if data.get("read_only"):
                extra["read only"] = "yes"
            self.server = Samba(workspace, self.wire, {data.get("share", "share"): (self.disk, extra)}, tracer=tracer)
        else:
            access = "RO" if data.get("read_only") else "RW"
            self.server = Ganesha(workspace, self.wire, self.disk, access, tracer=tracer)
        self.guest = Guest(workspace, self.wire)
        self.point = self.mount(data.get("mount", "mnt"), data.get("options", ""))

    def mount(self, at, options=""):
        if self.protocol == "cifs":
            return self.guest.mount_cifs(self.data.get("share", "share"), at, options)
        return self.guest.mount_nfs(at, options)
