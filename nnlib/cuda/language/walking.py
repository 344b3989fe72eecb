"""Walks over the checked tree, for whatever looks for something in it. Lesson 01."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from typing import Any

from nnlib.cuda.language import tree

BESIDE = ("at", "type", "function", "counter")  # fields that may hold a node which is not inside


@functools.cache
def _parts(kind: type) -> tuple[str, ...]:
    """Fields of a kind of node in which others may be."""
    if not issubclass(kind, tree.Expr | tree.Stmt | tree.SwitchCase | tree.InitializerList):
        return ()
    return tuple(field.name for field in dataclasses.fields(kind) if field.name not in BESIDE)


def nodes(item: Any) -> Iterator[Any]:
    """All tree nodes in item, itself first."""
    left = [item]  # the next one last
    while left:
        item = left.pop()
        if isinstance(item, list | tuple):
            left += item[::-1]
        elif names := _parts(item.__class__):
            yield item
            left += [getattr(item, name) for name in reversed(names)]


def children(node: Any) -> Iterator[Any]:
    """The tree nodes directly inside of one."""
    left = [getattr(node, name) for name in reversed(_parts(node.__class__))]
    while left:
        item = left.pop()
        if isinstance(item, list | tuple):
            left += item[::-1]
        elif _parts(item.__class__):
            yield item
