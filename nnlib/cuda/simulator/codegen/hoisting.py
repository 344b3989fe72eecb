"""What does not change in a loop is computed once before it, as a compiler does.

That also keeps the very object: a vector of indices that stays for many turns is looked at once (see index.py).
Counters are those of the text: an operation is booked where it is written.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from nnlib.cuda.language import tree
from nnlib.cuda.simulator.codegen import python
from nnlib.cuda.simulator.codegen.pointer_flow import nodes
from nnlib.cuda.simulator.codegen.python import Assign, Expr, Name


@dataclass
class Loop:
    """room: what is computed before the loop. changed: variables that may have another value in the next turn."""

    room: python.Block
    changed: frozenset[tree.Variable]
    known: dict[str, Name] = field(default_factory=dict)  # text -> its name in the room


class Loops:
    """The loops around what is being written, and how far out of them an expression can be computed."""

    def __init__(self) -> None:
        self.around: list[Loop] = []
        self._level: int | None = None  # while something that goes out of loops is written: where to
        self._temporaries = 0

    @property
    def level(self) -> int:
        """How many loops are around what is being written."""
        return len(self.around) if self._level is None else self._level

    def level_of(self, e: tree.Expr) -> int:
        """How many of the loops around must stay around e."""
        used = {node.variable for node in nodes(e) if isinstance(node, tree.Name)}
        for level in range(len(self.around), 0, -1):
            if not used.isdisjoint(self.around[level - 1].changed):
                return level
        return 0

    @contextmanager
    def outside(self, level: int) -> Iterator[None]:
        """What is written will be computed before the loop of that level."""
        inner, self._level = self._level, level
        yield
        self._level = inner

    @contextmanager
    def inside(self, room: python.Block, changed: frozenset[tree.Variable]) -> Iterator[None]:
        self.around.append(Loop(room, changed))
        yield
        self.around.pop()

    def put_before(self, level: int, value: Expr) -> Name:
        """The value, computed before the loop of that level."""
        loop = self.around[level]
        text = str(value)
        if text not in loop.known:
            self._temporaries += 1
            name = loop.known[text] = Name(f"_kept{self._temporaries}")
            loop.room.add(Assign(value, name))
        return loop.known[text]


def changed_in(*parts: tree.Stmt | tree.Expr | None) -> frozenset[tree.Variable]:
    """Variables that are declared or assigned there."""
    found = set()
    for node in nodes(list(parts)):
        if isinstance(node, tree.Declare):
            found.add(node.variable)
        elif isinstance(node, tree.Assign | tree.CompoundAssign | tree.Increment):
            target = node.target
            while isinstance(target, tree.Member):
                target = target.base
            if isinstance(target, tree.Name):
                found.add(target.variable)
    return frozenset(found)
