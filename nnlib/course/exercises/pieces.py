"""The workshops: pieces of the student's library, judged with hints, and kept when they are right. Lessons 01 to 06."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nnlib import mine
from nnlib.course.exercises.checking import Verdict
from nnlib.cuda import KernelError
from nnlib.mine.contract import Case, Piece
from nnlib.mine.judging import Verdict as Judged

# hint -> what the kernel would have written: {name of the array: contents}
Mistakes = dict[str, dict[str, Any]]


@dataclass
class PieceExercise:
    """A workshop. mistakes: of a case, what the usual mistakes would give. hints: kind of error -> hint."""

    piece: Piece
    mistakes: Callable[[Case], Mistakes] = lambda case: {}
    hints: dict[type[KernelError], str] = field(default_factory=dict)
    _judged: tuple[Judged, str] | None = None

    @property
    def name(self) -> str:
        return f"{self.piece.lesson}.{self.piece.name}"

    def judge(self, answer: Any = ...) -> Verdict:
        """Is the answer, a kernel with its text, right, and does it what the lesson asks for?"""
        self._judged = None
        if not hasattr(answer, "code"):
            return Verdict(False, f"✗ {self.name}: run the %%cuda cell with the kernel {self.piece.name} first.")
        text = _with_options(answer)
        judged = mine.judge(self.piece, text)
        if judged.solved:
            self._judged = judged, text
            return Verdict(True, f"✓ {self.name}. {judged}")
        hint = self._hint(judged)
        return Verdict(False, f"✗ {self.name}: {judged}" + (f"\n  Hint: {hint}" if hint else ""))

    def keep(self, solution: bool = False) -> str:
        """Move the text that was judged right into the student's library; a sentence that says so."""
        assert self._judged is not None
        judged, text = self._judged
        return mine.save(self.piece.name, judged, text, solution)

    def _hint(self, judged: Judged) -> str | None:
        if judged.error is not None:
            return next((hint for kind, hint in self.hints.items() if isinstance(judged.error, kind)), None)
        if judged.case is None or not judged.got or judged.right:
            return None
        return _mistake(judged, self.mistakes(judged.case))


def _mistake(judged: Judged, mistakes: Mistakes) -> str | None:
    """The hint of the mistake that gives just what the kernel wrote."""
    def explains(wrong: dict[str, Any]) -> bool:
        return all(np.allclose(judged.got[name], value, 1e-4, 1e-4, equal_nan=True) for name, value in wrong.items())

    return next((hint for hint, wrong in mistakes.items() if explains(wrong)), None)


def _with_options(kernel: Any) -> str:
    """The text of a cell that stands for itself: -DTILE=16 becomes a line of it."""
    defined = [re.fullmatch(r"-D\s*(\w+)(?:=(.*))?", option) for option in kernel.options]
    lines = [f"#define {match[1]} {match[2] or 1}" for match in defined if match]
    return "\n".join([*lines, kernel.code.strip("\n")])


PIECE_EXERCISES = {f"{piece.lesson}.{piece.name}": PieceExercise(piece) for piece in mine.PIECES.values()}
