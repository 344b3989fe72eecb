"""Python code as objects: what lowering builds. str() of an expression is its text, text() that of a function."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

# --- expressions ----------------------------------------------------------------------------


class Expr:
    """A Python expression."""

    def method(self, name: str, *arguments: Any) -> Call:
        """self.name(arguments)"""
        return Call(Attribute(self, name), *arguments)


@dataclass(frozen=True)
class Name(Expr):
    """A Python variable, or a value with a name. Costs nothing to repeat."""

    id: str

    def __str__(self) -> str:
        return self.id


@dataclass(frozen=True)
class Constant(Name):
    """A typed scalar that is known while lowering; the generated code finds it under its name."""

    value: np.generic


@dataclass(frozen=True)
class Literal(Expr):
    """A plain Python value."""

    value: Any

    def __str__(self) -> str:
        return repr(self.value)


@dataclass(frozen=True)
class Attribute(Expr):
    base: Expr
    name: str

    def __str__(self) -> str:
        return f"{self.base}.{self.name}"


class Call(Expr):
    """function(arguments); an argument that is no expression yet is a plain value."""

    def __init__(self, function: Expr, *arguments: Any) -> None:
        self.function = function
        self.arguments = tuple(a if isinstance(a, Expr) else Literal(a) for a in arguments)

    def __str__(self) -> str:
        return f"{self.function}({', '.join(map(str, self.arguments))})"


@dataclass(frozen=True)
class Unary(Expr):
    op: str
    operand: Expr

    def __str__(self) -> str:
        return f"({self.op}{self.operand})"


@dataclass(frozen=True)
class Binary(Expr):
    left: Expr
    op: str
    right: Expr

    def __str__(self) -> str:
        return f"({self.left} {self.op} {self.right})"


@dataclass(frozen=True)
class Choice(Expr):
    """then if condition else otherwise, decided once for all threads."""

    then: Expr
    condition: Expr
    otherwise: Expr

    def __str__(self) -> str:
        return f"({self.then} if {self.condition} else {self.otherwise})"


@dataclass(frozen=True)
class Item(Expr):
    base: Expr
    index: Expr

    def __str__(self) -> str:
        return f"{self.base}[{self.index}]"


class Tuple(Expr):
    def __init__(self, items: Iterable[Expr]) -> None:
        self.items = tuple(items)

    def __str__(self) -> str:
        return f"({''.join(f'{item}, ' for item in self.items)[:-1]})"


class Dict(Expr):
    def __init__(self, items: Iterable[tuple[str, Expr]]) -> None:
        self.items = tuple(items)

    def __str__(self) -> str:
        return f"{{{', '.join(f'{key!r}: {value}' for key, value in self.items)}}}"


@dataclass(frozen=True)
class Suspended(Expr):
    """A call that may have to wait: in code that can be suspended it is a generator. word: yield, or yield from."""

    call: Expr
    word: str = "yield from"

    def __str__(self) -> str:
        return f"({self.word} {self.call})"


def is_(a: Expr, b: Expr) -> Binary:
    return Binary(a, "is", b)


def is_not(a: Expr, b: Expr) -> Binary:
    return Binary(a, "is not", b)


# --- statements -----------------------------------------------------------------------------


class Stmt:
    """A Python statement; `lines` is its text, each line with its indentation."""

    def lines(self, indent: int) -> Iterator[str]:
        yield "    " * indent + str(self)


@dataclass(frozen=True)
class Word(Stmt):
    """break, return, pass."""

    word: str

    def __str__(self) -> str:
        return self.word


@dataclass(frozen=True)
class Comment(Stmt):
    text: str

    def __str__(self) -> str:
        return f"# {self.text}"


@dataclass(frozen=True)
class Do(Stmt):
    """An expression evaluated for what it does."""

    expression: Expr

    def __str__(self) -> str:
        return str(self.expression)


@dataclass(frozen=True)
class Return(Stmt):
    value: Expr

    def __str__(self) -> str:
        return f"return {self.value}"


class Assign(Stmt):
    """target = value, or target, target = value for a function with several results."""

    def __init__(self, value: Expr, *targets: Expr) -> None:
        self.value, self.targets = value, targets

    def __str__(self) -> str:
        return f"{', '.join(map(str, self.targets))} = {self.value}"


@dataclass
class Block(Stmt):
    """Statements one after the other. One inside another is a place where statements can be put in later."""

    statements: list[Stmt] = field(default_factory=list)

    def add(self, statement: Stmt) -> None:
        self.statements.append(statement)

    def lines(self, indent: int) -> Iterator[str]:
        for statement in self.statements:
            yield from statement.lines(indent)


@dataclass
class Compound(Stmt):
    """A head with a body below it: if, while, def."""

    head: str
    body: Block = field(default_factory=Block)

    def lines(self, indent: int) -> Iterator[str]:
        yield "    " * indent + self.head + ":"
        inner = list(self.body.lines(indent + 1))
        yield from inner
        if all(line.lstrip().startswith("#") for line in inner):
            yield "    " * (indent + 1) + "pass"


def if_(condition: Expr, *body: Stmt) -> Compound:
    return Compound(f"if {condition}", Block(list(body)))


def text(statement: Stmt) -> str:
    return "\n".join(statement.lines(0)) + "\n"
