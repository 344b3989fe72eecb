"""CUDA's layout of structs: offsets, sizes, alignment, padding; and which accesses copy a struct."""

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
    """One of the accesses that copy a value. first: number of its first leaf."""

    offset: int
    type: Scalar | Pointer | Vector
    first: int


def align_of(kind: Type) -> int:
    """Return the number of bytes of which the address of such a variable is a multiple."""
    if isinstance(kind, Array):
        return align_of(kind.element)
    if isinstance(kind, Vector | Struct):
        return kind.align
    return kind.size if isinstance(kind, Scalar | Pointer) else 1


def unit_of(kind: Type) -> int:
    """Return the unit, in bytes, in which addresses of such elements are counted: their alignment."""
    return align_of(kind)


def units_in(kind: Type) -> int:
    """Return how many such units one element takes."""
    return max(1, size_of(kind)) // unit_of(kind)


def lay_out(struct: Struct, members: Sequence[tuple[str, Type, bool]], align: int) -> None:
    """Give a struct its fields, one after the other, each aligned; those of a union all begin at 0.

    members: name, type, const. align: the least alignment, as __align__ sets it.
    """
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
    """Return a field by the name that it has in tree.Member: "#2" is the third one, which is anonymous."""
    if name[0] == "#":
        return struct.fields[int(name[1:])]
    return next(field for field in struct.fields if field.name == name)


def offset_of(kind: Type, name: str) -> int:
    """Return the byte offset of a member in a struct or vector."""
    if isinstance(kind, Struct):
        return field_of(kind, name).offset
    assert isinstance(kind, Vector)
    return kind.fields.index(name) * kind.base.size


def is_aggregate(kind: Type) -> bool:
    """Return whether a value of the type takes several accesses: a struct, or a vector such as float3 of odd size."""
    return isinstance(kind, Struct) or (isinstance(kind, Vector) and kind.size != kind.align)


def flat_element(kind: Type) -> Type:
    """Return the innermost element type of a possibly multi-dimensional array."""
    while isinstance(kind, Array):
        kind = kind.element
    return kind


def innermost(kind: Type) -> Type:
    """Return the scalar, pointer or struct of which an array or a vector consists."""
    element = flat_element(kind)
    return element.base if isinstance(element, Vector) else element


def holds_structs(kind: Type) -> bool:
    """Return whether the type is a struct, or an array of structs."""
    return isinstance(flat_element(kind), Struct)


@functools.cache
def leaves(kind: Type) -> tuple[Leaf, ...]:
    """Return the parts of a value, in order. A union is a row of words: only its reader knows what they hold."""
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
    """Return the accesses that copy a value, as a compiler chooses them: the widest, up to 16 bytes, that the alignment allows.

    A struct of four floats with __align__(16) takes one access, without it four.
    """
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
    """Return whether these are `count` neighbours of one size, which one access can move."""
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
    """Return the bytes of the smallest part of a type."""
    return min((leaf.type.size for leaf in leaves(flat_element(kind))), default=1)


def holds_pointers(kind: Type) -> bool:
    """Return whether a value of the type contains a pointer."""
    return any(isinstance(leaf.type, Pointer) for leaf in leaves(flat_element(kind)))


@functools.lru_cache(maxsize=1024)
def members(kind: Type) -> np.ndarray:
    """Return for each byte one byte of its member. Padding belongs to the member before it, and counts as set with it."""
    found = np.arange(size_of(kind))
    ends = [(leaf.offset, leaf.offset + leaf.type.size) for leaf in leaves(kind)]
    for (_, end), (following, _) in zip(ends, [*ends[1:], (len(found), 0)], strict=True):
        found[end:following] = end - 1
    return found


def path(kind: Type, byte: int, size: int) -> str:
    """Name what lies at a byte of a value of the type: ".velocity.y", "[3].mass", "" for all of it."""
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
    """Return NumPy's type for such an element; pointers are addresses."""
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
