"""Names and what they mean, block by block."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from nnlib.cuda.language.cuda_functions import INTRINSICS
from nnlib.cuda.language.diagnostics import Fault, did_you_mean
from nnlib.cuda.language.parsing import syntax
from nnlib.cuda.language.tree import Function, Literal, Position, Variable
from nnlib.cuda.language.types import Type

BUILTIN_INDICES = ("threadIdx", "blockIdx", "blockDim", "gridDim")


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
class Reference:
    """A C++ reference: the pointer variable behind it."""

    variable: Variable


Symbol = Variable | Literal | Reference | Alias | list[Callee]


class Scopes:
    def __init__(self) -> None:
        self.scopes: list[dict[str, Symbol]] = [{}]
        self.constants: dict[Variable, Literal] = {}
        self.templates: dict[str, list[Template]] = {}
        self.warnings: list[tuple[Position, str]] = []

    @contextmanager
    def scope(self) -> Iterator[None]:
        self.scopes.append({})
        yield
        self.scopes.pop()

    def declare(self, at: Position, name: str, symbol: Symbol) -> None:
        if name in self.scopes[-1]:
            raise Fault(at, f"'{name}' is already declared here", "choose another name, or remove one of the two")
        self.scopes[-1][name] = symbol

    def find(self, name: str) -> Symbol | None:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return None

    def undeclared(self, at: Position, name: str, what: str = "name") -> Fault:
        known = {name for scope in self.scopes for name in scope} | INTRINSICS.keys() | self.templates.keys() | {
            *BUILTIN_INDICES, "printf", "warpSize", "true", "false"}
        declaration = f": int {name} = ..." if what == "name" else ""
        hint = did_you_mean(name, known) or f"declare it before its first use{declaration}"
        return Fault(at, f"undeclared {what} '{name}'", hint)
