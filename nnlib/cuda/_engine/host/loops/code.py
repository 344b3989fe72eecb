"""A flat loop as code for one thread, with bounds, freed memory, missing values and conversions checked.

Only whole iterations count. Each begins by noting its variables and an empty log of the bytes that it changes; whatever
ends it early takes that back: the end of the loop itself, too. What is left to tell is in the row of slots that the
code gets.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any

from ...language.layout import leaves
from ...language.tree import Declare, Dereference, IntrinsicCall, Variable
from ...language.types import BOOL, Scalar, Struct, Type, Vector, size_of
from ...native.code import BITS, WIDTH, Emitter, Local, Value
from ...native.lowering.arithmetic import LaneArithmetic
from ...native.lowering.constants import Constants
from ...native.lowering.control import LaneStatements
from ...native.lowering.expressions import LaneExpressions
from ...native.lowering.intrinsics import Intrinsics
from ...native.lowering.lvalues import Lvalues
from ...native.lowering.memory import LaneMemory
from ...native.lowering.state import (
    Frame,
    InRegisters,
    Jumps,
    LoweringState,
    kind_of,
    register_kind,
)
from ...native.lowering.varying import Varying
from ..addresses import RawWord
from ..runtime.address_space import OFFSET, SHIFT
from ..runtime.unwritten import PATTERN
from .flat import FlatLoop, Leave

# Of the table of memory: tag, address, bytes that may be read, bytes that may be written
ROWS = 1 << 14
LOGGED = 1 << 14  # stores of one iteration: address, what was there, bytes
WORD = int.from_bytes(PATTERN, "little")
_NARROW = {1: "u8", 2: "u16", 4: "i32", 8: "i64"}


class LoopSlot(enum.IntEnum):
    """The 8-byte slots through which a loop's code receives arguments and returns results; the loop's variables follow.

    ITERATIONS: iterations that were done. WHERE: the address that is not in the table. DRAWN: how many numbers of rand().
    """

    TABLE, LOG, NUMBERS, BUDGET, STATUS, WHERE, ITERATIONS, DRAWN, COUNT = range(9)


class Status(enum.IntEnum):
    """Why native code returned.

    It leaves an iteration to the interpreter, gives way to an interrupt, lacks memory or random numbers, or found an
    iteration too long.
    """

    ITERATION, PAUSE, MEMORY, NUMBERS, LONG = range(5)


@dataclass(eq=False)
class AtAddress:
    """What lies at an address of the host. checked: it needs a value."""

    address: Value
    checked: bool = True


@dataclass(eq=False)
class Unset(InRegisters):
    """A variable that is declared without a value. given: whether it has one."""

    given: Local


def write_loop(code: Emitter, loop: FlatLoop) -> None:
    """Write the loop. Raises Refusal."""
    whole, one = loop.whole, (1, 1, 1)
    grid = code.word(1), code.word(1), code.word(1)
    state = LoopState(code, 1, grid, one, Constants(whole, one, one, {}))
    state.varying = Varying(whole, lambda axis: False)
    _LoopWriter(state).loop(loop)


class LoopState(LoweringState):
    """State shared by the classes that lower a host loop.

    stop: where the last iteration is undone. status, where: why. logged: how many stores are in the log.
    drawn: how many of the numbers of rand() are left.
    """

    stop: Any
    table: Value
    log: Value
    numbers: Value
    status: Local
    where: Local
    logged: Local
    drawn: Local

    def stop_if(
        self, wrong: Value, status: Status = Status.ITERATION, where: Value | None = None
    ) -> None:
        code = self.code
        if wrong.constant is not None and not wrong.constant:
            return
        with code.when(wrong):
            self.status.value = status
            if where is not None:
                self.where.value = where
            code.branch(self.stop)

    def fault(self, what: str, wrong: Value) -> None:
        """Stop where something is wrong, so that the interpreter reports it."""
        self.stop_if(wrong, Status.LONG if what == "endless" else Status.ITERATION)


class _LoopWriter:
    """Writes iterations, and what stands around them."""

    def __init__(self, state: LoopState) -> None:
        self.state, self.code, self.memory = state, state.code, LoopMemory(state)
        self.expressions = LaneExpressions(
            state, self.memory, LoopArithmetic(state), LoopLvalues, LoopIntrinsics
        )
        self.statements = LoopStatements(self.expressions)

    def loop(self, loop: FlatLoop) -> None:
        code = self.code
        free = list(loop.free.values())
        self.state.status, self.state.where = code.slot("i32", 1), code.slot("i64", 1)
        self.iterations, self.state.logged, self.state.drawn = (
            code.slot("i32", 1) for _ in range(3)
        )
        self.state.budget = code.variable(code.argument("i32", LoopSlot.BUDGET))
        self.state.drawn.value = code.argument("i32", LoopSlot.DRAWN)
        self.iterations.value = -1
        self.state.table, self.state.log, self.state.numbers = (
            code.argument("ptr", slot) for slot in (LoopSlot.TABLE, LoopSlot.LOG, LoopSlot.NUMBERS)
        )
        moving = free[: loop.changes]
        for k, variable in enumerate(free):
            self._receive(k, variable, variable in moving)
        kept = {
            slot: code.slot(slot.kind, 1)
            for slot in [
                *(self.state.places[variable].parts[0] for variable in moving),
                self.state.drawn,
            ]
        }
        with code.block() as self.state.stop, code.loop() as again:
            for slot, copy in kept.items():
                copy.value = slot.value
            self.state.logged.value = 0
            self.state.status.value = Status.ITERATION
            self.iterations.value += 1
            self._pause()
            self._turn(loop)
            code.branch(again)
        self.memory.undo()
        self._tell(moving, kept)

    def _turn(self, loop: FlatLoop) -> None:
        code, whole = self.code, loop.whole
        for one in whole.before:
            self.statements.statement(one)
        if whole.condition is not None:
            code.branch_if(
                ~code.convert(self.expressions.value(whole.condition), "b"),
                self.state.stop,
            )
        self.state.functions = [Frame(self.state.stop)]
        with code.block() as following:
            self.state.loops = [Jumps(self.state.stop, 0, False, next=following)]
            self.statements.statement(whole.body)
        if whole.step is not None:
            self.statements.statement(whole.step)

    def _pause(self) -> None:
        """Pause when half of the budget is spent, which leaves the other half for one iteration."""
        code = self.code
        left = self.state.budget.value - 1
        self.state.budget.value = left
        half = code.argument("i32", LoopSlot.BUDGET) >> 1
        self.state.stop_if(left < half, Status.PAUSE)

    # --- what comes in and goes out -------------------------------------------------------

    def _give(self, slot: int, value: Value) -> None:
        number = slot if WIDTH[value.kind] == 8 else 2 * slot
        self.code.store(value.kind, self.code.arguments[0], self.code.word(number), value)

    def _receive(self, k: int, variable: Variable, changes: bool) -> None:
        code, kind = self.code, register_kind(variable.type)
        value = code.argument("i32" if kind == "b" else kind, LoopSlot.COUNT + k)
        value = code.convert(value, kind)
        self.state.places[variable] = InRegisters(
            variable.type, [code.variable(value) if changes else value]
        )

    def _tell(self, moving: list[Variable], kept: dict[Local, Local]) -> None:
        code = self.code
        for k, variable in enumerate(moving):
            value = kept[self.state.places[variable].parts[0]].value
            self._give(
                LoopSlot.COUNT + k, code.convert(value, "i32") if value.kind == "b" else value
            )
        for slot, local in (
            (LoopSlot.DRAWN, kept[self.state.drawn]),
            (LoopSlot.STATUS, self.state.status),
            (LoopSlot.WHERE, self.state.where),
            (LoopSlot.ITERATIONS, self.iterations),
        ):
            self._give(slot, local.value)


class LoopStatements(LaneStatements):
    """Statements of an iteration."""

    state: LoopState

    def statement(self, s: Any) -> None:
        if isinstance(s, Leave):
            self.code.branch(self.state.stop)
        elif isinstance(s, Declare) and s.initializer is None:
            room, given = (
                self.state.slots(s.variable.type, 1),
                self.code.variable(self.code.constant("b", False)),
            )
            self.state.places[s.variable] = Unset(room.type, room.parts, given)
        else:
            super().statement(s)


class LoopLvalues(Lvalues):
    """What numbers that are addresses lead to."""

    def lvalue(self, e: Any) -> Any:
        if isinstance(e, Dereference):
            return AtAddress(self.value(e.pointer), not isinstance(e, RawWord))
        return super().lvalue(e)


class LoopIntrinsics(Intrinsics):
    """rand() takes numbers that were drawn in advance."""

    state: LoopState

    def call(self, e: IntrinsicCall) -> Any:
        if e.name != "rand":
            return super().call(e)
        code, number = self.code, self.state.drawn.value
        self.state.stop_if(number.equals(0), Status.NUMBERS)
        number -= 1
        self.state.drawn.value = number
        return code.load("i32", self.state.numbers, number, 1)


class LoopMemory(LaneMemory):
    """Memory at addresses of the host, by the table of what is there."""

    state: LoopState

    def read(self, place: Any, kind: Type) -> Any:
        if isinstance(place, Unset):
            self.state.fault("no value", ~place.given.value)
        if not isinstance(place, AtAddress):
            return super().read(place, kind)
        values = []
        for leaf in leaves(kind):
            value = self._loaded(kind_of(leaf.type), place.address + leaf.offset, place.checked)
            values.append(self.code.convert(value, "b") if leaf.type == BOOL else value)
        return values if isinstance(kind, Struct | Vector) else values[0]

    def write(self, place: Any, kind: Type, value: Any) -> None:
        if isinstance(place, AtAddress):
            for leaf, part in zip(
                leaves(kind), value if isinstance(value, list) else [value], strict=True
            ):
                part = self.code.convert(part, "i32") if leaf.type == BOOL else part
                self._stored(kind_of(leaf.type), place.address + leaf.offset, part)
            return
        super().write(place, kind, value)
        if isinstance(place, Unset):
            place.given.value = True

    def _row(self, address: Value) -> Value:
        """Return the row of the table for an address, times its columns."""
        code = self.code
        number = code.convert(code.binary("shr", address, SHIFT), "i32")
        return (number & ROWS - 1) << 2

    def _base(self, row: Value) -> Value:
        return self.code.load("ptr", self.state.table, row + 1, 1)

    def _counted(self, offset: Value, size: int) -> Value:
        """Return the number of the element of `size` bytes at that offset."""
        shift = self.code.constant("i64", size.bit_length() - 1)
        return self.code.convert(self.code.binary("shr", offset, shift), "i32")

    def _found(self, address: Value, size: int, column: int) -> tuple[Value, Value, Value]:
        """Return where the memory of an address begins, the offset in it, and its bytes; stop where the access leaves it."""
        code = self.code
        row = self._row(address)
        tag, room = (code.load("i64", self.state.table, row + k, 1) for k in (0, column))
        offset = address & OFFSET
        other = tag.differs(code.binary("shr", address, SHIFT))
        outside = code.compare("ugt", offset + size, room)
        wrong = other | outside
        if size > 1:
            odd = offset & size - 1
            wrong |= odd.differs(0)
        self.state.stop_if(wrong, Status.MEMORY, address)
        return self._base(row), offset, room

    def _loaded(self, kind: str, address: Value, checked: bool) -> Value:
        code, size = self.code, WIDTH[kind]
        base, offset, room = self._found(address, size, 2)
        value = code.load(kind, base, self._counted(offset, size), 1)
        if checked and size < 4:
            self.state.stop_if(self._is_unwritten(base, offset, room))
        elif checked:
            bits = "i32" if size == 4 else "i64"
            missing = WORD if size == 4 else WORD << 32 | WORD
            self.state.stop_if(code.bits(value, bits).equals(missing))
        return value

    def _is_unwritten(self, base: Value, offset: Value, room: Value) -> Value:
        """Return whether the word around an offset is unwritten; at the end of memory there may be none."""
        code = self.code
        first = offset & -4
        inside = code.compare("ule", first + 4, room)
        found = code.variable(code.constant("b", False))
        with code.when(inside):
            found.value = code.load("i32", base, self._counted(offset, 4), 1).equals(WORD)
        return found.value

    def _stored(self, kind: str, address: Value, value: Value) -> None:
        code, size = self.code, WIDTH[kind]
        base, offset, room = self._found(address, size, 3)
        number = self._counted(offset, size)
        self._note(address, code.load(_NARROW[size], base, number, 1), size)
        code.store(kind, base, number, value)
        if size < 4:  # a value that looks as if it were none
            self.state.stop_if(self._is_unwritten(base, offset, room))

    def _note(self, address: Value, old: Value, size: int) -> None:
        """Log what a store overwrites."""
        code = self.code
        number = self.state.logged.value
        self.state.stop_if(number >= LOGGED, Status.LONG)
        first = number * 3
        for k, value in enumerate((address, code.convert(old, "i64"), code.constant("i64", size))):
            code.store("i64", self.state.log, first + k, value)
        self.state.logged.value = number + 1

    def undo(self) -> None:
        """Take the stores of the last iteration back."""
        code = self.code
        with code.block() as done, code.loop() as again:
            code.branch_if(self.state.logged.value.equals(0), done)
            number = self.state.logged.value - 1
            self.state.logged.value = number
            first = number * 3
            address, old, width = (code.load("i64", self.state.log, first + k, 1) for k in range(3))
            row = self._row(address)
            base, offset = (
                self._base(row),
                address & OFFSET,
            )
            for size, kind in _NARROW.items():
                with code.when(width.equals(size)):
                    value = old if size == 8 else code.convert(old, "i32")
                    code.store(kind, base, self._counted(offset, size), value)
            code.branch(again)


class LoopArithmetic(LaneArithmetic):
    """Arithmetic as the host has it."""

    def converted(self, value: Value, source: Any, to: Any) -> Value:
        """Convert a number; leave one that the type does not hold to the interpreter."""
        if source.is_float and not to.is_float and to != BOOL:
            code, bits = self.code, 8 * size_of(to)
            low, high = (0, 2**bits) if to.is_unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1))
            wide = code.convert(value, "f64")
            above = ("ge", low) if bits == 64 and not to.is_unsigned else ("gt", low - 1)
            fits = code.compare(above[0], wide, float(above[1])) & (wide < float(high))
            self.state.fault("conversion", ~fits)
        return super().converted(value, source, to)

    def divided(self, op: str, a: Value, b: Value, kind: Scalar) -> Value:
        code = self.code
        for number in (0,) if kind.is_unsigned else (0, -1):
            self.state.fault("division", b.equals(number))
        name = ("u" if kind.is_unsigned else "s") + ("div" if op == "/" else "rem")
        return code.binary(name, a, b)

    def shifted(self, op: str, a: Value, b: Value, kind: Scalar) -> Value:
        code = self.code
        name = "shl" if op == "<<" else "shr" if kind.is_unsigned else "sar"
        amount = code.convert(b, a.kind) & BITS[a.kind] - 1
        return code.binary(name, a, amount)
