"""What mma.h and inline PTX need of the language for tensor cores."""

from __future__ import annotations

from itertools import product

BITS = {"f16": 16, "bf16": 16, "tf32": 32, "s8": 8, "u8": 8}
# types of a sum, of the factors, and how many products one instruction adds
_FAMILIES = (
    (("f16", "f32"), [("f16", "f16")], (8, 16)),
    (("f32",), [("bf16", "bf16")], (8, 16)),
    (("f32",), [("tf32", "tf32")], (4, 8)),
    (("s32",), list(product(("s8", "u8"), repeat=2)), (16, 32)),
)
PRODUCTS = [
    (k, d, a, b)
    for sums, factors, depths in _FAMILIES
    for d in sums
    for a, b in factors
    for k in depths
]
SUMS = {"f32": "float4", "f16": "uint2", "s32": "int4"}  # registers of a lane


def name_of(k: int, d: str, a: str, b: str) -> str:
    """Return the name that mma.sync.aligned.m16n8k.row.col.d.a.b.d has here."""
    return f"nnlib::mma_k{k}_{d}_{a}_{b}"


def registers(k: int, kind: str) -> tuple[int, int]:
    """Return how many registers of a lane hold its part of A and of B."""
    of_b = k * 8 * BITS[kind] // 1024
    return 2 * of_b, of_b
