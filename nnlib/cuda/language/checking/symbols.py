"""What a name can stand for, beside a variable or a constant."""

from __future__ import annotations

from dataclasses import dataclass, field

from nnlib.cuda.language.parsing import syntax
from nnlib.cuda.language.tree import Function, Literal, Variable
from nnlib.cuda.language.types import Type


@dataclass(eq=False)
class Callee:
    """A function as its callers see it. references: which parameters are T&; defined: it has a body; formula: what a
    constexpr function returns, if it does nothing else."""

    function: Function
    references: list[bool]
    defaults: list[syntax.Node | None]
    formula: syntax.Node | None = None
    defined: bool = False


@dataclass(frozen=True)
class Alias:
    """The name of a type: typedef, using, enum, template parameter."""

    type: Type
    const: bool = False


@dataclass(eq=False)
class Template:
    """A function template, and the functions made of it, by what they were made for."""

    node: syntax.FunctionDefinition
    made: dict[tuple[str, ...], Callee] = field(default_factory=dict)


@dataclass(eq=False)
class Overloads:
    """All functions and function templates of one name."""

    callees: list[Callee] = field(default_factory=list)
    templates: list[Template] = field(default_factory=list)


@dataclass(eq=False)
class Reference:
    """A C++ reference: the pointer variable behind it."""

    variable: Variable


@dataclass(frozen=True)
class Unavailable:
    """Something that may stand in the text as long as nobody uses it: what it is, and what to write instead."""

    what: str
    instead: str


Symbol = Variable | Literal | Reference | Alias | Overloads | Unavailable
