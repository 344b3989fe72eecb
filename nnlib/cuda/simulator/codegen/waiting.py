"""Flags: what a loop waits for by volatile reads.

The guide promises little of volatile, but the GPU's own memory model calls such accesses relaxed atomics, and kernels
from before cuda::atomic wait for each other with them. Where a text does, its volatile accesses are taken for that:
they race with plain ones only, and what a fence covers is told through them.
"""

from __future__ import annotations

from typing import Any

from nnlib.cuda.language import tree
from nnlib.cuda.language.types import Pointer
from nnlib.cuda.simulator.codegen.pointer_flow import nodes


def is_volatile(place: Any) -> bool:
    """Is it an lvalue that the text calls volatile?"""
    match place:
        case tree.Name(variable=variable):
            return variable.volatile
        case tree.Dereference(pointer=pointer) | tree.Index(base=pointer) if isinstance(pointer.type, Pointer):
            return pointer.type.volatile
        case tree.Index(base=base) | tree.Member(base=base):
            return is_volatile(base)
    return False


def waits_for_flags(functions: list[tree.Function]) -> bool:
    """Whether a loop goes on until a volatile read tells otherwise."""
    return any(_waits(node) for function in functions for node in nodes(function.body)
               if isinstance(node, tree.While | tree.DoWhile | tree.For))


def _waits(loop: Any) -> bool:
    read = {node.target.variable for node in nodes(loop.body) if isinstance(node, tree.Assign)
            and isinstance(node.target, tree.Name) and any(map(is_volatile, nodes(node.value)))}
    return any(is_volatile(node) or isinstance(node, tree.Name) and node.variable in read
               for node in nodes(loop.condition))
