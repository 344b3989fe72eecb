"""The tree as the parser leaves it: what was written, before names and types are looked up."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..tree import Position


@dataclass(eq=False, slots=True)
class Node:
    at: Position


# --- types --------------------------------------------------------------------------------


@dataclass(eq=False, slots=True)
class PointerTo:
    const: bool
    restrict: bool = False


@dataclass(eq=False, slots=True)
class ArrayOf:
    length: Node | None


@dataclass(eq=False, slots=True)
class ReferenceTo:
    pass


@dataclass(eq=False, slots=True)
class TypeName(Node):
    """`base` (a type's name) with what is built upon it, innermost first. const, volatile: of the base.
    arguments: base<...>. definition: the struct or enum that is defined right here. within: the A<...> of
    A<...>::base. returns, takes: of the functions that a pointer leads to."""

    base: str
    const: bool = False
    derivations: list[PointerTo | ArrayOf | ReferenceTo] = field(default_factory=list)
    arguments: list[Node] = field(default_factory=list)
    definition: StructDefinition | Enumeration | None = None
    within: TypeName | None = None
    volatile: bool = False
    returns: TypeName | None = None
    takes: list[TypeName] = field(default_factory=list)

    def plain(self) -> TypeName:
        """What stands before the first *: several names may be declared with it."""
        return replace(self, derivations=[])

    @property
    def is_volatile(self) -> bool:
        """Whether what has the type is volatile, and not only what it points to."""
        return self.volatile and not any(isinstance(part, PointerTo) for part in self.derivations)


# --- expressions --------------------------------------------------------------------------


@dataclass(eq=False, slots=True)
class Number(Node):
    text: str


@dataclass(eq=False, slots=True)
class Character(Node):
    text: str


@dataclass(eq=False, slots=True)
class QuotedText(Node):
    text: str


@dataclass(eq=False, slots=True)
class Identifier(Node):
    name: str


@dataclass(eq=False, slots=True)
class Instance(Node):
    """name<arguments> of a template, without a call."""

    name: str
    arguments: list[Node]


@dataclass(eq=False, slots=True)
class Scoped(Node):
    """A<...>::name."""

    owner: TypeName
    name: str


@dataclass(eq=False, slots=True)
class Prefix(Node):
    """op: + - ! ~ * & ++ --"""

    op: str
    operand: Node


@dataclass(eq=False, slots=True)
class Postfix(Node):
    """op: ++ --"""

    op: str
    operand: Node


@dataclass(eq=False, slots=True)
class Infix(Node):
    """Any binary operator, && || and the comma."""

    op: str
    left: Node
    right: Node


@dataclass(eq=False, slots=True)
class Assignment(Node):
    """op: "" for =, else the operator before the = sign."""

    op: str
    target: Node
    value: Node


@dataclass(eq=False, slots=True)
class Ternary(Node):
    condition: Node
    then: Node
    otherwise: Node


@dataclass(eq=False, slots=True)
class Apply(Node):
    """name(arguments), or name<template_arguments>(arguments)."""

    name: str
    arguments: list[Node]
    template_arguments: list[Node] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class MethodCall(Node):
    """base.name(arguments), or base->name(arguments) when `arrow`."""

    base: Node
    name: str
    arrow: bool
    arguments: list[Node]
    template_arguments: list[Node] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Subscript(Node):
    base: Node
    index: Node


@dataclass(eq=False, slots=True)
class MemberAccess(Node):
    """base.name, or base->name when `arrow`."""

    base: Node
    name: str
    arrow: bool


@dataclass(eq=False, slots=True)
class Cast(Node):
    """(type)x, static_cast<type>(x), reinterpret_cast<type>(x). style: "c", "static_cast", "reinterpret_cast"."""

    target: TypeName
    operand: Node
    style: str


@dataclass(eq=False, slots=True)
class Construct(Node):
    """type(arguments), or type{arguments} when `braces`."""

    target: TypeName
    arguments: list[Node]
    braces: bool = False


@dataclass(eq=False, slots=True)
class SizeOfSyntax(Node):
    """sizeof, or alignof when `align`."""

    operand: TypeName | Node
    align: bool = False


@dataclass(eq=False, slots=True)
class OffsetOf(Node):
    """offsetof(target, a.b)"""

    target: TypeName
    path: list[str]


@dataclass(eq=False, slots=True)
class Designated(Node):
    """.name = value, in braces."""

    name: str
    value: Node


@dataclass(eq=False, slots=True)
class LaunchSyntax(Node):
    """name<template_arguments><<<configuration>>>(arguments); value: what is launched, if it is no name."""

    name: str
    template_arguments: list[Node]
    configuration: list[Node]
    arguments: list[Node]
    value: Node | None = None


@dataclass(eq=False, slots=True)
class NewSyntax(Node):
    """new type(arguments), or new type[count]."""

    target: TypeName
    count: Node | None
    arguments: list[Node] | None


@dataclass(eq=False, slots=True)
class DeleteSyntax(Node):
    """delete pointer, or delete[] pointer when `array`."""

    pointer: Node
    array: bool


@dataclass(eq=False, slots=True)
class Braces(Node):
    """{a, {b, c}} as initializer, or when `direct` the (a, b) behind a name."""

    items: list[Node]
    direct: bool = False


@dataclass(eq=False, slots=True)
class Lambda(Node):
    """[captures](...) { ... }: a struct with one function. captures: (name, by reference); all: "=" or "&" for whatever
    is used, or ""."""

    captures: list[tuple[str, bool]]
    all: str
    function: FunctionDefinition


@dataclass(eq=False, slots=True)
class CallValue(Node):
    """value(arguments): of what is no name."""

    value: Node
    arguments: list[Node]


# --- declarations and statements ----------------------------------------------------------


@dataclass(eq=False, slots=True)
class Declarator(Node):
    """One name of a declaration."""

    name: str
    type: TypeName
    initializer: Node | None = None


@dataclass(eq=False, slots=True)
class Declaration(Node):
    """marks: static, extern, constexpr, typedef, __shared__, __constant__, __device__, ..."""

    marks: frozenset[str]
    declarators: list[Declarator]


ALIAS = "alias"  # the kind of a struct that a template of another name for a type is


@dataclass(eq=False, slots=True)
class Enumeration(Node):
    """base: the integer type, if one is written. scoped: enum class, whose members are name::member."""

    name: str
    members: list[tuple[Position, str, Node | None]]
    base: TypeName | None = None
    scoped: bool = False


@dataclass(eq=False, slots=True)
class StructDefinition(Node):
    """kind: struct, class or union. members: data, functions and nested types in the order of the text; None: only
    declared. align: of __align__(n). template, special: as of a function. private: names of members. base: what it
    inherits from."""

    kind: str
    name: str
    members: list[Node] | None
    align: Node | None = None
    template: list[TemplateParameter] = field(default_factory=list)
    special: list[Node] | None = None
    private: set[str] = field(default_factory=set)
    base: TypeName | None = None


@dataclass(eq=False, slots=True)
class StaticAssert(Node):
    condition: Node
    message: str


@dataclass(eq=False, slots=True)
class UsingNamespace(Node):
    name: str


@dataclass(eq=False, slots=True)
class Evaluate(Node):
    expression: Node


@dataclass(eq=False, slots=True)
class Compound(Node):
    statements: list[Node]


@dataclass(eq=False, slots=True)
class IfSyntax(Node):
    """bare: nothing but a ; follows the condition."""

    condition: Node
    then: Node
    otherwise: Node | None
    constexpr: bool = False
    bare: bool = False


@dataclass(eq=False, slots=True)
class ForSyntax(Node):
    """bare: its body is nothing but a ;."""

    init: Node | None
    condition: Node | None
    step: Node | None
    body: Node
    bare: bool = False


@dataclass(eq=False, slots=True)
class ForEach(Node):
    """for (variable : sequence) body"""

    variable: Declarator
    sequence: Node
    body: Node


@dataclass(eq=False, slots=True)
class WhileSyntax(Node):
    condition: Node
    body: Node


@dataclass(eq=False, slots=True)
class DoWhileSyntax(Node):
    body: Node
    condition: Node


@dataclass(eq=False, slots=True)
class CaseSyntax(Node):
    value: Node | None  # None: default
    body: list[Node]


@dataclass(eq=False, slots=True)
class SwitchSyntax(Node):
    value: Node
    declarations: list[Node]  # in front of the first case
    cases: list[CaseSyntax]


@dataclass(eq=False, slots=True)
class Jump(Node):
    """kind: break, continue or goto, which has a label."""

    kind: str
    label: str = ""


@dataclass(eq=False, slots=True)
class LabelSyntax(Node):
    """name: in front of a statement."""

    name: str


@dataclass(eq=False, slots=True)
class ReturnSyntax(Node):
    value: Node | None


@dataclass(eq=False, slots=True)
class ThrowSyntax(Node):
    value: Node | None


@dataclass(eq=False, slots=True)
class TrySyntax(Node):
    """handlers: what each catches (None: anything), and its body."""

    body: Node
    handlers: list[tuple[Declarator | None, Node]]


@dataclass(eq=False, slots=True)
class TemplateParameter(Node):
    """type None: `typename T`; else a value of that type."""

    name: str
    type: TypeName | None
    default: Node | None


@dataclass(eq=False, slots=True)
class FunctionDefinition(Node):
    """body None: only declared, defined elsewhere. bounds: first argument of __launch_bounds__. template: `<...>`.
    special: of `template <> T name<...>(...)`, a template's own body for these arguments, those behind the name.
    const: a member function that does not change its object. variadic: it ends with ... for more arguments.
    first: of a constructor, member -> its first value."""

    name: str
    marks: frozenset[str]
    extern_c: bool
    result: TypeName
    parameters: list[Declarator]
    bounds: Node | None
    body: Compound | None
    template: list[TemplateParameter] = field(default_factory=list)
    special: list[Node] | None = None
    const: bool = False
    variadic: bool = False
    first: list[tuple[str, Node]] | None = None
