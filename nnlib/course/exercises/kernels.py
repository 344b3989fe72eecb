"""Exercises whose answer is a kernel, and the workshops, whose kernels move into the student's library.

Both are judged by `nnlib.mine`: what is asked is a contract, and here stand the launch that the lesson chooses, and the
hints. Usual mistakes are in mistakes/.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from nnlib import mine
from nnlib.course.exercises.checking import Exercise, Verdict, kind_of
from nnlib.course.exercises.error_hints import EXPLAINED, about_error
from nnlib.course.exercises.hints import exchanged_names, hint_for
from nnlib.course.exercises.unwritten import why_unwritten, why_unwritten_here
from nnlib.cuda import KernelError, UninitializedReadError
from nnlib.cuda.text import LikelyMistake
from nnlib.mine.contract import Piece
from nnlib.mine.judgement import Judgement
from nnlib.mine.judging import Launch, right_at
from nnlib.mine.trials.sizes import chosen
from nnlib.mine.trials.tasks import Task, at_most

# Limits between which matrices of few columns, or few rows, are drawn
THIN = [[(2000, 2600), (1, 4)], [(1, 4), (2000, 2600)]]
# Few enough that an answer is judged at once in which every thread walks through all elements.
ELEMENTS: dict[str, Any] = chosen(
    "n",
    [(1000,), (1,), (31,), (32,), (33,), (257,), (700,)],
    [[(300, 700)], [(66_000, 90_000)]],
    far=[(2**24 + 4100,)],
    along={0: ("n", 65_521)},
    ruler=(1024,),
)
_BLOCKS = 64, 32, 128  # so that no kernel takes one of them for granted


def alone(count: Callable[..., float], stores: int = 4) -> list[Task]:
    """Require that each thread handles its own element: without a loop over all elements and without atomics.

    A thread may store its element up to `stores` times. count: computes how many threads have an element.
    """
    return [
        at_most(
            "atomics",
            0,
            "no other thread touches this element: a plain load or store does what the atomic does, and the warp need "
            "not queue",
        ),
        at_most(
            "global_store.requests",
            lambda **sizes: stores * -(-count(**sizes) // 32),
            "each element is the work of one thread, with no loop over all: here a thread walks over many, or the "
            "threads repeat each other's work",
        ),
    ]


def threads(count: Callable[..., int]) -> Callable[..., tuple[int, int]]:
    """Return a launch with a thread for each of so many results; its blocks differ from size to size."""

    def launch(**sizes: int) -> tuple[int, int]:
        needed = count(**sizes)
        block = _BLOCKS[needed % len(_BLOCKS)]
        return -(-needed // block), block

    return launch


def tiles(side: int, columns: str, rows: str) -> Launch:
    """Return a launch with a square block for each tile of a matrix with these sizes."""
    return lambda **sizes: (
        (-(-sizes[columns] // side), -(-sizes[rows] // side)),
        (side, side),
    )


@dataclass
class KernelExercise(Exercise):
    """The answer is a kernel that fits a contract.

    launch: grid and block for the sizes; None where the answer's own launch line says it. hints: KernelError subclass ->
    hint, in place of the usual one; or two, of which the first asks for a guard and is said where that is missing, the
    second where it is there. A third one is for a store that is guarded. guard: the conditions that the first one asks
    for; one of them is enough.
    """

    name: str = field(init=False)
    piece: Piece
    launch: Launch | None = None
    hints: Mapping[type[KernelError], str | tuple[str, ...]] = field(default_factory=dict)
    guard: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self._begin()
        super().__post_init__()

    def _begin(self) -> None:
        self.name = f"{self.piece.lesson}.{self.piece.name}"
        self.judged: Judgement | None = None
        self._text = ""

    def judge(self, answer: Any = ...) -> Verdict:
        """Judge a kernel and its text: whether it is right, and does what the lesson asks for."""
        self.judged = None
        if not hasattr(answer, "code"):
            return self.wrong(
                "",
                f"needs a kernel, and got {kind_of(answer)}.",
                f'run the %%cuda cell with the kernel first, then check("{self.name}", its_name)',
            )
        self._text = with_options(answer)
        asked = answer if self.launch else self._text
        self.judged = judged = mine.judge(self.piece, asked, self.launch, seed=self.seed)
        if judged.solved:
            return Verdict(True, f"✓ {self.name}{self._praise()}")
        hint = (
            unmeant(answer)
            or exchanged_names(judged.piece, answer)
            or hint_for(
                judged,
                self._text,
                self._known_error,
                why_unwritten_here if self.launch else why_unwritten,
            )
        )
        said = str(judged).removeprefix(f"{self.piece.name}: ")
        if hint and judged.error is not None:  # one hint, not two
            said = said.replace(str(judged.error), judged.error.finding)
        said = "\n  ".join([judged.way, said] if judged.way else [said])
        return self.wrong("", said, hint, type(judged.error).__name__ if judged.error else "")

    def right_at(self, kernel: Any) -> list[bool]:
        """Return for each size whether the kernel is right there; None where it is right but does not do the task."""
        if self.judged and self.judged.right:
            return []
        return right_at(self.piece, kernel, self.launch, self.seed)

    def _praise(self) -> str:
        count = len(self.piece.sizes)
        return f": right, with {count} sizes" + (
            " and within the limits." if self.piece.task else "."
        )

    def _known_error(self, judged: Judgement, error: KernelError, text: str) -> str | None:
        """Return the exercise's own hint for an error, else the usual one; None where the simulator's is better."""
        own = next((hint for kind, hint in self.hints.items() if isinstance(error, kind)), None)
        unfilled = error.space == "shared" and isinstance(error, UninitializedReadError)
        if own is None or (error.space in ("shared", "local") and not unfilled):
            return about_error(judged, error, text)
        held = error.conditions or ()
        is_there = any(all(part in held for part in asked.split(" && ")) for asked in self.guard)
        guard, *index = (own,) if isinstance(own, str) else own
        if error.guard in (None, "missing") or (error.guard == "other" and not is_there):
            return guard
        if error.guard in EXPLAINED:
            return None
        if error.guard == "negative" or is_there:
            return index[-1 if error.access == "write" else 0] if index else None
        return "; ".join([guard, *index[:1]])  # there is one by other names, or of other numbers


@dataclass
class PieceExercise(KernelExercise):
    """A workshop: `judge` an answer, and `keep` the one that was judged right."""

    def __post_init__(self) -> None:
        self._begin()

    def right_at(self, kernel: Any) -> list[bool]:
        """Return for each stage, or size, whether the kernel is right there; nothing if it was written in an earlier lesson."""
        new = self.piece not in mine.AGAIN.values()
        return right_at(self.piece, kernel.code, seed=self.seed) if new else []

    def _praise(self) -> str:
        assert self.judged is not None
        more = [name for name in self.piece.integers if name not in self.judged.piece.integers]
        added = f"\nIn lesson 05 this kernel gets one more argument, {more[0]}." if more else ""
        return f". {self.judged}{added}"

    @property
    def stars(self) -> int:
        """Return the stars of the last answer judged: 1 to 3, and 0 if it was wrong."""
        return self.judged.stars if self.judged and self.judged.solved else 0

    @property
    def is_solution(self) -> bool:
        """Return whether the last answer judged was right, and is the lesson's own solution."""
        return self.stars > 0 and mine.is_solution(self.piece.name, self._text)

    def keep(self, solution: bool = False) -> str:
        """Move the text that was judged right into the student's library; a sentence that says so."""
        assert self.judged is not None and self.judged.solved
        said = mine.save(self.piece.name, self.judged, self._text, solution)
        return "\n".join([said, *mine.unused()])


def with_options(kernel: Any) -> str:
    """Return the source of a kernel with its options, -DTILE=16 as a #define, in the place of the magic's line."""
    defined = [re.fullmatch(r"-D\s*(\w+)(?:=(.*))?", option) for option in kernel.options]
    lines = [f"#define {match[1]} {match[2] or 1}" for match in defined if match]
    return "\n".join([*lines, kernel.code.removeprefix("\n")]) if lines else kernel.code


def unmeant(kernel: Any) -> str | None:
    """Return a compiler warning that explains what is wrong: an `if (…);`, or an = in a condition."""
    try:
        warnings = kernel.module.program.warnings
    except (AttributeError, KernelError):  # no kernel, or none that compiles
        return None
    return next(
        (
            f"line {at.line}: {message}"
            for at, message in warnings
            if isinstance(message, LikelyMistake)
        ),
        None,
    )


PIECE_EXERCISES = {
    f"{piece.lesson}.{piece.name}": PieceExercise(piece)
    for piece in (*mine.PIECES.values(), *mine.AGAIN.values())
}
