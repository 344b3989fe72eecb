"""Initial values, = x, (x), {a, {b, c}}, {.x = a}, and conversions written out: (int)x, float2{x, y}."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterable, Iterator

from ..diagnostics import Fault, Unsupported, did_you_mean
from ..parsing.syntax import Braces, Declarator, Designated, Node, QuotedText
from ..tree import (
    Build,
    Comma,
    Convert,
    Decay,
    Dereference,
    Expr,
    Index,
    InitializerList,
    IntrinsicCall,
    Literal,
    Position,
    Temporary,
)
from ..types import (
    BOOL,
    CHAR,
    DIM3,
    DOUBLE,
    FLOAT,
    INT,
    ULONG,
    VOID,
    Array,
    Field,
    FunctionName,
    Half,
    Pointer,
    Scalar,
    Struct,
    Type,
    Vector,
    is_half,
    size_of,
    target_of,
)
from .calls import CallChecker
from .intrinsics import make_dim3, make_vector
from .names import Class, Context
from .objects import address_of, complete, decayed, is_const, is_lvalue, no_text
from .values import characters, convert, fit, implicit, is_null


def cast(context: Context, at: Position, value: Expr, kind: Type, style: str) -> Expr:
    """Check a cast of a value to a type. style: "c", "static_cast" or "reinterpret_cast"."""
    given = value.type
    if kind == VOID:
        return Comma(at, INT, value, Literal(at, INT, 0))
    if isinstance(given, Half) and isinstance(kind, Half):
        return convert(convert(value, FLOAT), kind)
    if style != "reinterpret_cast":
        numbers = isinstance(given, Scalar) and isinstance(kind, Scalar)
        if numbers and fit(value, kind) is not None:
            return convert(value, kind)
        if isinstance(kind, Pointer) and is_null(value):
            return Literal(at, kind, 0)
    if isinstance(given, Pointer) and isinstance(kind, Pointer):
        if style != "c" and given.const and not kind.const:
            raise Fault(
                at,
                f"{style} cannot remove const",
                f"write {style}<{Pointer(kind.target, True)}>(...)",
            )
        if style == "static_cast" and fit(value, kind) is None and given.target != VOID:
            raise Fault(
                at,
                f"static_cast cannot turn '{given}' into '{kind}'",
                f"write reinterpret_cast<{kind}>",
            )
        return Convert(at, kind, value) if kind.volatile else convert(value, kind)
    # For cudaLaunchKernel
    if (
        isinstance(given, FunctionName)
        and context.on_host
        and (target_of(kind) == VOID or fit(value, kind) is not None)
    ):
        return convert(value, kind)
    if {type(given), type(kind)} == {Pointer, Scalar} and not {FLOAT, DOUBLE} & {given, kind}:
        if context.on_host or kind == BOOL or size_of(kind) == 8:
            return convert(value, kind)
        raise Unsupported(at, "addresses in less than 8 bytes", "write size_t")
    if given == kind:
        return value
    hint = "convert part by part, or cast a pointer to it"
    if isinstance(value, Index) and isinstance(kind, Pointer):
        hint = f"[ ] comes before a cast: to read the array as another type, write (({kind})x)[i]"
    raise Fault(at, f"'{given}' cannot be cast to '{kind}'", hint)


def seen_as(at: Position, place: Expr, kind: Type) -> Expr:
    """Return a place as an lvalue of another type, as in reinterpret_cast<float4&>(x[4])."""
    if not is_lvalue(place):
        raise Fault(at, "only a variable can be seen as a reference", "store the value first")
    return Dereference(at, kind, convert(address_of(at, place), Pointer(kind, is_const(place))))


def construct(
    context: Context, at: Position, kind: Type, written: str, arguments: list[Expr], braces: bool
) -> Expr:
    """Check type(arguments), or with braces type{arguments}. written: the type's name in the program."""
    if isinstance(kind, Vector):
        if len(arguments) == 1 and arguments[0].type == kind:
            return arguments[0]
        if written == "dim3":
            return make_dim3(context, at, arguments)
        if arguments and not braces and not (is_half(kind) and len(arguments) == kind.lanes):
            raise Fault(at, f"'{kind}' cannot be built this way", f"write make_{kind}(...)")
        return make_vector(context, at, kind, arguments)
    if len(arguments) > 1:
        raise Fault(
            at,
            f"'{kind}' is converted from one value, but {len(arguments)} given",
            "pass one value",
        )
    if not arguments:
        return convert(Literal(at, INT, 0), kind)
    return cast(context, at, arguments[0], kind, "c")


LIST = "initializer_list<"  # how the type begins that a list in braces is to a constructor
Initial = Expr | InitializerList | None


class InitializerChecker:
    """Values and lists against the type they initialise."""

    def __init__(self, calls: CallChecker) -> None:
        self.calls, self.context = calls, calls.context

    def initial(self, declarator: Declarator, kind: Type) -> Initial:
        """Return the declarator's first value, in the variable's type."""
        first, what = declarator.initializer, f"initial value of '{declarator.name}'"
        if declarator.type.base == "dim3" and isinstance(kind, Vector) and self.context.on_host:
            return self.dimensions(declarator.at, first)
        if first is None:
            return self.default(declarator.at, kind)
        match first:
            case (QuotedText() as text) | Braces(items=[QuotedText() as text]):
                if isinstance(kind, Array) and kind.element == CHAR:
                    return self._characters(text, kind)
        if isinstance(kind, Array):
            if isinstance(first, Braces) and not first.direct:
                return self._list(first, kind)
            if not isinstance(first, Braces):
                no_text(self.calls.expression(first))
            raise Fault(first, "an array is initialised by a list", "write = {1, 2, 3}")
        if isinstance(first, Braces) and first.direct and isinstance(kind, Vector):
            arguments = [self.calls.value(item) for item in first.items]
            return construct(self.context, first.at, kind, declarator.type.base, arguments, False)
        return self.value(first, kind, what)

    def _characters(self, node: QuotedText, kind: Array) -> InitializerList:
        """Return the elements of char x[] = "text", with the 0 that ends it."""
        codes = [*characters(node.at, node.text), 0]
        if kind.length is not None and len(codes) > kind.length:
            raise Fault(
                node,
                f"the text has {len(codes)} characters with the 0 that ends it, '{kind}' has "
                f"{kind.length}",
                "make the array larger, or leave its size open",
            )
        return InitializerList([(k, Literal(node.at, CHAR, code)) for k, code in enumerate(codes)])

    def value(self, node: Node, kind: Type, what: str) -> Expr:
        """Check a value of the type: an expression that is converted to it, or a list for its members."""
        if not isinstance(node, Braces):
            return self.calls.implicit(self.calls.value(node), kind, what)
        if isinstance(kind, Struct):
            return self.object(node.at, kind, node.items, node.direct)
        if isinstance(kind, Vector):
            if len(node.items) == 1 and not isinstance(node.items[0], Braces):
                value = self.calls.value(node.items[0])
                return (
                    value
                    if value.type == kind
                    else make_vector(self.context, node.at, kind, [value])
                )
            lanes = [self.value(item, kind.base, what) for item in node.items]
            return make_vector(self.context, node.at, kind, lanes)
        if len(node.items) > 1:
            raise Fault(node.items[1], f"too many values for one '{kind}'", "remove the surplus")
        if not node.items:
            return (
                convert(Literal(node.at, INT, 0), kind)
                if isinstance(kind, Scalar)
                else Literal(node.at, kind, 0)
            )
        return self.value(node.items[0], kind, what)

    # --- structs --------------------------------------------------------------------------

    def dimensions(self, at: Position, node: Node | None) -> Expr:
        """Make a dim3; sizes that are not written are 1."""
        nodes = node.items if isinstance(node, Braces) else [node] if node else []
        values = [self.calls.value(item) for item in nodes]
        if len(values) == 1 and isinstance(values[0].type, Vector):
            return implicit(values[0], DIM3, "a dim3")
        return make_dim3(self.context, at, values)

    def object(self, at: Position, kind: Struct, nodes: list[Node], direct: bool) -> Expr:
        """Check T(a, b) if `direct`, else T{a, b}."""
        complete(at, kind)
        owner = self.context.classes[kind]
        listing = None if direct else self._listed(at, owner, nodes)
        if listing is not None:
            return listing
        constructs = owner.constructs or bool(owner.constructors.callees and nodes)
        if constructs and nodes and isinstance(nodes[0], Designated):
            raise Fault(nodes[0], f"'{kind}' has a constructor", f"write {kind}(a, b, ...)")
        plain = len(nodes) == 1 and not isinstance(nodes[0], Braces | Designated)
        arguments = self.calls.arguments(nodes) if constructs or plain else []
        if len(arguments) == 1 and arguments[0].type == kind:
            return arguments[0]
        if constructs:
            return self._constructed(at, owner, arguments)
        if not (direct and nodes):
            return Build(at, kind, self._list(Braces(at, nodes), kind))
        if not plain or self.calls.fit(value := decayed(arguments[0]), kind) is None:
            raise Fault(at, f"'{kind}' has no constructor", f"write {kind}{{a, b}}, or give it one")
        return self.calls.implicit(value, kind, str(kind))

    def _listed(self, at: Position, owner: Class, nodes: list[Node]) -> Expr | None:
        """Check {a, b, c} for a constructor that takes a std::initializer_list; return None where there is none."""
        lists = (
            callee.parameters[0].type
            for callee in owner.constructors.callees
            if len(callee.parameters) == 1
        )
        kind = next((k for k in lists if isinstance(k, Struct) and k.name.startswith(LIST)), None)
        if kind is None or not nodes:
            return None
        single = nodes[0] if len(nodes) == 1 and not isinstance(nodes[0], Braces) else None
        if single and self.calls.value(single).type == owner.struct:
            return None
        pointer = kind.fields[0].type
        assert isinstance(pointer, Pointer)
        element, size = pointer.target, size_of(pointer.target)
        values = [
            (k * size, self.value(node, element, "value in the list"))
            for k, node in enumerate(nodes)
        ]
        array = Array(element, len(values))
        place = Temporary(at, array, Build(at, array, InitializerList(values)))
        given: list[tuple[int, Expr]] = [
            (0, Decay(at, pointer, place)),
            (8, Literal(at, ULONG, len(values))),
        ]
        return self._constructed(at, owner, [Build(at, kind, InitializerList(given))])

    def _constructed(self, at: Position, owner: Class, arguments: list[Expr]) -> Expr:
        name, constructors = owner.struct.name, owner.constructors.callees
        return self.calls.call_fitting(at, name, arguments, constructors)

    def default(self, at: Position, kind: Type) -> Initial:
        """Return what a variable declared without a value holds; None if that is undefined."""
        if not isinstance(kind, Array | Struct):
            return None
        complete(at, kind)
        owner = self.context.classes.get(kind)
        if owner is not None and owner.constructs:
            if all(callee.required for callee in owner.constructors.callees):
                raise Fault(
                    at,
                    f"'{kind}' has no constructor without arguments",
                    f"write {kind} name(a, b, ...);",
                )
            return self._constructed(at, owner, [])
        items = InitializerList([*self._fill(at, deque(), kind, 0)] if self._says(kind) else [])
        if not items.items:
            return None
        return items if isinstance(kind, Array) else Build(at, kind, items)

    def _default(
        self, at: Position, kind: Type, slot: Field, start: int
    ) -> Iterator[tuple[int, Expr]]:
        """Yield what a member or element without a value in the list holds."""
        owner, place = self.context.classes.get(kind), start + slot.offset
        node = owner.defaults.get(slot.name) if owner is not None else None
        if owner is not None and node is not None:
            with self.context.within(owner):
                if isinstance(slot.type, Array) and isinstance(node, Braces):
                    values = self._list(node, slot.type).items
                    yield from ((place + k, value) for k, value in values)
                else:
                    yield place, self.value(node, slot.type, f"first value of '{slot.name}'")
        elif isinstance(slot.type, Array):
            yield from self._fill(at, deque(), slot.type, place)
        elif isinstance(value := self.default(at, slot.type), Expr):
            yield place, value

    def _says(self, kind: Type) -> bool:
        """Return whether a type contains a constructor or a default value."""
        if isinstance(kind, Array):
            return self._says(kind.element)
        owner = self.context.classes.get(kind)
        return owner is not None and (
            bool(owner.defaults)
            or owner.constructs
            or any(self._says(field.type) for field in owner.struct.fields)
        )

    # --- lists ----------------------------------------------------------------------------

    def _list(self, node: Braces, kind: Array | Struct) -> InitializerList:
        """Flatten nested lists; inner braces may be left out, as in C."""
        items = deque(node.items)
        for item in node.items:
            if isinstance(item, Designated) and not self.context.cpp20:
                raise Fault(
                    item,
                    f"members by name, {{.{item.name} = ...}}, are C++20",
                    "write the values in the order of the struct, or compile with -std=c++20",
                )
        result = InitializerList([*self._fill(node.at, items, kind, 0)])
        if items:
            raise self._surplus(items[0], kind)
        return result

    @staticmethod
    def _surplus(node: Node, kind: Array | Struct) -> Fault:
        if isinstance(node, Designated):
            names = [field.name for field in kind.fields] if isinstance(kind, Struct) else []
            return Fault(
                node,
                f"'{kind}' has no member '{node.name}' here",
                did_you_mean(node.name, names) or "write the members in the order of the struct",
            )
        larger = ", or make the array larger" * isinstance(kind, Array)
        return Fault(node, f"too many values for '{kind}'", f"remove the surplus{larger}")

    def _fill(
        self, at: Position, items: deque[Node], kind: Array | Struct, start: int
    ) -> Iterator[tuple[int, Expr]]:
        """Yield values for the slots of a type, taken from the items; when those end, the default values."""
        for slot in self._slots(kind):
            node = items[0] if items else None
            open_end = isinstance(kind, Array) and (kind.length is None or not self._says(kind))
            if node is None and open_end:
                return
            if isinstance(node, Designated) and isinstance(kind, Struct):
                if node.name == slot.name:
                    items[0] = node.value
                else:
                    node = None
            if node is None:
                yield from self._default(at, kind, slot, start)
                continue
            yield from self._put(items, slot.type, start + slot.offset)
            if isinstance(kind, Struct) and kind.kind == "union":
                return

    def _put(self, items: deque[Node], kind: Type, place: int) -> Iterator[tuple[int, Expr]]:
        """Yield the next value, or values, for one slot."""
        node, what = items[0], "value in the list"
        if isinstance(kind, Array) and isinstance(node, Braces):
            inner = deque(node.items)
            items.popleft()
            yield from self._fill(node.at, inner, kind, place)
            if inner:
                raise Fault(inner[0], f"too many values for '{kind}'", "remove the surplus")
        elif isinstance(kind, Array):
            yield from self._fill(node.at, items, kind, place)
        elif isinstance(kind, Struct) and not isinstance(node, Braces):
            value = self.calls.value(node)
            has_constructor = self.context.classes[kind].constructors.callees
            if self.calls.fit(value, kind) is None and not has_constructor:
                yield from self._fill(node.at, items, kind, place)
            else:
                items.popleft()
                yield place, self.calls.implicit(value, kind, what)
        else:
            yield place, self.value(items.popleft(), kind, what)

    def _slots(self, kind: Array | Struct) -> Iterable[Field]:
        """Return the members of a struct, or the elements of an array as if they were members."""
        if isinstance(kind, Struct):
            return kind.fields
        numbers = itertools.count() if kind.length is None else range(kind.length)
        return (Field("", kind.element, k * size_of(kind.element)) for k in numbers)


def complete_array(kind: Array, initial: Initial, at: Position, name: str) -> Array:
    """Give an array without a size, such as float x[] = {1, 2, 3}, as many elements as its list has."""
    if kind.length is not None:
        return kind
    if not isinstance(initial, InitializerList) or not initial.items:
        raise Fault(at, f"the size of '{name}' is missing", "write a size, or a list of values")
    return Array(kind.element, initial.items[-1][0] // size_of(kind.element) + 1)


def is_constant(value: Expr) -> bool:
    """Return whether a value is known when the kernel is compiled."""
    if isinstance(value, IntrinsicCall):
        return value.name.startswith("make_") and all(map(is_constant, value.arguments))
    if isinstance(value, Build):
        return all(is_constant(part) for _, part in value.initializer.items)
    return isinstance(value, Literal)
