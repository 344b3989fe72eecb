"""Structs: what is in them, how they lie in memory, their functions; lambdas, which are structs of one function."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

from ..diagnostics import Fault, Unsupported
from ..layout import lay_out
from ..parsing.syntax import (
    Braces,
    Declaration,
    Declarator,
    FunctionDefinition,
    Identifier,
    Lambda,
    Node,
    StructDefinition,
)
from ..tree import Build, Expr, InitializerList, Literal, Variable
from ..types import ULONG, VOID, Array, Field, Scalar, Struct, Type
from .calls import CallChecker
from .names import (
    Alias,
    Class,
    ClassTemplate,
    DataMember,
    Overloads,
    Symbol,
    Unavailable,
    own_name,
)
from .objects import address_of, complete, is_lvalue
from .values import convert

KIND = "virtual"  # the member that says which struct an object with virtual functions really is
DATA_MARKS = {"static", "constexpr", "__device__", "inline"}


class StructChecker:
    """Checks definitions of structs.

    value: checks an expression. alias, declare: declare other names of types, and whatever is no variable.
    functions_of: checks member functions.
    """

    alias: Callable[[Declarator], None]
    declare: Callable[[Node], None]
    functions_of: Callable[[Class, list[FunctionDefinition]], None]

    def __init__(self, calls: CallChecker) -> None:
        self.context, self.types, self.value = calls.context, calls.types, calls.value
        self.expression = calls.expression
        self._closures: dict[tuple[int, int], Struct] = {}

    def define(self, node: StructDefinition) -> Struct:
        """Return the struct that is defined, or only named, here."""
        symbol = self.context.scopes[-1].get(node.name)
        named = (
            symbol.type if isinstance(symbol, Alias) and isinstance(symbol.type, Struct) else None
        )
        if node.members is None:
            return named or self._declared(node)
        if node.special is not None:
            raise Fault(node, f"'{node.name}' is no template", "write template <> before it")
        if named is not None and named.complete:
            raise Fault(node, f"'{node.name}' is already declared here", "choose another name")
        struct = named or self._declared(node)
        self.fill(struct, node)
        return struct

    def _declared(self, node: StructDefinition) -> Struct:
        """Declare a struct of which only the name is known so far."""
        struct = self.context.new_struct(self._full_name(node), node.kind)
        if node.name:
            self.context.declare(node, node.name, Alias(struct))
        self.context.classes[struct] = Class(struct, {}, self.around())
        return struct

    def _full_name(self, node: StructDefinition) -> str:
        if not node.name:
            return f"{node.kind} in line {node.at.line}"
        owner = next(
            (
                owner
                for owner in self.context.classes.values()
                if owner.scope is self.context.scopes[-1]
            ),
            None,
        )
        return f"{owner.struct.name}::{node.name}" if owner else node.name

    def around(self, shared: bool = False) -> dict[str, Symbol]:
        """Return the types, constants and functions that a struct inside a function or struct sees; with `shared` also arrays."""
        return {
            name: symbol
            for scope in self.context.scopes[1:]
            for name, symbol in scope.items()
            if isinstance(symbol, Alias | Literal | Overloads | ClassTemplate)
            or (isinstance(symbol, Variable) and shared and symbol.space == "shared")
        }

    # --- what is in it ----------------------------------------------------------------------

    def fill(self, struct: Struct, node: StructDefinition) -> None:
        """Give a struct its members."""
        owner = self.context.classes[struct]
        owner.private = node.private
        functions: list[FunctionDefinition] = []
        with self.context.within(owner):
            owner.scope[node.name or "struct"] = Alias(struct)
            fields = self._inherited(owner, node)
            for member in node.members or []:
                if isinstance(member, FunctionDefinition):
                    functions.append(member)
                elif isinstance(member, Declaration):
                    self._data(owner, member, fields)
                else:
                    self.declare(member)
            align = self._alignment(node)
        lay_out(struct, fields, align)
        self._name(owner, struct.fields, ())
        self._inherit(owner)
        self.functions_of(owner, functions)

    def _inherited(self, owner: Class, node: StructDefinition) -> list[tuple[str, Type, bool]]:
        """Return the fields before a struct's own: its base as a whole.

        A struct without a base, but with virtual functions, begins with the number that says which struct it really is.
        """
        if node.base is not None:
            base = self.types.resolve(node.base)[0]
            if not isinstance(base, Struct):
                raise Fault(
                    node.base,
                    f"'{base}' cannot be inherited from",
                    "write the name of a struct or class",
                )
            complete(node.base, base)
            owner.struct.base = base
            return [(own_name(base), base, False)]
        virtual = any(
            isinstance(member, FunctionDefinition) and "virtual" in member.marks
            for member in node.members or []
        )
        return [(KIND, ULONG, False)] if virtual else []

    def _inherit(self, owner: Class) -> None:
        """Take over the names of the base."""
        if owner.struct.base is None:
            return
        base = self.context.classes[owner.struct.base]
        owner.scope[own_name(base.struct)] = Alias(base.struct)
        owner.slots = dict(base.slots)
        number, known = self.context.number_of(owner.struct), self.context.number_of(base.struct)
        for kinds in base.slots.values():
            kinds |= {number: kinds[known]} if known in kinds else {}
        for name, symbol in base.scope.items():
            if isinstance(symbol, DataMember):
                symbol = DataMember((own_name(base.struct), *symbol.path), symbol.refers)
            owner.scope.setdefault(name, symbol)

    def _alignment(self, node: StructDefinition) -> int:
        if node.align is None:
            return 1
        align = self.types.constant(node.align, "the alignment")
        if align not in (1, 2, 4, 8, 16, 32, 64, 128):
            raise Fault(node.align, f"{align} is no alignment", "use 4, 8 or 16")
        return align

    def _data(self, owner: Class, node: Declaration, fields: list[tuple[str, Type, bool]]) -> None:
        for declarator in node.declarators:
            if "typedef" in node.marks:
                self.alias(declarator)
                continue
            for mark in sorted(node.marks - DATA_MARKS):
                raise Fault(node, f"{mark} does not go with a member", "remove it")
            kind, const, reference = self.types.resolve(declarator.type)
            if "static" in node.marks:
                self._static(owner, declarator, kind, const)
                continue
            if reference:
                raise Unsupported(declarator, "members that are references", "use a pointer")
            if kind == VOID or (isinstance(kind, Array) and kind.length is None):
                raise Fault(
                    declarator, f"a member cannot be '{kind}'", "write a type with a known size"
                )
            complete(declarator, kind.element if isinstance(kind, Array) else kind)
            if declarator.name and declarator.name in [field[0] for field in fields]:
                raise Fault(
                    declarator,
                    f"'{declarator.name}' is already declared here",
                    "choose another name",
                )
            if declarator.initializer is not None:
                owner.defaults[declarator.name] = declarator.initializer
            fields.append((declarator.name, kind, const))

    def _static(self, owner: Class, declarator: Declarator, kind: Type, const: bool) -> None:
        """Declare static const int N = 4, whose uses are replaced by the value."""
        first = declarator.initializer
        if isinstance(first, Braces) and len(first.items) == 1:
            first = first.items[0]
        value = (
            self.value(first) if first is not None and const and isinstance(kind, Scalar) else None
        )
        number = convert(value, kind) if isinstance(value, Literal) else None
        if isinstance(number, Literal):
            owner.scope[declarator.name] = Literal(declarator.at, kind, number.value)
        else:
            owner.scope[declarator.name] = Unavailable(
                "static members other than constants",
                "declare it outside of the struct, with __device__",
            )

    def _name(self, owner: Class, fields: tuple[Field, ...], path: tuple[str, ...]) -> None:
        """Enter members by name; those of anonymous structs count as the struct's own."""
        for number, field in enumerate(fields):
            if field.name:
                owner.scope[field.name] = DataMember((*path, field.name))
            elif isinstance(field.type, Struct):
                self._name(owner, field.type.fields, (*path, f"#{number}"))

    # --- lambdas: structs of one function, which hold what they keep of the variables around them ---

    def closure(self, node: Lambda) -> Expr:
        """Return the object that a lambda is: a copy of what it uses, and an operator()."""
        runner = self.context.function
        if runner is not None and runner.kind == "both":
            node.function.marks |= {"__host__", "__device__"}
        elif not self.context.on_host:
            node.function.marks |= {"__device__"}
        captured = self._captured(node)
        around: dict[str, Symbol] = {
            name: value for name, value, _ in captured if isinstance(value, Literal)
        }
        around |= self.around(shared=True)
        values = [found for found in captured if not isinstance(found[1], Literal)]
        key = id(node), id(self.context.function)  # auto f = [] ... looks twice
        struct = self._closures.get(key)
        if struct is None:
            struct = self._closures[key] = self.context.new_struct(f"lambda in line {node.at.line}")
            lay_out(struct, [(name, value.type, False) for name, value, _ in values], 1)
            members: dict[str, Symbol] = {
                name: DataMember((name,), refers) for name, _, refers in values
            }
            owner = self.context.classes[struct] = Class(struct, members, around)
            self.functions_of(owner, [node.function])
        items = [
            (field.offset, value)
            for field, (_, value, _) in zip(struct.fields, values, strict=True)
        ]
        return Build(node.at, struct, InitializerList(items))

    def _captured(self, node: Lambda) -> list[tuple[str, Expr, bool]]:
        """Name, value, by reference: what the lambda keeps of the variables around it."""
        result: list[tuple[str, Expr, bool]] = []
        written = dict(node.captures)
        used = dict.fromkeys(_names(node.function) if node.all else (), node.all == "&")
        wanted = written | used | written  # first what is written, which says how
        for name, refers in wanted.items():
            symbol = self.context.find(name)
            if not (
                isinstance(symbol, DataMember)
                or (isinstance(symbol, Variable) and symbol.space in ("local", "parameter"))
            ):
                continue
            value = self.expression(Identifier(node.at, name))
            refers = refers and is_lvalue(value)
            if refers:
                value = address_of(node.at, value)
            elif isinstance(value.type, Array):
                raise Unsupported(node, f"a lambda that copies the array '{name}'", "write [&]")
            result.append((name, value, refers))
        return result


def _names(item: Any) -> Iterator[str]:
    """Yield the names that a piece of syntax uses, but does not declare."""
    declared = {part.name for part in _parts(item) if isinstance(part, Declarator)}
    used = [part.name for part in _parts(item) if isinstance(part, Identifier)]
    return (name for name in used if name not in declared)


def _parts(item: Any) -> Iterator[Any]:
    """Yield all pieces of syntax inside one."""
    if isinstance(item, list | tuple):
        for part in item:
            yield from _parts(part)
    elif dataclasses.is_dataclass(item):
        yield item
        for field in dataclasses.fields(item):
            yield from _parts(getattr(item, field.name))
