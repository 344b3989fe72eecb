"""Normal expressions of the host: each becomes one Python expression. Integers wrap, divisions go towards zero."""

from __future__ import annotations

import math
from typing import Any

from ...language.normal.nodes import Act
from ...language.tree import (
    Binary,
    Build,
    Conditional,
    Convert,
    Dereference,
    Expr,
    IntrinsicCall,
    Literal,
    Logical,
    Name,
    Unary,
)
from ...language.types import BOOL, FLOAT, Half, Scalar, Type, Vector, is_half
from ...simulator.functions import halves
from ..addresses import Moved, RawWord
from .actions import letter
from .values import code_of, half_conversion, mathematics, on_host, vector_form
from .writer import FunctionWriter, is_container, size_of

_RING = ("+", "-", "*")
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


class ExpressionPrinter:
    """Prints expressions."""

    def __init__(self, writer: FunctionWriter) -> None:
        self.writer, self.code = writer, writer.code

    def value(self, e: Any) -> str:
        match e:
            case str():
                return e
            case list():
                return f"({''.join(f'{self.value(part)}, ' for part in e)})"
            case Literal():
                return self._literal(e)
            case Name(variable):
                return self.writer.name_of(variable)
            case Dereference(pointer):
                return self.load(self.value(pointer), e.type, isinstance(e, RawWord))
            case Moved(left=left, op=op, right=right):
                return f"({self.value(left)} {op} {self._offset(right)})"
            case Binary():
                return self._binary(e)
            case Unary():
                return self._unary(e)
            case Convert():
                return self._convert(e)
            case Logical(op, left, right):
                return f"({self.value(left)} {'and' if op == '&&' else 'or'} {self.value(right)})"
            case Conditional(condition, then, otherwise):
                sides = self.value(then), self.value(otherwise)
                return f"({sides[0]} if {self.value(condition)} else {sides[1]})"
            case Act(name=name, arguments=arguments):
                return f"{self.value(name)}({', '.join(map(self.value, arguments))})"
            case Build(given):
                # its bytes: each member's offset, its letter or "" for one that is bytes already, its value
                parts: list[Any] = [
                    [str(offset), repr(letter(value.type)), value] for offset, value in given.items
                ]
                return f"built({size_of(e.type)}, {self.value(parts)})"
            case IntrinsicCall(arguments=arguments):
                return f"{self._intrinsic(e)}({', '.join(map(self.value, arguments))})"
        raise AssertionError(type(e).__name__)

    # --- memory ---------------------------------------------------------------------------

    def load(self, address: str, kind: Type, raw: bool = False) -> str:
        if isinstance(kind, Scalar):
            return f"{'raw' if raw else 'load'}_{self._word(kind)}({address})"
        if is_container(kind):
            element = size_of(kind.fields[0].type.target)  # type: ignore[union-attr]
            return f"copy_vector({address}, {element}, {int(kind.name == 'string')})"
        return f"load_bytes({address}, {size_of(kind)}, False)"

    def store(self, address: str, value: str, kind: Type) -> str:
        if isinstance(kind, Scalar):
            return f"store_{self._word(kind)}({address}, {value})"
        return f"store_bytes({address}, {value}, False)"

    def _word(self, kind: Scalar) -> str:
        code = code_of(kind)
        self.code.codes.add(code)
        return "flag" if code == "?" else code

    def _offset(self, e: Any) -> str:
        """Write a number of bytes; an int that overflows in it would be undefined in C."""
        match e:
            case Binary("*", left, Literal(size)):
                return f"{size} * {self._offset(left)}"
            case Convert(Expr(type=Scalar() as kind) as operand) if not (
                kind.is_unsigned and kind.size < 8
            ):
                return self.unreduced(operand)
        return self.unreduced(e)

    # --- values ---------------------------------------------------------------------------

    def _literal(self, e: Literal) -> str:
        if isinstance(e.type, Half):  # only 0 is known before it runs
            return "0"
        if isinstance(e.value, float) and not math.isfinite(e.value):
            return f"float('{e.value}')"
        return repr(e.value if isinstance(e.value, float) else int(e.value))

    def _unary(self, e: Unary) -> str:
        value = self.value(e.operand)
        if e.op == "!":
            return f"(not {value})"
        if is_half(e.type):
            return f"{self.code.refer('M', on_host(halves.negative, [e.type], e.type))}({value})"
        assert isinstance(e.type, Scalar)
        if e.type.is_float:
            return f"(-{value})"
        # Python's ~ refuses a bool
        return wrapped(f"(-{value})" if e.op == "-" else f"(-1 - {value})", e.type)

    def _binary(self, e: Binary) -> str:
        if is_half(e.left.type):
            name = self.code.refer("M", on_host(halves.OPERATORS[e.op], 2 * [e.left.type], e.type))
            return f"{name}({self.value(e.left)}, {self.value(e.right)})"
        if e.op in _COMPARISONS:
            return f"({self.value(e.left)} {e.op} {self.value(e.right)})"
        assert isinstance(e.type, Scalar)
        if e.op in _RING and not e.type.is_float:
            return wrapped(self.unreduced(e), e.type)
        return self._operated(e.op, self.value(e.left), self.value(e.right), e.type)

    def unreduced(self, e: Expr) -> str:
        """Write a value that only needs to be right modulo what its type holds."""
        if (
            isinstance(e, Binary)
            and e.op in _RING
            and isinstance(e.type, Scalar)
            and not e.type.is_float
        ):
            return f"({self.unreduced(e.left)} {e.op} {self.unreduced(e.right)})"
        return self.value(e)

    def _convert(self, e: Convert) -> str:
        given, kind = e.operand.type, e.type
        narrows = (
            isinstance(given, Scalar)
            and isinstance(kind, Scalar)
            and kind.size < given.size
            and not (given.is_float or kind.is_float or kind == BOOL)
        )
        value = self.unreduced(e.operand) if narrows else self.value(e.operand)
        return self._converted(value, given, kind)

    def _intrinsic(self, e: IntrinsicCall) -> str:
        """Return the name of a function of numbers."""
        if isinstance(e.type, Vector) and e.name.startswith("make_"):
            return f"{self.code.refer('P', vector_form(e.type))}.pack"
        kinds = [argument.type for argument in e.arguments]
        return self.code.refer("M", mathematics(e.name, kinds, e.type))

    def _operated(self, op: str, left: str, right: str, kind: Scalar) -> str:
        """Write left op right, both of this type."""
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

    def _converted(self, value: str, given: Type, kind: Type) -> str:
        """Write the value of one type in another."""
        if given == kind or not isinstance(given, Scalar) or not isinstance(kind, Scalar):
            return value
        if isinstance(given, Half) or isinstance(kind, Half):
            return f"{self.code.refer('M', half_conversion(given, kind))}({value})"
        if kind == BOOL:
            return f"({value} != 0)"
        if kind.is_float:
            if not given.is_float:
                if kind == FLOAT:
                    return f"single(sticky({value}))" if given.size == 8 else f"single({value})"
                return f"float({value})"
            return f"single({value})" if kind.size < given.size else value
        if given.is_float:
            return wrapped(f"whole({value})", kind)
        fits = (given.is_unsigned == kind.is_unsigned and given.size <= kind.size) or (
            given.is_unsigned and given.size < kind.size
        )
        return value if fits else wrapped(value, kind)


def wrapped(value: str, kind: Scalar) -> str:
    """Reduce an expression to what the integer type holds. Most values fit: looking is faster than reducing."""
    bits = 8 * kind.size
    if kind.is_unsigned:
        return f"({value} & {(1 << bits) - 1})"
    half = 1 << bits - 1
    return (
        f"(_w if -{half} <= (_w := {value}) < {half} else (_w + {half} & {2 * half - 1}) - {half})"
    )
