"""Two hosts and a wire between them.

    namespace nas                    namespace pc
    wire0 10.77.0.1  ==== veth ====  wire1 -- bridge0 -- tap0 -- the guest's vec0 10.77.0.2

A qdisc shapes only what its interface sends, so the wire has one at each end: wire0 shapes what the NAS sends (reads),
wire1 what the PC sends (writes).
"""

from .host import call, start_daemon, end_session
from .workspace import remove_namespace

NAS_ADDRESS = "10.77.0.1"
PC_ADDRESS = "10.77.0.2"


class Wire:
    """`mbit` is the rate of each direction, or None for no shaping."""

    def __init__(self, workspace, mbit=None):
        self.workspace = workspace
        self.nas = f"{workspace.tag}-nas"
        self.pc = f"{workspace.tag}-pc"
        for name in (self.nas, self.pc):
            call("ip", "netns", "add", name)
            workspace.later.callback(remove_namespace, name)
            call("ip", "-n", name, "link", "set", "lo", "up")

        call("ip", "-n", self.nas, "link", "add", "name", "wire0", "type", "veth",
             "peer", "name", "wire1", "netns", self.pc)
        call("ip", "-n", self.pc, "link", "add", "name", "bridge0", "type", "bridge")
        call("ip", "-n", self.pc, "tuntap", "add", "dev", "tap0", "mode", "tap")
        # The guest shares its cores with others and may look away for 50 ms; packets lost there were already counted on the
        # wire and would be counted again when they are sent again.
        call("ip", "-n", self.pc, "link", "set", "tap0", "txqueuelen", "20000")
        for interface in ("wire1", "tap0"):
            call("ip", "-n", self.pc, "link", "set", interface, "master", "bridge0")
        call("ip", "-n", self.nas, "address", "add", f"{NAS_ADDRESS}/24", "dev", "wire0")
        call("ip", "-n", self.nas, "link", "set", "wire0", "up")
        for interface in ("wire1", "tap0", "bridge0"):
            call("ip", "-n", self.pc, "link", "set", interface, "up")
        # One counted packet must be one packet of the wire, or the headers cannot be subtracted.
        for namespace, interface in ((self.nas, "wire0"), (self.pc, "wire1")):
            call("ip", "netns", "exec", namespace, "ethtool", "-K", interface,
                 "tso", "off", "gso", "off", "gro", "off")
        if mbit:
            self.shape(mbit)
        # /proc/PID/net/dev of a process in the namespace shows its counters without entering it.
        self._holder = start_daemon(self.inside(self.nas, "sleep", "infinity"), workspace.folder / "holder.log")
        workspace.later.callback(end_session, self._holder)

    def shape(self, mbit):
        """Sets the rate of both directions. The burst is small against a phase, yet enough for one timer tick."""
        burst = max(16, mbit // 8)
        for namespace, interface in ((self.nas, "wire0"), (self.pc, "wire1")):
            call("ip", "netns", "exec", namespace, "tc", "qdisc", "replace", "dev", interface, "root",
                 "tbf", "rate", f"{mbit}mbit", "burst", f"{burst}kb", "latency", "20ms")

    def inside(self, namespace, *argv):
        """The command line that runs `argv` in one of the two hosts."""
        return ["ip", "netns", "exec", namespace, *argv]

    @property
    def counters(self):
        """The file with the NAS interface's counters."""
        return f"/proc/{self._holder.pid}/net/dev"

    def cut(self):
        """The NAS vanishes without a word: no packet comes or goes, and nobody is told."""
        call("ip", "-n", self.nas, "link", "set", "wire0", "down")

    def mend(self):
        call("ip", "-n", self.nas, "link", "set", "wire0", "up")
