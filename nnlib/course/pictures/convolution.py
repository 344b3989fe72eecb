"""Convolution and pooling, position by position, forwards and backwards. Lessons 05 and 06.

picture (H, W), weights (K, K) and dy (H - K + 1, W - K + 1) are small arrays of whole numbers, so that sums can be
followed by eye.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nnlib.course.pictures.style import BLACK, BLUE, GREEN, GREY, ORANGE, PALE, SKY, Picture, figure
from nnlib.course.pictures.svg import Drawing
from nnlib.course.pictures.widgets import Explorer, Stepper

PICTURE = np.array(
    [[1, 2, 0, 1, 0], [0, 1, 3, 1, 2], [2, 0, 1, 0, 1], [1, 1, 0, 2, 0], [0, 2, 1, 0, 1]],
    np.float32,
)
SOBEL = np.array([[1, 0, -1], [2, 0, -2], [1, 0, -1]], np.float32)
CHANNELS = np.array([PICTURE[:3, :3], [[1, 0, 1], [0, 2, 0], [1, 0, 1]]], np.float32)  # (C, H, W)
PLANES = np.array([SOBEL, np.eye(3)], np.float32)  # (C, K, K), the planes of one filter
CELL = 34


def _matrix(
    drawing: Drawing, x: float, y: float, name: str, matrix: Any, fill: Any, words: Any = None
) -> None:
    """Draw a matrix of numbers under its name; fill(i, j) is a colour, words(i, j) replaces the number."""
    drawing.text(x + CELL * matrix.shape[1] / 2, y + 12, name, 13, GREY)
    for (i, j), value in np.ndenumerate(matrix):
        colour = fill(i, j)
        drawing.rect(x + j * CELL, y + 20 + i * CELL, CELL - 2, CELL - 2, colour)
        text = f"{value:g}" if words is None else words(i, j)
        drawing.text(
            x + j * CELL + CELL / 2 - 1,
            y + 20 + i * CELL + 21,
            text,
            14,
            "white" if colour == BLUE else BLACK,
        )


def _sum(factors: Any, others: Any, zeros: bool = False) -> str:
    """Write out a sum of products. zeros: also those that are 0."""
    terms = [
        f"{a:g}·{b:g}" if b >= 0 else f"{a:g}·({b:g})"
        for a, b in zip(np.ravel(factors), np.ravel(others), strict=True)
        if zeros or (a and b)
    ]
    return f"{' + '.join(terms) or '0'} = {np.sum(np.asarray(factors) * others):g}".replace(
        "+ -", "− "
    )


def _three(
    first: tuple[Any, ...],
    second: tuple[Any, ...],
    title: str,
    result: np.ndarray,
    at: tuple[int, int],
) -> str:
    """Draw two matrices, (title, values, colour), and their result with its numbers up to that position."""
    drawn = [
        first,
        second,
        (
            title,
            result,
            lambda i, j: GREEN if (i, j) == at else PALE,
            lambda i, j: f"{result[i, j]:g}" if (i, j) <= at else "",
        ),
    ]
    drawing = Drawing(
        sum(CELL * values.shape[1] + 40 for _, values, *_ in drawn),
        40 + CELL * max(len(values) for _, values, *_ in drawn),
    )
    x = 10
    for matrix in drawn:
        _matrix(drawing, x, 0, *matrix)
        x += CELL * matrix[1].shape[1] + (50 if matrix is first else 40)
    return str(drawing)


def _marked(r: int, c: int, rows: int, columns: int) -> Callable[[int, int], str]:
    """Return the colour of a part of the picture."""
    return lambda i, j: SKY if r <= i < r + rows and c <= j < c + columns else PALE


def window_stepper(picture: Any = PICTURE, weights: Any = SOBEL) -> Stepper:
    """Show the window of a convolution going over a picture, with the products and their sum at each position.

    >>> window_stepper().pictures[1,].alt
    'Position (0, 0): 1·1 + 3·(-2) + 2·1 + 1·(-1) = -4'
    """
    K = len(weights)
    output = np.array(
        [
            [
                (picture[i : i + K, j : j + K] * weights).sum()
                for j in range(picture.shape[1] - K + 1)
            ]
            for i in range(picture.shape[0] - K + 1)
        ]
    )

    def draw(r: int, c: int) -> str:
        return _three(
            ("picture", picture, _marked(r, c, K, K)),
            ("filter", weights, lambda i, j: ORANGE),
            "output",
            output,
            (r, c),
        )

    return Stepper(
        [
            (draw(r, c), f"Position ({r}, {c}): {_sum(picture[r : r + K, c : c + K], weights)}")
            for r, c in np.ndindex(output.shape)
        ],
        "position",
        still=0,
    )


def placement_explorer(n: int = 7, window: int = 3) -> Explorer:
    """Show where a window may stand on an n x n picture; sliders for stride and padding. A dot is its middle."""
    cell = 24

    def count(stride: int, padding: int) -> int:
        return (n + 2 * padding - window) // stride + 1

    def draw(stride: int, padding: int) -> str:
        side = n + 2 * padding
        drawing = Drawing(12 + cell * (n + 4), 12 + cell * (n + 4))
        for i, j in np.ndindex(side, side):
            real = padding <= i < n + padding and padding <= j < n + padding
            drawing.rect(
                6 + j * cell,
                6 + i * cell,
                cell - 2,
                cell - 2,
                SKY if real else "white",
                GREY,
                stroke_dasharray="none" if real else "3 3",
            )
        for i, j in np.ndindex(count(stride, padding), count(stride, padding)):
            x, y = (5 + cell * (place * stride + window / 2) for place in (j, i))
            drawing.rect(x - 4, y - 4, 8, 8, BLACK, rx=4)
        drawing.rect(5, 5, window * cell, window * cell, "none", BLUE, stroke_width=3)
        return str(drawing)

    return Explorer(
        {"stride": [1, 2, 3], "padding": [0, 1, 2]},
        draw,
        lambda s, p: (
            f"{n} x {n} picture, {window} x {window} window, stride {s}, padding {p}: output "
            f"{count(s, p)} x {count(s, p)}."
        ),
        (2, 1),
    )


def channel_stepper(
    image: Any = CHANNELS, weights: Any = PLANES, bias: float = 1, stride: int = 2, padding: int = 1
) -> Stepper:
    """Show one filter (C, K, K) going over an image (C, H, W): each channel gives a sum, and the output adds them up.

    >>> channel_stepper().pictures[1,].alt
    'Position (0, 0): channel 0 gives -5, channel 1 gives 3, with the bias 1 that is -1.'
    """
    K, around = len(weights[0]), np.pad(image, ((0, 0), (padding, padding), (padding, padding)))
    inside = np.pad(np.ones_like(image), ((0, 0), (padding, padding), (padding, padding))) > 0
    count = (around.shape[1] - K) // stride + 1, (around.shape[2] - K) // stride + 1

    def sums(r: int, c: int) -> list[float]:
        part = around[:, r * stride : r * stride + K, c * stride : c * stride + K]
        return [float((p * w).sum()) for p, w in zip(part, weights, strict=True)]

    output = np.array([[bias + sum(sums(r, c)) for c in range(count[1])] for r in range(count[0])])

    def draw(r: int, c: int) -> str:
        def fill(i: int, j: int) -> str:
            seen = r * stride <= i < r * stride + K and c * stride <= j < c * stride + K
            return SKY if seen else PALE if inside[0, i, j] else "white"

        return _channels(around, weights, fill, sums(r, c), bias, output, (r, c))

    def say(r: int, c: int) -> str:
        parts = ", ".join(f"channel {k} gives {part:g}" for k, part in enumerate(sums(r, c)))
        return f"Position ({r}, {c}): {parts}, with the bias {bias:g} that is {output[r, c]:g}."

    return Stepper([(draw(r, c), say(r, c)) for r, c in np.ndindex(*count)], "position", still=0)


def _channels(
    around: np.ndarray,
    weights: Any,
    fill: Callable[[int, int], str],
    sums: list[float],
    bias: float,
    output: np.ndarray,
    at: tuple[int, int],
) -> str:
    """Draw every channel beside its plane of the filter and its sum, and the output up to that position."""
    K, (rows, columns) = len(weights[0]), output.shape
    high, wide = 30 + CELL * around.shape[1], CELL * around.shape[2]
    beside, bottom = wide + CELL * K + 78, high * len(around)
    drawing = Drawing(wide + CELL * (K + columns) + 150, bottom + 10)
    for k, (plane, filter_plane, part) in enumerate(zip(around, weights, sums, strict=True)):
        _matrix(drawing, 10, k * high, f"channel {k}", plane, fill)
        _matrix(
            drawing,
            wide + 40,
            k * high + CELL,
            f"filter, plane {k}",
            filter_plane,
            lambda i, j: ORANGE,
        )
        drawing.text(
            beside, k * high + 26 + CELL * (K / 2 + 1), f"+ {part:g}" if k else f"{part:g}", 16
        )
    drawing.text(beside, bottom - 14, f"+ {bias:g} (bias)", 14)
    _matrix(
        drawing,
        beside + 62,
        (bottom - CELL * rows) / 2 - 20,
        "output",
        output,
        lambda i, j: GREEN if (i, j) == at else PALE,
        lambda i, j: f"{output[i, j]:g}" if (i, j) <= at else "",
    )
    return str(drawing)


def column_stepper(picture: Any = PICTURE, window: int = 3) -> Stepper:
    """Show im2col: each position of the window becomes a column of its numbers, row by row."""
    K, wide = window, picture.shape[1] - window + 1
    places = list(np.ndindex(picture.shape[0] - K + 1, wide))

    def draw(place: int) -> str:
        r, c = places[place]
        left = 30 + CELL * picture.shape[1] + 40
        drawing = Drawing(left + CELL * len(places) + 10, 50 + 24 * K * K)
        _matrix(
            drawing,
            10,
            20,
            "picture",
            picture,
            lambda i, j: SKY if r <= i < r + K and c <= j < c + K else PALE,
        )
        drawing.text(
            left + CELL * len(places) / 2, 14, "columns: one per position of the window", 13, GREY
        )
        for p, (i, j) in enumerate(places[: place + 1]):
            for k, value in enumerate(picture[i : i + K, j : j + K].ravel()):
                drawing.cell(
                    left + p * CELL,
                    24 + k * 24,
                    CELL - 2,
                    22,
                    SKY if p == place else PALE,
                    f"{value:g}",
                    13,
                )
        return str(drawing)

    return Stepper(
        [
            (
                draw(p),
                (
                    f"Window {p + 1} of {len(places)}, at {places[p]}: its {K * K} numbers, row by row, "
                    "become a column."
                ),
            )
            for p in range(len(places))
        ],
        "window",
        still=len(places) // 2,
    )


def weight_gradient_stepper(picture: Any = PICTURE, dy: Any = None, window: int = 3) -> Stepper:
    """Show dW of a convolution, weight by weight: dy times the part of the picture that this weight has met.

    dy: gradient of the output, ones where none is given.
    """
    K = window
    rows, columns = (size - K + 1 for size in picture.shape)
    dy = np.ones((rows, columns), np.float32) if dy is None else np.asarray(dy)
    dw = np.array(
        [[(picture[i : i + rows, j : j + columns] * dy).sum() for j in range(K)] for i in range(K)]
    )

    def draw(r: int, c: int) -> str:
        return _three(
            ("picture x", picture, _marked(r, c, rows, columns)),
            ("dy", dy, lambda i, j: ORANGE),
            "dw",
            dw,
            (r, c),
        )

    def say(r: int, c: int) -> str:
        sum_ = _sum(picture[r : r + rows, c : c + columns], dy, zeros=True)
        return f"Weight ({r}, {c}) has met the marked pixels, one per output: {sum_}"

    return Stepper([(draw(r, c), say(r, c)) for r, c in np.ndindex(K, K)], "weight", still=0)


def input_gradient_stepper(weights: Any = SOBEL, dy: Any = None, side: int = 5) -> Stepper:
    """Show dX of a convolution, pixel by pixel: it gathers dy from every window it was in, each by the weight it met there.

    dy: gradient of the output, ones where none is given. side: of the picture.
    """
    K = len(weights)
    out = side - K + 1
    dy = np.ones((out, out), np.float32) if dy is None else np.asarray(dy)

    def terms(y: int, x: int) -> list[tuple[int, int, int, int]]:
        return [
            (i, j, y - i, x - j)
            for i in range(out)
            for j in range(out)
            if 0 <= y - i < K and 0 <= x - j < K
        ]

    def gathered(y: int, x: int) -> float:
        return float(sum(dy[i, j] * weights[u, v] for i, j, u, v in terms(y, x)))

    dx = np.array([[gathered(y, x) for x in range(side)] for y in range(side)])

    def draw(y: int, x: int) -> str:
        met = terms(y, x)
        return _three(
            ("dy", dy, lambda i, j: ORANGE if any(t[:2] == (i, j) for t in met) else PALE),
            ("filter", weights, lambda i, j: SKY if any(t[2:] == (i, j) for t in met) else PALE),
            "dx",
            dx,
            (y, x),
        )

    def say(y: int, x: int) -> str:
        met = terms(y, x)
        sum_ = _sum(
            [dy[i, j] for i, j, _, _ in met], [weights[u, v] for _, _, u, v in met], zeros=True
        )
        return f"Pixel ({y}, {x}) was in {len(met)} window{'s' * (len(met) > 1)}: {sum_}"

    return Stepper(
        [(draw(y, x), say(y, x)) for y, x in np.ndindex(side, side)],
        "pixel",
        still=side * side // 2,
    )


def pooling(picture: Any, window: int = 2, stride: int | None = None) -> Picture:
    """Draw max pooling of a picture (H, W): the winner of each window, framed, and what is kept: value and index.

    Windows overlap where the stride is smaller than the window; of equals the first wins.

    >>> pooling(np.array([[1, 3], [4, 2]])).alt
    'Max pooling of a 2 x 2 picture, window 2, stride 2; winners and their places: 4 at 2.'
    """
    step = stride or window
    H, W = picture.shape
    places = [
        (i * step, j * step)
        for i in range((H - window) // step + 1)
        for j in range((W - window) // step + 1)
    ]
    columns = (W - window) // step + 1
    winners = []
    for i, j in places:
        part = picture[i : i + window, j : j + window]
        u, v = divmod(int(part.argmax()), window)
        winners.append((i + u) * W + j + v)
    left = 40 + CELL * W
    drawing = Drawing(left + 90 * columns + 10, 30 + max(CELL * H, 52 * (len(places) // columns)))
    _matrix(
        drawing, 10, 0, "picture", picture, lambda i, j: ORANGE if i * W + j in winners else PALE
    )
    for k, winner in enumerate(winners):
        x, y = left + 90 * (k % columns), 20 + 52 * (k // columns)
        drawing.cell(x, y, 80, 44, ORANGE, f"{picture.flat[winner]:g} at {winner}", 14)
    said = ", ".join(f"{picture.flat[winner]:g} at {winner}" for winner in winners)
    return figure(
        str(drawing),
        alt=f"Max pooling of a {H} x {W} picture, window {window}, stride {step}; winners and "
        f"their places: {said}.",
    )
