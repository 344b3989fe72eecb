"""Find which values the integers of a kernel may have in one launch, and how far into its array each access may reach.

This is an abstract interpretation with intervals: it walks through the statements once, in order, and keeps a
`ValueRange` (low, high, and a step that all values are multiples of) for every variable that no pointer leads to. The
sizes of grid and block and the numbers passed are known, so a guard such as `if (i < n)` usually proves that an access
stays inside its array. What cannot be proved is checked when the kernel runs.

- A condition narrows the ranges of its variables in its branch (`_refine`). Behind an `if`, the ranges of the branches
  that go on are joined.
- A loop is walked once, too. Before it, `_widened` replaces the range of each variable that the loop stores to by one
  that holds at the start of every iteration: if all stores move the variable the same way, one bound stays and the
  loop's condition gives the other; otherwise the range is that of its type.
- To widen a variable, expressions are evaluated before their ranges are final. Such trials (`_is_trial`) record nothing.
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
    """The ranges of all expressions in one function body, for one launch.

    grid, block: their sizes. numbers: the values of parameters.

    values: id of an expression -> its possible values. offsets: id of an lvalue or pointer -> bytes from the beginning of
    its array. addressed: variables that pointers may lead to. ending: ids of loops that certainly end.
    fits: whether 32 bits hold the values of all 64-bit integers.
    """

    def __init__(
        self, body: tree.Stmt, grid: Sizes, block: Sizes, numbers: Mapping[tree.Variable, int]
    ) -> None:
        self.offsets: dict[int, ValueRange] = {}
        self.values: dict[int, ValueRange] = {}
        self.ending: set[int] = set()
        self.fits = True
        self._is_trial = False
        self._grid, self._block = grid, block
        self._facts: Facts = {variable: exactly(number) for variable, number in numbers.items()}
        self.addressed = {
            root(node.operand) for node in nodes_of(tree.AddressOf | tree.Decay, body)
        }
        self._statement(body)

    def narrow(self, e: Any) -> bool:
        """Return whether 32 bits hold all values of an expression of 64 bits."""
        return _fits(self.values.get(id(e), ANYTHING), e.type)

    # --- values -------------------------------------------------------------------------------

    def _value(self, e: Any) -> ValueRange:
        """Return and record the range of a number, or of the bytes between a pointer and the beginning of its array."""
        found = self._of(e)
        if isinstance(e.type, Scalar) and e.type.dtype.kind in "iub":
            whole = of_type(e.type)
            if not contains(whole, found):
                found = whole._replace(step=found.step)  # it wraps around
            if e.type.size == 8 and not self._is_trial:
                self.fits &= _fits(found, e.type)
            return self._record(self.values, e, found)
        return self._record(self.offsets, e, found) if isinstance(e.type, Pointer) else found

    def _record(self, notes: dict[int, ValueRange], e: Any, found: ValueRange) -> ValueRange:
        """Record the range of a node, joined with what an earlier visit recorded, and return it. A trial records nothing."""
        if not self._is_trial:
            notes[id(e)] = join(found, notes.get(id(e), found))
        return found

    def _of(self, e: Any) -> ValueRange:
        """Return the range of an expression by mathematics: it may exceed the type, which `_value` corrects."""
        match e:
            case tree.Literal(value=value):
                is_float = isinstance(e.type, Scalar) and e.type.is_float
                return ANYTHING if is_float else exactly(int(value))
            case tree.Name(variable=variable):
                start = isinstance(e.type, Pointer) and variable.space == "parameter"
                return self._facts.get(variable, exactly(0) if start else of_type(e.type))
            case tree.BuiltinIndex(name=name, axis=axis):
                return self._builtin_index(name, axis)
            case tree.Decay(operand=operand) | tree.AddressOf(operand=operand):
                return self._offset(operand)
            case tree.Index() | tree.Dereference() | tree.Member():
                self._offset(e)
                return of_type(e.type)
            case tree.PointerOffset(pointer=pointer, index=index):
                assert isinstance(e.type, Pointer)
                return self._element_offset(self._value(pointer), index, e.type.target)
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
            self._value(part) if isinstance(part, tree.Expr) else self._initializers(part)
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
        """Return the range of a number where the condition has that truth value."""
        before, self._facts = self._facts, dict(self._facts)
        self._refine(condition, truth)
        found = self._value(e)
        self._facts = before
        return found

    def _initializers(self, given: tree.InitializerList) -> ValueRange:
        for _, e in given.items:
            self._value(e)
        return ANYTHING

    def _builtin_index(self, name: str, axis: str) -> ValueRange:
        if name == "warpSize":
            return exactly(32)
        sizes = self._block if name in ("threadIdx", "blockDim") else self._grid
        size = sizes["xyz".index(axis)]
        return exactly(size) if name.endswith("Dim") else ValueRange(0, size - 1)

    def _element_offset(self, start: ValueRange, index: tree.Expr, element: Type) -> ValueRange:
        """Return the byte offset of element `index` of an array that begins at `start`."""
        by = calculated("*", self._value(index), exactly(max(1, size_of(element))))
        return calculated("+", start, by)

    def _offset(self, e: Any) -> ValueRange:
        """Return and record how many bytes into its array an lvalue lies."""
        match e:
            case tree.Index(base=base, index=index):
                start = self._value(base) if isinstance(base.type, Pointer) else self._offset(base)
                found = self._element_offset(start, index, e.type)
            case tree.Dereference(pointer=pointer):
                found = self._value(pointer)
            case tree.Member(base=base, field=name):
                found = calculated("+", self._offset(base), exactly(offset_of(base.type, name)))
            case _:
                found = exactly(0)
        return self._record(self.offsets, e, found)

    # --- what a condition says ----------------------------------------------------------------

    def _refine(self, condition: Any, truth: bool) -> None:
        """Narrow the ranges of the variables in a condition that is known to be true, or false."""
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
        """Narrow the range of a variable, which conversions may surround, given that `e op limit` holds."""
        low, high, _ = self._value(e)
        if op in ("<", "<=", "=="):
            high = min(high, limit.high - (op == "<"))
        if op in (">", ">=", "=="):
            low = max(low, limit.low + (op == ">"))
        while isinstance(e, tree.Convert) and self._preserves(e, ValueRange(low, high)):
            e = e.operand
        if not isinstance(e, tree.Name) or not isinstance(e.type, Scalar) or e.type.is_float:
            return
        own = self._value(e)
        low, high = max(low, own.low), min(high, own.high)
        if low <= high:
            self._learn(e.variable, ValueRange(low, high, own.step))

    def _preserves(self, e: tree.Convert, found: ValueRange) -> bool:
        """Return whether a conversion whose result is in `found` did not change the value."""
        source, kind = e.operand.type, e.type
        if self._value(e.operand) == self._value(e):
            return True
        if not isinstance(source, Scalar) or not isinstance(kind, Scalar) or source.is_float:
            return False
        return source.size <= kind.size and contains(of_type(source), found)

    def _learn(self, variable: tree.Variable, found: ValueRange) -> None:
        """Set the range of a variable, unless a pointer or another thread may change it."""
        if variable.space in ("local", "parameter") and variable not in self.addressed:
            self._facts[variable] = found

    # --- statements ---------------------------------------------------------------------------

    def _statement(self, s: Any) -> bool:
        """Record the ranges in a statement; return whether control may reach what follows it."""
        match s:
            case tree.Block(statements=statements):
                return all(self._statement(one) for one in statements)  # stops at a jump
            case tree.Declare(variable=variable, initializer=value):
                if isinstance(value, tree.InitializerList):
                    self._initializers(value)
                elif value is not None:
                    self._learn(variable, self._value(value))
            case Store(target=target, value=value):
                found = self._value(value)
                self._offset(target)
                if isinstance(target, tree.Name):
                    self._learn(target.variable, found)
            case tree.ExprStmt(expression=e):
                self._value(e)
            case tree.If():
                return self._branches(s)
            case InlinedBody(body=body):
                before = dict(self._facts)
                self._statement(body)
                self._restore_except(before, stored_in(body))
            case CanonicalLoop():
                self._loop(s)
            case Collective(result=result, operands=operands):
                for operand in operands:
                    self._value(operand)
                self._facts.pop(result, None)
        return not isinstance(s, JUMPS)

    def _branches(self, s: tree.If) -> bool:
        """Walk through both branches; return whether control may leave one of them at its end."""
        self._value(s.condition)
        before, ends = self._facts, []
        for side, truth in ((s.then, True), (s.otherwise, False)):
            self._facts = dict(before)
            self._refine(s.condition, truth)
            if side is None or self._statement(side):
                ends.append(self._facts)
        if not ends:
            return False
        first, last = ends[0], ends[-1]
        self._facts = {v: join(first[v], last[v]) for v in first if v in last}
        return True

    def _restore_except(self, before: Facts, stored: Iterable[Store]) -> None:
        """Go back to the facts from before, without the variables that these stores change."""
        moving = {root(store.target) for store in stored}
        self._facts = {v: found for v, found in before.items() if v not in moving}

    def _loop(self, s: CanonicalLoop) -> None:
        """Record the ranges in a loop: `head` holds at the start of every iteration, so one walk is enough."""
        stored, before = list(stored_in(s)), dict(self._facts)
        self._restore_except(before, stored)
        head = dict(self._facts)
        for variable in before.keys() & {root(store.target) for store in stored}:
            head[variable] = self._widened(variable, before[variable], s, stored)
        self._facts = dict(head)
        for one in s.before:
            self._statement(one)
        if s.condition is not None:
            self._value(s.condition)
            if s.tests_first:
                self._refine(s.condition, True)
                self._refine_counter(s, before, stored)
        if s.switch or self._terminates(s, stored):
            self.ending.add(id(s))
        self._statement(s.body)
        self._statement(s.step)
        if any(nodes_of(JUMPS, s.body)):
            self._restore_except(before, stored)
            return
        self._facts = head
        self._refine(s.condition, False)

    def _widened(
        self, variable: tree.Variable, first: ValueRange, s: CanonicalLoop, stored: list[Store]
    ) -> ValueRange:
        """Return a range of a variable that holds at the start of every iteration.

        first: its range before the loop. stored: all stores in the loop. A store in an inner loop may happen any number
        of times, so only the step of such a variable is known, not its bounds.
        """
        own = [store for store in stored if root(store.target) is variable]
        steps = [step for step in map(step_of, own) if step is not None]
        if len(steps) < len(own):
            return ANYTHING
        size = exactly(_step_size(variable.type))
        moves = [(op, calculated("*", self._peek(by), size)) for op, by in steps]
        inner = [one for loop in nodes_of(CanonicalLoop, s.body) for one in stored_in(loop)]
        low, high = of_type(variable.type)[:2]
        if not any(store is other for store in own for other in inner):
            low, high = self._bounds_while_looping(variable, first, s, moves)
        is_sum = all(op in "+-" for op, _ in moves)
        return ValueRange(
            low, high, math.gcd(first.step, *(by.step for _, by in moves)) if is_sum else 1
        )

    def _bounds_while_looping(
        self,
        variable: tree.Variable,
        first: ValueRange,
        s: CanonicalLoop,
        moves: list[tuple[str, ValueRange]],
    ) -> tuple[int, int]:
        """Return the bounds of a variable at the start of an iteration, if all `moves` (operator, operand) go one way.

        The condition lets an iteration begin only with values up to `highest`, from which each move is made once more.
        """
        whole, (lowest, highest, _) = of_type(variable.type), self._values_at_entry(variable, s)
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
        """Lower the upper bound of a counter to the last number that it reaches from its known start by its constant step."""
        variable, op, step = counter(s) or (None, "", None)
        if variable not in self._facts or sum(root(o.target) is variable for o in stored) > 1:
            return
        assert variable is not None and step is not None
        now, first = self._facts[variable], before.get(variable, ANYTHING)
        each, ends = self._peek(step), now.high < of_type(variable.type).high  # never wraps around
        if ends and op == "+" and first.low == first.high and each.low == each.high > 0:
            high = first.low + (now.high - first.low) // each.low * each.low
            self._learn(variable, ValueRange(first.low, high, now.step))

    def _terminates(self, s: CanonicalLoop, stored: list[Store]) -> bool:
        """Return whether the loop certainly ends: each iteration moves a counter towards a limit that stays the same."""
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
        now = self._facts.get(variable, of_type(variable.type))
        by, end = self._peek(step), self._peek(limit)
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

    def _peek(self, e: tree.Expr) -> ValueRange:
        """Return the range of an expression under the current facts, which may not hold where it runs; record nothing."""
        before, self._is_trial = self._is_trial, True
        found, self._is_trial = self._value(e), before
        return found

    def _values_at_entry(self, variable: tree.Variable, s: CanonicalLoop) -> ValueRange:
        """Return the values of a variable with which the loop's condition lets an iteration begin."""
        before, self._is_trial = self._facts, True
        self._facts = {**before, variable: of_type(variable.type)}
        if s.condition is not None and s.tests_first:
            self._refine(s.condition, True)
        found, self._facts, self._is_trial = self._facts[variable], before, False
        return found


def _step_size(kind: Type) -> int:
    """Return by how much ++ changes a value of this type: bytes of an element for a pointer, 1 for a number."""
    return max(1, size_of(kind.target)) if isinstance(kind, Pointer) else 1


def _fits(found: ValueRange, kind: Type) -> bool:
    return fits_narrow(found.low, kind) and fits_narrow(found.high, kind)
