"""The few kinds of node that a flattened kernel has beyond those of the checked tree.

Flattened (flatten.py), a kernel calls nothing that waits for other threads inside of an expression: `Barrier` and
`Meeting` are statements. `CanonicalLoop` is every loop, `Inlined` every call. First used in lesson 07.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...language import tree
from ...language.types import Array, Pointer
from ...language.walking import nodes


@dataclass(eq=False)
class CanonicalLoop(tree.Stmt):
    """condition None: for ever. tests_first: not of do. step: after each iteration, also after `continue`.
    counter: the declaration right in front of it, of a for. switch: it runs once, and `continue` leaves it."""

    condition: tree.Expr | None
    body: tree.Stmt
    step: tree.Expr | None
    tests_first: bool = True
    counter: tree.Declare | None = None
    switch: bool = False


@dataclass(eq=False)
class Inlined(tree.Expr):
    """The body of a function in place of its call; what it returns is in `result`."""

    parameters: list[tree.Stmt]
    body: tree.Stmt
    result: tree.Variable | None


@dataclass(eq=False)
class Barrier(tree.Stmt):
    """All threads of the block, or of the warp, come here before any goes on."""


@dataclass(eq=False)
class Meeting(tree.Stmt):
    """A function of the warp or block: every thread gives the values of `operands`, then `result` is known.
    lanes: how many threads take part."""

    name: str
    operands: list[tree.Expr]
    result: tree.Variable
    lanes: int = 32


CHANGES = (tree.Assign, tree.CompoundAssign, tree.Increment)


def waits(node: Any) -> bool:
    """Are there statements in it that all threads come to?"""
    return any(isinstance(part, Barrier | Meeting) for part in nodes(node))


def root(e: Any) -> tree.Variable | None:
    """The variable that an lvalue is, or is part of; None for what a pointer leads to."""
    while not isinstance(e, tree.Name):
        if isinstance(e, tree.Index) and not isinstance(e.base.type, Pointer):
            e = e.base
        elif isinstance(e, tree.Member):
            e = e.base
        else:
            return None
    return e.variable


def is_local_array(variable: tree.Variable) -> bool:
    return isinstance(variable.type, Array) and variable.space in ("local", "parameter")


def changed(node: Any) -> Iterator[tree.Variable]:
    """Variables that are assigned inside of a node, directly or through a pointer to them."""
    for part in nodes(node):
        if isinstance(part, CHANGES):
            variable = root(part.target)
            if variable is not None:
                yield variable
        elif isinstance(part, tree.AddressOf | tree.Decay):
            variable = root(part.operand)
            if variable is not None and variable.space != "shared":
                yield variable
        elif isinstance(part, Inlined | Meeting) and part.result is not None:
            yield part.result
