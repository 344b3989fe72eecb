"""Lvalues and pointers: which memory, and which element of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...language.layout import offset_of
from ...language.refusal import Refusal
from ...language.tree import (
    AddressOf,
    Conditional,
    Convert,
    Decay,
    Dereference,
    Expr,
    Index,
    Literal,
    Member,
    Name,
    PointerOffset,
)
from ...language.types import Array, Pointer, Type, size_of
from ..code import Local, Value
from .state import Address, Buffer, Element, InRegisters, LoweringState


class Lvalues:
    """Works out addresses. value: evaluates a subscript."""

    def __init__(self, state: LoweringState, value: Callable[[Any], Any]) -> None:
        self.state, self.code, self.value = state, state.code, value

    # --- places ---------------------------------------------------------------------------

    def lvalue(self, e: Any) -> InRegisters | Element:
        """Return where an lvalue is stored."""
        match e:
            case Name(variable):
                found: Buffer | InRegisters | Address | None = self.state.places.get(variable)
                if found is None or isinstance(found, Address):
                    raise Refusal(f"{variable.space} variable {variable.name}")
                if isinstance(found, Buffer):
                    return Element(
                        found, self.code.word(0), size_of(variable.type) or _element(variable.type)
                    )
                return found
            case Index(base, index) if not isinstance(base.type, Pointer):
                return self._inside(
                    self.lvalue(base), self.index(self.value(index)), size_of(e.type), e
                )
            case Index(base, index):
                address = self.moved(self.address(base), self.index(self.value(index)))
                return self.led(address, e.type)
            case Dereference(pointer):
                return self.led(self.address(pointer), e.type)
            case Member(base, name):
                return self._member(self.lvalue(base), base.type, name, e.type)
        raise Refusal(f"{type(e).__name__} as a place")

    def _inside(
        self, whole: InRegisters | Element, index: Value, size: int, e: Expr
    ) -> InRegisters | Element:
        if isinstance(whole, InRegisters):
            if index.constant is None or not 0 <= index.constant * size < size_of(whole.type):
                raise Refusal("a subscript of a local array that is not known")
            return whole.part(int(index.constant) * size, e.type)
        per = whole.unit // size
        first = whole.index * per
        return Element(
            whole.memory,
            first + whole.offset // size + index,
            size,
        )

    def _member(
        self, whole: InRegisters | Element, kind: Type, name: str, own: Type
    ) -> InRegisters | Element:
        offset = offset_of(kind, name)
        if isinstance(whole, InRegisters):
            return whole.part(offset, own)
        return Element(whole.memory, whole.index, whole.unit, whole.offset + offset)

    # --- pointers -------------------------------------------------------------------------

    def address(self, e: Any) -> Address:
        """Return the value of a pointer."""
        code = self.code
        match e:
            case Name(variable):
                found = self.state.places.get(variable)
                if not isinstance(found, Address):
                    raise Refusal("a pointer that is not assigned where it is declared")
                index = found.index.value if isinstance(found.index, Local) else found.index
                return Address(found.target, index, found.unit)
            case Literal():
                return Address(None, code.word(0), 1)
            case PointerOffset(pointer, index):
                return self.moved(self.address(pointer), self.index(self.value(index)))
            case Decay(operand) | AddressOf(operand):
                return self._address_of(self.lvalue(operand), e.type)
            case Convert(operand) if isinstance(operand.type, Pointer):
                return self._recounted(self.address(operand), e.type)
            case Conditional(condition, then, otherwise):
                chosen = self.value(condition)
                if chosen.constant is not None:
                    return self.address(then if chosen.constant else otherwise)
                a, b = self.address(then), self.address(otherwise)
                self.same(a, b)
                return Address(a.target, code.select(chosen, a.index, b.index), a.unit)
        raise Refusal(
            "a pointer kept in memory"
            if isinstance(e, Index | Member | Dereference)
            else f"{type(e).__name__} of a pointer"
        )

    def _address_of(self, place: InRegisters | Element, kind: Any) -> Address:
        if isinstance(place, InRegisters):
            return Address(place, self.code.word(0), size_of(kind.target))
        return self._recount(
            Address(place.memory, place.index, place.unit), size_of(kind.target), place.offset
        )

    def _recounted(self, address: Address, kind: Any) -> Address:
        """Return an address as a pointer to elements of another type."""
        unit, code = size_of(kind.target), self.code
        if (
            not unit
            or unit == address.unit
            or isinstance(address.target, InRegisters)
            or address.target is None
        ):
            return address
        if unit > address.unit:
            per = unit // address.unit
            left = code.binary("srem", address.index, per)
            self.state.fault("misaligned", left.differs(0))
            return Address(address.target, code.binary("sdiv", address.index, per), unit)
        return self._recount(address, unit, 0)

    def _recount(self, address: Address, unit: int, offset: int) -> Address:
        """Return an address counted in smaller elements."""
        if address.unit % unit or offset % unit:
            raise Refusal("a pointer into a struct")
        index = address.index * (address.unit // unit)
        return Address(address.target, index + offset // unit, unit)

    def moved(self, address: Address, by: Value) -> Address:
        return Address(address.target, address.index + by, address.unit)

    def assign(self, target: Expr, value: Expr) -> None:
        """Let a pointer lead elsewhere."""
        found = self.state.places[target.variable] if isinstance(target, Name) else None
        if not isinstance(found, Address):
            raise Refusal("a pointer kept in memory")
        after = self.address(value)
        self.same(found, after)
        if not isinstance(found.index, Local):
            raise Refusal("a pointer that is assigned elsewhere")
        self.state.put(found.index, after.index)

    def same(self, a: Address, b: Address) -> None:
        if a.target is not b.target or a.unit != b.unit:
            raise Refusal("a pointer to one of several arrays")

    def led(self, address: Address, kind: Type) -> InRegisters | Element:
        """Return what a pointer leads to."""
        if address.target is None:
            raise Refusal("a null pointer that is read")
        if isinstance(address.target, InRegisters):
            if address.index.constant is None:
                raise Refusal("a subscript of a local array that is not known")
            return address.target.part(int(address.index.constant) * address.unit, kind)
        return Element(address.target, address.index, address.unit)

    def index(self, value: Value) -> Value:
        """Return a subscript as 32 bits; one that does not fit becomes a number that is out of bounds in any array."""
        code = self.code
        if value.kind != "i64":
            return code.convert(value, "i32")
        low = code.convert(value, "i32")
        fits = code.convert(low, "i64").equals(value)
        return code.select(fits, low, -(2**31))


def _element(kind: Type) -> int:
    """Return the bytes of an element of an array of open length."""
    return size_of(kind.element) if isinstance(kind, Array) else 1
