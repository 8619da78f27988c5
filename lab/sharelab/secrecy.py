"""Nothing that must stay secret may be found where others look: what is printed, what is kept, the list of processes."""

import base64
import threading
import urllib.parse
from pathlib import Path

from . import people


def spellings(secret):
    """A secret as it is, and as protocols write it."""
    basic = base64.b64encode(f"{people.USER}:{secret}".encode()).decode()
    return {secret, urllib.parse.quote(secret), base64.b64encode(secret.encode()).decode(), basic,
            secret.encode("utf-16-le").decode("latin-1")}


class Watch:
    """A context manager that keeps reading the command lines of all processes, `but` those with that word in them."""

    def __init__(self, secrets, but=None):
        self._secrets, self._but = [s for secret in secrets for s in spellings(secret)], but
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._loop, daemon=True)
        self.rounds = 0
        #: Where a secret was found.
        self.found = set()

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *error):
        self._stop.set()
        self._thread.join()

    def _loop(self):
        while not self._stop.wait(0.02):
            for path in Path("/proc").glob("[0-9]*/cmdline"):
                try:
                    text = path.read_bytes().decode("latin-1")
                except OSError:
                    continue  # it has ended
                words = text.split("\0")
                if self._in(text) and self._but not in words:
                    self.found.add(f"the command line of {words[0]}")
            self.rounds += 1

    def _in(self, text):
        return any(secret in text for secret in self._secrets)

    def look(self, where, text):
        if self._in(text):
            self.found.add(where)

    def look_below(self, folder):
        """Every file of a folder, as bytes: a database is one as well."""
        for path in Path(folder).rglob("*"):
            if path.is_file():
                self.look(str(path.relative_to(folder)), path.read_bytes().decode("latin-1"))
