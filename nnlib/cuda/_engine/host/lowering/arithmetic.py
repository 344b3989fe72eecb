"""C's arithmetic as Python expressions: integers that wrap, divisions towards zero, float32, halves."""

from __future__ import annotations

from ...language.types import BOOL, FLOAT, Half, Pointer, Scalar, Type
from .values import half_conversion
from .writer import LoweredProgram


def wrapped(value: str, kind: Scalar) -> str:
    """The expression reduced to what the integer type holds. Most values fit: looking is quicker than reducing."""
    bits = 8 * kind.size
    if kind.is_unsigned:
        return f"({value} & {(1 << bits) - 1})"
    half = 1 << bits - 1
    return (
        f"(_w if -{half} <= (_w := {value}) < {half} else (_w + {half} & {2 * half - 1}) - {half})"
    )


class Arithmetic:
    """Operators and conversions. code: what they refer to by name."""

    def __init__(self, code: LoweredProgram) -> None:
        self.code = code

    def operate(self, op: str, left: str, right: str, kind: Scalar) -> str:
        """left op right, both of this type."""
        if kind.is_float:
            result = f"quotient({left}, {right})" if op == "/" else f"({left} {op} {right})"
            return f"single({result})" if kind == FLOAT else result
        if op in ("/", "%"):
            if kind.is_unsigned:
                return f"({left} {'//' if op == '/' else '%'} {right})"
            return f"{'divide' if op == '/' else 'remainder'}({left}, {right})"
        if op in ("<<", ">>"):
            right = f"({right} & {8 * kind.size - 1})"
        if op in ("&", "|", "^", ">>"):
            return f"({left} {op} {right})"
        return wrapped(f"({left} {op} {right})", kind)

    def converted(self, value: str, given: Type, kind: Type) -> str:
        """The value of one type in another."""
        if not isinstance(given, Scalar | Pointer) or not isinstance(kind, Scalar | Pointer):
            return value
        if isinstance(given, Half) or isinstance(kind, Half):
            assert isinstance(given, Scalar) and isinstance(kind, Scalar)
            return (
                value
                if given == kind
                else f"{self.code.refer('M', half_conversion(given, kind))}({value})"
            )
        if kind == BOOL:
            return f"({value} != 0)"
        if isinstance(kind, Pointer) or isinstance(given, Pointer):
            return value
        if kind.is_float:
            if not given.is_float:
                if kind == FLOAT:
                    return f"single(sticky({value}))" if given.size == 8 else f"single({value})"
                return f"float({value})"
            return f"single({value})" if kind.size < given.size else value
        if given.is_float:
            return wrapped(f"whole({value})", kind)
        fits = (
            given.is_unsigned == kind.is_unsigned
            and given.size <= kind.size
            or (given.is_unsigned and given.size < kind.size)
        )
        return value if fits else wrapped(value, kind)
