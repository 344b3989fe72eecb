"""The exercises of lesson 11, with the usual mistakes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nnlib.course.exercises.checking import FunctionExercise, Verdict
from nnlib.course.exercises.kernels import ELEMENTS, KernelExercise, alone
from nnlib.course.exercises.networks import all_reduced, own_numbers, traceable
from nnlib.cuda import OutOfBoundsError, RaceError
from nnlib.mine.contract import Piece

KernelExercise(
    Piece(
        "add",
        "11",
        "float* mine, const float* theirs, int n",
        "mine[i] += theirs[i]",
        "",
        {"mine": "n", "theirs": "n"},
        lambda mine, theirs, n: mine + theirs,
        **ELEMENTS,
        updates=("mine",),
        task=alone(lambda n: n),
    ),
    lambda n: (-(-n // 256), 256),
    hints={
        OutOfBoundsError: "the last block has threads to spare: if (i < n)",
        RaceError: "several threads add to the same element, and each should have one of its own: does the index count on "
        "from block to block?",
    },
)


@dataclass
class RingExercise(FunctionExercise):
    """The answer is a program for several devices that replaces the array of each by the sum of all.

    inputs: numbers of devices and of elements. A wrong result is traced to the devices whose numbers are missing, or in
    it more than once. A right one must send no more than a ring does, and only to neighbours.
    """

    def judge(self, answer: Any = ...) -> Verdict:
        """Judge a program, as `Exercise.judge` does."""
        if not callable(answer):
            return self.wrong("", "needs a function of a device and its data.")
        for devices, elements in self.inputs:
            where = f"{devices} devices, {elements} elements"
            found = self._call(answer, ((devices, elements, self.seed, None),), where)
            if isinstance(found, Verdict):
                return found
            arrays, links = found
            bad = arrays != own_numbers(devices, elements, self.seed).sum(axis=0)
            if bad.any():
                return self.wrong(where, *self._traced(answer, int(bad.any(axis=1).argmax()), bad))
            if problem := _cost(devices, elements, links):
                return self.wrong(where, *problem)
        return self.right(
            "right, with "
            + ", ".join(f"{devices}" for devices, _ in self.inputs)
            + " devices: every "
            "one sends and receives at most 2 (N − 1) chunks."
        )

    def _traced(self, program: Any, rank: int, bad: np.ndarray) -> tuple[str, str]:
        """Say which devices' numbers a wrong element holds: from runs in which only one device has any."""
        assert self.outcome is not None
        (devices, elements), place = bad.shape, int(bad[rank].argmax())
        chunk = next(
            k
            for k, part in enumerate(np.array_split(np.arange(elements), devices))
            if place in part
        )
        missing, twice, moved = list[int](), list[int](), list[int]()
        for source in range(devices):
            arrays, _ = self.outcome(program, (devices, elements, self.seed, source))
            times = float(arrays[rank][place]) / traceable(elements)[place]
            (
                missing
                if times == 0
                else twice
                if times > 1 and times == int(times)
                else moved
                if times != 1
                else []
            ).append(source)
        found = (
            [f"misses those of {_devices(missing)}"] * bool(missing)
            + [f"has those of {_devices(twice)} more than once"] * bool(twice)
            + [f"has other elements of {_devices(moved)} in their place"] * bool(moved)
        )
        problem = f"on device {rank}, {bad[rank].sum()} elements are wrong. Chunk {chunk} {' and '.join(found)}."
        finished = not bad.all(axis=0).any()
        return problem, _hint(rank, chunk, missing, twice, moved, finished)


def _devices(ranks: list[int]) -> str:
    return f"device{'s' * (len(ranks) > 1)} {', '.join(map(str, ranks))}"


def _hint(
    rank: int, chunk: int, missing: list[int], twice: list[int], moved: list[int], finished: bool
) -> str:
    if moved:
        return (
            "a chunk has landed in another one: the chunk that you receive is the one that your left neighbour "
            "has sent, and in its formula the rank is one less"
        )
    if twice and missing:
        return (
            "the same chunk was sent again where another one was due: in each step of the first half, a device "
            "passes on the chunk that it has just added to"
        )
    if twice:
        return (
            "a sum was added where it should have replaced what was there. In the second half chunks are finished: "
            "they are copied, not added"
        )
    if finished:
        return (
            f"every sum is finished on some device, but this one does not come to device {rank} or does not stay. Is the "
            "second half missing, or does it end before N − 1 steps? chunks[…][:] = part changes the data, and "
            "chunks[…] = part only the list"
        )
    return (
        "not every sum is finished: the first half is missing, ends before N − 1 steps, does not add to the data, or "
        "passes on another chunk than it has just added to. Write down for 3 devices which chunk each sends in which step"
    )


def _cost(devices: int, elements: int, links: list[tuple[int, int, int]]) -> tuple[str, str] | None:
    """Say what a right all-reduce does beyond a ring. links: source, target and bytes."""
    most = 2 * (devices - 1) * 4 * -(-elements // devices)
    busiest = max(
        sum(count for *ends, count in links if ends[way] == rank)
        for way in (0, 1)
        for rank in range(devices)
    )
    if busiest > most:
        return (
            f"the sums are right, but one device sends or receives {busiest:,} bytes; a ring needs {most:,}.",
            (
                "send one chunk in each step, not all data, in N − 1 steps for each half, and let all devices work in "
                "every step"
            ),
        )
    far = [
        (source, target)
        for source, target, _ in links
        if (source - target) % devices not in (1, devices - 1)
    ]
    if far:
        return (
            f"the sums are right, but device {far[0][0]} sends to device {far[0][1]}, which is not its neighbour.",
            "in a ring every device sends to device.right and receives from device.left",
        )
    return None


RingExercise("11.ring", None, [(2, 6), (3, 9), (4, 10), (5, 3), (7, 40)], outcome=all_reduced)  # type: ignore[arg-type]


def _whole(gradients: list[np.ndarray], counts: list[int]) -> np.ndarray:
    return np.average(gradients, axis=0, weights=counts)


_PARTS = [
    (
        [
            np.random.default_rng([counts[0], rank]).standard_normal(4)
            for rank in range(len(counts))
        ],
        counts,
    )
    for counts in ([3, 1], [22, 22, 20], [5, 5], [4, 0, 2], [1, 2, 3, 0, 6])
]


def _whole_gradient_mistakes(g: Any, n: Any) -> dict[str, Any]:
    return {
        "this is the mean of the gradients, as if all ranks had equally many examples": (
            sum(g) / len(g)
        ),
        "this is the sum of the gradients: each is a mean, so a rank counts by its share of the examples": (
            sum(g)
        ),
        "each gradient is multiplied by its number of examples: divide by the number of all": (
            sum(a * b for a, b in zip(g, n, strict=True))
        ),
        "divided by the number of ranks, not of examples": (
            sum(a * b for a, b in zip(g, n, strict=True)) / len(n)
        ),
        "a gradient is a mean: multiply it by its number of examples before you add": (
            sum(g) / sum(n)
        ),
    }


FunctionExercise(
    "11.whole_gradient",
    reference=_whole,
    inputs=_PARTS,
    mistakes=_whole_gradient_mistakes,
)
