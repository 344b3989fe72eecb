"""What constructs of C mean in terms of simpler ones: one answer for native code, loops of the host, and its Python."""

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
    """Return the value that += or ++ computes from an old one."""
    if isinstance(e.type, Pointer):
        return PointerOffset(e.at, e.type, old, value)
    kind = e.compute_type
    return converted(Binary(e.at, kind, e.op, converted(old, kind), value), e.type)


def converted(e: Expr, kind: Any) -> Expr:
    """Convert a value to a type, unless it has that type."""
    return e if e.type == kind else Convert(e.at, kind, e)


def goes_on(e: Logical, left: Expr) -> Expr:
    """Return the condition under which the right operand of && or || decides."""
    return left if e.op == "&&" else Unary(e.at, BOOL, "!", left)


def case_number(s: Switch, value: Expr) -> Expr:
    """Return the number of the first case of a switch that runs; the number of cases if none does."""
    default = next((k for k, case in enumerate(s.cases) if case.value is None), len(s.cases))
    number: Expr = Literal(s.at, INT, default)
    for k, case in enumerate(s.cases):
        if case.value is not None:
            same = Binary(s.at, BOOL, "==", value, Literal(s.at, value.type, case.value))
            number = Conditional(s.at, INT, same, Literal(s.at, INT, k), number)
    return number


def cases(s: Switch, chosen: Expr, part: Callable[[Stmt], Stmt]) -> CanonicalLoop:
    """Return a loop that runs once, in which a case runs unless it comes before the chosen one.

    part: normalises the body of a case.
    """
    bodies: list[Stmt] = []
    for k, case in enumerate(s.cases):
        runs = Binary(s.at, BOOL, "<=", chosen, Literal(s.at, INT, k))
        bodies.append(If(s.at, runs, part(Block(s.at, case.body))))
    return CanonicalLoop(
        s.at,
        Literal(s.at, BOOL, False),
        Block(s.at, bodies),
        None,
        tests_first=False,
        switch=True,
    )
