"""Runs commands inside the guest for the host; one JSON object a line in each direction.

The serial line carries everything, because a file on hostfs reaches the host only when the guest's kernel writes it
back. Commands run side by side, so a hanging one never takes the guest away.
"""

import codecs
import json
import os
import signal
import subprocess
import sys
import threading
import time

speak = threading.Lock()
running = {}


def tell(**event):
    line = json.dumps(event) + "\n"
    with speak:
        sys.stdout.write(line)
        sys.stdout.flush()


def forward(job, stream, pipe):
    """Sends what a command prints as it comes, and says when the last holder of the pipe has closed it."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    while True:
        data = os.read(pipe.fileno(), 65536)
        text = decoder.decode(data, final=not data)
        if text:
            tell(job=job, event=stream, text=text)
        if not data:
            break
    tell(job=job, event="closed", stream=stream)


def start(request):
    job = request["job"]
    try:
        process = subprocess.Popen(
            request["argv"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, **request.get("env", {})}, start_new_session=True)
    except OSError as error:
        tell(job=job, event="exit", code=127, text=str(error))
        return
    running[job] = process
    tell(job=job, event="started", pid=process.pid)
    for name in ("stdout", "stderr"):
        threading.Thread(target=forward, args=(job, name, getattr(process, name)), daemon=True).start()
    threading.Thread(target=lambda: tell(job=job, event="exit", code=process.wait()), daemon=True).start()


def main():
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    tell(event="ready")
    for line in sys.stdin:
        if line == "\n":
            continue  # the host only knocked
        request = json.loads(line)
        if request["do"] == "start":
            start(request)
        elif request["do"] == "clock":
            tell(job=request["job"], event="clock", wall=time.time(), steady=time.monotonic())


main()
