"""Python source that is being generated: the simulator's lowering builds its expressions and statements.

str(expression) is the source of an expression, text(statement) that of a statement, such as a whole function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

# --- expressions ----------------------------------------------------------------------------


def _operator(op: str) -> Callable[[PyExpr, Any], PyExpr]:
    return lambda left, right: binary(left, op, right)


class PyExpr:
    """A Python expression. Calling, subscripting or adding builds a larger expression; plain values become literals in it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __call__(self, *arguments: Any) -> PyExpr:
        return PyExpr(f"{self}({', '.join(map(_shown, arguments))})")

    def __getitem__(self, index: Any) -> PyExpr:
        return PyExpr(f"{self}[{_shown(index)}]")

    def method(self, name: str, *arguments: Any) -> PyExpr:
        """Write self.name(arguments)."""
        return PyExpr(f"{self}.{name}")(*arguments)

    def __neg__(self) -> PyExpr:
        return PyExpr(f"(-{self})")

    __add__, __sub__, __mul__ = map(_operator, "+-*")


class PyName(PyExpr):
    """A name or an attribute: an expression that costs nothing to evaluate again."""


class PyConstant(PyName):
    """A typed scalar that is known while lowering; the generated code finds it under its name."""

    def __init__(self, name: str, value: np.generic) -> None:
        super().__init__(name)
        self.value = value


class PyLiteral(PyExpr):
    """A plain Python value."""

    def __init__(self, value: Any) -> None:
        super().__init__(repr(value))


class PyTuple(PyExpr):
    def __init__(self, items: Iterable[PyExpr]) -> None:
        self.items = tuple(items)
        super().__init__(f"({''.join(f'{item}, ' for item in self.items)[:-1]})")


def _shown(value: Any) -> str:
    return str(value) if isinstance(value, PyExpr) else repr(value)


def binary(left: PyExpr, op: str, right: Any) -> PyExpr:
    return PyExpr(f"({left} {op} {_shown(right)})")


def choice(then: PyExpr, condition: PyExpr, otherwise: PyExpr) -> PyExpr:
    """Write `then if condition else otherwise`, decided once for all threads."""
    return PyExpr(f"({then} if {condition} else {otherwise})")


def call(name: str, *arguments: Any) -> PyExpr:
    """Write a call of the function that has that name in the generated code."""
    return PyName(name)(*arguments)


def suspended(call: PyExpr, word: str = "yield from") -> PyExpr:
    """Write a call that may suspend the generated function, which then is a generator. word: yield, or yield from."""
    return PyExpr(f"({word} {call})")


def is_(a: PyExpr, b: PyExpr) -> PyExpr:
    return binary(a, "is", b)


def is_not(a: PyExpr, b: PyExpr) -> PyExpr:
    return binary(a, "is not", b)


# --- statements -----------------------------------------------------------------------------


@dataclass
class PyStmt:
    """A Python statement; `lines` is its text, each line with its indentation."""

    text: str = ""

    def lines(self, indent: int) -> Iterator[str]:
        yield "    " * indent + self.text


def assign(value: PyExpr, *targets: PyExpr) -> PyStmt:
    """Write target = value, or target, target = value for a function with several results."""
    return PyStmt(f"{', '.join(map(str, targets))} = {value}")


@dataclass
class PyBlock(PyStmt):
    """A sequence of statements. A block inside another marks where more statements may be inserted later."""

    statements: list[PyStmt] = field(default_factory=list)

    def lines(self, indent: int) -> Iterator[str]:
        for statement in self.statements:
            yield from statement.lines(indent)


@dataclass
class PyCompound(PyStmt):
    """A head with a body below it: if, while, def."""

    body: PyBlock = field(default_factory=PyBlock)

    def lines(self, indent: int) -> Iterator[str]:
        yield "    " * indent + self.text + ":"
        inner = list(self.body.lines(indent + 1))
        yield from inner
        if all(line.lstrip().startswith("#") for line in inner):
            yield "    " * (indent + 1) + "pass"


def if_(condition: PyExpr, *body: PyStmt) -> PyCompound:
    return PyCompound(f"if {condition}", PyBlock(statements=list(body)))


def text(statement: PyStmt) -> str:
    return "\n".join(statement.lines(0)) + "\n"
