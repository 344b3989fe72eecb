"""Shorten what an answer prints while it is checked, so that the verdict stays in sight."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterator

LINES = 6


class FirstLines(io.TextIOBase):
    """Passes on so many lines, and counts the others."""

    def __init__(self, target: io.TextIOBase, most: int = LINES) -> None:
        self.target, self.left, self.dropped = target, most, 0

    def write(self, text: str) -> int:
        """Return the lines of a text that still fit."""
        lines = text.splitlines(keepends=True)
        self.target.write("".join(lines[: self.left]))
        self.dropped += sum(line.endswith("\n") for line in lines[self.left :])
        self.left -= min(self.left, sum(line.endswith("\n") for line in lines))
        return len(text)

    def flush(self) -> None:
        self.target.flush()


@contextlib.contextmanager
def first_lines() -> Iterator[None]:
    """Print only the first few lines, then a sentence that says how many are left out."""
    shown = FirstLines(sys.stdout)  # type: ignore[arg-type]
    with contextlib.redirect_stdout(shown):
        yield
    if shown.dropped:
        print(f"… and {shown.dropped:,} more lines, printed while it was checked")
