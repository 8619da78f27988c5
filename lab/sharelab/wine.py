"""A PC with Windows, as far as Wine is one: the Windows program runs for real, on Wine's kernel and Wine's network."""

import contextlib
import os
import shutil
from pathlib import Path, PurePath

from .host import LabError, call
from .pc import Pc
from .workspace import find_windows_binary

#: An installed Windows that every scenario starts from, made by lab/setup.
INSTALLED = Path("/var/lib/sharemark-lab/windows")
LOADER, SERVER = "/usr/lib/wine/wine64", "/usr/lib/wine/wineserver64"


class Windows(Pc):
    def __init__(self, workspace, hosts):
        super().__init__(workspace, hosts)
        found = find_windows_binary()
        if found is None:
            raise LabError("no sharemark.exe: packaging/build x86_64-pc-windows-gnu, or set SHAREMARK_WINDOWS_BIN")
        if not INSTALLED.is_dir():
            raise LabError(f"{INSTALLED} is missing: run lab/setup first")
        self.binary = Path(shutil.copy(found, workspace.folder / "sharemark.exe"))
        #: Its C: and its registry, which no other scenario sees.
        self.prefix = workspace.overlay(INSTALLED, "windows")
        workspace.later.callback(call, SERVER, "-k", check=False, env=self._environment)
        # The system stays up between two commands; by itself it would end with each, and take three seconds to come up again.
        # What it starts meanwhile keeps the output of whoever starts it.
        self.shell(f"exec >/dev/null 2>&1; {SERVER} --persistent; {LOADER} cmd /c exit", timeout=60, env=self._environment)

    @property
    def _environment(self):
        return {"PATH": os.environ["PATH"], "HOME": self.home, "WINEPREFIX": self.prefix, "WINEDEBUG": "-all"}

    @property
    def program(self):
        return [self.binary]

    @staticmethod
    def path(value):
        """Wine gives the host's root folder a letter."""
        return "Z:" + str(value).replace("/", "\\") if isinstance(value, PurePath) else str(value)

    def start(self, *argv, env=None):
        """A command that is the program, or one of Windows' own (`reg.exe`), runs on Windows; any other on the host."""
        if str(argv[0]).endswith(".exe"):
            argv = [LOADER, *map(self.path, argv)]
            env = {**self._environment, **{name: self.path(value) for name, value in (env or {}).items()}}
        return super().start(*argv, env=env)

    # Wine's processes are nobody's children, and all of them run the loader: what they are is in their command lines.
    def worker_of(self, pid):
        return [number for number, words in self._processes() if words[1:2] == ["worker"]]

    def still_running(self):
        return " ".join(number for number, _ in self._processes())

    def _processes(self):
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                words = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
                if words[0] == self.path(self.binary):
                    yield folder.name, words
