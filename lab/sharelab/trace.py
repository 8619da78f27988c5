"""What a server was asked to put on disk, read from strace."""

import re
from collections import defaultdict
from dataclasses import dataclass, field

CALLS = "openat,pwrite64,pwritev,pwritev2,fsync,fdatasync"
LINE = re.compile(r"^(\d+\.\d+) (\w+)\((.*)\) += (-?\d+)(?:<(.*)>)?$")
#: -y shows the file behind a descriptor: 28</disk/share/file>, with (deleted) after it once it is.
TARGET = re.compile(r"^\d+<([^>]*)>")


def tracer(prefix):
    """The command that runs a server under strace; a file a thread, so that no call is split over two lines."""
    return ["strace", "-ff", "-ttt", "-y", "-s", "0", "-e", f"trace={CALLS}", "-o", str(prefix)]


@dataclass
class Written:
    """One file, as the server saw it."""

    opened_sync: bool = False
    #: (time, bytes) of each write
    writes: list = field(default_factory=list)
    #: times of fsync and fdatasync
    syncs: list = field(default_factory=list)

    @property
    def bytes(self):
        return sum(size for _, size in self.writes)

    def until(self, end):
        """The same file as it was seen up to a time of time.time()."""
        return Written(self.opened_sync, [w for w in self.writes if w[0] <= end], [t for t in self.syncs if t <= end])

    @property
    def synced_after_last_write(self):
        return bool(self.writes and self.syncs and max(self.syncs) >= max(time for time, _ in self.writes))

    @property
    def syncs_among_writes(self):
        """Syncs that came before the last write: the client waited for the disk on the way."""
        last = max((time for time, _ in self.writes), default=0)
        return sum(1 for time in self.syncs if time < last)


def read(prefix):
    """All files that were written to, by path."""
    files = defaultdict(Written)
    for path in prefix.parent.glob(prefix.name + ".*"):
        for line in path.read_text(errors="replace").splitlines():
            # Emptied under a running strace, a file starts with a hole.
            found = LINE.match(line.lstrip("\0"))
            if not found:
                continue
            when, call, arguments, result, shown = found.groups()
            if call == "openat":
                if int(result) >= 0 and shown and "O_SYNC" in arguments:
                    files[shown].opened_sync = True
                continue
            target = TARGET.match(arguments)
            if not target or int(result) < 0:
                continue
            if call.startswith("pwrite"):
                files[target[1]].writes.append((float(when), int(result)))
            else:
                files[target[1]].syncs.append(float(when))
    return {path: written for path, written in files.items() if written.writes}


def largest(prefix, marker):
    """The most written file whose path has `marker` in it, or None."""
    files = [written for path, written in read(prefix).items() if marker in path]
    return max(files, key=lambda written: written.bytes, default=None)
