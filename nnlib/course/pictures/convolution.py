"""Convolution and pooling, position by position, forwards and backwards. Lessons 05 and 06.

picture (H, W), weights (K, K) and dy (H - K + 1, W - K + 1) are small arrays of whole numbers, so that sums can be
followed by eye.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nnlib.course.pictures.style import BLACK, BLUE, GREEN, GREY, ORANGE, PALE, SKY, Picture, figure
from nnlib.course.pictures.svg import Drawing, tinted
from nnlib.course.pictures.widgets import Explorer, Stepper

PICTURE = np.array(
    [[1, 2, 0, 1, 0], [0, 1, 3, 1, 2], [2, 0, 1, 0, 1], [1, 1, 0, 2, 0], [0, 2, 1, 0, 1]],
    np.float32,
)
SOBEL = np.array([[1, 0, -1], [2, 0, -2], [1, 0, -1]], np.float32)
CHANNELS = np.array([PICTURE[:3, :3], [[1, 0, 1], [0, 2, 0], [1, 0, 1]]], np.float32)  # (C, H, W)
PLANES = np.array([SOBEL, np.eye(3)], np.float32)  # (C, K, K), the planes of one filter
BIAS = 1
CELL = 34


def _matrix(
    drawing: Drawing, x: float, y: float, name: str, matrix: Any, colours: Any, words: Any = None
) -> None:
    """Draw a matrix of numbers under its name. words: what stands in its cells in their place."""
    drawing.text(x + CELL * matrix.shape[1] / 2, y + 12, name, 13, GREY)
    drawing.grid((x, y + 20), colours, CELL, matrix if words is None else words)


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


def _result(result: np.ndarray, at: tuple[int, ...]) -> tuple[np.ndarray, ...]:
    """Return a result, its colours, and its numbers up to that position."""
    upto = [f"{value:g}" if place <= at else "" for place, value in np.ndenumerate(result)]
    return result, tinted(result.shape, GREEN, *at), np.reshape(upto, result.shape)


def _three(first: tuple[Any, ...], second: tuple[Any, ...], third: tuple[Any, ...]) -> Drawing:
    """Draw two matrices and their result: (title, values, colour), and for the result what stands in its cells."""
    drawn = first, second, third
    drawing = Drawing(
        sum(CELL * values.shape[1] + 40 for _, values, *_ in drawn),
        40 + CELL * max(len(values) for _, values, *_ in drawn),
    )
    x = 10
    for matrix in drawn:
        _matrix(drawing, x, 0, *matrix)
        x += CELL * matrix[1].shape[1] + (50 if matrix is first else 40)
    return drawing


def _window(at: tuple[int, ...], shape: tuple[int, ...], stride: int = 1) -> tuple[slice, ...]:
    """Return the rows and columns below a window at that position."""
    return tuple(
        slice(place * stride, place * stride + side) for place, side in zip(at, shape, strict=True)
    )


def _over_a_picture(
    names: tuple[str, str, str],
    picture: Any,
    factors: Any,
    say: Callable[[tuple[int, ...], Any], str],
    label: str,
) -> Stepper:
    """Move a matrix of factors over a picture. say(place, part): what happens to the part of the picture below it."""
    parts = np.lib.stride_tricks.sliding_window_view(picture, factors.shape)
    result = (parts * factors).sum((2, 3))

    def draw(*at: int) -> Drawing:
        return _three(
            (names[0], picture, tinted(picture.shape, SKY, *_window(at, factors.shape))),
            (names[1], factors, tinted(factors.shape, ORANGE)),
            (names[2], *_result(result, at)),
        )

    return Stepper.over(np.ndindex(*result.shape), draw, lambda *at: say(at, parts[at]), label)


def window_stepper() -> Stepper:
    """Show the window of a convolution going over a picture, with the products and their sum at each position.

    >>> window_stepper().pictures[1,].alt
    'Position (0, 0): 1·1 + 3·(-2) + 2·1 + 1·(-1) = -4'
    """

    def say(at: tuple[int, ...], part: Any) -> str:
        return f"Position {at}: {_sum(part, SOBEL)}"

    return _over_a_picture(("picture", "filter", "output"), PICTURE, SOBEL, say, "position")


def placement_explorer() -> Explorer:
    """Show where a window may stand on a picture; sliders for stride and padding. A dot is its middle."""
    n, window, cell = 7, 3, 24

    def count(stride: int, padding: int) -> int:
        return (n + 2 * padding - window) // stride + 1

    def draw(stride: int, padding: int) -> Drawing:
        side = n + 2 * padding
        drawing = Drawing(12 + cell * (n + 4), 12 + cell * (n + 4))
        for x, size, tint, dashes in ((6, side, "white", "3 3"), (6 + padding * cell, n, SKY, "")):
            shape = size, size
            cells, edges = tinted(shape, tint), tinted(shape, GREY)
            drawing.grid((x, x), cells, cell, stroke=edges, stroke_dasharray=dashes)
        for i, j in np.ndindex(count(stride, padding), count(stride, padding)):
            x, y = (5 + cell * (place * stride + window / 2) for place in (j, i))
            drawing.rect(x - 4, y - 4, 8, 8, BLACK, rx=4)
        drawing.rect(5, 5, window * cell, window * cell, "none", BLUE, stroke_width=3)
        return drawing

    return Explorer(
        {"stride": [1, 2, 3], "padding": [0, 1, 2]},
        draw,
        lambda s, p: (
            f"{n} x {n} picture, {window} x {window} window, stride {s}, padding {p}: output "
            f"{count(s, p)} x {count(s, p)}."
        ),
        (2, 1),
    )


def channel_stepper() -> Stepper:
    """Show a filter of two planes going over two channels with stride 2 and padding 1: a sum for each, and the output.

    >>> channel_stepper().pictures[1,].alt
    'Position (0, 0): channel 0 gives -5, channel 1 gives 3, with the bias 1 that is -1.'
    """
    around = np.pad(CHANNELS, ((0, 0), (1, 1), (1, 1)))
    parts = np.lib.stride_tricks.sliding_window_view(around, (3, 3), (1, 2))[:, ::2, ::2]
    sums = (parts * PLANES[:, None, None]).sum((3, 4))  # of each channel
    output = BIAS + sums.sum(0)
    high, wide = 30 + CELL * around.shape[1], CELL * around.shape[2]
    beside, bottom = wide + CELL * 3 + 78, high * len(around)

    def draw(*at: int) -> Drawing:
        drawing = Drawing(wide + CELL * (3 + output.shape[1]) + 150, bottom + 10)
        colours = tinted(around.shape[1:], PALE, slice(1, -1), slice(1, -1), rest="white")
        colours[_window(at, (3, 3), 2)] = SKY
        weights = tinted((3, 3), ORANGE)
        for k, plane in enumerate(around):
            y, part = k * high, f"{'+ ' * k}{sums[k][at]:g}"
            _matrix(drawing, 10, y, f"channel {k}", plane, colours)
            _matrix(drawing, wide + 40, y + CELL, f"filter, plane {k}", PLANES[k], weights)
            drawing.text(beside, y + 26 + CELL * 2.5, part, 16)
        drawing.text(beside, bottom - 14, f"+ {BIAS} (bias)", 14)
        top = (bottom - CELL * len(output)) / 2 - 20
        _matrix(drawing, beside + 62, top, "output", *_result(output, at))
        return drawing

    def say(*at: int) -> str:
        parts = ", ".join(f"channel {k} gives {part[at]:g}" for k, part in enumerate(sums))
        return f"Position {at}: {parts}, with the bias {BIAS} that is {output[at]:g}."

    return Stepper.over(np.ndindex(*output.shape), draw, say, "position")


def column_stepper() -> Stepper:
    """Show im2col: each position of the window becomes a column of its numbers, row by row."""
    picture, K = PICTURE, 3
    places = list(np.ndindex(3, 3))

    def draw(*at: int) -> Drawing:
        left = 30 + CELL * picture.shape[1] + 40
        drawing = Drawing(left + CELL * len(places) + 10, 50 + 24 * K * K)
        _matrix(
            drawing, 10, 20, "picture", picture, tinted(picture.shape, SKY, *_window(at, (K, K)))
        )
        drawing.text(
            left + CELL * len(places) / 2, 14, "columns: one per position of the window", 13, GREY
        )
        for p, (i, j) in enumerate(places[: places.index(at) + 1]):
            for k, value in enumerate(picture[i : i + K, j : j + K].ravel()):
                drawing.cell(
                    (left + p * CELL, 24 + k * 24, CELL - 2, 22),
                    SKY if (i, j) == at else PALE,
                    f"{value:g}",
                    13,
                )
        return drawing

    def say(*at: int) -> str:
        return (
            f"Window {places.index(at) + 1} of {len(places)}, at {at}: its {K * K} numbers, row by row, "
            "become a column."
        )

    return Stepper.over(places, draw, say, "window", len(places) // 2)


def _ones(dy: Any, side: int) -> Any:
    return np.ones((side, side), np.float32) if dy is None else np.asarray(dy)


def weight_gradient_stepper(picture: Any = PICTURE, dy: Any = None, window: int = 3) -> Stepper:
    """Show dW of a convolution, weight by weight: dy times the part of the picture that this weight has met.

    dy: gradient of the output, ones where none is given.
    """
    dy = _ones(dy, len(picture) - window + 1)

    def say(at: tuple[int, ...], part: Any) -> str:
        return (
            f"Weight {at} has met the marked pixels, one per output: {_sum(part, dy, zeros=True)}"
        )

    return _over_a_picture(("picture x", "dy", "dw"), picture, dy, say, "weight")


def input_gradient_stepper(weights: Any = SOBEL, dy: Any = None, side: int = 5) -> Stepper:
    """Show dX of a convolution, pixel by pixel: it gathers dy from every window it was in, each by the weight it met there.

    dy: gradient of the output, ones where none is given. side: of the picture.
    """
    K = len(weights)
    dy = _ones(dy, side - K + 1)

    def met(y: int, x: int) -> dict[tuple[int, ...], tuple[int, int]]:
        """Return where dy is gathered from, and the weight that it is multiplied by."""
        return {
            (i, j): (y - i, x - j)
            for i, j in np.ndindex(*dy.shape)
            if 0 <= y - i < K and 0 <= x - j < K
        }

    def factors(y: int, x: int) -> tuple[list[Any], list[Any]]:
        return [dy[at] for at in met(y, x)], [weights[at] for at in met(y, x).values()]

    dx = np.array([[np.dot(*factors(y, x)) for x in range(side)] for y in range(side)])

    def draw(y: int, x: int) -> Drawing:
        pairs = met(y, x)
        return _three(
            ("dy", dy, tinted(dy.shape, ORANGE, *np.transpose([*pairs]))),
            ("filter", weights, tinted(weights.shape, SKY, *np.transpose([*pairs.values()]))),
            ("dx", *_result(dx, (y, x))),
        )

    def say(y: int, x: int) -> str:
        count = len(met(y, x))
        return f"Pixel ({y}, {x}) was in {count} window{'s' * (count > 1)}: {_sum(*factors(y, x), zeros=True)}"

    return Stepper.over(np.ndindex(side, side), draw, say, "pixel", side * side // 2)


def pooling(picture: Any, window: int = 2, stride: int | None = None) -> Picture:
    """Draw max pooling of a picture (H, W): the winner of each window, framed, and what is kept: value and index.

    Windows overlap where the stride is smaller than the window; of equals the first wins.

    >>> pooling(np.array([[1, 3], [4, 2]])).alt
    'Max pooling of a 2 x 2 picture, window 2, stride 2; winners and their places: 4 at 2.'
    """
    step = stride or window
    H, W = picture.shape
    rows, columns = ((side - window) // step + 1 for side in (H, W))
    winners = []
    for i, j in step * np.argwhere(np.ones((rows, columns))):
        part = picture[i : i + window, j : j + window]
        u, v = divmod(int(part.argmax()), window)
        winners.append((i + u) * W + j + v)
    left = 40 + CELL * W
    drawing = Drawing(left + 90 * columns + 10, 30 + max(CELL * H, 52 * rows))
    colours = tinted(picture.shape, ORANGE, *np.unravel_index(winners, picture.shape))
    _matrix(drawing, 10, 0, "picture", picture, colours)
    for k, winner in enumerate(winners):
        x, y = left + 90 * (k % columns), 20 + 52 * (k // columns)
        drawing.cell((x, y, 80, 44), ORANGE, f"{picture.flat[winner]:g} at {winner}", 14)
    said = ", ".join(f"{picture.flat[winner]:g} at {winner}" for winner in winners)
    return figure(
        drawing,
        alt=f"Max pooling of a {H} x {W} picture, window {window}, stride {step}; winners and "
        f"their places: {said}.",
    )
