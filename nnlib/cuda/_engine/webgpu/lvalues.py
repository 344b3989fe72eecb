"""Lvalues and pointers: which memory, and which element of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..language import tree
from ..language.layout import field_of
from ..language.normal.intervals import ANYTHING, contains, fits_narrow, of_type
from ..language.normal.ranges import Ranges
from ..language.refusal import Refusal
from ..language.types import Array, Half, Pointer, Scalar, Type, Vector, size_of
from . import halves
from .memory import (
    NULL,
    ArrayAddress,
    ArrayElement,
    Contents,
    InVariable,
    Lvalue,
    Root,
    ShaderMemory,
    members,
    plus,
    times,
    unit_of,
)
from .shader import ArrayArgument, KernelSource, ShaderLaunch

SEVERAL = "a pointer to one of several arrays"


class ShaderLvalues:
    """Writes lvalues and pointers as WGSL.

    contents: of allocations, module variables and arrays, filled by an earlier text. buffers: the allocations and module
    variables that the kernel names. value: evaluates an expression.
    """

    def __init__(
        self,
        memory: ShaderMemory,
        ranges: Ranges,
        source: KernelSource,
        launch: ShaderLaunch,
        contents: dict[Any, Contents],
    ) -> None:
        self.memory, self.writer, self.ranges = memory, memory.writer, ranges
        self.source, self.launch, self.contents = source, launch, contents
        self.value: Callable[[Any], str] = lambda e: ""
        self.buffers: dict[int | str, str] = {}
        self.variables: dict[tree.Variable, InVariable] = {}
        self.pointers: dict[tree.Variable, str] = {}
        self.roots: dict[tree.Variable, Root] = {}
        self._led: dict[tree.Variable, Root] = {}

    # --- memory ---------------------------------------------------------------------------------

    def _root(self, variable: tree.Variable) -> Root:
        """Return the memory of an array, of a module variable, or what a parameter leads to."""
        if variable not in self.roots:
            if variable.space in ("parameter", "constant", "global"):
                self.roots[variable] = self._buffer(variable)
            elif variable.space == "shared":
                self._keep(variable, self.writer.fresh(variable.name))
            else:
                raise Refusal(f"the address of {variable.name}")
        return self.roots[variable]

    def _keep(self, variable: tree.Variable, name: str) -> Root:
        """Give a block's or thread's variable memory."""
        kind, space = variable.type, variable.space
        size = self.launch.shared if variable.dynamic else size_of(kind)
        contents = self.contents.setdefault(variable, Contents(own=space != "shared"))
        self.roots[variable] = Root(space, name, size, contents, unit=min(4, unit_of(kind)))
        return self.roots[variable]

    def _buffer(self, variable: tree.Variable) -> Root:
        parameters = self.source.function.parameters
        if variable in self.source.globals:
            key: int | str = self.source.globals[variable]
            given = ArrayArgument(-1, size_of(variable.type))
            number = None
        else:
            number = parameters.index(variable)
            argument = self.launch.arguments[number]
            if not isinstance(argument, ArrayArgument):
                return NULL
            given, key = argument, argument.allocation
        name = self.buffers.setdefault(key, f"b{key}")
        contents = self.contents.setdefault(key, Contents())
        return Root("buffer", name, given.nbytes, contents, number, given.moved)

    def declare(self, variable: tree.Variable) -> tuple[str, str]:
        """Return the name and the type of a thread's own variable."""
        name, kind = self.writer.fresh(variable.name), variable.type
        if isinstance(kind, Pointer):
            self.pointers[variable] = name
            self._led.pop(variable, None)
            return name, "i32"
        if isinstance(kind, Array) or variable in self.ranges.addressed:
            return name, self._keep(variable, name).declared[0]
        self.variables[variable] = InVariable(name, kind)
        return name, self.writer.type(kind)

    def _allowed(self, e: Any, root: Root, size: int) -> bool:
        found = self.ranges.offsets.get(id(e), ANYTHING)
        return found.low >= 0 and found.high + size <= root.size

    def element(self, address: ArrayAddress, e: Any, kind: Type) -> ArrayElement:
        """Return what an address leads to. e: the lvalue or pointer whose range is known."""
        allowed = self._allowed(e, address.root, max(1, size_of(kind)))
        return ArrayElement(address.root, address.offset, address.unit, kind, allowed)

    # --- lvalues --------------------------------------------------------------------------------

    def lvalue(self, e: Any) -> Lvalue:
        """Return where an lvalue is."""
        match e:
            case tree.Name(variable=variable):
                if variable in self.variables:
                    return self.variables[variable]
                if variable.space == "parameter" and not isinstance(e.type, Pointer):
                    number = self.source.function.parameters.index(variable)
                    return InVariable(self._passed(e.type, number, 0), e.type)
                return self.element(
                    ArrayAddress(self._root(variable), "0", unit_of(e.type)), e, e.type
                )
            case tree.Index(base=base, index=index):
                return self._indexed(e, base, index)
            case tree.Dereference(pointer=pointer):
                return self.element(self.address(pointer).recounted(unit_of(e.type)), e, e.type)
            case tree.Member(base=base, field=name):
                return self._member(self.lvalue(base), base.type, name, e.type)
        raise Refusal(f"{type(e).__name__} as an lvalue")

    def _passed(self, kind: Type, number: int, at: int) -> str:
        """Return a number, vector or struct that is passed, from its byte `at` on."""
        if isinstance(kind, Scalar):
            word, own = self.writer.uniform("value", number, at), self.writer.type(kind)
            if own.endswith("64"):
                return self.writer.whole(word, self.writer.uniform("value", number, at + 4), own)
            given = self.launch.arguments[number]
            narrow = not at and isinstance(given, int) and fits_narrow(given, kind)
            if self.writer.checked and kind.size == 8 and not narrow:
                raise Refusal("64-bit integers")
            if at % 4 or (kind.size < 4 and at):
                raise Refusal("a small member of a struct that is passed")
            if isinstance(kind, Half):
                return halves.of_bits(self.writer, word, kind)
            return self.writer.cast(word, "u32", own) if own != "f32" else f"bitcast<f32>({word})"
        if isinstance(kind, Pointer):
            raise Refusal("a struct with pointers")
        values = ", ".join(
            self._passed(part, number, at + offset) for offset, part, _ in members(kind)
        )
        return f"{self.writer.type(kind)}({values})"

    def _indexed(self, e: tree.Index, base: Any, index: tree.Expr) -> Lvalue:
        if isinstance(base.type, Pointer):
            address = self.address(base)
        else:
            whole = self.lvalue(base)
            if isinstance(whole, InVariable):
                return self._indexed_variable(e, whole, index)
            address = whole
        return self.element(self._moved(address, index, e.type), e, e.type)

    def _moved(self, address: ArrayAddress, index: tree.Expr, kind: Type) -> ArrayAddress:
        """Return the address so many elements of a type further."""
        unit = unit_of(kind)
        address = address.recounted(unit)
        by = times(self.index(index), max(1, size_of(kind) // unit))
        return replace(address, offset=plus(address.offset, by))

    def _indexed_variable(self, e: tree.Index, whole: InVariable, index: tree.Expr) -> InVariable:
        """Return an element of an array inside of a struct."""
        assert isinstance(whole.type, Array)
        found, at = self.ranges.offsets.get(id(e), ANYTHING), self.index(index)
        if not 0 <= found.low <= found.high < size_of(whole.type):
            at = f"ck({at}, {whole.type.length}u)"
        return InVariable(f"{whole.text}[{at}]", e.type)

    def _member(self, whole: Lvalue, kind: Any, name: str, own: Type) -> Lvalue:
        if isinstance(kind, Vector):
            if isinstance(whole, InVariable):
                return InVariable(f"{whole.text}.{name}", own)
            return whole.part("xyzw".index(name) * kind.base.size, own)
        member = field_of(kind, name)
        if isinstance(whole, InVariable):
            number = kind.fields.index(member)
            return InVariable(f"{whole.text}.{self.writer.member(kind, number)}", own)
        return whole.part(member.offset, own)

    # --- pointers -------------------------------------------------------------------------------

    def address(self, e: Any) -> ArrayAddress:
        """Return the value of a pointer."""
        unit = unit_of(e.type.target)
        match e:
            case tree.Name(variable=variable):
                if variable in self.pointers:
                    if variable not in self._led:
                        raise Refusal("a pointer that is used before it leads anywhere")
                    return ArrayAddress(self._led[variable], self.pointers[variable], unit)
                return ArrayAddress(self._root(variable), "0", unit)
            case tree.Decay(operand=operand) | tree.AddressOf(operand=operand):
                return self._address_of(operand).recounted(unit)
            case tree.PointerOffset(pointer=pointer, index=index):
                assert isinstance(e.type, Pointer)
                return self._moved(self.address(pointer), index, e.type.target)
            case tree.Convert(operand=operand) if isinstance(operand.type, Pointer):
                return self._recounted(operand, unit)
            case tree.Literal():
                return ArrayAddress(NULL, "0", unit)
            case tree.Conditional(condition=condition, then=then, otherwise=otherwise):
                a, b = self.address(then), self.address(otherwise)
                if a.root is not b.root:
                    raise Refusal(SEVERAL)
                chosen = f"select({b.offset}, {a.offset}, {self.value(condition)})"
                return replace(a, offset=chosen)
        raise Refusal(f"{type(e).__name__} of a pointer")

    def _recounted(self, operand: Any, unit: int) -> ArrayAddress:
        """Return a pointer as one to other elements; to larger ones, it may be misaligned, which is noted."""
        address = self.address(operand)
        per, found = unit // address.unit, self.ranges.offsets.get(id(operand), ANYTHING)
        if per > 1 and not address.offset.isdigit() and found.step % unit:
            checked = f"{self.writer.helper('aligned_')}({address.offset}, {per})"
            address = replace(address, offset=checked)
        return address.recounted(unit)

    def _address_of(self, operand: Any) -> ArrayAddress:
        found = self.lvalue(operand)
        if isinstance(found, InVariable):
            raise Refusal("the address of a value")
        return found

    def lead(self, variable: tree.Variable, address: ArrayAddress) -> None:
        """Note which memory a pointer leads to: one, wherever it is assigned."""
        known = self._led.setdefault(variable, address.root)
        if known.kind == "null":
            self._led[variable] = address.root
        elif known is not address.root and address.root.kind != "null":
            raise Refusal(SEVERAL)

    def index(self, e: Any) -> str:
        """Return a subscript as an i32; what needs more bits is no element of anything."""
        while isinstance(e, tree.Convert) and contains(of_type(e.type), of_type(e.operand.type)):
            e = e.operand
        own, text = self.writer.type(e.type), self.value(e)
        if own in ("i64", "u64") and not text.isdigit():
            return f"{self.writer.helper(f'narrow_{own}_')}({text})"
        if own == "u32" and text.rstrip("u").isdigit():
            return text.rstrip("u")
        return self.writer.cast(text, own, "i32")
