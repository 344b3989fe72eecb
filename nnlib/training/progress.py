"""Show how far a training is: a tqdm bar in a terminal, one line per epoch in a notebook. Lesson 07."""

from __future__ import annotations

import sys
from typing import Any

CHOICES = ("auto", "bar", "lines", None)


class Progress:
    """Call with the number of steps just done; `report` an epoch's line. Use in a `with` statement.

    A bar on standard error and times would differ from run to run, and a stored notebook is compared with
    the next run: outside a terminal "auto" prints lines without times.
    """

    def __init__(self, choice: str | None, total: int, done: int = 0) -> None:
        from tqdm.auto import tqdm
        if choice == "auto":
            choice = "bar" if sys.stderr.isatty() else "lines"
        self.lines = choice == "lines"
        self.bar = tqdm(total=total, initial=done, unit="step", disable=choice != "bar")

    def __call__(self, steps: int) -> None:
        self.bar.update(steps)

    def report(self, line: str) -> None:
        """Print an epoch's line, or put it behind the bar."""
        self.bar.set_postfix_str(line, refresh=False)
        if self.lines:
            print(line)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error: Any) -> None:
        self.bar.close()
