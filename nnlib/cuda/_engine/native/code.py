"""Typed values of one or several lanes, and the operations on them: the interface between lowering and a target's printer.

A printer implements the methods that begin with an underscore and those without a body here; what folds, widens or is
known beforehand is settled in this file, once for all targets. First used in lesson 07.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ..language.refusal import Refusal

LARGEST = 60_000  # operations of one kernel; a compiler takes seconds for more

# Bytes in memory
WIDTH = {"i8": 1, "u8": 1, "i16": 2, "u16": 2, "i32": 4, "f32": 4, "i64": 8, "f64": 8, "ptr": 8}
BITS = {"i32": 32, "i64": 64}
FLOATS = ("f32", "f64")
# What narrow kinds are computed in
IN_REGISTER = {"i8": "i32", "u8": "i32", "i16": "i32", "u16": "i32"}


def _operator(op: str) -> Callable[[Value, Value | float], Value]:
    return lambda a, b: a.code.binary(op, a, b)


def _test(op: str) -> Callable[[Value, Value | float], Value]:
    return lambda a, b: a.code.compare(op, a, b)


@dataclass(eq=False, slots=True)
class Value:
    """A value of one lane, or of each of several. Operators on values write the operation; `>>` keeps the sign.

    code: where it is written. kind: "b", "i32", "i64", "f32", "f64" or "ptr". ref: how the printer names it. constant:
    if it is known. spread: what a whole number consists of, where that is known.
    """

    code: Emitter
    kind: str
    lanes: int = 1
    ref: Any = None
    constant: int | float | None = None
    spread: Spread | None = None

    __add__, __sub__, __mul__ = map(_operator, ("add", "sub", "mul"))
    __and__, __or__, __xor__ = map(_operator, ("and", "or", "xor"))
    __lshift__, __rshift__ = map(_operator, ("shl", "sar"))
    __lt__, __le__, __gt__, __ge__ = map(_test, ("lt", "le", "gt", "ge"))
    equals, differs = map(_test, ("eq", "ne"))

    def __invert__(self) -> Value:
        code, known = self.code, self.constant
        return (
            code.emit("not", "b", self.lanes, self)
            if known is None
            else code.constant("b", not known)
        )


class Spread(NamedTuple):
    """An integer as the sum of what all lanes share and what each lane has for its own.

    Both are written when they are asked for: inside a loop, the second is often the same in all iterations.
    step: the difference between a lane's own part and the one before it, beginning with 0; None where that varies.
    """

    shared: Callable[[], Value]
    own: Callable[[], Value]
    step: int | None


@dataclass(eq=False)
class Local:
    """A variable of the generated code."""

    code: Emitter
    kind: str
    lanes: int
    ref: Any

    @property
    def value(self) -> Value:
        """Return the variable's value at this point of the code; assigning sets it from here on."""
        return self.code.get(self)

    @value.setter
    def value(self, value: Value | float) -> None:
        given = value if isinstance(value, Value) else self.code.constant(self.kind, value)
        self.code.set(self, given)


_FOLD: dict[str, Callable[[int, int], int]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
}
COMPARE = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
_NEUTRAL = {
    ("add", 0),
    ("sub", 0),
    ("mul", 1),
    ("or", 0),
    ("xor", 0),
    ("shl", 0),
    ("sar", 0),
    ("shr", 0),
    ("sdiv", 1),
    ("udiv", 1),
}
_SHIFTS = ("shl", "sar", "shr")
_COMMUTES = ("add", "mul", "and", "or", "xor")


def wrapped(value: int, bits: int) -> int:
    """Return a value as a signed number of that many bits."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


class Emitter(ABC):
    """Writes one function `run(arguments, first block, last block, scratch) -> fault`.

    lane_counts: how many lanes the target can take, best first. rows: kinds of which it loads that many neighbours at
    once; masked_rows: of which it does so for some of the lanes.
    """

    lane_counts: tuple[int, ...] = (1,)
    rows: frozenset[str] = frozenset()
    masked_rows: frozenset[str] = frozenset()
    arguments: tuple[Value, Value, Value, Value]

    def __init__(self) -> None:
        self.operations = 0

    def count(self) -> None:
        """Count one more operation. Raises Refusal when there are too many."""
        self.operations += 1
        if self.operations > LARGEST:
            raise Refusal("code that is too long to compile")

    # --- values ---------------------------------------------------------------------------

    def constant(self, kind: str, value: float) -> Value:
        if kind in BITS:
            value = wrapped(int(value), BITS[kind])
        return Value(self, kind, constant=bool(value) if kind == "b" else value)

    def word(self, value: int) -> Value:
        return self.constant("i32", value)

    def wide(self, a: Value, lanes: int) -> Value:
        assert a.lanes in (1, lanes), "lanes that differ where none may"
        return a if a.lanes == lanes else self.emit("splat", a.kind, lanes, a)

    def counting(self, first: Value, lanes: int) -> Value:
        """Return first, first + 1, ..., one for each lane."""
        if lanes == 1:
            return first
        total = self.emit("add", "i32", lanes, self.wide(first, lanes), self._iota(lanes))
        return replace(total, spread=Spread(lambda: first, lambda: self._iota(lanes), 1))

    def _iota(self, lanes: int) -> Value:
        """Return 0, 1, 2, ..., one for each lane."""
        return self.emit("iota", "i32", lanes)

    def argument(self, kind: str, slot: int) -> Value:
        """Return the argument in a slot; each slot has 8 bytes."""
        return self.load(
            kind, self.arguments[0], self.word(slot if WIDTH[kind] == 8 else 2 * slot), 1
        )

    def variable(self, value: Value, lanes: int = 1) -> Local:
        """Make a variable that begins with a value."""
        slot = self.slot(value.kind, lanes)
        slot.value = value
        return slot

    @contextmanager
    def counted(self, end: int, step: int = 1) -> Iterator[Value]:
        """Write a loop over 0, step, ... below a known end, which runs at least once."""
        number = self.variable(self.word(0))
        with self.loop() as again:
            yield number.value
            number.value = following = number.value + step
            self.branch_if(following < end, again)

    # --- arithmetic -----------------------------------------------------------------------

    def binary(self, op: str, a: Value, given: Value | float) -> Value:
        """Write a binary operation: add sub mul div sdiv udiv srem urem and or xor shl sar shr; of truths and, or, xor."""
        b = self._like(a, given)
        if a.kind == "b":
            return self._joined(op, a, b)
        if a.kind in BITS:
            known = self._known(op, a, b)
            if known is not None:
                return known
        if op in _SHIFTS and a.lanes > b.lanes:
            return self.emit(op, a.kind, a.lanes, a, b)
        if op in ("sdiv", "srem") and a.kind == "i32" and b.constant is not None and b.constant > 1:
            return self._divided(op, a, int(b.constant))
        return replace(self._matched(op, a.kind, a, b), spread=self._spread_of(op, a, b))

    def _matched(self, op: str, kind: str, *values: Value) -> Value:
        """Emit an operation on as many lanes as one of the values has."""
        lanes = max(value.lanes for value in values)
        return self.emit(op, kind, lanes, *(self.wide(value, lanes) for value in values))

    def _like(self, a: Value, b: Value | float) -> Value:
        """Return a value, or a constant of the same kind as `a` in place of a number."""
        return b if isinstance(b, Value) else self.constant(a.kind, b)

    def _known(self, op: str, a: Value, b: Value) -> Value | None:
        x, y = a.constant, b.constant
        if x is not None and y is not None:
            result = folded(op, int(x), int(y), BITS[a.kind])
            return None if result is None else self.constant(a.kind, result)
        if (op, y) in _NEUTRAL:
            return a
        if op in _COMMUTES and (op, x) in _NEUTRAL:
            return b
        if (op == "mul" and 0 in (x, y)) or (op in ("srem", "urem") and y == 1):
            return self.constant(a.kind, 0)
        if op in ("udiv", "urem") and y is not None and y > 0 and int(y) & (int(y) - 1) == 0:
            shift = int(y).bit_length() - 1
            return self.binary("shr", a, shift) if op == "udiv" else a & int(y) - 1
        return None

    def _spread_of(self, op: str, a: Value, b: Value) -> Spread | None:
        if a.kind != "i32" or op not in ("add", "sub", "mul") or a.lanes == b.lanes == 1:
            return None
        x, y = self.spread(a), self.spread(b)
        if op != "mul":
            step = None if x.step is None or y.step is None else folded(op, x.step, y.step, 32)
            return Spread(
                lambda: self.binary(op, x.shared(), y.shared()),
                lambda: self.binary(op, x.own(), y.own()),
                step,
            )
        if a.lanes == b.lanes:
            return None
        many, factor = (x, b) if b.lanes == 1 else (y, a)
        by = factor.constant
        return Spread(
            lambda: self.binary(op, many.shared(), factor),
            lambda: self.binary(op, many.own(), factor),
            None if many.step is None or by is None else many.step * int(by),
        )

    def spread(self, a: Value) -> Spread:
        """Return the parts of an integer."""
        zero = self.word(0)
        if a.lanes == 1:
            return Spread(lambda: a, lambda: zero, 0)
        return a.spread or Spread(lambda: zero, lambda: a, None)

    def first(self, a: Value) -> Value:
        """Return the value of lane 0."""
        shared, _, step = self.spread(a)
        return self.extract(a, 0) if step is None else shared()

    def compare(self, op: str, a: Value, given: Value | float) -> Value:
        """Write a comparison: eq ne lt le gt ge, of integers also ult ule ugt uge. NaN is only `ne`."""
        b = self._like(a, given)
        if a.constant is not None and b.constant is not None:
            x, y = a.constant, b.constant
            if op[0] == "u":
                x, y = (int(v) & ((1 << BITS[a.kind]) - 1) for v in (x, y))
            return self.constant("b", COMPARE[op.removeprefix("u")](x, y))
        return self._matched(op, "b", a, b)

    def _joined(self, op: str, a: Value, b: Value) -> Value:
        known, other = (a, b) if a.constant is not None else (b, a)
        if known.constant is None or op == "xor":
            return self._matched(op, "b", a, b)
        return other if bool(known.constant) is (op == "and") else known

    def select(self, condition: Value, a: Value, given: Value | float) -> Value:
        b = self._like(a, given)
        if condition.constant is not None:
            return a if condition.constant else b
        return self._matched("select", a.kind, condition, a, b)

    def convert(self, a: Value, kind: str, unsigned: bool = False) -> Value:
        """Convert a value. Floats are truncated and clamped, NaN becomes 0. unsigned: applies to the side that is an integer."""
        if a.kind == kind:
            return a
        if kind == "b":
            return a.differs(0)
        if a.constant is not None and kind in BITS and a.kind not in FLOATS:
            return self.constant(
                kind, int(a.constant) & (1 << BITS.get(a.kind, 1)) - 1 if unsigned else a.constant
            )
        if a.constant is not None and kind in FLOATS and 0 <= a.constant < 2**24:
            return self.constant(kind, float(np.float32(a.constant)))
        if a.kind == "b":
            return self._matched("select", kind, a, self.constant(kind, 1), self.constant(kind, 0))
        return self.emit("unsigned" if unsigned else "signed", kind, a.lanes, a)

    def bits(self, a: Value, kind: str) -> Value:
        """Reinterpret the bits of a value as another kind."""
        return a if a.kind == kind else self.emit("bits", kind, a.lanes, a)

    def unary(self, op: str, a: Value) -> Value:
        """Write a unary operation: neg abs sqrt floor ceil trunc nearest."""
        return self.emit(op, a.kind, a.lanes, a)

    def extract(self, a: Value, lane: int) -> Value:
        return a if a.lanes == 1 else self.emit("extract", a.kind, 1, a, self.word(lane))

    def insert(self, a: Value, lane: int, value: Value) -> Value:
        return self.emit("insert", a.kind, a.lanes, a, value, self.word(lane))

    def any(self, mask: Value) -> Value:
        return mask if mask.lanes == 1 else self.emit("any", "b", 1, mask)

    def all(self, mask: Value) -> Value:
        return mask if mask.lanes == 1 else self.emit("all", "b", 1, mask)

    def word_of(self, mask: Value) -> Value:
        """Pack a mask into a word, a bit for each lane."""
        if mask.lanes == 1:
            return self.convert(mask, "i32")
        return self.emit("word", "i32", 1, mask)

    def branch_if(self, condition: Value, label: Any) -> None:
        if condition.constant is None or condition.constant:
            self._branch_if(condition, label)

    # --- what a target prints -----------------------------------------------------------------

    @abstractmethod
    def emit(self, op: str, kind: str, lanes: int, *values: Value) -> Value:
        """Emit an operation that gives a value of this kind in each of so many lanes.

        op: one of `binary`, `compare` and `unary`; "not"; "select" of a condition and two values; "signed", "unsigned":
        a conversion; "bits". Shifts may move all lanes by one value. "splat", "iota", "extract" and "insert" with the
        number of the lane; of masks "any", "all" and "word".
        """

    def _divided(self, op: str, a: Value, by: int) -> Value:
        """Write the quotient or remainder of a division by a known number, at least 2."""
        return self._matched(op, "i32", a, self.constant("i32", by))

    @abstractmethod
    def slot(self, kind: str, lanes: int) -> Local: ...

    @abstractmethod
    def get(self, slot: Local) -> Value: ...

    @abstractmethod
    def set(self, slot: Local, value: Value) -> None:
        """Store one value, or one for each lane."""

    @abstractmethod
    def offset(self, base: Value, by: int) -> Value:
        """Return the address `by` bytes behind an argument, known in the whole function."""

    @abstractmethod
    def load(self, kind: str, base: Value, number: Value, lanes: int) -> Value:
        """Load the element of that number, and for several lanes those behind it."""

    def load_masked(self, kind: str, base: Value, number: Value, mask: Value) -> Value:
        """Load neighbouring elements for the lanes of the mask; other lanes are 0.

        number: of the first element, which may be negative.
        """
        raise NotImplementedError

    @abstractmethod
    def store(self, kind: str, base: Value, number: Value, value: Value) -> None: ...

    @abstractmethod
    def gather(self, kind: str, base: Value, numbers: Value, mask: Value) -> Value:
        """Load the elements of these numbers in the lanes of the mask."""

    @abstractmethod
    def scatter(self, kind: str, base: Value, numbers: Value, value: Value, mask: Value) -> None:
        """Store the lanes of the mask, in their order."""

    @abstractmethod
    def block(self) -> AbstractContextManager[Any]:
        """Open a block whose label is its end."""

    @abstractmethod
    def loop(self) -> AbstractContextManager[Any]:
        """Open a block whose label is its beginning."""

    @abstractmethod
    def when(self, condition: Value) -> AbstractContextManager[Any]: ...

    @abstractmethod
    def otherwise(self) -> None:
        """Begin the other side of `when`."""

    @abstractmethod
    def branch(self, label: Any) -> None: ...

    @abstractmethod
    def _branch_if(self, condition: Value, label: Any) -> None: ...

    @abstractmethod
    def leave(self, fault: Value) -> None:
        """End the launch."""

    @abstractmethod
    def finish(self) -> Any:
        """Return what the runtime loads."""


def folded(op: str, x: int, y: int, bits: int) -> int | None:
    """Compute an operation on two known integers; return None where the machine has to."""
    whole = (1 << bits) - 1
    if op in _FOLD:
        return _FOLD[op](x, y)
    if op in ("shl", "sar", "shr"):
        y &= bits - 1
        return x << y if op == "shl" else x >> y if op == "sar" else (x & whole) >> y
    if y == 0 or op == "div":
        return None
    if op in ("udiv", "urem"):
        return (x & whole) // (y & whole) if op == "udiv" else (x & whole) % (y & whole)
    quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    return quotient if op == "sdiv" else x - quotient * y
