"""The main job and what belongs to it in a folder of the PC: the same on every system that the program is built for."""

import re
import signal
import subprocess
import time

from .. import residue, sharemark
from ..host import call, wait_for
from ..network import Hosts
from ..stage import pc
from ..workspace import Workspace

NAME = "写真 $ 2026 🏖️ 100%"
KANA = re.compile("[\u3040-\u30ff]")


class Scene:
    """A PC and a disk of its own; what `sharemark.Run` needs of a stage."""

    mounted, flags, environment = True, {}, {}

    def __init__(self, workspace, data):
        self.workspace = workspace
        # All disks come first: a PC that is up does not see what the host mounts later.
        self.disk = workspace.tmpfs("disk", "1g")
        self.small = workspace.tmpfs("small", "4m")
        self.locked = workspace.tmpfs("locked", "64m")
        call("mount", "-o", "remount,ro", self.locked)
        self.client = pc(workspace, Hosts(workspace), data.get("system"))
        self.point = self.disk / NAME
        self.point.mkdir()
        #: A history that every command of the scenario shares.
        self.kept = {"history": self.client.folder / "history.sqlite"}


def run(data, checks):
    with Workspace() as workspace:
        scene = Scene(workspace, data)
        residue.plant(scene.disk)
        before = residue.snapshot(scene.disk)
        version(scene, checks)
        report = measures(scene, data, checks)
        if report is not None:
            remembers(scene, checks, report)
        saves_a_name(scene, data, checks)
        for case in data["case"]:
            for language in ("en", "ja"):
                is_wrong(scene, data, case, language, checks)
        stops(scene, data, checks, before)
        dies(scene, data, checks, before)
        demonstrates(scene, checks)
        lists(scene, checks)
        if data["os"] == "windows":
            misses_a_drive(scene, data, checks)
            knows_devices(scene, data, checks)
        residue.check_unchanged(checks, "the folder afterwards", before, scene.disk)


def version(scene, checks):
    done = sharemark.command(scene, "--version")
    checks.says("version", [r"^sharemark \d+\.\d+\.\d+\s*$"], done.stdout)


def measures(scene, data, checks):
    table = scene.client.folder / "samples.csv"
    done = sharemark.Run(scene, {**data["run"], **scene.kept, "csv": table}).finish(60)
    checks.equal("measured: exit code", 0, done.code)
    report = done.report()
    if report is None:
        checks.true("measured: report", False, f"{done.why_no_report} {done.text[-300:]}")
        return None
    location = scene.client.path(scene.point)
    checks.equal("measured: location in the JSON", location, report["targets"][0]["location"])
    checks.true("measured: named in the text", NAME in done.job.stdout, repr(done.job.stdout[:200]))
    checks.equal("measured: system in the JSON", data["os"], report["host"]["os"])
    checks.equal("measured: processor in the JSON", data["arch"], report["host"]["arch"])
    checks.true("measured: the system's version", bool(report["host"]["os_version"]), report["host"]["os_version"])
    samples = report["samples"]
    checks.equal("measured: samples", 2 * data["run"]["runs"], len(samples))
    checks.true("measured: whole, with a rate", all(sharemark.good(s) and s["bytes_per_second"] > 0 for s in samples))
    checks.equal("measured: the content", {True}, {s["verified"] for s in samples if s["workload"] == sharemark.READ})
    free, disk = report["targets"][0]["free_bytes"], 1 << 30
    checks.true("measured: free space", 0 < (free or 0) <= disk, free, f"<= {disk}")
    rows = table.read_text(encoding="utf-8").splitlines()
    checks.equal("measured: rows of the table", 1 + len(samples), len(rows))
    schema = sharemark.command(scene, "schema").stdout
    checks.true("measured: the schema", '"$schema"' in schema and '"samples"' in schema, schema[:60])
    return report


def remembers(scene, checks, report):
    history = ["--history", scene.kept["history"]]
    listed = sharemark.command(scene, "history", *history).stdout
    checks.true("remembered: listed", report["id"] in listed and NAME in listed, listed[-200:])
    again = scene.client.folder / "again.json"
    shown = sharemark.command(scene, "show", report["id"], *history, "--json", again, "--lang", "ja")
    checks.true("remembered: shown in Japanese", shown.code == 0 and bool(KANA.search(shown.stdout)), shown.stdout[-100:])
    checks.true("remembered: no broken character", "\ufffd" not in shown.stdout)
    first = scene.client.folder.glob("report-*.json")
    checks.true("remembered: the same report", max(first).read_bytes() == again.read_bytes())


def saves_a_name(scene, data, checks):
    added = sharemark.command(scene, "target", "add", "photos", scene.point)
    checks.equal("a saved name: added", 0, added.code)
    done = sharemark.Run(scene, {**data["run"], "runs": 1}, "photos").finish(60)
    report = done.report()
    location = report["targets"][0]["location"] if report else done.text[-300:]
    checks.equal("a saved name: measured", scene.client.path(scene.point), location)


def is_wrong(scene, data, case, language, checks):
    """A target that cannot be measured is told by its right name."""
    name = f"{case['wrong']}, {language}"
    options = {**data["run"], "lang": language, **case.get("run", {})}
    began = time.monotonic()
    done = sharemark.Run(scene, options, wrong_target(scene, case["wrong"])).finish(60)
    checks.within(f"{name}: the command ends after", 20, time.monotonic() - began)
    checks.equal(f"{name}: exit code", case.get("exit_code", 1), done.code)
    report = done.report()
    checks.one_of(f"{name}: error.code", case.get(f"codes_on_{data['os']}", case["codes"]), sharemark.first_failure(report) or done.why_no_report)
    said = done.job.stderr
    if language == "ja":
        checks.true(f"{name}: said in Japanese", bool(KANA.search(said)), repr(said[-100:]))
    else:
        checks.says(f"{name}: said", case.get("says", [r"\w"]), said)


def wrong_target(scene, wrong):
    if wrong == "a file":
        file = scene.client.folder / "file"
        file.write_text("mine")
        return file
    return {
        "missing": scene.point / "no such folder",
        "read-only": scene.locked,
        "full": scene.small,
        "a name too long": scene.point / ("長" * 300),
    }[wrong]


def stops(scene, data, checks, before):
    """Ctrl-C once: a report of what there is, and nothing left."""
    done = sharemark.Run(scene, {**data["run"], "runs": 50, "time": "2s"})
    wait_for(lambda: residue.snapshot(scene.disk) != before, 20, "a folder of its own")
    time.sleep(1)
    scene.client.interrupt(done.job.pid)
    done.finish(20)
    checks.one_of("interrupted: exit code", [3, 130], done.code)
    report = done.report()
    checks.true("interrupted: report valid and partial", report is not None and report["partial"], done.why_no_report)
    residue.check_unchanged(checks, "interrupted: the folder", before, scene.disk)


def dies(scene, data, checks, before):
    """Killed outright: nothing goes on, and `clean` takes what is left."""
    done = sharemark.Run(scene, {**data["run"], "runs": 50, "time": "2s"})
    wait_for(lambda: residue.snapshot(scene.disk) != before, 20, "a folder of its own")
    time.sleep(1)
    subprocess.run(["kill", f"-{signal.SIGKILL}", str(done.job.pid)], check=True)
    left = scene.client.wait_for_none(15)
    checks.true("killed: no process left", not left, left or "none", "none")
    clean = sharemark.command(scene, "clean")
    checks.equal("killed: clean", 0, clean.code)
    residue.check_unchanged(checks, "killed: the folder after clean", before, scene.disk)


def demonstrates(scene, checks):
    done = sharemark.command(scene, "demo", "--json", scene.client.folder / "demo.json", timeout=120)
    # The last words are the reason, should it have failed.
    checks.true("demo: exit code", done.code == 0, f"{done.code} {done.stderr[-300:] if done.code else ''}", "0")
    checks.true("demo: says what is faster", bool(re.search(r"times|faster", done.stdout)), done.stdout[-200:])


def lists(scene, checks):
    done = sharemark.command(scene)
    checks.equal("list: exit code", 0, done.code)
    checks.says("list: has a disk of this PC", [r"\w"], done.stdout)


def misses_a_drive(scene, data, checks):
    """A drive that the registry remembers and this session does not have. Whoever uses Wine is elevated."""
    scene.client.run("reg.exe", "add", r"HKCU\Network\W", "/v", "RemotePath", "/d", r"\\nas\写真 2026", "/f")
    for language, hidden, console in (("en", "not seen by this console", "runs as administrator"),
                                      ("ja", "このコンソールからは見えない", "管理者として実行")):
        listed = sharemark.command(scene, "--lang", language).stdout
        said = " ".join(listed.split())
        checks.true(f"a drive not seen, {language}: listed", hidden in said and r"\\nas\写真 2026" in said, said[:300])
        done = sharemark.Run(scene, {**data["run"], "lang": language}, "W:\\a b").finish(30)
        checks.equal(f"a drive not seen, {language}: error.code", "elevated-drive", sharemark.first_failure(done.report()))
        said = "".join(done.job.stderr.split())
        checks.true(f"a drive not seen, {language}: says why", "".join(console.split()) in said, said[-300:])
        instead = r'sharemarkrun"\\nas\写真2026\ab"'
        checks.true(f"a drive not seen, {language}: says what to type", instead in said, said[-300:])


def knows_devices(scene, data, checks):
    for name in ("NUL", "COM1", r"\\.\PhysicalDrive0"):
        done = sharemark.Run(scene, data["run"], name).finish(30)
        checks.equal(f"{name}: error.code", "not-a-folder", sharemark.first_failure(done.report()))
