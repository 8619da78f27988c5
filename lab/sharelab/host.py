"""Running things on the host, with a time limit on every wait."""

import os
import signal
import subprocess
import time


class LabError(Exception):
    """The lab itself could not do something; this says nothing about sharemark."""


def call(*argv, timeout=20, check=True, env=None):
    """Runs a short command and returns its standard output."""
    try:
        done = subprocess.run(
            [str(a) for a in argv], stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=timeout, env=env)
    except subprocess.TimeoutExpired as error:
        raise LabError(f"{' '.join(map(str, argv))}: no end after {timeout} s") from error
    except OSError as error:
        raise LabError(f"{argv[0]}: {error.strerror} (has lab/setup been run?)") from error
    if check and done.returncode != 0:
        raise LabError(f"{' '.join(map(str, argv))}: exit {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def wait_for(condition, timeout, what, every=0.05):
    """Calls `condition` until it gives something true, and returns that."""
    end = time.monotonic() + timeout
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise LabError(f"waited {timeout} s for {what}")
        time.sleep(every)


def start_daemon(argv, log, **options):
    """Starts a server in a session of its own, so that Ctrl-C does not reach it before the clean-up does."""
    with open(log, "ab") as out:
        try:
            return subprocess.Popen(
                [str(a) for a in argv], stdin=options.pop("stdin", subprocess.DEVNULL), stdout=out, stderr=out,
                start_new_session=True, **options)
        except OSError as error:
            raise LabError(f"{argv[0]}: {error.strerror} (has lab/setup been run?)") from error


def end_session(process, gentle=0.0):
    """Ends a daemon and the children that share its session. `gentle` seconds are given to end in peace."""
    if process.poll() is None and gentle:
        process.terminate()
        try:
            process.wait(gentle)
        except subprocess.TimeoutExpired:
            pass
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    try:
        process.wait(10)
    except subprocess.TimeoutExpired as error:
        raise LabError(f"process {process.pid} does not end") from error
