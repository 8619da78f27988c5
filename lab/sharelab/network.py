"""Two hosts and the wires between them.

    namespace nas                    namespace pc
    nas0 10.77.0.1  ==== veth ====  pc0 10.77.0.2                                a PC with the host's own kernel
    nas0 10.77.0.1  ==== veth ====  pc0 -- bridge0 -- tap0 -- vec0 10.77.0.2     a guest with a kernel of its own
    nas0 10.77.0.1  ==== veth ====  pc0 -- bridge0 -- far0 -- delay -- near0 10.77.0.2          a long way

A second wire is nas1 and pc1, 10.77.1.1 and 10.77.1.2. A qdisc shapes only what its interface sends, so a wire has one
at each end: nas0 shapes what the NAS sends (reads), pc0 what the PC sends (writes).
"""

import contextlib
import shutil
from pathlib import Path

from .host import call, end_session, start_daemon, wait_for
from .workspace import ETC, LAB, remove_etc, remove_namespace

NAS_ADDRESS = "10.77.0.1"
PC_ADDRESS = "10.77.0.2"
#: The name of the NAS in the PC's /etc/hosts.
NAS_NAME = "nas.lab"


class Hosts:
    """The two hosts. Each may have files of its own in place of the host's in /etc, as `ip netns exec` does it."""

    def __init__(self, workspace):
        self.workspace = workspace
        self.nas = f"{workspace.tag}-nas"
        self.pc = f"{workspace.tag}-pc"
        #: The addresses of the NAS, one a wire.
        self.nas_addresses = []
        for name in (self.nas, self.pc):
            call("ip", "netns", "add", name)
            workspace.later.callback(remove_namespace, name)
            call("ip", "-n", name, "link", "set", "lo", "up")
            # One rule of congestion control, whatever the machine's own is: a truth should not hang on it. Of the usual
            # ones this is what every kernel allows in a namespace.
            call("ip", "netns", "exec", name, "sysctl", "-qw", "net.ipv4.tcp_congestion_control=reno")
        self.etc(self.pc, "hosts", f"127.0.0.1 localhost\n{NAS_ADDRESS} {NAS_NAME}\n")
        # A name server that says no at once; the machine's own cannot be reached from here.
        self.etc(self.pc, "resolv.conf", f"nameserver {NAS_ADDRESS}\noptions timeout:1 attempts:1\n")
        # /proc/PID/net/dev of a process in the namespace shows its counters without entering it.
        self._holder = start_daemon(self.on_nas("sleep", "infinity"), workspace.folder / "holder.log")
        workspace.later.callback(end_session, self._holder)

    def on_nas(self, *argv):
        """The command line that runs `argv` on the NAS."""
        return ["ip", "netns", "exec", self.nas, *argv]

    def on_pc(self, *argv):
        """The command line that runs `argv` on the PC."""
        return ["ip", "netns", "exec", self.pc, *argv]

    def etc(self, namespace, name, text):
        """Gives a host a file of its own in /etc; seen by what is started from then on."""
        folder = ETC / namespace
        if not folder.exists():
            folder.mkdir(parents=True)
            self.workspace.later.callback(remove_etc, folder)
        path = folder / name
        path.write_text(text)
        with contextlib.suppress(FileNotFoundError):
            shutil.copymode(Path("/etc", name), path)

    @property
    def counters(self):
        """The file with the counters of the NAS's interfaces."""
        return f"/proc/{self._holder.pid}/net/dev"


class Wire:
    """`mbit` is the rate of each direction, or None for no shaping; `guest` leaves the PC's end to a guest's kernel;
    `delay_ms` is how long each frame is under way, each way."""

    def __init__(self, hosts, mbit=None, number=0, guest=False, delay_ms=0):
        self.hosts, self.number = hosts, number
        self.nas_end, self.pc_end = f"nas{number}", f"pc{number}"
        self.nas_address, self.pc_address = f"10.77.{number}.1", f"10.77.{number}.2"
        hosts.nas_addresses.append(self.nas_address)
        call("ip", "-n", hosts.nas, "link", "add", "name", self.nas_end, "type", "veth",
             "peer", "name", self.pc_end, "netns", hosts.pc)
        call("ip", "-n", hosts.nas, "address", "add", f"{self.nas_address}/24", "dev", self.nas_end)
        call("ip", "-n", hosts.nas, "link", "set", self.nas_end, "up")
        call("ip", "-n", hosts.pc, "link", "set", self.pc_end, "up")
        # One counted packet must be one packet of the wire, or the headers cannot be subtracted.
        self._packets_of_the_wire(hosts.nas, self.nas_end)
        self._packets_of_the_wire(hosts.pc, self.pc_end)
        if guest:
            self._bridge("tap0")
        elif delay_ms:
            self._bridge("far0")
            self._tap("near0")
            self._packets_of_the_wire(hosts.pc, "near0")
            self._delay(delay_ms)
            self._address("near0")
        else:
            self._address(self.pc_end)
        if mbit:
            self.shape(mbit)

    def _packets_of_the_wire(self, namespace, interface):
        call("ip", "netns", "exec", namespace, "ethtool", "-K", interface, "tso", "off", "gso", "off", "gro", "off")

    def _tap(self, name):
        call("ip", "-n", self.hosts.pc, "tuntap", "add", "dev", name, "mode", "tap")
        # Who reads it shares its cores with others and may look away for 50 ms; packets lost there were already counted
        # on the wire and would be counted again when they are sent again.
        call("ip", "-n", self.hosts.pc, "link", "set", name, "txqueuelen", "20000", "up")

    def _bridge(self, tap):
        """Joins the wire's end and a tap."""
        self._tap(tap)
        call("ip", "-n", self.hosts.pc, "link", "add", "name", "bridge0", "type", "bridge")
        for interface in (self.pc_end, tap):
            call("ip", "-n", self.hosts.pc, "link", "set", interface, "master", "bridge0")
        call("ip", "-n", self.hosts.pc, "link", "set", "bridge0", "up")

    def _address(self, interface):
        call("ip", "-n", self.hosts.pc, "address", "add", f"{self.pc_address}/24", "dev", interface)

    def _delay(self, milliseconds):
        workspace = self.hosts.workspace
        program, log = workspace.folder / "delay", workspace.folder / "delay.log"
        call("gcc", "-O2", "-o", program, LAB / "delay/delay.c", timeout=60)
        #: The process that holds frames back, for a look at its CPU time.
        self.delayer = start_daemon(self.hosts.on_pc(program, "near0", "far0", int(milliseconds * 1000)), log)
        workspace.later.callback(end_session, self.delayer)
        wait_for(lambda: "ready" in log.read_text(), 5, f"the delay: {log.read_text()}")

    def shape(self, mbit):
        """Sets the rate of both directions. The burst is small against a phase, yet enough for one timer tick."""
        burst = max(16, mbit // 8)
        for namespace, interface in ((self.hosts.nas, self.nas_end), (self.hosts.pc, self.pc_end)):
            call("ip", "netns", "exec", namespace, "tc", "qdisc", "replace", "dev", interface, "root",
                 "tbf", "rate", f"{mbit}mbit", "burst", f"{burst}kb", "latency", "20ms")

    def cut(self):
        """The NAS vanishes without a word: no packet comes or goes, and nobody is told."""
        call("ip", "-n", self.hosts.nas, "link", "set", self.nas_end, "down")

    def mend(self):
        call("ip", "-n", self.hosts.nas, "link", "set", self.nas_end, "up")
