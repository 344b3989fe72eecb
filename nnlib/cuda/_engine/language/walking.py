"""Walks over the checked tree, and what they look for. Lesson 01."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from typing import Any

from . import tree
from .types import Pointer

BESIDE = ("at", "type", "function", "counter")  # fields that may hold a node which is not inside
PLAIN = ("str", "int", "bool", "Variable")  # what holds none
LEAVING = tree.Return | tree.Break | tree.Continue


@functools.cache
def _parts(kind: type) -> tuple[str, ...] | None:
    """Return the fields of a kind of node in which others may be, the last one first; None for what is no node."""
    if not issubclass(kind, tree.Expr | tree.Stmt | tree.SwitchCase | tree.InitializerList):
        return None
    return tuple(
        field.name
        for field in dataclasses.fields(kind)
        if field.name not in BESIDE and field.type not in PLAIN
    )[::-1]


def nodes(item: Any) -> Iterator[Any]:
    """Yield all tree nodes in item, itself first."""
    left = [item]  # the next one last
    while left:
        item = left.pop()
        if (names := _parts(item.__class__)) is not None:
            yield item
            for name in names:
                left.append(getattr(item, name))  # noqa: PERF401  a comprehension takes half as long again
        elif isinstance(item, list | tuple):
            left += item[::-1]


def nodes_of(kind: Any, item: Any) -> Iterator[Any]:
    """Yield all tree nodes of a kind, or of one of several, in item, which may be a result of `inside`."""
    found = item if item.__class__ is tuple else nodes(item)
    return (node for node in found if isinstance(node, kind))


def variables_in(item: Any) -> set[tree.Variable]:
    """Return the variables that a tree names."""
    return {node.variable for node in nodes_of(tree.Name, item)}


@functools.lru_cache(maxsize=128)
def inside(function: tree.Function) -> tuple[Any, ...]:
    """Return all nodes of a checked function, which no longer changes; the result is cached, as many ask for it."""
    return tuple(nodes(function.body))


def children(node: Any) -> Iterator[Any]:
    """Yield the tree nodes directly inside of one."""
    left = [getattr(node, name) for name in _parts(node.__class__) or ()]
    while left:
        item = left.pop()
        if isinstance(item, list | tuple):
            left += item[::-1]
        elif _parts(item.__class__) is not None:
            yield item


def is_volatile(place: Any) -> bool:
    """Return whether this is an lvalue that the program calls volatile."""
    match place:
        case tree.Name(variable):
            return variable.volatile
        case tree.Dereference(pointer) | tree.Index(pointer) if isinstance(pointer.type, Pointer):
            return pointer.type.volatile
        case tree.Index(base) | tree.Member(base):
            return is_volatile(base)
    return False


def always_leaves(s: tree.Stmt) -> bool:
    """Return whether no thread comes out at the end of the statement."""
    if isinstance(s, tree.Block):
        return any(map(always_leaves, s.statements))
    return isinstance(s, LEAVING)
