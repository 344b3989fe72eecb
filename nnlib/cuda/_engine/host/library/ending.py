"""The C library's functions that end a program or reach its surroundings: exit, abort, assert, system."""

from __future__ import annotations

from typing import Any, NoReturn

from ..runtime.ending import ABORTED, Exit
from .registry import LibraryPart, provided, provides


class ProgramEnd(LibraryPart):
    """The end of a program, as it asks for it itself."""

    @provides("exit", "abort")
    def leave(self, status: int = ABORTED) -> NoReturn:
        raise Exit(status)

    @provided
    def system(self, command: int) -> NoReturn:
        self._reject("a program here cannot start others", "leave system() out")

    def check(self, holds: Any) -> None:
        """Check an assert; end the program where it fails."""
        if not holds:
            line = self._run.code.program.text.splitlines()[self._site.at.line - 1].strip()
            self._output.write(
                f"{self._run.code.program.file}:{self._site.at.line}: Assertion failed: {line}\n"
            )
            raise Exit(ABORTED)
