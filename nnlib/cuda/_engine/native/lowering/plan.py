"""Decide where a kernel with barriers is cut, and which variables live on from one part to the next.

A part is a row of statements that every thread runs without waiting. What only its own thread needs again later is kept
in memory; what is the same for the whole block, and counted outside of the parts, in one variable.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...language.normal.nodes import (
    CanonicalLoop,
    Collective,
    assigned_quietly,
    changed,
    is_quiet,
    waits,
)
from ...language.refusal import Refusal
from ...language.tree import Block, Break, Continue, Declare, Expr, If, Name, Variable
from ...language.types import Array, Pointer, Scalar
from ...language.walking import children, nodes, nodes_of
from .constants import Constants, Sizes
from .varying import Varying

_BLOCK = -1  # in place of the number of a part


class Plan:
    """The split of a kernel with barriers: which statements run as parts, and which variables outlive a part.

    differs: among all threads of the block. kept: variables that every thread stores from part to part.
    recomputed: variables that are cheaper to compute anew in each part.
    """

    def __init__(self, body: Block, block: Sizes, constants: Constants) -> None:
        self.body, self.constants = body, constants
        # Other threads read it
        given = {
            operand.variable
            for node in nodes_of(Collective, body)
            for operand in node.operands
            if isinstance(operand, Name)
        }
        self.recomputed = {
            variable: value
            for variable, value in constants.fixed.items()
            if isinstance(variable.type, Scalar | Pointer)
            and value is not None
            and variable not in given
        }
        self._keep_quiet()
        forced: set[Variable] = set()
        self._shared: set[Variable] = set()
        while True:
            self.differs = Varying(body, lambda axis: block["xyz".index(axis)] > 1, forced)
            self._parts: dict[Variable, set[int]] = {}
            self._changed: set[Variable] = set()
            self._count = 0
            self._level(body.statements)
            across = {
                variable
                for variable, parts in self._parts.items()
                if (len(parts) > 1 or _BLOCK in parts) and variable not in self.recomputed
            }
            uniform = {
                variable
                for variable in across
                if variable not in self.differs.variables
                and variable.space == "local"
                and isinstance(variable.type, Scalar | Pointer)
            }
            inside = uniform & self._changed
            if uniform == self._shared and not inside:
                break
            if uniform == self._shared:
                forced |= inside
            self._shared = uniform
        for variable, parts in self._parts.items():
            if (
                len(parts) > 1
                and isinstance(variable.type, Pointer)
                and self.differs.led(Name(variable.at, variable.type, variable)) is not None
            ):
                raise Refusal("a pointer to a local variable that is used across barriers")
        self.kept = {variable for variable in across - uniform if variable.space == "local"}

    def _keep_quiet(self) -> None:
        """Drop what memory or other variables have a part in."""
        size = -1
        while size != len(self.recomputed):
            size = len(self.recomputed)
            self.recomputed = {
                variable: value
                for variable, value in self.recomputed.items()
                if isinstance(value, Expr)
                and is_quiet(value)
                and all(self._stays(node) for node in nodes(value))
            }

    def _stays(self, node: Any) -> bool:
        return (
            not isinstance(node, Name)
            or node.variable in self.recomputed
            or (
                node.variable.space == "parameter"
                or (isinstance(node.variable.type, Array) and node.variable.space != "local")
            )
        )

    # --- the parts ------------------------------------------------------------------------

    def is_part(self, s: Any) -> bool:
        """Return whether a statement runs without waiting, and stays in its loop."""
        return not waits(s) and not jumps_out(s)

    def for_block(self, s: Any) -> bool:
        """Return whether a statement only changes a variable that all threads share and several parts need."""
        return assigned_quietly(s) in self._shared

    def is_recomputed(self, s: Any) -> bool:
        return isinstance(s, Declare) and s.variable in self.recomputed

    def _level(self, statements: Iterable[Any]) -> None:
        self._count += 1
        for s in statements:
            if self.is_recomputed(s):
                continue
            if self.is_part(s):
                if self.for_block(s):
                    self._note(s, _BLOCK)
                    self._count += 1
                else:
                    self._note(s, self._count)
                    self._changed |= set(changed(s)) | {
                        node.variable for node in nodes_of(Declare, s)
                    }
                continue
            self._count += 1
            if isinstance(s, Block):
                self._level(s.statements)
            elif isinstance(s, If):
                self._condition(s.condition)
                for part in (s.then, s.otherwise):
                    if part is not None:
                        self._level([part])
            elif isinstance(s, CanonicalLoop):
                self._level([s.body])
                self._level(s.before)
                if s.condition is not None:
                    self._condition(s.condition)
                self._level([] if s.step is None else [s.step])
            elif isinstance(s, Collective):
                self._note(s, self._count)
                self._parts.setdefault(s.result, set()).add(self._count)
            self._count += 1

    def _condition(self, e: Expr) -> None:
        self._count += 1
        self._note(e, self._count if self.differs(e) else _BLOCK)

    def _note(self, node: Any, part: int) -> None:
        for inside in nodes(node):
            if not isinstance(inside, Name | Declare):
                continue
            variable = inside.variable
            self._parts.setdefault(variable, set()).add(part)
            if variable in self.recomputed:
                self._note(self.recomputed[variable], part)


def jumps_out(s: Any, inside: bool = False) -> bool:
    """Return whether a break or continue inside a statement leaves a loop around it."""
    if isinstance(s, Break | Continue):
        return not (inside and isinstance(s, Break))
    if isinstance(s, Expr) or (isinstance(s, CanonicalLoop) and not s.switch):
        return False
    return any(jumps_out(child, inside or isinstance(s, CanonicalLoop)) for child in children(s))
