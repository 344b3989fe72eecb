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
from ..machine_protocol import GroupCall, MachineProtocol
from ..masks import PerThread, first_of, narrow
from ..memory.local_memory import LocalMemory
from ..memory.pointers import AnyPointer, PointerValue
from ..memory.spaces import Site
from .aligned_sum import aligned_sum
from .fragments import COLUMN, ROW, SUM, A, B, FragmentTile, Shape, tile
from .halves import widened
from .warp import ALL_LANES, by_thread, by_warp, warp_bits

BLOCK = 8  # rows of the blocks that a tile is cut into
# Sign, exponent and the 10 bits of the mantissa that the unit looks at
_TF32 = np.uint32(0xFFFFE000)


def packed(dtype: np.dtype) -> int:
    """Return how many such elements a register of a factor holds."""
    return 4 // dtype.itemsize


# --- who takes part -----------------------------------------------------------------------------


def check_whole_warps(call: GroupCall) -> None:
    """Check that all 32 lanes of a warp make the call."""
    rt = call.rt
    if not rt.checks or (call.m is None and rt.threads % WARP == 0):
        return
    present = warp_bits(rt, call.m)
    torn = call.active & (present[rt.warp] != ALL_LANES)
    if not torn.any():
        return
    warp = rt.warp[first_of(torn)]
    absent = warp_bits(rt, rt.alive)[warp] & ~present[warp]
    call.fail(
        BarrierError,
        torn,
        f"{call.site.name} is reached by {int(np.bitwise_count(present[warp]))} of the 32 lanes of a warp",
        "all lanes hold the tile together, so all of them must make the call",
        "move it out of the if or loop that only some lanes run"
        if absent
        else "launch blocks of a multiple of 32 threads, and let no thread return before",
    )


# --- registers, and matrices ----------------------------------------------------------------------


def gathered(rt: MachineProtocol, values: Sequence[Any], own: FragmentTile) -> np.ndarray:
    """Return the matrices of all warps, (warps, rows, columns). values: one per thread for each element that a lane holds."""
    held = np.stack([by_warp(rt, value) for value in values], axis=1)
    return held.reshape(len(held), -1)[:, own.lane_order].reshape(-1, *own.shape)


def scattered(rt: MachineProtocol, matrices: np.ndarray, own: FragmentTile) -> list[np.ndarray]:
    """Return what each lane holds of the matrices, element by element."""
    held = matrices.reshape(len(matrices), -1)[:, own.row_major]
    return [by_thread(rt, held[:, element]) for element in range(own.lane_elements)]


def _exact(values: np.ndarray) -> np.ndarray:
    """Return factors as the unit sees them, in a type that holds all products."""
    if values.dtype == np.float32:
        values = (values.view(np.uint32) & _TF32).view(np.float32)
    return (
        values if values.dtype.kind == "i" or values.dtype == np.uint8 else widened(values)
    ).astype(np.float64)


def product(
    a: np.ndarray, b: np.ndarray, c: np.ndarray, depth: int, saturate: bool = False
) -> PerThread:
    """Return A @ B + C in C's type. depth: of an instruction. Integers wrap around, or saturate."""
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
    call: GroupCall, given: tuple[Site, ...], d: AnyPointer, *values: PerThread
) -> None:
    """Multiply fragments as mma_sync does.

    given: the sites of A, B and C. d, values: pointers to the first elements of fragments, and numbers.
    """
    check_whole_warps(call)
    *shape, saturate = (int(number) for number in values[3:])
    matrices = []
    for use, pointer, site in zip((A, B, SUM), values, given, strict=False):
        own = tile_of(use, shape, site.dtype)
        matrices.append(gathered(call.rt, elements(call.by(call.m, site), pointer, own), own))
    left, right, start = matrices
    dtype = call.site.dtype
    result = product(left, right, start.astype(dtype), depth_of(shape[2]), bool(saturate))
    store_elements(call, d, scattered(call.rt, result, tile_of(SUM, shape, dtype)))


def fill_fragment(call: GroupCall, x: AnyPointer, value: PerThread, count: PerThread) -> None:
    """Set all elements to the value."""
    check_whole_warps(call)
    store_elements(call, x, [value] * int(count))


def depth_of(k: int) -> int:
    """Return the depth of the instructions that nvcc makes of a product of tiles: TF32 goes in steps of 4."""
    return 4 if k == 8 else k


def tile_of(use: int, shape: Sequence[int], dtype: np.dtype) -> FragmentTile:
    """Return the tile of a fragment with such elements. shape: M, N, K."""
    m, n, k = shape
    return tile(use, (m, n, k), 2 if use == SUM else packed(dtype))


def elements(call: GroupCall, fragment: AnyPointer, own: FragmentTile) -> list[PerThread]:
    """Return what each lane holds of a fragment, all of which must be set."""
    if call.rt.checks:
        for where, part in fragment.parts(call.m):
            _check_known(call.by(where), part)
    return [fragment.load(element, call.m, call.site) for element in range(own.lane_elements)]


def _check_known(call: GroupCall, part: PointerValue) -> None:
    memory = part.memory
    if np.ndim(part.offset) or not isinstance(memory, LocalMemory):
        return
    byte = int(part.offset) * call.site.size
    known = memory.known(byte)
    missing = narrow(call.m, ~known if isinstance(known, np.ndarray) else known is False)
    if missing is False:
        return
    name = memory.describe(byte, call.site.size).removesuffix(".x[0]")
    call.fail(
        UninitializedReadError,
        call.spread(missing),
        f"the fragment {name} is used before it holds anything",
        "its registers hold garbage until it is loaded",
        f"call load_matrix_sync({name}, ...) or fill_fragment({name}, 0.0f) first",
        element=name,
        array=memory.name,
        space="local",
        access="read",
    )


def store_elements(
    call: GroupCall, fragment: AnyPointer, values: Sequence[PerThread], copies: int = 1
) -> None:
    """Store the lanes' elements in a fragment; a GPU stores those of halves twice or more."""
    for element, value in enumerate(copies * [*values]):
        fragment.store(element, value, call.m, call.site)


# --- mma.sync and ldmatrix ------------------------------------------------------------------------------


def mma(
    k: int, types: tuple[np.dtype, np.dtype], result: np.dtype
) -> Callable[..., tuple[Any, ...]]:
    """Return mma.sync.aligned.m16n8k.row.col as a function of registers. types: of A and B."""
    shape: Shape = (16, 8, k)

    def multiply(call: GroupCall, a: PerThread, b: PerThread, c: PerThread) -> tuple[Any, ...]:
        check_whole_warps(call)
        rt, sums = call.rt, tile(SUM, shape, 2)
        left, right = (
            gathered(rt, unpacked(rt, registers, dtype), tile(use, shape, packed(dtype)))
            for use, registers, dtype in zip((A, B), (a, b), types, strict=True)
        )
        start = gathered(rt, unpacked(rt, c, result), sums)
        values = scattered(rt, product(left, right, start, k), sums)
        return tuple(paired(values) if result == np.float16 else values)

    return multiply


def unpacked(rt: MachineProtocol, registers: PerThread, dtype: np.dtype) -> list[np.ndarray]:
    """Return the elements of registers, of which each holds one to four."""
    result: list[np.ndarray] = []
    for register in registers if registers.__class__ is tuple else (registers,):
        parts = np.ascontiguousarray(rt.spread(register)).view(dtype).reshape(rt.width, -1)
        result += [parts[:, k] for k in range(parts.shape[1])]
    return result


def paired(values: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return registers with two elements of 16 bits each."""
    pairs = zip(values[::2], values[1::2], strict=True)
    return [np.stack(pair, axis=1).view(np.uint32).reshape(-1) for pair in pairs]


def turned(rt: MachineProtocol, register: PerThread) -> np.ndarray:
    """Return the register of a transposed block of 8 x 8 halves."""
    whole = by_warp(rt, register).view(np.uint16).reshape(-1, BLOCK, BLOCK)
    return by_thread(
        rt, np.ascontiguousarray(whole.transpose(0, 2, 1)).view(np.uint32).reshape(-1, WARP)
    )


def load_blocks(
    call: GroupCall, address: AnyPointer, count: int, transposed: bool
) -> list[np.ndarray]:
    """Load blocks of 8 rows of 16 bytes from shared memory, as ldmatrix does.

    Lane 8 * k + i says where row i of block k begins.
    """
    rt = call.rt
    giving = narrow(call.m, rt.lane < BLOCK * count)
    words = np.stack([by_warp(rt, word) for word in address.load(0, giving, call.site)], axis=2)
    blocks = [by_thread(rt, words[:, BLOCK * k + ROW, COLUMN]) for k in range(count)]
    return [turned(rt, block) for block in blocks] if transposed else blocks


def ldmatrix(count: int, transposed: bool) -> Callable[..., Any]:
    """Return ldmatrix.sync.aligned.m8n8, which loads a register of each block."""

    def load(call: GroupCall, address: AnyPointer) -> PerThread:
        check_whole_warps(call)
        giving = narrow(call.m, call.rt.lane < BLOCK * count)
        rows = address.scaled(1, call.site.size, call.rt.misaligned(giving, call.site))
        blocks = load_blocks(call, rows, count, transposed)
        return tuple(blocks) if count > 1 else blocks[0]

    return load


def _to_tf32(half: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a conversion to TF32. half: gives what is added to the bits of a number before the last ones are cut off."""

    def rounded(value: Any) -> Any:
        value = np.asarray(value, np.float32)
        bits = value.view(np.uint32)
        return np.where(np.isfinite(value), (bits + half(bits)) & _TF32, bits).view(np.float32)[()]

    return rounded


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
TO_TF32 = {  # cvt to the nearest; of two as near ones rna takes the one farther from zero, rn the even one
    "nnlib::to_tf32_rna": _to_tf32(lambda bits: np.uint32(0x1000)),
    "nnlib::to_tf32_rn": _to_tf32(
        lambda bits: np.uint32(0x0FFF) + (bits >> np.uint32(13) & np.uint32(1))
    ),
}
