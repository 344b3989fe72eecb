"""Operators that the text defines for structs and vectors: operator+, operator[], operator()."""

from __future__ import annotations

from nnlib.cuda.language.checking.calls import CallChecker
from nnlib.cuda.language.checking.lvalues import address_of, with_place
from nnlib.cuda.language.checking.overloads import matching, resolve
from nnlib.cuda.language.checking.symbols import Callee, Overloads
from nnlib.cuda.language.parsing import syntax
from nnlib.cuda.language.tree import Expr, Position
from nnlib.cuda.language.types import Struct, Vector


class UserOperators:
    """calls: checks calls of the functions."""

    def __init__(self, calls: CallChecker) -> None:
        self.context, self.calls = calls.context, calls

    def apply(self, at: Position, op: str, operands: list[Expr]) -> Expr | None:
        """The call that the operator stands for; None if the text defines none that fits."""
        if not any(isinstance(operand.type, Struct | Vector) for operand in operands):
            return None
        return self.member(at, op, operands[0], operands[1:]) or self._free(at, f"operator{op}", operands)

    def member(self, at: Position, op: str, target: Expr, arguments: list[Expr]) -> Expr | None:
        """object.operator+(arguments)"""
        symbol = self._scope(target).get(f"operator{op}")
        if not isinstance(symbol, Overloads):
            return None
        fitting = matching(symbol.callees, arguments, self.calls.conversions.fit)
        if not fitting and op not in ("()", "[]"):
            return None
        call = syntax.Apply(at, f"operator{op}", [])
        return self.calls.call(call, arguments, Overloads(fitting or symbol.callees),
                               address_of(at, with_place(target)))

    def _scope(self, target: Expr) -> dict:
        return self.context.classes[target.type].scope if isinstance(target.type, Struct) else {}

    def _free(self, at: Position, name: str, operands: list[Expr]) -> Expr | None:
        symbol = self.context.scopes[0].get(name)
        if not isinstance(symbol, Overloads):
            return None
        callees = list(symbol.callees)
        if symbol.templates:
            callees += self.calls.instantiate(syntax.Apply(at, name, []), symbol.templates, operands, True)
        fits = self.calls.conversions.fit
        fitting = matching(callees, operands, fits)
        if not fitting:
            return None
        chosen = resolve(at, name, operands, fitting, [], fits)
        assert isinstance(chosen, Callee)
        return self.calls.call_user(at, chosen, operands)
