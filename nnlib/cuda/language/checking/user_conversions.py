"""Conversions by constructors with one argument, and by operator float(): those of the text, and dim3(n)."""

from __future__ import annotations

from collections.abc import Callable

from nnlib.cuda.language.checking.context import Context
from nnlib.cuda.language.checking.conversions import EXACT, USER, fit, implicit
from nnlib.cuda.language.checking.intrinsics import make_vector
from nnlib.cuda.language.checking.lvalues import address_of, decayed, with_place
from nnlib.cuda.language.checking.overloads import parameter_types, required
from nnlib.cuda.language.checking.symbols import Callee, Listed, Overloads
from nnlib.cuda.language.parsing import syntax
from nnlib.cuda.language.tree import Expr, Literal
from nnlib.cuda.language.types import DIM3, UINT, Scalar, Struct, Type, Vector

CONVERSION = "operator "  # how the names of such functions begin

CallUser = Callable[..., Expr]


class UserConversions:
    """call: calls a function of the text. listed: a list in braces as a value of some type."""

    listed: Callable[[syntax.Node, Type, str], Expr]

    def __init__(self, context: Context, call: CallUser) -> None:
        self.context, self.call = context, call

    def fit(self, value: Expr, target: Type) -> int | None:
        """As `conversions.fit`, and USER where the text says how."""
        if isinstance(value, Listed):
            return USER if isinstance(target, Struct | Vector | Scalar) else None
        if self._is_size(value, target):
            return USER
        found = fit(value, target)
        return USER if found is None and self._way(value, target) is not None else found

    def implicit(self, value: Expr, target: Type, what: str) -> Expr:
        """As `conversions.implicit`, by the text's ways, too."""
        if isinstance(value, Listed):
            return self.listed(value.node, target, what)
        if self._is_size(value, target):
            one = Literal(value.at, UINT, 1)
            return make_vector(self.context, value.at, DIM3, [decayed(value), one, one])
        way = self._way(value, target) if fit(value, target) is None else None
        return implicit(value if way is None else self._converted(value, way), target, what)

    def _is_size(self, value: Expr, target: Type) -> bool:
        """A number for a dim3, which on the host is what a uint3 is for."""
        return self.context.on_host and target == DIM3 and isinstance(decayed(value).type, Scalar)

    def plain(self, value: Expr) -> Expr:
        """A number or pointer for an object that says how to become one, and in one way only."""
        ways = self._operators(value.type)
        return self._converted(value, ways[0]) if len(ways) == 1 else value

    def _converted(self, value: Expr, way: Callee) -> Expr:
        if way.owner is None:
            return self.call(value.at, way, [value])
        return self.call(value.at, way, [], address_of(value.at, with_place(value)))

    def _way(self, value: Expr, target: Type) -> Callee | None:
        ways = [callee for callee in self._constructors(target)
                if fit(decayed(value), parameter_types(callee)[0]) is not None]
        exact = [callee for callee in ways if fit(decayed(value), parameter_types(callee)[0]) == EXACT]
        if ways:
            return (exact or ways)[0]
        operators = self._operators(value.type)
        exact = [callee for callee in operators if callee.function.return_type == target]
        near = [callee for callee in operators
                if isinstance(callee.function.return_type, Scalar) and isinstance(target, Scalar)]
        return next(iter(exact or near), None)

    def _constructors(self, target: Type) -> list[Callee]:
        """Those that one argument is enough for."""
        owner = self.context.classes.get(target) if isinstance(target, Struct) else None
        return [callee for callee in owner.constructors.callees
                if callee.parameters and required(callee) <= 1 and not callee.explicit] if owner else []

    def _operators(self, given: Type) -> list[Callee]:
        owner = self.context.classes.get(given) if isinstance(given, Struct) else None
        found: list[Callee] = []
        for name, symbol in owner.scope.items() if owner else ():
            if name.startswith(CONVERSION) and isinstance(symbol, Overloads):
                found += symbol.callees
        return found
