"""Which values whole numbers may have in one launch, and how far into its array an access may reach.

Sizes of grid, block and arrays and the numbers passed are known, so a guard such as `if (i < n)` usually proves that
an access is allowed. What nobody can prove here is checked when the kernel runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..language import tree
from ..language.layout import offset_of
from ..language.normal.nodes import CanonicalLoop, Collective, InlinedBody, Store, root
from ..language.types import BOOL, Pointer, Scalar, Type, size_of
from ..language.walking import children, nodes
from .counters import JUMPS, ends, step_of, stored_in
from .intervals import (
    ANYTHING,
    MIRRORED,
    OPPOSITE,
    TRUTH,
    Interval,
    calculated,
    fits_narrow,
    join,
    of_type,
)


@dataclass(frozen=True)
class LaunchSizes:
    """What is known of a launch. numbers: the value of each parameter that is a whole number."""

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    numbers: Mapping[tree.Variable, int]


class Ranges:
    """values: id of an expression -> what it may be. offsets: id of an lvalue or pointer -> bytes from the beginning of
    its array. ending: ids of loops that end for certain. fits: all 64-bit numbers have values that 32 bits hold."""

    def __init__(self, body: tree.Stmt, launch: LaunchSizes) -> None:
        self.offsets: dict[int, Interval] = {}
        self.values: dict[int, Interval] = {}
        self.ending: set[int] = set()
        self.fits = True
        self._trying = False
        self._launch, self.numbers = launch, launch.numbers
        self._known: dict[tree.Variable, Interval] = {
            variable: (number, number) for variable, number in launch.numbers.items()
        }
        self._elsewhere = {
            root(node.operand)
            for node in nodes(body)
            if isinstance(node, tree.AddressOf | tree.Decay)
        }
        self._statement(body)

    def narrow(self, e: Any) -> bool:
        """Return whether 32 bits hold all values of an expression of 64 bits."""
        return all(fits_narrow(end, e.type) for end in self.values.get(id(e), ANYTHING))

    # --- values -------------------------------------------------------------------------------

    def _value(self, e: Any) -> Interval:
        """Return what a number may be, or how many bytes into its array a pointer leads."""
        found = self._of(e)
        if isinstance(e.type, Scalar) and e.type.dtype.kind in "iub":
            whole = of_type(e.type)
            if found[0] < whole[0] or found[1] > whole[1]:
                found = whole  # it wraps around
            if self._trying:
                return found
            if e.type.size == 8:
                self.fits &= all(fits_narrow(end, e.type) for end in found)
            self.values[id(e)] = join(found, self.values.get(id(e), found))
        if isinstance(e.type, Pointer) and not self._trying:
            self.offsets[id(e)] = join(found, self.offsets.get(id(e), found))
        return found

    def _of(self, e: Any) -> Interval:
        match e:
            case tree.Literal(value=value):
                whole = isinstance(e.type, Scalar) and not e.type.is_float
                return (
                    (int(value), int(value)) if whole or isinstance(e.type, Pointer) else ANYTHING
                )
            case tree.Name(variable=variable):
                start = (0, 0) if variable.space == "parameter" else ANYTHING
                other = start if isinstance(e.type, Pointer) else of_type(e.type)
                return self._known.get(variable, other)
            case tree.BuiltinIndex(name=name, axis=axis):
                return self._index(name, axis)
            case tree.Decay(operand=operand) | tree.AddressOf(operand=operand):
                return self._place(operand)
            case tree.Index() | tree.Dereference() | tree.Member():
                self._place(e)
                return of_type(e.type)
            case tree.PointerOffset(pointer=pointer, index=index):
                assert isinstance(e.type, Pointer)
                return self._moved(self._value(pointer), index, e.type.target)
            case tree.Convert(operand=operand):
                found = self._value(operand)
                whole = isinstance(operand.type, Scalar) and not operand.type.is_float
                return found if whole or isinstance(operand.type, Pointer) else of_type(e.type)
            case tree.Binary(op=op, left=left, right=right):
                return calculated(op, self._value(left), self._value(right))
            case tree.Logical(op=op, left=left, right=right):
                self._value(left)
                before = dict(self._known)
                self._refine(left, op == "&&")
                self._value(right)
                self._known = before
                return TRUTH
            case tree.Conditional():
                return self._chosen(e)
        parts = [
            self._value(part) if isinstance(part, tree.Expr) else self._list(part)
            for part in children(e)
        ]
        if isinstance(e, tree.Unary) and e.op == "-":
            return -parts[0][1], -parts[0][0]
        if isinstance(e, tree.IntrinsicCall) and e.name in ("min", "max"):
            pick = min if e.name == "min" else max
            return pick(parts[0][0], parts[1][0]), pick(parts[0][1], parts[1][1])
        return of_type(e.type)

    def _chosen(self, e: tree.Conditional) -> Interval:
        self._value(e.condition)
        before, sides = self._known, []
        for side, truth in ((e.then, True), (e.otherwise, False)):
            self._known = dict(before)
            self._refine(e.condition, truth)
            sides.append(self._value(side))
        self._known = before
        return join(*sides)

    def _list(self, given: tree.InitializerList) -> Interval:
        for _, e in given.items:
            self._value(e)
        return ANYTHING

    def _index(self, name: str, axis: str) -> Interval:
        if name == "warpSize":
            return 32, 32
        sizes = self._launch.block if name in ("threadIdx", "blockDim") else self._launch.grid
        size = sizes["xyz".index(axis)]
        return (size, size) if name.endswith("Dim") else (0, size - 1)

    def _moved(self, start: Interval, index: tree.Expr, element: Type) -> Interval:
        by = self._value(index)
        size = max(1, size_of(element))
        return start[0] + by[0] * size, start[1] + by[1] * size

    def _place(self, e: Any) -> Interval:
        """Return how many bytes into its array an lvalue lies."""
        match e:
            case tree.Index(base=base, index=index):
                start = self._value(base) if isinstance(base.type, Pointer) else self._place(base)
                found = self._moved(start, index, e.type)
            case tree.Dereference(pointer=pointer):
                found = self._value(pointer)
            case tree.Member(base=base, field=name):
                first, offset = self._place(base), offset_of(base.type, name)
                found = first[0] + offset, first[1] + offset
            case _:
                found = (0, 0)
        if not self._trying:
            self.offsets[id(e)] = join(found, self.offsets.get(id(e), found))
        return found

    # --- what a condition says ----------------------------------------------------------------

    def _refine(self, condition: Any, truth: bool) -> None:
        """Learn from a condition that holds, or does not."""
        match condition:
            case tree.Convert(operand=operand) if condition.type == BOOL:
                if operand.type == BOOL:
                    self._refine(operand, truth)
            case tree.Unary(op="!", operand=operand):
                self._refine(operand, not truth)
            case tree.Logical(op=op, left=left, right=right) if truth == (op == "&&"):
                self._refine(left, truth)
                self._refine(right, truth)
            case tree.Binary(op=op, left=left, right=right) if op in MIRRORED:
                op = op if truth else OPPOSITE[op]
                a, b = self._value(left), self._value(right)
                self._bound(left, op, b)
                self._bound(right, MIRRORED[op], a)

    def _bound(self, e: Any, op: str, limit: Interval) -> None:
        while isinstance(e, tree.Convert) and self._value(e.operand) == self._value(e):
            e = e.operand
        if not isinstance(e, tree.Name) or not isinstance(e.type, Scalar) or e.type.is_float:
            return
        low, high = self._value(e)
        if op in ("<", "<=", "=="):
            high = min(high, limit[1] - (op == "<"))
        if op in (">", ">=", "=="):
            low = max(low, limit[0] + (op == ">"))
        if low <= high:
            self._know(e.variable, (low, high))

    def _know(self, variable: tree.Variable, found: Interval) -> None:
        if variable.space in ("local", "parameter") and variable not in self._elsewhere:
            self._known[variable] = found

    # --- statements ---------------------------------------------------------------------------

    def _statement(self, s: Any) -> bool:
        """Note what is in it; say whether what stands behind it is reached."""
        match s:
            case tree.Block(statements=statements):
                reached = [
                    self._statement(one) for one in statements
                ]  # all of them, also behind a jump
                return all(reached)
            case tree.Declare(variable=variable, initializer=value):
                if isinstance(value, tree.InitializerList):
                    self._list(value)
                elif value is not None:
                    self._know(variable, self._value(value))
            case Store(target=target, value=value):
                found = self._value(value)
                self._place(target)
                if isinstance(target, tree.Name):
                    self._know(target.variable, found)
            case tree.ExprStmt(expression=e):
                self._value(e)
            case tree.If():
                return self._branches(s)
            case InlinedBody(body=body):
                before = dict(self._known)
                self._statement(body)
                self._forget(before, stored_in(body))
            case CanonicalLoop():
                self._loop(s)
            case Collective(result=result, operands=operands):
                for operand in operands:
                    self._value(operand)
                self._known.pop(result, None)
        return not isinstance(s, JUMPS)

    def _branches(self, s: tree.If) -> bool:
        self._value(s.condition)
        before, ends = self._known, []
        for side, truth in ((s.then, True), (s.otherwise, False)):
            self._known = dict(before)
            self._refine(s.condition, truth)
            if side is None or self._statement(side):
                ends.append(self._known)
        if not ends:
            return False
        first, last = ends[0], ends[-1]
        self._known = {v: join(first[v], last[v]) for v in first if v in last}
        return True

    def _forget(self, before: dict[tree.Variable, Interval], stored: Iterable[Store]) -> None:
        """Return to what was known, but for what has changed since."""
        moving = {root(store.target) for store in stored}
        self._known = {v: found for v, found in before.items() if v not in moving}

    def _loop(self, s: CanonicalLoop) -> None:
        stored, before = list(stored_in(s)), dict(self._known)
        self._forget(before, stored)
        head = dict(self._known)
        for variable in {
            store.target.variable for store in stored if isinstance(store.target, tree.Name)
        }:
            if variable in before:
                head[variable] = self._widened(variable, before[variable], s, stored)
        self._known = {v: found for v, found in head.items() if found != ANYTHING}
        for one in s.before:
            self._statement(one)
        if s.condition is not None:
            self._value(s.condition)
            if s.tests_first:
                self._refine(s.condition, True)
                self._refine_counter(s, before, stored)
        self._statement(s.body)
        if s.step is not None:
            self._statement(s.step)
        if s.switch or ends(s, stored, self._guess):
            self.ending.add(id(s))
        if any(isinstance(node, JUMPS) for node in nodes(s.body)):
            self._forget(before, stored)
            return
        self._known = {v: found for v, found in head.items() if found != ANYTHING}
        if s.condition is not None:
            self._refine(s.condition, False)

    def _widened(
        self, variable: tree.Variable, first: Interval, s: CanonicalLoop, stored: list[Store]
    ) -> Interval:
        """Return what a variable may be when an iteration begins, where all its changes go one way."""
        own = [store for store in stored if root(store.target) is variable]
        inner = {
            id(store)
            for loop in nodes([s.body])
            if isinstance(loop, CanonicalLoop)
            for store in stored_in(loop)
        }
        steps = [step_of(store) for store in own]
        if any(step is None for step in steps) or any(id(store) in inner for store in own):
            return ANYTHING
        moves = [(step[0], self._guess(step[1])) for step in steps if step is not None]
        size = max(1, size_of(variable.type.target)) if isinstance(variable.type, Pointer) else 1
        whole, (lowest, highest) = of_type(variable.type), self._allowed(variable, s)
        if all(op == "+" and by[0] >= 0 for op, by in moves):
            highest = max(first[1], highest + sum(by[1] for _, by in moves) * size)
            return (first[0], highest) if highest <= whole[1] else ANYTHING
        if all(op == "-" and by[0] >= 0 for op, by in moves):
            lowest = min(first[0], lowest - sum(by[1] for _, by in moves) * size)
            return (lowest, first[1]) if lowest >= whole[0] else ANYTHING
        if [op for op, _ in moves] == ["*"] and moves[0][1][0] >= 1 and first[0] >= 0:
            highest = max(first[1], highest * moves[0][1][1])
            return (first[0], highest) if highest <= whole[1] else ANYTHING
        if all(op in ("/", ">>") and by[0] >= (op == "/") for op, by in moves) and first[0] >= 0:
            return 0, first[1]
        return ANYTHING

    def _refine_counter(
        self, s: CanonicalLoop, before: Mapping[tree.Variable, Interval], stored: list[Store]
    ) -> None:
        """Learn that a counter which begins at a known number stays at multiples of its step behind it."""
        step = next(iter(stored_in(s.step)), None) if s.step is not None else None
        moved = None if step is None else step_of(step)
        if (
            step is None
            or moved is None
            or moved[0] != "+"
            or not isinstance(step.target, tree.Name)
        ):
            return
        variable, by = step.target.variable, self._guess(moved[1])
        first = before.get(variable, ANYTHING)
        if (
            sum(root(store.target) is variable for store in stored) > 1
            or variable not in self._known
        ):
            return
        if first[0] == first[1] and by[0] == by[1] > 0:
            last = self._known[variable][1]
            self._know(variable, (first[0], first[0] + (last - first[0]) // by[0] * by[0]))

    def _guess(self, e: tree.Expr) -> Interval:
        """Return what a value is with what is known here, which need not be what is known where it stands."""
        before, self._trying = self._trying, True
        found, self._trying = self._value(e), before
        return found

    def _allowed(self, variable: tree.Variable, s: CanonicalLoop) -> Interval:
        """Return the values with which the condition lets an iteration begin."""
        before, self._trying = self._known, True
        self._known = {**before, variable: of_type(variable.type)}
        if s.condition is not None and s.tests_first:
            self._refine(s.condition, True)
        found, self._known, self._trying = self._known[variable], before, False
        return found
