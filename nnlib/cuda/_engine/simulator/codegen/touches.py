"""What a compiler knows of values and memory: names for values, where accesses go, and which values are in registers.

Two expressions whose values have the same name are equal, as far as a compiler can see. A value is a tuple. Whole
numbers are sums, (SUM, number, {(part, factor)}), so that s[2 * t] and s[2 * t + 1] are known to be neighbours; a
pointer is (POINTER, root, bytes behind it); anything else says how it was made. What nobody can know more about is
`(NEW, k)`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ...language.tree import Expr, Variable
from ...language.types import Pointer
from ..memory.spaces import READ, WRITE, Kept

Value = tuple[Any, ...]
SUM, POINTER, POINTEE, NEW = "sum", "pointer", "pointee", "new"


def number(value: int) -> Value:
    return SUM, value, frozenset()


ZERO = number(0)


def added(one: Value, other: Value, factor: int = 1) -> Value:
    """Return one + factor * other, of integers."""
    total, parts = _as_sum(one)
    more, others = _as_sum(other)
    for part, times in others.items():
        parts[part] = parts.get(part, 0) + factor * times
    total += factor * more
    left = {part: times for part, times in parts.items() if times}
    if not total and list(left.values()) == [1]:
        return next(iter(left))
    return SUM, total, frozenset(left.items())


def multiplied(one: Value, other: Value) -> Value:
    for a, b in ((one, other), (other, one)):
        if a[0] == SUM and not a[2]:
            return added(ZERO, b, a[1])
    return ("*", *sorted((one, other), key=repr))


def known(value: Value) -> int | None:
    """Return the number, if it is one."""
    return value[1] if value[0] == SUM and not value[2] else None


def _as_sum(value: Value) -> tuple[int, dict[Value, int]]:
    return (value[1], dict(value[2])) if value[0] == SUM else (0, {value: 1})


class Values:
    """Makes new values, and knows how old each is."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self.last = 0
        self._born: dict[Value, int] = {}

    def new(self) -> Value:
        self.last = next(self._numbers)
        return NEW, self.last

    def born(self, value: Any) -> int:
        """Return the number of the youngest new value in a value: one that is older than a loop does not change in the loop."""
        if value.__class__ is frozenset:
            return max((self.born(part) for part, _ in value), default=0)
        if value.__class__ is not tuple:
            return 0
        if value[0] == NEW:
            return int(value[1])
        found = self._born.get(value)
        if found is None:
            found = self._born[value] = max((self.born(part) for part in value[1:]), default=0)
        return found


@dataclass(frozen=True)
class Spot:
    """The target of an access: `size` bytes, `offset` behind a root.

    root: a variable, (POINTEE, variable) for what a parameter points to, or the value of some other pointer.
    """

    root: Any
    offset: Value
    size: int

    @property
    def space(self) -> str:
        """shared, local, global, or "" where it may be any."""
        if self.root.__class__ is tuple:
            return "global" if self.root[0] == POINTEE else ""
        space: str = self.root.space
        return {"parameter": "local", "constant": "global"}.get(space, space)

    @property
    def is_alone(self) -> bool:
        """Return whether no other pointer and no other thread leads there."""
        if self.root.__class__ is tuple:
            return bool(self.root[0] == POINTEE and self.root[1].restrict)
        return self.space == "local"


def may_overlap(one: Spot, other: Spot) -> bool:
    """Return whether a compiler must take two accesses for accesses of the same memory."""
    if one.root == other.root:
        distance = known(added(one.offset, other.offset, -1))
        return distance is None or -one.size < distance < other.size
    if (one.space and other.space and one.space != other.space) or one.is_alone or other.is_alone:
        return False
    declared = [spot.root for spot in (one, other) if spot.root.__class__ is not tuple]
    return len(declared) < 2 or all(variable.dynamic for variable in declared)


@dataclass
class Touched:
    """One access, as the walk meets it.

    spot: None for anything in memory that is neither local nor __restrict__. always: it happens in every iteration of the
    loop around it.
    """

    kind: str
    spot: Spot | None
    node: Expr | None
    always: bool


@dataclass
class Known:
    """The values that are known at one point of the walk: of variables, and of memory held in registers."""

    variables: dict[Variable, Value] = field(default_factory=dict)
    held: dict[Spot, Value] = field(default_factory=dict)
    # Stored, and not to be read by anybody yet
    unseen: dict[Spot, Expr] = field(default_factory=dict)

    def copy(self) -> Known:
        return Known(dict(self.variables), dict(self.held))


class RegisterWalk:
    """State and history of the walk.

    trial: a loop is walked through to see what it changes; nothing is decided. always: the code runs whenever the loop
    around it iterates. verdicts: (expression, READ or WRITE) -> what was said of it each time that it was met.
    """

    def __init__(self) -> None:
        self.values, self.state = Values(), Known()
        self.touches: list[Touched] = []
        self.verdicts: dict[tuple[Expr, str], set[Kept | None]] = {}
        self.trial = False
        self.always = True

    def load(self, spot: Spot, node: Expr) -> Value:
        value = self.state.held.get(spot)
        if value is not None:
            self.decide(node, READ, Kept("register"))
            return value
        self.decide(node, READ, None)
        self.touches.append(Touched(READ, spot, node, self.always))
        self.state.unseen = {
            other: by for other, by in self.state.unseen.items() if not may_overlap(spot, other)
        }
        value = self.values.new()
        if isinstance(node.type, Pointer):
            value = POINTER, value, ZERO
        self.state.held[spot] = value
        return value

    def store(self, spot: Spot, value: Value, node: Expr | None) -> None:
        touch = Touched(WRITE, spot, node, self.always)
        self._forget(touch)
        self.decide(node, WRITE, None)
        if spot in self.state.unseen:
            self.decide(self.state.unseen[spot], WRITE, Kept("register"), instead=True)
        if node is not None:
            self.state.unseen[spot] = node
        self.touches.append(touch)
        self.state.held[spot] = value

    def _forget(self, touch: Touched) -> None:
        self.state.held = {
            spot: value for spot, value in self.state.held.items() if not changes(touch, spot)
        }

    def clobber(self) -> None:
        """Note that others may have written anything."""
        touch = Touched(WRITE, None, None, self.always)
        self._forget(touch)
        self.state.unseen = {}
        self.touches.append(touch)

    def decide(
        self, node: Expr | None, kind: str, kept: Kept | None, instead: bool = False
    ) -> None:
        """Record what becomes of an access.

        instead: it replaces what was recorded when the access was met, and for loops further inside.
        """
        if self.trial or node is None:
            return
        found = self.verdicts.setdefault((node, kind), set())
        if instead:
            found -= {other for other in found if other is None or other.why == "loop"}
        found.add(kept)

    @contextmanager
    def touches_apart(self) -> Iterator[list[Touched]]:
        outer, self.touches = self.touches, []
        yield self.touches
        self.touches = outer

    def joined(self, states: list[Known]) -> Known:
        first, *others = states
        for other in others:
            for variable in {*first.variables, *other.variables}:
                one = first.variables.get(variable)
                if one != other.variables.get(variable) or one is None:
                    first.variables[variable] = self.values.new()
            first.held = {
                spot: value for spot, value in first.held.items() if other.held.get(spot) == value
            }
        return first

    @contextmanager
    def sometimes(self) -> Iterator[None]:
        always, self.always = self.always, False
        yield
        self.always = always


def changes(touch: Touched, spot: Spot) -> bool:
    """Return whether the value at a spot may differ after an access."""
    if touch.kind != WRITE:
        return False
    return not spot.is_alone if touch.spot is None else may_overlap(touch.spot, spot)
