"""Wrong kernels that are right in part, for teachers who give some points for that."""

from __future__ import annotations

from typing import Any

from nnlib.course.exercises.kernels import KernelExercise


def right_in_part(exercise: Any, kernel: Any) -> bool:
    """Return whether more than half of the exercise's stages come out right, or of its sizes where it has no stages.

    Kernels that are handed out to be repaired are right at up to half of them. Not for pieces that the student has
    written before, in another lesson: those are right and are to become faster.
    """
    right = exercise.right_at(kernel) if isinstance(exercise, KernelExercise) else []
    return 2 * sum(right) > len(right)
