"""Draw a digit with the mouse and have it read by a trained network. Lesson 07.

The pad needs a running kernel: the network answers from there. Where there is none, a picture and a sentence stay.
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets

from nnlib import device, ops
from nnlib.course.pictures.features import feature_planes, layer_outputs
from nnlib.course.pictures.style import GREY, SKY, Picture
from nnlib.course.pictures.svg import Drawing
from nnlib.datasets import Examples
from nnlib.model import Sequential
from nnlib.ops import arrays

__all__ = ["DigitPad", "like_mnist"]

SIZE = 70  # rows and columns of what the browser sends: its 280 x 280 canvas, 4 x 4 pixels averaged


def like_mnist(ink: np.ndarray) -> np.ndarray:
    """Prepare a drawing (H, W) uint8, bright on dark, as MNIST's makers prepared theirs: (28, 28) uint8.

    The ink's bounding box is scaled to 20 pixels, its centre of mass goes to the middle. Without ink all zeros.

    >>> ink = np.zeros((70, 70), np.uint8)
    >>> ink[3:43, 50:60] = 255  # 40 x 10, in a corner
    >>> (like_mnist(ink) > 0).any(axis=1).sum().item(), (like_mnist(ink) > 0).any(axis=0).sum().item()
    (20, 5)
    """
    from PIL import Image

    out = np.zeros((28, 28), np.uint8)
    rows, columns = np.flatnonzero(ink.any(1)), np.flatnonzero(ink.any(0))
    if not len(rows):
        return out
    box = Image.fromarray(ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])
    scale = 20 / max(box.size)
    small = np.asarray(
        box.resize([max(1, round(n * scale)) for n in box.size], Image.Resampling.BILINEAR)
    )
    mass = np.maximum(small.astype(np.float64), 1e-9)
    place = []
    for length, weights in zip(small.shape, (mass.sum(1), mass.sum(0)), strict=True):
        centre = (weights * np.arange(length)).sum() / weights.sum()
        place.append(int(np.clip(round(14 - centre), 0, 28 - length)))
    out[place[0] : place[0] + small.shape[0], place[1] : place[1] + small.shape[1]] = small
    return out


class DigitPad(anywidget.AnyWidget):
    """A canvas to draw on, what the network sees of it, and its probabilities as bars.

    model: takes images (N, 1, 28, 28). examples: digits to try with the button "sample"; their mean and standard
    deviation must be those the model was trained with. It answers on the engine on which it was made (`ops.engine`).
    `read(ink)` is what the pad asks for every stroke; `digit` is the image (28, 28) that it read last.
    """

    _esm = Path(__file__).with_name("digit_pad.js")
    seen = traitlets.Bytes(b"").tag(sync=True)  # to the browser, 28 x 28
    probabilities = traitlets.List(traitlets.Float()).tag(sync=True)
    classes = traitlets.List(traitlets.Unicode()).tag(sync=True)
    truth = traitlets.Unicode("").tag(sync=True)  # the label of a sample, "" for a drawing
    maps: Any = traitlets.List().tag(sync=True)  # per layer: name, channels, rows, columns
    # All of them, signed: 127 is a layer's largest number
    channels = traitlets.Bytes(b"").tag(sync=True)
    answers = traitlets.Int(0).tag(sync=True)  # so far: equal answers are answers, too

    def __init__(self, model: Sequential, examples: Examples) -> None:
        names = examples.classes or tuple(map(str, range(10)))
        super().__init__(classes=list(names))
        self._model, self._examples, self._engine = model, examples, ops.current_engine()
        self._order = itertools.cycle(np.random.default_rng(0).permutation(len(examples)).tolist())
        self.on_msg(self._asked)

    def read(self, ink: np.ndarray) -> np.ndarray:
        """Return the probabilities (classes,) of a drawing (H, W) uint8; shown in the pad as well."""
        return self._show(like_mnist(ink), "")

    def sample(self) -> np.ndarray:
        """Show and read the next test image."""
        index = next(self._order)
        label = self.classes[int(self._examples.labels[index])]
        return self._show(device.to_host(self._examples.inputs[index, 0]), label)

    @property
    def digit(self) -> np.ndarray:
        """The image (28, 28) uint8 that was read last; before that, the first sample."""
        if not self.seen:
            self.sample()
        return np.frombuffer(self.seen, np.uint8).reshape(28, 28)

    def _show(self, image: np.ndarray, truth: str) -> np.ndarray:
        with ops.engine(self._engine):
            outputs = layer_outputs(self._model, self._examples.prepare(image[None, None]))
        probabilities: np.ndarray = arrays.softmax(outputs[-1][1])[0]
        planes = feature_planes(outputs)
        with self.hold_sync():
            self.seen, self.truth = image.tobytes(), truth
            self.maps = [[name, *found.shape] for name, found in planes]
            self.channels = b"".join(_signed_bytes(found) for _, found in planes)
            self.probabilities = probabilities.tolist()
            self.answers += 1
        return probabilities

    def _asked(self, _: Any, content: Any, buffers: Any) -> None:
        if content == "sample":
            self.sample()
        elif content == "ink" and buffers and len(buffers[0]) == SIZE * SIZE:
            self.read(np.frombuffer(buffers[0], np.uint8).reshape(SIZE, SIZE))

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[Any, ...]:
        picture = Picture(str(_still(self.classes)), _WORDS, shades=True)
        still = {
            "text/html": f"<figure style='margin:0'>{picture.img()}<figcaption>{_WORDS}</figcaption></figure>",
            "text/plain": _WORDS,
        }
        live: Any = super()._repr_mimebundle_(**kwargs)
        return ({**live[0], **still} if live else still), {}


def _signed_bytes(planes: np.ndarray) -> bytes:
    most = float(np.abs(planes).max()) or 1.0
    return np.round(127 * planes / most).astype(np.int8).tobytes()


INK, SHEET = "#E6E6E6", "#1B1B1B"  # of the pad, which is dark in every theme
_WORDS = (
    "Digit pad: draw a digit on the dark square, and ten bars say how the network reads it. "
    "It needs a running kernel: run this cell in JupyterLab."
)


def _still(classes: list[str]) -> Drawing:
    """Return the pad before anyone has drawn on it."""
    drawing = Drawing(520, 300)
    drawing.rect(0, 0, 520, 300, SHEET)
    drawing.cell((10, 10, 280, 280), "#111111", "draw here", 16, ink=INK, stroke=GREY)
    for row, name in enumerate(classes):
        y = 18 + row * 270 / len(classes)
        drawing.text(330, y + 15, name, 13, INK, anchor="end")
        drawing.rect(340, y + 3, 160, 16, GREY)
        drawing.rect(340, y + 3, 160 / len(classes), 16, SKY)
    return drawing
