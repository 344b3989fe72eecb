"""Python code as objects: what lowering builds. str() of an expression is its text, text() that of a function."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

# --- expressions ----------------------------------------------------------------------------


class PyExpr:
    """A Python expression."""

    def method(self, name: str, *arguments: Any) -> PyCall:
        """self.name(arguments)"""
        return PyCall(PyAttribute(self, name), *arguments)


@dataclass(frozen=True)
class PyName(PyExpr):
    """A Python variable, or a value with a name. Costs nothing to repeat."""

    id: str

    def __str__(self) -> str:
        return self.id


@dataclass(frozen=True)
class PyConstant(PyName):
    """A typed scalar that is known while lowering; the generated code finds it under its name."""

    value: np.generic


@dataclass(frozen=True)
class PyLiteral(PyExpr):
    """A plain Python value."""

    value: Any

    def __str__(self) -> str:
        return repr(self.value)


@dataclass(frozen=True)
class PyAttribute(PyExpr):
    base: PyExpr
    name: str

    def __str__(self) -> str:
        return f"{self.base}.{self.name}"


class PyCall(PyExpr):
    """function(arguments); an argument that is no expression yet is a plain value."""

    def __init__(self, function: PyExpr, *arguments: Any) -> None:
        self.function = function
        self.arguments = tuple(a if isinstance(a, PyExpr) else PyLiteral(a) for a in arguments)

    def __str__(self) -> str:
        return f"{self.function}({', '.join(map(str, self.arguments))})"


@dataclass(frozen=True)
class PyUnary(PyExpr):
    op: str
    operand: PyExpr

    def __str__(self) -> str:
        return f"({self.op}{self.operand})"


@dataclass(frozen=True)
class PyBinary(PyExpr):
    left: PyExpr
    op: str
    right: PyExpr

    def __str__(self) -> str:
        return f"({self.left} {self.op} {self.right})"


@dataclass(frozen=True)
class PyChoice(PyExpr):
    """then if condition else otherwise, decided once for all threads."""

    then: PyExpr
    condition: PyExpr
    otherwise: PyExpr

    def __str__(self) -> str:
        return f"({self.then} if {self.condition} else {self.otherwise})"


@dataclass(frozen=True)
class PyItem(PyExpr):
    base: PyExpr
    index: PyExpr

    def __str__(self) -> str:
        return f"{self.base}[{self.index}]"


class PyTuple(PyExpr):
    def __init__(self, items: Iterable[PyExpr]) -> None:
        self.items = tuple(items)

    def __str__(self) -> str:
        return f"({''.join(f'{item}, ' for item in self.items)[:-1]})"


class PyDict(PyExpr):
    def __init__(self, items: Iterable[tuple[str, PyExpr]]) -> None:
        self.items = tuple(items)

    def __str__(self) -> str:
        return f"{{{', '.join(f'{key!r}: {value}' for key, value in self.items)}}}"


@dataclass(frozen=True)
class PySuspended(PyExpr):
    """A call that may have to wait: in code that can be suspended it is a generator. word: yield, or yield from."""

    call: PyExpr
    word: str = "yield from"

    def __str__(self) -> str:
        return f"({self.word} {self.call})"


def is_(a: PyExpr, b: PyExpr) -> PyBinary:
    return PyBinary(a, "is", b)


def is_not(a: PyExpr, b: PyExpr) -> PyBinary:
    return PyBinary(a, "is not", b)


# --- statements -----------------------------------------------------------------------------


class PyStmt:
    """A Python statement; `lines` is its text, each line with its indentation."""

    def lines(self, indent: int) -> Iterator[str]:
        yield "    " * indent + str(self)


@dataclass(frozen=True)
class PyWord(PyStmt):
    """break, return, pass."""

    word: str

    def __str__(self) -> str:
        return self.word


@dataclass(frozen=True)
class PyComment(PyStmt):
    text: str

    def __str__(self) -> str:
        return f"# {self.text}"


@dataclass(frozen=True)
class PyDo(PyStmt):
    """An expression evaluated for what it does."""

    expression: PyExpr

    def __str__(self) -> str:
        return str(self.expression)


@dataclass(frozen=True)
class PyReturn(PyStmt):
    value: PyExpr

    def __str__(self) -> str:
        return f"return {self.value}"


class PyAssign(PyStmt):
    """target = value, or target, target = value for a function with several results."""

    def __init__(self, value: PyExpr, *targets: PyExpr) -> None:
        self.value, self.targets = value, targets

    def __str__(self) -> str:
        return f"{', '.join(map(str, self.targets))} = {self.value}"


@dataclass
class PyBlock(PyStmt):
    """Statements one after the other. One inside another is a place where statements can be put in later."""

    statements: list[PyStmt] = field(default_factory=list)

    def add(self, statement: PyStmt) -> None:
        self.statements.append(statement)

    def lines(self, indent: int) -> Iterator[str]:
        for statement in self.statements:
            yield from statement.lines(indent)


@dataclass
class PyCompound(PyStmt):
    """A head with a body below it: if, while, def."""

    head: str
    body: PyBlock = field(default_factory=PyBlock)

    def lines(self, indent: int) -> Iterator[str]:
        yield "    " * indent + self.head + ":"
        inner = list(self.body.lines(indent + 1))
        yield from inner
        if all(line.lstrip().startswith("#") for line in inner):
            yield "    " * (indent + 1) + "pass"


def if_(condition: PyExpr, *body: PyStmt) -> PyCompound:
    return PyCompound(f"if {condition}", PyBlock(list(body)))


def text(statement: PyStmt) -> str:
    return "\n".join(statement.lines(0)) + "\n"
