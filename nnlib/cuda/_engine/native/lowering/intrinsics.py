"""CUDA's functions of one thread that are an instruction or two; the others are CUDA C in headers/. Atomics."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...language import tree
from ...language.normal.collectives import CG, members
from ...language.refusal import Refusal
from ...language.types import Scalar
from ..code import Value
from .arithmetic import LaneArithmetic
from .lvalues import Lvalues
from .memory import LaneMemory
from .state import Element, kind_of, register_kind

_UNARY = {
    "sqrt": "sqrt",
    "__fsqrt_rn": "sqrt",
    "__dsqrt_rn": "sqrt",
    "floor": "floor",
    "ceil": "ceil",
    "trunc": "trunc",
    "rint": "nearest",
    "nearbyint": "nearest",
    "fabs": "abs",
}
_UNARY |= {name + "f": op for name, op in _UNARY.items() if not name.startswith("__")}
_BINARY = {
    "__fadd_rn": "add",
    "__fsub_rn": "sub",
    "__fmul_rn": "mul",
    "__fdiv_rn": "div",
    "__dadd_rn": "add",
    "__dsub_rn": "sub",
    "__dmul_rn": "mul",
    "__ddiv_rn": "div",
    "fdividef": "div",
    "__fdividef": "div",
}
_SAME_BITS = (
    "__float_as_int",
    "__float_as_uint",
    "__int_as_float",
    "__uint_as_float",
    "__double_as_longlong",
    "__longlong_as_double",
)
_ROUNDINGS = {"rn": "nearest", "rz": "", "ru": "ceil", "rd": "floor"}
_FENCES = ("__threadfence", "__threadfence_block", "__threadfence_system")


def direct(name: str) -> bool:
    """Return whether a function is lowered here."""
    return (
        name in (*_UNARY, *_BINARY, *_SAME_BITS, *_FENCES)
        or name.startswith(("make_", "atomic", CG))
        or (name[:3] in ("__f", "__d", "__i", "__u", "__l") and "2" in name)
    )


class Intrinsics:
    """Lowers calls of CUDA's functions. value: evaluates an argument."""

    def __init__(
        self,
        memory: LaneMemory,
        lvalues: Lvalues,
        arithmetic: LaneArithmetic,
        value: Callable[[Any], Any],
    ) -> None:
        self.state, self.code, self.memory = memory.state, memory.code, memory
        self.lanes = self.state.lanes
        self.lvalues, self.arithmetic, self.value = lvalues, arithmetic, value

    def call(self, e: tree.IntrinsicCall) -> Any:
        code, name = self.code, e.name
        if name.startswith("atomic"):
            return self._atomic(e)
        if name.startswith(CG):
            return self._of_group(e)
        if name in _FENCES:
            return code.word(0)
        if not direct(name):
            raise Refusal(name)
        values = [self.value(argument) for argument in e.arguments]
        if name.startswith("make_"):
            return values
        if name in _UNARY:
            return code.unary(_UNARY[name], values[0])
        if name in _BINARY:
            return code.binary(_BINARY[name], *values)
        if name in _SAME_BITS:
            return code.bits(values[0], register_kind(e.type))
        return self._conversion(e, values[0])

    def _conversion(self, e: tree.IntrinsicCall, value: Value) -> Value:
        """Lower __float2int_rn and related conversions."""
        source, to, mode = e.arguments[0].type, e.type, e.name[-2:]
        assert isinstance(source, Scalar) and isinstance(to, Scalar)
        if mode not in _ROUNDINGS or (to.is_float and mode != "rn"):
            raise Refusal(e.name)
        if source.is_float and not to.is_float and _ROUNDINGS[mode]:
            value = self.code.unary(_ROUNDINGS[mode], value)
        return self.arithmetic.converted(value, source, to)

    def _of_group(self, e: tree.IntrinsicCall) -> Value:
        """Return which thread of its group a thread is, or how many there are."""
        code, name = self.code, e.name.removeprefix(CG)
        if name == "tile":
            members(e)
            return code.word(0)
        if name == "block_rank":
            x, y, z = (self.state.block_index[axis] for axis in "xyz")
            row = z * self.state.grid[1] + y
            return code.convert(row * self.state.grid[0] + x, "i64")
        lanes = members(e.arguments[0])
        if name not in ("thread_rank", "size"):
            raise Refusal(e.name)
        if name == "size":
            return code.word(lanes or math.prod(self.state.block))
        return self.state.thread_number & lanes - 1 if lanes else self.state.thread_number

    # --- atomics --------------------------------------------------------------------------

    def _atomic(self, e: tree.IntrinsicCall) -> Value:
        """Write an atomic, one thread after the other; return the old value."""
        code, name = self.code, e.name
        place = self.lvalues.led(self.lvalues.address(e.arguments[0]), e.type)
        if not isinstance(place, Element) or place.memory.pitch:
            raise Refusal("an atomic on a local variable")
        operands = [self.value(argument) for argument in e.arguments[1:]]
        self.memory.check(place)
        assert isinstance(e.type, Scalar)
        kind = kind_of(e.type)
        number = self.memory.number(place, 0, kind)
        result = code.slot(register_kind(e.type), self.lanes)
        mask = code.wide(self.state.mask(), self.lanes)
        for k in range(self.lanes):

            def one(k: int = k) -> None:
                own, *rest = (code.extract(value, k) for value in (number, *operands))
                old = code.load(kind, place.memory.base, own, 1)
                code.store(kind, place.memory.base, own, self._changed(name, e.type, old, rest))
                result.value = code.insert(result.value, k, old) if self.lanes > 1 else old

            if self.lanes == 1:
                one()
            else:
                with code.when(code.extract(mask, k)):
                    one()
        if place.memory.written is not None:
            self.memory.load_each(place.memory, kind, number)
        return result.value

    def _changed(self, name: str, kind: Any, old: Value, operands: list[Value]) -> Value:
        code, value = self.code, operands[0]
        plain, unsigned = name.removeprefix("atomic").lower(), "u" * kind.is_unsigned
        if plain in ("add", "sub", "and", "or", "xor"):
            return code.binary(plain, old, value)
        if name == "atomicExch":
            return value
        if name in ("atomicMin", "atomicMax"):
            smaller = code.compare(unsigned + ("lt" if name == "atomicMin" else "gt"), old, value)
            return code.select(smaller, old, value)
        if name == "atomicCAS":
            return code.select(old.equals(value), operands[1], old)
        zero, one = code.constant(old.kind, 0), code.constant(old.kind, 1)
        if name == "atomicInc":
            return code.select(code.compare("uge", old, value), zero, old + one)
        if name == "atomicDec":
            wraps = old.equals(zero) | code.compare("ugt", old, value)
            return code.select(wraps, value, old - one)
        raise Refusal(name)
