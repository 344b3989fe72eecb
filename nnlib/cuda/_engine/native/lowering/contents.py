"""Find what in a kernel depends on the contents of memory, by a fixed point over its normal form."""

from __future__ import annotations

from typing import Any

from ...language import tree
from ...language.normal.nodes import CanonicalLoop, Collective
from ...language.types import Pointer
from ...language.walking import nodes
from .varying import Varying


class FromMemory(Varying):
    """Answers whether a value comes out of memory that threads share, or from another thread."""

    def __init__(self, body: tree.Block) -> None:
        super().__init__(body, lambda axis: False)

    def __call__(self, e: Any) -> bool:
        return _in_memory(e) or super().__call__(e)


def places_are_fixed(body: tree.Block) -> bool:
    """Return whether launches with equal sizes and numbers touch the same addresses, whatever memory holds."""
    loaded = FromMemory(body)
    return not any(
        isinstance(node, Collective) or any(map(loaded, _deciding(node))) for node in nodes(body)
    )


def _in_memory(e: Any) -> bool:
    match e:
        case tree.Dereference() | tree.Index(tree.Expr(type=Pointer())):
            return True
        case tree.Name(variable):
            return variable.space in ("shared", "global", "constant") and not isinstance(
                variable.type, Pointer
            )
    return False


def _deciding(node: Any) -> list[tree.Expr]:
    """Return what decides where the kernel continues, or which address it uses."""
    match node:
        case tree.If(first) | tree.Conditional(first) | tree.Logical(left=first):
            return [first]
        case CanonicalLoop(condition=condition):
            return [] if condition is None else [condition]
        case tree.Dereference(pointer):
            return [pointer]
        case tree.Index(base, index):
            return [index, *([base] if isinstance(base.type, Pointer) else [])]
        case tree.IntrinsicCall("assert", arguments):
            return arguments
    return []
