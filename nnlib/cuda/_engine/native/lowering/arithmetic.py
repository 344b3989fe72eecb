"""C's arithmetic and conversions as the simulator has them."""

from __future__ import annotations

from typing import Any

from ...language.types import BOOL, Scalar, Type, size_of
from ..code import BITS, Value
from .constants import OPERATIONS, TESTS
from .state import LoweringState, kind_of, register_kind


class LaneArithmetic:
    """Operators on numbers."""

    def __init__(self, state: LoweringState) -> None:
        self.state, self.code = state, state.code

    def operate(self, op: str, a: Value, b: Value, kind: Type) -> Value:
        assert isinstance(kind, Scalar)
        code = self.code
        if op in TESTS:
            unsigned = kind.is_unsigned and kind != BOOL and op not in ("==", "!=")
            if a.kind == "b":
                a, b = code.convert(a, "i32"), code.convert(b, "i32")
            return code.compare("u" * unsigned + TESTS[op], a, b)
        if op == "/" and kind.is_float:
            return code.binary("div", a, b)
        if op in ("/", "%"):
            return self.divided(op, a, b, kind)
        if op in ("<<", ">>"):
            return self.shifted(op, a, b, kind)
        return code.binary(OPERATIONS[op], a, b)

    def divided(self, op: str, a: Value, b: Value, kind: Scalar) -> Value:
        """Divide towards zero. The most negative number divided by -1 is itself, with remainder 0."""
        code = self.code
        name = ("u" if kind.is_unsigned else "s") + ("div" if op == "/" else "rem")
        if b.constant is not None and b.constant not in (0, -1):
            return code.binary(name, a, b)
        zero, one = code.constant(a.kind, 0), code.constant(a.kind, 1)
        is_zero = b.equals(zero)
        self.state.fault("division by zero", is_zero)
        if kind.is_unsigned:
            return code.binary(name, a, code.select(is_zero, one, b))
        is_minus = b.equals(-1)
        result = code.binary(name, a, code.select(is_zero | is_minus, one, b))
        return code.select(is_minus, zero - a if op == "/" else zero, result)

    def shifted(self, op: str, a: Value, b: Value, kind: Scalar) -> Value:
        """Shift. By the width or more, the result is 0, or the sign."""
        code, bits = self.code, BITS[a.kind]
        name = "shl" if op == "<<" else "shr" if kind.is_unsigned else "sar"
        amount = b if b.kind == a.kind else code.convert(b, a.kind)
        if amount.constant is not None and 0 <= amount.constant < bits:
            return code.binary(name, a, amount)
        inside = code.compare("ult", b, bits)
        shifted = code.binary(name, a, amount & bits - 1)
        outside = code.constant(a.kind, 0)
        if name == "sar":
            outside = a >> bits - 1
        return code.select(inside, shifted, outside)

    def converted(self, value: Value, source: Any, to: Any) -> Value:
        code = self.code
        unsigned = (to if source.is_float else source).is_unsigned
        wide = register_kind(to)
        if source.is_float and not to.is_float and to.size < 4 and to != BOOL:
            unsigned = to.is_unsigned
        value = code.convert(value, wide, unsigned)
        bits = 8 * size_of(to)
        if (
            bits >= 32
            or to == BOOL
            or source == BOOL
            or (
                source.size <= to.size
                and (
                    source.is_unsigned == to.is_unsigned
                    or (source.is_unsigned and source.size < to.size)
                )
            )
        ):
            return value
        if kind_of(to)[0] == "u":
            return value & (1 << bits) - 1
        return value << 32 - bits >> 32 - bits
