"""The tree as the parser leaves it: what was written, before names and types are looked up."""

from __future__ import annotations

from dataclasses import field, replace

from ..tree import Position, node_class


@node_class
class Node:
    at: Position


# --- types --------------------------------------------------------------------------------


@node_class
class PointerTo:
    const: bool
    restrict: bool = False


@node_class
class ArrayOf:
    length: Node | None


@node_class
class TypeName(Node):
    """`base` (a type's name) with what is built upon it, innermost first. const, volatile: of the base.
    arguments: base<...>. definition: the struct or enum that is defined right here. within: the A<...> of
    A<...>::base. returns, takes: of the functions that a pointer leads to. refers: & follows."""

    base: str
    const: bool = False
    derivations: list[PointerTo | ArrayOf] = field(default_factory=list)
    arguments: list[Node] = field(default_factory=list)
    definition: StructDefinition | Enumeration | None = None
    within: TypeName | None = None
    volatile: bool = False
    returns: TypeName | None = None
    takes: list[TypeName] = field(default_factory=list)
    refers: bool = False

    def plain(self) -> TypeName:
        """What stands before the first *: several names may be declared with it."""
        return replace(self, derivations=[], refers=False)

    @property
    def is_volatile(self) -> bool:
        """Whether what has the type is volatile, and not only what it points to."""
        return self.volatile and not any(isinstance(part, PointerTo) for part in self.derivations)


# --- expressions --------------------------------------------------------------------------


@node_class
class Number(Node):
    text: str


@node_class
class Character(Node):
    text: str


@node_class
class QuotedText(Node):
    text: str


@node_class
class Identifier(Node):
    """name, or name<template_arguments>"""

    name: str
    template_arguments: list[Node] = field(default_factory=list)


@node_class
class Scoped(Node):
    """A<...>::name."""

    owner: TypeName
    name: str


@node_class
class Prefix(Node):
    """op: + - ! ~ * & ++ --"""

    op: str
    operand: Node


@node_class
class Postfix(Node):
    """op: ++ --"""

    op: str
    operand: Node


@node_class
class Infix(Node):
    """Any binary operator, && || and the comma."""

    op: str
    left: Node
    right: Node


@node_class
class Assignment(Node):
    """op: "" for =, else the operator before the = sign."""

    op: str
    target: Node
    value: Node


@node_class
class Ternary(Node):
    condition: Node
    then: Node
    otherwise: Node


@node_class
class CallSyntax(Node):
    """value(arguments), where the value is mostly a name or a member."""

    value: Node
    arguments: list[Node]


@node_class
class Subscript(Node):
    base: Node
    index: Node


@node_class
class MemberAccess(Node):
    """base.name, or base->name when `arrow`."""

    base: Node
    name: str
    arrow: bool
    template_arguments: list[Node] = field(default_factory=list)


@node_class
class Cast(Node):
    """(type)x, static_cast<type>(x), reinterpret_cast<type>(x). style: "c", "static_cast", "reinterpret_cast"."""

    target: TypeName
    operand: Node
    style: str


@node_class
class Construct(Node):
    """type(arguments), or type{arguments} when `braces`."""

    target: TypeName
    arguments: list[Node]
    braces: bool = False


@node_class
class SizeOfSyntax(Node):
    """sizeof, or alignof when `align`."""

    operand: TypeName | Node
    align: bool = False


@node_class
class OffsetOf(Node):
    """offsetof(target, a.b)"""

    target: TypeName
    path: list[str]


@node_class
class Designated(Node):
    """.name = value, in braces."""

    name: str
    value: Node


@node_class
class LaunchSyntax(Node):
    """value<<<configuration>>>(arguments)"""

    value: Node
    configuration: list[Node]
    arguments: list[Node]


@node_class
class NewSyntax(Node):
    """new type(arguments), or new type[count]."""

    target: TypeName
    count: Node | None
    arguments: list[Node] | None


@node_class
class DeleteSyntax(Node):
    """delete pointer, or delete[] pointer when `array`."""

    pointer: Node
    array: bool


@node_class
class Braces(Node):
    """{a, {b, c}} as initializer, or when `direct` the (a, b) behind a name."""

    items: list[Node]
    direct: bool = False


@node_class
class Lambda(Node):
    """[captures](...) { ... }: a struct with one function. captures: (name, by reference); all: "=" or "&" for whatever
    is used, or ""."""

    captures: list[tuple[str, bool]]
    all: str
    function: FunctionDefinition


# --- declarations and statements ----------------------------------------------------------


@node_class
class Declarator(Node):
    """One name of a declaration."""

    name: str
    type: TypeName
    initializer: Node | None = None


@node_class
class Declaration(Node):
    """marks: static, extern, constexpr, typedef, __shared__, __constant__, __device__, ..."""

    marks: frozenset[str]
    declarators: list[Declarator]


ALIAS = "alias"  # the kind of a struct that a template of another name for a type is


@node_class
class Enumeration(Node):
    """base: the integer type, if one is written. scoped: enum class, whose members are name::member."""

    name: str
    members: list[tuple[Position, str, Node | None]]
    base: TypeName | None = None
    scoped: bool = False


@node_class
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


@node_class
class StaticAssert(Node):
    condition: Node
    message: str


@node_class
class UsingNamespace(Node):
    name: str


@node_class
class Evaluate(Node):
    expression: Node


@node_class
class Compound(Node):
    statements: list[Node]


@node_class
class IfSyntax(Node):
    """bare: nothing but a ; follows the condition."""

    condition: Node
    then: Node
    otherwise: Node | None
    constexpr: bool = False
    bare: bool = False


@node_class
class ForSyntax(Node):
    """for, or while, which has a condition only. bare: the body of a for is nothing but a ;."""

    init: Node | None
    condition: Node | None
    step: Node | None
    body: Node
    bare: bool = False


@node_class
class ForEach(Node):
    """for (variable : sequence) body"""

    variable: Declarator
    sequence: Node
    body: Node


@node_class
class DoWhileSyntax(Node):
    body: Node
    condition: Node


@node_class
class CaseSyntax(Node):
    value: Node | None  # None: default
    body: list[Node]


@node_class
class SwitchSyntax(Node):
    value: Node
    declarations: list[Node]  # in front of the first case
    cases: list[CaseSyntax]


@node_class
class Jump(Node):
    """kind: break, continue or goto, which has a label."""

    kind: str
    label: str = ""


@node_class
class LabelSyntax(Node):
    """name: in front of a statement."""

    name: str


@node_class
class ReturnSyntax(Node):
    value: Node | None


@node_class
class ThrowSyntax(Node):
    value: Node | None


@node_class
class TrySyntax(Node):
    """handlers: what each catches (None: anything), and its body."""

    body: Node
    handlers: list[tuple[Declarator | None, Node]]


@node_class
class TemplateParameter(Node):
    """type None: `typename T`; else a value of that type."""

    name: str
    type: TypeName | None
    default: Node | None


@node_class
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
