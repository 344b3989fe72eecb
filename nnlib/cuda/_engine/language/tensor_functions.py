"""What mma.h and inline PTX need of the language for tensor cores, for cuda_functions.py."""

from __future__ import annotations

from collections.abc import Iterator
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
_WORDS = {1: "unsigned", 2: "uint2", 4: "uint4"}


def name_of(k: int, d: str, a: str, b: str) -> str:
    """What mma.sync.aligned.m16n8k.row.col.d.a.b.d is called here."""
    return f"nnlib::mma_k{k}_{d}_{a}_{b}"


def registers(k: int, kind: str) -> tuple[int, int]:
    """Registers of a lane for its part of A and of B."""
    of_b = k * 8 * BITS[kind] // 1024
    return 2 * of_b, of_b


def declarations() -> Iterator[str]:
    """As the CUDA manual would declare them."""
    for k, d, a, b in PRODUCTS:
        of_a, of_b = registers(k, a)
        yield f"{SUMS[d]} {name_of(k, d, a, b)}({_WORDS[of_a]}, {_WORDS[of_b]}, {SUMS[d]})"
    for count, kind in _WORDS.items():
        for way in ("", "_trans"):
            yield f"{kind} nnlib::ldmatrix_x{count}{way}(void*)"
    yield "void nnlib::load_fragment(void*, const void*, unsigned, int, int, int, int, int)"
    yield "void nnlib::store_fragment(void*, const void*, unsigned, int, int, int, int)"
    yield "void nnlib::multiply_fragments(void*, const void*, const void*, const void*, int, int, int, int)"
    for kind in ("float", "int", "signed char", "unsigned char", "__half", "__nv_bfloat16"):
        yield f"void nnlib::fill_fragment(void*, {kind}, int)"
    for way in ("rna", "rn"):
        yield f"float nnlib::to_tf32_{way}(float)"
    yield "size_t __cvta_generic_to_shared(const void*)"
    yield "void* nnlib::at_shared(unsigned)"
