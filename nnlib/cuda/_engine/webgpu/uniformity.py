"""Which values every thread of a block has alike, as WGSL proves it: memory is not trusted, unless nothing writes it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ..language import tree
from ..language.normal.nodes import assigned_quietly
from ..language.types import Pointer, Scalar
from ..native.lowering.varying import Varying

WITHIN = ("operand", "base", "pointer")  # what names the memory that an lvalue or pointer is in


class Uniformity(Varying):
    """read_only: parameters and module variables whose memory no thread changes."""

    def __init__(self, body: tree.Stmt, read_only: Collection[tree.Variable]) -> None:
        self._read_only = read_only
        super().__init__(body, lambda axis: True)

    def __call__(self, e: Any) -> bool:
        if isinstance(e, tree.Index | tree.Dereference) and not self._is_constant(e):
            return True
        if isinstance(e, tree.Name) and e.variable.space in ("shared", "global"):
            return True
        return super().__call__(e)

    def _is_constant(self, e: Any) -> bool:
        """Return whether an lvalue lies in memory that nothing changes."""
        while not isinstance(e, tree.Name) or e.variable in self._aliases:
            if isinstance(e, tree.Name):
                e = self._aliases[e.variable]
                continue
            within = [part for name in WITHIN if (part := getattr(e, name, None)) is not None]
            if not within:
                return False
            e = within[0]
        return e.variable in self._read_only

    def is_uniform(self, s: Any) -> bool:
        """Return whether a statement does the same in all threads, and nothing to memory."""
        variable = assigned_quietly(s)
        return (
            variable is not None
            and variable not in self.variables
            and variable.space == "local"
            and isinstance(variable.type, Scalar | Pointer)
        )
