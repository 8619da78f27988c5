"""The truth, seen from the wire: the NAS interface's own counters, sampled by the host and cut into phases.

Nothing here comes from the program under test. What the NAS receives is a write, what it sends is a read. Headers are
subtracted packet by packet: Ethernet 14, IPv4 20, TCP 20, and its timestamps option 12 bytes. What SMB and NFS add is
below 0.03 % at requests of 1 MiB and more, and is left in.
"""

import threading
import time
from dataclasses import dataclass
from pathlib import Path

HEADERS = 14 + 20 + 20 + 12
INTERVAL = 0.02
# Requests and answers that carry no data stay below this in one interval; a phase at 10 Mbit/s is above it.
QUIET = 8192


@dataclass
class Phase:
    """A stretch of time in which data went one way. `start` and `end` are of time.time()."""

    direction: str
    start: float
    end: float
    payload: int
    #: (time, payload so far), from the start on
    course: list

    @property
    def seconds(self):
        return self.end - self.start

    @property
    def rate(self):
        """Payload bytes per second."""
        return self.payload / self.seconds if self.seconds > 0 else 0.0

    def rate_of_first(self, payload):
        """The rate until this much had passed: what came after it, for another purpose, does not count."""
        before = self.start, 0
        for point in self.course:
            if point[1] >= payload:
                part = (payload - before[1]) / (point[1] - before[1])
                return payload / (before[0] + part * (point[0] - before[0]) - self.start)
            before = point
        return self.rate


class Sampler:
    """A context manager that reads the counters from entry to exit."""

    def __init__(self, wire):
        self._file, self._interface = Path(wire.hosts.counters), f"{wire.nas_end}:"
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._loop, daemon=True)
        #: (time, payload received by the NAS, payload sent by the NAS), running totals
        self.points = []

    def __enter__(self):
        # The wall clock, because reports give wall times; noted against the steady one, so a step cannot bend a rate.
        self._base = time.time() - time.monotonic()
        self._read()
        self._thread.start()
        return self

    def __exit__(self, *error):
        self._stop.set()
        self._thread.join()
        self._read()

    def _loop(self):
        while not self._stop.wait(INTERVAL):
            self._read()

    def _read(self):
        try:
            text = self._file.read_text()
        except OSError:
            return  # the namespace is being removed
        now = self._base + time.monotonic()
        fields = text.split(self._interface)[1].split()
        received, packets_in, sent, packets_out = (int(fields[i]) for i in (0, 1, 8, 9))
        self.points.append((now, received - packets_in * HEADERS, sent - packets_out * HEADERS))

    def phases(self):
        """The phases so far, in order; the last may still be going on."""
        points = list(self.points)
        moved = {
            "write": [after[1] - before[1] for before, after in zip(points, points[1:])],
            "read": [after[2] - before[2] for before, after in zip(points, points[1:])],
        }
        # A phase is a run of intervals in which one direction leads: [direction, first interval, last interval].
        runs = []
        for number, (write, read) in enumerate(zip(moved["write"], moved["read"])):
            if max(write, read) < QUIET:
                continue
            direction = "write" if write >= read else "read"
            if not runs or runs[-1][0] != direction:
                runs.append([direction, number, number])
            runs[-1][2] = number
        return [self._phase(points, moved[direction], direction, first, last) for direction, first, last in runs]

    @staticmethod
    def _phase(points, moved, direction, first, last):
        # Where one phase follows another within an interval, that interval belongs to both.
        if first > 0 and moved[first - 1] >= QUIET:
            first -= 1
        if last + 1 < len(moved) and moved[last + 1] >= QUIET:
            last += 1
        busy = sorted(moved[i] / (points[i + 1][0] - points[i][0]) for i in range(first, last + 1) if moved[i] >= QUIET)
        usual = busy[len(busy) // 2]
        # The first and the last interval are rarely full; data flow at the usual rate while they flow.
        start = max(points[first][0], points[first + 1][0] - moved[first] / usual)
        end = min(points[last + 1][0], points[last][0] + moved[last] / usual)
        # A few bytes may stand alone in the quiet interval on either side.
        payload = sum(moved[max(0, first - 1):last + 2])
        course, total = [], 0
        for number in range(first, last + 1):
            total += moved[number]
            course.append((end if number == last else points[number + 1][0], total))
        return Phase(direction, start, end, payload, course)

    def moved(self, start=None, end=None):
        """Payload bytes (to the NAS, from the NAS) between two times, or over all."""
        inside = [p for p in self.points if (start is None or p[0] >= start) and (end is None or p[0] <= end)]
        if len(inside) < 2:
            return 0, 0
        return inside[-1][1] - inside[0][1], inside[-1][2] - inside[0][2]
