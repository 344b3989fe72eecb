"""An expression of the checked tree as text again, for messages."""

from __future__ import annotations

from collections.abc import Mapping

from .parsing.vocabulary import PRECEDENCE
from .tree import (
    Binary,
    BuiltinIndex,
    Convert,
    Decay,
    Expr,
    Index,
    IntrinsicCall,
    Literal,
    Logical,
    Name,
    Unary,
)


def written(expression: Expr, names: Mapping[str, str] = {}) -> str:
    """Write an expression as text, without the conversions that C adds. names: what stands for a variable."""
    match bare(expression):
        case Literal(value):
            return str(value).lower() if isinstance(value, bool) else str(value)
        case Name(variable):
            return names.get(variable.name, variable.name)
        case BuiltinIndex(name, axis):
            return f"{name}.{axis}" if axis else name
        case Unary(op, operand):
            return op + _part(operand, "*", names, 1)
        case Binary() | Logical() as both:
            return f"{_part(both.left, both.op, names)} {both.op} {_part(both.right, both.op, names, 1)}"
        case Index(base, index):
            return f"{written(base, names)}[{written(index, names)}]"
        case Decay(operand):
            return written(operand, names)
        case IntrinsicCall(name, arguments):
            return f"{name}({', '.join(written(argument, names) for argument in arguments)})"
    return "…"


def _part(expression: Expr, op: str, names: Mapping[str, str], more: int = 0) -> str:
    """Write an operand, in brackets where it binds less tightly than the operator. more: 1 for the right one."""
    operand = bare(expression)
    loose = isinstance(operand, Binary | Logical) and PRECEDENCE[operand.op] < PRECEDENCE[op] + more
    text = written(operand, names)
    return f"({text})" if loose or (isinstance(operand, Name) and names) else text


def bare(expression: Expr) -> Expr:
    """Return an expression without the conversions around it."""
    while isinstance(expression, Convert):
        expression = expression.operand
    return expression
