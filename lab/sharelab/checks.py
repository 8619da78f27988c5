"""Collects and prints what was compared: a line a check."""

import re


class Checks:
    def __init__(self, name):
        self.name = name
        self.passed = 0
        self.failed = 0
        self.skipped = 0

    def heading(self, about):
        print(f"\n{self.name}: {about}", flush=True)

    def note(self, text):
        """Something worth knowing that is neither right nor wrong."""
        print(f"  note  {text}", flush=True)

    def skip(self, why):
        self.skipped += 1
        print(f"  skip  {why}", flush=True)

    def _line(self, ok, what, truth, measured, error=""):
        self.passed += bool(ok)
        self.failed += not ok
        truth, measured, error = (" ".join(str(text).split()) for text in (truth, measured, error))
        print(f"  {'ok  ' if ok else 'FAIL'}  {what:<48} truth {truth:<24} measured {measured:<24} "
              f"error {error or '-'}", flush=True)
        return bool(ok)

    def near(self, what, truth, measured, tolerance, unit="MB/s", scale=1e-6):
        """A number within a relative tolerance of the truth."""
        error = measured / truth - 1 if truth else float("inf")
        return self._line(abs(error) <= tolerance, what, f"{truth * scale:.3f} {unit}", f"{measured * scale:.3f} {unit}",
                          f"{error:+.2%} (limit {tolerance:.2%})")

    def within(self, what, limit, measured, unit="s"):
        """A number that must not be above a limit."""
        return self._line(measured <= limit, what, f"<= {limit} {unit}", f"{measured:.4g} {unit}")

    def at_least(self, what, least, measured, unit="bytes"):
        error = f"{measured / least - 1:+.2%}" if least else ""
        return self._line(measured >= least, what, f">= {least} {unit}", f"{measured} {unit}", error)

    def equal(self, what, truth, measured):
        return self._line(measured == truth, what, truth, measured, "" if measured == truth else "differs")

    def one_of(self, what, truths, measured):
        return self._line(measured in truths, what, " or ".join(map(str, truths)), measured)

    def says(self, what, words, text):
        """Each of `words` (regular expressions, any case) occurs in what the program printed."""
        missing = [w for w in words if not re.search(w, text, re.IGNORECASE)]
        shown = " ".join(text.split())[-300:]
        return self._line(not missing, what, "says " + " & ".join(f"/{w}/" for w in words), f"{shown!r}",
                          f"not said: {', '.join(missing)}" if missing else "")

    def true(self, what, ok, measured="", truth="yes"):
        return self._line(ok, what, truth, measured or ("yes" if ok else "no"))
