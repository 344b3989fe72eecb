"""Leaves out branches that no thread of a launch takes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .. import tree
from ..walking import nodes_of
from .nodes import CanonicalLoop, InlinedBody
from .ranges import Ranges


def pruned(s: Any, ranges: Ranges) -> Any:
    """Return a statement without those sides of an `if` that the known range of its condition excludes.

    A condition that reads memory stays: the read may be out of bounds.
    """
    match s:
        case tree.Block(statements=statements):
            return replace(s, statements=[pruned(one, ranges) for one in statements])
        case CanonicalLoop(body=body) | InlinedBody(body=body):
            return replace(s, body=pruned(body, ranges))
        case tree.If(condition=condition, then=then, otherwise=otherwise):
            found = ranges.values.get(id(condition))
            reads = any(nodes_of(tree.Index | tree.Dereference, condition))
            if found and found.low == found.high and not reads:
                return pruned(then if found.low else otherwise or tree.Block(s.at, []), ranges)
            return replace(s, then=pruned(then, ranges), otherwise=pruned(otherwise, ranges))
    return s
