"""Refuses a kernel whose results depend on the clock, on where arrays lie, or on an earlier launch's `__device__` variables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from nnlib.cuda import MisalignedAccessError, Profile
from nnlib.cuda.limits import SECTOR
from nnlib.cuda.text import nodes, tree, types
from nnlib.mine.contract import PieceCase
from nnlib.mine.judgement import Failed
from nnlib.mine.trials import trial
from nnlib.mine.trials.borders import COMPARISONS, parts
from nnlib.mine.trials.trial import Attempt


def require_same_again(answer: Attempt) -> None:
    """Raise Failed for a kernel whose results depend on more than its arguments."""
    program = answer.launch.module.program
    called = (part.name for part in parts(program) if isinstance(part, tree.IntrinsicCall))
    if any("clock" in name for name in called):
        raise Failed(
            "The kernel reads the clock, and its results are to depend on its arguments only: leave the clock "
            "out."
        )
    if used := _used_addresses(program):
        raise Failed(
            f"In line {used[0]} {used[1]}, and nothing says which lies where: use indices."
        )
    _require_anywhere(answer)
    for variable, _ in program.globals.values():
        if variable.space != "constant":
            _require_forgotten(answer, variable)


def require_same_at_last(answer: Attempt) -> None:
    """Try the contract's sizes once more where a kernel has `__device__` variables; raise Failed.

    By now all launches before have left something in these variables.
    """
    for sizes in answer.piece.sizes if answer.launch.module.program.globals else ():
        trial.run(answer, sizes)


def overflow(program: tree.TranslationUnit, profile: Profile) -> str | None:
    """Describe what C leaves undefined: an int that overflows at the ruler, or a condition that only an overflow can change."""
    lines = [*profile.overflows, *_awaited(program)]
    return (
        f"in line {lines[0]} an int overflows, and C leaves undefined what that gives: a compiler may take it that it "
        "never happens. Let numbers that are to wrap around be unsigned"
        if lines
        else None
    )


def _awaited(program: tree.TranslationUnit) -> Iterator[int]:
    """Yield the lines of conditions such as `i + k > i`, or `i * k / k == i`, which test whether an int overflows."""
    for part in parts(program):
        if not isinstance(part, tree.Binary) or part.left.type != types.INT:
            continue
        for whole, known in ((part.left, part.right), (part.right, part.left)):
            ordered = part.op in ("<", "<=", ">", ">=")
            divided = part.op in ("==", "!=") and isinstance(whole, tree.Binary) and whole.op == "/"
            inner = whole.left if divided and isinstance(whole, tree.Binary) else whole
            if (
                (ordered or divided)
                and isinstance(inner, tree.Binary)
                and inner.op in ("*" if divided else "+*")
                and not isinstance(known, tree.Literal)
                and _written(known) in (_written(inner.left), _written(inner.right))
            ):
                yield part.at.line


def _written(expression: tree.Expr) -> list[tuple[Any, ...]]:
    """Return an expression without its position, for comparison with others."""
    return [
        (type(part), *(getattr(part, name, None) for name in ("op", "value", "name", "variable")))
        for part in nodes([expression])
    ]


def _used_addresses(program: tree.TranslationUnit) -> tuple[int, str] | None:
    """Find a use of addresses that makes results depend on where arrays lie; return its line and a clause that names it.

    Such a use compares the addresses of two arguments, subtracts them, or turns an address into a number and asks it for
    more than the alignment of a vector.
    """
    functions = [one for one in program.functions.values() if one.kind == "kernel"]
    roots = {
        variable: {variable}
        for function in functions
        for variable in function.parameters
        if isinstance(variable.type, types.Pointer)
    }

    def arguments(side: tree.Expr) -> set[tree.Variable]:
        parts = [part for part in nodes([side]) if isinstance(part, tree.Name | tree.Convert)]
        address = [side, *(part.operand for part in parts if isinstance(part, tree.Convert))]
        if not any(isinstance(part.type, types.Pointer) for part in address):
            return set()
        names = [part.variable for part in parts if isinstance(part, tree.Name)]
        return set().union(*(roots.get(name, set()) for name in names))

    bodies, asked = [function.body for function in functions], list[tree.Expr]()
    for part in nodes(bodies):
        if isinstance(part, tree.Declare) and isinstance(part.initializer, tree.Expr):
            roots[part.variable] = arguments(part.initializer)
        if isinstance(part, tree.PointerDifference) or (
            isinstance(part, tree.Binary) and part.op in COMPARISONS
        ):
            left, right = arguments(part.left), arguments(part.right)
            if left and right and not left & right:
                return part.at.line, "the addresses of two arrays are compared"
        if isinstance(part, tree.Binary) and part.op in "%&" and _is_few(part.right):
            asked += nodes([part.left])
        if (
            isinstance(part, tree.Convert)
            and isinstance(part.type, types.Scalar)
            and isinstance(part.operand.type, types.Pointer)
            and arguments(part)
            and not any(part is one for one in asked)
        ):
            return part.at.line, "the address of an array becomes a number"
    return None


def _is_few(expression: tree.Expr) -> bool:
    """Return whether an expression is a number of bytes that a vector may have."""
    while isinstance(expression, tree.Convert):
        expression = expression.operand
    return isinstance(expression, tree.Literal) and expression.value <= SECTOR


def _require_anywhere(answer: Attempt) -> None:
    """Require the same results wherever the arrays lie, within the alignment of float4 and of tensor cores' tiles."""
    case = answer.case(answer.piece.sizes[0])
    for boundary in (4, 16, SECTOR):
        try:
            moved = _Moved(case.piece, case.sizes, case.arguments, boundary=boundary)
            _launched(answer, moved, "where its arrays lie in memory")
            return
        except Failed as failed:
            if boundary == SECTOR or not isinstance(failed.found["error"], MisalignedAccessError):
                raise


def _require_forgotten(answer: Attempt, variable: tree.Variable) -> None:
    """Raise Failed where a variable that launches change also changes what later launches compute."""
    array, sizes = answer.launch.module.get_global(variable.name), answer.piece.sizes[0]
    states = [array.copy()]
    for _ in range(2):
        trial.run(answer, sizes)
        states.append(array.copy())
    before, after, later = states
    if np.array_equal(before, after):
        return
    if not np.array_equal(after, later) or (not array.shape and array.dtype.kind in "iu"):
        raise Failed(
            f"{variable.name} is a __device__ variable, so what one launch leaves in it the next one finds: "
            "set it back, or count in a variable of the kernel."
        )
    array[...] = before


@dataclass(frozen=True, kw_only=True)
class _Moved(PieceCase):
    """The same arrays, side by side in the other order, at odd multiples of so many bytes."""

    boundary: int

    def copies(self) -> dict[str, Any]:
        """Return copies of the arguments for one launch, laid out in one larger array."""
        found = super().copies()
        arrays = [name for name in reversed(found) if isinstance(found[name], np.ndarray)]
        twice = 2 * self.boundary
        room = np.empty(sum(found[name].nbytes + twice for name in arrays), np.uint8)
        # The simulator counts the alignment of a tile from where its memory begins, as if that were a sector's beginning.
        start, end = 0 if self.boundary == SECTOR else room.ctypes.data, 0
        for name in arrays:
            value = found[name]
            begin = end + (self.boundary - start - end) % twice
            end = begin + value.nbytes
            found[name] = room[begin:end].view(value.dtype).reshape(value.shape)
            found[name][...] = value
        return found


def _launched(answer: Attempt, case: PieceCase, what: str) -> None:
    def launch(*at: Any) -> None:
        answer.kernel(*at, checks=True, step_limit=trial.STEP_LIMIT)

    try:
        trial.launched(answer, case, launch)
    except Failed as failed:
        raise Failed(
            f"The results depend on {what}, and are to depend on the arguments only: {failed}",
            error=failed.found.get("error"),
        ) from None
