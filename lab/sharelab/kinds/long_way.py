"""The lab's own proof: the long way between the hosts takes the time and carries the rate that it should, by plain tools."""

import json
import os
import time

from ..host import call, end_session, start_daemon, wait_for
from ..network import Hosts, Wire
from ..workspace import Workspace
from .latency import round_trip


def run(data, checks):
    true = data["true"]
    with Workspace() as workspace:
        hosts = Hosts(workspace)
        wire = Wire(hosts, data["mbit"], delay_ms=data["delay_ms"])
        trip = round_trip(wire)
        checks.true("round trip, by ping", abs(trip * 1e3 - true["round_trip_ms"]) < 0.5, f"{trip * 1e3:.2f} ms",
                    f"{true['round_trip_ms']} +- 0.5 ms")
        server = start_daemon(hosts.on_nas("iperf3", "-s"), workspace.folder / "iperf3.log")
        workspace.later.callback(end_session, server)
        wait_for(lambda: ":5201" in call(*hosts.on_nas("ss", "-Hltn")), 5, "iperf3 to answer")
        for name, way in (("to the NAS", []), ("from the NAS", ["-R"])):
            used, began = user_seconds(wire.delayer.pid), time.monotonic()
            found = json.loads(call(*hosts.on_pc("iperf3", "-c", wire.nas_address, "-t", "4", "-O", "1", "-J", *way)))
            rate = found["end"]["sum_received"]["bits_per_second"] / 8
            payload = data["mbit"] * 1e6 / 8 * 1448 / 1514
            checks.near(f"{name}: rate, by iperf3", payload, rate, true["tolerance"])
            # The kernel's part, the same for any packet on a wire, is not counted.
            share = (user_seconds(wire.delayer.pid) - used) / (time.monotonic() - began)
            checks.within(f"{name}: the delay's own share of a core", true["cpu_percent"], share * 100, "%")


def user_seconds(pid):
    with open(f"/proc/{pid}/stat") as stat:
        return int(stat.read().rsplit(")", 1)[1].split()[11]) / os.sysconf("SC_CLK_TCK")
