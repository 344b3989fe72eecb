"""What constructs of C mean in terms of simpler ones: one answer for native code, loops of the host, and its Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import tree
from ..types import BOOL, INT, Pointer
from .nodes import CanonicalLoop


def updated(e: tree.CompoundAssign, old: tree.Expr, value: tree.Expr) -> tree.Expr:
    """What += or ++ makes of an old value."""
    if isinstance(e.type, Pointer):
        return tree.PointerOffset(e.at, e.type, old, value)
    kind = e.compute_type
    return converted(tree.Binary(e.at, kind, e.op, converted(old, kind), value), e.type)


def converted(e: tree.Expr, kind: Any) -> tree.Expr:
    """The value in another type, if it is one."""
    return e if e.type == kind else tree.Convert(e.at, kind, e)


def goes_on(e: tree.Logical, left: tree.Expr) -> tree.Expr:
    """Whether the right operand decides."""
    return left if e.op == "&&" else tree.Unary(e.at, BOOL, "!", left)


def case_number(s: tree.Switch, value: tree.Expr) -> tree.Expr:
    """The number of the first case of a switch that runs; that behind the last one if none does."""
    default = next((k for k, case in enumerate(s.cases) if case.value is None), len(s.cases))
    number: tree.Expr = tree.Literal(s.at, INT, default)
    for k, case in enumerate(s.cases):
        if case.value is not None:
            same = tree.Binary(s.at, BOOL, "==", value, tree.Literal(s.at, value.type, case.value))
            number = tree.Conditional(s.at, INT, same, tree.Literal(s.at, INT, k), number)
    return number


def cases(
    s: tree.Switch, chosen: tree.Expr, part: Callable[[tree.Stmt], tree.Stmt]
) -> CanonicalLoop:
    """A loop that runs once: each case does if it is not before the chosen one. part: what becomes of a case."""
    bodies: list[tree.Stmt] = []
    for k, case in enumerate(s.cases):
        runs = tree.Binary(s.at, BOOL, "<=", chosen, tree.Literal(s.at, INT, k))
        bodies.append(tree.If(s.at, runs, part(tree.Block(s.at, case.body))))
    return CanonicalLoop(
        s.at,
        tree.Literal(s.at, BOOL, False),
        tree.Block(s.at, bodies),
        None,
        tests_first=False,
        switch=True,
    )
