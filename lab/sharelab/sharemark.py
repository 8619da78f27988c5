"""Running the program under test inside the guest, and reading its report."""

import datetime
import itertools
import json

from .host import LabError

WRITE, READ = "seq-write", "seq-read"
DEFAULTS = {"runs": 1, "time": "10s", "pause": "0s", "settle": "0s", "size": "256MiB", "block": "8MiB", "depth": 1,
            "durability": "write-through", "stall": "30s", "lang": "en", "history": "none"}
_numbers = itertools.count(1)


def environment(stage):
    return {"SHAREMARK_DATA_DIR": str(stage.guest.folder / "sharemark-data"), "NO_COLOR": "1", "LANG": "C.UTF-8"}


def command(stage, *arguments, timeout=30):
    """A short command of the program: `clean`, `schema`, or none at all. Returns the guest's Job, ended or not."""
    job = stage.guest.start(_binary(stage), *arguments, env=environment(stage))
    job.in_time = job.wait(timeout)
    return job


def _binary(stage):
    if stage.workspace.binary is None:
        raise LabError("no sharemark binary: cargo build --release, or set SHAREMARK_BIN")
    return stage.workspace.binary


class Run:
    """`sharemark run` on one folder. `options` are its flags without the dashes."""

    def __init__(self, stage, options=None, target=None):
        self.stage = stage
        self.target = target or stage.point
        self.json_file = stage.guest.folder / f"report-{next(_numbers)}.json"
        flags = {**DEFAULTS, **(options or {}), "json": self.json_file}
        argv = [_binary(stage), "run", self.target]
        for name, value in flags.items():
            argv += [f"--{name}", value]
        self.job = stage.guest.start(*argv, env=environment(stage))

    def finish(self, timeout):
        """Waits for the end; a run that does not end is a failure of the program, and the caller's check."""
        self.job.wait(timeout)
        return self

    @property
    def code(self):
        return self.job.code

    @property
    def text(self):
        return self.job.stdout + "\n" + self.job.stderr

    def report(self):
        """The JSON document, or None with the reason in `self.why_no_report`."""
        self.why_no_report = ""
        got = self.stage.guest.run("cat", self.json_file, check=False)
        try:
            return json.loads(got.stdout)
        except ValueError as error:
            self.why_no_report = got.stderr.strip() or str(error)
            return None


def headline_seconds(sample):
    """The time a sample's rate is made of, by the definition in the report's own words."""
    parts = ["transfer_ns"]
    if sample["workload"] == WRITE:
        parts += ["flush_ns", "close_ns"]
    return sum(sample.get(part) or 0 for part in parts) / 1e9


def started(sample):
    """A sample's start as seconds of time.time()."""
    text = sample["started"].replace("Z", "+00:00")
    # Python 3.11 reads at most microseconds.
    if "." in text:
        whole, rest = text.split(".", 1)
        digits = rest[: len(rest) - len(rest.lstrip("0123456789"))]
        text = f"{whole}.{digits[:6].ljust(6, '0')}{rest[len(digits):]}"
    return datetime.datetime.fromisoformat(text).timestamp()


def good(sample):
    return not sample.get("partial") and not sample.get("error")


def says_cached(sample):
    """The sample itself says that a cache of this machine could not be ruled out for this read."""
    return (sample.get("cache") or {}).get("ruled_out") is False
