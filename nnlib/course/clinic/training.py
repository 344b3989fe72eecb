"""A program of the clinic, made of its text, and what comes of training with it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np

from nnlib.course.clinic.machine import COUNT, digits
from nnlib.course.clinic.patients import Patient, Ward
from nnlib.datasets import shuffled
from nnlib.support.threads import one_blas_thread

HEALTHY = Path(__file__).with_name("program.py").read_text("utf-8")
BATCH, EPOCHS = 64, 9


@dataclass(frozen=True)
class Training:
    """losses: one per step. accuracy: share of the test digits that come out right."""

    losses: tuple[float, ...]
    accuracy: float

    @property
    def end(self) -> float:
        """Mean loss of the last epoch; inf where it is no number."""
        mean = float(np.mean(self.losses[-COUNT // BATCH :]))
        return mean if np.isfinite(mean) else np.inf


@dataclass(frozen=True)
class TrainingProgram:
    """The text of a training and the network that it trains; `names` is what the text defines."""

    text: str
    ward: Ward

    @property
    def names(self) -> dict[str, Any]:
        """Executed anew each time: nothing is left from a run before. Raises what the text raises."""
        names: dict[str, Any] = {}
        exec(_code(self.text), names)  # the student's own text
        names["SIZES"], names["FILTERS"] = self.ward.sizes, self.ward.filters
        return names

    def with_settings(self, seed: int | None = None, rate: float | None = None) -> TrainingProgram:
        """Return the same program with another seed or learning rate."""
        text = self.text
        for name, value in (("seed", seed), ("learning_rate", rate)):
            if value is not None:
                text = re.sub(
                    rf"^    {name} = .*$",
                    f"    {name} = {value:g}",
                    text,
                    count=1,
                    flags=re.MULTILINE,
                )
        return replace(self, text=text)

    def listing(self, function: str) -> list[str]:
        """Return the lines of one function."""
        start = self.text.index(f"\ndef {function}(") + 1
        end = self.text.find("\n\n\n", start)
        return self.text[start : end if end > 0 else None].rstrip().split("\n")

    def with_line(self, function: str, number: int, line: str) -> TrainingProgram:
        """Return the program with that line of a function (counted from 1) replaced; its indent stays."""
        lines = self.listing(function)
        old = "\n".join(lines)
        before = lines[number - 1]
        lines[number - 1] = before[: len(before) - len(before.lstrip())] + line.strip()
        return replace(self, text=self.text.replace(old, "\n".join(lines)))


@cache
def _code(text: str) -> CodeType:
    return compile(text, "<program>", "exec")


def program(ward: Ward, seed: int, patient: Patient | None = None) -> TrainingProgram:
    """Return the healthy program of a ward, or a patient's."""
    text = HEALTHY if patient is None else HEALTHY.replace(patient.right, patient.wrong)
    return TrainingProgram(text, ward).with_settings(
        seed, ward.rate * (patient.rate if patient else 1)
    )


@cache
@one_blas_thread()  # the products are small
def train(chosen: TrainingProgram) -> Training:
    """Train it from the start; 20 steps of 64 images an epoch."""
    names = chosen.names
    seed, rate = names["settings"]()
    net, memory, losses = names["network"](seed), fresh_memory(), []
    pixels = digits().train.inputs
    with np.errstate(all="ignore"):
        for epoch in range(EPOCHS):
            for batch in shuffled(COUNT, 0, epoch).reshape(-1, BATCH):
                x, t = names["images"](pixels[batch]), names["labels"](batch)
                losses.append(float(names["backpropagate"](net, x, t)))
                names[chosen.ward.optimizer](net, memory, rate)
        predicted = names["forward"](net, names["images"](digits().test.inputs)).argmax(1)
    return Training(tuple(losses), float((predicted == digits().test.labels).mean()))


def fresh_memory() -> dict[Any, Any]:
    """Return what an optimizer remembers before its first step."""
    return {"steps": 0, "arrays": 0}
