"""How a program ends before main returns, and what surrounds it: exit, abort, assert, system, getenv."""

from __future__ import annotations

from typing import Any, NoReturn

from ...language import tree
from ..lowering.writer import CallSite
from ..runtime.ending import ABORTED, Exit
from ..runtime.mistakes import Mistakes
from ..runtime.output import Output
from .registry import provides


class ProgramEnd:
    """The end of a program, as it asks for it itself."""

    def __init__(self, program: tree.TranslationUnit, mistakes: Mistakes, output: Output) -> None:
        self._program, self._report, self._output = program, mistakes.report, output

    @provides("exit")
    def leave(self, site: CallSite, status: int) -> NoReturn:
        raise Exit(status)

    @provides()
    def abort(self, site: CallSite) -> NoReturn:
        raise Exit(ABORTED)

    @provides("system")
    def system(self, site: CallSite, command: int) -> NoReturn:
        self._report("a program here cannot start others", "leave system() out", at=site.at)

    @provides()
    def getenv(self, site: CallSite, name: int) -> int:
        """Nothing is set."""
        return 0

    def check(self, site: CallSite, holds: Any) -> None:
        """assert"""
        if not holds:
            line = self._program.text.splitlines()[site.at.line - 1].strip()
            self._output.write(f"{self._program.file}:{site.at.line}: Assertion failed: {line}\n")
            raise Exit(ABORTED)
