"""The exception with which the native engine leaves a kernel to the simulator. Lesson 07."""

from __future__ import annotations


class Refusal(Exception):
    """The construct that stands in the way, in the words of CUDA C: "printf", "a pointer kept in memory"."""
