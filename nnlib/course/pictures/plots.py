"""Pictures of data, training and networks. Lesson 07.

One style (`style.py`), whatever the caller's settings; no figure is in pyplot's list.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from IPython.display import display

from nnlib import device
from nnlib.course.pictures import style
from nnlib.course.pictures.style import (
    Picture,
    empty_figure,
    figure,
    styled,
    subplots,
    whole_numbers,
)
from nnlib.training.history import History
from nnlib.training.metrics import confusion_matrix as count_confusions
from nnlib.training.metrics import precision_recall


@styled
def sample_grid(
    images: Any, labels: Any = None, classes: Sequence[str] = (), columns: int = 10
) -> Picture:
    """Draw all given images (N, 1, H, W) or (N, H, W), row by row, with the names of their classes."""
    images = _planes(images)
    titles = (
        None
        if labels is None
        else [_name(classes, label) for label in device.to_host(labels).reshape(-1)]
    )
    if titles is not None and len(titles) != len(images):
        raise ValueError(f"{len(images)} images, but {len(titles)} labels")
    shown = f", with their classes {', '.join(dict.fromkeys(titles))}" if titles else ""
    return figure(
        _grid(images, titles, columns),
        alt=f"{len(images)} images in rows of {min(columns, len(images))}{shown}.",
    )


@styled
def learning_curves(history: History) -> Picture:
    """Draw loss and accuracy by epoch: training dashed, validation solid with markers."""
    epochs = range(1, len(history) + 1)
    fig = empty_figure((8.4, 3.4))
    for axes, quantity in zip(fig.subplots(1, 2), ("loss", "accuracy"), strict=True):
        axes.plot(
            epochs,
            getattr(history, f"train_{quantity}"),
            "--",
            color=style.ORANGE,
            label="training",
        )
        valid = getattr(history, f"valid_{quantity}")
        if valid:
            axes.plot(epochs, valid, "-o", color=style.BLUE, label="validation")
        axes.set(xlabel="epoch", ylabel=quantity)
        axes.xaxis.set_major_locator(whole_numbers())
        axes.legend()
    last = f"training loss {history.train_loss[-1]:.2f}"
    if history.valid_loss:
        best = int(np.argmin(history.valid_loss))
        last += (
            f", validation loss {history.valid_loss[-1]:.2f} (least {history.valid_loss[best]:.2f} in epoch "
            f"{best + 1}), validation accuracy {history.valid_accuracy[-1]:.1%}"
        )
    return figure(
        fig, alt=f"Loss and accuracy after {len(history)} epoch{'s' * (len(history) > 1)}: {last}."
    )


@styled
def confusion_matrix(predicted: Any, labels: Any, classes: Sequence[str]) -> Picture:
    """Draw the counts of true class (row) against predicted class (column); mistakes carry the colour, hits only the number."""
    counts = count_confusions(predicted, labels, len(classes))
    mistakes = np.where(np.eye(len(classes), dtype=bool), 0, counts)
    fig, axes = subplots((6.2, 5.4))
    axes.imshow(mistakes, "Oranges", vmin=0, vmax=max(1, mistakes.max()), aspect="auto")
    for (row, column), count in np.ndenumerate(counts):
        if count:
            dark = mistakes[row, column] > 0.77 * max(1, mistakes.max())
            axes.text(
                column,
                row,
                str(count),
                ha="center",
                va="center",
                color="white" if dark else "black",
                fontsize=9,
                weight="bold" if row == column else "normal",
            )
    _, recall = precision_recall(counts)
    ticks = range(len(classes))
    long = max(map(len, classes)) > 2
    axes.set_xticks(ticks, classes, rotation=45 if long else 0, ha="right" if long else "center")
    axes.set_yticks(
        ticks,
        [
            f"{name}  ({share:.0%} found)" if np.isfinite(share) else name
            for name, share in zip(classes, recall, strict=True)
        ],
    )
    axes.set(xlabel="predicted", ylabel="true")
    axes.grid(False)
    row, column = divmod(int(mistakes.argmax()), len(classes))
    often = (
        f"the most frequent mistake: {classes[row]} is taken for {classes[column]}, {_times(counts[row, column])}"
        if mistakes.any()
        else "no mistakes"
    )
    share = f"{int(np.trace(counts))} of {int(counts.sum())} right"
    return figure(fig, alt=f"Confusion matrix of {len(classes)} classes, {share}; {often}.")


@styled
def worst_mistakes(
    images: Any, labels: Any, probabilities: Any, classes: Sequence[str] = ()
) -> Picture:
    """Draw the ten wrongly classified images whose true class got the smallest probability, the worst first.

    probabilities (N, K): softmax of the outputs. Titles: true class, predicted class with its probability.
    """
    images, probabilities = _planes(images), device.to_host(probabilities)
    labels = device.to_host(labels).reshape(-1)
    predicted = probabilities.argmax(axis=1)
    wrong = np.flatnonzero(predicted != labels)
    order = wrong[np.argsort(probabilities[wrong, labels[wrong]], kind="stable")][:10]
    if not len(order):
        fig = empty_figure((4, 1))
        fig.text(0.5, 0.5, "no mistakes", ha="center", va="center")
        return figure(fig, alt=f"No mistakes: all {len(labels)} images are classified correctly.")
    titles = [
        f"{_name(classes, labels[i])}, taken for\n{_name(classes, predicted[i])} "
        f"({probabilities[i, predicted[i]]:.0%})"
        for i in order
    ]
    return figure(
        _grid(images[order], titles, 5, cell=1.5),
        alt=f"{len(order)} of {len(wrong)} wrongly classified images, the worst first, with the probability "
        f"of what they are taken for: {'; '.join(titles)}.",
    )


class LiveCurves:
    """Learning curves that are drawn anew after each epoch: `fit(…, on_epoch=LiveCurves())`, in a notebook."""

    def __init__(self) -> None:
        empty = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>'
        self._handle = display(
            figure(empty, alt="Learning curves appear here after epoch 1."), display_id=True
        )

    def __call__(self, model: Any, history: History) -> None:
        self._handle.update(learning_curves(history))


def _grid(
    images: np.ndarray, titles: Sequence[str] | None, columns: int, cell: float = 0.85
) -> Any:
    if not len(images):
        raise ValueError("there are no images to draw")
    columns = min(columns, len(images))
    rows = -(-len(images) // columns)
    lines = 0 if titles is None else 1 + max(title.count("\n") for title in titles)
    fig = empty_figure((columns * cell, rows * (cell + 0.17 * lines)))
    for index, axes in enumerate(fig.subplots(rows, columns, squeeze=False).flat):
        axes.axis("off")
        if index < len(images):
            axes.imshow(images[index], cmap="gray", interpolation="nearest")
            if titles is not None:
                axes.set_title(titles[index], fontsize=9, pad=2)
    return fig


def _planes(images: Any) -> np.ndarray:
    images = device.to_host(images)
    if images.ndim == 4 and images.shape[1] == 1:
        images = images[:, 0]
    if images.ndim != 3:
        raise ValueError(f"images have shape {images.shape}; expected (N, 1, H, W) or (N, H, W)")
    return np.asarray(images)


def _name(classes: Sequence[str], label: int) -> str:
    return classes[int(label)] if classes else str(int(label))


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
