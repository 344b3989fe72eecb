"""Pictures of a trained network: its filters, its view of an image, and its confidence. Lesson 07."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nnlib import device
from nnlib.course.pictures.style import BLUE, GREY, Picture, empty_figure, figure, styled, subplots
from nnlib.model import Sequential
from nnlib.training.evaluation import evaluating

MOST = 16  # channels of a layer that are drawn


def layer_outputs(model: Sequential, x: Any) -> list[tuple[str, np.ndarray]]:
    """Return (name, output) of each layer for a prepared batch x, in evaluation mode, on the host.

    >>> from nnlib.layers import Flatten, ReLU
    >>> [name for name, _ in layer_outputs(Sequential(ReLU(), Flatten()), np.ones((1, 1, 2, 2), np.float32))]
    ['ReLU()', 'Flatten()']
    """
    outputs = []
    x = device.array_module(model.parameters).asarray(x)
    with evaluating(model):
        for layer in model.layers:
            x = layer.forward(x)
            outputs.append((repr(layer), device.to_host(x)))
    return outputs


def feature_planes(outputs: list[tuple[str, np.ndarray]]) -> list[tuple[str, np.ndarray]]:
    """Return (name, channels (C, H, W)) of each layer with rows and columns, for the first image of a batch."""
    return [(name, out[0, :MOST]) for name, out in outputs if out.ndim == 4]


@styled
def filters(rows: Mapping[str, Any]) -> Picture:
    """Draw the filters of convolutions, a row for each: name -> layer, such as one before and one after training.

    All filters of a row have one scale: orange is above zero, purple below. Only the first channel is drawn. The number
    above a filter is that of its channel.
    """
    weights = {name: device.to_host(layer.weight)[:MOST, 0] for name, layer in rows.items()}
    said = ", ".join(
        f"{len(each)} filters of {each.shape[1]} x {each.shape[2]} {name}"
        for name, each in weights.items()
    )
    return _signed_rows(weights, f"The first channel of {said}")


@styled
def feature_maps(model: Sequential, image: Any) -> Picture:
    """Draw what each layer with channels makes of one prepared image (1, H, W): its first 16 channels."""
    found = dict(
        feature_planes(layer_outputs(model, device.to_host(image)[None].astype(np.float32)))
    )
    return _signed_rows(
        found,
        "What the layers make of one digit: "
        + ", ".join(f"{name} {' x '.join(map(str, out.shape))}" for name, out in found.items()),
    )


@styled
def calibration(probabilities: Any, labels: Any) -> Picture:
    """Draw how often a network is right, over how sure it is; below the diagonal it is too sure.

    probabilities (N, K): softmax of the outputs. The bars say how many answers are in each tenth.
    """
    probabilities, labels = device.to_host(probabilities), device.to_host(labels).reshape(-1)
    sure, right = probabilities.max(1), probabilities.argmax(1) == labels
    tenth = np.minimum((10 * sure).astype(int), 9)
    some = [k for k in range(10) if np.sum(tenth == k) >= 10]
    x = [float(sure[tenth == k].mean()) for k in some]
    y = [float(right[tenth == k].mean()) for k in some]
    fig, axes = subplots((5.6, 3.4))
    axes.plot([0, 1], [0, 1], ":", color=GREY, label="as sure as right")
    axes.plot(x, y, "o-", color=BLUE, label="your network")
    for k, at, share in zip(some, x, y, strict=True):
        above = share > at
        axes.annotate(
            f"{np.sum(tenth == k):,}",
            (at, share),
            (-5, 5) if above else (4, -13),  # away from the dotted line
            textcoords="offset points",
            ha="right" if above else "left",
            fontsize=9,
        )
    axes.set(xlabel="how sure", ylabel="share that is right", xlim=(0, 1.08), ylim=(0, 1.05))
    axes.legend(loc="upper left")
    said = "; ".join(
        f"{np.sum(tenth == k)} answers are {at:.0%} sure and {share:.0%} right"
        for k, at, share in zip(some, x, y, strict=True)
    )
    return figure(
        fig,
        alt=f"How often the network is right against how sure it is: {said or 'too few answers'}.",
    )


def _signed_rows(rows: Mapping[str, np.ndarray], said: str) -> Picture:
    """Draw planes (C, H, W) in rows under their names; in each row white is 0, and its largest number is darkest."""
    columns = max(map(len, rows.values()))
    fig = empty_figure((max(6.0, 0.62 * columns), 0.92 * len(rows)))
    for part, (name, planes) in zip(
        np.atleast_1d(fig.subfigures(len(rows), 1)), rows.items(), strict=True
    ):
        part.suptitle(name, fontsize=10, x=0.01, ha="left")
        most = float(np.abs(planes).max()) or 1.0
        for k, axes in enumerate(part.subplots(1, columns, squeeze=False)[0]):
            axes.axis("off")
            if k < len(planes):
                axes.set_title(str(k), fontsize=8, pad=2)
                axes.imshow(
                    planes[k], cmap="PuOr_r", vmin=-most, vmax=most, interpolation="nearest"
                )
    return figure(fig, alt=f"{said}. Orange is above zero, purple below.")
