"""The course's own doctor: asks the probes in a sensible order, and stops when one of them decides.

What this doctor spends on a patient is the par that a student's bill is compared with.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from nnlib.course.clinic import probes
from nnlib.course.clinic.patients import SEEDS, Ward
from nnlib.course.clinic.training import TrainingProgram, program


@cache
def examined(ill: TrainingProgram) -> tuple[str, tuple[str, ...]]:
    """Return the diagnosis of a program and the probes that it took, in their order. Cheap probes come first."""
    asked: list[str] = []
    for name, read in _ROUND:
        if not tells(name, ill.ward):
            continue
        asked.append(name)
        found = read(ill)
        if found:
            break
    return found or "nothing is wrong but the seed", tuple(asked)


def tells(probe: str, ward: Ward) -> bool:
    """Return whether a probe can find an illness in a ward: some look for those of Adam or of a convolution."""
    return {"movement": ward.optimizer == "adam", "reads": ward.filters > 0}.get(probe, True)


def _of_batch(ill: TrainingProgram) -> str | None:
    seen, labels, shown = probes.batch(ill)
    if not np.array_equal(labels, shown):
        return "labels belong to other images"
    if not np.allclose(seen, probes.batch(_healthy(ill))[0]):
        return "pixels are read as another type"
    return None


def _of_reads(ill: TrainingProgram) -> str | None:
    counts, elsewhere = probes.reads(ill)
    if elsewhere > 0:
        return "windows of different images are mixed"
    right = probes.reads(_healthy(ill))[0]
    return None if np.array_equal(counts, right) else "the windows lie on the wrong pixels"


def _of_twice(ill: TrainingProgram) -> str | None:
    return "gradients of earlier steps are still there" if probes.twice(ill) > 1.5 else None


def _of_gradients(ill: TrainingProgram) -> str | None:
    found = probes.gradients(ill)
    right = [abs(cosine - 1) < 0.01 and abs(length - 1) < 0.01 for cosine, length in found]
    if all(right):
        return None
    if found[0][1] == 0:
        return "a kernel is never launched"
    if all(cosine > 0.99 for cosine, _ in found):
        return (
            "the gradient is not divided by the batch"
            if found[0][1] > 1
            else "the gradient is divided by the batch twice"
        )
    return (
        "the mask of ReLU comes from the wrong tensor"
        if right.count(True) == 1
        else "a matrix is transposed on the way back"
    )


def _of_movement(ill: TrainingProgram) -> str | None:
    moves = probes.movement(ill)
    return "Adam counts its steps wrongly" if max(abs(move - 1) for move in moves) > 0.1 else None


def _of_rates(ill: TrainingProgram) -> str | None:
    """Decide between rate and seed: if no rate reaches what a healthy training reaches, it is the seed."""
    ends = {factor: end for factor, (end, _) in probes.rates(ill).items()}
    best = min(ends, key=lambda factor: ends[factor])
    if ends[best] > 1.5 * min(end for end, _ in probes.rates(_healthy(ill)).values()) + 0.15:
        return None
    return f"the learning rate is too {'small' if best > 1 else 'large'}"


def _healthy(ill: TrainingProgram) -> TrainingProgram:
    return program(ill.ward, SEEDS[0])


_ROUND: tuple[tuple[str, Callable[[TrainingProgram], str | None]], ...] = (
    ("batch", _of_batch),
    ("reads", _of_reads),
    ("twice", _of_twice),
    ("gradients", _of_gradients),
    ("movement", _of_movement),
    ("rates", _of_rates),
)
