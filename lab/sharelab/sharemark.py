"""Running the program under test on the PC, and reading its report."""

import datetime
import itertools
import json

WRITE, READ = "seq-write", "seq-read"
DEFAULTS = {"runs": 1, "time": "10s", "pause": "0s", "settle": "0s", "size": "256MiB", "block": "8MiB", "depth": 1,
            "durability": "write-through", "stall": "30s", "lang": "en", "history": "none"}
# What the program itself takes for a protocol that it speaks: 8 MiB in flight, as requests of 1 MiB.
OWN_DEFAULTS = {**DEFAULTS, "block": "1MiB", "depth": 8}
_numbers = itertools.count(1)


def environment(stage):
    own = {"SHAREMARK_DATA_DIR": data_folder(stage), "SHAREMARK_CONFIG": stage.client.folder / "config",
           "NO_COLOR": "1", "LANG": "C.UTF-8"}
    return {**own, **stage.environment}


def data_folder(stage):
    """Where the program keeps its manifest and its history."""
    return stage.client.folder / "sharemark-data"


def command(stage, *arguments, timeout=30):
    """A short command of the program: `clean`, `schema`, or none at all. Returns the PC's Job, ended or not."""
    trust = _flags(stage.flags) if arguments[:1] == ("clean",) else []
    job = stage.client.start(*stage.client.program, *arguments, *trust, env=environment(stage))
    job.in_time = job.wait(timeout)
    return job


def _flags(options):
    return [word for name, value in options.items() if value is not None for word in (f"--{name}", value)]


class Run:
    """`sharemark run`, on the stage's share unless other targets are given. `options` are its flags without the dashes;
    one that is None is left away. `extra` is added to the environment."""

    def __init__(self, stage, options=None, *targets, extra=None):
        self.stage = stage
        self.json_file = stage.client.folder / f"report-{next(_numbers)}.json"
        defaults = DEFAULTS if stage.mounted else OWN_DEFAULTS
        flags = {**defaults, **stage.flags, **(options or {}), "json": self.json_file}
        argv = [*stage.client.program, "run", *(targets or [stage.point]), *_flags(flags)]
        self.job = stage.client.start(*argv, env={**environment(stage), **(extra or {})})

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
        got = self.stage.client.run("cat", self.json_file, check=False)
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


def failures(report):
    """The codes of everything that went wrong, that of the whole run first."""
    if report is None:
        return []
    found = [report.get("error"), *(sample.get("error") for sample in report["samples"])]
    return [failure["code"] for failure in found if failure]


def first_failure(report):
    return next(iter(failures(report)), None)
