"""The output of a program: its own text at once, that of its kernels when the host waits for them. Lesson 01."""

from __future__ import annotations

from typing import TextIO

from .mistakes import Mistakes

MOST_PRINTED = 64 << 20  # characters


class Output:
    """The standard output of a run.

    echo: where output is also shown as it appears. unseen: what kernels have printed since the host last waited for them.
    """

    def __init__(self, mistakes: Mistakes, echo: TextIO | None) -> None:
        self._mistakes, self._echo = mistakes, echo
        self._parts: list[str] = []
        self._size = 0  # characters
        self.unseen: list[str] = []

    def __str__(self) -> str:
        return "".join(self._parts)

    def write(self, text: str) -> None:
        self._parts.append(text)
        self._size += len(text)
        if self._size > MOST_PRINTED:
            self._mistakes.report(
                f"the program has printed more than {MOST_PRINTED >> 20} million characters",
                "does a loop with printf in it end?",
            )
        if self._echo is not None:
            self._echo.write(text)
            if "\n" in text:
                self._echo.flush()

    def show_unseen(self) -> None:
        """Show what kernels have printed, as the host has waited for them."""
        if self.unseen:
            self.write("".join(self.unseen))
            self.unseen = []
