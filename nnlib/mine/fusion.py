"""Does a fused kernel pay? What it costs is counted beside the kernels whose work it does. Lesson 08."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass

from nnlib.cuda import RawKernel, force_simulator
from nnlib.mine import library
from nnlib.mine.contract import Piece, Sizes
from nnlib.mine.judging import measured
from nnlib.mine.pieces import PIECES
from nnlib.mine.stars import cost

# Fused kernel -> the kernels whose work it does; of these the first may be a fused one, too.
FUSED: dict[str, tuple[str, ...]] = {
    "conv_relu": ("conv_forward", "relu"),
    "conv_relu_pool": ("conv_relu", "max_pool"),
}


@dataclass(frozen=True)
class Fusion:
    """The cost of a fused kernel, and the kernels that the same results take without it, each with its cost."""

    name: str
    cost: float
    parts: Mapping[str, float]

    @property
    def pays(self) -> bool:
        """Return whether the fused kernel costs no more than its parts together."""
        return self.cost <= sum(self.parts.values())

    def __str__(self) -> str:
        *others, last = self.parts
        parts = f"your {', '.join(others)} and {last}"
        return (
            f"{self.name} costs {self.cost:,.0f} sectors and wavefronts, and {parts} together "
            f"{sum(self.parts.values()):,.0f}: a plan "
            + ("takes the fused one." if self.pays else "goes on with these until it costs less.")
        )


def fusion(name: str) -> Fusion | None:
    """Compare a fused kernel of the student's library with its parts, as they run now.

    Returns None where the student has not written it, or where this copy of the course lacks the text of a part.
    """
    if name not in FUSED or library.whose(name) == "course":
        return None
    parts = FUSED[name]
    if parts[0] in FUSED and not is_used(parts[0]):
        parts = (*FUSED[parts[0]], *parts[1:])
    costs = {}
    for part in (name, *parts):
        running = library.of(part)
        if not isinstance(running.kernel, RawKernel):
            return None
        costs[part] = _cost(part, running.kernel.code, name)
    return Fusion(name, costs.pop(name), costs)


def is_used(name: str) -> bool:
    """Return whether a plan takes this fused kernel: the student has written it, and it costs no more than its parts."""
    found = fusion(name)
    return found.pays if found else library.whose(name) != "course"


def unused() -> list[str]:
    """Return a sentence for each fused kernel of the student's library that costs more than its parts."""
    return [str(found) for name in FUSED if (found := fusion(name)) and not found.pays]


@functools.lru_cache(maxsize=256)
def _cost(name: str, text: str, fused: str) -> float:
    """Count a kernel at the sizes at which the fused one is counted."""
    with force_simulator():
        return cost(measured(PIECES[name], text, sizes=_sizes(name, PIECES[fused])))


def _sizes(name: str, fused: Piece) -> Sizes:
    """Return the sizes at which a kernel does its part of the work of the fused one at its ruler."""
    sizes = {**fused.ruler, **fused.derived(fused.ruler)}
    planes, H, W = sizes["N"] * sizes["F"], sizes["OH"], sizes["OW"]
    if name == "relu":
        return {"n": planes * H * W}
    if name == "max_pool":
        return {"planes": planes, "H": H, "W": W, "size": 2, "stride": 2}
    return fused.ruler
