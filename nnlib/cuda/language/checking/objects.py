"""Members of objects: a.x, p->x, x inside a member function, a.f(), A::f()."""

from __future__ import annotations

from nnlib.cuda.language.checking.context import Context
from nnlib.cuda.language.checking.lvalues import address_of, chosen, with_place
from nnlib.cuda.language.checking.symbols import Class, DataMember, Overloads, Symbol, Unavailable
from nnlib.cuda.language.diagnostics import Fault, Unsupported, did_you_mean
from nnlib.cuda.language.layout import field_of
from nnlib.cuda.language.tree import Dereference, Expr, Literal, Member, Name, Position, Variable
from nnlib.cuda.language.types import Pointer, Struct, Type


class ObjectChecker:
    """Finds what a name means in an object."""

    def __init__(self, context: Context) -> None:
        self.context = context

    def this(self, at: Position) -> Expr | None:
        """Pointer to the object of the member function around; None outside of one."""
        symbol = self.context.find("this")
        if not isinstance(symbol, Variable):
            return None
        name = Name(at, symbol.type, symbol)
        return name if isinstance(symbol.type, Pointer) else address_of(at, name)  # a constructor has it by value

    def own(self, at: Position, member: DataMember) -> Expr:
        """A member of the object of the member function around."""
        symbol = self.context.find("this")
        if not isinstance(symbol, Variable):
            raise Fault(at, f"'{member.path[-1]}' is a member and needs an object", "write object.member")
        name: Expr = Name(at, symbol.type, symbol)
        if isinstance(symbol.type, Pointer):
            name = Dereference(at, symbol.type.target, name)
        return self.along(at, name, member)

    def along(self, at: Position, place: Expr, member: DataMember) -> Expr:
        """The member of a place, through anonymous structs to it."""
        for step in member.path:
            assert isinstance(place.type, Struct)
            place = Member(at, field_of(place.type, step).type, place, step)
        if member.refers:
            assert isinstance(place.type, Pointer)
            return Dereference(at, place.type.target, place)
        return place

    def found(self, at: Position, kind: Struct, name: str) -> Symbol:
        """What the name means in such an object."""
        if not kind.complete:
            raise Fault(at, f"'{kind}' is declared, but what is in it is not known here",
                        "define it before its first use")
        scope = self.context.classes[kind].scope
        symbol = scope.get(name)
        if name in self.context.classes[kind].private and not self._may_use(self.context.classes[kind]):
            raise Fault(at, f"'{name}' of '{kind}' is private",
                        "use a public function of it, or write public: before it")
        if isinstance(symbol, Unavailable):
            raise Unsupported(at, symbol.what, symbol.instead)
        if symbol is None:
            names = [known for known, symbol in scope.items() if isinstance(symbol, DataMember | Overloads)]
            raise Fault(at, f"'{kind}' has no member '{name}'", did_you_mean(name, names)
                        or f"it has {', '.join(names) or 'none'}")
        return symbol

    def _may_use(self, owner: Class) -> bool:
        """Is this inside of the struct, or of a friend?"""
        function = self.context.function
        return any(scope is owner.scope for scope in self.context.scopes) or (
            function is not None and function.name.partition("#")[0] in owner.friends)

    def offset(self, at: Position, kind: Struct, name: str) -> tuple[int, Type]:
        """Where a member lies, and its type."""
        symbol, start = self.found(at, kind, name), 0
        inner: Type = kind
        for step in symbol.path if isinstance(symbol, DataMember) else ():
            assert isinstance(inner, Struct)
            field = field_of(inner, step)
            start, inner = start + field.offset, field.type
        return start, inner

    def member(self, at: Position, owner: Expr, name: str) -> Expr:
        """owner.name"""
        assert isinstance(owner.type, Struct)
        symbol = self.found(at, owner.type, name)
        if isinstance(symbol, Literal):
            return Literal(at, symbol.type, symbol.value)
        if not isinstance(symbol, DataMember):
            raise Fault(at, f"'{name}' of '{owner.type}' is no value", f"call it: .{name}(...)")
        return self.along(at, with_place(chosen(owner)), symbol)
