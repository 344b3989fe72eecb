"""Lowers loads and stores: checks each element, and moves neighbouring lanes' elements by one access.

On the fast path, the question whether the lanes read neighbours, or all the same element, replaces the bounds check.
"""

from __future__ import annotations

from typing import Any

from ...language.layout import leaves
from ...language.normal.nodes import is_local_array
from ...language.refusal import Refusal
from ...language.tree import Variable
from ...language.types import BOOL, Struct, Type, Vector, size_of
from ..code import IN_REGISTER, WIDTH, Local, Value
from .state import Buffer, Element, InRegisters, LoweringState, kind_of


class LaneMemory:
    """Reads and writes what an lvalue means."""

    def __init__(self, state: LoweringState) -> None:
        self.state, self.code = state, state.code
        self.lanes = self.state.lanes

    # --- variables ------------------------------------------------------------------------

    def make(self, variable: Variable) -> InRegisters | Buffer:
        """Make storage for a variable of the threads that run together."""
        known = self.state.places.get(variable)
        if variable in self.state.kept and isinstance(known, InRegisters | Buffer):
            return known
        if is_local_array(variable) and variable not in self.state.constants.in_registers:
            place: InRegisters | Buffer = self._own_memory(variable)
        else:
            wide = variable in self.state.varying.variables or is_local_array(variable)
            place = self.state.slots(variable.type, self.lanes if wide else 1)
        self.state.places[variable] = place
        return place

    def _own_memory(self, variable: Variable) -> Buffer:
        element_size(variable)
        base = self.state.scratch.room(size_of(variable.type) * self.lanes)
        return Buffer(base, size_of(variable.type), self.lanes, self.code.word(0))

    def fill(self, memory: Buffer, variable: Variable, values: list[Value]) -> None:
        size = element_size(variable)
        for k, (leaf, value) in enumerate(zip(leaves(variable.type), values, strict=True)):
            number = self.code.word(k * memory.pitch) + (memory.thread or self.code.word(0))
            assert WIDTH[kind_of(leaf.type)] == size
            self.store(memory, kind_of(leaf.type), number, value)

    # --- loads ----------------------------------------------------------------------------

    def read(self, place: InRegisters | Element, kind: Type) -> Any:
        """Load a value; for a struct or vector, the list of its leaves."""
        if isinstance(place, InRegisters):
            values = [part.value if isinstance(part, Local) else part for part in place.parts]
        else:
            values = self._load(place, kind)
        return values[0] if len(values) == 1 and not isinstance(kind, Struct | Vector) else values

    def _load(self, place: Element, kind: Type) -> list[Value]:
        parts = leaves(kind)
        kinds = [kind_of(leaf.type) for leaf in parts]
        memory = place.memory
        row = (
            len(parts) == 1
            and place.unit == WIDTH[kinds[0]]
            and not memory.pitch
            and memory.written is None
        )
        if row and place.index.lanes > 1:
            values = [self._load_row(memory, kinds[0], place.index)]
        else:
            self.check(place)
            values = [
                self.load_each(memory, name, self.number(place, leaf.offset, name))
                for leaf, name in zip(parts, kinds, strict=True)
            ]
        return [
            self.code.convert(value, "b") if leaf.type == BOOL else value
            for leaf, value in zip(parts, values, strict=True)
        ]

    def check(self, place: Element) -> None:
        """Write the check that there is such an element."""
        limit = self._elements(place.memory, place.unit)
        self.state.fault("bounds", self.code.compare("uge", place.index, limit))

    def _elements(self, memory: Buffer, size: int) -> Value:
        """Return how many elements of `size` bytes a memory has."""
        if isinstance(memory.nbytes, int):
            return self.code.word(memory.nbytes // size)
        return self.code.binary("udiv", memory.nbytes, size)

    def number(self, place: Element, offset: int, kind: str) -> Value:
        """Return the number of a leaf, counted in elements of its kind."""
        code, size = self.code, WIDTH[kind]
        if place.unit % size or (place.offset + offset) % size:
            raise Refusal("a member at an odd address")
        number = place.index * (place.unit // size) + (place.offset + offset) // size
        memory = place.memory
        if not memory.pitch:
            return number
        assert memory.thread is not None
        own = memory.thread if number.lanes == 1 else code.counting(memory.thread, self.lanes)
        return number * memory.pitch + own

    def load_each(self, memory: Buffer, kind: str, number: Value) -> Value:
        if memory.written is not None:
            known = self._fetch(memory, "u8", number * WIDTH[kind], memory.written)
            self.state.fault("uninitialised", known.equals(0))
        return self._fetch(memory, kind, number, memory.base)

    def _fetch(self, memory: Buffer, kind: str, number: Value, base: Value) -> Value:
        code = self.code
        if number.lanes > 1:
            return code.gather(kind, base, number, code.wide(self.state.mask(), number.lanes))
        if not memory.pitch or self.lanes == 1:
            return code.load(kind, base, number, 1)
        if kind in code.rows:
            return code.load(kind, base, number, self.lanes)
        return code.gather(
            kind, base, code.counting(number, self.lanes), code.wide(self.state.mask(), self.lanes)
        )

    def _load_row(self, memory: Buffer, kind: str, index: Value) -> Value:
        """Load one element per lane: neighbours or one for all by a single load, others one by one."""
        code, lanes = self.code, index.lanes
        count = self._elements(memory, WIDTH[kind])
        result = code.slot(IN_REGISTER.get(kind, kind), lanes)
        parts = code.spread(index)
        first, own = parts.shared(), code.wide(parts.own(), lanes)
        if parts.step is None:
            begin = code.first(own)
            index, first = code.wide(first, lanes) + own, first + begin
        with code.block() as done:
            if (
                kind in code.rows
                and parts.step in (None, 1)
                and (count.constant is None or count.constant >= lanes)
            ):
                more = lanes - 1
                fits = code.compare("ult", first, count - more)
                if count.constant is None:  # there may be fewer than lanes
                    fits &= count > more
                if parts.step is None:
                    fits &= code.all(self._is_row(own, begin))
                with code.when(fits):
                    result.value = code.load(kind, memory.base, first, lanes)
                    code.branch(done)
            if parts.step in (None, 0):
                same = code.compare("ult", first, count)
                if parts.step is None:
                    same &= code.all(own.equals(code.wide(begin, lanes)))
                with code.when(same):
                    result.value = code.load(kind, memory.base, first, 1)
                    code.branch(done)
            self.state.fault("bounds", code.compare("uge", index, count))
            mask = code.wide(self.state.mask(), lanes)
            if parts.step is None and kind in code.masked_rows:
                end = code.extract(own, lanes - 1) - (lanes - 1)
                left, right = self._is_row(own, begin), self._is_row(own, end)
                with code.when(code.all(left | right)):
                    loaded = code.load_masked(kind, memory.base, first, left & mask)
                    other = code.load_masked(kind, memory.base, parts.shared() + end, ~left & mask)
                    result.value = code.select(left, loaded, other)
                    code.branch(done)
            result.value = code.gather(kind, memory.base, index, mask)
        return result.value

    def _is_row(self, index: Value, first: Value) -> Value:
        return index.equals(self.code.counting(first, index.lanes))

    # --- stores ---------------------------------------------------------------------------

    def write(self, place: InRegisters | Element, kind: Type, value: Any) -> None:
        values = value if isinstance(value, list) else [value]
        if isinstance(place, InRegisters):
            for slot, part in zip(place.parts, values, strict=True):
                if not isinstance(slot, Local):
                    raise Refusal("an assignment to what is taken as constant")
                self.state.put(slot, part)
            return
        self.check(place)
        for leaf, part in zip(leaves(kind), values, strict=True):
            name = kind_of(leaf.type)
            self.store(place.memory, name, self.number(place, leaf.offset, name), part)

    def store(self, memory: Buffer, kind: str, number: Value, value: Value) -> None:
        code = self.code
        if value.kind == "b":
            value = code.convert(value, "i32")
        if memory.written is not None:
            first = number * WIDTH[kind]
            for k in range(WIDTH[kind]):
                self._put(memory, "u8", first + k, code.word(1), memory.written)
        self._put(memory, kind, number, value, memory.base)

    def _put(self, memory: Buffer, kind: str, number: Value, value: Value, base: Value) -> None:
        code, lanes = self.code, self.lanes
        if lanes == 1:
            code.store(kind, base, number, value)
            return
        mask, value = code.wide(self.state.mask(), lanes), code.wide(value, lanes)
        if memory.pitch and number.lanes == 1:
            number = code.counting(number, lanes)
        elif number.lanes == 1:  # one element: the last lane that runs has it
            number = code.wide(number, lanes)
        step = code.spread(number).step
        with code.block() as done:
            if kind in code.rows and step in (None, 1):
                first = code.first(number)
                row = mask if step == 1 else mask & self._is_row(number, first)
                with code.when(code.all(row)):
                    code.store(kind, base, first, value)
                    code.branch(done)
            code.scatter(kind, base, number, value, mask)


def element_size(variable: Variable) -> int:
    """Return the bytes of each leaf of a local array in memory; all leaves must have the same size."""
    sizes = {WIDTH[kind_of(leaf.type)] for leaf in leaves(variable.type)}
    if len(sizes) != 1:
        raise Refusal("a local array of structs with members of several sizes")
    return sizes.pop()
