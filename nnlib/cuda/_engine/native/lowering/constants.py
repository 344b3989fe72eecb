"""Find the constants of a kernel for given sizes: integers, iteration counts, and loops that may be unrolled."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from ...language.checking.values import operate, wrap
from ...language.normal.counters import step_of
from ...language.normal.nodes import CanonicalLoop, Store, changed, is_local_array, root, waits
from ...language.tree import (
    Binary,
    BuiltinIndex,
    Convert,
    Declare,
    Expr,
    Index,
    Literal,
    Member,
    Name,
    Stmt,
    Variable,
)
from ...language.types import BOOL, Array, Scalar
from ...language.walking import children, nodes, nodes_of

UNROLLED = 16  # iterations at most of a loop that is written out
REGISTERS = 64  # elements at most of an array that is kept in registers
GUESS = 8  # iterations of a loop of which nothing is known
OPERATIONS = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "sdiv",
    "%": "srem",
    "&": "and",
    "|": "or",
    "^": "xor",
    "<<": "shl",
    ">>": "sar",
}
TESTS = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}

Sizes = tuple[int, int, int]


class Constants:
    """numbers: of parameters that are known. fixed: variables that keep the value they are declared with."""

    def __init__(
        self,
        body: Stmt,
        grid: Sizes | None,
        block: Sizes,
        numbers: Mapping[Variable, int],
    ) -> None:
        self._dims = {"blockDim": block} if grid is None else {"gridDim": grid, "blockDim": block}
        moving = set(changed(body))
        self.fixed: dict[Variable, Any] = {
            node.variable: node.initializer
            for node in nodes_of(Declare, body)
            if node.variable not in moving
        }
        self._numbers = {
            variable: number for variable, number in numbers.items() if variable not in moving
        }
        self.unrolled: dict[CanonicalLoop, list[int]] = {}
        self._find_unrolled(body)
        self.in_registers = self._find_registers(body)

    def value(self, e: Any, counters: Mapping[Variable, int] | None = None) -> int | None:
        """Evaluate an integer; return None where it is not known."""
        counters = counters or {}
        match e:
            case Literal(int(value)):
                return int(value)
            case Name(variable):
                if variable in counters:
                    return counters[variable]
                if variable in self._numbers:
                    return self._numbers[variable]
                return self.value(self.fixed.get(variable), counters)
            case BuiltinIndex(name, axis) if name in self._dims:
                return self._dims[name]["xyz".index(axis)]
            case Convert(operand, type=Scalar(is_float=False) as kind) if kind != BOOL:
                return _held(self.value(operand, counters), kind)
            case Binary(op, left, right) if (
                isinstance(left.type, Scalar) and not left.type.is_float
            ):
                x, y = self.value(left, counters), self.value(right, counters)
                if x is None or y is None or (left.type.is_unsigned and min(x, y) < 0):
                    return None
                return _held(operate(op, x, y, left.type), e.type)
        return None

    def iterations(self, loop: CanonicalLoop, most: int) -> list[int] | None:
        """Return the values of the counter in each iteration; None where they are not known, or more than `most`."""
        start = self.value(loop.counter.initializer) if loop.counter is not None else None
        if loop.counter is None or start is None or loop.condition is None or loop.step is None:
            return None
        counter = loop.counter.variable
        if loop.before or counter in set(changed(loop.body)):
            return None
        values: list[int] = []
        at: int | None = start
        while at is not None and (test := self.value(loop.condition, {counter: at})) is not None:
            if not test:
                return values
            values.append(at)
            if len(values) > most:
                return None
            at = self._stepped(loop.step, counter, at)
        return None

    def _stepped(self, step: Any, counter: Variable, at: int) -> int | None:
        if not isinstance(step, Store) or root(step.target) is not counter:
            return None
        return self.value(step.value, {counter: at})

    def ends(self, loop: CanonicalLoop) -> bool:
        """Return whether a loop counts towards its end."""
        test, by = loop.condition, self._by(loop)
        if (
            not by
            or not isinstance(test, Binary)
            or loop.counter is None
            or (loop.counter.variable in set(changed([loop.body, loop.before])))
        ):
            return False
        return test.op in (("<", "<=") if by > 0 else (">", ">="))

    def _by(self, loop: CanonicalLoop) -> int | None:
        """Return what each iteration adds to the counter."""
        op, step = self._step(loop)
        by = self.value(step) if op in ("+", "-") else None
        return -by if by is not None and op == "-" else by

    def _step(self, loop: CanonicalLoop) -> tuple[str, Any]:
        """Return how an iteration moves the counter that the loop declares; "" where it does not."""
        own, step = loop.counter, loop.step
        if own is None or not isinstance(step, Store) or root(step.target) is not own.variable:
            return "", None
        return step_of(step) or ("", None)

    # --- what is written out ------------------------------------------------------------------

    def _find_unrolled(self, body: Stmt) -> None:
        """Find small loops whose counter is a subscript of a local array."""
        for loop in nodes(body):
            if isinstance(loop, CanonicalLoop) and loop.counter is not None and not waits(loop):
                counter = loop.counter.variable
                if any(
                    self._uses(index, counter)
                    for node in nodes(loop.body)
                    for _, index in local_subscripts(node)
                ):
                    values = self.iterations(loop, UNROLLED)
                    if values is not None:
                        self.unrolled[loop] = values

    def _uses(self, e: Any, variable: Variable) -> bool:
        """Return whether a value depends on the variable, also by way of temporaries."""
        return any(
            node.variable is variable
            or (not node.variable.name and self._uses(self.fixed.get(node.variable), variable))
            for node in nodes_of(Name, e)
        )

    def _find_registers(self, body: Stmt) -> set[Variable]:
        """Find the local arrays all of whose subscripts are known when loops are unrolled."""
        found = {
            node.variable
            for node in nodes_of(Declare, body)
            if is_local_array(node.variable) and _elements(node.variable.type) <= REGISTERS
        }
        self._drop(body, {}, found)
        return found

    def _drop(self, node: Any, counters: dict[Variable, int], found: set[Variable]) -> None:
        if isinstance(node, CanonicalLoop) and node in self.unrolled and self.unrolled[node]:
            assert node.counter is not None
            counters |= {node.counter.variable: self.unrolled[node][0]}
        subscripts = list(local_subscripts(node))
        if subscripts:
            for variable, index in subscripts:
                if self.value(index, counters) is None:
                    found.discard(variable)
                self._drop(index, counters, found)
            return
        if isinstance(node, Name) and is_local_array(node.variable):
            found.discard(node.variable)
        for child in children(node):
            self._drop(child, counters, found)

    # --- how long it takes --------------------------------------------------------------------

    def work(self, node: Any) -> float:
        """Estimate how many iterations of loops one thread makes."""
        inner = sum(self.work(child) for child in children(node))
        if not isinstance(node, CanonicalLoop):
            return inner
        return (1 + inner) * self._count(node)

    def _count(self, loop: CanonicalLoop) -> float:
        """Estimate how many iterations a loop makes, without going through all of them."""
        test = loop.condition
        start = self.value(loop.counter.initializer) if loop.counter is not None else None
        end = (
            self.value(test.right)
            if isinstance(test, Binary) and test.op in ("<", "<=", ">", ">=")
            else None
        )
        if start is None or end is None:
            return GUESS
        op, by = self._step(loop)[0], self._by(loop)
        if op not in ("", "+", "-"):
            return math.log2(abs(end - start) + 2)
        return max(0, -(-abs(end - start) // abs(by))) if by else GUESS


def _held(value: Any, kind: Any) -> int | None:
    """Return a whole number if the type holds it, else None."""
    return None if value is None or wrap(int(value), kind) != value else int(value)


def local_subscripts(e: Any) -> Iterator[tuple[Variable, Expr]]:
    """Yield the array of a[i][j] or a[i].x, if it is local, with each subscript."""
    indices = []
    inside = e
    while isinstance(inside, Index | Member):
        if isinstance(inside, Index):
            indices.append(inside.index)
        inside = inside.base
    if indices and isinstance(inside, Name) and is_local_array(inside.variable):
        for index in indices:
            yield inside.variable, index


def _elements(kind: Any) -> int:
    return (kind.length or 0) * _elements(kind.element) if isinstance(kind, Array) else 1
