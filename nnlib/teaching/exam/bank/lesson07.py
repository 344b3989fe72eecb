"""Questions on lesson 07: the epoch loop, losses, early stopping, measures, normalised inputs, the audit."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import numpy as np

from nnlib.layers import Conv2d, Flatten, Linear, MaxPool2d, ReLU
from nnlib.model import Sequential
from nnlib.teaching.exam.question import Item, code, floats, profiled, question, rows
from nnlib.training.metrics import confusion_matrix, precision_recall


@question("07.steps", 4)
def steps(rng: Random) -> Item:
    """Steps of an epoch, and its last batch."""
    images, batch, epochs = (
        rng.choice([5000, 12000, 50000, 54000]),
        rng.choice([48, 64, 96, 128]),
        rng.randrange(3, 11),
    )
    each = -(-images // batch)
    last = images - (each - 1) * batch

    def run() -> tuple:
        batches = [min(batch, images - first) for first in range(0, images, batch)]
        return len(batches), len(batches) * epochs, batches[-1]

    return Item(
        f"A training uses {images:,} images in batches of {batch} for {epochs} epochs. How many steps has an "
        "epoch, how many has the training, and how many images are in the last batch of an epoch?",
        [
            f"{images} / {batch}, rounded up: {each}",
            f"{each} · {epochs} = {each * epochs}",
            f"{images} − {each - 1} · {batch} = {last}",
        ],
        (each, each * epochs, last),
        run,
    )


@question("07.mean", 4)
def mean(rng: Random) -> Item:
    """The loss of an epoch with a smaller last batch."""
    batch, last = rng.choice([10, 20, 50]), rng.choice([2, 5])
    losses = [Fraction(rng.randrange(2, 12), 4) for _ in range(3)]
    total = (batch * (losses[0] + losses[1]) + last * losses[2]) / (2 * batch + last)

    def run() -> tuple:
        each = np.repeat([float(loss) for loss in losses], [batch, batch, last])
        return float(each.mean()), float(np.mean([float(loss) for loss in losses]))

    values = [f"{float(loss):g}" for loss in losses]
    return Item(
        f"An epoch has batches of {batch}, {batch} and {last} images, with the mean losses {values[0]}, "
        f"{values[1]} and {values[2]}. What is the loss of the epoch, what does the mean of the three numbers "
        "say instead, and which line of the loop makes the difference?",
        [
            f"({batch} · {values[0]} + {batch} · {values[1]} + {last} · {values[2]}) / {2 * batch + last} = "
            f"{float(total):.3f}",
            f"{float(sum(losses) / 3):.3f}",
            "the loss of a batch is multiplied by its number of images before it is added",
        ],
        (float(total), float(sum(losses) / 3)),
        run,
    )


@question("07.patience", 5)
def patience(rng: Random) -> Item:
    """When early stopping stops, and with which weights."""
    wait, best = rng.choice([2, 3]), rng.randrange(2, 4)
    losses = [60 - 5 * epoch + rng.randrange(3) for epoch in range(best)]
    losses += [losses[-1] + rng.randrange(1, 6) for _ in range(wait)] + [
        losses[-1] - rng.randrange(1, 4)
    ]
    shown = ", ".join(f"0.{loss}" for loss in losses)

    def run() -> tuple:
        least, kept, waited = math.inf, 0, 0
        for epoch, loss in enumerate(losses, 1):
            if loss < least:
                least, kept, waited = loss, epoch, 0
            else:
                waited += 1
            if waited == wait:
                return epoch, kept
        return len(losses), kept

    return Item(
        f"The validation losses after each epoch are {shown}. With a patience of {wait}, after which epoch "
        "does the training stop, which epoch's weights remain, and what does one know only afterwards?",
        [
            f"{wait} epochs without an improvement: after epoch {best + wait}",
            f"those of epoch {best}",
            f"epoch {len(losses)} would have been better, 0.{losses[-1]}",
        ],
        (best + wait, best),
        run,
    )


@question("07.confusion", 5)
def confusion(rng: Random) -> Item:
    """Accuracy, recall and precision from a confusion matrix."""
    matrix = np.array(
        [
            [rng.randrange(6, 20) if r == c else rng.randrange(0, 5) for c in range(3)]
            for r in range(3)
        ]
    )
    which = rng.randrange(3)
    right, row, column = int(matrix.trace()), int(matrix[which].sum()), int(matrix[:, which].sum())

    def run() -> tuple:
        labels, predicted = (
            np.repeat(axis, matrix.ravel()) for axis in np.indices((3, 3)).reshape(2, 9)
        )
        precision, recall = precision_recall(confusion_matrix(predicted, labels, 3))
        return float((predicted == labels).mean()), float(recall[which]), float(precision[which])

    return Item(
        f"A confusion matrix has the true classes in rows and the predicted ones in columns: {rows(matrix)}. "
        f"What are the accuracy, the recall of class {which}, and its precision?",
        [
            f"{right} / {matrix.sum()} = {right / matrix.sum():.1%}",
            f"{matrix[which, which]} / {row} = {matrix[which, which] / row:.1%}",
            f"{matrix[which, which]} / {column} = {matrix[which, which] / column:.1%}",
        ],
        (right / matrix.sum(), matrix[which, which] / row, matrix[which, which] / column),
        run,
    )


@question("07.parameters", 5)
def parameters(rng: Random) -> Item:
    """Parameters and shapes of a network with convolution and pooling."""
    filters, side, classes = rng.choice([4, 8, 16]), rng.choice([12, 20, 28]), rng.choice([5, 10])
    after = (side - 2) // 2
    first, last = filters * 9 + filters, filters * after**2 * classes + classes

    def run() -> tuple:
        convolution, pool, linear = (
            Conv2d(1, filters, 3),
            MaxPool2d(2),
            Linear(filters * after**2, classes),
        )
        network = Sequential(convolution, ReLU(), pool, Flatten(), linear)
        shape = pool.forward(convolution.forward(floats(1, 1, side, side))).shape
        network.forward(floats(1, 1, side, side))  # the linear layer fits
        return tuple(shape[1:]), convolution.parameters.size, linear.parameters.size

    return Item(
        f"A network for images of 1 × {side} × {side}: convolution with {filters} filters of 3 × 3 (no "
        f"padding), ReLU, max pooling 2 × 2, linear layer to {classes} classes. Which shape has the output of "
        "the pooling for one image? How many parameters have the convolution and the linear layer?",
        [
            f"{filters} × {after} × {after}",
            f"{filters} · 9 + {filters} = {first}",
            f"{filters * after**2} · {classes} + {classes} = {last:,}",
        ],
        ((filters, after, after), first, last),
        run,
    )


@question("07.normalise", 4)
def normalise(rng: Random) -> Item:
    """A pixel, normalised with the numbers of the training images."""
    mean, std = Fraction(rng.randrange(2, 5), 8), Fraction(1, rng.choice([2, 4]))
    pixels = np.array([0, 51, 255], np.uint8)
    text = """
        __global__ void f(const unsigned char* x, float* y, float mean, float std) {
            y[threadIdx.x] = (x[threadIdx.x] / 255.0f - mean) / std;
        }"""
    hand = [(Fraction(int(pixel), 255) - mean) / std for pixel in pixels]

    def run() -> tuple:
        y = floats(3)
        profiled(text, 1, 3, pixels, y, float(mean), float(std))
        return tuple(map(float, y))

    return Item(
        f"Pixels are divided by 255. Over the training images, their mean is then {float(mean):g} and their "
        f"standard deviation {float(std):g}. Which inputs do pixels of 0, 51 and 255 become? Which mean is "
        "subtracted from a test image, and why?",
        [
            ", ".join(f"{float(value):g}" for value in hand),
            "the mean of the training images",
            "the test must not influence the network, and both must be measured on one scale",
        ],
        tuple(map(float, hand)),
        run,
    )


@question("07.noise", 5)
def noise(rng: Random) -> Item:
    """The standard error of an accuracy."""
    images, accuracy = rng.choice([900, 1600, 2500, 10000]), rng.choice([0.8, 0.9, 0.98])
    error = math.sqrt(accuracy * (1 - accuracy) / images)
    other = accuracy + rng.choice([1, 4]) * error

    def run() -> tuple:
        variance, chance = 0.0, [accuracy, 1 - accuracy]
        for right, weight in zip((1, 0), chance, strict=True):
            variance += weight * (right - accuracy) ** 2
        return (math.sqrt(variance / images),)

    far = other - accuracy > 2 * math.sqrt(2) * error
    return Item(
        f"A network classifies {accuracy:.0%} of {images:,} test images correctly, another one {other:.2%}. "
        "What is the standard error of the first accuracy, what is it of the difference (as if the tests were "
        "independent), and may you say that the second network is better?",
        [
            f"√({accuracy:g} · {1 - accuracy:.2g} / {images}) = {error:.2%}",
            f"√2 times: {math.sqrt(2) * error:.2%}",
            "yes: the difference is more than two standard errors"
            if far
            else "no: such a difference is within two standard errors",
        ],
        (error,),
        run,
    )


@question("07.audit", 6)
def audit(rng: Random) -> Item:
    """A published kernel that leaves rows out."""
    length, warps = rng.choice([64, 96, 128]), rng.choice([2, 3, 4])
    threads = 32 * warps
    text = """
        __global__ void row_sums(const float* a, float* sum, int length) {
            int row = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
            float mine = 0.0f;
            for (int k = lane; k < length; k += 32) mine += a[row * length + k];
            for (int d = 16; d > 0; d /= 2) mine += __shfl_down_sync(0xffffffffu, mine, d);
            if (lane == 0) sum[row] = mine;
        }"""

    def run() -> tuple:
        sums, repaired = np.full(threads, np.nan, np.float32), np.full(threads, np.nan, np.float32)
        ones = np.ones((threads, length), np.float32)
        profiled(text, 1, threads, ones, sums, length)
        repair = text.replace("threadIdx.x, lane", "threadIdx.x) / 32, lane").replace(
            "row = b", "row = (b"
        )
        profiled(repair, 1, threads, ones, repaired, length)
        return int((~np.isnan(sums)).sum()), float(sums[0]), int((~np.isnan(repaired)).sum())

    return Item(
        f"{code(text)}\n\nA warp should add up one row of a. All numbers in a are 1, length is {length}, and "
        f"one block of {threads} threads is launched. Which elements of sum are written, and with which value? "
        f"Write the line that repairs the kernel; how many rows does this block add up then?",
        [
            f"every 32nd, {warps} in all, with {length}, although each lane adds numbers of another row",
            "`int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32`",
            f"{threads} / 32 = {warps}, side by side",
        ],
        (warps, float(length), warps),
        run,
    )
