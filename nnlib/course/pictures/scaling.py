"""A model of a training step on several GPUs, fitted to recorded runs, and its picture. Lesson 11."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nnlib.course.pictures.style import BLACK, BLUE, GREY, RED, SKY
from nnlib.course.pictures.svg import Drawing
from nnlib.course.pictures.widgets import Explorer
from nnlib.course.timing import recorded


@dataclass(frozen=True)
class Scaling:
    """The model: what every GPU repeats, arithmetic that is shared out, and an all-reduce of the gradients.

    fixed, example: µs per step, and per example. latency: µs per message. rate: bytes that a link moves in a µs.
    gradients: bytes. The all-reduce is that of Thakur et al. 2005 (ring) or Sanders et al. 2009 (two trees).

    >>> Scaling(fixed=10, example=1, latency=3, rate=1000, gradients=8000).step(2, batch=64)
    (32.0, 10, 14.0)
    """

    fixed: float
    example: float
    latency: float
    rate: float
    gradients: int

    def all_reduce(self, gpus: int, how: str = "ring") -> float:
        """Return the microseconds of an all-reduce on so many GPUs. how: "ring" or "trees"."""
        if gpus == 1:
            return 0.0
        if how == "ring":
            return 2 * (gpus - 1) * (self.latency + self.gradients / gpus / self.rate)
        return 2 * math.ceil(math.log2(gpus)) * self.latency + 2 * self.gradients / self.rate

    def step(self, gpus: int, batch: int) -> tuple[float, float, float]:
        """Return the microseconds of a step in parts: shared out, repeated by every GPU, all-reduce."""
        return self.example * batch / gpus, self.fixed, self.all_reduce(gpus)


def scaling(network: str) -> Scaling:
    """Fit the model to the recorded runs of a network, "reference" or "wide".

    Steps are those of one GPU, in a CUDA graph; messages are those of the fewest GPUs that have any. What the model
    says of more GPUs was measured nowhere unless `recorded("several_gpus")` has a run with them.
    """
    one, several = recorded("several_gpus")["runs"][:2]
    steps = [(row["batch"], row["microseconds"]) for row in captured(one["steps"], network)]
    fixed, example = _line(*zip(*steps, strict=True))
    sums = [(row["bytes"], row["microseconds"]) for row in captured(several["all_reduce"])]
    latency, per_byte = _line(*zip(*sums, strict=True))
    messages, gpus = 2 * (several["gpus"] - 1), several["gpus"]
    parameters = next(row["parameters"] for row in one["epochs"] if row["network"] == network)
    rate = messages / gpus / per_byte
    return Scaling(fixed, example, latency / messages, rate, 4 * parameters)


def captured(rows: Sequence[dict[str, Any]], network: str | None = None) -> list[dict[str, Any]]:
    """Return the rows that were measured in a CUDA graph, of one network or of all."""
    return [row for row in rows if row["how"] == "captured" and row.get("network") == network]


def _line(x: Sequence[float], y: Sequence[float]) -> tuple[float, float]:
    """Return start and slope of the line with the least relative errors."""
    weighted = np.stack([np.ones(len(x)), x], axis=1) / np.array(y)[:, None]
    start, slope = np.linalg.lstsq(weighted, np.ones(len(x)), rcond=None)[0]
    return float(start), float(slope)


def another_gpu() -> Explorer:
    """Draw a step of the wide network by number of GPUs and batch size: what is shared, what is not, what is added.

    >>> another_gpu().pictures[2, 1024].alt
    '2 GPUs, batches of 1024: 1,822 µs a step, 1.5 times as fast as one GPU. 1,268 µs of arithmetic, 238 µs that every \
GPU repeats, 316 µs of all-reduce.'
    """
    counts, batches = (1, 2, 4, 8, 16), (64, 256, 1024, 4096)
    parts = scaling("wide").step

    def draw(gpus: int, batch: int) -> Drawing:
        drawing, scale = (
            Drawing(760, 40 + 36 * len(counts)),
            560 / max(sum(parts(count, batch)) for count in counts),
        )
        for row, count in enumerate(counts):
            x, y = 90.0, 10 + 36 * row
            drawing.text(
                80,
                y + 20,
                f"{count} GPU{'s' * (count > 1)}",
                13,
                BLACK if count == gpus else GREY,
                "end",
            )
            for colour, length in zip((BLUE, SKY, RED), parts(count, batch), strict=True):
                drawing.rect(
                    x, y, length * scale, 28, colour, "white", opacity=1 if count == gpus else 0.35
                )
                x += length * scale
            drawing.text(
                x + 6,
                y + 20,
                f"{sum(parts(count, batch)):,.0f} µs",
                12,
                BLACK if count == gpus else GREY,
                "start",
            )
        for k, (name, colour) in enumerate(
            (("arithmetic, shared out", BLUE), ("repeated by every GPU", SKY), ("all-reduce", RED))
        ):
            drawing.rect(90 + 200 * k, 18 + 36 * len(counts), 14, 14, colour)
            drawing.text(110 + 200 * k, 30 + 36 * len(counts), name, 12, anchor="start")
        return drawing

    def say(gpus: int, batch: int) -> str:
        arithmetic, fixed, reduce = parts(gpus, batch)
        step = arithmetic + fixed + reduce
        times = sum(parts(1, batch)) / step
        return (
            f"{gpus} GPU{'s' * (gpus > 1)}, batches of {batch}: {step:,.0f} µs a step, {times:.1f} times as fast "
            f"as one GPU. {arithmetic:,.0f} µs of arithmetic, {fixed:,.0f} µs that every GPU repeats, "
            f"{reduce:,.0f} µs of all-reduce."
        )

    return Explorer({"GPUs": counts, "batch": batches}, draw, say, (2, 1024))
