"""Questions on lesson 04: trees, shuffles, activations, gradient checks, softmax, fusion."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import numpy as np

from nnlib.teaching.exam.question import Item, code, drawn, floats, profiled, question, rows


@question("04.tree", 4)
def tree(rng: Random) -> Item:
    """What shared memory holds during a tree over eight numbers."""
    x = drawn(rng, 1, 9, 8)
    text = """
        __global__ void f(const float* x, float* after) {
            __shared__ float s[8];
            int i = threadIdx.x, step = 0;
            s[i] = x[i];
            __syncthreads();
            for (int d = 4; d > 0; d /= 2) {
                if (i < d) s[i] += s[i + d];
                __syncthreads();
                if (i < d) after[8 * step + i] = s[i];
                step++;
            }
        }"""
    first = x[:4] + x[4:]
    second = first[:2] + first[2:]

    def run() -> tuple:
        after = floats(3, 8)
        profiled(text, 1, 8, x, after)
        return after[0, :4], after[1, :2], after[2, :1]

    return Item(
        f"Eight threads add {rows(x)} by a tree, with the distances 4, 2 and 1. Write down what the active "
        "threads hold after each step.",
        [
            f"distance 4: {rows(first)}",
            f"distance 2: {rows(second)}",
            f"distance 1: {second.sum():g}",
        ],
        (first, second, second.sum(keepdims=True)),
        run,
    )


@question("04.butterfly", 5)
def butterfly(rng: Random) -> Item:
    """What eight lanes hold during a butterfly, for a sum or a maximum."""
    x, most = drawn(rng, 1, 9, 8), rng.random() < 0.5
    join = "fmaxf(v, other)" if most else "v + other"
    text = f"""
        __global__ void f(const float* x, float* after) {{
            float v = x[threadIdx.x];
            for (int d = 4, step = 0; d > 0; d /= 2, step++) {{
                float other = __shfl_xor_sync(0xffu, v, d);
                v = {join};
                after[8 * step + threadIdx.x] = v;
            }}
        }}"""
    first = (np.maximum if most else np.add)(x, np.roll(x, 4))
    second = (np.maximum if most else np.add)(first, first.reshape(4, 2)[[1, 0, 3, 2]].ravel())
    total = x.max() if most else x.sum()

    def run() -> tuple:
        after = floats(3, 8)
        profiled(text, 1, 8, x, after)
        return after[0], after[1], after[2]

    return Item(
        f"{code(text)}\n\nEight lanes begin with {rows(x)}. What do they hold after the distances 4, 2 and 1?",
        [f"{rows(first)}", f"{rows(second)}", f"{total:g} in all lanes"],
        (first, second, np.full(8, total, np.float32)),
        run,
    )


@question("04.steps", 4)
def steps(rng: Random) -> Item:
    """Steps of a tree, and those that shuffles can take over."""
    block = rng.choice([64, 128, 256, 512, 1024])
    text = """
        __global__ void f(int* steps, float* total) {
            __shared__ float s[1024];
            s[threadIdx.x] = 1.0f;
            __syncthreads();
            for (int d = blockDim.x / 2; d > 0; d /= 2) {
                if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
                __syncthreads();
                if (threadIdx.x == 0) steps[d < 32]++;
            }
            if (threadIdx.x == 0) total[0] = s[0];
        }"""

    def run() -> tuple:
        steps, total = np.zeros(2, np.int32), floats(1)
        profiled(text, 1, block, steps, total)
        return int(steps.sum()), int(steps[1]), int(total[0]) - 1

    count = int(math.log2(block))
    return Item(
        f"A block of {block} threads adds {block} numbers by a tree in shared memory. How many steps are "
        "there, how many of them can shuffles inside one warp do, and how many additions does the whole "
        "tree make?",
        [
            f"log₂ {block} = {count}",
            "5, the last ones: distances 16 to 1",
            f"{block} − 1 = {block - 1}",
        ],
        (count, 5, block - 1),
        run,
    )


@question("04.relu", 4)
def relu(rng: Random) -> Item:
    """A leaky ReLU forwards and backwards."""
    x, dy, slope = drawn(rng, -4, 4, 5), drawn(rng, -3, 3, 5), rng.choice([0.0, 0.25, 0.5])
    x[rng.randrange(5)] = -2
    text = """
        __global__ void f(const float* x, const float* dy, float* y, float* dx, float slope) {
            int i = threadIdx.x;
            y[i] = x[i] > 0.0f ? x[i] : slope * x[i];
            dx[i] = x[i] > 0.0f ? dy[i] : slope * dy[i];
        }"""
    factor = np.where(x > 0, np.float32(1), np.float32(slope))
    why = (
        "yes: y is positive exactly where x is"
        if slope == 0
        else "yes: y has the same sign as x, and the sign decides"
    )

    def run() -> tuple:
        y, dx = floats(5), floats(5)
        profiled(text, 1, 5, x, dy, y, dx, slope)
        return y, dx

    return Item(
        f"An activation is y = x for x > 0 and y = {slope:g} · x otherwise. x = {rows(x)}, and the gradient "
        f"that arrives is dy = {rows(dy)}. Compute y and dx. Would y alone be enough for the backward pass?",
        [f"y = {rows(x * factor + 0)}", f"dx = {rows(dy * factor + 0)}", why],
        (x * factor + 0, dy * factor + 0),
        run,
    )


@question("04.difference", 5)
def difference(rng: Random) -> Item:
    """A central difference, and its error."""
    a, x, eps = (
        rng.randrange(1, 4),
        rng.randrange(1, 5),
        rng.choice([Fraction(1, 2), Fraction(1, 4)]),
    )
    exact, found = 3 * a * x * x, 3 * a * x * x + a * eps**2
    text = """
        __global__ void f(double* out, double a, double x, double e) {
            double up = x + e, down = x - e;
            out[0] = (a * up * up * up - a * down * down * down) / (2.0 * e);
        }"""

    def run() -> tuple:
        out = np.zeros(1)
        profiled(text, 1, 1, out, float(a), float(x), float(eps))
        return float(out[0]), float(out[0]) - exact

    return Item(
        f"f(x) = {a} x³. Compute its derivative at x = {x}, and the central difference with ε = {eps}. How "
        "does the error change when ε is halved?",
        [
            f"3 · {a} · {x}² = {exact}",
            f"{float(found):g}, an error of {float(a * eps**2):g}",
            "it falls to a quarter: it grows with ε²",
        ],
        (float(found), float(a * eps**2)),
        run,
    )


@question("04.loss", 5)
def loss(rng: Random) -> Item:
    """Cross-entropy and its gradient, where all classes are equally likely."""
    classes, batch, level = rng.choice([4, 5, 8, 20]), rng.choice([4, 8, 16]), rng.randrange(-3, 9)
    text = """
        __global__ void f(const float* z, float* out, int classes, int rows) {
            float most = z[0], total = 0.0f;
            for (int k = 0; k < classes; k++) most = fmaxf(most, z[k]);
            for (int k = 0; k < classes; k++) total += expf(z[k] - most);
            out[0] = logf(total) - (z[0] - most);
            out[1] = (expf(z[0] - most) / total - 1.0f) / rows;
            out[2] = expf(z[1] - most) / total / rows;
        }"""
    hand = math.log(classes), (1 / classes - 1) / batch, 1 / classes / batch

    def run() -> tuple:
        out = floats(3)
        profiled(text, 1, 1, np.full(classes, level, np.float32), out, classes, batch)
        return tuple(out)

    return Item(
        f"A network with {classes} classes gives all logits of an example the value {level}. The batch has "
        f"{batch} examples, and the loss is the mean of their cross-entropies. What is the loss of this "
        "example, and what is the gradient with respect to the logit of its label, and to another logit?",
        [
            f"ln {classes} = {hand[0]:.3f}",
            f"(1/{classes} − 1) / {batch} = {hand[1]:.4f}",
            f"1/{classes} / {batch} = {hand[2]:.4f}",
        ],
        hand,
        run,
    )


@question("04.overflow", 5)
def overflow(rng: Random) -> Item:
    """A softmax that overflows, and one that does not."""
    level, gap = rng.choice([95, 120, 200, 1000]), rng.choice([1, 2, 3])
    z = np.array([level, level - gap], np.float32)
    text = """
        __global__ void f(const float* z, float* naive, float* safe) {
            int i = threadIdx.x;
            float most = fmaxf(z[0], z[1]);
            naive[i] = expf(z[i]) / (expf(z[0]) + expf(z[1]));
            safe[i] = expf(z[i] - most) / (expf(z[0] - most) + expf(z[1] - most));
        }"""
    share = 1 / (1 + math.exp(-gap))

    def run() -> tuple:
        naive, safe = floats(2), floats(2)
        profiled(text, 1, 2, z, naive, safe)
        return int(np.isnan(naive).sum()), *map(float, safe)

    return Item(
        f"A float is at most 3.4 · 10³⁸, which is about e^88.7. What does a softmax of the logits {rows(z)} "
        "give if it is computed in float32 as the formula says, and why? What are the two probabilities if "
        "you repair it, and how do you do that?",
        [
            "2 times NaN: infinity / infinity",
            "subtract the largest logit from both",
            f"{share:.3f} and {1 - share:.3f}",
        ],
        (2, share, 1 - share),
        run,
    )


@question("04.fusion", 4)
def fusion(rng: Random) -> Item:
    """Bytes of element-wise kernels, apart and in one."""
    count, n = rng.choice([2, 3, 4]), rng.choice([1024, 2048])
    text = "__global__ void f(const float* x, float* y) { int i = blockIdx.x * 256 + threadIdx.x; y[i] = 2.0f * x[i]; }"

    def run() -> tuple:
        one = profiled(text, n // 256, 256, floats(n), floats(n)).bytes_requested
        return count * one, one

    return Item(
        f"{count} kernels are launched one after the other, and each one applies an element-wise function to "
        f"all {n} floats of an array. How many bytes do they read and write together, how many does one fused "
        "kernel, and what else does fusion save?",
        [
            f"{count} · 8 · {n} = {count * 8 * n:,}",
            f"8 · {n} = {8 * n:,}",
            f"{count - 1} launch{'es' * (count > 2)}; it saves no arithmetic",
        ],
        (count * 8 * n, 8 * n),
        run,
    )
