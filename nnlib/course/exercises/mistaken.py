"""What a mistake would write, worked out from the inputs of the case that failed. Lessons 01 to 06."""

from __future__ import annotations

from typing import Any

import numpy as np

from nnlib.mine.contract import Case

Mistakes = dict[str, dict[str, Any]]  # hint -> {array: contents}


def wrote(output: str, mistakes: dict[str, Any]) -> Mistakes:
    """Hint -> contents of this output, for each hint."""
    return {hint: {output: value} for hint, value in mistakes.items()}


def slab(matrix: Any, axis: int, first: int, count: int) -> Any:
    """The matrix with all but `count` places of the summed axis set to 0."""
    kept = np.zeros_like(matrix)
    part = (slice(None),) * axis + (slice(first, first + count),)
    kept[part] = matrix[part]
    return kept


def given(case: Case, **changes: Any) -> Any:
    """What the contract gives for changed arguments, the first written array."""
    return next(iter(case.piece.results(case.arguments | changes).values()))
