"""Loops that count: how their variables move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import tree
from ..walking import nodes_of
from .nodes import CanonicalLoop, Store

JUMPS = (tree.Break, tree.Continue, tree.Return)


def stored_in(node: Any) -> Iterator[Store]:
    """Yield the stores inside of a node."""
    return nodes_of(Store, node)


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


def counter(s: CanonicalLoop) -> tuple[tree.Variable, str, tree.Expr] | None:
    """Return the variable that each iteration of a loop moves in its step, and how."""
    steps = s.step.statements if isinstance(s.step, tree.Block) else [s.step]
    store = next((one for one in steps if isinstance(one, Store)), None)
    moved = None if store is None else step_of(store)
    if store is None or moved is None:
        return None
    assert isinstance(store.target, tree.Name)
    return store.target.variable, *moved
