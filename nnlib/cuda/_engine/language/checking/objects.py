"""Objects in memory: what has an address, what can be assigned to, members, and what a destructor ends."""

from __future__ import annotations

from ..diagnostics import Fault, MissingFromLibrary, Unsupported, did_you_mean
from ..layout import field_of
from ..parsing import syntax
from ..tree import (
    AddressOf,
    Assign,
    BuiltinIndex,
    Call,
    Comma,
    CompoundAssign,
    Conditional,
    Convert,
    Decay,
    Dereference,
    Ending,
    Expr,
    Index,
    IntrinsicCall,
    Literal,
    Located,
    Member,
    Name,
    PointerOffset,
    Position,
    StringLiteral,
    Temporary,
    Variable,
)
from ..types import Array, Pointer, Struct, Type, size_of
from ..walking import nodes_of
from .names import Class, Context, DataMember, Overloads, Symbol, Unavailable


def complete(where: Located, kind: Type) -> None:
    """Raise Fault for a struct of which only the name is known."""
    if isinstance(kind, Struct) and not kind.complete:
        raise Fault(
            where,
            f"'{kind}' is declared, but what is in it is not known here",
            "define it before its first use",
        )


def pointee(at: Position, pointer: Expr) -> Expr:
    """Return what a pointer leads to, as an lvalue."""
    assert isinstance(pointer.type, Pointer)
    return Dereference(at, pointer.type.target, pointer)


def is_lvalue(expression: Expr) -> bool:
    """Return whether an expression names a place in memory."""
    if isinstance(expression, Member):
        return is_lvalue(expression.base)
    return isinstance(expression, (Name, Index, Dereference))


def place_of(at: Position, variable: Variable) -> Expr:
    """Return the place that a variable's name stands for."""
    name = Name(at, variable.type, variable)
    return pointee(at, name) if variable.refers else name


def is_const(place: Expr) -> bool:
    """Return whether an lvalue may not be changed."""
    match place:
        case Name(variable):
            return variable.const
        case Dereference(pointer):
            return isinstance(pointer.type, Pointer) and pointer.type.const
        case Index(base):
            return base.type.const if isinstance(base.type, Pointer) else is_const(base)
        case Member(base, field):
            return is_const(base) or (
                isinstance(base.type, Struct) and field_of(base.type, field).const
            )
    return False


def changeable(place: Expr, node: syntax.Node, at: Position) -> Expr:
    """Return an lvalue that may be written; raise Fault for anything else. node: how it is written."""
    if isinstance(place, BuiltinIndex):
        raise Fault(at, f"{place.name} cannot be changed", "copy it to a variable of your own")
    if not is_lvalue(place):
        raise Fault(
            at,
            "only variables and elements of arrays can be changed, not a value",
            "did you mean == instead of =?",
        )
    if is_const(place):
        name = f"'{node.name}'" if isinstance(node, syntax.Identifier) else "this"
        raise Fault(
            at,
            f"{name} is const and cannot be changed",
            "if it is an input, store the result elsewhere; else remove const from its declaration",
        )
    if isinstance(place.type, Array):
        raise Fault(
            at, "an array cannot be changed as a whole", "assign element by element: x[i] = ..."
        )
    root = place
    while isinstance(root, (Index, Member)) and not isinstance(root.base.type, Pointer):
        root = root.base
    if isinstance(root, Name) and root.variable.space == "constant":
        raise Fault(
            at,
            f"'{root.variable.name}' is __constant__: kernels can only read it",
            "write it from Python, or declare it __device__",
        )
    return place


def chosen(value: Expr) -> Expr:
    """Return what ?: chooses, as an lvalue if both sides are."""
    if isinstance(value, Conditional) and is_lvalue(value.then) and is_lvalue(value.otherwise):
        then, otherwise = address_of(value.at, value.then), address_of(value.at, value.otherwise)
        return Dereference(
            value.at, value.type, Conditional(value.at, then.type, value.condition, then, otherwise)
        )
    return value


def inner_target(node: syntax.Node) -> syntax.Node | None:
    """Return what an assignment, or ++ or -- before an expression, changes: y of ++(y += 2). None for anything else."""
    inside = None
    while isinstance(node, syntax.Assignment) or (
        isinstance(node, syntax.Prefix) and node.op in ("++", "--")
    ):
        inside = node = node.target if isinstance(node, syntax.Assignment) else node.operand
    return inside


def assigned(value: Expr, place: Expr) -> Expr:
    """Return (y += 2) as the lvalue that it is: *(y += 2, &y)."""
    at = value.at
    if is_lvalue(value):
        return value
    if any(nodes_of(Assign | CompoundAssign | Call | IntrinsicCall, place)):
        raise Unsupported(
            at, "an assignment as a place whose index changes something", "write two statements"
        )
    address = address_of(at, place)
    return Dereference(at, place.type, Comma(at, address.type, value, address))


def with_place(value: Expr) -> Expr:
    """Return a value as something that has an address: a temporary, if it has none of its own."""
    return value if is_lvalue(value) else Temporary(value.at, value.type, value)


def no_text(expression: Expr) -> Expr:
    """Return the expression; raise Unsupported for a string literal."""
    if isinstance(expression, StringLiteral):
        raise Unsupported(
            expression,
            "a text other than the format of printf",
            "use numbers, or an array of characters: {'a', 'b'}",
        )
    return expression


def decayed(expression: Expr) -> Expr:
    """Return an array as the pointer to its first element; anything else as it is."""
    if isinstance(expression.type, Array):
        return Decay(
            expression.at, Pointer(expression.type.element, is_const(expression)), expression
        )
    return expression


def local_behind(pointer: Expr) -> Variable | None:
    """Return the local variable that a pointer points to or into, if the expression shows it."""
    while isinstance(pointer, (Convert, PointerOffset)):
        pointer = pointer.operand if isinstance(pointer, Convert) else pointer.pointer
    if not isinstance(pointer, (AddressOf, Decay)):
        return None
    place = pointer.operand
    while isinstance(place, Member) or (
        isinstance(place, Index) and isinstance(place.base.type, Array)
    ):
        place = place.base
    return (
        place.variable
        if isinstance(place, Name) and place.variable.space in ("local", "parameter")
        else None
    )


def address_of(at: Position, place: Expr) -> Expr:
    """Return &place."""
    match place:
        case Dereference(pointer):
            return pointer
        case Index(base, index):
            pointer = decayed(base)
            return PointerOffset(at, pointer.type, pointer, index)
    root = place
    while isinstance(root, Member):
        root = root.base
    if isinstance(root, Name):
        root.variable.address_taken = True
    return AddressOf(at, Pointer(place.type, is_const(place)), place)


def endings(context: Context, kind: Type) -> list[Ending]:
    """Return (offset, function) of all destructors of such an object: its own, then those of its members, last first."""
    if isinstance(kind, Array):
        inner = endings(context, kind.element)
        count = kind.length or 0 if inner else 0
        return [
            (k * size_of(kind.element) + offset, function)
            for k in reversed(range(count))
            for offset, function in inner
        ]
    owner = context.classes.get(kind)
    if owner is None:
        return []
    own = owner.destructor
    found: list[Ending] = []
    if own is not None:
        own.used = True
        own.check()
        found.append((0, own.function))
    for field in reversed(owner.struct.fields):
        found += [
            (field.offset + offset, function) for offset, function in endings(context, field.type)
        ]
    return found


def endless(context: Context, where: Located, kind: Type, what: str, instead: str) -> None:
    """Raise Unsupported for an object with a destructor where it is unknown when the object ends."""
    if endings(context, kind):
        raise Unsupported(where, f"{what} with a destructor", instead)


def named(context: Context, value: Expr) -> Expr:
    """Return the value; raise Unsupported for an object with a destructor that has no name."""
    if not is_lvalue(value):
        endless(
            context,
            value,
            value.type,
            "an object without a name",
            "give it one: type name(arguments);",
        )
    return value


def this_object(context: Context, at: Position) -> Expr | None:
    """Return the pointer to the object of the enclosing member function; None outside of one."""
    symbol = context.find("this")
    if not isinstance(symbol, Variable):
        return None
    name = Name(at, symbol.type, symbol)
    # A constructor has it by value
    return name if isinstance(symbol.type, Pointer) else address_of(at, name)


def own_member(context: Context, at: Position, member: DataMember) -> Expr:
    """Return a member of the object of the enclosing member function."""
    symbol = context.find("this")
    if not isinstance(symbol, Variable):
        raise Fault(
            at, f"'{member.path[-1]}' is a member and needs an object", "write object.member"
        )
    name = Name(at, symbol.type, symbol)
    place = pointee(at, name) if isinstance(symbol.type, Pointer) else name
    return along(at, place, member)


def along(at: Position, place: Expr, member: DataMember) -> Expr:
    """Return the member of a place, through the anonymous structs that lead to it."""
    for step in member.path:
        assert isinstance(place.type, Struct)
        place = Member(at, field_of(place.type, step).type, place, step)
    return pointee(at, place) if member.refers else place


def found_in(context: Context, at: Position, kind: Struct, name: str) -> Symbol:
    """Return what a name means in such an object."""
    complete(at, kind)
    owner = context.classes[kind]
    symbol = owner.scope.get(name)
    if name in owner.private and not _may_use(context, owner):
        raise Fault(
            at,
            f"'{name}' of '{kind}' is private",
            "use a public function of it, or write public: before it",
        )
    if isinstance(symbol, Unavailable):
        raise symbol.fault(at)
    if symbol is None:
        names = [
            known
            for known, symbol in owner.scope.items()
            if isinstance(symbol, DataMember | Overloads)
        ]
        close = did_you_mean(name, names)
        if kind.name.partition("<")[0] in context.given:
            what = f"the simulator's '{kind}' has no member '{name}'"
            raise MissingFromLibrary(at, what, close or "write what it would do")
        raise Fault(
            at,
            f"'{kind}' has no member '{name}'",
            close or f"it has {', '.join(names) or 'none'}",
        )
    return symbol


def _may_use(context: Context, owner: Class) -> bool:
    """Return whether the code being checked is inside of the struct, or in one of its friends."""
    function = context.function
    inside = [
        known
        for known in context.classes.values()
        if any(scope is known.scope for scope in context.scopes)
    ]
    return any(known is owner or known.struct.derives_from(owner.struct) for known in inside) or (
        function is not None and function.name.partition("#")[0] in owner.friends
    )


def offset_in(context: Context, at: Position, kind: Struct, name: str) -> tuple[int, Type]:
    """Return the byte offset of a member, and its type."""
    symbol, start = found_in(context, at, kind, name), 0
    inner: Type = kind
    for step in symbol.path if isinstance(symbol, DataMember) else ():
        assert isinstance(inner, Struct)
        field = field_of(inner, step)
        start, inner = start + field.offset, field.type
    return start, inner


def member_of(context: Context, at: Position, owner: Expr, name: str) -> Expr:
    """Check owner.name."""
    assert isinstance(owner.type, Struct)
    symbol = found_in(context, at, owner.type, name)
    if isinstance(symbol, Literal):
        return Literal(at, symbol.type, symbol.value)
    if not isinstance(symbol, DataMember):
        raise Fault(at, f"'{name}' of '{owner.type}' is no value", f"call it: .{name}(...)")
    return along(at, with_place(chosen(owner)), symbol)
