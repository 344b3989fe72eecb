"""Rewrite constructs of C as simpler ones: compound assignment, short circuits and switch.

Native code, WebGPU and the host's code all take these meanings from here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..tree import (
    Binary,
    Block,
    CompoundAssign,
    Conditional,
    Convert,
    Expr,
    If,
    Literal,
    Logical,
    PointerOffset,
    Stmt,
    Switch,
    Unary,
)
from ..types import BOOL, INT, Pointer
from .nodes import CanonicalLoop


def updated(e: CompoundAssign, old: Expr, value: Expr) -> Expr:
    """Return the new value of the target of +=, ++ and the like. old: its value before; value: the right operand."""
    if isinstance(e.type, Pointer):
        return PointerOffset(e.at, e.type, old, value)
    kind = e.compute_type
    return converted(Binary(e.at, kind, e.op, converted(old, kind), value), e.type)


def converted(e: Expr, kind: Any) -> Expr:
    """Convert a value to a type, unless it has that type."""
    return e if e.type == kind else Convert(e.at, kind, e)


def evaluates_right(e: Logical, left: Expr) -> Expr:
    """Return the condition under which && or || evaluates its right operand. left: the value of the left operand."""
    return left if e.op == "&&" else Unary(e.at, BOOL, "!", left)


def case_number(s: Switch, value: Expr) -> Expr:
    """Return the index of the case at which a switch starts; the number of cases if none matches.

    value: what the switch compares; it is evaluated once per case, so it must be free of side effects.
    """
    default = next((k for k, case in enumerate(s.cases) if case.value is None), len(s.cases))
    number: Expr = Literal(s.at, INT, default)
    for k, case in enumerate(s.cases):
        if case.value is not None:
            same = Binary(s.at, BOOL, "==", value, Literal(s.at, value.type, case.value))
            number = Conditional(s.at, INT, same, Literal(s.at, INT, k), number)
    return number


def cases(s: Switch, chosen: Expr, normalize: Callable[[Stmt], Stmt]) -> CanonicalLoop:
    """Return a switch as a loop of one iteration: its `break` leaves the loop, and cases fall through to the next one.

    chosen: index of the first case that runs, from `case_number`. normalize: brings the body of a case to normal form.
    """
    bodies: list[Stmt] = []
    for k, case in enumerate(s.cases):
        runs = Binary(s.at, BOOL, "<=", chosen, Literal(s.at, INT, k))
        bodies.append(If(s.at, runs, normalize(Block(s.at, case.body))))
    return CanonicalLoop(
        s.at,
        Literal(s.at, BOOL, False),
        Block(s.at, bodies),
        None,
        tests_first=False,
        switch=True,
    )
