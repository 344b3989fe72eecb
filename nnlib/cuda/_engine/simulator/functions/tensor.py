"""Tensor cores: D = A * B + C on tiles that the lanes of a warp hold together. Lesson 09.

Products are exact, and what one instruction adds is added as an H100 adds it: aligned_sum.py. Integers are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....limits import WARP
from ...errors import BarrierError, UninitializedReadError
from ...language.tensor_functions import PRODUCTS, name_of
from ..machine_protocol import MachineProtocol
from ..masks import first_of, narrow, spread
from .aligned_sum import aligned_sum
from .fragments import COLUMN, ROW, SUM, A, B, FragmentTile, Shape, tile
from .halves import widened
from .warp import ALL_LANES, by_warp, warp_bits

BLOCK = 8  # rows of the blocks that a tile is cut into
_TF32 = np.uint32(
    0xFFFFE000
)  # sign, exponent and the 10 bits of the mantissa that the unit looks at
_PACKED = {
    np.dtype(np.int8): 4,
    np.dtype(np.uint8): 4,
    np.dtype(np.float16): 2,
    np.dtype(np.uint16): 2,
}


def packed(dtype: np.dtype) -> int:
    """How many such elements a register of a factor holds."""
    return _PACKED.get(dtype, 1)


# --- who takes part -----------------------------------------------------------------------------


def check_whole_warps(rt: MachineProtocol, m: Any, site: Any) -> None:
    """All 32 lanes of a warp must make the call."""
    if not rt.checks or m is None and rt.threads % WARP == 0:
        return
    present = warp_bits(rt, m)
    torn = spread(m, rt.width) & (present[rt.warp] != ALL_LANES)
    if not torn.any():
        return
    warp = rt.warp[first_of(torn)]
    absent = warp_bits(rt, rt.alive)[warp] & ~present[warp]
    rt.fail(
        BarrierError,
        site,
        torn,
        f"{site.name} is reached by {int(np.bitwise_count(present[warp]))} of the 32 lanes of a warp",
        "all lanes hold the tile together, so all of them must make the call",
        "move it out of the if or loop that only some lanes run"
        if absent
        else "launch blocks of a multiple of 32 threads, and let no thread return before",
    )


# --- registers, and matrices ----------------------------------------------------------------------


def gathered(rt: MachineProtocol, values: Sequence[Any], own: FragmentTile) -> np.ndarray:
    """(warps, rows, columns): the matrices of all warps. values: of each element that a lane holds, one per thread."""
    held = np.stack(
        [by_warp(rt, np.ascontiguousarray(spread(value, rt.width))) for value in values], axis=1
    )
    return held.reshape(len(held), -1)[:, own.holders].reshape(-1, *own.shape)


def scattered(rt: MachineProtocol, matrices: np.ndarray, own: FragmentTile) -> list[np.ndarray]:
    """The other way round."""
    held = matrices.reshape(len(matrices), -1)[:, own.places]
    return [by_thread(rt, held[:, element]) for element in range(own.held)]


def by_thread(rt: MachineProtocol, rows: np.ndarray) -> np.ndarray:
    """(warps, 32) values as one per thread."""
    if rt.threads % WARP == 0:
        return np.ascontiguousarray(rows).reshape(-1)
    return rows.reshape(rt.blocks, -1)[:, : rt.threads].reshape(-1)


def _exact(values: np.ndarray) -> np.ndarray:
    """Factors as the unit sees them, in a type that holds all products."""
    if values.dtype == np.float32:
        values = (values.view(np.uint32) & _TF32).view(np.float32)
    return (
        values if values.dtype.kind == "i" or values.dtype == np.uint8 else widened(values)
    ).astype(np.float64)


def product(
    a: np.ndarray, b: np.ndarray, c: np.ndarray, depth: int, saturate: bool = False
) -> np.ndarray:
    """A @ B + C in C's type. depth: of an instruction. Integers wrap around, or stop at the ends of their range."""
    left, right, sums = _exact(a), _exact(b), c
    if c.dtype.kind == "f":
        for k in range(0, left.shape[-1], depth):
            sums = aligned_sum(left[..., k : k + depth], right[..., k : k + depth, :], sums)
        return sums
    result = np.matmul(left, right) + c
    if saturate:
        limits = np.iinfo(c.dtype)
        result = np.clip(result, limits.min, limits.max)
    return result.astype(np.int64).astype(c.dtype)


# --- nvcuda::wmma -----------------------------------------------------------------------------------


def multiply_fragments(
    rt: MachineProtocol, m: Any, sites: Any, d: Any, a: Any, b: Any, c: Any, *numbers: Any
) -> None:
    """mma_sync. d, a, b, c: pointers to the first elements of fragments, of the types of their sites."""
    to, *given = sites
    check_whole_warps(rt, m, to)
    *shape, saturate = (int(number) for number in numbers)
    matrices = []
    for use, pointer, site in zip((A, B, SUM), (a, b, c), given, strict=True):
        own = tile_of(use, shape, site.dtype)
        matrices.append(gathered(rt, elements(rt, m, site, pointer, own), own))
    left, right, start = matrices
    result = product(left, right, start.astype(to.dtype), depth_of(shape[2]), bool(saturate))
    store_elements(m, to, d, scattered(rt, result, tile_of(SUM, shape, to.dtype)))


def fill_fragment(rt: MachineProtocol, m: Any, site: Any, x: Any, value: Any, count: Any) -> None:
    """All elements are the value."""
    check_whole_warps(rt, m, site)
    store_elements(m, site, x, [value] * int(count))


def depth_of(k: int) -> int:
    """Of the instructions that nvcc makes of a product of tiles: TF32 in steps of 4."""
    return 4 if k == 8 else k


def tile_of(use: int, shape: Sequence[int], dtype: np.dtype) -> FragmentTile:
    """The tile of a fragment with such elements. shape: M, N, K."""
    m, n, k = shape
    return tile(use, (m, n, k), 2 if use == SUM else packed(dtype))


def elements(rt: MachineProtocol, m: Any, site: Any, fragment: Any, own: FragmentTile) -> list[Any]:
    """What each lane holds of a fragment, which must be known."""
    if rt.checks:
        for where, part in fragment.parts(m):
            _check_known(rt, where, site, part)
    return [fragment.load(element, m, site) for element in range(own.held)]


def _check_known(rt: MachineProtocol, m: Any, site: Any, part: Any) -> None:
    if np.ndim(part.offset):
        return
    byte = int(part.offset) * site.size
    known = part.memory.known(byte)
    missing = narrow(m, ~known if isinstance(known, np.ndarray) else known is False)
    if missing is False:
        return
    name = part.memory.describe(byte, site.size).removesuffix(".x[0]")
    rt.fail(
        UninitializedReadError,
        site,
        spread(missing, rt.width),
        f"the fragment {name} is used before it holds anything",
        "its registers hold garbage until it is loaded",
        f"call load_matrix_sync({name}, ...) or fill_fragment({name}, 0.0f) first",
        element=name,
        array=part.memory.name,
        space="local",
        access="read",
    )


def store_elements(
    m: Any, site: Any, fragment: Any, values: Sequence[Any], copies: int = 1
) -> None:
    """The lanes' elements into a fragment; a GPU keeps those of halves twice or more."""
    for copy in range(copies):
        for element, value in enumerate(values):
            fragment.store(copy * len(values) + element, value, m, site)


# --- mma.sync and ldmatrix ------------------------------------------------------------------------------


def mma(
    k: int, types: tuple[np.dtype, np.dtype], result: np.dtype
) -> Callable[..., tuple[Any, ...]]:
    """mma.sync.aligned.m16n8k.row.col: registers in, registers out. types: of A and B."""
    shape: Shape = (16, 8, k)

    def multiply(rt: MachineProtocol, m: Any, site: Any, a: Any, b: Any, c: Any) -> tuple[Any, ...]:
        check_whole_warps(rt, m, site)
        sums = tile(SUM, shape, 2)
        left, right = (
            gathered(rt, unpacked(rt, registers, dtype), tile(use, shape, packed(dtype)))
            for use, registers, dtype in zip((A, B), (a, b), types, strict=True)
        )
        start = gathered(rt, unpacked(rt, c, result), sums)
        values = scattered(rt, product(left, right, start, k), sums)
        if result != np.float16:
            return tuple(values)
        return tuple(_pair(low, high) for low, high in zip(values[::2], values[1::2], strict=True))

    return multiply


def unpacked(rt: MachineProtocol, registers: Any, dtype: np.dtype) -> list[np.ndarray]:
    """The elements of registers, of which each holds one to four."""
    result: list[np.ndarray] = []
    for register in registers if registers.__class__ is tuple else (registers,):
        parts = np.ascontiguousarray(spread(register, rt.width)).view(dtype).reshape(rt.width, -1)
        result += [parts[:, k] for k in range(parts.shape[1])]
    return result


def _pair(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Two 16-bit elements in a register."""
    return np.stack([low, high], axis=1).view(np.uint32).reshape(-1)


def turned(rt: MachineProtocol, register: np.ndarray) -> np.ndarray:
    """The register of a transposed block of 8 x 8 halves."""
    whole = by_warp(rt, register).view(np.uint16).reshape(-1, BLOCK, BLOCK)
    return by_thread(
        rt, np.ascontiguousarray(whole.transpose(0, 2, 1)).view(np.uint32).reshape(-1, WARP)
    )


def load_blocks(
    rt: MachineProtocol, m: Any, site: Any, address: Any, count: int, transposed: bool
) -> list[np.ndarray]:
    """ldmatrix: blocks of 8 rows of 16 bytes in shared memory; lane 8 * k + i says where row i of block k begins."""
    giving = narrow(m, rt.lane < BLOCK * count)
    words = np.stack(
        [
            by_warp(rt, np.ascontiguousarray(spread(word, rt.width)))
            for word in address.load(0, giving, site)
        ],
        axis=2,
    )
    blocks = [by_thread(rt, words[:, BLOCK * k + ROW, COLUMN]) for k in range(count)]
    return [turned(rt, block) for block in blocks] if transposed else blocks


def ldmatrix(count: int, transposed: bool) -> Callable[..., Any]:
    """ldmatrix.sync.aligned.m8n8: a register of each block."""

    def load(rt: MachineProtocol, m: Any, site: Any, address: Any) -> Any:
        check_whole_warps(rt, m, site)
        giving = narrow(m, rt.lane < BLOCK * count)
        rows = address.scaled(1, site.size, rt.misaligned(giving, site))
        blocks = load_blocks(rt, m, site, rows, count, transposed)
        return tuple(blocks) if count > 1 else blocks[0]

    return load


def _to_tf32_away(value: Any) -> Any:
    """cvt.rna.tf32.f32: to the nearest, of two as near ones to the one farther from zero."""
    return _rounded_bits(value, lambda bits: np.uint32(0x1000))


def _to_tf32_even(value: Any) -> Any:
    """cvt.rn.tf32.f32: to the nearest, of two as near ones to the even one."""
    return _rounded_bits(
        value, lambda bits: np.uint32(0x0FFF) + (bits >> np.uint32(13) & np.uint32(1))
    )


def _rounded_bits(value: Any, half: Callable[[Any], Any]) -> Any:
    value = np.asarray(value, np.float32)
    bits = value.view(np.uint32)
    return np.where(np.isfinite(value), (bits + half(bits)) & _TF32, bits).view(np.float32)[()]


_TYPES = {
    "f16": np.float16,
    "bf16": np.uint16,
    "tf32": np.float32,
    "s8": np.int8,
    "u8": np.uint8,
    "f32": np.float32,
    "s32": np.int32,
}
OF_REGISTERS = {
    name_of(k, d, a, b): mma(k, (np.dtype(_TYPES[a]), np.dtype(_TYPES[b])), np.dtype(_TYPES[d]))
    for k, d, a, b in PRODUCTS
}
OF_ADDRESSES = {
    f"nnlib::ldmatrix_x{count}{way}": ldmatrix(count, bool(way))
    for count in (1, 2, 4)
    for way in ("", "_trans")
}
TO_TF32 = {"nnlib::to_tf32_rna": _to_tf32_away, "nnlib::to_tf32_rn": _to_tf32_even}
