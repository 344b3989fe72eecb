"""Prints LLVM's assembly language: lanes are vectors of as many as the processor takes at once.

First used in lesson 07.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from ..code import FLOATS, IN_REGISTER, WIDTH, Emitter, Local, Value

_TYPES = {
    "b": "i1",
    "i8": "i8",
    "u8": "i8",
    "i16": "i16",
    "u16": "i16",
    "i32": "i32",
    "i64": "i64",
    "f32": "float",
    "f64": "double",
    "ptr": "ptr",
}
_SUFFIX = _TYPES | {"f32": "f32", "f64": "f64"}
_PREDICATES = {"lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge"}
_UNARY = {
    "abs": "fabs",
    "sqrt": "sqrt",
    "floor": "floor",
    "ceil": "ceil",
    "trunc": "trunc",
    "nearest": "nearbyint",
}


def _type(kind: str, lanes: int = 1) -> str:
    return _TYPES[kind] if lanes == 1 else f"<{lanes} x {_TYPES[kind]}>"


class LlvmEmitter(Emitter):
    lane_counts = (1,)
    rows = frozenset(WIDTH)
    masked_rows = frozenset({"f32", "i32"})

    def __init__(self) -> None:
        super().__init__()
        self.arguments = (
            Value(self, "ptr", ref="%arguments"),
            Value(self, "i32", ref="%first"),
            Value(self, "i32", ref="%last"),
            Value(self, "ptr", ref="%scratch"),
        )
        self._lines: list[str] = []
        self._slots: list[str] = []
        self._declared: dict[str, str] = {}
        self._number = 0
        self._ends: list[tuple[str, str]] = []
        self._offsets: dict[tuple[str, int], Value] = {}

    def finish(self) -> str:
        """The module's text."""
        head = "define i32 @run(ptr %arguments, i32 %first, i32 %last, ptr %scratch) {\nentry:"
        return "\n".join(
            [head, *self._slots, *self._lines, "ret i32 0", "}", *self._declared.values(), ""]
        )

    # --- lines ----------------------------------------------------------------------------

    def _fresh(self, stem: str) -> str:
        self._number += 1
        return f"{stem}{self._number}"

    def _do(self, text: str) -> None:
        self.count()
        self._lines.append(text)

    def _get(self, text: str, kind: str, lanes: int = 1) -> Value:
        name = self._fresh("%v")
        self._do(f"{name} = {text}")
        return Value(self, kind, lanes, name)

    def _call(self, name: str, kind: str, lanes: int, values: Sequence[str]) -> Value:
        self._declare(name, _type(kind, lanes), values)
        return self._get(f"call {_type(kind, lanes)} @{name}({', '.join(values)})", kind, lanes)

    def _declare(self, name: str, result: str, values: Sequence[str]) -> None:
        types = ", ".join(value.rpartition(" ")[0] for value in values)
        self._declared[name] = f"declare {result} @{name}({types})"

    # --- values ---------------------------------------------------------------------------

    def _splat(self, a: Value, lanes: int) -> Value:
        one = self._get(
            f"insertelement {_type(a.kind, lanes)} poison, {_typed(a)}, i32 0", a.kind, lanes
        )
        return self._get(
            f"shufflevector {_typed(one)}, {_type(a.kind, lanes)} poison, <{lanes} x i32> zeroinitializer",
            a.kind,
            lanes,
        )

    def _iota(self, lanes: int) -> Value:
        return Value(self, "i32", lanes, "<" + ", ".join(f"i32 {k}" for k in range(lanes)) + ">")

    def _binary(self, op: str, a: Value, b: Value) -> Value:
        if a.kind == "i32" and a.lanes > 1 and op[1:] in ("div", "rem") and b.constant is None:
            return self._divided_as_doubles(op, a, b)
        name = "f" + op if a.kind in FLOATS else {"sar": "ashr", "shr": "lshr"}.get(op, op)
        return self._get(f"{name} {_typed(a)}, {_plain(b)}", a.kind, a.lanes)

    def _divided_as_doubles(self, op: str, a: Value, b: Value) -> Value:
        """Divide all lanes at once, which processors can do with doubles only: exact for integers of 32 bits."""
        sign, doubles = op[0], _type("f64", a.lanes)
        top, below = (
            self._get(f"{sign}itofp {_typed(value)} to {doubles}", "f64", a.lanes)
            for value in (a, b)
        )
        quotient = self._get(f"fdiv {_typed(top)}, {_plain(below)}", "f64", a.lanes)
        whole = self._get(
            f"fpto{sign}i {_typed(quotient)} to {_type('i32', a.lanes)}", "i32", a.lanes
        )
        return whole if op[1:] == "div" else self._binary("sub", a, self._binary("mul", whole, b))

    def _shift(self, op: str, a: Value, by: Value) -> Value:
        return self._binary(op, a, self.wide(by, a.lanes))

    def _compare(self, op: str, a: Value, b: Value) -> Value:
        name = (
            f"fcmp {'une' if op == 'ne' else 'o' + op}"
            if a.kind in FLOATS
            else f"icmp {_PREDICATES.get(op, op)}"
        )
        return self._get(f"{name} {_typed(a)}, {_plain(b)}", "b", a.lanes)

    def _invert(self, a: Value) -> Value:
        return self._binary("xor", a, self.wide(self.constant("b", True), a.lanes))

    def _select(self, condition: Value, a: Value, b: Value) -> Value:
        return self._get(f"select {_typed(condition)}, {_typed(a)}, {_typed(b)}", a.kind, a.lanes)

    def _convert(self, a: Value, kind: str, unsigned: bool) -> Value:
        sign = "u" if unsigned else "s"
        if a.kind in FLOATS and kind not in FLOATS:
            name = f"llvm.fpto{sign}i.sat.{_suffix(kind, a.lanes)}.{_suffix(a.kind, a.lanes)}"
            return self._call(name, kind, a.lanes, [_typed(a)])
        if a.kind in FLOATS:
            name = "fpext" if kind == "f64" else "fptrunc"
        elif kind in FLOATS:
            name = f"{sign}itofp"
        else:
            name = "trunc" if kind == "i32" else "zext" if unsigned else "sext"
        return self._get(f"{name} {_typed(a)} to {_type(kind, a.lanes)}", kind, a.lanes)

    def unary(self, op: str, a: Value) -> Value:
        if op == "neg":
            return self._get(f"fneg {_typed(a)}", a.kind, a.lanes)
        return self._call(
            f"llvm.{_UNARY[op]}.{_suffix(a.kind, a.lanes)}", a.kind, a.lanes, [_typed(a)]
        )

    def _bits(self, a: Value, kind: str) -> Value:
        return self._get(f"bitcast {_typed(a)} to {_type(kind, a.lanes)}", kind, a.lanes)

    def _extract(self, a: Value, lane: int) -> Value:
        return self._get(f"extractelement {_typed(a)}, i32 {lane}", a.kind)

    def insert(self, a: Value, lane: int, value: Value) -> Value:
        return self._get(f"insertelement {_typed(a)}, {_typed(value)}, i32 {lane}", a.kind, a.lanes)

    def _reduced(self, op: str, mask: Value) -> Value:
        return self._call(f"llvm.vector.reduce.{op}.v{mask.lanes}i1", "b", 1, [_typed(mask)])

    def _word_of(self, mask: Value) -> Value:
        name = self._fresh("%w")
        self._do(f"{name} = bitcast {_typed(mask)} to i{mask.lanes}")
        return self._get(f"zext i{mask.lanes} {name} to i32", "i32")

    # --- variables and memory ---------------------------------------------------------------

    def slot(self, kind: str, lanes: int) -> Local:
        name = self._fresh("%s")
        self._slots.append(f"{name} = alloca {_type(kind, lanes)}")
        self._slots.append(f"store {_type(kind, lanes)} zeroinitializer, ptr {name}")
        return Local(self, kind, lanes, name)

    def get(self, slot: Local) -> Value:
        return self._get(
            f"load {_type(slot.kind, slot.lanes)}, ptr {slot.ref}", slot.kind, slot.lanes
        )

    def set(self, slot: Local, value: Value) -> None:
        self._do(f"store {_typed(self.wide(value, slot.lanes))}, ptr {slot.ref}")

    def offset(self, base: Value, by: int) -> Value:
        if (base.ref, by) not in self._offsets:
            name = self._fresh("%p")
            self._slots.append(f"{name} = getelementptr i8, {_typed(base)}, i64 {by}")
            self._offsets[base.ref, by] = Value(self, "ptr", ref=name)
        return self._offsets[base.ref, by]

    def _address(self, kind: str, base: Value, numbers: Value) -> Value:
        wide = self._get(
            f"zext {_typed(numbers)} to {_type('i64', numbers.lanes)}", "i64", numbers.lanes
        )
        return self._get(
            f"getelementptr {_TYPES[kind]}, {_typed(base)}, {_typed(wide)}", "ptr", numbers.lanes
        )

    def _widened(self, value: Value, kind: str) -> Value:
        if kind not in IN_REGISTER:
            return value
        name = "zext" if kind[0] == "u" else "sext"
        return self._get(
            f"{name} {_typed(value)} to {_type('i32', value.lanes)}", "i32", value.lanes
        )

    def _narrowed(self, value: Value, kind: str) -> Value:
        if kind not in IN_REGISTER:
            return value
        return self._get(f"trunc {_typed(value)} to {_type(kind, value.lanes)}", kind, value.lanes)

    def load(self, kind: str, base: Value, number: Value, lanes: int) -> Value:
        address = self._address(kind, base, number)
        loaded = self._get(
            f"load {_type(kind, lanes)}, {_typed(address)}, align {WIDTH[kind]}", kind, lanes
        )
        return self._widened(loaded, kind)

    def store(self, kind: str, base: Value, number: Value, value: Value) -> None:
        address = self._address(kind, base, number)
        self._do(
            f"store {_typed(self._narrowed(value, kind))}, {_typed(address)}, align {WIDTH[kind]}"
        )

    def load_masked(self, kind: str, base: Value, number: Value, mask: Value) -> Value:
        wide = self._get(f"sext {_typed(number)} to i64", "i64")
        address = self._get(f"getelementptr {_TYPES[kind]}, {_typed(base)}, {_typed(wide)}", "ptr")
        lanes, nothing = mask.lanes, f"{_type(kind, mask.lanes)} zeroinitializer"
        given = [_typed(address), f"i32 {WIDTH[kind]}", _typed(mask), nothing]
        return self._call(f"llvm.masked.load.{_suffix(kind, lanes)}.p0", kind, lanes, given)

    def gather(self, kind: str, base: Value, numbers: Value, mask: Value) -> Value:
        lanes, addresses = numbers.lanes, self._address(kind, base, numbers)
        name = f"llvm.masked.gather.{_suffix(kind, lanes)}.v{lanes}p0"
        nothing = f"{_type(kind, lanes)} zeroinitializer"
        given = [_typed(addresses), f"i32 {WIDTH[kind]}", _typed(self.wide(mask, lanes)), nothing]
        return self._widened(self._call(name, kind, lanes, given), kind)

    def scatter(self, kind: str, base: Value, numbers: Value, value: Value, mask: Value) -> None:
        lanes, addresses = numbers.lanes, self._address(kind, base, numbers)
        name = f"llvm.masked.scatter.{_suffix(kind, lanes)}.v{lanes}p0"
        given = [
            _typed(self._narrowed(value, kind)),
            _typed(addresses),
            f"i32 {WIDTH[kind]}",
            _typed(self.wide(mask, lanes)),
        ]
        self._declare(name, "void", given)
        self._do(f"call void @{name}({', '.join(given)})")

    # --- control --------------------------------------------------------------------------

    def _begin(self, label: str) -> None:
        self._do(f"br label %{label}")
        self._lines.append(f"{label}:")

    @contextmanager
    def block(self) -> Iterator[str]:
        label = self._fresh("L")
        yield label
        self._begin(label)

    @contextmanager
    def loop(self) -> Iterator[str]:
        label = self._fresh("L")
        self._begin(label)
        yield label

    @contextmanager
    def when(self, condition: Value) -> Iterator[None]:
        then, other, end = self._fresh("L"), self._fresh("L"), self._fresh("L")
        self._do(f"br {_typed(condition)}, label %{then}, label %{other}")
        self._lines.append(f"{then}:")
        self._ends.append((other, end))
        yield
        other, end = self._ends.pop()
        if other:
            self._begin(other)
        self._begin(end)

    def otherwise(self) -> None:
        other, end = self._ends[-1]
        self._do(f"br label %{end}")
        self._lines.append(f"{other}:")
        self._ends[-1] = "", end

    def branch(self, label: str) -> None:
        self._do(f"br label %{label}")
        self._lines.append(f"{self._fresh('L')}:")

    def _branch_if(self, condition: Value, label: str) -> None:
        following = self._fresh("L")
        self._do(f"br {_typed(condition)}, label %{label}, label %{following}")
        self._lines.append(f"{following}:")

    def leave(self, fault: Value) -> None:
        self._do(f"ret {_typed(fault)}")
        self._lines.append(f"{self._fresh('L')}:")


def _suffix(kind: str, lanes: int) -> str:
    return _SUFFIX[kind] if lanes == 1 else f"v{lanes}{_SUFFIX[kind]}"


def _plain(value: Value) -> str:
    if value.constant is None:
        return str(value.ref)
    if value.kind == "b":
        return "true" if value.constant else "false"
    if value.kind in FLOATS:
        number = float(np.float32(value.constant)) if value.kind == "f32" else float(value.constant)
        return f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X}"
    return str(int(value.constant))


def _typed(value: Value) -> str:
    return f"{_type(value.kind, value.lanes)} {_plain(value)}"
