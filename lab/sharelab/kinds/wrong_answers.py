"""What a server refuses, or is not, is told by its right name, soon, in both languages, and with no secret in it."""

import itertools
import re
import time

from .. import people, residue, sharemark
from ..apache import make_authority
from ..secrecy import Watch
from ..sshd import make_key
from ..stage import Stage
from ..workspace import Workspace

WRONG_PASSWORD = "Xw3-mistaken-Hb8k"
KANA = re.compile("[\u3040-\u30ff]")


def run(data, checks):
    for protocol, cases in itertools.groupby(data["case"], key=lambda case: case["protocol"]):
        with Workspace() as workspace:
            stage = Stage(workspace, {**data, "protocol": protocol})
            residue.plant(stage.disk)
            before = residue.snapshot(stage.disk)
            for case in cases:
                for language in data.get("languages", ("en", "ja")):
                    one_case(stage, data, case, language, checks)
            residue.check_unchanged(checks, f"{protocol}: the share afterwards", before, stage.disk)


def one_case(stage, data, case, language, checks):
    name = f"{case['protocol']}, {case['wrong']}, {language}"
    target, options, extra = WRONG[case["wrong"]](stage)
    options = {**data["run"], "lang": language, "history": None, **options}
    with Watch([people.PASSWORD, WRONG_PASSWORD]) as watch:
        began = time.monotonic()
        done = sharemark.Run(stage, options, target, extra=extra).finish(data["true"]["seconds"] + 20)
        took = time.monotonic() - began
        watch.look("standard output", done.job.stdout)
        watch.look("standard error", done.job.stderr)
        watch.look_below(stage.client.folder)
    if case["wrong"] == "silent":
        stage.wire.mend()
    checks.within(f"{name}: the command ends after", data["true"]["seconds"], took)
    checks.equal(f"{name}: exit code", case.get("exit_code", 1), done.code)
    report = done.report()
    checks.one_of(f"{name}: error.code", case["codes"], sharemark.first_failure(report) or done.why_no_report)
    words = done.job.stderr.strip()
    if language == "ja":
        checks.true(f"{name}: said in Japanese", bool(KANA.search(words)), repr(words[-100:]))
    else:
        checks.says(f"{name}: said", case.get("says", ["\\w"]), words)
    checks.true(f"{name}: no secret anywhere", not watch.found and watch.rounds > 0, ", ".join(sorted(watch.found)) or "none")


def password(stage):
    user = f"{people.USER}@"
    # With a key at hand no password is asked for.
    return stage.url(user=user), {"key": None}, {"SHAREMARK_PASSWORD": WRONG_PASSWORD}


def share(stage):
    # Beside its shares a web server has other things, which are no WebDAV; in a share a folder can be missing.
    missing = "share/no-such-folder" if stage.protocol.startswith("webdav") else "no-such-share"
    return stage.url(user=user_of(stage), share=missing), {}, {}


def no_share(stage):
    return stage.url(user=user_of(stage)).split("/share")[0] + "/", {}, {}


def host(stage):
    return stage.url(user=user_of(stage), host="no-such-nas.lab"), {}, {}


def port(stage):
    return stage.url(user=user_of(stage), host=f"{stage.wire.nas_address}:4"), {}, {}


def silent(stage):
    stage.wire.cut()
    return stage.point, {}, {}


def name_of_another(stage):
    stage.server.kill()
    stage.server.certify("DNS:another.lab")
    stage.server.start()
    return stage.point, {}, {}


def authority(stage):
    """Signed by somebody whom nobody told us to trust."""
    return stage.point, {"ca-file": None}, {}


def other_authority(stage):
    return stage.point, {"ca-file": make_authority(stage.server.state / "stranger")}, {}


def host_key_unknown(stage):
    empty = stage.client.folder / "empty_known_hosts"
    empty.write_text("")
    return stage.point, {"known-hosts": empty}, {}


def host_key_changed(stage):
    other = stage.client.folder / "other_key"
    if not other.exists():
        make_key(other)
    return stage.point, {"known-hosts": stage.server.remember(stage.client.folder / "other_known_hosts", other)}, {}


def user_of(stage):
    return f"{people.USER}@" if f"{people.USER}@" in stage.point else ""


#: What is wrong: the target, the options and the environment to run with.
WRONG = {
    "password": password, "share": share, "no share": no_share, "host": host, "port": port, "silent": silent,
    "name in the certificate": name_of_another, "unknown authority": authority, "another authority": other_authority,
    "unknown host key": host_key_unknown, "changed host key": host_key_changed,
}
