"""Does a kernel give the same again? Not if its results depend on the clock, on where an array lies, or on what an
earlier launch has left behind in a `__device__` variable.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nnlib.cuda.text import nodes, tree, types
from nnlib.mine.contract import PieceCase
from nnlib.mine.judgement import Failed
from nnlib.mine.trials import trial
from nnlib.mine.trials.trial import Attempt

_LEFT_BEHIND = 1, 1_000, 2**30  # what a variable may hold after many launches


def require_same_again(answer: Attempt) -> None:
    """Raises Failed for a kernel whose results depend on more than its arguments."""
    program = answer.launch.module.program
    parts = [*nodes([function.body for function in program.functions.values()])]
    if any(isinstance(part, tree.IntrinsicCall) and "clock" in part.name for part in parts):
        raise Failed(
            "The kernel reads the clock, and its results are to depend on its arguments only: leave the clock "
            "out."
        )
    if any(
        isinstance(part, tree.Convert)
        and isinstance(part.operand.type, types.Pointer)
        and part.type != types.BOOL
        and isinstance(part.type, types.Scalar)
        for part in parts
    ):
        _launched(
            answer, _Shifted(answer.case(answer.piece.sizes[0])), "where its arrays lie in memory"
        )
    for variable, _ in program.globals.values():
        if variable.space != "constant":
            _require_forgotten(answer, variable)


def _require_forgotten(answer: Attempt, variable: tree.Variable) -> None:
    """A variable that launches change must not change what later ones compute."""
    array, sizes = answer.launch.module.get_global(variable.name), answer.piece.sizes[0]
    before = array.copy()
    trial.run(answer, sizes)
    if np.array_equal(before, array):
        return
    if not array.shape and array.dtype.kind in "iu":
        raise Failed(
            f"{variable.name} is a __device__ variable, so what one launch leaves in it the next one finds: "
            "set it back, or count in a variable of the kernel."
        )
    for left in _LEFT_BEHIND:
        array[...] = left
        _launched(answer, answer.case(sizes), f"what an earlier launch has left in {variable.name}")
    array[...] = before


class _Shifted(PieceCase):
    """The same arrays, each an element further from a boundary of sectors."""

    def __init__(self, case: PieceCase) -> None:
        super().__init__(case.piece, case.sizes, case.arguments)

    def copies(self) -> dict[str, Any]:
        """The arguments for one launch, in larger arrays."""
        found = super().copies()
        for name, value in found.items():
            if isinstance(value, np.ndarray):
                found[name] = np.empty(value.size + 1, value.dtype)[1:].reshape(value.shape)
                found[name][...] = value
        return found


def _launched(answer: Attempt, case: PieceCase, what: str) -> None:
    def launch(grid: Any, block: Any, arguments: tuple, shared: int) -> None:
        answer.kernel(grid, block, arguments, shared, checks=False, step_limit=trial.STEP_LIMIT)

    try:
        trial.launched(answer, case, launch)
    except Failed as failed:
        raise Failed(
            f"The results depend on {what}, and are to depend on the arguments only: {failed}"
        ) from None
