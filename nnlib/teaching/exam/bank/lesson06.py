"""Questions on lesson 06: gradients of convolutions and pooling, the chain rule, starts, optimizers, the clinic."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import numpy as np

from nnlib import update_rules
from nnlib.teaching.exam.question import Item, drawn, floats, profiled, question, rows

BACKWARD = """
    __global__ void f(const float* x, const float* w, const float* dy, float* dw, float* dx, int side, int K) {
        int out = side - K + 1;
        for (int r = 0; r < out; r++)
            for (int c = 0; c < out; c++)
                for (int i = 0; i < K; i++)
                    for (int j = 0; j < K; j++) {
                        dw[i * K + j] += dy[r * out + c] * x[(r + i) * side + c + j];
                        dx[(r + i) * side + c + j] += dy[r * out + c] * w[i * K + j];
                    }
    }"""


def _backward(x: np.ndarray, w: np.ndarray, dy: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    dw, dx = np.zeros_like(w), np.zeros_like(x)
    profiled(BACKWARD, 1, 1, x, w, dy, dw, dx, len(x), len(w))
    return dw, dx


@question("06.filter", 5)
def filter_gradient(rng: Random) -> Item:
    """Entries of the gradient of a filter."""
    x, w, dy = drawn(rng, 0, 3, 4, 4), drawn(rng, -1, 2, 3, 3), drawn(rng, -1, 2, 2, 2)
    i, j = rng.randrange(3), rng.randrange(3)
    hand = float((dy * x[i : i + 2, j : j + 2]).sum())

    def run() -> tuple:
        return float(_backward(x, w, dy)[0][i, j]), float(dy.sum())

    return Item(
        f"x = {rows(x)}\n\nA 3 × 3 filter slides over x with stride 1, and dy = {rows(dy)} arrives. Which "
        f"pixels has the weight w[{i}][{j}] met? Compute dw[{i}][{j}] and the gradient of the bias.",
        [
            f"rows {i} and {i + 1}, columns {j} and {j + 1}",
            f"dw[{i}][{j}] = {hand:g}",
            f"db = {dy.sum():g}, the sum of dy",
        ],
        (hand, float(dy.sum())),
        run,
    )


@question("06.pixel", 5)
def pixel_gradient(rng: Random) -> Item:
    """The gradient of one pixel."""
    w, dy = drawn(rng, -2, 2, 2, 2), drawn(rng, -1, 3, 2, 2)
    hand = float((dy * w[::-1, ::-1]).sum())

    def run() -> tuple:
        dx = _backward(floats(3, 3), w, dy)[1]
        return float(dx[1, 1]), float(dx[0, 0]), float(dx[0, 1])

    edge = float(dy[0, 0] * w[0, 1] + dy[0, 1] * w[0, 0])
    return Item(
        f"A filter w = {rows(w)} slides over an image of 3 × 3 pixels with stride 1, and dy = {rows(dy)} "
        "arrives. Compute dx[0][0], dx[0][1] and dx[1][1].",
        [
            f"dx[0][0] = dy[0][0] · w[0][0] = {dy[0, 0] * w[0, 0]:g}",
            f"dx[0][1] = dy[0][0] · w[0][1] + dy[0][1] · w[0][0] = {edge:g}",
            f"dx[1][1]: all four outputs saw it, {hand:g}",
        ],
        (hand, float(dy[0, 0] * w[0, 0]), edge),
        run,
    )


@question("06.chain", 5)
def chain(rng: Random) -> Item:
    """Gradients of a small graph, compared with central differences, which are exact for squares."""
    w, x, b, t = (rng.randrange(-3, 5) or 1 for _ in range(4))
    error = w * x + b - t

    def loss(w: Fraction, x: Fraction, b: Fraction) -> Fraction:
        return (w * x + b - t) ** 2 / 2

    def run() -> tuple:
        at, eps, found = [Fraction(w), Fraction(x), Fraction(b)], Fraction(1, 100), []
        for k in range(3):
            up, down = at.copy(), at.copy()
            up[k], down[k] = up[k] + eps, down[k] - eps
            found.append(int((loss(*up) - loss(*down)) / (2 * eps)))
        return tuple(found)

    return Item(
        f"L = (w · x + b − t)² / 2 with w = {w}, x = {x}, b = {b}, t = {t}. Compute dL/dw, dL/dx and dL/db, "
        "step by step through the graph.",
        [
            f"dL/dw = ({error}) · ({x}) = {error * x}",
            f"dL/dx = ({error}) · ({w}) = {error * w}",
            f"dL/db = {error}: the difference itself",
        ],
        (error * x, error * w, error),
        run,
    )


@question("06.overlap", 5)
def overlap(rng: Random) -> Item:
    """Max pooling with windows that overlap."""
    x, dy = drawn(rng, 0, 4, 5), drawn(rng, 1, 9, 2)
    x[2] = 9
    text = """
        __global__ void f(const float* x, const float* dy, float* dx) {
            int best = 2 * threadIdx.x;
            for (int k = 1; k < 3; k++) if (x[2 * threadIdx.x + k] > x[best]) best = 2 * threadIdx.x + k;
            atomicAdd(&dx[best], dy[threadIdx.x]);
        }"""

    def run() -> tuple:
        dx = floats(5)
        profiled(text, 1, 2, x, dy, dx)
        return (dx,)

    hand = floats(5)
    hand[2] = dy.sum()
    return Item(
        f"x = {rows(x)} is pooled with windows of 3 and stride 2, and dy = {rows(dy)} arrives. Compute dx. A "
        "thread for each output writes `dx[argmax] += dy`: what can go wrong, and what are two repairs?",
        [
            f"dx = {rows(hand)}: both windows have the same winner",
            "two threads read the same old value, and one of the two gradients is lost",
            "atomicAdd, or a thread for each pixel that asks its windows",
        ],
        (hand,),
        run,
    )


@question("06.signal", 5)
def signal(rng: Random) -> Item:
    """How the size of a signal changes through layers with ReLU."""
    inputs, depth = rng.choice([50, 200, 800]), rng.choice([3, 4, 5])
    sigma = rng.choice([0.5, 2.0]) * math.sqrt(2 / inputs)
    factor = sigma * math.sqrt(inputs / 2)

    def run() -> tuple:
        second_moment = 1.0
        levels = np.linspace(-12, 12, 200_001)
        density = np.exp(-(levels**2) / 2) / math.sqrt(2 * math.pi) * (levels[1] - levels[0])
        for _ in range(depth):
            before = inputs * sigma**2 * second_moment  # the variance of a sum of products
            second_moment = float((np.maximum(math.sqrt(before) * levels, 0) ** 2 * density).sum())
        return (math.sqrt(second_moment * 2) / math.sqrt(2),)

    return Item(
        f"Each of {depth} layers has {inputs} inputs, weights drawn with mean 0 and standard deviation "
        f"{sigma:.4f}, no bias, and a ReLU behind it. By which factor does one layer change the root mean "
        "square of the signal, by which factor do all layers, and which standard deviation would keep it?",
        [
            f"{sigma:.4f} · √({inputs} / 2) = {factor:.3f}",
            f"{factor:.3f}^{depth} = {factor**depth:.4g}",
            f"√(2 / {inputs}) = {math.sqrt(2 / inputs):.4f}",
        ],
        (factor**depth,),
        run,
    )


@question("06.momentum", 5)
def momentum(rng: Random) -> Item:
    """Two steps of SGD with momentum."""
    w, lr, mu = rng.randrange(2, 9), rng.choice([0.125, 0.25, 0.5]), rng.choice([0.5, 0.75])
    gradients = [rng.randrange(1, 5), rng.randrange(-4, 5)]
    v = float(gradients[0])
    after = [w - lr * v]
    v = mu * v + gradients[1]
    after.append(after[0] - lr * v)

    def run() -> tuple:
        params, velocity, found = np.array([w], np.float64), np.zeros(1), []
        for g in gradients:
            update_rules.sgd_step(params, np.array([g], np.float64), velocity, lr, mu)
            found.append(float(params[0]))
        return (*found, float(velocity[0]))

    return Item(
        f"SGD with momentum {mu:g} and learning rate {lr:g} starts at w = {w} with velocity 0. The gradients "
        f"are {gradients[0]} and then {gradients[1]}. Compute w after each step and the last velocity.",
        [
            f"w = {w} − {lr:g} · {gradients[0]} = {after[0]:g}",
            f"v = {mu:g} · {gradients[0]} + ({gradients[1]}) = {v:g}",
            f"w = {after[1]:g}",
        ],
        (*after, v),
        run,
    )


@question("06.valley", 5)
def valley(rng: Random) -> Item:
    """Gradient descent on a square, and the largest rate that does not diverge."""
    steep, start = rng.choice([2, 4, 5]), rng.randrange(4, 17)
    lr = rng.choice([Fraction(1, 10), Fraction(1, 5), Fraction(1, 8)])
    factor = 1 - lr * steep

    def run() -> tuple:
        w = Fraction(start)
        for _ in range(2):
            w -= lr * steep * w
        edge = Fraction(start) - Fraction(2, steep) * steep * start
        return float(w), float(edge)

    return Item(
        f"L(w) = {steep} w² / 2, the start is w = {start}, and the learning rate is {float(lr):g}. By which "
        "factor does one step of gradient descent change w, where is w after two steps, and above which "
        "learning rate does the descent diverge?",
        [
            f"1 − {float(lr):g} · {steep} = {float(factor):g}",
            f"{start} · ({float(factor):g})² = {float(start * factor**2):g}",
            f"2 / {steep} = {2 / steep:g}: there w only changes its sign",
        ],
        (float(start * factor**2), -float(start)),
        run,
    )


@question("06.clinic", 5)
def clinic(rng: Random) -> Item:
    """A factor between two gradients, and what it says."""
    batch, twice = rng.choice([16, 32, 64, 128]), rng.random() < 0.5
    ratio = Fraction(1, batch) if twice else Fraction(batch)
    seen = f"1/{batch}" if twice else str(batch)

    def run() -> tuple:
        x = np.random.default_rng(0).standard_normal((batch, 3))
        dy = np.ones((batch, 2))
        right = (dy / batch).T @ x
        found = (dy / batch / batch if twice else dy).T @ x
        cosine = (found * right).sum() / np.linalg.norm(found) / np.linalg.norm(right)
        return float(np.linalg.norm(found) / np.linalg.norm(right)), float(cosine)

    return Item(
        f"A training has batches of {batch}. A gradient check says for each layer: cosine 1.00, length {seen} "
        "of the right one. What is the bug, how does the training behave with the usual learning rate, and "
        "why is another learning rate no repair?",
        [
            "the mean over the batch is taken twice"
            if twice
            else "the sum is never divided by the batch",
            "it crawls: steps are far too short"
            if twice
            else "it diverges or jumps: steps are far too long",
            "the right rate would change with each other size of the batch",
        ],
        (float(ratio), 1.0),
        run,
    )


@question("06.adam", 4)
def adam(rng: Random) -> Item:
    """The first step of Adam."""
    lr, gradient, w = (
        rng.choice([0.001, 0.01, 0.1]),
        rng.choice([-40, -0.5, 0.02, 3, 250]),
        rng.randrange(-2, 5),
    )
    sign = 1 if gradient > 0 else -1

    def run() -> tuple:
        params, m, v = np.array([w], np.float64), np.zeros(1), np.zeros(1)
        update_rules.adam_step(params, np.array([gradient], np.float64), m, v, 1, lr)
        return float(m[0]), round(float(params[0]), 6)

    return Item(
        f"Adam (β₁ = 0.9, β₂ = 0.999, learning rate {lr:g}) makes its first step at w = {w} with the gradient "
        f"{gradient:g}. What is m after this step, before the bias correction? Where is w afterwards? What "
        "would change with a gradient ten times as large?",
        [
            f"0.1 · {gradient:g} = {0.1 * gradient:g}",
            f"{w} {'−' if sign > 0 else '+'} {lr:g} = "
            f"{w - sign * lr:g}: m and √v are corrected to the same size",
            "nothing about w: only the sign counts",
        ],
        (0.1 * gradient, round(w - sign * lr, 6)),
        run,
    )
