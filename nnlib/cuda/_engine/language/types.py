"""The types of CUDA C, as values that compare equal when they are the same type."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Void:
    def __str__(self) -> str:
        return "void"


@dataclass(frozen=True)
class Scalar:
    """An arithmetic type: its C name and the NumPy type that computes like it."""

    name: str
    dtype: np.dtype

    @property
    def size(self) -> int:
        """Bytes."""
        return self.dtype.itemsize

    @property
    def is_float(self) -> bool:
        return self.dtype.kind == "f"

    @property
    def is_unsigned(self) -> bool:
        return self.dtype.kind in "ub"

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Half(Scalar):
    """A float of 16 bits, which to CUDA is a class: it mixes with no other type.

    NumPy computes with __half; it does not know __nv_bfloat16 and sees only its bits.
    """

    @property
    def is_float(self) -> bool:
        return True

    @property
    def is_unsigned(self) -> bool:
        return False


@dataclass(frozen=True)
class Vector:
    """float4 and its kin: 2 to 4 scalars side by side; fields x y z w."""

    name: str
    base: Scalar
    lanes: int
    align: int

    @property
    def size(self) -> int:
        return self.base.size * self.lanes

    @property
    def fields(self) -> str:
        return "xyzw"[: self.lanes]

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Pointer:
    """const, volatile: what it points to."""

    target: Type
    const: bool = False
    volatile: bool = field(default=False, compare=False)

    size = 8

    def __str__(self) -> str:
        if isinstance(self.target, FunctionType):
            return f"{self.target.result} (*)({', '.join(map(str, self.target.parameters))})"
        return f"{'const ' if self.const else ''}{self.target}*"


@dataclass(frozen=True)
class FunctionType:
    """The type that a pointer to a function points to; only the host has such pointers."""

    result: Type
    parameters: tuple[Type, ...]

    size = 1

    def __str__(self) -> str:
        return f"{self.result}({', '.join(map(str, self.parameters))})"


@dataclass(frozen=True)
class Array:
    """A declared array; length None only for `extern __shared__ T name[]`."""

    element: Type
    length: int | None

    @property
    def size(self) -> int:
        return size_of(self.element) * (self.length or 0)

    def __str__(self) -> str:
        return f"{self.element}[{'' if self.length is None else self.length}]"


@dataclass(frozen=True)
class Field:
    """A data member. offset: bytes from the beginning of its struct; name: "" of an anonymous struct or union."""

    name: str
    type: Type
    offset: int
    const: bool = False


@dataclass(eq=False)
class Struct:
    """A struct, class or union: each definition is a type of its own.

    layout.py lays it out; until then it has no fields and may only be pointed to.
    kind: "struct", "class" or "union". base: the struct that it inherits from, which is its first field.
    """

    name: str
    kind: str = "struct"
    fields: tuple[Field, ...] = ()
    size: int = 0
    align: int = 1
    complete: bool = False
    base: Struct | None = None

    def __str__(self) -> str:
        return self.name

    def derives_from(self, other: object) -> bool:
        """Return whether the other struct is its base, or a base of that."""
        return self.base is not None and (self.base is other or self.base.derives_from(other))


@dataclass(frozen=True)
class Opaque(Scalar):
    """A value that is passed on, but not computed with."""


@dataclass(frozen=True)
class FunctionName(Opaque):
    """The type of one function, known by name: a value of it says nothing more. signatures: of all of that name."""

    signatures: tuple[FunctionType, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Group(Opaque):
    """A cooperative group, which to the machine is a word: its lanes of the warp, or 0 for the whole block or grid.

    kind: "block", "grid", "tile", "coalesced", or "any" of them but the grid. lanes: of a tile. parent: lanes of the
    tile that it is a part of, 0 for a part of the block.
    """

    kind: str = "any"
    lanes: int = 0
    parent: int = 0


Type = Void | Scalar | Vector | Pointer | Array | Struct | FunctionType


def size_of(kind: Type) -> int:
    """Return the bytes of a type; 0 for void and for arrays of open size."""
    return 0 if isinstance(kind, Void) else kind.size


def _scalar(name: str, dtype: type) -> Scalar:
    return Scalar(name, np.dtype(dtype))


VOID = Void()
BOOL = _scalar("bool", np.bool_)
CHAR = _scalar("char", np.int8)
UCHAR = _scalar("unsigned char", np.uint8)
SHORT = _scalar("short", np.int16)
USHORT = _scalar("unsigned short", np.uint16)
INT = _scalar("int", np.int32)
UINT = _scalar("unsigned int", np.uint32)
LONG = _scalar("long", np.int64)
ULONG = _scalar("unsigned long", np.uint64)  # also size_t
LONGLONG = _scalar("long long", np.int64)
ULONGLONG = _scalar("unsigned long long", np.uint64)
FLOAT = _scalar("float", np.float32)
DOUBLE = _scalar("double", np.float64)

HALF, BFLOAT16 = Half("__half", np.dtype(np.float16)), Half("__nv_bfloat16", np.dtype(np.uint16))
HALF2, BFLOAT162 = Vector("__half2", HALF, 2, 4), Vector("__nv_bfloat162", BFLOAT16, 2, 4)

SCALARS = (
    BOOL,
    CHAR,
    UCHAR,
    SHORT,
    USHORT,
    INT,
    UINT,
    LONG,
    ULONG,
    LONGLONG,
    ULONGLONG,
    FLOAT,
    DOUBLE,
)


def _vectors() -> dict[str, Vector]:
    """Return char2 ... double4. Two and four lanes are aligned as a whole (up to 16 bytes), three lanes as one."""
    bases = {
        scalar.name.replace("unsigned ", "u").replace(" ", ""): scalar for scalar in SCALARS[1:]
    }
    return {
        f"{name}{lanes}": Vector(
            f"{name}{lanes}", base, lanes, base.size if lanes == 3 else min(16, base.size * lanes)
        )
        for name, base in bases.items()
        for lanes in (2, 3, 4)
    }


VECTORS = _vectors()
DIM3 = VECTORS["uint3"]
HALVES: dict[str, Type] = {kind.name: kind for kind in (HALF, BFLOAT16, HALF2, BFLOAT162)}
OURS = "nnlib::"  # how our own headers name what the language has for them

AUTO = Opaque("auto", np.dtype(np.uint8))  # what a function returns until its first return is seen

CG = "cooperative_groups::"


def _group(name: str, kind: str) -> Group:
    return Group(CG + name, np.dtype(np.uint32), kind)


THREAD_BLOCK, GRID_GROUP = _group("thread_block", "block"), _group("grid_group", "grid")
COALESCED_GROUP, THREAD_GROUP = (
    _group("coalesced_group", "coalesced"),
    _group("thread_group", "any"),
)


def function_name(name: str, signatures: tuple[FunctionType, ...] = ()) -> FunctionName:
    """Return the type of the function of that name."""
    return FunctionName(name, np.dtype(np.uint8), signatures)


def tile_of(lanes: int, parent: int = 0) -> Group:
    """Return thread_block_tile<lanes>."""
    return Group(f"{CG}thread_block_tile<{lanes}>", np.dtype(np.uint32), "tile", lanes, parent)


UNSIZED_TILE = tile_of(0)  # as thread_block_tile without <32> names it

# Every type name of the language, keywords as the parser puts them in order.
NAMED: dict[str, Type] = {
    "void": VOID,
    **{scalar.name: scalar for scalar in SCALARS},
    **VECTORS,
    "dim3": VECTORS["uint3"],
    "size_t": ULONG,
    "ptrdiff_t": LONG,
    "int8_t": CHAR,
    "uint8_t": UCHAR,
    "int16_t": SHORT,
    "uint16_t": USHORT,
    "int32_t": INT,
    "uint32_t": UINT,
    "int64_t": LONG,
    "uint64_t": ULONG,
    "intptr_t": LONG,
    "uintptr_t": ULONG,
    **{group.name: group for group in (THREAD_BLOCK, GRID_GROUP, COALESCED_GROUP, THREAD_GROUP)},
    CG + "thread_block_tile": UNSIZED_TILE,
    "uint": UINT,
    "ushort": USHORT,
    "uchar": UCHAR,
    "ulong": ULONG,
    "clock_t": LONG,
    **{OURS + name: kind for name, kind in HALVES.items()},
}


def target_of(kind: Type) -> Type | None:
    """Return what a pointer points to; None for any other type."""
    return kind.target if isinstance(kind, Pointer) else None


def function_behind(kind: Type) -> FunctionType | None:
    """Return what a pointer to a function points to; None for any other type."""
    target = target_of(kind)
    return target if isinstance(target, FunctionType) else None


def is_half(kind: Type) -> bool:
    """Return whether the type is a 16-bit float, or a pair of them."""
    return isinstance(kind.base if isinstance(kind, Vector) else kind, Half)
