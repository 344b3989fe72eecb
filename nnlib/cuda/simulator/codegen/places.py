"""Lvalues: where an expression can be stored to, as registers (Python variables) or memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from nnlib.cuda.language import tree
from nnlib.cuda.language.types import Array, Pointer, Type
from nnlib.cuda.simulator.codegen import python
from nnlib.cuda.simulator.codegen.indices import Indices, Term
from nnlib.cuda.simulator.codegen.narrowing import flat_count, vector
from nnlib.cuda.simulator.codegen.pointer_flow import has_effect, roots
from nnlib.cuda.simulator.codegen.python import Expr, Literal
from nnlib.cuda.simulator.codegen.writer import RT, M, Writer
from nnlib.cuda.simulator.memory import array_dims


@dataclass(frozen=True)
class Register:
    """A Python variable, or one component of a vector in it."""

    variable: tree.Variable
    type: Type
    component: int | None = None


@dataclass(frozen=True)
class MemoryPlace:
    """An element behind `base`, a memory or pointer. Its index, the sum of the terms, counts innermost elements."""

    base: Expr
    terms: tuple[Term, ...]
    type: Type
    at: tree.Position
    dims: tuple[int, ...] = ()
    subscripts: tuple[Expr, ...] = ()
    name: str = ""
    source: tree.Expr | None = None
    is_own: bool = False  # of each thread


Place = Register | MemoryPlace


class Places:
    """Lowering of lvalues; `value` lowers the expressions inside them."""

    def __init__(self, writer: Writer, value: Callable[[tree.Expr], Expr], indices: Indices):
        self.writer, self.code, self.value, self.indices = writer, writer.code, value, indices

    def place(self, e: tree.Expr) -> Place:
        if isinstance(e, tree.Name):
            return self._of_name(e)
        if isinstance(e, tree.Index):
            return self._of_index(e)
        if isinstance(e, tree.Dereference):
            return MemoryPlace(self.writer.atom(self.value(e.pointer)), (), e.type, e.at, source=e)
        if isinstance(e, tree.Member):
            return self._of_member(e)
        raise self.writer.unsupported(e.at, "this cannot be assigned to or have its address taken")

    def _of_name(self, e: tree.Name) -> Place:
        variable = e.variable
        if not self.writer.in_memory(variable):
            return Register(variable, e.type)
        base: Expr = self.writer.name_of(variable)
        if variable.space in ("constant", "global"):
            base = python.Item(python.Attribute(RT, "modules"), Literal(variable.name))
        return MemoryPlace(base, (), e.type, e.at, array_dims(variable.type), (), variable.name,
                           is_own=variable.space in ("local", "parameter"))

    def _of_index(self, e: tree.Index) -> MemoryPlace:
        if not isinstance(e.base.type, Array):
            pointer = MemoryPlace(self.writer.atom(self.value(e.base)), (), e.type, e.at)
            return replace(pointer, terms=self.indices.terms(e.index, flat_count(e.type)), source=e)
        array = self.place(e.base)
        assert isinstance(array, MemoryPlace)
        if array.terms and has_effect(e.index):  # a[k][k++] reads k before it grows
            now = self.writer.temporary(self.indices.sum(array.terms))
            array = replace(array, terms=(self.indices.here(now),))
        if not isinstance(e.type, Array) and not array.terms:
            terms = self.indices.terms(e.index, 1)
            return replace(array, terms=terms, type=e.type, at=e.at, source=e)
        value = self.value(e.index)
        subscript = self.writer.atom(value)
        term = self.indices.term(e.index, subscript, flat_count(e.type), stays=subscript is value)
        return replace(array, terms=(*array.terms, term), subscripts=(*array.subscripts, subscript), type=e.type,
                       at=e.at, source=e)

    def _of_member(self, e: tree.Member) -> Place:
        whole = self.place(e.base)
        type = vector(e.base.type)
        component = type.fields.index(e.field)
        if isinstance(whole, Register):
            return replace(whole, type=e.type, component=component)
        index: Expr = Literal(component)
        if whole.terms:
            index = python.Binary(python.Binary(self.indices.sum(whole.terms), "*", Literal(type.lanes)), "+", index)
        base = whole.base.method("scaled", type.size, type.base.size, None)
        return MemoryPlace(base, (self.indices.here(index),), e.type, e.at)

    def fixed(self, place: Place) -> Place:
        """The same place with its base and index computed once."""
        if isinstance(place, Register):
            return place
        base = self.writer.atom(place.base)
        if not place.terms:
            return replace(place, base=base)
        return replace(place, base=base, terms=(self.indices.here(self.writer.atom(self._index(place))),))

    # --- reading and writing -------------------------------------------------------------

    def load(self, place: Place, at: tree.Position) -> Expr:
        if isinstance(place, Register):
            name = self._read_register(place.variable, at)
            return name if place.component is None else python.Item(name, Literal(place.component))
        self.writer.note(at)
        site, subscripts = self._access(place)
        verified = self.writer.verified
        if verified and place.source is not None and roots(place.source, self.writer.flows) & verified:
            self.code.sites[-1].is_guess = True
        return self.writer.temporary(place.base.method("load", self._index(place), M, site, *subscripts))

    def store(self, place: Place, value: Expr) -> Expr:
        """Store, and the value again: as the name of the variable or of a temporary."""
        if isinstance(place, Register) and place.component is None:
            self.writer.assign(place.variable, value)
            return self.writer.name_of(place.variable)
        value = self.writer.atom(value)
        if isinstance(place, Register):
            name = self.writer.name_of(place.variable)
            lanes = range(vector(place.variable.type).lanes)
            items = [value if k == place.component else python.Item(name, Literal(k)) for k in lanes]
            self.writer.assign(place.variable, python.Tuple(items))
        else:
            self.writer.note(place.at)
            index = self._index(place)
            site, subscripts = self._access(place)
            self.writer.do(place.base.method("store", index, value, M, site, *subscripts))
        return value

    def _access(self, place: MemoryPlace) -> tuple[python.Name, list[Expr]]:
        """The site of an access, and its subscripts where a check wants to see them."""
        if isinstance(place.type, Pointer | Array):
            raise self.writer.unsupported(place.at, "pointers kept in memory")
        site = self.code.site(place.at, place.type, place.dims, place.name)
        wanted = self.code.checks and len(place.subscripts) > 1
        return site, [python.Tuple(place.subscripts)] if wanted else []

    def address_of(self, place: Place) -> Expr:
        if isinstance(place, Register):
            raise self.writer.unsupported(place.variable.at, f"the address of {place.variable.name}")
        return place.base.method("moved", self.indices.sum(place.terms))

    def _index(self, place: MemoryPlace) -> Expr:
        """The index of a load or a store; a thread's own memory is fastest with plain ones."""
        return self.indices.sum(place.terms) if place.is_own else self.indices.steady_sum(place.terms)

    def _read_register(self, variable: tree.Variable, at: tree.Position) -> python.Name:
        name = self.writer.name_of(variable)
        if variable in self.writer.tracked:
            site = self.code.site(at, None, (), variable.name)
            self.writer.check_set(self.writer.lanes_that_set(variable), site)
        return name
