"""The report of a probe: a few lines and sometimes a picture, the patient beside a healthy training."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from nnlib.course.clinic import probes
from nnlib.course.clinic.training import Training, TrainingProgram
from nnlib.course.pictures import image_row, loss_curves
from nnlib.course.pictures.style import Picture

CHANCE = float(np.log(10))


@dataclass(frozen=True)
class Finding:
    """Lines of text, and a picture below them."""

    text: str
    picture: Picture | None = None

    def html(self) -> str:
        """Return it as one element of a page."""
        picture = f"<figure style='margin:0'>{self.picture.img()}</figure>" if self.picture else ""
        return f'<div class="nn-clinic"><pre>{html.escape(self.text)}</pre>{picture}</div>'

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        alt = f"\nFigure: {self.picture.alt}" if self.picture else ""
        return {"text/html": self.html(), "text/plain": self.text + alt}


@dataclass(frozen=True)
class Probe:
    """An entry of the menu. minutes: what it costs. look: at a patient's program and a healthy one."""

    question: str
    minutes: int
    look: Callable[[TrainingProgram, TrainingProgram], Finding]


@lru_cache(maxsize=32)
def curve(patient: Training, healthy: Training, name: str = "patient") -> Picture:
    """Draw the two losses, cut at 5."""
    return loss_curves({"healthy": healthy.losses, name: patient.losses}, chance=CHANCE, top=5.0)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[k]) for row in (head, *rows)) for k in range(len(head))]
    return "\n".join(
        "   ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in (head, *rows)
    )


def _layers(count: int) -> list[str]:
    return [
        f"layer {k}" + (" (first)" if k == 0 else " (last)" if k == count - 1 else "")
        for k in range(count)
    ]


def _gradients(patient: TrainingProgram, healthy: TrainingProgram) -> Finding:
    found = probes.gradients(patient)
    rows = [
        (layer, f"{cosine:.2f}", f"{length:.3g}" if length < 0.1 else f"{length:.2f}")
        for layer, (cosine, length) in zip(_layers(len(found)), found, strict=True)
    ]
    return Finding(
        "Backpropagation compared with central differences, in float64. Healthy: cosine 1.00 and length "
        "1.00 in every layer.\n" + _table(("", "cosine", "length"), rows)
    )


def _twice(patient: TrainingProgram, healthy: TrainingProgram) -> Finding:
    return Finding(
        "Two backward passes on the same batch, without a step in between. Length of the second gradient, "
        f"relative to the first.\nHealthy: 1.00. Patient: {probes.twice(patient):.2f}"
    )


def _batch(patient: TrainingProgram, healthy: TrainingProgram) -> Finding:
    seen, given, shown = probes.batch(patient)
    right = probes.batch(healthy)[0]
    said = [
        f"numbers from {x.min():.2f} to {x.max():.2f}, {100 * np.mean(x == 0):.0f} % are 0"
        for x in (right, seen)
    ]
    picture = image_row(
        {f"label {label}": image for label, image in zip(given, seen, strict=True)}, width=0.86
    )
    same = np.array_equal(seen, right)
    what = f"They show {' '.join(map(str, shown))}" if same else "They cannot be recognised"
    picture.alt = (
        f"Ten images as the network gets them. {what}; the labels say {' '.join(map(str, given))}."
    )
    return Finding(
        "Ten images as the network gets them, each below the label that comes with it. Does the label name "
        f"the digit that you see?\nHealthy: {said[0]}.\nPatient: {said[1]}.",
        picture,
    )


def _reads(patient: TrainingProgram, healthy: TrainingProgram) -> Finding:
    rows = {
        name: probes.reads(chosen) for name, chosen in (("healthy", healthy), ("patient", patient))
    }
    said = [
        f"{name.capitalize()}: {np.mean(counts == 0):.0%} of its pixels are never read, others up to "
        f"{counts.max()} times; {elsewhere:.0%} of what it reads belongs to other images."
        for name, (counts, elsewhere) in rows.items()
    ]
    return Finding(
        "How often the first layer reads each pixel of one image.\n" + "\n".join(said),
        image_row({name: counts for name, (counts, _) in rows.items()}),
    )


def _movement(patient: TrainingProgram, healthy: TrainingProgram) -> Finding:
    ours, right = probes.movement(patient), probes.movement(healthy)
    rows = [
        (layer, f"{a:.3f}", f"{b:.3f}")
        for layer, a, b in zip(_layers(len(ours)), ours, right, strict=True)
    ]
    return Finding(
        "Largest change of a weight in the first step, divided by the learning rate. With gradient descent "
        "it depends on the seed, too.\n" + _table(("", "patient", "healthy"), rows)
    )


def _one_batch(patient: TrainingProgram, healthy: TrainingProgram) -> Finding:
    rows = [
        (name, f"{first:.2f}", f"{last:.2g}")
        for name, (first, last) in (
            ("patient", probes.one_batch(patient)),
            ("healthy", probes.one_batch(healthy)),
        )
    ]
    return Finding(
        "150 steps on the same batch: can it memorise 64 images?\n"
        + _table(("loss", "first", "last"), rows)
    )


def _rates(patient: TrainingProgram, healthy: TrainingProgram) -> Finding:
    ours, right = probes.rates(patient), probes.rates(healthy)
    rows = [
        (f"{factor:g} times the rate", *_ended(end), *_ended(right[factor]))
        for factor, end in ours.items()
    ]
    return Finding(
        "The whole training with other learning rates, each column at its own rate times the factor.\n"
        + _table(("", "loss", "right", "healthy: loss", "right"), rows)
    )


def _seeds(patient: TrainingProgram, healthy: TrainingProgram) -> Finding:
    rows = [(f"another seed, {k}", *_ended(end)) for k, end in enumerate(probes.seeds(patient), 1)]
    return Finding(
        "The whole training with four other seeds.\n" + _table(("", "loss", "right"), rows)
    )


def _ended(end: tuple[float, float]) -> tuple[str, str]:
    loss, accuracy = end
    return f"{loss:.2f}" if loss < 100 else "over 100", f"{accuracy:.0%}"


PROBES = {
    "batch": Probe("ten images and labels, as the network gets them", 1, _batch),
    "reads": Probe("how often the first layer reads each pixel", 1, _reads),
    "gradients": Probe(
        "backpropagation compared with central differences, layer by layer", 6, _gradients
    ),
    "twice": Probe("the gradient after a second backward pass", 2, _twice),
    "movement": Probe("how far each layer moves in the first step", 2, _movement),
    "one_batch": Probe("can it memorise one batch?", 2, _one_batch),
    "rates": Probe("the whole training with other learning rates", 8, _rates),
    "seeds": Probe("the whole training with other seeds", 8, _seeds),
}
