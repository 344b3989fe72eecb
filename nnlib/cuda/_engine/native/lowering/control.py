"""Statements that every thread runs by itself: a jump where all lanes agree, masks where they do not."""

from __future__ import annotations

from typing import Any

from ...language.normal.nodes import CanonicalLoop, InlinedBody, Store
from ...language.refusal import Refusal
from ...language.tree import (
    Block,
    Break,
    Continue,
    Declare,
    ExprStmt,
    If,
    InitializerList,
    Return,
    Stmt,
    Variable,
)
from ...language.types import Array, Pointer
from ...language.walking import children, nodes_of
from ..code import Local
from .expressions import LaneExpressions
from .state import Address, Buffer, Frame, InRegisters, Jumps

BUDGET = 2**30  # iterations of one block after which a launch is taken to be endless
_LEAVING = (Break, Continue, Return)


class LaneStatements:
    """Lowers statements, and the bodies of functions that are called."""

    def __init__(self, expressions: LaneExpressions) -> None:
        self.expressions, self.state, self.code = expressions, expressions.state, expressions.code
        self.lanes = self.state.lanes
        self.memory, self.lvalues, self.branches = (
            expressions.memory,
            expressions.lvalues,
            expressions.branches,
        )

    def statement(self, s: Any) -> None:
        match s:
            case Block(statements):
                for one in statements:
                    self.statement(one)
            case Declare():
                self.declare(s)
            case ExprStmt(e):
                self.expressions.value(e)
            case Store(target, value) if isinstance(target.type, Pointer):
                self.lvalues.assign(target, value)
            case Store(target, value):
                result = self.expressions.value(value)
                self.memory.write(self.lvalues.lvalue(target), target.type, result)
            case InlinedBody(body=body):
                self._inlined(body)
            case If(condition, then, otherwise):
                parts = [part for part in (then, otherwise) if part is not None]
                value = self.expressions.value(condition)
                losing = self.lanes > 1 and any(
                    self.state.varying.jumps(part, _LEAVING, value.lanes > 1) for part in parts
                )
                self.branches.branch(
                    value,
                    lambda: self.statement(then),
                    (lambda: self.statement(otherwise)) if otherwise is not None else None,
                    losing,
                )
            case CanonicalLoop():
                self._loop(s)
            case Break() | Continue():
                self._jump(s)
            case Return():
                self._return()
            case _:
                raise Refusal(type(s).__name__)

    # --- declarations ---------------------------------------------------------------------

    def declare(self, s: Declare) -> None:
        variable, given = s.variable, s.initializer
        if isinstance(variable.type, Pointer):
            self._declare_pointer(variable, given)
            return
        if given is None:
            self.memory.make(variable)
            return
        if isinstance(given, InitializerList):
            values = self.expressions.built(variable.type, given)
        else:
            value = self.expressions.value(given)
            values = value if isinstance(value, list) else [value]
        if self._stays(variable) and not isinstance(variable.type, Array):
            self.state.places[variable] = InRegisters(variable.type, values)
            return
        place = self.memory.make(variable)
        if isinstance(place, Buffer):
            self.memory.fill(place, variable, values)
        else:
            self.memory.write(place, variable.type, values)

    def _stays(self, variable: Variable) -> bool:
        """Return whether a variable needs no storage besides its value."""
        return variable in self.state.constants.fixed and variable not in self.state.kept

    def _declare_pointer(self, variable: Variable, given: Any) -> None:
        if given is None:
            raise Refusal("a pointer that is not assigned where it is declared")
        address = self.lvalues.address(given)
        if not self._stays(variable):
            slot = self.code.variable(
                address.index, self.lanes if variable in self.state.varying.variables else 1
            )
            address = Address(address.target, slot, address.unit)
        self.state.places[variable] = address

    def _jump(self, s: Stmt) -> None:
        code, is_break = self.code, isinstance(s, Break)
        jumps = self.state.loops[-1] if is_break else self._continued()
        together = self.state.divergence == jumps.level
        if together and not (is_break and jumps.skipped is not None):
            code.branch(jumps.end if is_break else jumps.next)
            return
        if not is_break:
            assert jumps.skipped is not None
            jumps.skipped.value |= self.state.mask()
        self.state.active.value = False

    def _continued(self) -> Jumps:
        """Return the innermost loop that is no switch."""
        return next(
            (jumps for jumps in reversed(self.state.loops) if not jumps.switch), self.state.loops[0]
        )

    def _return(self) -> None:
        code, function = self.code, self.state.functions[-1]
        if function.returned is not None:
            gone = function.returned.value | code.wide(self.state.mask(), function.returned.lanes)
            function.returned.value = gone
        if self.state.divergence == function.level:
            code.branch(function.end)
            return
        self.state.active.value = False
        loop = self.state.loops[-1] if self.state.loops else None
        if loop is not None and loop.level == self.state.divergence and not loop.divergent:
            code.branch(loop.end)

    # --- loops ----------------------------------------------------------------------------

    def _loop(self, s: CanonicalLoop) -> None:
        code = self.code
        divergent = self.lanes > 1 and (
            (s.condition is not None and self.state.varying(s.condition))
            or self.state.varying.jumps(s.body, _LEAVING)
        )
        away = (Return, Continue) if s.switch else Return
        returns = self.lanes > 1 and self.state.varying.jumps(s.body, away, True)
        if returns and (divergent or self.state.divergence > self.state.functions[-1].level):
            self.branches.track()
        outer, before = self.state.active, self.state.mask()
        if divergent:
            self.state.divergence += 1
            self.state.active = code.variable(before, self.lanes)
        with code.block() as end:
            jumps = Jumps(end, level=self.state.divergence, divergent=divergent, switch=s.switch)
            if divergent and not s.switch and self.state.varying.jumps(s.body, Continue):
                jumps.skipped = code.slot("b", self.lanes)
            self.state.loops.append(jumps)
            if s in self.state.constants.unrolled:
                assert s.counter is not None
                for value in self.state.constants.unrolled[s]:
                    kind = s.counter.variable.type
                    constant = code.constant(
                        self.expressions.value(s.counter.initializer).kind, value
                    )
                    self.state.places[s.counter.variable] = InRegisters(kind, [constant])
                    self._iteration(s, jumps)
            else:
                with code.loop() as again:
                    if s.tests_first:
                        self._test(s, end)
                    self._iteration(s, jumps)
                    if s.step is not None:
                        self.statement(s.step)
                    if not s.tests_first:
                        self._test(s, end)
                    elif divergent:
                        code.branch_if(~code.any(self.state.mask()), end)
                    self.spend(s)
                    code.branch(again)
            self.state.loops.pop()
        if divergent:
            self.state.divergence -= 1
            self.state.active = outer
            if returns:
                remaining = code.wide(before, self.lanes)
                skipped = self._continued().skipped if s.switch and self.state.loops else None
                for slot in (self.state.functions[-1].returned, skipped):
                    if slot is not None:
                        remaining &= ~slot.value
                outer.value = remaining
        if returns and isinstance(self.state.active, Local):
            self.branches.skip_if_none()

    def _iteration(self, s: CanonicalLoop, jumps: Jumps) -> None:
        code = self.code
        if jumps.skipped is not None:
            jumps.skipped.value = False
        with code.block() as following:
            jumps.next = following
            self.statement(s.body)
        if jumps.skipped is not None:
            self.state.active.value = self.state.mask() | jumps.skipped.value

    def _test(self, s: CanonicalLoop, end: Any) -> None:
        code = self.code
        for one in s.before:
            self.statement(one)
        if s.condition is None:
            return
        condition = self.expressions.value(s.condition)
        if condition.lanes > 1:
            if not isinstance(self.state.active, Local):
                raise Refusal("a loop that threads leave unforeseen")
            self.state.active.value = self.state.mask() & condition
            condition = code.any(self.state.mask())
        code.branch_if(~condition, end)

    def spend(self, s: CanonicalLoop) -> None:
        """Charge one iteration to the block's budget, except in innermost loops that count and so certainly end."""
        if self.state.constants.ends(s) and not any(nodes_of(CanonicalLoop, s.body)):
            return
        self.state.budget.value = left = self.state.budget.value - 1
        self.state.fault("endless", left < 0)

    # --- calls ----------------------------------------------------------------------------

    def _inlined(self, body: Stmt) -> None:
        code = self.code
        divergent = self.lanes > 1 and self.state.varying.jumps(body, Return)
        outer, before = self.state.active, self.state.mask()
        loops, self.state.loops = self.state.loops, []
        with code.block() as end:
            function = Frame(end, self.state.divergence)
            if divergent:
                function.returned = code.variable(code.constant("b", False), self.lanes)
                self.state.active = code.variable(before, self.lanes)
            self.state.functions.append(function)
            self.statement(body)
            self.state.functions.pop()
        self.state.active, self.state.loops = outer, loops


def has_return(s: Any) -> bool:
    """Return whether a statement has a return of its own, not of a function that it calls."""
    return isinstance(s, Return) or (
        not isinstance(s, InlinedBody) and any(has_return(one) for one in children(s))
    )
