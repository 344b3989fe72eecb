"""Which values whole numbers may have in one launch, and how far into its array an access may reach.

Sizes of grid, block and arrays and the numbers passed are known, so a guard such as `if (i < n)` usually proves that
an access is allowed, and that a pointer to float may be one to float4. What nobody can prove here is checked when the
kernel runs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from .. import tree
from ..layout import offset_of
from ..types import BOOL, Pointer, Scalar, Type, size_of
from ..walking import children, nodes_of, variables_in
from .counters import JUMPS, counter, step_of, stored_in
from .intervals import (
    ANYTHING,
    MIRRORED,
    OPPOSITE,
    ValueRange,
    calculated,
    contains,
    exactly,
    fits_narrow,
    join,
    of_type,
)
from .nodes import CanonicalLoop, Collective, InlinedBody, Store, root

Sizes = tuple[int, int, int]
Facts = dict[tree.Variable, ValueRange]


class Ranges:
    """Which values expressions can have, and where pointers can lead.

    values: id of an expression -> its possible values. offsets: id of an lvalue or pointer -> bytes from the beginning of
    its array. addressed: variables that pointers may lead to. ending: ids of loops that certainly end.
    fits: 32 bits hold the values of all 64-bit numbers. numbers: the values of parameters.
    """

    def __init__(
        self, body: tree.Stmt, grid: Sizes, block: Sizes, numbers: Mapping[tree.Variable, int]
    ) -> None:
        self.offsets: dict[int, ValueRange] = {}
        self.values: dict[int, ValueRange] = {}
        self.ending: set[int] = set()
        self.fits = True
        self._trying = False
        self._grid, self._block = grid, block
        self._known: Facts = {variable: exactly(number) for variable, number in numbers.items()}
        self.addressed = {
            root(node.operand) for node in nodes_of(tree.AddressOf | tree.Decay, body)
        }
        self._statement(body)

    def narrow(self, e: Any) -> bool:
        """Return whether 32 bits hold all values of an expression of 64 bits."""
        return _fits(self.values.get(id(e), ANYTHING), e.type)

    # --- values -------------------------------------------------------------------------------

    def _value(self, e: Any) -> ValueRange:
        """Return what a number may be, or how many bytes into its array a pointer leads."""
        found = self._of(e)
        if isinstance(e.type, Scalar) and e.type.dtype.kind in "iub":
            whole = of_type(e.type)
            if not contains(whole, found):
                found = whole._replace(step=found.step)  # it wraps around
            if e.type.size == 8 and not self._trying:
                self.fits &= _fits(found, e.type)
            return self._noted(self.values, e, found)
        return self._noted(self.offsets, e, found) if isinstance(e.type, Pointer) else found

    def _noted(self, notes: dict[int, ValueRange], e: Any, found: ValueRange) -> ValueRange:
        """Return what was found; of a node that is met again, both are noted."""
        if not self._trying:
            notes[id(e)] = join(found, notes.get(id(e), found))
        return found

    def _of(self, e: Any) -> ValueRange:
        match e:
            case tree.Literal(value=value):
                is_float = isinstance(e.type, Scalar) and e.type.is_float
                return ANYTHING if is_float else exactly(int(value))
            case tree.Name(variable=variable):
                start = isinstance(e.type, Pointer) and variable.space == "parameter"
                return self._known.get(variable, exactly(0) if start else of_type(e.type))
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
                is_float = isinstance(operand.type, Scalar) and operand.type.is_float
                return of_type(e.type) if is_float else found
            case tree.Binary(op=op, left=left, right=right):
                return calculated(op, self._value(left), self._value(right))
            case tree.Logical(op=op, left=left, right=right):
                first = self._value(left)
                second = self._value_if(left, op == "&&", right)
                pick = min if op == "&&" else max
                return ValueRange(*map(pick, first[:2], second[:2]))
            case tree.Conditional(condition=condition, then=then, otherwise=otherwise):
                self._value(condition)
                sides = (
                    self._value_if(condition, True, then),
                    self._value_if(condition, False, otherwise),
                )
                return join(*sides)
        parts = [
            self._value(part) if isinstance(part, tree.Expr) else self._list(part)
            for part in children(e)
        ]
        if isinstance(e, tree.Unary) and e.op == "-":
            return calculated("-", exactly(0), parts[0])
        if isinstance(e, tree.Unary) and e.op == "!":
            return calculated("==", parts[0], exactly(0))
        if isinstance(e, tree.IntrinsicCall) and e.name in ("min", "max"):
            pick = min if e.name == "min" else max
            return ValueRange(*map(pick, *(part[:2] for part in parts)))
        return of_type(e.type)

    def _value_if(self, condition: tree.Expr, truth: bool, e: tree.Expr) -> ValueRange:
        """Return what a number may be where a condition holds, or does not."""
        before, self._known = self._known, dict(self._known)
        self._refine(condition, truth)
        found = self._value(e)
        self._known = before
        return found

    def _list(self, given: tree.InitializerList) -> ValueRange:
        for _, e in given.items:
            self._value(e)
        return ANYTHING

    def _index(self, name: str, axis: str) -> ValueRange:
        if name == "warpSize":
            return exactly(32)
        sizes = self._block if name in ("threadIdx", "blockDim") else self._grid
        size = sizes["xyz".index(axis)]
        return exactly(size) if name.endswith("Dim") else ValueRange(0, size - 1)

    def _moved(self, start: ValueRange, index: tree.Expr, element: Type) -> ValueRange:
        by = calculated("*", self._value(index), exactly(max(1, size_of(element))))
        return calculated("+", start, by)

    def _place(self, e: Any) -> ValueRange:
        """Return how many bytes into its array an lvalue lies."""
        match e:
            case tree.Index(base=base, index=index):
                start = self._value(base) if isinstance(base.type, Pointer) else self._place(base)
                found = self._moved(start, index, e.type)
            case tree.Dereference(pointer=pointer):
                found = self._value(pointer)
            case tree.Member(base=base, field=name):
                found = calculated("+", self._place(base), exactly(offset_of(base.type, name)))
            case _:
                found = exactly(0)
        return self._noted(self.offsets, e, found)

    # --- what a condition says ----------------------------------------------------------------

    def _refine(self, condition: Any, truth: bool) -> None:
        """Learn from a condition that is true, or false."""
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

    def _bound(self, e: Any, op: str, limit: ValueRange) -> None:
        low, high, _ = self._value(e)
        if op in ("<", "<=", "=="):
            high = min(high, limit.high - (op == "<"))
        if op in (">", ">=", "=="):
            low = max(low, limit.low + (op == ">"))
        while isinstance(e, tree.Convert) and self._keeps(e, ValueRange(low, high)):
            e = e.operand
        if not isinstance(e, tree.Name) or not isinstance(e.type, Scalar) or e.type.is_float:
            return
        own = self._value(e)
        low, high = max(low, own.low), min(high, own.high)
        if low <= high:
            self._know(e.variable, ValueRange(low, high, own.step))

    def _keeps(self, e: tree.Convert, found: ValueRange) -> bool:
        """Return whether a value that lies there had the same value before it was converted."""
        source, kind = e.operand.type, e.type
        if self._value(e.operand) == self._value(e):
            return True
        if not isinstance(source, Scalar) or not isinstance(kind, Scalar) or source.is_float:
            return False
        return source.size <= kind.size and contains(of_type(source), found)

    def _know(self, variable: tree.Variable, found: ValueRange) -> None:
        if variable.space in ("local", "parameter") and variable not in self.addressed:
            self._known[variable] = found

    # --- statements ---------------------------------------------------------------------------

    def _statement(self, s: Any) -> bool:
        """Note what is in it; say whether what stands behind it is reached."""
        match s:
            case tree.Block(statements=statements):
                return all(self._statement(one) for one in statements)  # also behind a jump
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

    def _forget(self, before: Facts, stored: Iterable[Store]) -> None:
        """Return to what was known, but for what has changed since."""
        moving = {root(store.target) for store in stored}
        self._known = {v: found for v, found in before.items() if v not in moving}

    def _loop(self, s: CanonicalLoop) -> None:
        stored, before = list(stored_in(s)), dict(self._known)
        self._forget(before, stored)
        head = dict(self._known)
        for variable in before.keys() & {root(store.target) for store in stored}:
            head[variable] = self._widened(variable, before[variable], s, stored)
        self._known = dict(head)
        for one in s.before:
            self._statement(one)
        if s.condition is not None:
            self._value(s.condition)
            if s.tests_first:
                self._refine(s.condition, True)
                self._refine_counter(s, before, stored)
        if s.switch or self._ends(s, stored):
            self.ending.add(id(s))
        self._statement(s.body)
        self._statement(s.step)
        if any(nodes_of(JUMPS, s.body)):
            self._forget(before, stored)
            return
        self._known = head
        self._refine(s.condition, False)

    def _widened(
        self, variable: tree.Variable, first: ValueRange, s: CanonicalLoop, stored: list[Store]
    ) -> ValueRange:
        """Return what a variable may be when an iteration begins: more is known where all its changes go one way."""
        own = [store for store in stored if root(store.target) is variable]
        steps = [step for step in map(step_of, own) if step is not None]
        if len(steps) < len(own):
            return ANYTHING
        size = exactly(_size(variable.type))
        moves = [(op, calculated("*", self._guess(by), size)) for op, by in steps]
        inner = [one for loop in nodes_of(CanonicalLoop, s.body) for one in stored_in(loop)]
        low, high = of_type(variable.type)[:2]
        if not any(store is other for store in own for other in inner):
            low, high = self._moved_limits(variable, first, s, moves)
        is_sum = all(op in "+-" for op, _ in moves)
        return ValueRange(
            low, high, math.gcd(first.step, *(by.step for _, by in moves)) if is_sum else 1
        )

    def _moved_limits(
        self,
        variable: tree.Variable,
        first: ValueRange,
        s: CanonicalLoop,
        moves: list[tuple[str, ValueRange]],
    ) -> tuple[int, int]:
        whole, (lowest, highest, _) = of_type(variable.type), self._allowed(variable, s)
        low, high, _ = whole
        if all(op == "+" and by.low >= 0 for op, by in moves):
            low, high = first.low, max(first.high, highest + sum(by.high for _, by in moves))
        elif all(op == "-" and by.low >= 0 for op, by in moves):
            low, high = min(first.low, lowest - sum(by.high for _, by in moves)), first.high
        elif [op for op, _ in moves] == ["*"] and moves[0][1].low >= 1 and first.low >= 0:
            low, high = first.low, max(first.high, highest * moves[0][1].high)
        elif all(op in ("/", ">>") and by.low >= (op == "/") for op, by in moves):
            low, high = (0, first.high) if first.low >= 0 else (low, high)
        return (low, high) if contains(whole, ValueRange(low, high)) else whole[:2]

    def _refine_counter(self, s: CanonicalLoop, before: Facts, stored: list[Store]) -> None:
        """Learn that a counter which begins at a known number stays at that number plus multiples of its step."""
        variable, op, step = counter(s) or (None, "", None)
        if variable not in self._known or sum(root(o.target) is variable for o in stored) > 1:
            return
        assert variable is not None and step is not None
        now, first = self._known[variable], before.get(variable, ANYTHING)
        each, ends = self._guess(step), now.high < of_type(variable.type).high  # never wraps around
        if ends and op == "+" and first.low == first.high and each.low == each.high > 0:
            high = first.low + (now.high - first.low) // each.low * each.low
            self._know(variable, ValueRange(first.low, high, now.step))

    def _ends(self, s: CanonicalLoop, stored: list[Store]) -> bool:
        """Return whether every iteration moves a counter towards a limit that stays."""
        found, test = counter(s), s.condition
        if found is None or not isinstance(test, tree.Binary):
            return False
        variable, op, step = found
        own = [variable in variables_in(side) for side in (test.left, test.right)]
        moving = [root(store.target) for store in stored]
        if moving.count(variable) != 1 or sum(own) != 1:
            return False
        limit, towards = (test.right, test.op) if own[0] else (test.left, MIRRORED.get(test.op, ""))
        if not variables_in([limit, step]).isdisjoint(moving) or any(
            nodes_of(tree.Index | tree.Dereference, limit)
        ):
            return False
        now = self._known.get(variable, of_type(variable.type))
        by, end = self._guess(step), self._guess(limit)
        moved, whole = calculated(op, now, by), of_type(variable.type)
        stays = contains(whole, moved) or isinstance(variable.type, Pointer)  # never wraps around
        if op in ("+", "*"):
            rises = by.low >= 1 if op == "+" else by.low >= 2 and now.low >= 1
            return rises and stays and towards in ("<", "<=")
        if op == "-":
            return by.low >= 1 and stays and towards in (">", ">=")
        shrinks = by.low >= 1 if op == ">>" else by.low >= 2 and op == "/"
        ends_at_0 = {
            ">": end.low >= 0,
            ">=": end.low >= 1,
            "!=": end.low == end.high == 0 <= now.low,
        }
        return shrinks and ends_at_0.get(towards, False)

    def _guess(self, e: tree.Expr) -> ValueRange:
        """Return what a value is with what is known here, which need not be what is known where it stands."""
        before, self._trying = self._trying, True
        found, self._trying = self._value(e), before
        return found

    def _allowed(self, variable: tree.Variable, s: CanonicalLoop) -> ValueRange:
        """Return the values with which the condition lets an iteration begin."""
        before, self._trying = self._known, True
        self._known = {**before, variable: of_type(variable.type)}
        if s.condition is not None and s.tests_first:
            self._refine(s.condition, True)
        found, self._known, self._trying = self._known[variable], before, False
        return found


def _size(kind: Type) -> int:
    """Return how many bytes a pointer moves by 1; 1 of a number."""
    return max(1, size_of(kind.target)) if isinstance(kind, Pointer) else 1


def _fits(found: ValueRange, kind: Type) -> bool:
    return fits_narrow(found.low, kind) and fits_narrow(found.high, kind)
