"""The nodes of a normal tree that the checked tree does not have, and questions about normal trees.

An expression changes nothing, so it may be evaluated again, or not at all where it is `is_quiet`:

| expression | of those in the checked tree |
|---|---|
| Literal, BuiltinIndex, StringLiteral | as they are |
| Name, Index, Dereference, Member | loads, and lvalues |
| Unary, Binary, Convert, Decay, AddressOf, PointerOffset, PointerDifference, Build | of normal expressions |
| Logical, Conditional | only one of the sides is evaluated |
| IntrinsicCall | of one thread and without effects; with effects alone in a Declare or ExprStmt |
| Act | only on the host: evaluated once, and nothing that it may change is evaluated after it |

There is no Assign, CompoundAssign, Comma, Temporary and Call: they have become statements.

| statement | |
|---|---|
| Block, If, Break, Continue | as they are; what a Block declares stays known behind it |
| Declare | with a normal expression, a list of them, or nothing |
| Store | target = value |
| ExprStmt | a call with effects, or a load that is not used but has to be allowed |
| CanonicalLoop | in place of LoopStmt and Switch |
| InlinedBody | in place of a call; Return leaves it |
| Return | without a value: that has been stored; on the host with a normal one |
| Barrier, Collective | what threads do together |

Each call has variables of its own, so whatever is found out about one says nothing of the other. Every node keeps its
place in the source.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Any

from ..tree import (
    AddressOf,
    Binary,
    Decay,
    Declare,
    Dereference,
    Expr,
    Index,
    IntrinsicCall,
    Literal,
    Member,
    Name,
    Stmt,
    Variable,
)
from ..types import Array, Pointer, Scalar
from ..walking import nodes, nodes_of
from ..written import bare


class Act(Expr):
    """name(arguments) in the host's Python, which may change anything. A list among them becomes a tuple."""

    name: Any
    arguments: list[Any]


class Store(Stmt):
    """target = value; the value comes first."""

    __match_args__ = ("target", "value")
    target: Expr
    value: Expr


class CanonicalLoop(Stmt):
    """The only loop of the normal form.

    before: runs before each test. condition: None for an endless loop. tests_first: False for a do loop.
    step: runs after each iteration, also after `continue`. counter: for a `for`, the declaration right before it.
    switch: it runs once, and `continue` leaves it.
    """

    condition: Expr | None
    body: Stmt
    step: Stmt | None
    tests_first: bool = True
    counter: Declare | None = None
    switch: bool = False
    before: list[Stmt] = field(default_factory=list)


class InlinedBody(Stmt):
    """The body of a function that is called here; `return` goes on behind it."""

    body: Stmt


class Barrier(Stmt):
    """All threads of the block, or of the warp, come here before any goes on."""


class Collective(Stmt):
    """A function of the warp or block: every thread contributes the values of `operands`, then `result` is known.

    lanes: how many threads take part.
    """

    name: str
    operands: list[Expr]
    result: Variable
    lanes: int = 32


def waits(node: Any) -> bool:
    """Return whether a node contains statements that all threads reach together."""
    return any(nodes_of(Barrier | Collective, node))


def root(e: Any) -> Variable | None:
    """Return the variable that an lvalue is, or is part of; None for what a pointer leads to."""
    while not isinstance(e, Name):
        if (isinstance(e, Index) and not isinstance(e.base.type, Pointer)) or isinstance(e, Member):
            e = e.base
        else:
            return None
    return e.variable


def assigned_quietly(s: Any) -> Variable | None:
    """Return the variable that a statement declares, or stores as a whole, if its value is quiet or missing."""
    match s:
        case Declare(variable, value) | Store(Name(variable), value):
            if value is None or (isinstance(value, Expr) and is_quiet(value)):
                return variable
    return None


def is_local_array(variable: Variable) -> bool:
    return isinstance(variable.type, Array) and variable.space in ("local", "parameter")


def changed(node: Any) -> Iterator[Variable]:
    """Yield the variables that are assigned inside of a node, directly or through a pointer to them."""
    for part in nodes(node):
        if isinstance(part, Store):
            variable = root(part.target)
            if variable is not None:
                yield variable
        elif isinstance(part, AddressOf | Decay):
            variable = root(part.operand)
            if variable is not None and variable.space != "shared":
                yield variable
        elif isinstance(part, Collective):
            yield part.result


def acts(e: Expr) -> bool:
    """Return whether a normal expression changes something, as only the host's do."""
    return any(nodes_of(Act, e))


def changes_memory(node: Any) -> bool:
    """Return whether a pointer may lead to another value after this node."""
    return any(
        (
            isinstance(part, Store)
            and not (isinstance(part.target, Name) and not part.target.variable.address_taken)
        )
        or isinstance(part, Collective | Act)
        or (isinstance(part, IntrinsicCall) and has_effect(part))
        for part in nodes(node)
    )


def has_effect(e: IntrinsicCall) -> bool:
    """Return whether a call changes memory, or returns another value each time."""
    return (
        e.name.startswith("atomic")
        or e.name == "rand"
        or (
            not isinstance(e.type, Scalar)
            and not e.name.startswith(("make_", "cooperative_groups::"))
        )
    )


def is_quiet(e: Any) -> bool:
    """Return whether an expression touches no memory and cannot fail, so that it may be evaluated where it is not needed."""
    return not any(
        isinstance(node, Index | Dereference | IntrinsicCall | Act)
        or (isinstance(node, Binary) and node.op in "/%" and not _divides(node.right))
        or (
            isinstance(node, Name)
            and not isinstance(node.variable.type, Array)
            and node.variable.space in ("shared", "global", "constant")
        )
        for node in nodes(e)
    )


def _divides(e: Expr) -> bool:
    e = bare(e)
    return (isinstance(e, Literal) and e.value not in (0, -1)) or (
        isinstance(e.type, Scalar) and e.type.is_float
    )
