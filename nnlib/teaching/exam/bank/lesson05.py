"""Questions on lesson 05: convolutions, im2col, lost updates, pooling, receptive fields."""

from __future__ import annotations

from random import Random

import numpy as np

from nnlib.layers import Conv2d
from nnlib.teaching.exam.question import Item, drawn, floats, profiled, question, rows

CONVOLUTION = """
    __global__ void f(const float* x, const float* w, float* y, int side, int K, int stride, int pad, int out) {
        float sum = 0.0f;
        for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++) {
                int row = threadIdx.y * stride + i - pad, column = threadIdx.x * stride + j - pad;
                if (row < 0 || row >= side || column < 0 || column >= side) continue;
                sum += x[row * side + column] * w[i * K + j];
            }
        y[threadIdx.y * out + threadIdx.x] = sum;
    }"""


@question("05.size", 4)
def size(rng: Random) -> Item:
    """The output size of a convolution."""
    side, window, stride, pad = (
        rng.randrange(20, 33),
        rng.choice([3, 5]),
        rng.choice([2, 3]),
        rng.choice([0, 1, 2]),
    )
    places = (side + 2 * pad - window) // stride + 1
    left = (side + 2 * pad - window) % stride

    def run() -> tuple:
        starts = [at for at in range(-pad, side + pad, stride) if at + window <= side + pad]
        return len(starts), side + pad - (starts[-1] + window)

    return Item(
        f"A convolution has an image of {side} × {side} pixels, a window of {window} × {window}, stride "
        f"{stride} and padding {pad}. How many rows does the output have? How many rows of the padded image "
        "at the bottom does no window see?",
        [
            f"({side} + {2 * pad} − {window}) / {stride}, rounded down, is {places - 1}",
            f"plus 1: {places} rows",
            f"the remainder of the division: {left}",
        ],
        (places, left),
        run,
    )


@question("05.columns", 5)
def columns(rng: Random) -> Item:
    """The memory of im2col."""
    batch, channels, side, window = (
        rng.choice([32, 64, 128]),
        rng.choice([1, 8, 16]),
        rng.choice([26, 28, 32]),
        3,
    )
    places = side - window + 1
    image, copied = batch * channels * side**2 * 4, batch * channels * window**2 * places**2 * 4

    def run() -> tuple:
        x = np.zeros((batch, channels, side, side), np.float32)
        size = np.lib.stride_tricks.sliding_window_view(x, (window, window), (2, 3)).nbytes
        return size / 1e6, size / x.nbytes

    return Item(
        f"im2col prepares a batch of {batch} images with {channels} channel{'s' * (channels > 1)} of {side} × "
        f"{side} pixels for a 3 × 3 convolution with stride 1 and no padding. What size does the columns' "
        "matrix have for one image, how many MB (10⁶ bytes) do all columns take as floats, and how many times "
        "the images is that?",
        [
            f"{9 * channels} × {places}² = {9 * channels} × {places**2}",
            f"{copied / 1e6:.1f} MB",
            f"{copied / image:.2f} times",
        ],
        (copied / 1e6, copied / image),
        run,
    )


@question("05.number", 4)
def number(rng: Random) -> Item:
    """Two numbers of a convolution by hand."""
    x, w, stride = drawn(rng, 0, 3, 5, 5), drawn(rng, -1, 2, 3, 3), 2
    hand = [float((x[r : r + 3, c : c + 3] * w).sum()) for r, c in ((0, 0), (0, 2))]
    corner = float((x[:2, :2] * w[1:, 1:]).sum())

    def run() -> tuple:
        y, padded = floats(2, 2), floats(3, 3)
        profiled(CONVOLUTION, 1, (2, 2), x, w, y, 5, 3, stride, 0, 2)
        profiled(CONVOLUTION, 1, (3, 3), x, w, padded, 5, 3, stride, 1, 3)
        return float(y[0, 0]), float(y[0, 1]), float(padded[0, 0])

    return Item(
        f"x = {rows(x)}\n\nw = {rows(w)}\n\nThe stride is 2, and there is no bias. Compute y[0][0] and y[0][1] "
        "without padding, and y[0][0] with a padding of 1.",
        [f"{hand[0]:g}", f"{hand[1]:g}", f"{corner:g}: only w[1..2][1..2] meets pixels"],
        (*hand, corner),
        run,
    )


@question("05.reads", 5)
def reads(rng: Random) -> Item:
    """How many windows see a pixel."""
    side, stride = rng.choice([7, 9]), rng.choice([1, 2])
    out = (side - 3) // stride + 1
    places = [(0, 0), (1, side // 2), (side // 2, side // 2)]

    def seen(at: int) -> int:
        return sum(start <= at < start + 3 for start in range(0, side - 2, stride))

    def run() -> tuple:
        counts = (
            profiled(
                CONVOLUTION,
                1,
                (out, out),
                floats(side, side),
                floats(3, 3),
                floats(out, out),
                side,
                3,
                stride,
                0,
                out,
            )
            .touched("x")[0]
            .reshape(side, side)
        )
        return tuple(int(counts[place]) for place in places)

    hand = tuple(seen(row) * seen(column) for row, column in places)
    return Item(
        f"A 3 × 3 window slides over an image of {side} × {side} pixels with stride {stride} and no padding. "
        f"How many windows see the pixels {', '.join(f'({r}, {c})' for r, c in places)}?",
        [
            f"({r}, {c}): {seen(r)} · {seen(c)} = {count}"
            for (r, c), count in zip(places, hand, strict=True)
        ],
        hand,
        run,
    )


@question("05.pool", 4)
def pool(rng: Random) -> Item:
    """Max pooling, and where the gradient goes."""
    x, dy = drawn(rng, 0, 9, 4, 4), drawn(rng, 1, 9, 2, 2)
    text = """
        __global__ void f(const float* x, const float* dy, float* y, float* dx) {
            int r = 2 * threadIdx.y, c = 2 * threadIdx.x, best = 4 * r + c;
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 2; j++)
                    if (x[4 * (r + i) + c + j] > x[best]) best = 4 * (r + i) + c + j;
            y[r + threadIdx.x] = x[best];
            dx[best] = dy[r + threadIdx.x];
        }"""
    hand, back = floats(2, 2), floats(4, 4)
    for r in range(2):
        for c in range(2):
            window = x[2 * r : 2 * r + 2, 2 * c : 2 * c + 2]
            i, j = divmod(int(window.argmax()), 2)
            hand[r, c], back[2 * r + i, 2 * c + j] = window.max(), dy[r, c]

    def run() -> tuple:
        y, dx = floats(2, 2), floats(4, 4)
        profiled(text, 1, (2, 2), x, dy, y, dx)
        return y, dx

    return Item(
        f"x = {rows(x)}\n\nMax pooling has windows of 2 × 2 with stride 2, and the first of equal numbers "
        f"wins. Compute y. The gradient dy = {rows(dy)} arrives: compute dx.",
        [f"y = {rows(hand)}", f"dx = {rows(back)}", "all pixels that did not win get 0"],
        (hand, back),
        run,
    )


@question("05.field", 5)
def field(rng: Random) -> Item:
    """A receptive field."""
    layers = [(rng.choice([3, 5]), rng.choice([1, 2])), (2, 2), (3, rng.choice([1, 2]))]
    sizes, width, jump = [], 1, 1
    for window, stride in layers:
        width, jump = width + (window - 1) * jump, jump * stride
        sizes.append(width)

    def run() -> tuple:
        found = []
        for depth in range(1, 4):
            pixels = {0}
            for window, stride in reversed(layers[:depth]):
                pixels = {at * stride + k for at in pixels for k in range(window)}
            found.append(len(pixels))
        return tuple(found)

    (k1, s1), (k2, s2), (k3, s3) = layers
    return Item(
        f"A network has a convolution of {k1} × {k1} with stride {s1}, max pooling of {k2} × {k2} with stride "
        f"{s2}, and a convolution of {k3} × {k3} with stride {s3}. How many rows of the image does one number "
        "see behind each of the three layers?",
        [
            f"{sizes[0]}",
            f"{sizes[0]} + ({k2} − 1) · {s1} = {sizes[1]}",
            f"{sizes[1]} + ({k3} − 1) · {s1 * s2} = {sizes[2]}",
        ],
        tuple(sizes),
        run,
    )


@question("05.lost", 5)
def lost(rng: Random) -> Item:
    """Updates that a view loses."""
    side, window = rng.choice([4, 5, 6]), rng.choice([2, 3])
    places = side - window + 1

    def run() -> tuple:
        x, right = np.zeros((side, side)), np.zeros((side, side))
        view = np.lib.stride_tricks.sliding_window_view(x, (window, window), writeable=True)
        view += 1
        for r in range(places):
            for c in range(places):
                right[r : r + window, c : c + window] += 1
        return int(x.sum()), int(right.sum())

    return Item(
        f"`view` shows all {window} × {window} windows of a {side} × {side} image of zeros (stride 1) without "
        "a copy. After `view += 1` in NumPy, what is the sum of all pixels? What would it be if each window "
        "added 1 to each of its pixels? Name two ways to do this right on a GPU.",
        [
            f"{side**2}: NumPy reads all, adds, and writes back, so each pixel becomes 1",
            f"{places}² · {window}² = {places**2 * window**2}",
            "atomicAdd, or a thread for each pixel that gathers from its windows",
        ],
        (side**2, places**2 * window**2),
        run,
    )


@question("05.work", 4)
def work(rng: Random) -> Item:
    """Parameters and products of a convolution layer."""
    channels, filters, side, window = (
        rng.choice([1, 3, 8]),
        rng.choice([8, 16, 32]),
        rng.choice([10, 12, 14]),
        3,
    )
    out = side - window + 1
    parameters, products = filters * channels * 9 + filters, filters * channels * 9 * out**2

    def run() -> tuple:
        flops = profiled(
            CONVOLUTION,
            1,
            (out, out),
            floats(side, side),
            floats(3, 3),
            floats(out, out),
            side,
            3,
            1,
            0,
            out,
        ).flops
        return Conv2d(channels, filters, 3).parameters.size, flops // 2 * filters * channels

    return Item(
        f"A convolution layer has {channels} input channel{'s' * (channels > 1)}, {filters} filters of 3 × 3 "
        f"with biases, and an image of {side} × {side} pixels without padding. How many parameters does it "
        "have, how many multiplications does it make for one image, and how often is each weight used?",
        [
            f"{filters} · {channels} · 9 + {filters} = {parameters}",
            f"{filters} · {channels} · 9 · {out}² = {products:,}",
            f"{out}² = {out**2} times",
        ],
        (parameters, products),
        run,
    )
