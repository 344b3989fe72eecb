"""Compute how many blocks and warps fit on one multiprocessor, and what stops more. Lesson 02.

The arithmetic of NVIDIA's occupancy calculator; limits from the CUDA C++ Programming Guide, "Compute
Capabilities". Occupancy is resident warps over the most the hardware holds; high enough hides latency,
more than that buys nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ...limits import MAX_REGISTERS, MAX_THREADS, WARP

_REGISTER_UNIT = 256  # registers are handed out per warp in portions of this size
_WARP_UNIT = 4  # one of the four schedulers each; registers are split among them


@dataclass(frozen=True)
class Gpu:
    """Limits per multiprocessor; memory in bytes. `reserved`: shared memory that CUDA keeps per block."""

    name: str
    multiprocessors: int
    warps: int
    blocks: int
    registers: int
    shared: int
    shared_unit: int
    reserved: int

    @property
    def shared_per_block(self) -> int:
        """The most one block may ask for."""
        return self.shared - self.reserved


GPUS = {
    gpu.name: gpu
    for gpu in [
        Gpu("T4", 40, 32, 16, 65536, 64 << 10, 256, 0),
        Gpu("RTX 3060", 28, 48, 16, 65536, 100 << 10, 128, 1024),
        Gpu("A100", 108, 64, 32, 65536, 164 << 10, 128, 1024),
        Gpu("H100", 132, 64, 32, 65536, 228 << 10, 128, 1024),
        Gpu("H200", 132, 64, 32, 65536, 228 << 10, 128, 1024),
    ]
}


@dataclass(frozen=True)
class Occupancy:
    """`limits`: blocks per multiprocessor that each resource would allow; `limited_by`: the scarcest."""

    gpu: Gpu
    threads: int
    limits: dict[str, int]

    @property
    def blocks(self) -> int:
        """Resident blocks per multiprocessor."""
        return min(self.limits.values())

    @property
    def warps(self) -> int:
        """Resident warps per multiprocessor."""
        return self.blocks * math.ceil(self.threads / WARP)

    @property
    def fraction(self) -> float:
        """Warps that run at once as a share, 0 to 1, of those a multiprocessor could hold."""
        return self.warps / self.gpu.warps

    @property
    def limited_by(self) -> list[str]:
        """Return the name of the limit that allows the fewest blocks."""
        return [name for name, blocks in self.limits.items() if blocks == self.blocks]

    def __str__(self) -> str:
        rows = [
            (
                f"{self.gpu.name}: {self.blocks} blocks of {self.threads} threads = {self.warps} of {self.gpu.warps} "
                f"warps per multiprocessor ({self.fraction:.0%})"
            )
        ]
        for name, blocks in self.limits.items():
            rows.append(
                f"  {name:<14} {blocks:>3} blocks{'   <- the limit' if blocks == self.blocks else ''}"
            )
        return "\n".join(rows)


def occupancy(
    block: int | Sequence[int], *, shared_mem: int = 0, registers: int = 32, gpu: str = "T4"
) -> Occupancy:
    """Compute the resident blocks and warps of a kernel.

    block: threads, or the block's sizes. shared_mem: bytes per block, declared and dynamic together.
    registers: per thread, `kernel.attributes["num_regs"]` on a GPU. gpu: one of GPUS.
    Raises ValueError for sizes no GPU of that kind runs.

        >>> found = occupancy(256, registers=80)
        >>> found.warps, found.fraction, found.limited_by
        (24, 0.75, ['registers'])
    """
    threads = block if isinstance(block, int) else math.prod(block)
    if gpu not in GPUS:
        raise ValueError(f"no data for {gpu!r}; known are {', '.join(GPUS)}")
    card = GPUS[gpu]
    if not 1 <= threads <= MAX_THREADS:
        raise ValueError(f"a block of {threads} threads; 1 to {MAX_THREADS} are possible")
    if not 0 <= shared_mem <= card.shared_per_block:
        raise ValueError(
            f"{shared_mem} bytes of shared memory; a block on a {gpu} gets up to {card.shared_per_block}"
        )
    if not 1 <= registers <= MAX_REGISTERS:
        raise ValueError(f"{registers} registers per thread; 1 to {MAX_REGISTERS} are possible")
    warps = math.ceil(threads / WARP)
    shared = _round_up(shared_mem + card.reserved, card.shared_unit)
    warps_by_registers = (
        card.registers // _round_up(registers * WARP, _REGISTER_UNIT) // _WARP_UNIT * _WARP_UNIT
    )
    limits = {
        "warps": card.warps // warps,
        "blocks": card.blocks,
        "registers": warps_by_registers // warps,
    }
    if shared:
        limits["shared memory"] = card.shared // shared
    return Occupancy(card, threads, limits)


def _round_up(value: int, unit: int) -> int:
    return -(-value // unit) * unit
