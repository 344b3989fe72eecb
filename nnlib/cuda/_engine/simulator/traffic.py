"""Counters of memory accesses: requests, sectors, wavefronts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Traffic:
    """Warp-level accesses of one kind.

    requests: memory instructions of warps. bytes: asked for by the lanes. Global memory: sectors of 32 bytes
    moved. Shared memory: wavefronts, and those caused by bank conflicts.
    """

    requests: int = 0
    bytes: int = 0
    sectors: int = 0
    wavefronts: int = 0
    bank_conflicts: int = 0

    @property
    def sectors_per_request(self) -> float:
        """4 is ideal for 4-byte accesses; 32 the worst."""
        return self.sectors / self.requests if self.requests else 0.0

    def add(self, other: Traffic, sign: int = 1) -> None:
        self.requests += sign * other.requests
        self.bytes += sign * other.bytes
        self.sectors += sign * other.sectors
        self.wavefronts += sign * other.wavefronts
        self.bank_conflicts += sign * other.bank_conflicts
