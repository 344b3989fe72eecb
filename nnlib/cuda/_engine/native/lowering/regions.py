"""A kernel as a loop over blocks; with barriers, its parts one after the other, each by all threads of the block.

First used in lesson 07.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...language import tree
from ...language.walking import children, nodes
from ..code import Value
from ..refusal import Refusal
from .control import BUDGET
from .nodes import Barrier, CanonicalLoop, Meeting, waits
from .parts import RUNNING
from .plan import Plan
from .state import Jumps
from .varying import Varying
from .warp import Meetings


class Regions(Meetings):
    # --- blocks ---------------------------------------------------------------------------

    def blocks(self, body: tree.Block) -> None:
        code = self.code
        _, first, last, _ = code.arguments
        number = code.variable(first)
        self.budget = code.slot("i32", 1)
        with code.block() as done, code.loop() as again:
            at = code.get(number)
            code.branch_if(code.compare("ge", at, last), done)
            code.set(self.budget, code.word(BUDGET))
            self._index_block(at)
            self._forget_shared()
            if waits(body):
                self._whole_block(body)
            else:
                self.part(body.statements)
            code.set(number, code.binary("add", code.get(number), code.word(1)))
            code.branch(again)

    def _forget_shared(self) -> None:
        """Nothing of it has been written in this block."""
        if self.shared_written is None:
            return
        code, (first, size) = self.code, self.shared_written
        with code.counted(size // 8) as at:
            code.store("i64", self.at(first), at, code.constant("i64", 0))

    def _index_block(self, at: Value) -> None:
        code = self.code
        x, y, z = self.grid
        flat = y.constant == z.constant == 1
        row = code.word(0) if flat else code.binary("udiv", at, x)
        self.block_index = {"x": at if flat else code.binary("urem", at, x),
                            "y": row if z.constant == 1 else code.binary("urem", row, y),
                            "z": code.word(0) if z.constant == 1 else code.binary("udiv", row, y)}

    def _whole_block(self, body: tree.Block) -> None:
        self.plan = Plan(body, self.block, self.constants)
        self.kept = self.plan.kept
        self.varying = Varying(body, self.differs, self.kept)
        self.returns = any(isinstance(node, tree.Return) for node in nodes(body))
        if self.returns:
            self.masks = [RUNNING]
            with self.each_group():
                self.keep_mask(RUNNING, self.present())
        self._level(body.statements)

    # --- the whole block, in step ---------------------------------------------------------

    def _level(self, statements: Iterable[Any]) -> None:
        assert self.plan is not None
        pending: list[Any] = []
        for s in statements:
            if self.plan.is_recomputed(s):
                continue
            if self.plan.is_part(s) and not self.plan.for_block(s):
                pending.append(s)
                continue
            if pending:
                self.part(pending)
                pending = []
            self._together(s)
        if pending:
            self.part(pending)

    def _together(self, s: Any) -> None:
        """One statement of all threads."""
        match s:
            case Barrier():
                pass
            case Meeting():
                self.meet(s)
            case tree.Block(statements=statements):
                self._level(statements)
            case tree.If():
                self._if(s)
            case CanonicalLoop():
                self._loop_of_block(s)
            case tree.Break() | tree.Continue() if self.loops and self.loops[-1].level == len(self.masks):
                self.code.branch(self.loops[-1].end if isinstance(s, tree.Break) else self.loops[-1].next)
            case tree.Declare() | tree.ExprStmt():
                self._once(s)
            case _:
                raise Refusal("a barrier in a loop that threads leave differently")

    def _once(self, s: Any) -> Value:
        """For all threads."""
        self.recompute({node.variable for node in nodes(s) if isinstance(node, tree.Name)})
        if isinstance(s, tree.Stmt):
            self.statement(s)
            return self.code.word(0)
        return self.expression(s)

    def _if(self, s: tree.If) -> None:
        assert self.plan is not None
        code = self.code
        if not self.plan.differs(s.condition):
            condition = self._once(s.condition)
            if condition.constant is not None:
                part = s.then if condition.constant else s.otherwise
                if part is not None:
                    self._level([part])
                return
            with code.when(condition):
                self._level([s.then])
                if s.otherwise is not None:
                    code.otherwise()
                    self._level([s.otherwise])
            return
        if is_skip(s) and self.loops and self.masks[-1:] == [self.loops[-1].threads]:
            self.part([], lambda: self.keep_mask(self.masks[-1], code.both(self.mask(), code.invert(
                code.wide(self.expression(s.condition), self.lanes)))), [s.condition])
            return
        keys = (s, True), (s, False)
        self._no_threads(*keys)

        def choose() -> None:
            condition = code.wide(self.expression(s.condition), self.lanes)
            for key, taken in zip(keys, (condition, code.invert(condition)), strict=True):
                self.keep_mask(key, code.both(taken, self.mask()))

        self.part([], choose, [s.condition])
        for key, part in zip(keys, (s.then, s.otherwise), strict=True):
            if part is not None:
                self.masks.append(key)
                self._level([part])
                self.masks.pop()

    def _no_threads(self, *keys: Any) -> None:
        """Clear these masks."""
        with self.each_group():
            for key in keys:
                self.keep_mask(key, self.code.constant("b", False))

    def _enter(self, key: Any) -> None:
        """What comes now is for the threads that run now, until some of them leave."""
        self._no_threads(key)
        self.part([], lambda: self.keep_mask(key, self.mask()))
        self.masks.append(key)

    def _loop_of_block(self, s: CanonicalLoop) -> None:
        assert self.plan is not None
        code = self.code
        differs = s.condition is not None and self.plan.differs(s.condition)
        if differs:
            self._enter(s)
        skips = (s, "iteration") if any(is_skip(one) and self.plan.differs(one.condition)
                                        for one in children(s.body)) else None
        with code.block() as end:
            jumps = Jumps(end, len(self.masks) + (skips is not None), differs, threads=skips)
            self.loops.append(jumps)
            with code.loop() as again:
                if s.tests_first:
                    self._leave(s, differs, end)
                with code.block() as following:
                    jumps.next = following
                    if skips is not None:
                        self._enter(skips)
                    self._level([s.body])
                    if skips is not None:
                        self.masks.pop()
                if s.step is not None:
                    self._step(s.step)
                if not s.tests_first:
                    self._leave(s, differs, end)
                self.spend(s)
                code.branch(again)
            self.loops.pop()
        if differs:
            self.masks.pop()

    def _leave(self, s: CanonicalLoop, differs: bool, end: Any) -> None:
        """Where the condition no longer holds for any thread."""
        code = self.code
        if s.condition is None:
            return
        if not differs:
            code.branch_if(code.invert(self._once(s.condition)), end)
            return
        left = code.variable(code.constant("b", False))

        def test() -> None:
            assert s.condition is not None
            runs = code.both(code.wide(self.expression(s.condition), self.lanes), self.mask())
            self.keep_mask(s, runs)
            code.set(left, code.either(code.get(left), code.any(runs)))

        self.part([], test, [s.condition])
        code.branch_if(code.invert(code.get(left)), end)

    def _step(self, e: tree.Expr) -> None:
        assert self.plan is not None
        step = tree.ExprStmt(e.at, e)
        if self.plan.for_block(step):
            self._once(step)
        else:
            self.part([step])


def is_skip(s: Any) -> bool:
    """Is it `if (...) continue;`?"""
    if not isinstance(s, tree.If) or s.otherwise is not None:
        return False
    then = s.then.statements if isinstance(s.then, tree.Block) else [s.then]
    return len(then) == 1 and isinstance(then[0], tree.Continue)
