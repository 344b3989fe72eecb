"""What the native engine says of a kernel that it leaves to the simulator. Lesson 07."""

from __future__ import annotations


class Refusal(Exception):
    """The construct that stands in the way, in the words of CUDA C: "printf", "a pointer kept in memory"."""
