"""What a name can stand for, beside a variable or a constant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from nnlib.cuda.language.parsing import syntax
from nnlib.cuda.language.tree import Expr, Function, Literal, Variable
from nnlib.cuda.language.types import Struct, Type


@dataclass(eq=False)
class Callee:
    """A function as its callers see it. references: which parameters are T&; defined: it has a body; formula: what a
    constexpr function returns, if it does nothing else; names: what its template's parameters mean there.
    returns_reference: its pointer stands for T&.
    owner: the struct whose object is the first parameter, `this`; const: it does not change the object.
    pending: checks the body, of what is only checked when it is used. explicit: a constructor that converts only where
    it is written out. deleted: = delete."""

    function: Function
    references: list[bool]
    defaults: list[syntax.Node | None]
    formula: syntax.Node | None = None
    names: Mapping[str, Symbol] = field(default_factory=dict)
    defined: bool = False
    returns_reference: bool = False
    owner: Struct | None = None
    const: bool = False
    pending: Callable[[], None] | None = None
    used: bool = False
    explicit: bool = False
    deleted: bool = False

    def check(self) -> None:
        """Check the body now, if it waits for its first use."""
        if self.pending is not None:
            pending, self.pending = self.pending, None
            pending()

    @property
    def parameters(self) -> list[Variable]:
        """Those that a call gives arguments for in its brackets."""
        return self.function.parameters[self.owner is not None:]


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


@dataclass(frozen=True)
class DataMember:
    """A member of the object that a member function works on. path: through anonymous structs to it. refers: it is
    the pointer behind a reference."""

    path: tuple[str, ...]
    refers: bool = False


@dataclass(eq=False)
class Listed(Expr):
    """{a, b} as the argument of a call, until the parameter says what it is."""

    node: syntax.Braces


@dataclass(eq=False)
class Class:
    """What is known of a struct beside its layout. scope: the names inside; defaults: member -> first value.
    around: what the names around it mean, parameters of its template among them; template, arguments: what it was
    made of. trivial: it has a constructor without arguments that does nothing. private: names that only its own
    functions and its friends may use. destructor: if it has one that does something."""

    struct: Struct
    scope: dict[str, Symbol]
    around: dict[str, Symbol]
    constructors: Overloads = field(default_factory=Overloads)
    destructor: Callee | None = None
    trivial: bool = False
    private: set[str] = field(default_factory=set)
    friends: set[str] = field(default_factory=set)
    defaults: dict[str, syntax.Node] = field(default_factory=dict)
    template: ClassTemplate | None = None
    arguments: list[Alias | Literal | Overloads] = field(default_factory=list)


@dataclass(eq=False)
class ClassTemplate:
    """A struct template, and the structs made of it. special: definitions for certain arguments."""

    node: syntax.StructDefinition
    made: dict[tuple[str, ...], Struct] = field(default_factory=dict)
    special: dict[tuple[str, ...], syntax.StructDefinition] = field(default_factory=dict)


Symbol = Variable | Literal | Reference | Alias | Overloads | Unavailable | DataMember | ClassTemplate
