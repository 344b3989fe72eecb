"""Pictures of data, training and networks; each function returns a matplotlib Figure. Lesson 07.

One style (`nnlib.style`); show a figure with `nnlib.lesson.figure(fig, alt=…)`, which gives it alt text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from nnlib import device, style
from nnlib.metrics import confusion_matrix as count_confusions
from nnlib.metrics import precision_recall
from nnlib.training.history import History


def _styled(draw: Callable[..., Figure]) -> Callable[..., Figure]:
    """In our style, leaving the settings of the caller alone; the figure is not in pyplot's list."""

    @wraps(draw)
    def call(*args: Any, **kwargs: Any) -> Figure:
        with matplotlib.rc_context():
            style.use()
            return draw(*args, **kwargs)

    return call


@_styled
def sample_grid(images: Any, labels: Any = None, classes: Sequence[str] = (), columns: int = 10) -> Figure:
    """All given images (N, 1, H, W) or (N, H, W), row by row, with the names of their classes."""
    images = _planes(images)
    titles = None if labels is None else [_name(classes, label) for label in device.to_host(labels).reshape(-1)]
    if titles is not None and len(titles) != len(images):
        raise ValueError(f"{len(images)} images, but {len(titles)} labels")
    return _grid(images, titles, columns, cmap="gray")


@_styled
def learning_curves(histories: History | dict[str, History]) -> Figure:
    """Loss and accuracy by epoch: training dashed, validation solid with markers; a dict compares trainings by name."""
    named = histories if isinstance(histories, dict) else {"": histories}
    figure = Figure(figsize=(8.4, 3.4))
    for axes, quantity in zip(figure.subplots(1, 2), ("loss", "accuracy"), strict=True):
        for index, (name, history) in enumerate(named.items()):
            _curves(axes, history, quantity, name, index)
        axes.set(xlabel="epoch", ylabel=quantity)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.legend()
    return figure


@_styled
def confusion_matrix(predicted: Any, labels: Any, classes: Sequence[str]) -> Figure:
    """Counts of true class (row) against predicted class (column); mistakes carry the colour, hits only the number."""
    counts = count_confusions(predicted, labels, len(classes))
    mistakes = np.where(np.eye(len(classes), dtype=bool), 0, counts)
    figure = Figure(figsize=(6.2, 5.4))
    axes = figure.subplots()
    axes.imshow(mistakes, cmap="Oranges", vmin=0, vmax=max(1, mistakes.max()))
    for (row, column), count in np.ndenumerate(counts):
        if count:
            dark = mistakes[row, column] > 0.6 * max(1, mistakes.max())
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


@_styled
def filters(weight: Any, columns: int = 8) -> Figure:
    """Each filter's window for each input channel, weight (F, C, KH, KW); orange is positive, purple negative."""
    weight = device.to_host(weight)
    F, C = weight.shape[:2]
    limit = float(np.abs(weight).max()) or 1.0
    titles = [f"{f}" if C == 1 else f"{c} → {f}" for f in range(F) for c in range(C)]
    return _grid(weight.reshape(F * C, *weight.shape[2:]), titles, columns, cmap="PuOr_r", limits=(-limit, limit))


@_styled
def feature_maps(maps: Any, columns: int = 8) -> Figure:
    """The channels of one image's activations, (C, H, W) or (1, C, H, W), on one common scale."""
    maps = device.to_host(maps)
    maps = maps[0] if maps.ndim == 4 else maps
    return _grid(maps, [str(channel) for channel in range(len(maps))], columns, cmap=style.SEQUENTIAL,
                 limits=(float(maps.min()), float(maps.max())))


@_styled
def worst_mistakes(images: Any, labels: Any, probabilities: Any, classes: Sequence[str] = (), count: int = 10,
                   columns: int = 5) -> Figure:
    """The wrongly classified images whose true class got the smallest probability, the worst first.

    probabilities (N, K): softmax of the outputs. Titles: true class, predicted class with its probability.
    """
    images, probabilities = _planes(images), device.to_host(probabilities)
    labels = device.to_host(labels).reshape(-1)
    predicted = probabilities.argmax(axis=1)
    wrong = np.flatnonzero(predicted != labels)
    order = wrong[np.argsort(probabilities[wrong, labels[wrong]], kind="stable")][:count]
    if not len(order):
        figure = Figure(figsize=(4, 1))
        figure.text(0.5, 0.5, "no mistakes", ha="center", va="center")
        return figure
    titles = [f"{_name(classes, labels[i])}, taken for\n{_name(classes, predicted[i])} "
              f"({probabilities[i, predicted[i]]:.0%})" for i in order]
    return _grid(images[order], titles, columns, cmap="gray", cell=1.5)


def _curves(axes: Axes, history: History, quantity: str, name: str, index: int) -> None:
    epochs = np.arange(1, len(history) + 1)
    marker, prefix = "osD^vPX*"[index % 8], f"{name}, " if name else ""
    train, valid = getattr(history, f"train_{quantity}"), getattr(history, f"valid_{quantity}")
    colours = style.PALETTE
    shared = colours[index % len(colours)] if name else None
    axes.plot(epochs, train, "--", color=shared or colours[1], label=f"{prefix}training")
    if valid:
        axes.plot(epochs, valid, "-", marker=marker, color=shared or colours[0], label=f"{prefix}validation")


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
