"""A kernel as a loop over blocks; with barriers, its parts one after the other, each by all threads of the block."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...language.normal.nodes import Barrier, CanonicalLoop, Collective, InlinedBody, Store, waits
from ...language.refusal import Refusal
from ...language.tree import Block, Break, Continue, Declare, Expr, If, Return
from ...language.walking import children, nodes_of, variables_in
from ..code import Value
from .control import BUDGET
from .parts import RUNNING, Parts
from .plan import Plan
from .state import Jumps
from .varying import Varying
from .warp import Collectives


class Regions:
    """Lowers the body of a kernel. plan: of one with barriers."""

    plan: Plan

    def __init__(self, parts: Parts) -> None:
        self.parts, self.collectives, self.statements = parts, Collectives(parts), parts.statements
        self.expressions, self.state, self.code = (
            parts.statements.expressions,
            parts.state,
            parts.code,
        )
        self.lanes = self.state.lanes

    # --- blocks ---------------------------------------------------------------------------

    def blocks(self, body: Block) -> None:
        code = self.code
        _, first, last, _ = code.arguments
        number = code.variable(first)
        self.state.budget = code.slot("i32", 1)
        with code.block() as done, code.loop() as again:
            at = number.value
            code.branch_if(at >= last, done)
            self.state.budget.value = BUDGET
            self._index_block(at)
            self._forget_shared()
            if waits(body):
                self._whole_block(body)
            else:
                self.parts.part(body.statements)
            number.value += 1
            code.branch(again)

    def _forget_shared(self) -> None:
        """Note that no shared memory has been written in this block."""
        if self.parts.shared_written is None:
            return
        code, (first, size) = self.code, self.parts.shared_written
        with code.counted(size // 8) as at:
            code.store("i64", self.state.scratch.at(first), at, code.constant("i64", 0))

    def _index_block(self, at: Value) -> None:
        code = self.code
        x, y, z = self.state.grid
        flat = y.constant == z.constant == 1
        row = code.word(0) if flat else code.binary("udiv", at, x)
        self.state.block_index = {
            "x": at if flat else code.binary("urem", at, x),
            "y": row if z.constant == 1 else code.binary("urem", row, y),
            "z": code.word(0) if z.constant == 1 else code.binary("udiv", row, y),
        }

    def _whole_block(self, body: Block) -> None:
        self.plan = self.parts.plan = Plan(body, self.state.block, self.state.constants)
        self.state.kept = self.plan.kept
        self.state.varying = Varying(body, self.parts.differs, self.state.kept)
        self.parts.returns = any(nodes_of(Return, body))
        if self.parts.returns:
            self.parts.masks = [RUNNING]
            with self.parts.each_group():
                self.parts.keep_mask(RUNNING, self.parts.present())
        self._level(body.statements)

    @property
    def _loop(self) -> Jumps | None:
        """The loop around."""
        return self.state.loops[-1] if self.state.loops else None

    # --- the whole block, in step ---------------------------------------------------------

    def _level(self, statements: Iterable[Any]) -> None:
        pending: list[Any] = []
        for s in statements:
            if self.plan.is_recomputed(s):
                continue
            if self.plan.is_part(s) and not self.plan.for_block(s):
                pending.append(s)
                continue
            if pending:
                self.parts.part(pending)
                pending = []
            self._together(s)
        if pending:
            self.parts.part(pending)

    def _together(self, s: Any) -> None:
        """Lower one statement that all threads reach."""
        match s:
            case Barrier():
                pass
            case Collective():
                self.collectives.lower(s)
            case Block(statements):
                self._level(statements)
            case If():
                self._if(s)
            case CanonicalLoop():
                self._loop_of_block(s)
            case Break() | Continue() if self._loop is not None and self._loop.level == len(
                self.parts.masks
            ):
                self.code.branch(self._loop.end if isinstance(s, Break) else self._loop.next)
            case Declare() | Store():
                self.parts.recompute(variables_in(s))
                self.statements.statement(s)
            case InlinedBody():
                raise Refusal("a return before the end of a function with barriers")
            case _:
                raise Refusal("a barrier in a loop that threads leave differently")

    def _once(self, e: Expr) -> Value:
        """Lower a statement or an expression once for all threads."""
        self.parts.recompute(variables_in(e))
        value: Value = self.expressions.value(e)
        return value

    def _if(self, s: If) -> None:
        code = self.code
        if not self.plan.differs(s.condition):
            self.statements.branches.branch(
                self._once(s.condition),
                lambda: self._level([s.then]),
                None if s.otherwise is None else lambda: self._level([s.otherwise]),
            )
            return
        if is_skip(s) and self._loop is not None and self.parts.masks[-1:] == [self._loop.threads]:

            def stay() -> None:
                skips = code.wide(self.expressions.value(s.condition), self.lanes)
                self.parts.keep_mask(self.parts.masks[-1], self.state.mask() & ~skips)

            self.parts.part([], stay, [s.condition])
            return
        keys = (s, True), (s, False)
        self._no_threads(*keys)

        def choose() -> None:
            condition = code.wide(self.expressions.value(s.condition), self.lanes)
            for key, taken in zip(keys, (condition, ~condition), strict=True):
                self.parts.keep_mask(key, taken & self.state.mask())

        self.parts.part([], choose, [s.condition])
        for key, part in zip(keys, (s.then, s.otherwise), strict=True):
            if part is not None:
                self.parts.masks.append(key)
                self._level([part])
                self.parts.masks.pop()

    def _no_threads(self, *keys: Any) -> None:
        """Clear these masks."""
        with self.parts.each_group():
            for key in keys:
                self.parts.keep_mask(key, self.code.constant("b", False))

    def _enter(self, key: Any) -> None:
        """Restrict what follows to the threads that run now, until some of them leave."""
        self._no_threads(key)
        self.parts.part([], lambda: self.parts.keep_mask(key, self.state.mask()))
        self.parts.masks.append(key)

    def _loop_of_block(self, s: CanonicalLoop) -> None:
        code = self.code
        differs = s.condition is not None and self.plan.differs(s.condition)
        if differs:
            self._enter(s)
        skips = (
            (s, "iteration")
            if any(is_skip(one) and self.plan.differs(one.condition) for one in children(s.body))
            else None
        )
        with code.block() as end:
            jumps = Jumps(end, len(self.parts.masks) + (skips is not None), differs, threads=skips)
            self.state.loops.append(jumps)
            with code.loop() as again:
                if s.tests_first:
                    self._leave(s, differs, end)
                with code.block() as following:
                    jumps.next = following
                    if skips is not None:
                        self._enter(skips)
                    self._level([s.body])
                    if skips is not None:
                        self.parts.masks.pop()
                if s.step is not None:
                    self._level([s.step])
                if not s.tests_first:
                    self._leave(s, differs, end)
                self.statements.spend(s)
                code.branch(again)
            self.state.loops.pop()
        if differs:
            self.parts.masks.pop()

    def _leave(self, s: CanonicalLoop, differs: bool, end: Any) -> None:
        """Leave a loop where its condition is false for every thread."""
        code = self.code
        self._level(s.before)
        if s.condition is None:
            return
        if not differs:
            code.branch_if(~self._once(s.condition), end)
            return
        left = code.variable(code.constant("b", False))

        def test() -> None:
            assert s.condition is not None
            runs = code.wide(self.expressions.value(s.condition), self.lanes) & self.state.mask()
            self.parts.keep_mask(s, runs)
            left.value |= code.any(runs)

        self.parts.part([], test, [s.condition])
        code.branch_if(~left.value, end)


def is_skip(s: Any) -> bool:
    """Return whether a statement is `if (...) continue;`."""
    if not isinstance(s, If) or s.otherwise is not None:
        return False
    then = s.then.statements if isinstance(s.then, Block) else [s.then]
    return len(then) == 1 and isinstance(then[0], Continue)
