"""Mistakes of a program, reported with the line in which they were made. Lesson 01."""

from __future__ import annotations

import sys
from types import FrameType, TracebackType
from typing import NoReturn

from ...errors import HostError
from ...language.diagnostics import excerpt
from ...language.tree import Position
from ..lowering.writer import CallSite, LoweredProgram

DEEPEST = 10_000  # calls in calls


class Mistakes:
    """Collects what a run has to report.

    unasked: a launch that failed, until the program asks for the error. last_error: what cudaGetLastError returns.
    notes: what is not yet a mistake.
    """

    site: CallSite

    def __init__(self, code: LoweredProgram) -> None:
        self._program, self._positions = code.program, code.positions
        self.last_error = 0
        self.unasked: HostError | None = None
        self.notes: list[str] = []

    def position(self) -> Position:
        """Return the current position in the program."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            known = self._positions.get(frame.f_code.co_filename)
            if known is not None:
                at = known[min(frame.f_lineno, len(known)) - 1]
                if at.column:
                    return at
            frame = frame.f_back
        return Position(1, 1)

    def line(self) -> int:
        """Return the line of the program, also for what a header does."""
        return self.site.at.line if self.site.at.column else self.position().line

    def report(
        self, what: str, hint: str, allowed: str = "", at: Position | None = None
    ) -> NoReturn:
        """Raise HostError; if an earlier launch has failed unnoticed, that is what went wrong."""
        if self.unasked is not None:
            raise self.unasked
        raise self.error(what, hint, allowed, at)

    def reject(self, what: str, hint: str, allowed: str = "") -> NoReturn:
        """Report a mistake at the call."""
        self.report(what, hint, allowed, self.site.at)

    def error(
        self, what: str, hint: str, allowed: str = "", at: Position | None = None
    ) -> HostError:
        """Return the error that the user gets to see."""
        at = at if at is not None and at.column else self.position()
        file, lines = self._program.file, self._program.text.splitlines()
        message = [what, *excerpt(file, lines, at.line, at.column)]
        message += [f"  {allowed}"] * bool(allowed) + [f"  hint: {hint}"] * bool(hint)
        return HostError(
            "\n".join(message), what=what, hint=hint, file=file, line=at.line, column=at.column
        )

    def explain(self, error: BaseException) -> NoReturn:
        """Report what Python complains about, in terms of the program."""
        trace: TracebackType | None = error.__traceback__
        at = None
        while trace is not None:
            known = self._positions.get(trace.tb_frame.f_code.co_filename)
            if known is not None and known[trace.tb_lineno - 1].column:
                at = known[trace.tb_lineno - 1]
            trace = trace.tb_next
        if isinstance(error, NameError):  # also UnboundLocalError
            name = str(error).split("'")[1].removeprefix("v_").rstrip("_")
            self.report(
                f"{name} is read, but it has no value yet",
                f"give it one where it is declared: {name} = 0",
                at=at,
            )
        if isinstance(error, ZeroDivisionError):
            self.report("an integer is divided by zero", "check the divisor before", at=at)
        if isinstance(error, RecursionError):
            self.report(
                f"the recursion is more than {DEEPEST:,} calls deep",
                "a recursive function needs a case without a call of itself",
                at=at,
            )
        self.report("the memory of this computer does not suffice", "use smaller arrays", at=at)

    def no_result(self, name: str) -> NoReturn:
        """Report a function that has ended without a value."""
        self.report(
            f"{name} ends without a return, but its value is needed", "return a value at its end"
        )

    def note(self, text: str) -> None:
        """Add a note to `Run.notes`, once."""
        if text not in self.notes:
            self.notes.append(text)
