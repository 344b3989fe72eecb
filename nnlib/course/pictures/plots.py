"""Pictures of data, training and networks; each function returns a matplotlib Figure. Lesson 07.

One style (`style.py`), whatever the caller's settings; the figure is not in pyplot's list. Show it with
`figure(fig, alt=…)`, which gives it alt text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from nnlib import device
from nnlib.course.pictures import style
from nnlib.training.history import History
from nnlib.training.metrics import confusion_matrix as count_confusions
from nnlib.training.metrics import precision_recall


@rc_context(style.SETTINGS)
def sample_grid(images: Any, labels: Any = None, classes: Sequence[str] = (), columns: int = 10) -> Figure:
    """All given images (N, 1, H, W) or (N, H, W), row by row, with the names of their classes."""
    images = _planes(images)
    titles = None if labels is None else [_name(classes, label) for label in device.to_host(labels).reshape(-1)]
    if titles is not None and len(titles) != len(images):
        raise ValueError(f"{len(images)} images, but {len(titles)} labels")
    return _grid(images, titles, columns, cmap="gray")


@rc_context(style.SETTINGS)
def learning_curves(history: History) -> Figure:
    """Loss and accuracy by epoch: training dashed, validation solid with markers."""
    epochs = range(1, len(history) + 1)
    figure = Figure(figsize=(8.4, 3.4))
    for axes, quantity in zip(figure.subplots(1, 2), ("loss", "accuracy"), strict=True):
        axes.plot(epochs, getattr(history, f"train_{quantity}"), "--", color=style.ORANGE, label="training")
        valid = getattr(history, f"valid_{quantity}")
        if valid:
            axes.plot(epochs, valid, "-o", color=style.BLUE, label="validation")
        axes.set(xlabel="epoch", ylabel=quantity)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.legend()
    return figure


@rc_context(style.SETTINGS)
def confusion_matrix(predicted: Any, labels: Any, classes: Sequence[str]) -> Figure:
    """Counts of true class (row) against predicted class (column); mistakes carry the colour, hits only the number."""
    counts = count_confusions(predicted, labels, len(classes))
    mistakes = np.where(np.eye(len(classes), dtype=bool), 0, counts)
    figure = Figure(figsize=(6.2, 5.4))
    axes = figure.subplots()
    axes.imshow(mistakes, cmap="Oranges", vmin=0, vmax=max(1, mistakes.max()))
    for (row, column), count in np.ndenumerate(counts):
        if count:
            dark = mistakes[row, column] > 0.77 * max(1, mistakes.max())
            axes.text(column, row, str(count), ha="center", va="center", color="white" if dark else "black",
                      fontsize=9, weight="bold" if row == column else "normal")
    _, recall = precision_recall(counts)
    ticks = range(len(classes))
    long = max(map(len, classes)) > 2
    axes.set_xticks(ticks, classes, rotation=45 if long else 0, ha="right" if long else "center")
    axes.set_yticks(ticks, [f"{name}  ({share:.0%} found)" if np.isfinite(share) else name
                            for name, share in zip(classes, recall, strict=True)])
    axes.set(xlabel="predicted", ylabel="true")
    axes.grid(False)
    return figure


@rc_context(style.SETTINGS)
def filters(weight: Any) -> Figure:
    """Each filter's window for each input channel, weight (F, C, KH, KW); orange is positive, purple negative."""
    weight = device.to_host(weight)
    F, C = weight.shape[:2]
    limit = float(np.abs(weight).max()) or 1.0
    titles = [f"{f}" if C == 1 else f"{c} → {f}" for f in range(F) for c in range(C)]
    return _grid(weight.reshape(F * C, *weight.shape[2:]), titles, 8, cmap="PuOr_r", limits=(-limit, limit))


@rc_context(style.SETTINGS)
def feature_maps(maps: Any) -> Figure:
    """The channels of one image's activations, (C, H, W) or (1, C, H, W), on one common scale."""
    maps = device.to_host(maps)
    maps = maps[0] if maps.ndim == 4 else maps
    return _grid(maps, [str(channel) for channel in range(len(maps))], 8, cmap=style.SEQUENTIAL,
                 limits=(float(maps.min()), float(maps.max())))


@rc_context(style.SETTINGS)
def worst_mistakes(images: Any, labels: Any, probabilities: Any, classes: Sequence[str] = ()) -> Figure:
    """The ten wrongly classified images whose true class got the smallest probability, the worst first.

    probabilities (N, K): softmax of the outputs. Titles: true class, predicted class with its probability.
    """
    images, probabilities = _planes(images), device.to_host(probabilities)
    labels = device.to_host(labels).reshape(-1)
    predicted = probabilities.argmax(axis=1)
    wrong = np.flatnonzero(predicted != labels)
    order = wrong[np.argsort(probabilities[wrong, labels[wrong]], kind="stable")][:10]
    if not len(order):
        figure = Figure(figsize=(4, 1))
        figure.text(0.5, 0.5, "no mistakes", ha="center", va="center")
        return figure
    titles = [f"{_name(classes, labels[i])}, taken for\n{_name(classes, predicted[i])} "
              f"({probabilities[i, predicted[i]]:.0%})" for i in order]
    return _grid(images[order], titles, 5, cmap="gray", cell=1.5)


def _grid(images: np.ndarray, titles: Sequence[str] | None, columns: int, cmap: str,
          limits: tuple[float, float] | None = None, cell: float = 0.85) -> Figure:
    if not len(images):
        raise ValueError("there are no images to draw")
    columns = min(columns, len(images))
    rows = -(-len(images) // columns)
    lines = 0 if titles is None else 1 + max(title.count("\n") for title in titles)
    figure = Figure(figsize=(columns * cell, rows * (cell + 0.17 * lines)))
    for index, axes in enumerate(figure.subplots(rows, columns, squeeze=False).flat):
        axes.axis("off")
        if index < len(images):
            low, high = limits or (None, None)
            axes.imshow(images[index], cmap=cmap, vmin=low, vmax=high, interpolation="nearest")
            if titles is not None:
                axes.set_title(titles[index], fontsize=9, pad=2)
    return figure


def _planes(images: Any) -> np.ndarray:
    images = device.to_host(images)
    if images.ndim == 4 and images.shape[1] == 1:
        images = images[:, 0]
    if images.ndim != 3:
        raise ValueError(f"images have shape {images.shape}; expected (N, 1, H, W) or (N, H, W)")
    return images


def _name(classes: Sequence[str], label: int) -> str:
    return classes[int(label)] if classes else str(int(label))
