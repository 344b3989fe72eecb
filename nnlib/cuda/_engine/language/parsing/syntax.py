"""The tree as the parser leaves it: what was written, before names and types are looked up."""

from __future__ import annotations

from dataclasses import field, replace

from ..tree import NodeKind, Position


class Node(metaclass=NodeKind):
    at: Position


# --- types --------------------------------------------------------------------------------


class PointerTo(metaclass=NodeKind):
    const: bool
    restrict: bool = False


class ArrayOf(metaclass=NodeKind):
    length: Node | None


class TypeName(Node):
    """The name of a type, and what is built upon it, innermost first.

    base: the type's word; const, volatile: of the base. arguments: of base<...>.
    definition: the struct or enum that is defined right here. within: the A<...> of A<...>::base.
    returns, takes: of the functions that a pointer leads to. refers: a & follows.
    """

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
        """Return what stands before the first *: several names may be declared with it."""
        return replace(self, derivations=[], refers=False)

    @property
    def is_volatile(self) -> bool:
        """Return whether an object of this type is volatile itself, and not only what it points to."""
        return self.volatile and not any(isinstance(part, PointerTo) for part in self.derivations)


# --- expressions --------------------------------------------------------------------------


class Number(Node):
    text: str


class Character(Node):
    text: str


class QuotedText(Node):
    text: str


class Identifier(Node):
    """A name, or name<template_arguments>."""

    name: str
    template_arguments: list[Node] = field(default_factory=list)


class Scoped(Node):
    """A<...>::name."""

    owner: TypeName
    name: str


class Prefix(Node):
    """An operator before its operand. op: + - ! ~ * & ++ or --."""

    op: str
    operand: Node


class Postfix(Node):
    """An operator behind its operand. op: ++ or --."""

    op: str
    operand: Node


class Infix(Node):
    """Any binary operator, && || and the comma."""

    op: str
    left: Node
    right: Node


class Assignment(Node):
    """op: "" for =, else the operator before the = sign."""

    op: str
    target: Node
    value: Node


class Ternary(Node):
    condition: Node
    then: Node
    otherwise: Node


class CallSyntax(Node):
    """value(arguments), where the value is mostly a name or a member."""

    value: Node
    arguments: list[Node]


class Subscript(Node):
    base: Node
    index: Node


class MemberAccess(Node):
    """base.name, or base->name when `arrow`."""

    base: Node
    name: str
    arrow: bool
    template_arguments: list[Node] = field(default_factory=list)


class Cast(Node):
    """(type)x, static_cast<type>(x), reinterpret_cast<type>(x). style: "c", "static_cast", "reinterpret_cast"."""

    target: TypeName
    operand: Node
    style: str


class Construct(Node):
    """type(arguments), or type{arguments} when `braces`."""

    target: TypeName
    arguments: list[Node]
    braces: bool = False


class SizeOfSyntax(Node):
    """sizeof, or alignof when `align`."""

    operand: TypeName | Node
    align: bool = False


class OffsetOf(Node):
    """The expression offsetof(target, a.b)."""

    target: TypeName
    path: list[str]


class Designated(Node):
    """.name = value, in braces."""

    name: str
    value: Node


class LaunchSyntax(Node):
    """The launch value<<<configuration>>>(arguments)."""

    value: Node
    configuration: list[Node]
    arguments: list[Node]


class NewSyntax(Node):
    """new type(arguments), or new type[count]."""

    target: TypeName
    count: Node | None
    arguments: list[Node] | None


class DeleteSyntax(Node):
    """delete pointer, or delete[] pointer when `array`."""

    pointer: Node
    array: bool


class Braces(Node):
    """{a, {b, c}} as initializer, or when `direct` the (a, b) behind a name."""

    items: list[Node]
    direct: bool = False


class Lambda(Node):
    """A lambda, [captures](...) { ... }: a struct with one function.

    captures: (name, by reference). all: "=" or "&" for whatever is used, or "".
    """

    captures: list[tuple[str, bool]]
    all: str
    function: FunctionDefinition


# --- declarations and statements ----------------------------------------------------------


class Declarator(Node):
    """One name of a declaration."""

    name: str
    type: TypeName
    initializer: Node | None = None


class Declaration(Node):
    """marks: static, extern, constexpr, typedef, __shared__, __constant__, __device__, ..."""

    marks: frozenset[str]
    declarators: list[Declarator]


ALIAS = "alias"  # the kind of a struct that a template of another name for a type is


class Enumeration(Node):
    """base: the integer type, if one is written. scoped: enum class, whose members are name::member."""

    name: str
    members: list[tuple[Position, str, Node | None]]
    base: TypeName | None = None
    scoped: bool = False


class StructDefinition(Node):
    """A definition of a struct, class or union.

    members: data, functions and nested types in the order of the text; None if it is only declared.
    align: of __align__(n). template, special: as of a function. private: names of members. base: what it inherits from.
    """

    kind: str
    name: str
    members: list[Node] | None
    align: Node | None = None
    template: list[TemplateParameter] = field(default_factory=list)
    special: list[Node] | None = None
    private: set[str] = field(default_factory=set)
    base: TypeName | None = None


class StaticAssert(Node):
    condition: Node
    message: str


class UsingNamespace(Node):
    name: str


class Evaluate(Node):
    expression: Node


class Compound(Node):
    statements: list[Node]


class IfSyntax(Node):
    """bare: nothing but a ; follows the condition."""

    condition: Node
    then: Node
    otherwise: Node | None
    constexpr: bool = False
    bare: bool = False


class ForSyntax(Node):
    """for, or while, which has a condition only. bare: the body of a for is nothing but a ;."""

    init: Node | None
    condition: Node | None
    step: Node | None
    body: Node
    bare: bool = False


class ForEach(Node):
    """The loop for (variable : sequence) body."""

    variable: Declarator
    sequence: Node
    body: Node


class DoWhileSyntax(Node):
    body: Node
    condition: Node


class CaseSyntax(Node):
    value: Node | None  # None: default
    body: list[Node]


class SwitchSyntax(Node):
    value: Node
    declarations: list[Node]  # in front of the first case
    cases: list[CaseSyntax]


class Jump(Node):
    """kind: break, continue or goto, which has a label."""

    kind: str
    label: str = ""


class LabelSyntax(Node):
    """name: in front of a statement."""

    name: str


class ReturnSyntax(Node):
    value: Node | None


class ThrowSyntax(Node):
    value: Node | None


class TrySyntax(Node):
    """handlers: what each catches (None: anything), and its body."""

    body: Node
    handlers: list[tuple[Declarator | None, Node]]


class TemplateParameter(Node):
    """type None: `typename T`; else a value of that type."""

    name: str
    type: TypeName | None = None
    default: Node | None = None


class FunctionDefinition(Node):
    """A function; without a body it is only declared.

    bounds: the first argument of __launch_bounds__. template: the parameters of `template <...>`.
    special: for `template <> T name<...>(...)`, the arguments behind the name.
    const: a member function that does not change its object. variadic: it ends with ... for more arguments.
    first: of a constructor, member -> its first value.
    """

    name: str
    result: TypeName
    parameters: list[Declarator] = field(default_factory=list)
    marks: frozenset[str] = frozenset()
    extern_c: bool = False
    bounds: Node | None = None
    body: Compound | None = None
    template: list[TemplateParameter] = field(default_factory=list)
    special: list[Node] | None = None
    const: bool = False
    variadic: bool = False
    first: list[tuple[str, Node]] | None = None
