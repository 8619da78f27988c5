"""A command on the PC, whichever way the PC is reached."""

import time


class Job:
    """All fields are filled in as events come; see guest/agent.py for them."""

    def __init__(self, argv, knock=lambda: None):
        self.argv = argv
        self._knock = knock
        self.pid = None
        self.code = None
        self.output = {"stdout": "", "stderr": ""}
        self.closed = set()
        self.clock = None
        self.ended_at = None

    @property
    def stdout(self):
        return self.output["stdout"]

    @property
    def stderr(self):
        return self.output["stderr"]

    def take(self, event):
        kind = event["event"]
        if kind == "started":
            self.pid = event["pid"]
        elif kind in self.output:
            self.output[kind] += event["text"]
        elif kind == "closed":
            self.closed.add(event["stream"])
        elif kind == "exit":
            self.output["stderr"] += event.get("text", "")
            if "text" in event:
                self.closed |= {"stdout", "stderr"}
            self.ended_at = time.monotonic()
            self.code = event["code"]
        elif kind == "clock":
            self.clock = event

    def wait(self, timeout, pipes=True):
        """Waits for the end, and (with `pipes`) until nobody holds its output any more; True when both came."""
        began = knocked = time.monotonic()
        while time.monotonic() < began + timeout:
            if self.code is not None and (not pipes or len(self.closed) == 2):
                return True
            if self.code is None and time.monotonic() > knocked + 2:
                # An interrupt of the serial line that got lost leaves both sides waiting; the next one wakes them.
                knocked = time.monotonic()
                self._knock()
            time.sleep(0.02)
        return False
