"""Arrays: what WGSL declares for them, and how one element is read and written.

How an array is declared depends on all its accesses: the text is written twice, and the first time they are noted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TypeVar

from ..language.layout import flat_element
from ..language.refusal import Refusal
from ..language.types import (
    BOOL,
    UINT,
    Array,
    Half,
    Pointer,
    Scalar,
    Struct,
    Type,
    Vector,
    size_of,
)
from . import halves
from .writer import ShaderWriter


@dataclass(eq=False)
class Contents:
    """The ways in which the elements of a memory are accessed.

    scalars, vectors, atomics: as these types of WGSL. packed: several elements in a word. own: by one thread.
    """

    scalars: set[str] = field(default_factory=set)
    vectors: set[str] = field(default_factory=set)
    atomics: set[str] = field(default_factory=set)
    packed: bool = False
    stored: bool = False
    loaded: bool = False
    own: bool = False

    @property
    def element(self) -> str:
        """Return the type of the words that it is declared with."""
        if self.is_atomic:
            return "atomic<i32>" if self.atomics == {"i32"} and not self.packed else "atomic<u32>"
        kinds = self.scalars or self.vectors or {"f32"}
        return "u32" if self.packed or len(kinds) > 1 else next(iter(kinds))

    @property
    def is_atomic(self) -> bool:
        return bool(self.atomics) or (self.packed and self.stored and not self.own)

    @property
    def word(self) -> str:
        return self.element.removeprefix("atomic<").removesuffix(">")


@dataclass(eq=False)
class Root:
    """The memory behind a pointer: "buffer", "shared", "local" or "null", of `size` bytes.

    parameter: its number. moved: it does not begin where its buffer does. unit: bytes of its own elements that a word holds,
    unless they are packed.
    """

    kind: str
    name: str
    size: int
    contents: Contents = field(default_factory=Contents)
    parameter: int | None = None
    moved: bool = False
    unit: int = 4

    @property
    def declared(self) -> tuple[str, int]:
        """Return the type of a workgroup's or thread's array, and its own bytes."""
        element = self.contents.element
        lanes = int(element[3]) if element.startswith("vec") else 1
        held = 4 * lanes if self.contents.packed else self.unit * lanes
        count = max(1, -(-self.size // held))
        return f"array<{element}, {count}>", 4 * lanes * count


A = TypeVar("A", bound="ArrayAddress")
NULL = Root("null", "null", 0)


@dataclass
class ArrayAddress:
    """A pointer: so many units, of `unit` bytes each, into its root."""

    root: Root
    offset: str
    unit: int

    def recounted(self: A, unit: int) -> A:
        """Return the same address in other units."""
        if unit == self.unit:
            return self
        if min(unit, self.unit) < 4:
            self.root.contents.packed = True
        if unit < self.unit:
            return replace(self, offset=times(self.offset, self.unit // unit), unit=unit)
        if self.offset.isdigit():
            return replace(self, offset=str(int(self.offset) * self.unit // unit), unit=unit)
        shift = (unit // self.unit).bit_length() - 1
        return replace(self, offset=f"({self.offset} >> {shift}u)", unit=unit)


@dataclass
class ArrayElement(ArrayAddress):
    """An lvalue in memory. allowed: it lies in its array for certain."""

    type: Type
    allowed: bool = False

    def part(self, offset: int, kind: Type) -> ArrayElement:
        """Return what lies so many bytes behind its beginning."""
        unit = math.gcd(min(unit_of(kind), self.unit), offset)
        small = self.recounted(unit)
        return replace(small, offset=plus(small.offset, str(offset // unit)), type=kind)


@dataclass
class InVariable:
    """An lvalue in a variable of WGSL, or a part of one."""

    text: str
    type: Type


Lvalue = ArrayElement | InVariable


def unit_of(kind: Type) -> int:
    """Return the bytes that a pointer to such elements counts: one element, or what it consists of."""
    flat = flat_element(kind)
    if isinstance(flat, Struct):
        return min(4, flat.align)
    if isinstance(flat, Vector) and flat.lanes == 3:
        return flat.base.size
    return max(1, size_of(flat))


def times(index: str, by: int) -> str:
    if by == 1 or index == "0":
        return index
    return str(int(index) * by) if index.isdigit() else f"({index} * {by})"


def plus(a: str, b: str) -> str:
    if a == "0" or b == "0":
        return b if a == "0" else a
    return str(int(a) + int(b)) if a.isdigit() and b.isdigit() else f"({a} + {b})"


class ShaderMemory:
    """Reads and writes elements."""

    def __init__(self, writer: ShaderWriter) -> None:
        self.writer = writer
        self.types = writer.type

    # --- which word -----------------------------------------------------------------------------

    def index(self, e: ArrayElement) -> str:
        """Return its number in the buffer or array, in its units; one outside is noted and becomes the first."""
        text, number = self._checked(e), e.root.parameter or 0
        if e.root.moved:
            text = plus(f"i32({self.writer.uniform('offset', number, e.unit)})", text)
        return text

    def _checked(self, e: ArrayElement) -> str:
        if e.allowed:
            return e.offset
        number, more = e.root.parameter, size_of(e.type) // e.unit - 1
        count = f"{e.root.size // e.unit}u"
        if number is not None:
            count = self.writer.uniform("length", number, e.unit)
        if more > 0:  # all of its units have to be there
            count = f"{count} - min({count}, {more}u)"
        return f"ck({e.offset}, {count})"

    def place(self, e: ArrayElement) -> str:
        """Return the number of its first word in the buffer or array."""
        return times(self.index(e), max(1, e.unit // 4))

    def word(self, e: ArrayElement) -> str:
        """Return its first word as WGSL names it."""
        return f"{e.root.name}[{self.place(e)}]"

    def pinned(self, e: ArrayElement) -> ArrayElement:
        """Return the same, checked once, its offset in a name."""
        if e.root.kind == "null":
            return e
        return replace(e, offset=self.writer.let("at", self._checked(e)), allowed=True)

    def note(self, e: ArrayElement, kind: Scalar | Vector, store: bool) -> None:
        """Note an access for the declaration."""
        contents = e.root.contents
        contents.stored |= store
        contents.loaded |= not store
        if isinstance(kind, Vector):
            if (
                kind.base.size == 4
                and kind.lanes != 3
                and e.unit == kind.size
                and e.root.kind != "local"
            ):
                contents.vectors.add(self.types(kind))
                return
            kind = kind.base
        if kind.size < 4 and e.root.kind == "buffer":
            contents.packed = True
        word = self.types(kind)
        contents.scalars.add("u32" if word == "bool" or kind.size == 8 else word)

    # --- reading --------------------------------------------------------------------------------

    def load(self, e: Lvalue) -> str:
        if isinstance(e, InVariable):
            return e.text
        kind, root = e.type, e.root
        if isinstance(kind, Pointer):
            raise Refusal("a pointer kept in memory")
        if root.kind == "null":
            self.writer.put("_ = ck(0, 0u);")
            return self.writer.zero(kind)
        if isinstance(kind, Struct | Array):
            e = self.pinned(e)
            return f"{self.types(kind)}({', '.join(self.load(part) for part in parts(e))})"
        if isinstance(kind, Vector):
            return self._load_vector(e, kind)
        assert isinstance(kind, Scalar)
        self.note(e, kind, False)
        if kind.size < 4 and root.contents.packed:
            e = e.recounted(kind.size)
            i = self.writer.let("i", f"u32({self.index(e)})")
            word = _bare(_holder(e, i), e)
            return self._extracted(f"({word} >> {_shift(i, kind)})", kind)
        if kind.size == 8:
            low, high = map(self.load, self._halves(e, kind))
            return self.writer.whole(low, high, self.types(kind))
        own, word = self.types(kind), root.contents.word
        bits = own if own != "bool" else "u32"
        return self.writer.cast(self.writer.bits(_bare(self.word(e), e), word, bits), bits, own)

    def _load_vector(self, e: ArrayElement, kind: Vector) -> str:
        self.note(e, kind, False)
        if e.root.contents.element == self.types(kind):
            return f"{e.root.name}[{self.index(e)}]"
        if kind.size == 4 and e.unit == 4 and e.root.contents.packed:
            word = self.writer.let("w", _bare(self.word(e), e))
            values = [
                self._extracted(f"({word} >> {8 * k * kind.base.size}u)", kind.base)
                for k in range(kind.lanes)
            ]
        else:
            e = self.pinned(e)
            values = [self.load(part) for part in parts(e)]
        return f"{self.types(kind)}({', '.join(values)})"

    def _halves(self, e: ArrayElement, kind: Scalar) -> list[ArrayElement]:
        """Return the two words of an element of 64 bits."""
        if not self.types(kind).endswith("64"):
            raise Refusal("64-bit integers in memory")
        e = self.pinned(e)
        return [e.part(offset, UINT) for offset in (0, 4)]

    def _extracted(self, word: str, kind: Scalar) -> str:
        if kind == BOOL:
            return f"(({word} & 255u) != 0u)"
        if isinstance(kind, Half):
            return halves.of_bits(self.writer, word, kind)
        if kind.is_unsigned:
            return f"extractBits({word}, 0u, {8 * kind.size}u)"
        return f"extractBits(bitcast<i32>({word}), 0u, {8 * kind.size}u)"

    # --- writing --------------------------------------------------------------------------------

    def store(self, e: Lvalue, value: str) -> None:
        put, kind = self.writer.put, e.type
        if isinstance(e, InVariable):
            put(f"{e.text} = {value};")
            return
        if isinstance(kind, Pointer):
            raise Refusal("a pointer kept in memory")
        if e.root.kind == "null":
            put("_ = ck(0, 0u);")
        elif isinstance(kind, Struct | Array):
            self._store_parts(e, value)
        elif isinstance(kind, Vector):
            self.note(e, kind, True)
            if e.root.contents.element == self.types(kind):
                put(f"{e.root.name}[{self.index(e)}] = {value};")
            elif kind.size == 4 and e.unit == 4 and e.root.contents.packed:
                self._put_word(e, self._joined(value, kind), "u32")
            else:
                self._store_parts(e, value)
        else:
            assert isinstance(kind, Scalar)
            self._store_scalar(e, value, kind)

    def _store_parts(self, e: ArrayElement, value: str) -> None:
        value = self.writer.let("whole", value)
        e = self.pinned(e)
        for offset, kind, name in members(e.type):
            self.store(e.part(offset, kind), value + name)

    def _joined(self, value: str, kind: Vector) -> str:
        """Return a vector of 32 bits as one word."""
        value = self.writer.let("whole", value)
        return " | ".join(
            f"({self._small(value + name, kind.base)} << {8 * offset}u)"
            for offset, _, name in members(kind)
        )

    def _store_scalar(self, e: ArrayElement, value: str, kind: Scalar) -> None:
        self.note(e, kind, True)
        own = self.types(kind)
        if kind.size < 4 and e.root.contents.packed:
            self._store_packed(e.recounted(kind.size), value, kind)
            return
        if kind.size == 8:
            words = self.writer.halves(value, own)
            for part, half in zip(self._halves(e, kind), words, strict=True):
                self.store(part, half)
            return
        if own == "bool":
            value, own = self.writer.cast(value, "bool", "u32"), "u32"
        self._put_word(e, value, own)

    def _put_word(self, e: ArrayElement, value: str, kind: str) -> None:
        contents, word = e.root.contents, self.word(e)
        value = self.writer.bits(value, kind, contents.word)
        self.writer.put(
            f"atomicStore(&{word}, {value});" if contents.is_atomic else f"{word} = {value};"
        )

    def _store_packed(self, e: ArrayElement, value: str, kind: Scalar) -> None:
        """Clear the bits of the element in its word and set them: other threads write other bits of it."""
        put, bits = self.writer.put, (1 << 8 * kind.size) - 1
        i = self.writer.let("i", f"u32({self.index(e)})")
        shift = self.writer.let("s", _shift(i, kind))
        value = self.writer.let("v", f"{self._small(value, kind)} << {shift}")
        place, others = _holder(e, i), f"~({bits}u << {shift})"
        if e.root.contents.is_atomic:
            put(f"atomicAnd(&{place}, {others});")
            put(f"atomicOr(&{place}, {value});")
        else:  # a thread's own, or the text is written for the first time
            put(f"{place} = ({place} & {others}) | {value};")

    def _small(self, value: str, kind: Scalar) -> str:
        """Return the bits of a value of less than 32, with zeros in front."""
        if isinstance(kind, Half):
            return halves.bits(self.writer, value, kind)
        word = self.writer.cast(value, self.types(kind), "u32")
        return word if kind == BOOL else f"({word} & {(1 << 8 * kind.size) - 1}u)"


def _holder(e: ArrayElement, index: str) -> str:
    """Return the word that holds a packed element."""
    return f"{e.root.name}[{index} >> {2 if e.unit == 1 else 1}u]"


def _bare(word: str, e: ArrayElement) -> str:
    """Return the value of a word of this memory."""
    return f"atomicLoad(&{word})" if e.root.contents.is_atomic else word


def _shift(index: str, kind: Scalar) -> str:
    return f"(({index} & {4 // kind.size - 1}u) * {8 * kind.size}u)"


def members(kind: Type) -> list[tuple[int, Type, str]]:
    """Return the parts of a struct, array or vector: the bytes before each, its type, and its name in WGSL, ".x" or "[0]"."""
    if isinstance(kind, Struct):
        return [
            (member.offset, member.type, f".{ShaderWriter.member(kind, k)}")
            for k, member in enumerate(kind.fields)
        ]
    if isinstance(kind, Vector):
        return [(k * kind.base.size, kind.base, f".{name}") for k, name in enumerate(kind.fields)]
    assert isinstance(kind, Array)
    return [(k * size_of(kind.element), kind.element, f"[{k}]") for k in range(kind.length or 0)]


def parts(e: ArrayElement) -> list[ArrayElement]:
    """Return the members of a struct, the elements of an array, or the lanes of a vector."""
    return [e.part(offset, kind) for offset, kind, _ in members(e.type)]
