"""How CUDA lays out structs: offsets, sizes, alignment, padding; and which accesses copy one."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from .types import (
    UCHAR,
    UINT,
    ULONGLONG,
    USHORT,
    Array,
    Field,
    Pointer,
    Scalar,
    Struct,
    Type,
    Vector,
    size_of,
)

WIDEST = 16  # bytes of one access of one thread
_WORDS = {1: UCHAR, 2: USHORT, 4: UINT, 8: ULONGLONG}


class Leaf(NamedTuple):
    """A scalar or pointer somewhere in a type, `offset` bytes from its beginning."""

    offset: int
    type: Scalar | Pointer


class CopiedPart(NamedTuple):
    """One access among those that copy a value. first: number of its first leaf."""

    offset: int
    type: Scalar | Pointer | Vector
    first: int


def align_of(kind: Type) -> int:
    """The multiple of bytes at which such a variable begins."""
    if isinstance(kind, Array):
        return align_of(kind.element)
    if isinstance(kind, Vector | Struct):
        return kind.align
    return kind.size if isinstance(kind, Scalar | Pointer) else 1


def unit_of(kind: Type) -> int:
    """The bytes in which addresses of such elements are counted: of one, or of its alignment if it is larger."""
    return align_of(kind)


def units_in(kind: Type) -> int:
    """How many such units one element takes."""
    return max(1, size_of(kind)) // unit_of(kind)


def lay_out(struct: Struct, members: Sequence[tuple[str, Type, bool]], align: int) -> None:
    """Give a struct its fields, one after the other, each at a multiple of its alignment; a union all at 0.
    members: name, type, const. align: at least so much, as __align__ has it."""
    fields: list[Field] = []
    end = 0
    for name, kind, const in members:
        own = align_of(kind)
        offset = 0 if struct.kind == "union" else -(-end // own) * own
        fields.append(Field(name, kind, offset, const))
        end = max(end, offset + size_of(kind))
        align = max(align, own)
    struct.fields, struct.align, struct.complete = tuple(fields), align, True
    struct.size = max(-(-end // align) * align, align)


def field_of(struct: Struct, name: str) -> Field:
    """A field by the name it has in tree.Member: "#2" is the third, which is anonymous."""
    if name[0] == "#":
        return struct.fields[int(name[1:])]
    return next(field for field in struct.fields if field.name == name)


def offset_of(kind: Type, name: str) -> int:
    """How many bytes behind the beginning of a struct or vector a member lies."""
    if isinstance(kind, Struct):
        return field_of(kind, name).offset
    assert isinstance(kind, Vector)
    return kind.fields.index(name) * kind.base.size


def is_aggregate(kind: Type) -> bool:
    """Is a value of the type several accesses? Of the vectors those that are no multiple of their size: float3."""
    return isinstance(kind, Struct) or isinstance(kind, Vector) and kind.size != kind.align


def flat_element(kind: Type) -> Type:
    """The innermost element type of a possibly multi-dimensional array."""
    while isinstance(kind, Array):
        kind = kind.element
    return kind


def innermost(kind: Type) -> Type:
    """The scalar, pointer or struct of which an array or a vector consists."""
    element = flat_element(kind)
    return element.base if isinstance(element, Vector) else element


def holds_structs(kind: Type) -> bool:
    """Is it a struct, or an array of them?"""
    return isinstance(flat_element(kind), Struct)


@functools.cache
def leaves(kind: Type) -> tuple[Leaf, ...]:
    """What a value consists of, in order. A union is a row of words: what it holds is known to who reads it."""
    return tuple(_leaves(kind, 0))


def _leaves(kind: Type, start: int) -> Iterator[Leaf]:
    if isinstance(kind, Array):
        for k in range(kind.length or 0):
            yield from _leaves(kind.element, start + k * size_of(kind.element))
    elif isinstance(kind, Vector):
        yield from (Leaf(start + k * kind.base.size, kind.base) for k in range(kind.lanes))
    elif isinstance(kind, Struct) and kind.kind == "union":
        word = _WORDS[min(kind.align, 8)]
        yield from (Leaf(start + at, word) for at in range(0, kind.size, word.size))
    elif isinstance(kind, Struct):
        for field in kind.fields:
            yield from _leaves(field.type, start + field.offset)
    elif isinstance(kind, Scalar | Pointer):
        yield Leaf(start, kind)


@functools.cache
def pieces(kind: Type) -> tuple[CopiedPart, ...]:
    """The accesses that copy a value, as a compiler chooses them: the widest that the alignment allows, of up to 16
    bytes: a struct of four floats with __align__(16) takes one, without it four."""
    parts, result = leaves(kind), []
    k = 0
    while k < len(parts):
        count = next(n for n in (16, 8, 4, 2, 1) if _fits(parts[k : k + n], n, align_of(kind)))
        base = parts[k].type
        if count > 1:
            same = all(leaf.type == base for leaf in parts[k : k + count])
            scalar = base if same and isinstance(base, Scalar) else _WORDS[base.size]
            piece: Scalar | Pointer | Vector = Vector(
                f"{scalar}{count}", scalar, count, scalar.size * count
            )
        else:
            piece = base
        result.append(CopiedPart(parts[k].offset, piece, k))
        k += count
    return tuple(result)


def _fits(row: Sequence[Leaf], count: int, align: int) -> bool:
    """Are these so many neighbours of one size, which one access can move?"""
    size, start = row[0].type.size, row[0].offset
    if count == 1:
        return True
    whole = size * count
    return (
        len(row) == count
        and whole <= min(WIDEST, align)
        and start % whole == 0
        and all(
            isinstance(leaf.type, Scalar)
            and leaf.type.size == size
            and leaf.offset == start + j * size
            for j, leaf in enumerate(row)
        )
    )


def smallest(kind: Type) -> int:
    """Bytes of the smallest part of a type."""
    return min((leaf.type.size for leaf in leaves(flat_element(kind))), default=1)


def holds_pointers(kind: Type) -> bool:
    """Is there a pointer in a value of the type?"""
    return any(isinstance(leaf.type, Pointer) for leaf in leaves(flat_element(kind)))


@functools.lru_cache(maxsize=1024)
def members(kind: Type) -> np.ndarray:
    """For each byte one of its member; padding goes with the member in front of it, and counts as set with that."""
    found = np.arange(size_of(kind))
    ends = [(leaf.offset, leaf.offset + leaf.type.size) for leaf in leaves(kind)]
    for (_, end), (following, _) in zip(ends, [*ends[1:], (len(found), 0)], strict=True):
        found[end:following] = end - 1
    return found


def path(kind: Type, byte: int, size: int) -> str:
    """What lies there in a value of the type: ".velocity.y", "[3].mass", "" for all of it."""
    if isinstance(kind, Array):
        each = size_of(kind.element)
        return f"[{byte // each}]{path(kind.element, byte % each, size)}"
    if isinstance(kind, Vector) and size < kind.size:
        return f".{kind.fields[byte // kind.base.size]}"
    if isinstance(kind, Struct) and not (byte == 0 and size >= kind.size > smallest(kind)):
        for field in kind.fields:
            if field.offset <= byte < field.offset + size_of(field.type):
                name = f".{field.name}" if field.name else ""
                return name + path(field.type, byte - field.offset, size)
    return ""


@functools.cache
def dtype_of(kind: Type) -> np.dtype:
    """NumPy's type for such an element; pointers are addresses."""
    if isinstance(kind, Struct):
        fields = [
            field for field in kind.fields if not isinstance(field.type, Array) or field.type.length
        ]
        names = [field.name or f"anonymous{k}" for k, field in enumerate(fields)]
        return np.dtype(
            {
                "names": names,
                "formats": [dtype_of(field.type) for field in fields],
                "offsets": [field.offset for field in fields],
                "itemsize": kind.size,
            }
        )
    if isinstance(kind, Array):
        return np.dtype((dtype_of(kind.element), (kind.length or 0,)))
    if isinstance(kind, Vector):
        return np.dtype((kind.base.dtype, (kind.lanes,)))
    return (
        kind.dtype
        if isinstance(kind, Scalar)
        else np.dtype(np.uint64 if isinstance(kind, Pointer) else np.uint8)
    )
