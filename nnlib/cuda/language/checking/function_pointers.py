"""Pointers to functions, which only the host has: their values, calls and launches through them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nnlib.cuda.language.checking.conversions import implicit
from nnlib.cuda.language.checking.lvalues import decayed
from nnlib.cuda.language.checking.overloads import check_count
from nnlib.cuda.language.diagnostics import Fault
from nnlib.cuda.language.parsing import syntax
from nnlib.cuda.language.tree import CallPointer, Expr, LaunchPointer, Position
from nnlib.cuda.language.types import FunctionName, FunctionType, Pointer

if TYPE_CHECKING:
    from nnlib.cuda.language.checking.expressions import ExpressionChecker


def points_to_function(value: Expr) -> bool:
    """Is it a pointer to a function?"""
    return isinstance(value.type, Pointer) and isinstance(value.type.target, FunctionType)


class FunctionPointers:
    """What can be done with a pointer to a function, or a function's name in brackets."""

    def __init__(self, expressions: ExpressionChecker) -> None:
        self.expressions, self.context = expressions, expressions.context

    def alike(self, left: Expr, right: Expr) -> tuple[Expr, Expr]:
        """Both sides of == or of ?:, a function's name as a pointer to it."""
        return self._pointer(left), self._pointer(right)

    def _pointer(self, value: Expr) -> Expr:
        if not isinstance(value.type, FunctionName) or not self.context.on_host:
            return value
        kinds = [Pointer(signature) for signature in value.type.signatures]
        if len(kinds) > 1:
            raise Fault(value.at, f"several functions are named '{value.type}', and nothing here says which is meant",
                        f"write for example ({kinds[0]}){value.type}")
        return implicit(value, kinds[0], "the function") if kinds else value

    def called(self, at: Position, value: Expr, arguments: list[syntax.Node]) -> Expr | None:
        """value(arguments); None if it is neither."""
        if isinstance(value.type, FunctionName):
            known = self.context.named_functions[value.type.name]
            call = syntax.Apply(at, value.type.name, arguments)
            return self.expressions.calls.call(call, self.expressions.arguments(arguments), known)
        if not points_to_function(value):
            return None
        result, values = self._arguments(at, value, arguments)
        return CallPointer(at, result.result, value, values)

    def launched(self, node: syntax.LaunchSyntax, value: Expr, configuration: tuple[Expr, Expr, Expr, Expr]) -> Expr:
        """value<<<configuration>>>(arguments)."""
        if not points_to_function(value):
            raise Fault(node.at, f"'{value.type}' is no kernel", "write the name of a kernel, or of a pointer to one")
        kind, values = self._arguments(node.at, value, node.arguments)
        return LaunchPointer(node.at, kind.result, *configuration, values, value)

    def _arguments(self, at: Position, value: Expr, nodes: list[syntax.Node]) -> tuple[FunctionType, list[Expr]]:
        """What is called, and one value for each of its parameters."""
        assert isinstance(value.type, Pointer) and isinstance(value.type.target, FunctionType)
        kinds = value.type.target.parameters
        check_count(at, "the function", len(nodes), len(kinds), len(kinds), list(map(str, kinds)))
        arguments = [decayed(self.expressions.value(node)) for node in nodes]
        return value.type.target, [implicit(argument, kind, f"argument {k}") for k, (argument, kind) in
                                   enumerate(zip(arguments, kinds, strict=True), 1)]
