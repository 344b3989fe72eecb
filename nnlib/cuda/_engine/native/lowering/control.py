"""Statements that every thread runs by itself: a jump where all lanes agree, masks where they do not.

First used in lesson 07.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...language import tree
from ...language.layout import leaves
from ...language.types import BOOL, Array, Pointer, size_of
from ...language.walking import children, nodes
from ..code import WIDTH, Local, Value
from ..refusal import Refusal
from .intrinsics import Intrinsics
from .nodes import CanonicalLoop, Inlined, is_local_array
from .state import Address, Buffer, Frame, InRegisters, Jumps, kind_of

BUDGET = 2**30  # iterations of one block after which a launch is taken to be endless
_LEAVING = (tree.Break, tree.Continue, tree.Return)


class Control(Intrinsics):
    budget: Local  # iterations that the block has left

    def statement(self, s: Any) -> None:
        match s:
            case tree.Block(statements=statements):
                for one in statements:
                    self.statement(one)
            case tree.Declare():
                self.declare(s)
            case tree.ExprStmt(expression=e):
                self.effect(e)
            case tree.If(condition=condition, then=then, otherwise=otherwise):
                parts = [part for part in (then, otherwise) if part is not None]
                value = self.expression(condition)
                losing = self.lanes > 1 and any(self.varying.jumps(part, _LEAVING, value.lanes > 1) for part in parts)
                self.branch(value, lambda: self.statement(then),
                            (lambda: self.statement(otherwise)) if otherwise is not None else None, losing)
            case CanonicalLoop():
                self._loop(s)
            case tree.Break() | tree.Continue():
                self._jump(s)
            case tree.Return(value=value):
                self._return(s, value)
            case _:
                raise Refusal(type(s).__name__)

    # --- declarations ---------------------------------------------------------------------

    def declare(self, s: tree.Declare) -> None:
        variable, given = s.variable, s.initializer
        if isinstance(variable.type, Pointer):
            self._declare_pointer(variable, given)
            return
        if given is None:
            self.make(variable)
            return
        if isinstance(given, tree.InitializerList):
            values = self.built(variable.type, given)
        else:
            value = self.expression(given)
            values = value if isinstance(value, list) else [value]
        if variable in self.constants.fixed and not isinstance(variable.type, Array) and variable not in self.kept:
            self.places[variable] = InRegisters(variable.type, values)
            return
        place = self.make(variable)
        if isinstance(place, Buffer):
            self._fill(place, variable, values)
        else:
            self.write(place, variable.type, values, s.at)

    def _declare_pointer(self, variable: tree.Variable, given: Any) -> None:
        if given is None:
            raise Refusal("a pointer that is not assigned where it is declared")
        address = self.address(given)
        if variable not in self.constants.fixed or variable in self.kept:
            slot = self.code.variable(address.index, self.lanes if variable in self.varying.variables else 1)
            address = Address(address.target, slot, address.unit)
        self.places[variable] = address

    def make(self, variable: tree.Variable) -> InRegisters | Buffer:
        """Room for a variable of the threads that run together."""
        if variable in self.kept and isinstance(self.places.get(variable), InRegisters | Buffer):
            return self.places[variable]
        if is_local_array(variable) and variable not in self.constants.in_registers:
            place: InRegisters | Buffer = self._own_memory(variable)
        else:
            wide = variable in self.varying.variables or is_local_array(variable)
            place = self.slots(variable.type, self.lanes if wide else 1)
        self.places[variable] = place
        return place

    def _own_memory(self, variable: tree.Variable) -> Buffer:
        element_size(variable)
        base = self.local_room(size_of(variable.type) * self.lanes)
        return Buffer(variable.name, base, size_of(variable.type), self.lanes, self.code.word(0))

    def _fill(self, memory: Buffer, variable: tree.Variable, values: list[Value]) -> None:
        size = element_size(variable)
        for k, (leaf, value) in enumerate(zip(leaves(variable.type), values, strict=True)):
            number = self.code.binary("add", self.code.word(k * memory.pitch), memory.thread or self.code.word(0))
            assert WIDTH[kind_of(leaf.type)] == size
            self.store(memory, kind_of(leaf.type), number,
                       self.code.convert(value, "i32") if leaf.type == BOOL else value)

    # --- branches -------------------------------------------------------------------------

    def branch(self, condition: Value, then: Callable[[], None], otherwise: Callable[[], None] | None = None,
               losing: bool = False) -> None:
        """losing: lanes may leave one of the two for good."""
        code = self.code
        if condition.constant is not None:
            chosen = then if condition.constant else otherwise
            if chosen is not None:
                chosen()
        elif condition.lanes == 1:
            if losing:
                self._track()
            with code.when(condition):
                then()
                if otherwise is not None:
                    code.otherwise()
                    otherwise()
        else:
            self._diverge(condition, then, otherwise, losing)

    def _diverge(self, condition: Value, then: Callable[[], None], otherwise: Callable[[], None] | None,
                 losing: bool) -> None:
        code = self.code
        if losing:
            self._track()
        outer, before = self.active, self.mask()
        self.divergence += 1
        remaining = code.variable(code.constant("b", False), self.lanes) if losing else None
        for part, taken in ((then, condition), (otherwise, code.invert(condition))):
            mask = code.both(before, taken)
            if part is None:
                if remaining is not None:
                    code.set(remaining, code.either(code.get(remaining), mask))
                continue
            self.active = mask if remaining is None else code.variable(mask, self.lanes)
            with code.when(code.any(mask)):
                part()
            if remaining is not None:
                code.set(remaining, code.either(code.get(remaining), code.get(self.active)))
        self.divergence -= 1
        self.active = outer
        if remaining is not None:
            code.set(outer, code.get(remaining))
            self._skip_if_none()

    def _skip_if_none(self) -> None:
        """Where no lane is left, go on behind what all of them left."""
        around: Jumps | Frame = self.loops[-1] if self.loops else self.functions[-1]
        if around.level == self.divergence:
            behind = around.next if isinstance(around, Jumps) and around.divergent else around.end
            self.code.branch_if(self.code.invert(self.code.any(self.mask())), behind)

    def _track(self) -> None:
        """Keep the active lanes where they can change."""
        if not isinstance(self.active, Local):
            self.active = self.code.variable(self.mask(), self.lanes)

    def _jump(self, s: tree.Stmt) -> None:
        code, is_break = self.code, isinstance(s, tree.Break)
        jumps = self.loops[-1] if is_break else self._continued()
        together = self.divergence == jumps.level
        if together and not (is_break and jumps.skipped is not None):
            code.branch(jumps.end if is_break else jumps.next)
            return
        if not is_break:
            assert jumps.skipped is not None
            code.set(jumps.skipped, code.either(code.get(jumps.skipped), self.mask()))
        code.set(self.active, code.constant("b", False))

    def _continued(self) -> Jumps:
        """The loop around switches."""
        return next((jumps for jumps in reversed(self.loops) if not jumps.switch), self.loops[0])

    def _return(self, s: tree.Return, value: tree.Expr | None) -> None:
        code, function = self.code, self.functions[-1]
        if value is not None and function.result is not None:
            self.write(function.result, value.type, self.expression(value), s.at)
        elif value is not None:
            self.effect(value)
        if function.returned is not None:
            gone = code.either(code.get(function.returned), code.wide(self.mask(), function.returned.lanes))
            code.set(function.returned, gone)
        if self.divergence == function.level:
            code.branch(function.end)
            return
        code.set(self.active, code.constant("b", False))
        if self.loops and self.loops[-1].level == self.divergence and not self.loops[-1].divergent:
            code.branch(self.loops[-1].end)

    # --- loops ----------------------------------------------------------------------------

    def _loop(self, s: CanonicalLoop) -> None:
        code = self.code
        divergent = self.lanes > 1 and (s.condition is not None and self.varying(s.condition)
                                        or self.varying.jumps(s.body, _LEAVING))
        away = (tree.Return, tree.Continue) if s.switch else tree.Return
        returns = self.lanes > 1 and self.varying.jumps(s.body, away, True)
        if returns and (divergent or self.divergence > self.functions[-1].level):
            self._track()
        outer, before = self.active, self.mask()
        if divergent:
            self.divergence += 1
            self.active = code.variable(before, self.lanes)
        with code.block() as end:
            jumps = Jumps(end, level=self.divergence, divergent=divergent, switch=s.switch)
            if divergent and not s.switch and self.varying.jumps(s.body, tree.Continue):
                jumps.skipped = code.slot("b", self.lanes)
            self.loops.append(jumps)
            if s in self.constants.unrolled:
                assert s.counter is not None
                for value in self.constants.unrolled[s]:
                    kind = s.counter.variable.type
                    constant = code.constant(self.expression(s.counter.initializer).kind, value)
                    self.places[s.counter.variable] = InRegisters(kind, [constant])
                    self._iteration(s, jumps)
            else:
                with code.loop() as again:
                    if s.tests_first:
                        self._test(s, end)
                    self._iteration(s, jumps)
                    if s.step is not None:
                        self.effect(s.step)
                    if not s.tests_first:
                        self._test(s, end)
                    elif divergent:
                        code.branch_if(code.invert(code.any(self.mask())), end)
                    self.spend(s)
                    code.branch(again)
            self.loops.pop()
        if divergent:
            self.divergence -= 1
            self.active = outer
            if returns:
                remaining = code.wide(before, self.lanes)
                skipped = self._continued().skipped if s.switch and self.loops else None
                for slot in (self.functions[-1].returned, skipped):
                    if slot is not None:
                        remaining = code.both(remaining, code.invert(code.get(slot)))
                code.set(outer, remaining)
        if returns and isinstance(self.active, Local):
            self._skip_if_none()

    def _iteration(self, s: CanonicalLoop, jumps: Jumps) -> None:
        code = self.code
        if jumps.skipped is not None:
            code.set(jumps.skipped, code.constant("b", False))
        with code.block() as following:
            jumps.next = following
            self.statement(s.body)
        if jumps.skipped is not None:
            code.set(self.active, code.either(self.mask(), code.get(jumps.skipped)))

    def _test(self, s: CanonicalLoop, end: Any) -> None:
        code = self.code
        if s.condition is None:
            return
        condition = self.expression(s.condition)
        if isinstance(self.active, Local) and self.lanes > 1 and condition.lanes > 1:
            code.set(self.active, code.both(self.mask(), condition))
            condition = code.any(self.mask())
        elif condition.lanes > 1:
            raise Refusal("a loop that threads leave unforeseen")
        code.branch_if(code.invert(condition), end)

    def spend(self, s: CanonicalLoop) -> None:
        """Innermost loops that count end by themselves."""
        if self.constants.ends(s) and not any(isinstance(node, CanonicalLoop) for node in nodes(s.body)):
            return
        left = self.code.binary("sub", self.code.get(self.budget), self.code.word(1))
        self.code.set(self.budget, left)
        wrong = self.code.compare("lt", left, self.code.word(0))
        active, self.active = self.active, None
        self.fault(s.at, "endless", wrong)
        self.active = active

    # --- calls ----------------------------------------------------------------------------

    def _last(self, e: Inlined) -> tree.Expr | None:
        """Everything but the value that is returned, where that is only at the end: this value."""
        for declare in e.parameters:
            self.statement(declare)
        *before, last = e.body.statements if isinstance(e.body, tree.Block) and e.body.statements else (e.body,)
        if not isinstance(last, tree.Return) or last.value is None or any(has_return(one) for one in before):
            return None
        for one in before:
            self.statement(one)
        return last.value

    def inlined_address(self, e: Inlined) -> Address:
        last = self._last(e)
        if last is None:
            raise Refusal("a function that returns a pointer in several places")
        return self.address(last)

    def inlined(self, e: Inlined) -> Any:
        code, last = self.code, self._last(e)
        if last is not None:
            return self.expression(last)
        result = None
        if e.result is not None:
            result = self.slots(e.type, self.lanes if e.result in self.varying.variables else 1)
        divergent = self.lanes > 1 and self.varying.jumps(e.body, tree.Return)
        outer, before = self.active, self.mask()
        loops, self.loops = self.loops, []
        with code.block() as end:
            function = Frame(end, self.divergence, None, result)
            if divergent:
                function.returned = code.variable(code.constant("b", False), self.lanes)
                self.active = code.variable(before, self.lanes)
            self.functions.append(function)
            self.statement(e.body)
            self.functions.pop()
        self.active, self.loops = outer, loops
        return self.read(result, e.type, e.at) if result is not None else code.word(0)

    kept: set[tree.Variable] = set()  # variables with a place that outlives what runs now

    def local_room(self, nbytes: int) -> Value:
        """The address of so many bytes for the threads that run together."""
        raise NotImplementedError


def element_size(variable: tree.Variable) -> int:
    """Bytes of each leaf of a local array in memory; they all have the same size."""
    sizes = {WIDTH[kind_of(leaf.type)] for leaf in leaves(variable.type)}
    if len(sizes) != 1:
        raise Refusal("a local array of structs with members of several sizes")
    return sizes.pop()


def has_return(s: Any) -> bool:
    """Of its own, not of a function that it calls."""
    return isinstance(s, tree.Return) or not isinstance(s, Inlined) and any(has_return(one) for one in children(s))
