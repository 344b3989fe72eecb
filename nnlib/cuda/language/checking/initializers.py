"""Initial values of variables: = x, (x), {a, {b, c}}."""

from __future__ import annotations

from collections import deque

from nnlib.cuda.language.checking.constants import characters
from nnlib.cuda.language.checking.conversions import convert, implicit
from nnlib.cuda.language.checking.expressions import ExpressionChecker
from nnlib.cuda.language.checking.intrinsics import make_vector
from nnlib.cuda.language.checking.lvalues import no_text
from nnlib.cuda.language.diagnostics import Fault
from nnlib.cuda.language.parsing import syntax
from nnlib.cuda.language.tree import Expr, InitializerList, IntrinsicCall, Literal, Position
from nnlib.cuda.language.types import CHAR, INT, Array, Scalar, Type, Vector

Initial = Expr | InitializerList | None


class InitializerChecker:
    """Values and lists against the type they initialise."""

    def __init__(self, expressions: ExpressionChecker) -> None:
        self.expressions, self.context = expressions, expressions.context

    def initial(self, declarator: syntax.Declarator, kind: Type) -> Initial:
        """The declarator's first value, in the variable's type."""
        first, what = declarator.initializer, f"initial value of '{declarator.name}'"
        if declarator.type.base == "dim3" and isinstance(kind, Vector) and self.context.on_host:
            return self.expressions.host.dimensions(declarator.at, first)
        if first is None:
            return None
        if not isinstance(first, syntax.Braces):
            if isinstance(first, syntax.Text) and isinstance(kind, Array) and kind.element == CHAR:
                return self._characters(first, kind)
            if isinstance(kind, Array):
                no_text(self.expressions.expression(first))
                raise Fault(first.at, "an array is initialised by a list", "write = {1, 2, 3}")
            return implicit(self.expressions.value(first), kind, what)
        if isinstance(kind, Array):
            return self._list(first, kind)
        if declarator.direct and isinstance(kind, Vector):
            return self.expressions.construct(syntax.Construct(first.at, declarator.type, first.items))
        return self._element(first, kind, what)

    def _characters(self, node: syntax.Text, kind: Array) -> InitializerList:
        """char x[] = "text", with the 0 that ends it."""
        codes = [*characters(node.at, node.text), 0]
        if kind.length is not None and len(codes) > kind.length:
            raise Fault(node.at, f"the text has {len(codes)} characters with the 0 that ends it, '{kind}' has "
                        f"{kind.length}", "make the array larger, or leave its size open")
        return InitializerList([(k, Literal(node.at, CHAR, code)) for k, code in enumerate(codes)])

    def _element(self, node: syntax.Node, kind: Type, what: str) -> Expr:
        """One value, or a list for a vector's lanes."""
        if not isinstance(node, syntax.Braces):
            return implicit(self.expressions.value(node), kind, what)
        if isinstance(kind, Vector):
            if len(node.items) == 1 and not isinstance(node.items[0], syntax.Braces):
                value = self.expressions.value(node.items[0])
                return value if value.type == kind else make_vector(self.context, node.at, kind, [value])
            lanes = [self._element(item, kind.base, what) for item in node.items]
            return make_vector(self.context, node.at, kind, lanes)
        if len(node.items) > 1:
            raise Fault(node.items[1].at, f"too many values for one '{kind}'", "remove the surplus")
        if not node.items:
            return convert(Literal(node.at, INT, 0), kind) if isinstance(kind, Scalar) else Literal(node.at, kind, 0)
        return self._element(node.items[0], kind, what)

    def _list(self, node: syntax.Braces, kind: Array) -> InitializerList:
        """Flatten nested lists; inner braces may be left out, as in C."""
        result = InitializerList([])
        items = deque(node.items)
        self._fill(result, items, kind, 0)
        if items:
            raise Fault(items[0].at, f"too many values for '{kind}'", "remove the surplus, or make the array larger")
        return result

    def _fill(self, result: InitializerList, items: deque[syntax.Node], kind: Array, start: int) -> None:
        element = kind.element
        width = _flat_length(element)
        place = 0
        while items and (kind.length is None or place < kind.length):
            if not isinstance(element, Array):
                value = self._element(items.popleft(), element, "value in the list")
                result.items.append((start + place, value))
            elif isinstance(items[0], syntax.Braces):
                inner = deque(items.popleft().items)  # type: ignore[attr-defined]
                self._fill(result, inner, element, start + place * width)
                if inner:
                    raise Fault(inner[0].at, f"too many values for '{element}'", "remove the surplus")
            else:
                self._fill(result, items, element, start + place * width)
            place += 1


def complete_array(kind: Array, initial: Initial, at: Position, name: str) -> Array:
    """float x[] = {1, 2, 3} has as many elements as its list."""
    if kind.length is not None:
        return kind
    if not isinstance(initial, InitializerList) or not initial.items:
        raise Fault(at, f"the size of '{name}' is missing", "write a size, or a list of values")
    width = _flat_length(kind.element)
    return Array(kind.element, initial.items[-1][0] // width + 1)


def _flat_length(kind: Type) -> int:
    return (kind.length or 0) * _flat_length(kind.element) if isinstance(kind, Array) else 1


def is_constant(value: Expr) -> bool:
    """Is it known when the kernel is compiled?"""
    if isinstance(value, IntrinsicCall):
        return value.name.startswith("make_") and all(map(is_constant, value.arguments))
    return isinstance(value, Literal)
