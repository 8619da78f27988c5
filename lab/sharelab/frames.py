"""A look at SMB messages on the NAS's interface: which reads and writes are signed, and whether they are encrypted.

Run as a program in a namespace, `frames.py INTERFACE`: looks until its standard input is closed, then prints its counts as
one JSON object. Only the beginnings of messages are read ([MS-SMB2] 2.2.1.2 and 2.2.41).
"""

import json
import select
import socket
import subprocess
import sys

PLAIN, SEALED = b"\xfeSMB\x40\x00", b"\xfdSMB"
NAMES = {8: "read", 9: "write"}
SIGNED = 0x8
STATUS_PENDING = 0x103
ALL_PROTOCOLS = 3
SO_RCVBUFFORCE = 33


class Frames:
    """A context manager that looks at a wire from entry to exit; `counts` are there afterwards."""

    def __init__(self, wire):
        self._argv = wire.hosts.on_nas(sys.executable, __file__, wire.nas_end)

    def __enter__(self):
        self._process = subprocess.Popen(self._argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._process.stdout.readline()
        return self

    def __exit__(self, *error):
        self.counts = json.loads(self._process.communicate(timeout=10)[0])

    def signed(self):
        """"signed" or "not signed" when all reads and writes were, "encrypted" when there was none in the clear."""
        signed, unsigned = (sum(self.counts[f"{kind} {way}"] for kind in NAMES.values()) for way in ("signed", "unsigned"))
        if signed and unsigned:
            return "mixed"
        if signed or unsigned:
            return "signed" if signed else "not signed"
        return "encrypted" if self.counts["sealed"] else "nothing seen"


def look(interface):
    counts = {f"{kind} {way}": 0 for kind in NAMES.values() for way in ("signed", "unsigned")} | {"sealed": 0}
    wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL_PROTOCOLS))
    wire.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 32 << 20)
    wire.bind((interface, 0))
    print("ready", flush=True)
    while True:
        ready, _, _ = select.select([wire, sys.stdin], [], [])
        if wire not in ready:
            return counts
        frame = wire.recv(2048)
        if SEALED in frame:
            counts["sealed"] += 1
        at = frame.find(PLAIN)
        while at >= 0 and len(frame) >= at + 20:
            kind = NAMES.get(int.from_bytes(frame[at + 12:at + 14], "little"))
            # "Wait, it takes a while" comes without a signature (3.3.4.2).
            pending = int.from_bytes(frame[at + 8:at + 12], "little") == STATUS_PENDING
            if kind and not pending:
                way = "signed" if int.from_bytes(frame[at + 16:at + 20], "little") & SIGNED else "unsigned"
                counts[f"{kind} {way}"] += 1
            at = frame.find(PLAIN, at + 1)


if __name__ == "__main__":
    print(json.dumps(look(sys.argv[1])))
