"""Prints LLVM's assembly language: lanes are vectors of as many as the processor takes at once.

First used in lesson 07.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from ..code import COMPARE, FLOATS, IN_REGISTER, WIDTH, Emitter, Local, Value

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
_OPERATORS = {"sar": "ashr", "shr": "lshr"}
_UNARY = {"abs": "fabs", "nearest": "nearbyint"}
_TYPED = {  # what only lists its operands
    "neg": "fneg",
    "select": "select",
    "extract": "extractelement",
    "insert": "insertelement",
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
        """Return the text of the module."""
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

    def emit(self, op: str, kind: str, lanes: int, *values: Value) -> Value:
        to, operands = _type(kind, lanes), list(map(_typed, values))
        given = ", ".join(operands)
        match op:
            case "iota":
                return Value(self, kind, lanes, f"<{', '.join(f'i32 {k}' for k in range(lanes))}>")
            case "splat":
                one = self._get(f"insertelement {to} poison, {given}, i32 0", kind, lanes)
                every = f"<{lanes} x i32> zeroinitializer"
                text = f"shufflevector {_typed(one)}, {to} poison, {every}"
            case "not":
                return self.binary("xor", values[0], self.constant("b", True))
            case "any" | "all":
                name = f"llvm.vector.reduce.{'or' if op == 'any' else 'and'}"
                return self._call(f"{name}.v{values[0].lanes}i1", kind, 1, operands)
            case "word":
                bits = f"i{values[0].lanes}"
                word = self._get(f"bitcast {given} to {bits}", kind)
                text = f"zext {bits} {word.ref} to i32"
            case "signed" | "unsigned":
                return self._converted(op[0], kind, values[0])
            case "bits":
                text = f"bitcast {given} to {to}"
            case _ if op in _TYPED:
                text = f"{_TYPED[op]} {given}"
            case _ if len(values) == 1:
                name = f"llvm.{_UNARY.get(op, op)}.{_suffix(kind, lanes)}"
                return self._call(name, kind, lanes, operands)
            case _:
                return self._binary(op, kind, *values)
        return self._get(text, kind, lanes)

    def _binary(self, op: str, kind: str, a: Value, b: Value) -> Value:
        is_float, b = a.kind in FLOATS, self.wide(b, a.lanes)
        if op in COMPARE or op[1:] in COMPARE:
            text = (
                f"fcmp {'une' if op == 'ne' else 'o' + op}"
                if is_float
                else f"icmp {_PREDICATES.get(op, op)}"
            )
        elif a.kind == "i32" and a.lanes > 1 and op[1:] in ("div", "rem") and b.constant is None:
            return self._divided_as_doubles(op, a, b)
        else:
            text = f"f{op}" if is_float else _OPERATORS.get(op, op)
        return self._get(f"{text} {_typed(a)}, {_plain(b)}", kind, a.lanes)

    def _divided_as_doubles(self, op: str, a: Value, b: Value) -> Value:
        """Divide all lanes at once, which processors can do with doubles only: exact for integers of 32 bits."""
        top, below = (self.convert(value, "f64", op[0] == "u") for value in (a, b))
        quotient = self._binary("div", "f64", top, below)
        text = f"fpto{op[0]}i {_typed(quotient)} to {_type('i32', a.lanes)}"
        whole = self._get(text, "i32", a.lanes)
        if op[1:] == "div":
            return whole
        return self._binary("sub", "i32", a, self._binary("mul", "i32", whole, b))

    def _converted(self, sign: str, kind: str, a: Value) -> Value:
        if a.kind in FLOATS and kind not in FLOATS:
            name = f"llvm.fpto{sign}i.sat.{_suffix(kind, a.lanes)}.{_suffix(a.kind, a.lanes)}"
            return self._call(name, kind, a.lanes, [_typed(a)])
        if a.kind in FLOATS:
            name = "fpext" if kind == "f64" else "fptrunc"
        elif kind in FLOATS:
            name = f"{sign}itofp"
        else:
            name = "trunc" if kind == "i32" else "zext" if sign == "u" else "sext"
        return self._get(f"{name} {_typed(a)} to {_type(kind, a.lanes)}", kind, a.lanes)

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

    def _resized(self, name: str, value: Value, kind: str) -> Value:
        to = _type(kind, value.lanes)
        return self._get(f"{name} {_typed(value)} to {to}", kind, value.lanes)

    def _address(self, kind: str, base: Value, numbers: Value, widen: str = "zext") -> Value:
        wide = self._resized(widen, numbers, "i64")
        text = f"getelementptr {_TYPES[kind]}, {_typed(base)}, {_typed(wide)}"
        return self._get(text, "ptr", numbers.lanes)

    def _widened(self, value: Value, kind: str) -> Value:
        if kind not in IN_REGISTER:
            return value
        return self._resized("zext" if kind[0] == "u" else "sext", value, "i32")

    def _narrowed(self, value: Value, kind: str) -> str:
        return _typed(self._resized("trunc", value, kind) if kind in IN_REGISTER else value)

    def load(self, kind: str, base: Value, number: Value, lanes: int) -> Value:
        address = self._address(kind, base, number)
        text = f"load {_type(kind, lanes)}, {_typed(address)}, align {WIDTH[kind]}"
        return self._widened(self._get(text, kind, lanes), kind)

    def store(self, kind: str, base: Value, number: Value, value: Value) -> None:
        address = self._address(kind, base, number)
        self._do(f"store {self._narrowed(value, kind)}, {_typed(address)}, align {WIDTH[kind]}")

    def load_masked(self, kind: str, base: Value, number: Value, mask: Value) -> Value:
        return self._read("load", "p0", kind, self._address(kind, base, number, "sext"), mask)

    def gather(self, kind: str, base: Value, numbers: Value, mask: Value) -> Value:
        addresses = self._address(kind, base, numbers)
        return self._read("gather", f"v{mask.lanes}p0", kind, addresses, mask)

    def _read(self, what: str, places: str, kind: str, addresses: Value, mask: Value) -> Value:
        """Load where the mask says; places: how LLVM names the type of the addresses."""
        name = f"llvm.masked.{what}.{_suffix(kind, mask.lanes)}.{places}"
        nothing = f"{_type(kind, mask.lanes)} zeroinitializer"
        given = [_typed(addresses), f"i32 {WIDTH[kind]}", _typed(mask), nothing]
        return self._widened(self._call(name, kind, mask.lanes, given), kind)

    def scatter(self, kind: str, base: Value, numbers: Value, value: Value, mask: Value) -> None:
        lanes, addresses = numbers.lanes, self._address(kind, base, numbers)
        name = f"llvm.masked.scatter.{_suffix(kind, lanes)}.v{lanes}p0"
        given = [
            self._narrowed(value, kind),
            _typed(addresses),
            f"i32 {WIDTH[kind]}",
            _typed(mask),
        ]
        self._declare(name, "void", given)
        self._do(f"call void @{name}({', '.join(given)})")

    # --- control --------------------------------------------------------------------------

    def _end(self, text: str, following: str = "") -> None:
        """Write what ends a stretch of code, and the label of the next one."""
        self._do(text)
        self._lines.append(f"{following or self._fresh('L')}:")

    def _begin(self, label: str) -> None:
        self._end(f"br label %{label}", label)

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
        self._end(f"br {_typed(condition)}, label %{then}, label %{other}", then)
        self._ends.append((other, end))
        yield
        other, end = self._ends.pop()
        if other:
            self._begin(other)
        self._begin(end)

    def otherwise(self) -> None:
        other, end = self._ends[-1]
        self._end(f"br label %{end}", other)
        self._ends[-1] = "", end

    def branch(self, label: str) -> None:
        self._end(f"br label %{label}")

    def _branch_if(self, condition: Value, label: str) -> None:
        following = self._fresh("L")
        self._end(f"br {_typed(condition)}, label %{label}, label %{following}", following)

    def leave(self, fault: Value) -> None:
        self._end(f"ret {_typed(fault)}")


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
