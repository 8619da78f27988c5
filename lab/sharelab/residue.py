"""Files of the user that must stay as they are, and the proof that they did."""

import hashlib
import os
from pathlib import Path

# Names near to ours: a clean-up that goes by names instead of by its manifest would take them.
BYSTANDERS = {
    "letter to grandma.txt": b"Dear grandma,\n",
    "sharemark-holiday/beach.jpg": os.urandom(70_000),
    "sharemark.txt": b"my notes about sharemark\n",
    "sharemark-0123456789/sharemark-write-1.dat": b"a file of mine with an unlucky name\n",
}
LONG_AGO = 1_500_000_000_123_456_700


def plant(folder):
    """Puts the user's files into a share, from the server's side, with an old time."""
    for name, content in BYSTANDERS.items():
        path = Path(folder, name)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o666)
        path.parent.chmod(0o777)
        os.utime(path, ns=(LONG_AGO, LONG_AGO))


def snapshot(folder):
    """Every file and folder below `folder`: a file with its size, time and content."""
    found = {}
    for path in sorted(Path(folder).rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_dir():
            found[name] = "folder"
        else:
            state = path.stat()
            found[name] = (state.st_size, state.st_mtime_ns, hashlib.sha256(path.read_bytes()).hexdigest())
    return found


def differences(before, after):
    """What was added, changed or lost, in words; empty when nothing was."""
    words = [f"added {name}" for name in after if name not in before]
    words += [f"lost {name}" for name in before if name not in after]
    words += [f"changed {name}" for name in before if name in after and before[name] != after[name]]
    return ", ".join(words)


def check_unchanged(checks, what, before, folder):
    words = differences(before, snapshot(folder))
    checks.true(what, not words, words or "unchanged", "unchanged")
