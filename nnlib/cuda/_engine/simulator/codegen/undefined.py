"""Operations that C leaves undefined for some numbers: done by the machine, which looks at the numbers first."""

from __future__ import annotations

from ...language import tree
from ...language.types import INT, Type
from ..functions import arithmetic
from .code import Code
from .python import (
    PyConstant,
    PyExpr,
)
from .writer import RT, M, Writer, base_scalar, scalar

_SMALL = range(-1024, 1025)  # numbers that are hardly ever what makes a sum or product too large


def watched(
    code: Code, op: str, left: PyExpr, right: PyExpr, type: Type, at: tree.Position
) -> PyExpr | None:
    """Return a shift, or where operations are counted a sum or product of ints, that is looked at; None for others."""
    known = right.value if isinstance(right, PyConstant) else None
    if op in ("<<", ">>") and code.checks and known not in range(8 * scalar(type).size):
        return RT.method("shifted", left, right, M, code.site(at, type, op))
    if op in "+-*" and code.counts and type == INT and known not in _SMALL:
        return RT.method("exact", left, right, M, code.site(at, type, op))
    return None


def is_defined(e: tree.Binary, divides: bool, checks: bool) -> bool:
    """Return whether any thread may do the operation, also one that the program does not let come to it.

    divides: it may be a division by a number that is known. checks: shifts are looked at.
    """
    known = e.right.value if isinstance(e.right, tree.Literal) else None
    if e.op in ("<<", ">>"):
        return not checks or known in range(8 * scalar(e.type).size)
    return e.op not in "/%" or base_scalar(e.type).is_float or (divides and bool(known))


def divided(
    code: Code, writer: Writer, op: str, left: PyExpr, right: PyExpr, at: tree.Position
) -> PyExpr:
    """Return an integer quotient or remainder, for which no thread divides by zero."""
    right = writer.atom(right)
    if code.checks and not (isinstance(right, PyConstant) and right.value):
        writer.do(RT.method("check_divisor", right, M, code.site(at, None, op)))
    function = arithmetic.quotient if op == "/" else arithmetic.remainder
    return code.helper(function)(left, right)
