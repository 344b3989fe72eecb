"""One matrix instruction on inputs of many magnitudes: what a GPU's own order of adding may change."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np

from nnlib.cuda import RawModule

from .tensor_cases import NUMPY, mma

TILES = 64  # of each instruction and regime
REGIMES = ("normal", "wide", "large start", "cancelling", "one large", "tiny", "huge")


@dataclass(frozen=True)
class Instruction:
    """mma.sync.aligned.m16n8k{k}.row.col.{total}.{kind}.{kind}.{total}; a block multiplies one tile."""

    kind: str
    total: str
    k: int

    @property
    def name(self) -> str:
        return f"k{self.k} {self.kind} {self.total}"

    @property
    def text(self) -> str:
        """A kernel k(A, B, C, D): D = A B + C, tile by tile."""
        case = mma(self.kind, self.total, self.k)
        element, total = case.types
        places = "row * 8 + t % 4 * 2"
        start = (
            "((const unsigned*)C)[row * 4 + t % 4], ((const unsigned*)C)[(row + 8) * 4 + t % 4]"
            if total == "half"
            else ", ".join(
                f"C[{places.replace('row', row)} + {column}]"
                for row in ("row", "(row + 8)")
                for column in (0, 1)
            )
        )
        head = (
            f"A += blockIdx.x * {16 * self.k}, B += blockIdx.x * {8 * self.k};\n"
            "    C += blockIdx.x * 128, D += blockIdx.x * 128;"
        )
        text = case.text.replace(f"{total}* C) {{", f"const {total}* C, {total}* D) {{\n    {head}")
        body, store = text.replace("= {};", f"= {{{start}}};").rsplit("}\n    \n", 1)
        return f"{body}}}\n{store.replace('C[', 'D[').replace('*)C)', '*)D)')}"

    def arguments(self, regime: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """A (tiles, 16, k), B (tiles, 8, k): column by column, and C (tiles, 16, 8), as they lie in memory."""
        rng = np.random.default_rng(zlib.crc32(f"{self.name} {regime}".encode()))
        element, total = mma(self.kind, self.total, self.k).types
        a, b = (self._values(rng, (TILES, rows, self.k), regime, element) for rows in (16, 8))
        c = rng.standard_normal((TILES, 16, 8))
        products = _exact(a) @ _exact(b).transpose(0, 2, 1)
        if regime == "large start":
            c *= 2.0 ** rng.integers(0, 13, c.shape)
        elif regime == "cancelling":
            c = -products
        elif regime in ("tiny", "huge"):
            c = products * rng.choice([-1.0, -0.5, 0.25, 1.0], c.shape)
        with np.errstate(over="ignore"):
            return a, b, c.astype(NUMPY[total])

    def result(self, regime: str) -> np.ndarray:
        """D of every tile, as this machine computes it."""
        a, b, c = self.arguments(regime)
        d = np.zeros_like(c)
        RawModule(code=self.text).get_function("k")(TILES, 32, (a, b, c, d))
        return d

    def deviation(self, regime: str) -> float:
        """Return how far the sums are from exact ones at most, in 2**-23 of the largest term of each."""
        a, b, c = self.arguments(regime)
        left, right, start = _exact(a)[:, :, None], _exact(b)[:, None], c.astype(np.float64)
        off = np.abs(self.result(regime) - ((left * right).sum(-1) + start))
        largest = np.maximum(np.abs(left * right).max(-1), np.abs(start))
        return float((off / largest).max() * 2**23)

    def _values(
        self, rng: np.random.Generator, size: tuple[int, ...], regime: str, element: str
    ) -> np.ndarray:
        low, high = self._exponents.get(regime, (0, 1))
        values = rng.standard_normal(size) * 2.0 ** rng.integers(low, high, size)
        if regime == "one large":
            values[..., 0] *= 2.0 ** (5 if self.total == "f16" else 12)
        return stored(values, element)

    @property
    def _exponents(self) -> dict[str, tuple[int, int]]:
        """Powers of two that the numbers of a regime are multiplied by."""
        if self.total == "f16":
            return {"wide": (-7, 4), "tiny": (-14, -8), "huge": (3, 7)}
        if self.kind == "f16":
            return {"wide": (-7, 8), "tiny": (-24, -14), "huge": (6, 12)}
        return {"wide": (-20, 21), "tiny": (-70, -60), "huge": (55, 63)}


def stored(values: np.ndarray, element: str) -> np.ndarray:
    """Round values to the element type as memory holds them, exactly as the tensor core reads them."""
    if element == "half":
        return np.clip(values, -65504, 65504).astype(np.float16)
    bits = values.astype(np.float32).view(np.uint32)
    if element == "float":
        return (bits & np.uint32(0xFFFFE000)).view(np.float32)
    return (bits >> np.uint32(16)).astype(np.uint16)


def _exact(x: np.ndarray) -> np.ndarray:
    if x.dtype == np.uint16:
        x = (x.astype(np.uint32) << np.uint32(16)).view(np.float32)
    return x.astype(np.float64)


INSTRUCTIONS = [
    Instruction(*which)
    for which in (
        ("f16", "f32", 16),
        ("f16", "f32", 8),
        ("f16", "f16", 16),
        ("f16", "f16", 8),
        ("bf16", "f32", 16),
        ("bf16", "f32", 8),
        ("tf32", "f32", 8),
        ("tf32", "f32", 4),
    )
]
