"""Statements in which threads wait: every thread of the block comes to every barrier, and a mask says which take part.

CUDA lets threads leave before a barrier; WGSL does not. So what they do stands in `if (mask)`, and barriers outside of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ..language import tree
from ..language.normal.collectives import BLOCK_VOTES, SHUFFLES
from ..language.normal.counters import JUMPS
from ..language.normal.nodes import Barrier, CanonicalLoop, Collective, InlinedBody, waits
from ..language.refusal import Refusal
from ..language.types import Scalar
from .functions import helper_name
from .memory import InVariable
from .statements import Scope, ShaderStatements, leaving
from .uniformity import Uniformity

WARP = 32


class Waiting:
    """row: threads of the block, in whole warps."""

    def __init__(self, statements: ShaderStatements, uniformity: Uniformity) -> None:
        self.statements, self.uniformity = statements, uniformity
        self.writer, self.lvalues = statements.writer, statements.lvalues
        self.value = statements.expressions.value
        self.threads = math.prod(self.lvalues.launch.block)
        self.row = -(-self.threads // WARP) * WARP
        self.mask = ""

    def print(self, s: Any) -> None:
        """Print a statement for all threads; those that are masked only wait."""
        group: list[tree.Stmt] = []
        for one in _flat(s):
            if waits(one):
                self._group(group)
                group = []
                self._wait(one)
            else:
                group.append(one)
        self._group(group)

    def guard(self) -> str:
        """Return what a thread has to be to take part; "" where all do."""
        flags = [scope.flags[-1] for scope in self.statements.scopes if scope.flags]
        return " && ".join(filter(None, (self.mask, *flags[-1:])))

    # --- what needs no waiting ------------------------------------------------------------------

    def _group(self, group: list[tree.Stmt]) -> None:
        """Print statements behind one mask; what all threads do alike stays outside."""
        masked: list[tree.Stmt] = []
        for s in group:
            if self.uniformity.is_uniform(s) and (self.guard() or masked):
                self._masked(masked)
                masked = []
                self.statements.print(s)
            else:
                masked.append(s)
        self._masked(masked)

    def _masked(self, group: list[tree.Stmt]) -> None:
        guard = self.guard()
        escapes = any(map(self.statements.escapes, group))
        if not guard and not escapes:
            for s in group:
                self.statements.print(s)
            return
        for s in group:
            if isinstance(s, tree.Declare):
                self.statements.declare(s)
        group = [s for s in group if not isinstance(s, tree.Declare) or s.initializer is not None]
        if not group:
            return

        def inside() -> None:
            for s in group:
                if isinstance(s, tree.Declare):
                    self.statements.initialize(s)
                else:
                    self.statements.print(s)

        with self.writer.braces(f"if ({guard})" if guard else ""):
            if escapes:
                self.statements.once(Scope("group"), inside)
            else:
                inside()

    # --- what does ------------------------------------------------------------------------------

    def _wait(self, s: Any) -> None:
        match s:
            case Barrier():
                self.writer.put("workgroupBarrier();")
                if any(
                    c.stored and c.loaded
                    for key, c in self.lvalues.contents.items()
                    if not isinstance(key, tree.Variable)
                ):
                    self.writer.put("storageBarrier();")
            case Collective():
                self._collective(s)
            case tree.If():
                self._branch(s)
            case InlinedBody(body=body):
                flag = self.writer.fresh("inside")
                self.writer.put(f"var {flag} = {self.guard() or 'true'};")
                self._within(Scope("inlined", (flag,)), body)
            case CanonicalLoop():
                self._loop(s)
            case _:
                raise Refusal(f"threads that wait in {type(s).__name__.lower()}")

    def _within(self, scope: Scope, body: Any) -> None:
        """Print what is inside of a scope whose flags say which threads take part."""
        self.statements.scopes.append(scope)
        mask, self.mask = self.mask, ""
        self.print(body)
        self.mask = mask
        self.statements.scopes.pop()

    def _branch(self, s: tree.If) -> None:
        if not self.uniformity(s.condition):
            self.statements.branch(s, self.print)
            return
        guard, holds, fails = self.guard(), self.writer.fresh("then"), ""
        self.writer.put(f"var {holds} = false;")
        with self.writer.braces(f"if ({guard})" if guard else ""):
            self.writer.put(f"{holds} = {self.value(s.condition)};")
        if s.otherwise is not None:
            fails = self.writer.let("otherwise", f"{guard + ' && ' if guard else ''}!{holds}")
        mask = self.mask
        for side, self.mask in ((s.then, holds), (s.otherwise, fails)):
            if side is not None:
                with self.writer.braces():
                    self.print(side)
        self.mask = mask

    def _loop(self, s: CanonicalLoop) -> None:
        step = list(_flat(s.step)) if s.step is not None else []
        jumps = any(not isinstance(jump, tree.Return) for jump in leaving(s.body))
        together = (
            not self.uniformity.jumps(s.body, JUMPS)
            and not (jumps and self.guard())
            and not (s.condition is not None and self.uniformity(s.condition))
            and all(self.uniformity.is_uniform(one) for one in (*step, *s.before))
            and (s.switch or id(s) in self.lvalues.ranges.ending)
        )
        if together:
            mask = self.mask
            self.statements.loop(s, self.print)
            self.mask = mask
            return
        self._masked_loop(s)

    def _masked_loop(self, s: CanonicalLoop) -> None:
        """Print a loop that threads leave at different times: it goes on while any of them is in it."""
        writer = self.writer
        stays, goes = writer.fresh("stays"), writer.fresh("goes")
        writer.put(f"var {stays} = {self.guard() or 'true'};")
        if s.switch:
            self._within(Scope("switch", (stays,)), s.body)
            return
        scope = Scope("loop", (stays, goes))
        with writer.braces("loop"):
            writer.put(f"var {goes} = {stays};")
            if s.tests_first:
                self._test(s, scope)
            writer.put(f"if (!{writer.helper('any_of_')}({stays}, lane)) {{ break; }}")
            if not self.statements.ends(s):
                spent = f"{writer.helper('spent_')}()"
                writer.put(f"if ({stays} && {spent}) {{ {stays} = false; {goes} = false; }}")
            with writer.braces():
                self._within(scope, s.body)
            writer.put(f"{goes} = {stays};")
            if s.step is not None:
                self._within(scope, s.step)
            if not s.tests_first:
                self._test(s, scope)

    def _test(self, s: CanonicalLoop, scope: Scope) -> None:
        stays, goes = scope.flags
        for one in s.before:
            self._within(scope, one)
        if s.condition is not None:
            with self.writer.braces(f"if ({goes})"):
                self.writer.put(f"{stays} = {self.value(s.condition)};")
            self.writer.put(f"{goes} = {stays};")

    # --- functions of a warp or block -----------------------------------------------------------

    def _collective(self, s: Collective) -> None:
        values = [self.value(operand) for operand in s.operands]
        if s.name in BLOCK_VOTES:
            count = self._holding("count_of_", s.name.endswith("and"), values[0], "lane")
            text = _decided(s.name, count, f"i32({count})")
        elif s.name in SHUFFLES:
            text = self._shuffle(s, *values)
        else:
            word = self._ballot(s, values)
            text = _decided(s.name, word, word)
        result = self.writer.fresh("met")
        self.lvalues.variables[s.result] = InVariable(result, s.result.type)
        self.writer.put(f"let {result} = {text};")

    def _holding(self, helper: str, inverted: bool, value: str, *more: str) -> str:
        """Call what asks the threads for which a value is not 0, or inverted is."""
        holds = f"({value} {'==' if inverted else '!='} 0)"
        asked = ", ".join((" && ".join(filter(None, (self.guard(), holds))), *more))
        return f"{self.writer.helper(helper)}({asked})"

    def _shuffle(self, s: Collective, value: str, amount: str) -> str:
        kind, writer = s.operands[0].type, self.writer
        own = writer.type(kind)
        if not isinstance(kind, Scalar) or own == "bool":
            raise Refusal(f"{s.name} of {kind}")
        amount = writer.cast(amount, writer.type(s.operands[1].type), "i32")
        source = f"{writer.helper(helper_name(s.name))}(i32(lane & 31u), {amount}, {s.lanes})"
        source, wide = writer.let("source", source), own.endswith("64")
        words = writer.halves(value, own) if wide else [writer.bits(value, own, "u32")]
        found = [writer.let("got", self._from_lane(word, source)) for word in words]
        if wide:
            return writer.whole(found[0], found[1], own)
        return writer.bits(found[0], "u32", own)

    def _from_lane(self, word: str, source: str) -> str:
        """Return the word that the thread on another lane of the warp has."""
        if self.writer.abilities.lanes_are_warps and self.threads % WARP == 0:
            self.writer.subgroups = True
            return f"subgroupShuffle({word}, u32({source}))"
        return f"{self.writer.helper('from_lane_')}({word}, {source}, lane, {self.row}u)"

    def _ballot(self, s: Collective, values: list[str]) -> str:
        """Return the word with a bit for each lane that says yes."""
        sizes, yes = ("lane", f"{self.threads}u", f"{self.row}u"), (*values, "1", "1")[1]
        word = self._holding("ballot_", s.name == "__all_sync", yes, *sizes)
        if s.lanes < WARP:
            word = f"(({word} >> (lane & {WARP - s.lanes}u)) & {(1 << s.lanes) - 1}u)"
        if values:
            mask = self.writer.cast(values[0], self.writer.type(s.operands[0].type), "u32")
            word = f"({word} & {mask})"
        return word


def _decided(name: str, word: str, otherwise: str) -> str:
    """Return 0 or 1 where only that is asked, whether any or every thread said yes."""
    if name in ("__all_sync", "__syncthreads_and"):
        return f"select(0, 1, {word} == 0u)"
    if name in ("__any_sync", "__syncthreads_or"):
        return f"select(0, 1, {word} != 0u)"
    return otherwise


def _flat(s: Any) -> Iterator[tree.Stmt]:
    """Yield statements one after the other: a block ends nothing."""
    if isinstance(s, tree.Block):
        for one in s.statements:
            yield from _flat(one)
    else:
        yield s
