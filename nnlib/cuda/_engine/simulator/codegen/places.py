"""Lvalues: where an expression can be stored to, as registers (Python variables) or memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ...language.layout import (
    CopiedPart,
    holds_structs,
    is_aggregate,
    leaves,
    offset_of,
    pieces,
    unit_of,
)
from ...language.tree import (
    AddressOf,
    Convert,
    Decay,
    Dereference,
    Expr,
    Index,
    Member,
    Name,
    PointerOffset,
    Position,
    Temporary,
    Variable,
)
from ...language.types import Array, Scalar, Struct, Type, Vector
from ...language.walking import is_volatile
from ..memory.spaces import READ, WRITE, array_dims
from .analysis import has_effect, lives_in_memory
from .indices import Indices, Term
from .python import (
    PyConstant,
    PyExpr,
    PyName,
    PyTuple,
    call,
)
from .writer import RT, M, Writer, vector


@dataclass(frozen=True)
class Register:
    """A Python variable, or one component of a vector in it."""

    variable: Variable
    type: Type
    component: int | None = None


@dataclass(frozen=True)
class MemoryPlace:
    """An element of the memory or pointer `base`.

    Its index is the sum of the terms, counted in units of its type (layout.unit_of).
    """

    base: PyExpr
    terms: tuple[Term, ...]
    type: Type
    at: Position
    dims: tuple[int, ...] = ()
    subscripts: tuple[PyExpr, ...] = ()
    name: str = ""
    source: Expr | None = None
    is_own: bool = False  # of each thread


Place = Register | MemoryPlace


class Places:
    """Lowering of lvalues; `value` lowers the expressions inside them."""

    def __init__(self, writer: Writer, value: Callable[[Expr], PyExpr], indices: Indices):
        self.writer, self.code, self.value, self.indices = writer, writer.code, value, indices

    def place(self, e: Expr) -> Place:
        if isinstance(e, Name):
            return self._of_name(e)
        if isinstance(e, Index):
            return self._of_index(e)
        if isinstance(e, Dereference):
            return MemoryPlace(self.writer.atom(self.value(e.pointer)), (), e.type, e.at, source=e)
        if isinstance(e, Member):
            return self._of_member(e)
        if isinstance(e, Temporary):
            value = self.writer.atom(self.value(e.operand))
            place = self.scratch(e)
            self.writer.do(place.base.method("begin", value))
            return place
        raise self.writer.unsupported(e.at, "this cannot be assigned to or have its address taken")

    def _of_name(self, e: Name) -> Place:
        variable = e.variable
        if not lives_in_memory(variable):
            return Register(variable, e.type)
        base: PyExpr = self.writer.name_of(variable)
        if variable.space in ("constant", "global"):
            base = PyName("rt.modules")[variable.name]
        dims = () if holds_structs(variable.type) else array_dims(variable.type)
        return MemoryPlace(
            base,
            (),
            e.type,
            e.at,
            dims,
            (),
            variable.name,
            source=e,
            is_own=variable.space in ("local", "parameter"),
        )

    def _of_index(self, e: Index) -> MemoryPlace:
        if not isinstance(e.base.type, Array):
            pointer = MemoryPlace(self.writer.atom(self.value(e.base)), (), e.type, e.at)
            return replace(pointer, terms=self.indices.terms(e), source=e)
        array = self.place(e.base)
        assert isinstance(array, MemoryPlace)
        if array.terms and has_effect(e.index):  # a[k][k++] reads k before it grows
            now = self.writer.temporary(self.indices.sum(array.terms))
            array = replace(array, terms=(self.indices.here(now),))
        if not isinstance(e.type, Array) and not array.terms:
            terms = self.indices.terms(e)
            return replace(array, terms=terms, type=e.type, at=e.at, source=e)
        value = self.value(e.index)
        subscript = self.writer.atom(value)
        if self.code.checks and isinstance(e.base, Member):
            self._check_subscript(e, subscript)
        term = self.indices.term(e, subscript, stays=subscript is value)
        return replace(
            array,
            terms=(*array.terms, term),
            subscripts=(*array.subscripts, subscript),
            type=e.type,
            at=e.at,
            source=e,
        )

    def _check_subscript(self, e: Index, subscript: PyExpr) -> None:
        """Check that the subscript of an array member stays within the member, since memory continues behind it.

        An array of 1 element is not checked, because it stands for as many elements as there are.
        """
        length = e.base.type.length if isinstance(e.base.type, Array) else None
        known = int(subscript.value.item()) if isinstance(subscript, PyConstant) else -1
        if length and length > 1 and not 0 <= known < length:
            site = self.code.site(e.at, None, told(e.base))
            self.writer.do(RT.method("check_subscript", subscript, length, M, site))

    def _of_member(self, e: Member) -> Place:
        whole = self.place(e.base)
        kind = e.base.type
        if isinstance(whole, Register):
            return replace(whole, type=e.type, component=vector(kind).fields.index(e.field))
        return replace(self.part(whole, offset_of(kind, e.field), e.type, e.at), source=e)

    def part(self, whole: Place, offset: int, type: Type, at: Position) -> MemoryPlace:
        """Return the part of a place that begins `offset` bytes after its start."""
        assert isinstance(whole, MemoryPlace)
        old, new, base, terms = unit_of(whole.type), unit_of(type), whole.base, list(whole.terms)
        if old != new:
            base = base.method("scaled", old, new, None)
            factor = self._number(old // new, whole.type)
            terms = [replace(term, value=term.value * factor) for term in terms]
        if offset or not terms:
            terms.append(self.indices.here(self._number(offset // new, whole.type)))
        return MemoryPlace(base, tuple(terms), type, at, is_own=whole.is_own)

    def _number(self, value: int, type: Type) -> PyExpr:
        """Return a number by which an index is moved; structs are large, so that 32 bits may be too few."""
        return self.code.constant(
            np.dtype(np.int32 if isinstance(type, Vector) else np.int64), value
        )

    def scratch(self, e: Expr) -> MemoryPlace:
        """Allocate memory of each thread for a value without a name."""
        kind = self.code.kind(e.type)
        name = self.writer.temporary(RT.method("local", str(e.type), kind))
        return MemoryPlace(name, (), e.type, e.at, is_own=True)

    def fixed(self, place: Place) -> Place:
        """Return the same place with its base and index computed once."""
        if isinstance(place, Register):
            return place
        return self._shared_place(place, self._index)

    # --- reading and writing -------------------------------------------------------------

    def load(self, place: Place, at: Position) -> PyExpr:
        if isinstance(place, Register):
            variable, name = place.variable, self.writer.name_of(place.variable)
            if variable in self.writer.tracked:
                site = self.code.site(at, None, variable.name)
                self.writer.check_set(self.writer.lanes_that_set(variable), site)
            return name if place.component is None else name[place.component]
        if is_aggregate(place.type):
            return PyTuple(self._load_parts(place, at))
        self.writer.note(at)
        site, subscripts = self._access(place, READ)
        if place.source is not None and place.source in self.writer.guesses:
            self.code.sites[-1].is_guess = True
        if not place.is_own:
            self.writer.take_turn(place.base)
        return self.writer.temporary(
            place.base.method("load", self._index(place), M, site, *subscripts)
        )

    def _load_parts(self, place: MemoryPlace, at: Position) -> list[PyExpr]:
        """Return the leaves of a value that several accesses copy."""
        place, result = self._shared_place(place, self._sum), []
        for piece in pieces(place.type):
            loaded = self.load(self.part(place, piece.offset, piece.type, at), at)
            self._mark_copy(piece, place.type)
            result += self._as_leaves(piece, place.type, loaded)
        return result

    def _shared_place(
        self, place: MemoryPlace, index: Callable[[MemoryPlace], PyExpr]
    ) -> MemoryPlace:
        """Return the place, whose base and index several accesses use. index: lowers the index."""
        base, terms = self.writer.atom(place.base), place.terms
        if terms:
            terms = (self.indices.here(self.writer.atom(index(place))),)
        return replace(place, base=base, terms=terms)

    def _mark_copy(self, piece: CopiedPart, type: Type) -> None:
        """Mark the last access as part of a copied struct, whose members may be unset."""
        if isinstance(type, Struct):
            self.code.sites[-1].copied = type.size if piece.first == 0 else 0

    def _as_leaves(self, piece: CopiedPart, type: Type, loaded: PyExpr) -> list[PyExpr]:
        """Return the leaves of a loaded piece, each in its own type."""
        if not isinstance(piece.type, Vector):
            return [loaded]
        own = leaves(type)[piece.first : piece.first + piece.type.lanes]
        return [self._seen_as(loaded[k], piece.type.base, leaf.type) for k, leaf in enumerate(own)]

    def _seen_as(self, value: PyExpr, old: Type, new: Type) -> PyExpr:
        if isinstance(old, Scalar) and isinstance(new, Scalar) and old.dtype != new.dtype:
            return value.method("view", self.code.dtype(new.dtype))
        return value

    def items(self, value: PyExpr, count: int) -> list[PyExpr]:
        """Return the parts of a tuple."""
        if isinstance(value, PyTuple):
            return list(value.items)
        value = self.writer.atom(value)
        return [value[k] for k in range(count)]

    def _store_parts(self, place: MemoryPlace, value: PyExpr, copies: bool) -> PyExpr:
        place, own = self._shared_place(place, self._sum), leaves(place.type)
        parts = [self.writer.atom(part) for part in self.items(value, len(own))]
        for piece in pieces(place.type):
            target = self.part(place, piece.offset, piece.type, place.at)
            if isinstance(piece.type, Vector):
                base = piece.type.base
                row = [
                    self._seen_as(parts[piece.first + k], own[piece.first + k].type, base)
                    for k in range(piece.type.lanes)
                ]
                self.store(target, PyTuple(row), copies)
            else:
                self.store(target, parts[piece.first], copies)
            self._mark_copy(piece, place.type)
        return PyTuple(parts)

    def store(self, place: Place, value: PyExpr, copies: bool = False) -> PyExpr:
        """Store, and the value again: as the name of the variable or of a temporary. copies: see analysis.is_copy."""
        if isinstance(place, Register) and place.component is None:
            self.writer.assign(place.variable, value)
            return self.writer.name_of(place.variable)
        if isinstance(place, MemoryPlace) and is_aggregate(place.type):
            return self._store_parts(place, value, copies)
        value = self.writer.atom(value)
        if isinstance(place, Register):
            name = self.writer.name_of(place.variable)
            lanes = range(vector(place.variable.type).lanes)
            items = [value if k == place.component else name[k] for k in lanes]
            self.writer.assign(place.variable, PyTuple(items))
        else:
            self.writer.note(place.at)
            index = self._index(place)
            site, subscripts = self._access(place, WRITE)
            self.code.sites[-1].is_copy = copies
            if not place.is_own:
                self.writer.take_turn(place.base)
            self.writer.do(place.base.method("store", index, value, M, site, *subscripts))
        return value

    def _access(self, place: MemoryPlace, kind: str) -> tuple[PyName, list[PyExpr]]:
        """Return the site of an access, and its subscripts where a check wants to see them."""
        site = self.code.site(place.at, place.type, place.name, place.dims)
        if place.source is not None:
            self.code.sites[-1].kept = self.code.kept.get((place.source, kind))
            self.code.sites[-1].is_volatile = is_volatile(place.source)
        wanted = self.code.checks and len(place.dims) > 1 and len(place.subscripts) > 1
        return site, [PyTuple(place.subscripts)] if wanted else []

    def address_of(self, e: Expr) -> PyExpr:
        place = self.place(e)
        if isinstance(place, Register):
            raise self.writer.unsupported(
                place.variable.at, f"the address of {place.variable.name}"
            )
        return call("moved", place.base, self._sum(place))

    def _sum(self, place: MemoryPlace) -> PyExpr:
        return self.indices.sum(place.terms)

    def _index(self, place: MemoryPlace) -> PyExpr:
        """Return the index of a load or a store; a thread's own memory is fastest with plain ones."""
        return self._sum(place) if place.is_own else self.indices.invariant_sum(place.terms)


def told(e: Expr) -> str:
    """Return the name of a member for messages: particles[...].mass."""
    match e:
        case Name(variable):
            return variable.name
        case Member(base, field):
            return told(base) if field[0] == "#" else f"{told(base)}.{field}"
        case Index(base):
            return f"{told(base)}[...]"
        case (
            Dereference(e) | PointerOffset(e) | Convert(e) | Decay(e) | AddressOf(e) | Temporary(e)
        ):
            return told(e)
    return "..."
