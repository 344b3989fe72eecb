"""The GPU that a program finds without one: a Tesla T4."""

from __future__ import annotations

NAME, MAJOR, MINOR = "Tesla T4 (simulated)", 7, 5
TOTAL_MEMORY = 15 << 30  # bytes
CLOCK, MEMORY_CLOCK, BUS_WIDTH, L2 = 1_590_000, 5_001_000, 256, 4 << 20  # kHz, kHz, bits, bytes
