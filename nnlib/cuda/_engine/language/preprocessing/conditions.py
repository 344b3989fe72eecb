"""The value of an #if condition."""

from __future__ import annotations

from ..checking.values import character, number, operate, wrap
from ..diagnostics import Fault
from ..parsing import syntax
from ..parsing.expressions import ExpressionParser
from ..parsing.lexer import Token
from ..parsing.token_stream import TokenStream
from ..types import LONGLONG


def holds(tokens: list[Token]) -> bool:
    """Return whether a condition, macros expanded, is not 0. The last token has kind "end"."""
    stream = TokenStream(tokens)
    node = ExpressionParser(stream).expression()
    if stream.next.kind != "end":
        stream.fail_expected("the end of the line", "an #if takes one condition")
    return _value(node) != 0


def _value(node: syntax.Node) -> int:
    """Evaluate a condition in 64-bit integers. Names that are no macros count as 0."""
    match node:
        case syntax.Number():
            literal = number(node.at, node.text)
            if not isinstance(literal.value, float):
                return int(literal.value)
        case syntax.Character():
            return int(character(node.at, node.text).value)
        case syntax.Identifier():
            return int(node.name == "true")
        case syntax.Prefix(op="-" | "+" | "!" | "~"):
            value = _value(node.operand)
            return {"-": -value, "+": value, "!": int(not value), "~": ~value}[node.op]
        case syntax.Ternary():
            return _value(node.then if _value(node.condition) else node.otherwise)
        case syntax.Infix(op="&&"):
            return int(bool(_value(node.left) and _value(node.right)))
        case syntax.Infix(op="||"):
            return int(bool(_value(node.left) or _value(node.right)))
        case syntax.Infix() if node.op != ",":
            result = operate(node.op, _value(node.left), _value(node.right), LONGLONG)
            if result is None:
                raise Fault(node, "this operation has no value", "do not divide by 0")
            return wrap(int(result), LONGLONG)
    raise Fault(
        node,
        "an #if condition takes integers, macros and operators only",
        "write for example #if TILE > 16",
    )
