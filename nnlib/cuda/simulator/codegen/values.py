"""Names for values: two expressions with the same name have the same value, as far as a compiler can see.

A value is a tuple. Whole numbers are sums, (SUM, number, {(part, factor)}), so that s[2 * t] and s[2 * t + 1] are known
to be neighbours; a pointer is (POINTER, root, bytes behind it); anything else says how it was made. What nobody can
know more about is `(NEW, k)`.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

Value = tuple
SUM, POINTER, POINTEE, NEW = "sum", "pointer", "pointee", "new"


def number(value: int) -> Value:
    return SUM, value, frozenset()


ZERO = number(0)


def added(one: Value, other: Value, factor: int = 1) -> Value:
    """one + factor * other, of whole numbers."""
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
    """The number, if it is one."""
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
        """Number of the youngest new value in it: what is older than a loop does not change in the loop."""
        if value.__class__ is frozenset:
            return max((self.born(part) for part, _ in value), default=0)
        if value.__class__ is not tuple:
            return 0
        if value[0] == NEW:
            return value[1]
        found = self._born.get(value)
        if found is None:
            found = self._born[value] = max((self.born(part) for part in value[1:]), default=0)
        return found


@dataclass(frozen=True)
class Spot:
    """Where an access goes: `size` bytes, `offset` behind a root.

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
        return {"parameter": "local", "constant": "global"}.get(self.root.space, self.root.space)

    @property
    def is_alone(self) -> bool:
        """Nothing else leads there: no other pointer and no other thread."""
        if self.root.__class__ is tuple:
            return self.root[0] == POINTEE and self.root[1].restrict
        return self.space == "local"


def may_overlap(one: Spot, other: Spot) -> bool:
    """Whether a compiler must take two accesses for accesses of the same memory."""
    if one.root == other.root:
        distance = known(added(one.offset, other.offset, -1))
        return distance is None or -one.size < distance < other.size
    if one.space and other.space and one.space != other.space or one.is_alone or other.is_alone:
        return False
    declared = [spot.root for spot in (one, other) if spot.root.__class__ is not tuple]
    return len(declared) < 2 or all(variable.dynamic for variable in declared)
