"""What lesson 02 asks for beside its piece of the library, and the usual mistakes."""

import numpy as np

from nnlib.course.exercises.checking import KernelExercise, Limit, Out, Sample, alone
from nnlib.cuda import OutOfBoundsError, RaceError


def _grey(rng, n, block):
    pixels = rng.random(3 * n, dtype=np.float32)
    r, g, b = pixels.reshape(n, 3).T
    plane = pixels.reshape(3, n)
    return Sample(
        grid=-(-n // block),
        block=block,
        args=(pixels, Out(n), n),
        expect=(r + g + b) / 3,
        limits=[alone(n, stores=6)],
        mistakes={
            "this is the sum; divide by 3": r + g + b,
            "brackets: divide the whole sum, not only blue": r + g + b / 3,
            "an int drops what follows the decimal point: let the sum be a float": np.trunc(
                r + g + b
            )
            / 3,
            "these are the weights of the human eye; a mean gives all three the same weight": np.float32(
                0.299
            )
            * r
            + np.float32(0.587) * g
            + np.float32(0.114) * b,
            "this is the largest of the three: compute the mean": np.maximum(np.maximum(r, g), b),
            "this is the smallest of the three: compute the mean": np.minimum(np.minimum(r, g), b),
            "that is the mean of the largest and the smallest: take the mean of all three": (
                np.maximum(np.maximum(r, g), b) + np.minimum(np.minimum(r, g), b)
            )
            / 2,
            "only red is read; a pixel has three floats": r,
            "only blue is left of the sum: of numbers with commas C keeps the last. Add with +": b
            / 3,
            "blue is missing: add all three": (r + g) / 3,
            "red is missing: add all three": (g + b) / 3,
            "green is missing: add all three": (r + b) / 3,
            "the colours of a pixel lie side by side: pixel i starts at 3 * i": plane.sum(0) / 3,
            "pixel i starts at 3 * i, not at i": (
                pixels[:n] + pixels[1 : n + 1] + pixels[2 : n + 2]
            )
            / 3,
        },
    )


KernelExercise(
    "02.grey",
    _grey,
    sizes=[(33, 64), (2, 64), (32, 64), (64, 32), (1500, 64)],
    guard=("i < n",),
    hints={
        OutOfBoundsError: (
            "there are n pixels: guard with if (i < n)",
            "of the 3 * n floats, pixel i has those from 3 * i to 3 * i + 2",
            "out has one number for each pixel: out[i]",
        ),
        RaceError: "pixel i belongs to thread i = blockIdx.x * blockDim.x + threadIdx.x, and to out[i]",
    },
)


def _pairs(rng, n, block):
    x = rng.standard_normal(2 * n, dtype=np.float32)
    left, right = x[::2], x[1::2]
    return Sample(
        grid=-(-n // block),
        block=block,
        args=(x, Out(n), n),
        expect=left + right,
        mistakes={
            "only the first of the two floats is used": left,
            "the first of the two floats is used twice": 2 * left,
            "the second of the two floats is used twice": 2 * right,
            "only the second of the two floats is used": right,
            "this is the mean: compute the sum": (left + right) / 2,
            "add the two floats, do not subtract them": left - right,
            "pair i begins at 2 * i; here the pairs overlap": x[:n] + x[1 : n + 1],
            "the two floats of a pair lie side by side, not n apart": x[:n] + x[n:],
            "this is the product: compute the sum": left * right,
        },
        limits=[
            alone(n, stores=2),
            Limit(
                "as_compiled.global_load.sectors",
                most=-(-n // 4) + 1,  # one more: a last pair apart
                hint="every sector is asked for twice: let one load bring a whole pair, as a float2",
            ),
        ],
    )


KernelExercise(
    "02.pairs",
    _pairs,
    sizes=[(33, 64), (1, 64), (32, 64), (1000, 256), (257, 64)],
    guard=("i < n",),
    hints={
        OutOfBoundsError: (
            "there are n pairs: guard with if (i < n)",
            "of the 2 * n floats, pair i begins at float 2 * i; as float2 it is number i",
            "out has one number for each pair: out[i]",
        ),
        RaceError: "pair i belongs to thread i = blockIdx.x * blockDim.x + threadIdx.x, and to out[i]",
    },
)


def _scale4(rng, n, block):
    x = rng.standard_normal(n, dtype=np.float32)
    factor = np.float32({1000: -0.7, 3: 0.0, 130: 1e-3, 4097: 40.0}.get(n, rng.uniform(1.2, 1.8)))
    fours, rest = n // 4, n % 4
    only_fours, only_rest = factor * x, np.full(n, np.nan, np.float32)
    only_fours[4 * fours :] = np.nan
    only_rest[4 * fours :] = factor * x[4 * fours :]
    copied = factor * x
    copied[4 * fours :] = x[4 * fours :]
    mistakes = {"the last n % 4 elements must be scaled, too": copied} if rest else {}
    threads = -(-n // (4 * block)) * block
    if threads < n:
        mistakes[
            "there is a thread for every four elements, and here each takes one: let it take a float4"
        ] = np.where(np.arange(n) < threads, factor * x, np.float32(np.nan))
    for k, part in enumerate("xyzw" if fours else ""):
        one_less = factor * x
        one_less[k : 4 * fours : 4] = x[k : 4 * fours : 4]
        mistakes[f"one of the four floats is not multiplied: .{part}"] = one_less
    if rest and fours:
        mistakes |= {
            "the last n % 4 elements fill no float4: they are missing": only_fours,
            "only the last n % 4 elements are there: the float4s are missing": only_rest,
        }
    return Sample(
        grid=-(-n // (4 * block)),
        block=block,
        args=(factor, x, Out(n), n),
        expect=factor * x,
        mistakes=mistakes | {"this copies x without scaling it": x},
        limits=[
            Limit(
                "global_load.requests",
                most=-(-fours // 32) + 3,  # three more for the rest
                hint="read four floats with one load, ((const float4*)x)[i], and each of the rest "
                "once, by one thread",
            )
        ],
    )


KernelExercise(
    "02.scale4",
    _scale4,
    sizes=[(1027, 64), (1000, 64), (4, 32), (3, 32), (1, 64), (130, 32), (4097, 128)],
    guard=("i < n / 4", "i < n % 4"),
    hints={
        OutOfBoundsError: (
            "there are n / 4 whole float4s: guard with if (i < n / 4), and the rest with n % 4",
            "float4 number i holds the floats 4 * i to 4 * i + 3, so its index is i; and "
            "only n % 4 threads take one of the rest",
        ),
        RaceError: "two threads write one element: each float4 and each of the rest belongs to one",
    },
)
