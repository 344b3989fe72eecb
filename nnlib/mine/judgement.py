"""The verdict on a piece of the library, and its words."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nnlib.cuda import KernelError
from nnlib.cuda.limits import WARP
from nnlib.mine.contract import Piece, PieceCase, Sizes
from nnlib.mine.launch import Shape
from nnlib.mine.stars import compared, is_record, question, shown, starts_slowly


@dataclass
class Judgement:
    """The verdict on a kernel. problem: None if the kernel is right and does its task; otherwise a sentence.

    right: the results are right (the task may still be missing). sizes: of the case that failed; passed: how many came
    out right before it; launched: its grid and block, or a right piece's where it is counted; got: what the kernel
    wrote in it. error: the simulator's. counters, stars, line: of a solved piece; line is the source line that moves
    most. spare: the side of the grid of which half would do, "x", "y" or "z".
    """

    piece: Piece
    problem: str | None = None
    right: bool = False
    sizes: Sizes | None = None
    passed: int = 0
    launched: tuple[Shape, Shape] | None = None
    error: KernelError | None = None
    case: PieceCase | None = None
    got: dict[str, np.ndarray] = field(default_factory=dict)
    precision: float = 0.0
    counters: dict[str, float] = field(default_factory=dict)
    stars: int = 0
    line: int = 0
    spare: str = ""

    @property
    def solved(self) -> bool:
        return self.problem is None

    @property
    def way(self) -> str:
        """Return how far a wrong kernel of a piece with stages came: "✓ one plane  ✗ channels"; empty for all others."""
        stages = self.piece.stages
        if not stages or self.sizes is None or self.right:
            return ""
        here = stages[self.passed] if self.passed < len(stages) else "other sizes"
        return "  ".join([*(f"✓ {stage}" for stage in stages[: self.passed]), f"✗ {here}"])

    def __str__(self) -> str:
        """Return several lines: whether the kernel is right, what it costs, its stars."""
        if self.problem is not None:
            return self.problem
        precise = f"{self.precision:.0e} from float64" if self.precision else "as exact as float64"
        lines = [
            f"Right: {len(self.piece.sizes)} shapes, {precise}, no race.",
            *compared(self.piece.name, self.counters),
        ]
        lines[-1] += f" {shown(self.stars)}"
        if self.spare:
            lines.append(too_large(self.spare))
        elif self.stars < 3:
            lines.append(f"Another star: the {self._question()}")
        elif is_record(self.piece.name, self.counters):
            lines.append("New record: less memory traffic than the best version that we know.")
        return "\n".join(lines)

    def _question(self) -> str:
        """Return the hint that leads to another star."""
        threads = math.prod(self.launched[1]) if self.launched else WARP
        if threads % WARP:
            warps = threads // WARP + 1
            return (
                f"block. It fills {threads} of the {warps * WARP} lanes of "
                f"{'a warp' if warps == 1 else f'{warps} warps'}. How many threads leave no lane idle?"
            )
        if starts_slowly(self.piece.name, self.counters, threads):
            return (
                f"block. A GPU starts no more blocks of {threads} threads per second than of 128, so most "
                "of the time goes into starting them. How many threads should each have?"
            )
        return (
            f"{question(self.piece.name, self.counters)} Most of the work is in line {self.line}."
        )


def too_large(axis: str) -> str:
    """Name the cause of a grid of which half the blocks along this axis would do."""
    return (
        f"The grid is too large: with half as many blocks in {axis} nothing is missing. The "
        "others do nothing: from which sizes is the grid computed?"
    )


class Failed(Exception):
    """A piece is not right; found: what a `Judgement` says of it."""

    def __init__(self, problem: str, **found: Any) -> None:
        super().__init__(problem)
        self.found: dict[str, Any] = {"problem": problem, **found}
