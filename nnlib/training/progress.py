"""Show how far a training is: a tqdm bar in a terminal, one line per epoch in a notebook."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Any

from nnlib.support import browser, extras

CHOICES = ("auto", "bar", "lines", None)


class Progress:
    """Call with the number of steps just done; `report` an epoch's line. Use in a `with` statement.

    A bar on standard error and times would differ from run to run, and a stored notebook is compared with
    the next run: outside a terminal, and without tqdm, "auto" prints lines without times.
    """

    def __init__(self, choice: str | None, total: int, done: int = 0) -> None:
        if choice == "auto":
            choice = "bar" if sys.stderr.isatty() and find_spec("tqdm") else "lines"
        self.lines = choice == "lines"
        self.bar: Any = None
        if choice == "bar":
            bars = extras.load("tqdm.auto", "progress bars").tqdm
            if browser.HERE:
                bars.monitor_interval = 0  # the monitor is a thread
            self.bar = bars(total=total, initial=done, unit="step")

    def __call__(self, steps: int) -> None:
        if self.bar is not None:
            self.bar.update(steps)

    def report(self, line: str) -> None:
        """Print an epoch's line, or put it behind the bar."""
        if self.bar is not None:
            self.bar.set_postfix_str(line, refresh=False)
        if self.lines:
            print(line)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error: Any) -> None:
        if self.bar is not None:
            self.bar.close()
