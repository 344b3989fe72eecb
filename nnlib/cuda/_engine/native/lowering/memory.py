"""Loads and stores: which memory, which element, is it there, and do the lanes' elements lie side by side?

The question whether the lanes read neighbours, or all the same element, takes the place of the bounds check on the fast
path. First used in lesson 07.
"""

from __future__ import annotations

from typing import Any

from ...language import tree
from ...language.layout import field_of, leaves
from ...language.types import BOOL, Array, Pointer, Struct, Type, Vector, size_of
from ..code import IN_REGISTER, WIDTH, Local, Value
from ..refusal import Refusal
from .nodes import Inlined
from .state import Address, Buffer, Element, InRegisters, LoweringState, kind_of


class LoadsAndStores(LoweringState):
    # --- places ---------------------------------------------------------------------------

    def place(self, e: Any) -> InRegisters | Element:
        """Where an lvalue is."""
        match e:
            case tree.Name(variable=variable):
                found = self.places.get(variable)
                if found is None or isinstance(found, Address):
                    raise Refusal(f"{variable.space} variable {variable.name}")
                if isinstance(found, Buffer):
                    return Element(found, self.code.word(0), size_of(variable.type) or _element(variable.type))
                return found
            case tree.Index(base=base, index=index) if not isinstance(base.type, Pointer):
                return self._inside(self.place(base), self.index(self.expression(index)), size_of(e.type), e)
            case tree.Index(base=base, index=index):
                address = self.moved(self.address(base), self.index(self.expression(index)))
                return self.led(address, e.type)
            case tree.Dereference(pointer=pointer):
                return self.led(self.address(pointer), e.type)
            case tree.Member(base=base, field=name):
                return self._member(self.place(base), base.type, name, e.type)
            case tree.Temporary(operand=operand):
                value = self.expression(operand)
                return InRegisters(operand.type, value if isinstance(value, list) else [value])
        raise Refusal(f"{type(e).__name__} as a place")

    def _inside(self, whole: InRegisters | Element, index: Value, size: int, e: tree.Expr) -> InRegisters | Element:
        code = self.code
        if isinstance(whole, InRegisters):
            if index.constant is None or not 0 <= index.constant * size < size_of(whole.type):
                raise Refusal("a subscript of a local array that is not known")
            return whole.part(int(index.constant) * size, e.type)
        per = whole.unit // size
        first = code.binary("mul", whole.index, code.word(per))
        return Element(whole.memory, code.binary("add", code.binary("add", first, code.word(whole.offset // size)),
                                                 index), size)

    def _member(self, whole: InRegisters | Element, kind: Type, name: str, own: Type) -> InRegisters | Element:
        if isinstance(kind, Struct):
            offset = field_of(kind, name).offset
        else:
            assert isinstance(kind, Vector)
            offset = kind.fields.index(name) * kind.base.size
        if isinstance(whole, InRegisters):
            return whole.part(offset, own)
        return Element(whole.memory, whole.index, whole.unit, whole.offset + offset)

    # --- pointers -------------------------------------------------------------------------

    def address(self, e: Any) -> Address:
        """The value of a pointer."""
        code = self.code
        match e:
            case tree.Name(variable=variable):
                found = self.places.get(variable)
                if not isinstance(found, Address):
                    raise Refusal("a pointer that is not assigned where it is declared")
                index = code.get(found.index) if isinstance(found.index, Local) else found.index
                return Address(found.target, index, found.unit)
            case tree.Literal():
                return Address(None, code.word(0), 1)
            case tree.PointerOffset(pointer=pointer, index=index):
                return self.moved(self.address(pointer), self.index(self.expression(index)))
            case tree.Decay(operand=operand) | tree.AddressOf(operand=operand):
                return self._address_of(self.place(operand), e.type)
            case tree.Convert(operand=operand) if isinstance(operand.type, Pointer):
                return self._recounted(self.address(operand), e.type, e.at)
            case tree.Conditional(condition=condition, then=then, otherwise=otherwise):
                chosen = self.expression(condition)
                if chosen.constant is not None:
                    return self.address(then if chosen.constant else otherwise)
                a, b = self.address(then), self.address(otherwise)
                self._same(a, b)
                return Address(a.target, code.select(chosen, a.index, b.index), a.unit)
            case Inlined():
                return self.inlined_address(e)
            case tree.Assign() | tree.CompoundAssign() | tree.Increment():
                return self.move_pointer(e)
            case tree.Comma(left=left, right=right):
                self.expression(left)
                return self.address(right)
        raise Refusal("a pointer kept in memory" if isinstance(e, tree.Index | tree.Member | tree.Dereference)
                      else f"{type(e).__name__} of a pointer")

    def _address_of(self, place: InRegisters | Element, kind: Any) -> Address:
        if isinstance(place, InRegisters):
            return Address(place, self.code.word(0), size_of(kind.target))
        return self._recount(Address(place.memory, place.index, place.unit), size_of(kind.target), place.offset)

    def _recounted(self, address: Address, kind: Any, at: tree.Position) -> Address:
        """As a pointer to other elements."""
        unit, code = size_of(kind.target), self.code
        if not unit or unit == address.unit or isinstance(address.target, InRegisters) or address.target is None:
            return address
        if unit > address.unit:
            per = code.word(unit // address.unit)
            left = code.binary("srem", address.index, per)
            self.fault(at, "misaligned", code.compare("ne", left, code.word(0)))
            return Address(address.target, code.binary("sdiv", address.index, per), unit)
        return self._recount(address, unit, 0)

    def _recount(self, address: Address, unit: int, offset: int) -> Address:
        """In smaller elements."""
        code = self.code
        if address.unit % unit or offset % unit:
            raise Refusal("a pointer into a struct")
        index = code.binary("mul", address.index, code.word(address.unit // unit))
        return Address(address.target, code.binary("add", index, code.word(offset // unit)), unit)

    def moved(self, address: Address, by: Value) -> Address:
        return Address(address.target, self.code.binary("add", address.index, by), address.unit)

    def move_pointer(self, e: Any) -> Address:
        """p = q, p += n, ++p."""
        found = self.places[e.target.variable] if isinstance(e.target, tree.Name) else None
        if not isinstance(found, Address):
            raise Refusal("a pointer kept in memory")
        before = self.address(e.target) if not isinstance(e, tree.Assign) else None
        if isinstance(e, tree.Assign):
            after = self.address(e.value)
            self._same(found, after)
        else:
            assert before is not None
            by = self.code.word(e.delta) if isinstance(e, tree.Increment) else self.index(self.expression(e.value))
            after = self.moved(before, by)
        if not isinstance(found.index, Local):
            raise Refusal("a pointer that is assigned elsewhere")
        self.put(found.index, after.index)
        return before if isinstance(e, tree.Increment) and not e.prefix and before is not None else after

    def _same(self, a: Address, b: Address) -> None:
        if a.target is not b.target or a.unit != b.unit:
            raise Refusal("a pointer to one of several arrays")

    def led(self, address: Address, kind: Type) -> InRegisters | Element:
        """What a pointer leads to."""
        if address.target is None:
            raise Refusal("a null pointer that is read")
        if isinstance(address.target, InRegisters):
            if address.index.constant is None:
                raise Refusal("a subscript of a local array that is not known")
            return address.target.part(int(address.index.constant) * address.unit, kind)
        return Element(address.target, address.index, address.unit)

    def index(self, value: Value) -> Value:
        """A subscript as 32 bits; what does not fit is no element of anything."""
        code = self.code
        if value.kind != "i64":
            return code.convert(value, "i32")
        low = code.convert(value, "i32")
        fits = code.compare("eq", code.convert(low, "i64"), value)
        return code.select(fits, low, code.word(-2**31))

    # --- loads ----------------------------------------------------------------------------

    def read(self, place: InRegisters | Element, kind: Type, at: tree.Position) -> Any:
        """A value, or of a struct or vector the list of its leaves."""
        if isinstance(place, InRegisters):
            values = [self.code.get(part) if isinstance(part, Local) else part for part in place.parts]
        else:
            values = self._load(place, kind, at)
        return values[0] if len(values) == 1 and not isinstance(kind, Struct | Vector) else values

    def _load(self, place: Element, kind: Type, at: tree.Position) -> list[Value]:
        parts = leaves(kind)
        kinds = [kind_of(leaf.type) for leaf in parts]
        memory = place.memory
        row = len(parts) == 1 and place.unit == WIDTH[kinds[0]] and not memory.pitch and memory.written is None
        if row and place.index.lanes > 1:
            values = [self._load_row(memory, kinds[0], place.index, at)]
        else:
            self.check(place, at)
            values = [self._load_each(memory, name, self._number(place, leaf.offset, name), at)
                      for leaf, name in zip(parts, kinds, strict=True)]
        return [self.code.convert(value, "b") if leaf.type == BOOL else value
                for leaf, value in zip(parts, values, strict=True)]

    def check(self, place: Element, at: tree.Position) -> None:
        """Is there such an element?"""
        limit = self._elements(place.memory, place.unit)
        self.fault(at, "bounds", self.code.compare("uge", place.index, limit))

    def _elements(self, memory: Buffer, size: int) -> Value:
        """How many elements of so many bytes it has."""
        if isinstance(memory.nbytes, int):
            return self.code.word(memory.nbytes // size)
        return self.code.binary("udiv", memory.nbytes, self.code.word(size))

    def _number(self, place: Element, offset: int, kind: str) -> Value:
        """Counted in elements of a leaf."""
        code, size = self.code, WIDTH[kind]
        if place.unit % size or (place.offset + offset) % size:
            raise Refusal("a member at an odd address")
        number = code.binary("mul", place.index, code.word(place.unit // size))
        number = code.binary("add", number, code.word((place.offset + offset) // size))
        memory = place.memory
        if not memory.pitch:
            return number
        assert memory.thread is not None
        own = memory.thread if number.lanes == 1 else code.counting(memory.thread, self.lanes)
        return code.binary("add", code.binary("mul", number, code.word(memory.pitch)), own)

    def _load_each(self, memory: Buffer, kind: str, number: Value, at: tree.Position) -> Value:
        code = self.code
        if memory.written is not None:
            known = self._fetch(memory, "u8", code.binary("mul", number, code.word(WIDTH[kind])), memory.written)
            self.fault(at, "uninitialised", code.compare("eq", known, code.word(0)))
        return self._fetch(memory, kind, number, memory.base)

    def _fetch(self, memory: Buffer, kind: str, number: Value, base: Value) -> Value:
        code = self.code
        if number.lanes > 1:
            return code.gather(kind, base, number, code.wide(self.mask(), number.lanes))
        if not memory.pitch or self.lanes == 1:
            return code.load(kind, base, number, 1)
        if kind in code.rows:
            return code.load(kind, base, number, self.lanes)
        return code.gather(kind, base, code.counting(number, self.lanes), code.wide(self.mask(), self.lanes))

    def _load_row(self, memory: Buffer, kind: str, index: Value, at: tree.Position) -> Value:
        """Lanes that read neighbours, or all the same element, else each its own."""
        code, lanes = self.code, index.lanes
        count = self._elements(memory, WIDTH[kind])
        first = code.first(index)
        result = code.slot(IN_REGISTER.get(kind, kind), lanes)
        step = index.row[1] if index.row else None
        with code.block() as done:
            if kind in code.rows and step in (None, 1) and (count.constant is None or count.constant >= lanes):
                more = code.word(lanes - 1)
                fits = code.compare("ult", first, code.binary("sub", count, more))
                if count.constant is None:  # there may be fewer than lanes
                    fits = code.both(fits, code.compare("gt", count, more))
                if step is None:
                    fits = code.both(fits, code.all(self._is_row(index, first)))
                with code.when(fits):
                    code.set(result, code.load(kind, memory.base, first, lanes))
                    code.branch(done)
            if step in (None, 0):
                same = code.compare("ult", first, count)
                if step is None:
                    same = code.both(same, code.all(code.compare("eq", index, code.wide(first, lanes))))
                with code.when(same):
                    code.set(result, code.load(kind, memory.base, first, 1))
                    code.branch(done)
            self.fault(at, "bounds", code.compare("uge", index, count))
            code.set(result, code.gather(kind, memory.base, index, code.wide(self.mask(), lanes)))
        return code.get(result)

    def _is_row(self, index: Value, first: Value) -> Value:
        return self.code.compare("eq", index, self.code.counting(first, index.lanes))

    # --- stores ---------------------------------------------------------------------------

    def write(self, place: InRegisters | Element, kind: Type, value: Any, at: tree.Position) -> None:
        values = value if isinstance(value, list) else [value]
        if isinstance(place, InRegisters):
            for slot, part in zip(place.parts, values, strict=True):
                if not isinstance(slot, Local):
                    raise Refusal("an assignment to what is taken as constant")
                self.put(slot, part)
            return
        self.check(place, at)
        for leaf, part in zip(leaves(kind), values, strict=True):
            name = kind_of(leaf.type)
            if leaf.type == BOOL:
                part = self.code.convert(part, "i32")
            self.store(place.memory, name, self._number(place, leaf.offset, name), part)

    def store(self, memory: Buffer, kind: str, number: Value, value: Value) -> None:
        code = self.code
        if memory.written is not None:
            first = code.binary("mul", number, code.word(WIDTH[kind]))
            for k in range(WIDTH[kind]):
                self._put(memory, "u8", code.binary("add", first, code.word(k)), code.word(1), memory.written)
        self._put(memory, kind, number, value, memory.base)

    def _put(self, memory: Buffer, kind: str, number: Value, value: Value, base: Value) -> None:
        code, lanes = self.code, self.lanes
        if lanes == 1:
            code.store(kind, base, number, value)
            return
        mask, value = code.wide(self.mask(), lanes), code.wide(value, lanes)
        if memory.pitch and number.lanes == 1:
            number = code.counting(number, lanes)
        elif number.lanes == 1:  # one element: the last lane that runs has it
            number = code.wide(number, lanes)
        step = number.row[1] if number.row else None
        with code.block() as done:
            if kind in code.rows and step in (None, 1):
                first = code.first(number)
                row = mask if step == 1 else code.both(mask, self._is_row(number, first))
                with code.when(code.all(row)):
                    code.store(kind, base, first, value)
                    code.branch(done)
            code.scatter(kind, base, number, value, mask)

    def inlined_address(self, e: Inlined) -> Address:
        raise NotImplementedError


def _element(kind: Type) -> int:
    """Bytes of an element of an array of open length."""
    return size_of(kind.element) if isinstance(kind, Array) else 1
