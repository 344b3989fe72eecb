"""What lesson 11 asks for, and the usual mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nnlib.course.devices import DeviceRun, Program, on_devices
from nnlib.course.exercises.checking import Exercise, FunctionExercise, KernelExercise, Out, Sample, Verdict
from nnlib.course.exercises.python_mistakes import explained
from nnlib.cuda import KernelError, OutOfBoundsError


def _added(rng: np.random.Generator, n: int) -> Sample:
    mine, theirs = (rng.standard_normal(n).astype(np.float32) for _ in range(2))
    return Sample(grid=-(-n // 256), block=256, args=(Out(initial=mine), theirs, n), expect=mine + theirs,
                  mistakes={"this is theirs alone: += adds to what is there": theirs,
                            "this is mine alone: is the sum stored?": mine,
                            "this is mine - theirs": mine - theirs,
                            "mine is added to itself": 2 * mine})


KernelExercise("11.add", _added, sizes=[1000, 7, 256], hints={
    OutOfBoundsError: "the last block has threads to spare: if (i < n)"})

@dataclass
class RingExercise(Exercise):
    """The answer is a program for several devices that replaces the array of each by the sum of all.

    cases: numbers of devices and of elements. A wrong result is traced to the devices whose numbers are missing, or in
    it more than once. A right one must send no more than a ring does, and only to neighbours.
    """

    cases: Sequence[tuple[int, int]]

    def judge(self, answer: Any = ...) -> Verdict:
        """As in `Exercise`."""
        if not callable(answer):
            return self.wrong("", "needs a function of a device and its data.")
        for devices, elements in self.cases:
            where = f"{devices} devices, {elements} elements"
            arrays = list(np.random.default_rng(self.seed).integers(1, 99, (devices, elements)).astype(np.float32))
            run = self._run(answer, arrays, where)
            if isinstance(run, Verdict):
                return run
            expect = np.sum(arrays, axis=0)
            wrong = next((rank for rank, array in enumerate(run.arrays) if not np.array_equal(array, expect)), None)
            if wrong is not None:
                return self.wrong(where, *self._traced(answer, wrong, run.arrays[wrong] != expect, elements, devices))
            if problem := _cost(run, 4 * elements):
                return self.wrong(where, *problem)
        return self.right("right, with " + ", ".join(f"{devices}" for devices, _ in self.cases) + " devices: every one "
                          "sends and receives at most 2 (N − 1) chunks.")

    def _run(self, program: Program, arrays: list[np.ndarray], where: str) -> DeviceRun | Verdict:
        try:
            return on_devices(program, [array.copy() for array in arrays])
        except NotImplementedError:
            return self.wrong("", "not written yet.", "replace the line that raises NotImplementedError")
        except KernelError as error:
            return self.wrong(where, f"{type(error).__name__}: {error}")
        except Exception as error:  # whatever a student's function raises is feedback, not a crash
            return self.wrong(where, *explained(error, program))

    def _traced(self, program: Program, rank: int, bad: np.ndarray, elements: int,
                devices: int) -> tuple[str, str]:
        """Say which devices' numbers a wrong element holds: from runs in which only one device has any."""
        place = int(bad.argmax())
        chunk = next(k for k, part in enumerate(np.array_split(np.arange(elements), devices)) if place in part)
        missing, twice, moved = list[int](), list[int](), list[int]()
        for source in range(devices):
            arrays = [np.zeros(elements, np.float32) for _ in range(devices)]
            arrays[source][:] = np.arange(1, elements + 1)
            run = self._run(program, arrays, "")
            assert isinstance(run, DeviceRun)
            times = float(run.arrays[rank][place]) / (place + 1)
            (missing if times == 0 else twice if times > 1 and times == int(times) else moved if times != 1 else
             []).append(source)
        found = [f"misses those of {_devices(missing)}"] * bool(missing) + [
            f"has those of {_devices(twice)} more than once"] * bool(twice) + [
            f"has other elements of {_devices(moved)} in their place"] * bool(moved)
        problem = f"on device {rank}, {bad.sum()} elements are wrong. Chunk {chunk} " + " and ".join(found) + "."
        return problem, _hint(rank, chunk, missing, twice, moved, devices)


def _devices(ranks: list[int]) -> str:
    return f"device{'s' * (len(ranks) > 1)} {', '.join(map(str, ranks))}"


def _hint(rank: int, chunk: int, missing: list[int], twice: list[int], moved: list[int], devices: int) -> str:
    if moved:
        return ("a chunk has landed in another one: the chunk that you receive is the one that your left neighbour "
                "has sent, and in its formula the rank is one less")
    if twice:
        return ("a sum was added where it should have replaced what was there. In the second half chunks are finished: "
                "they are copied, not added")
    if len(missing) == devices - 1:
        return f"nothing was added to it: which step of device {rank} should receive chunk {chunk}?"
    return ("a sum was passed on before it was finished, or not far enough. In each half a chunk makes N − 1 steps. "
            "Write down for 3 devices who sends which chunk in which step")


def _cost(run: DeviceRun, size: int) -> tuple[str, str] | None:
    """Say what a right all-reduce does beyond a ring."""
    devices, links = len(run.arrays), run.bytes()
    most = 2 * (devices - 1) * 4 * -(-size // 4 // devices)
    if run.busiest() > most:
        return (f"the sums are right, but one device sends or receives {run.busiest():,} bytes; a ring needs "
                f"{most:,}.", "send one chunk in each step, not all data, and let all devices work in every step")
    far = [(a, b) for a, b in links if (a - b) % devices not in (1, devices - 1)]
    if far:
        return (f"the sums are right, but device {far[0][0]} sends to device {far[0][1]}, which is not its neighbour.",
                "in a ring every device sends to device.right and receives from device.left")
    return None


RingExercise("11.ring", [(2, 6), (3, 9), (4, 10), (5, 3), (7, 40)])


def _whole(gradients: list[np.ndarray], counts: list[int]) -> np.ndarray:
    return np.average(gradients, axis=0, weights=counts)


def _gradients(rng: np.random.Generator) -> list[tuple[list[np.ndarray], list[int]]]:
    return [([rng.standard_normal(4) for _ in counts], counts) for counts in ([3, 1], [22, 22, 20], [5, 5], [4, 0, 2])]


FunctionExercise("11.whole_gradient", _whole, _gradients, mistakes={
    "this is the mean of the gradients, as if all ranks had equally many examples": lambda g, n: sum(g) / len(g),
    "this is the sum of the gradients: each is a mean, so a rank counts by its share of the examples":
        lambda g, n: sum(g),
    "each gradient is multiplied by its number of examples: divide by the number of all":
        lambda g, n: sum(a * b for a, b in zip(g, n, strict=True)),
    "divided by the number of ranks, not of examples":
        lambda g, n: sum(a * b for a, b in zip(g, n, strict=True)) / len(n),
    "divided by the largest part, not by all examples":
        lambda g, n: sum(a * b for a, b in zip(g, n, strict=True)) / max(n)})
