"""How a program ends before main returns, and what surrounds it: exit, abort, assert, system, getenv."""

from __future__ import annotations

from typing import Any, NoReturn

from ..lowering.writer import CallSite
from ..runtime.ending import ABORTED, Exit
from .registry import LibraryPart, provides


class ProgramEnd(LibraryPart):
    """The end of a program, as it asks for it itself."""

    @provides("exit", "abort")
    def leave(self, site: CallSite, status: int = ABORTED) -> NoReturn:
        raise Exit(status)

    @provides()
    def system(self, site: CallSite, command: int) -> NoReturn:
        self._reject(site, "a program here cannot start others", "leave system() out")

    @provides()
    def getenv(self, site: CallSite, name: int) -> int:
        """Nothing is set."""
        return 0

    def check(self, site: CallSite, holds: Any) -> None:
        """assert"""
        if not holds:
            line = self._run.code.program.text.splitlines()[site.at.line - 1].strip()
            self._output.write(
                f"{self._run.code.program.file}:{site.at.line}: Assertion failed: {line}\n"
            )
            raise Exit(ABORTED)
