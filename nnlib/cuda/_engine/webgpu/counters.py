"""Loops that count: how their variables move, and whether they end."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..language import tree
from ..language.normal.nodes import CanonicalLoop, Store, root
from ..language.walking import nodes
from .intervals import MIRRORED, Interval

JUMPS = (tree.Break, tree.Continue, tree.Return)


def stored_in(node: Any) -> Iterable[Store]:
    return (part for part in nodes(node) if isinstance(part, Store))


def unconverted(e: Any) -> Any:
    """Return what an expression converts, however often."""
    while isinstance(e, tree.Convert):
        e = e.operand
    return e


def step_of(store: Store) -> tuple[str, tree.Expr] | None:
    """Return how a store moves its variable, as ("+", by); None where it does something else."""
    value = unconverted(store.value)
    moved = value.pointer if isinstance(value, tree.PointerOffset) else getattr(value, "left", None)
    left = unconverted(moved)
    if (
        not isinstance(left, tree.Name)
        or not isinstance(store.target, tree.Name)
        or left.variable is not store.target.variable
    ):
        return None
    if isinstance(value, tree.PointerOffset):
        return "+", value.index
    return (value.op, value.right) if isinstance(value, tree.Binary) else None


def ends(s: CanonicalLoop, stored: Iterable[Store], value: Callable[[tree.Expr], Interval]) -> bool:
    """Return whether every iteration moves a counter towards a limit that stays."""
    moving = {root(store.target) for store in stored}
    step = next(iter(stored_in(s.step)), None) if s.step is not None else None
    if (
        step is None
        or not isinstance(step.target, tree.Name)
        or not isinstance(s.condition, tree.Binary)
    ):
        return False
    variable = step.target.variable
    moved = step_of(step)
    sides = [s.condition.left, s.condition.right]
    own = [
        any(n.variable is variable for n in nodes(side) if isinstance(n, tree.Name))
        for side in sides
    ]
    if moved is None or sum(own) != 1 or any(root(o.target) is variable for o in stored_in(s.body)):
        return False
    limit = sides[own.index(False)]
    if any(
        isinstance(n, tree.Name)
        and n.variable in moving
        or isinstance(n, tree.Index | tree.Dereference)
        for n in nodes(limit)
    ):
        return False
    op = s.condition.op if own[0] else MIRRORED.get(s.condition.op, "")
    by = value(moved[1])
    rises = moved[0] == "+" and by[0] >= 1 or moved[0] == "*" and by[0] >= 2
    falls = (
        moved[0] == "-" and by[0] >= 1 or moved[0] in ("/", ">>") and by[0] >= 1 + (moved[0] == "/")
    )
    return rises and op in ("<", "<=") or falls and op in (">", ">=", "!=")
