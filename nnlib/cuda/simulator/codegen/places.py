"""Lvalues: where an expression can be stored to, as registers (Python variables) or memory."""

# mypy: disable-error-code="union-attr"
# (the checker of the language has seen to it that types fit)

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from nnlib.cuda.language import tree
from nnlib.cuda.language.types import Array, Pointer, Scalar, Type, Vector
from nnlib.cuda.simulator.codegen.pointer_flow import roots
from nnlib.cuda.simulator.codegen.writer import Writer
from nnlib.cuda.simulator.memory import array_dims


@dataclass
class Register:
    """A Python variable, or one component of a vector in it."""

    variable: tree.Variable
    type: Type
    component: int | None = None


@dataclass
class MemoryPlace:
    """Element `index` behind `base`, Python text for a memory or pointer. index counts innermost elements."""

    base: str
    index: str
    type: Type
    at: tree.Position
    dims: tuple[int, ...] = ()
    subscripts: list[str] = field(default_factory=list)
    name: str = ""
    source: tree.Expr | None = None


class Places(Writer):
    """Lowering of lvalues."""

    def place(self, e: tree.Expr) -> Register | MemoryPlace:
        if isinstance(e, tree.Name):
            return self._name_place(e)
        if isinstance(e, tree.Index):
            return self._index_place(e)
        if isinstance(e, tree.Dereference):
            return MemoryPlace(self.atom(self.expression(e.pointer)), "0", e.type, e.at, source=e)
        if isinstance(e, tree.Member):
            return self._member_place(e)
        raise self.unsupported(e.at, "this cannot be assigned to or have its address taken")

    def _name_place(self, e: tree.Name) -> Register | MemoryPlace:
        variable = e.variable
        if not self.in_memory(variable):
            return Register(variable, e.type)
        base = self.name_of(variable)
        if variable.space in ("constant", "global"):
            base = f"rt.modules[{variable.name!r}]"
        return MemoryPlace(base, "0", e.type, e.at, array_dims(variable.type), [], variable.name)

    def _index_place(self, e: tree.Index) -> MemoryPlace:
        inner: Any
        if isinstance(e.base.type, Array):
            inner = self.place(e.base)
        else:
            inner = MemoryPlace(self.atom(self.expression(e.base)), "0", e.type, e.at)
        subscript = self.atom(self.expression(e.index)) if isinstance(e.base.type, Array) else self.expression(e.index)
        index = self.as_index(subscript, e.index.type)
        count = flat_count(e.type)
        if count > 1:
            index = f"({index} * {self.code.constant(np.dtype(np.int32), count)})"
        inner.index = index if inner.index == "0" else f"({inner.index} + {index})"
        if isinstance(e.base.type, Array):
            inner.subscripts.append(subscript)
        inner.type, inner.at, inner.source = e.type, e.at, e
        return inner

    def as_index(self, text: str, type: Any) -> str:
        """An index as int32, uint32 or int64: unsigned 64-bit ones would become floats beside signed ones."""
        if type.dtype.itemsize < 4:
            return f"{text}.astype({self.code.dtype(np.dtype(np.int32))})"
        return f"{text}.view({self.code.dtype(np.dtype(np.int64))})" if type.dtype == np.uint64 else text

    def _member_place(self, e: tree.Member) -> Register | MemoryPlace:
        whole = self.place(e.base)
        vector = e.base.type
        component = vector.fields.index(e.field)
        if isinstance(whole, Register):
            return replace(whole, type=e.type, component=component)
        index = str(component) if whole.index == "0" else f"({whole.index} * {vector.lanes} + {component})"
        base = f"{whole.base}.scaled({vector.size}, {vector.base.size}, None)"
        return MemoryPlace(base, index, e.type, e.at)

    # --- reading and writing places -----------------------------------------------------

    def load(self, place: Register | MemoryPlace, at: tree.Position) -> str:
        if isinstance(place, Register):
            name = self.read_register(place.variable, at)
            return name if place.component is None else f"{name}[{place.component}]"
        self.note(at)
        arguments = self._access_arguments(place)
        if self.verified and place.source is not None and roots(place.source, self.flows) & self.verified:
            self.code.sites[-1].is_guess = True
        return self.temporary(f"{place.base}.load({arguments})")

    def store(self, place: Register | MemoryPlace, value: str) -> None:
        if isinstance(place, Register):
            if place.component is not None:
                name, k = self.name_of(place.variable), place.component
                lanes = place.variable.type.lanes
                value = f"({', '.join(value if j == k else f'{name}[{j}]' for j in range(lanes))})"
            self.assign(place.variable, value)
            return
        self.note(place.at)
        index, rest = self._access_arguments(place).split(", m, ", 1)
        self.emit(f"{place.base}.store({index}, {value}, m, {rest})")

    def _access_arguments(self, place: MemoryPlace) -> str:
        if isinstance(place.type, (Pointer, Array)):
            raise self.unsupported(place.at, "pointers kept in memory")
        site = self.code.site(place.at, place.type, place.dims, place.name)
        text = f"{place.index}, m, {site}"
        if self.code.checks and len(place.subscripts) > 1:
            text += f", ({', '.join(place.subscripts)},)"
        return text

    def address_of(self, place: Register | MemoryPlace) -> str:
        if isinstance(place, Register):
            raise self.unsupported(place.variable.at, f"the address of {place.variable.name}")
        if place.index == "0":
            return f"{place.base}.moved(0)"
        return f"{place.base}.moved({place.index})"

    # --- registers ----------------------------------------------------------------------

    def read_register(self, variable: tree.Variable, at: tree.Position) -> str:
        name = self.name_of(variable)
        if variable in self.tracked:
            site = self.code.site(at, None, (), variable.name)
            self.emit(f"if _s_{name} is not None: rt.unset_variable(_s_{name}, m, {site})")
        return name

    def assign(self, variable: tree.Variable, value: str) -> None:
        """variable = value for the active threads."""
        name = self.name_of(variable)
        if self.declared_in[variable] == self.region:
            self.emit(f"{name} = {value}")
            self.tracked.discard(variable)
            return
        declared = self.declaration_mask(variable)
        value = self.atom(value)
        self.emit(f"{name} = {value} if m is {declared} else select(m, {value}, {name})")
        if variable in self.tracked:
            self.emit(f"_s_{name} = union(_s_{name}, m)")


def flat_count(type: Type) -> int:
    """Innermost elements in one element of this type."""
    count = 1
    while isinstance(type, Array):
        count *= type.length or 0
        type = type.element
    return count


def element_size(type: Type) -> int:
    """Bytes of the innermost element."""
    while isinstance(type, Array):
        type = type.element
    return type.size if isinstance(type, (Scalar, Vector, Pointer)) else 1

