"""Attention: a softmax in one pass, tiles of a table that nobody stores, who looks at whom, sampled names. Lesson 10."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import numpy as np

from nnlib import datasets, device
from nnlib.course.pictures.style import BLACK, BLUE, GREY, ORANGE, PALE, SKY
from nnlib.course.pictures.svg import Drawing
from nnlib.course.pictures.widgets import Explorer, Stepper
from nnlib.layers import CausalSelfAttention
from nnlib.model import Sequential
from nnlib.ops import arrays
from nnlib.training.evaluation import evaluating
from nnlib.training.sampling import sample

_CELL = 44  # pixels of a cell
_OF_A_NAME = 12  # characters at most
_ROW = (1, 3, 2), (10, 20, 30)  # scores and values
_Kept = tuple[float, float, float]  # largest, total, result
_T, _TILE, _OWN = 8, 2, range(4, 6)  # queries and keys, of a tile, those of the block shown


def online_stepper() -> Stepper:
    """Show a row of weights in one pass, score by score, with 2 in place of e: what is kept, and how it is rescaled.

    >>> online_stepper().pictures[2,].alt
    'Score 3 is the largest so far, so what was added up shrinks by 2^(1 - 3) = 0.25. Its weight is 1. \
largest 3, total 1.25, result 22.5, result / total 18.'
    """
    largest, total, result = -math.inf, 0.0, 0.0
    frames = []
    for k, (score, value) in enumerate(zip(*_ROW, strict=True)):
        new = max(largest, score)
        factor, weight = 2 ** (largest - new), 2 ** (score - new)
        before = largest, total, result
        total, result = factor * total + weight, factor * result + weight * value
        rescaled = (
            f"so what was added up shrinks by 2^({before[0]:g} - {score:g}) = {factor:g}"
            if k
            else "and nothing was added up before it"
        )
        words = (
            f"Score {score:g} is the largest so far, {rescaled}. Its weight is 1."
            if new > before[0]
            else f"Score {score:g} is below the largest, {new:g}, which stays. Its weight is "
            f"2^({score:g} - {new:g}) = {weight:g}."
        )
        largest = new
        words += (
            f" largest {largest:g}, total {total:g}, result {result:g}, "
            f"result / total {result / total:.3g}."
        )
        frames.append((_online(k, before, factor, weight, (largest, total, result)), words))
    return Stepper(frames, "score", still=0)


def _online(
    at: int,
    before: _Kept,
    factor: float,
    weight: float,
    after: _Kept,
) -> Drawing:
    drawing = Drawing(620, 250)
    for row, (name, numbers) in enumerate(zip(("score", "value"), _ROW, strict=True)):
        drawing.text(84, 30 + 40 * row, name, 13, GREY, "end")
        for k, number in enumerate(numbers):
            tint = ORANGE if k == at else SKY if k < at else PALE
            drawing.cell((94 + 64 * k, 10 + 40 * row, 58, 30), tint, f"{number:g}", 14, stroke=GREY)
    for column, name in enumerate(("before", "times", "plus", "after")):
        drawing.text(150 + 125 * column, 118, name, 13, GREY)
    added = "", f"{weight:g}", f"{weight * _ROW[1][at]:g}"
    for row, name in enumerate(("largest", "total", "result")):
        y = 145 + 38 * row
        drawing.text(84, y, name, 13, BLACK, "end")
        last = f"{before[row]:g}".replace("-inf", "-∞")
        cells = last, f"{factor:g}" * bool(row), added[row], f"{after[row]:g}"
        for column, cell in enumerate(cells):
            drawing.cell(
                (98 + 125 * column, y - 20, 104, 30),
                (PALE, "none", "none", BLUE)[column],
                cell,
                14,
                ink="white" if column == 3 else BLACK,
                stroke=GREY if cell else "none",
            )
    return drawing


def attention_tiles() -> Stepper:
    """Show one block's way through the table of weights: which tile of it exists now, and what is left of the others.

    >>> attention_tiles().pictures[2,].alt
    'Step 2 of 3: the block of queries 4 to 5 meets keys 2 to 3. Of 36 weights, 4 exist, in registers. The other \
blocks do the other rows.'
    """
    frames = []
    for step, low in enumerate(range(0, _OWN[-1], _TILE), 1):
        now = sum(low <= j <= i for i in _OWN for j in range(low + _TILE))
        words = (
            f"Step {step} of 3: the block of queries {_OWN[0]} to {_OWN[-1]} meets keys "
            f"{low} to {low + _TILE - 1}. Of {_T * (_T + 1) // 2} weights, {now} exist, in registers. "
            "The other blocks do the other rows."
        )
        frames.append((_table(low), words))
    return Stepper(frames, still=0)


def _table(low: int) -> Drawing:
    left, top = 120, 56
    drawing = Drawing(left + _CELL * _T + 300, top + _CELL * _T + 10)
    drawing.text(left + _CELL * _T / 2, 20, "key", 13, GREY)
    drawing.text(52, top + _CELL * _T / 2, "query", 13, GREY)
    for i in range(_T):
        drawing.text(left - 14, top + 28 + _CELL * i, i, 13, GREY, "end")
        drawing.text(left + 21 + _CELL * i, top - 8, i, 13, GREY)
        for j in range(_T):
            mine, seen = i in _OWN, j <= i
            now = mine and low <= j < low + _TILE and seen
            over = mine and j < low
            fill = ORANGE if now else SKY if over else PALE if seen else "none"
            drawing.rect(
                left + _CELL * j,
                top + _CELL * i,
                _CELL - 2,
                _CELL - 2,
                fill,
                GREY if seen else "none",
            )
            if over:
                drawing.text(left + 21 + _CELL * j, top + 28 + _CELL * i, "gone", 12)
    x = left + _CELL * _T + 24
    for row, (fill, words) in enumerate(
        (
            (ORANGE, "weights of this step"),
            (SKY, "added up, then forgotten"),
            (PALE, "of later steps and other blocks"),
        )
    ):
        drawing.rect(x, top + 34 * row, 24, 24, fill, GREY)
        drawing.text(x + 34, top + 17 + 34 * row, words, 13, BLACK, "start")
    for row, words in enumerate(
        (
            "Kept for each query:",
            "  largest, total, result",
            "In shared memory:",
            "  q, and k and v of this step",
        )
    ):
        drawing.text(x, top + 140 + 24 * row, words, 13, BLACK, "start")
    return drawing


def attention_maps(model: Sequential, classes: Sequence[str], text: str = ".katherine") -> Explorer:
    """Show at which characters each head of a model looks, character by character, while it reads the text."""
    tokens = datasets.encode(classes, text)
    xp = device.array_module(model.parameters)
    with evaluating(model):
        model.forward(xp.asarray(tokens[None]))
    tables = [
        _weights(layer) for layer in model.modules() if isinstance(layer, CausalSelfAttention)
    ]
    heads = np.concatenate(tables)
    labels = [
        f"{block + 1}.{head + 1}" if len(tables) > 1 else str(head + 1)
        for block, table in enumerate(tables)
        for head in range(len(table))
    ]

    def draw(label: str, position: int) -> Drawing:
        return _map(heads[labels.index(label)], text, position - 1)

    def say(label: str, position: int) -> str:
        row = heads[labels.index(label)][position - 1, :position]
        most = int(row.argmax())
        return (
            f"Head {label} has read {text[:position]!r} and looks most at character {most + 1}, "
            f"{text[most]!r}: {row[most]:.0%} of its weight."
        )

    return Explorer(
        {"head": labels, "character": range(1, len(text) + 1)}, draw, say, (labels[0], len(text))
    )


def _weights(layer: CausalSelfAttention) -> np.ndarray:
    """Return the weights (H, T, T) of the first sequence of the latest `forward`."""
    qkv = device.to_host(layer.qkv)[0].astype(np.float64)
    T = len(qkv)
    q, k, _ = qkv.reshape(T, 3, layer.heads, -1).transpose(1, 2, 0, 3)
    scores = q @ k.swapaxes(1, 2) / math.sqrt(q.shape[-1])
    return np.asarray(arrays.softmax(np.where(np.tri(T), scores, -np.inf)))


def _map(p: np.ndarray, text: str, row: int) -> Drawing:
    T, cell = len(text), 34
    drawing = Drawing(max(60 + cell * T, 420), 64 + cell * T)
    drawing.text(
        50,
        56 + cell * T,
        "Row: the character that looks. Column: what it looks at.",
        13,
        GREY,
        "start",
    )
    for i, letter in enumerate(text):
        drawing.text(36, 56 + cell * i, letter, 15, BLACK if i == row else GREY, mono=True)
        drawing.text(66 + cell * i, 24, letter, 15, BLACK if i <= row else GREY, mono=True)
        for j in range(i + 1):
            x, y = 50 + cell * j, 34 + cell * i
            drawing.rect(x, y, cell - 2, cell - 2, BLUE, opacity=max(0.03, float(p[i, j])))
            if i == row:
                drawing.rect(x, y, cell - 2, cell - 2, "none", ORANGE, stroke_width=2)
    return drawing


def sampled_names(model: Sequential, classes: Sequence[str], known: Collection[str]) -> Explorer:
    """Show twelve names that a model makes up, by temperature. known: names of the training data, which are framed."""
    names = {t: _names(model, classes, t) for t in (0, 0.5, 0.8, 1, 1.5)}

    def draw(temperature: float) -> Drawing:
        drawing = Drawing(640, 150)
        for k, name in enumerate(names[temperature]):
            drawing.cell(
                (10 + 158 * (k % 4), 10 + 46 * (k // 4), 148, 36),
                PALE,
                name,
                15,
                stroke=ORANGE if name in known else "none",
                mono=True,
                stroke_width=3,
                down=24,
            )
        return drawing

    def say(temperature: float) -> str:
        made = names[temperature]
        old = sum(name in known for name in made)
        return (
            f"Temperature {temperature:g}: {', '.join(made)}. "
            f"{old} of {len(made)} are names of the training data, framed."
        )

    return Explorer({"temperature": list(names)}, draw, say, (1,))


def _names(model: Sequential, classes: Sequence[str], temperature: float) -> list[str]:
    """Return what the model writes behind a dot, up to the next one, twelve times."""
    texts = (sample(model, [0], _OF_A_NAME, 16, temperature, seed=seed) for seed in range(12))
    return [datasets.decode(classes, text[1:]).split(".")[0] for text in texts]
