"""Prints WebAssembly: one lane, or four of 32 bits with the instructions for vectors. First used in lesson 07."""

from __future__ import annotations

import functools
import itertools
import struct
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from ...language.refusal import Refusal
from ..code import IN_REGISTER, WIDTH, Emitter, Local, Value
from .encoder import (
    BEGIN,
    END,
    NUMBER,
    RETURN,
    Instruction,
    Stacking,
    assembled,
    module,
    signed,
    unsigned,
)

LANES = 4
PARAMETERS = ("ptr", "i32", "i32", "ptr")


def _numbered(first: int, names: str) -> dict[str, int]:
    return {name: first + k for k, name in enumerate(names.split())}


_TESTS = "eq ne lt ult gt ugt le ule ge uge"
_ARITHMETIC = "add sub mul sdiv udiv srem urem and or xor shl sar shr"
_FLOAT_TESTS, _FLOAT_ARITHMETIC = (
    "eq ne lt gt le ge",
    "abs neg ceil floor trunc nearest sqrt add sub mul div",
)
_SCALAR = {
    "i32": _numbered(0x46, _TESTS) | _numbered(0x6A, _ARITHMETIC),
    "i64": _numbered(0x51, _TESTS) | _numbered(0x7C, _ARITHMETIC),
    "f32": _numbered(0x5B, _FLOAT_TESTS) | _numbered(0x8B, _FLOAT_ARITHMETIC),
    "f64": _numbered(0x61, _FLOAT_TESTS) | _numbered(0x99, _FLOAT_ARITHMETIC),
}
_SCALAR = {kind: codes | {"select": 0x1B} for kind, codes in _SCALAR.items()}
_SCALAR["b"] = _SCALAR["i32"] | {"not": 0x45}
_VECTOR = {
    "i32": _numbered(0x37, _TESTS)
    | {"add": 0xAE, "sub": 0xB1, "mul": 0xB5, "and": 0x4E, "or": 0x50, "xor": 0x51}
    | {"select": 0x52, "splat": 0x11, "extract": 0x1B, "insert": 0x1C},
    "f32": _numbered(0x41, _FLOAT_TESTS)
    | _numbered(0xE0, "abs neg")
    | _numbered(0xE3, "sqrt add sub mul div")
    | _numbered(0x67, "ceil floor trunc nearest")
    | {"select": 0x52, "splat": 0x13, "extract": 0x1F, "insert": 0x20},
}
_VECTOR["b"] = _VECTOR["i32"] | {"not": 0x4D, "any": 0x53, "all": 0xA3, "word": 0xA4}
_SHIFTS = _numbered(0xAB, "shl sar shr")  # all lanes by one value
_LOADS = _numbered(0x28, "i32 i64 f32 f64 i8 u8 i16 u16")
_LOADS["ptr"] = _LOADS["i32"]
_STORES = _numbered(0x36, "i32 i64 f32 f64 i8 i16")
_CONVERSIONS = {  # to, from: signed, unsigned
    ("i32", "i64"): (b"\xa7", b"\xa7"),
    ("i64", "i32"): (b"\xac", b"\xad"),
    ("f32", "i32"): (b"\xb2", b"\xb3"),
    ("f32", "i64"): (b"\xb4", b"\xb5"),
    ("f32", "f64"): (b"\xb6", b"\xb6"),
    ("f64", "i32"): (b"\xb7", b"\xb8"),
    ("f64", "i64"): (b"\xb9", b"\xba"),
    ("f64", "f32"): (b"\xbb", b"\xbb"),
    ("i32", "f32"): (b"\xfc\0", b"\xfc\1"),
    ("i32", "f64"): (b"\xfc\2", b"\xfc\3"),
    ("i64", "f32"): (b"\xfc\4", b"\xfc\5"),
    ("i64", "f64"): (b"\xfc\6", b"\xfc\7"),
}
_VECTOR_CONVERSIONS = {("f32", "i32"): (0xFA, 0xFB), ("i32", "f32"): (0xF8, 0xF9)}
_BITS = {("i32", "f32"): 0xBC, ("i64", "f64"): 0xBD, ("f32", "i32"): 0xBE, ("f64", "i64"): 0xBF}


def _in_lanes(table: Mapping[Any, Any], key: Any) -> Any:
    """Return the entry for lanes of 32 bits. Raises Refusal for lanes of 64 bits."""
    if key not in table:
        raise Refusal("lanes of 64 bits")
    return table[key]


def _simd(code: int) -> bytes:
    return b"\xfd" + unsigned(code)


@functools.cache
def reciprocal(divisor: int) -> tuple[int, int]:
    """Return (factor, shift) with x // divisor == x * factor >> 32 + shift for 0 <= x < 2^31, and one less for x < 0.

    divisor: 2 to 2^31 - 1; for a power of two the factor is 0 and the shift its exponent. factor < 2^32. Warren,
    Hacker's Delight, section 10-1.
    """
    if divisor & divisor - 1 == 0:
        return 0, divisor.bit_length() - 1
    for shift in itertools.count():
        factor = -(-(2 ** (32 + shift)) // divisor)
        if factor * divisor - 2 ** (32 + shift) < 2 ** (shift + 1):
            return factor, shift
    raise AssertionError


class WasmEmitter(Emitter):
    lane_counts = (LANES, 1)
    rows = frozenset({"i32", "f32"})

    def __init__(self) -> None:
        super().__init__()
        self.arguments = tuple(Value(self, kind, ref=k) for k, kind in enumerate(PARAMETERS))  # type: ignore[assignment]
        self._entry: list[Instruction] = []
        self._offsets: dict[tuple[int, int], Value] = {}
        self._steps: list[Instruction] = []
        self._kinds: list[int] = []
        self._mutable: set[int] = set()
        self._depth = 0

    def finish(self) -> bytes:
        """Return the module."""
        stacking = Stacking(self._entry + self._steps, self._mutable)
        return module(PARAMETERS, *assembled(stacking, len(PARAMETERS), self._kinds))

    # --- the stack ------------------------------------------------------------------------

    def _local(self, kind: str, lanes: int) -> int:
        if lanes > 1:
            _in_lanes(_VECTOR, kind)
        self._kinds.append(NUMBER["vector" if lanes > 1 else kind])
        return len(PARAMETERS) + len(self._kinds) - 1

    def _push(self, *values: Value) -> None:
        for value in values:
            if value.constant is None:
                self._steps.append(Instruction("get", value.ref))
            else:
                self._do(_literal(value), 0)

    def _do(self, code: bytes, takes: int, gives: bool = True, loads: bool = False) -> None:
        self.count()
        self._steps.append(
            Instruction("operation", code=code, takes=takes, gives=gives, loads=loads)
        )

    def _pop(self, kind: str, lanes: int = 1) -> Value:
        local = self._local(kind, lanes)
        self._steps.append(Instruction("set", local))
        return Value(self, kind, lanes, local)

    def _operation(self, code: bytes | int, kind: str, lanes: int, *values: Value) -> Value:
        self._push(*values)
        self._do(code if isinstance(code, bytes) else bytes([code]), len(values))
        return self._pop(kind, lanes)

    # --- values ---------------------------------------------------------------------------

    def emit(self, op: str, kind: str, lanes: int, *values: Value) -> Value:
        if op == "iota":
            return self._operation(_simd(0x0C) + struct.pack("<4i", *range(lanes)), kind, lanes)
        if op in ("signed", "unsigned", "bits"):
            return self._converted(op, kind, *values)
        if op in ("extract", "insert"):
            return self._of_lane(op, kind, *values)
        if op == "select":
            values = (*values[1:], values[0])
        own = values[0].kind
        if lanes == values[0].lanes == 1:
            return self._operation(_SCALAR[own][op], kind, 1, *values)
        codes = _in_lanes(_VECTOR, own)
        if op == "splat" and own == "b":
            values = (self._operation(0x6B, "i32", 1, self.word(0), *values),)  # all bits
        elif op in _SHIFTS and values[1].lanes == 1:
            codes = _SHIFTS
        elif op not in codes:
            return self._each_lane(op, *values)
        return self._operation(_simd(codes[op]), kind, lanes, *values)

    def _converted(self, op: str, kind: str, a: Value) -> Value:
        to = kind, a.kind
        if op == "bits":
            return replace(a, kind=kind) if a.lanes > 1 else self._operation(_BITS[to], kind, 1, a)
        if a.lanes > 1:
            code = _simd(_in_lanes(_VECTOR_CONVERSIONS, to)[op == "unsigned"])
        else:
            code = _CONVERSIONS[to][op == "unsigned"]
        return self._operation(code, kind, a.lanes, a)

    def _of_lane(self, op: str, kind: str, a: Value, *more: Value) -> Value:
        """Read one lane of `a`, or replace it. more: the new value; the number of the lane."""
        *given, lane = more
        code = _simd(_VECTOR[a.kind][op]) + bytes([int(lane.constant or 0)])
        if op == "insert":
            return self._operation(code, kind, a.lanes, a, *given)
        found = self._operation(code, "i32" if kind == "b" else kind, 1, a)
        return found.differs(0) if kind == "b" else found

    def _each_lane(self, op: str, a: Value, b: Value) -> Value:
        """Emit an operation that exists for single numbers only, lane by lane."""
        result = a
        for k in range(a.lanes):
            result = self.insert(result, k, self.binary(op, self.extract(a, k), self.extract(b, k)))
        return result

    def _divided(self, op: str, a: Value, by: int) -> Value:
        sign = a >> 31
        factor, shift = reciprocal(by)
        if not factor:
            room = self.binary("shr", sign, 32 - shift)  # what cutting off takes too much
            quotient = a + room >> shift
        elif a.lanes == 1:
            product = self.convert(a, "i64") * factor
            high = self.convert(product >> 32 + shift, "i32")
            quotient = high - sign  # towards zero
        else:
            high = self._high_product(a, factor - (factor >> 31 << 32))
            high = high + a if factor >> 31 else high
            quotient = (high >> shift) - sign
        return quotient if op == "sdiv" else a - quotient * by

    def _high_product(self, a: Value, factor: int) -> Value:
        """Return the upper 32 bits of the products."""
        factors = self.wide(self.word(factor), a.lanes)
        low = self._operation(_simd(0xDC), "i32", a.lanes, a, factors)
        high = self._operation(_simd(0xDD), "i32", a.lanes, a, factors)
        upper = bytes(byte + k for byte in (4, 12, 20, 28) for k in range(4))
        return self._operation(_simd(0x0D) + upper, "i32", a.lanes, low, high)

    # --- variables and memory ---------------------------------------------------------------

    def slot(self, kind: str, lanes: int) -> Local:
        local = self._local(kind, lanes)
        self._mutable.add(local)
        return Local(self, kind, lanes, local)

    def get(self, slot: Local) -> Value:
        self._steps.append(Instruction("get", slot.ref))
        return self._pop(slot.kind, slot.lanes)

    def set(self, slot: Local, value: Value) -> None:
        self._push(self.wide(value, slot.lanes))
        self._steps.append(Instruction("set", slot.ref))

    def offset(self, base: Value, by: int) -> Value:
        if (base.ref, by) not in self._offsets:
            steps, self._steps = self._steps, self._entry
            self._offsets[base.ref, by] = self._operation(0x6A, "ptr", 1, base, self.word(by))
            self._steps = steps
        return self._offsets[base.ref, by]

    def _address(self, kind: str, base: Value, number: Value) -> bytes:
        """Push an address; return the instruction's offset, which is its constant part."""
        size = WIDTH[kind]
        if number.constant is not None and number.constant >= 0:
            self._push(base)
            return unsigned(int(number.constant) * size)
        self._push(base, number)
        if size > 1:
            self._do(b"\x41" + signed(size.bit_length() - 1), 0)
            self._do(b"\x74", 2)
        self._do(b"\x6a", 2)
        return b"\0"

    def load(self, kind: str, base: Value, number: Value, lanes: int) -> Value:
        offset = self._address(kind, base, number)
        code = _simd(0) + b"\0" if lanes > 1 else bytes([_LOADS[kind], 0])
        self._do(code + offset, 1, loads=True)
        return self._pop(IN_REGISTER.get(kind, kind), lanes)

    def store(self, kind: str, base: Value, number: Value, value: Value) -> None:
        offset = self._address(kind, base, number)
        self._push(value)
        code = (
            _simd(0x0B) + b"\0" if value.lanes > 1 else bytes([_STORES[kind.replace("u", "i")], 0])
        )
        self._do(code + offset, 2, gives=False)

    def gather(self, kind: str, base: Value, numbers: Value, mask: Value) -> Value:
        result = self.slot(IN_REGISTER.get(kind, kind), numbers.lanes)
        for k in range(numbers.lanes):
            with self.when(self.extract(mask, k)):
                value = self.load(kind, base, self.extract(numbers, k), 1)
                result.value = self.insert(result.value, k, value)
        return result.value

    def scatter(self, kind: str, base: Value, numbers: Value, value: Value, mask: Value) -> None:
        for k in range(numbers.lanes):
            with self.when(self.extract(mask, k)):
                self.store(kind, base, self.extract(numbers, k), self.extract(value, k))

    # --- control --------------------------------------------------------------------------

    def _control(self, code: bytes, takes: int = 0) -> None:
        self.count()
        self._steps.append(Instruction("control", code=code, takes=takes))

    @contextmanager
    def _scope(self, code: bytes, takes: int = 0) -> Iterator[int]:
        self._control(code, takes)
        self._depth += 1
        yield self._depth
        self._depth -= 1
        self._control(END)

    def block(self) -> AbstractContextManager[int]:
        return self._scope(BEGIN)

    def loop(self) -> AbstractContextManager[int]:
        return self._scope(b"\x03\x40")

    def when(self, condition: Value) -> AbstractContextManager[int]:
        self._push(condition)
        return self._scope(b"\x04\x40", 1)

    def otherwise(self) -> None:
        self._control(b"\x05")

    def branch(self, label: int) -> None:
        self._control(b"\x0c" + unsigned(self._depth - label))

    def _branch_if(self, condition: Value, label: int) -> None:
        self._push(condition)
        self._control(b"\x0d" + unsigned(self._depth - label), 1)

    def leave(self, fault: Value) -> None:
        self._push(fault)
        self._control(RETURN, 1)


def _literal(value: Value) -> bytes:
    assert value.constant is not None
    if value.kind == "f32":
        return b"\x43" + np.float32(value.constant).tobytes()
    if value.kind == "f64":
        return b"\x44" + struct.pack("<d", value.constant)
    return (b"\x42" if value.kind == "i64" else b"\x41") + signed(int(value.constant))
