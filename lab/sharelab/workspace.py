"""One lab run's belongings: a folder, a name that no other run has, and the list of what must be undone."""

import contextlib
import os
import re
import shutil
import signal
import tempfile
from pathlib import Path

from .host import LabError, call

LAB = Path(__file__).resolve().parent.parent
PREFIX = "smlab"
#: Files that `ip netns exec` puts in place of those in /etc, a folder a namespace.
ETC = Path("/etc/netns")


def find_binary():
    """The program under test: SHAREMARK_BIN, or what `cargo build --release` made."""
    if os.environ.get("SHAREMARK_BIN"):
        path = Path(os.environ["SHAREMARK_BIN"])
    else:
        target = Path(os.environ.get("CARGO_TARGET_DIR") or LAB.parent / "target")
        path = target / "release" / "sharemark"
    return path.resolve() if path.is_file() and os.access(path, os.X_OK) else None


def find_windows_binary():
    """The program for Windows: SHAREMARK_WINDOWS_BIN, or what packaging/build made."""
    target = Path(os.environ.get("CARGO_TARGET_DIR") or LAB.parent / "target")
    built = target / "x86_64-pc-windows-gnu" / "release" / "sharemark.exe"
    path = Path(os.environ.get("SHAREMARK_WINDOWS_BIN") or built)
    return path.resolve() if path.is_file() else None


class Workspace:
    """A context manager; everything registered with `later` is undone in reverse order at its end."""

    def __init__(self):
        self.later = contextlib.ExitStack()

    def __enter__(self):
        # The names of namespaces carry our process id: a later run can tell ours from one that died.
        self.tag = f"{PREFIX}{os.getpid()}"
        # No word of the scenario in the path: checks look for words in messages, and messages show paths.
        self.folder = Path(tempfile.mkdtemp(prefix=f"{self.tag}-", dir="/tmp"))
        # The servers drop to other users on the way to the shares.
        self.folder.chmod(0o755)
        self.later.callback(shutil.rmtree, self.folder, ignore_errors=True)
        self.binary = self._copy_binary()
        return self

    def __exit__(self, *error):
        # A second Ctrl-C must not stop the clean-up half way.
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            return self.later.__exit__(*error)
        finally:
            signal.signal(signal.SIGINT, before)

    def _copy_binary(self):
        """A copy, so that a build that ends in mid-scenario cannot swap the program under a running guest."""
        found = find_binary()
        if found is None:
            return None
        copy = self.folder / "sharemark"
        shutil.copy2(found, copy)
        return copy

    def path(self, *parts):
        """A folder inside the workspace, made when it is not there."""
        folder = self.folder.joinpath(*parts)
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def tmpfs(self, name, size="6g", mode="0777"):
        """Memory as a disk: its speed is no limit at these rates, and a small size gives a full disk.

        The size is a limit; memory is taken only for what is written. A size of 0 is no limit, and then the disk says that
        it has 0 bytes in all.
        """
        folder = self.path(name)
        call("mount", "-t", "tmpfs", "-o", f"size={size},mode={mode}", "sharemark-lab", folder)
        self.later.callback(call, "umount", "-l", folder, check=False)
        return folder

    def overlay(self, below, name):
        """A folder that begins as another one and keeps its changes to itself."""
        folder, upper, work = (self.path(name + part) for part in ("", "-changes", "-work"))
        call("mount", "-t", "overlay", "-o", f"lowerdir={below},upperdir={upper},workdir={work}", "sharemark-lab", folder)
        self.later.callback(call, "umount", "-l", folder, check=False)
        return folder


def remove_stale():
    """Removes what a run that was killed outright (SIGKILL, a crash) could not."""
    for line in call("ip", "netns", "list").splitlines():
        name = line.split()[0]
        owner = re.match(rf"{PREFIX}(\d+)-", name)
        if owner and not Path("/proc", owner[1]).exists():
            remove_namespace(name)
    for folder in ETC.glob(f"{PREFIX}*-*"):
        owner = re.match(rf"{PREFIX}(\d+)-", folder.name)
        if owner and not Path("/proc", owner[1]).exists():
            remove_etc(folder)
    for folder in Path("/tmp").glob(f"{PREFIX}*-*"):
        owner = re.match(rf"{PREFIX}(\d+)-", folder.name)
        if owner and not Path("/proc", owner[1]).exists():
            for mount in mounts_below(folder):
                call("umount", "-l", mount, check=False)
            shutil.rmtree(folder, ignore_errors=True)


def mounts_below(folder):
    """Mount points inside `folder`, the deepest first."""
    points = [line.split()[1] for line in Path("/proc/mounts").read_text().splitlines()]
    return sorted((p for p in points if p.startswith(f"{folder}/")), reverse=True)


def remove_namespace(name):
    """Ends every process in a namespace of ours, then the namespace."""
    pids = call("ip", "netns", "pids", name, check=False).split()
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)
    call("ip", "netns", "del", name, check=False)


def remove_etc(folder):
    """Removes a namespace's own files, and the place for such files when it was the last."""
    shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError):
        ETC.rmdir()


def require_ready():
    if os.geteuid() != 0:
        raise LabError("the lab makes network namespaces and mounts: run it as root")
    if shutil.which("linux.uml") is None:
        raise LabError("linux.uml is missing: run lab/setup first")
