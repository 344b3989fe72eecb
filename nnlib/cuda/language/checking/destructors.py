"""Destructors, which only the host runs: which functions end an object, and what has no end that is known here."""

from __future__ import annotations

from nnlib.cuda.language.checking.context import Context
from nnlib.cuda.language.checking.lvalues import is_lvalue
from nnlib.cuda.language.diagnostics import Unsupported
from nnlib.cuda.language.tree import Ending, Expr, Position
from nnlib.cuda.language.types import Array, Struct, Type, size_of


def endings(context: Context, kind: Type) -> list[Ending]:
    """(offset, function) of what ends such an object: its own destructor, then those of its members, last first."""
    if isinstance(kind, Array):
        inner = endings(context, kind.element)
        count = kind.length or 0 if inner else 0
        return [(k * size_of(kind.element) + offset, function) for k in reversed(range(count))
                for offset, function in inner]
    if not isinstance(kind, Struct) or kind not in context.classes:
        return []
    own = context.classes[kind].destructor
    found: list[Ending] = []
    if own is not None:
        own.used = True
        own.check()
        found.append((0, own.function))
    for field in reversed(kind.fields):
        found += [(field.offset + offset, function) for offset, function in endings(context, field.type)]
    return found


def endless(context: Context, at: Position, kind: Type, what: str, instead: str) -> None:
    """Complain about an object with a destructor, of which nobody here knows when it ends."""
    if endings(context, kind):
        raise Unsupported(at, f"{what} with a destructor", instead)


def named(context: Context, value: Expr) -> Expr:
    """The value, which is no object with a destructor that has no name."""
    if not is_lvalue(value):
        endless(context, value.at, value.type, "an object without a name", "give it one: type name(arguments);")
    return value
