"""The exercises of lesson 02 besides its piece of the library, with the usual mistakes."""

from typing import Any

import numpy as np

from nnlib.course.exercises.checking import FunctionExercise
from nnlib.course.exercises.kernels import ELEMENTS, KernelExercise, alone, threads
from nnlib.cuda import OutOfBoundsError, RaceError
from nnlib.mine.contract import Piece
from nnlib.mine.trials.sizes import given
from nnlib.mine.trials.tasks import at_most

_LANES = np.arange(32)


def _sectors(first: Any, step: Any, size: int = 32, lanes: Any = _LANES) -> int:
    """Count the distinct segments of `size` bytes that lanes touch; lane k reads at byte first + step * k."""
    return len(set(((first + step * lanes) // size).tolist()))


def _sectors_of_mistakes(stride: Any, offset: Any) -> dict[str, Any]:
    first, step = 4 * offset, 4 * stride
    return {
        "a float has 4 bytes: lane k's begins at byte 4 * (offset + stride * k)": _sectors(
            offset, stride
        ),
        "the offset counts floats, too: lane k's begins at byte 4 * (offset + stride * k)": _sectors(
            offset, step
        ),
        "where the first float begins matters, too: the offset is missing": _sectors(0, step),
        "each float counts here, not each sector: number the sectors with // (32 bytes, or 8 floats, in each), "
        "and count each number once": _sectors(0, step, 4),
        "a sector counts once, however many lanes read from it: collect the numbers in a set": 32,
        "a sector has 32 bytes, which is 8 floats: divide bytes by 32": _sectors(first, step, 8),
        "a warp has 32 lanes, 0 to 31: is the last one missing?": _sectors(
            first, step, lanes=_LANES[:-1]
        ),
        "a warp has 32 lanes, 0 to 31: is the first one missing?": _sectors(
            first, step, lanes=_LANES[1:]
        ),
        "with a large stride there are sectors in between that no lane reads from: count only those of the "
        "lanes": abs((offset + 31 * stride) // 8 - offset // 8) + 1,
        "from stride 8 on every lane has a sector of its own, and below it the offset matters: go through the "
        "lanes": step,
        "that is right for some offsets only: go through the lanes": min(32, step),
        "that is right for some strides and offsets only: go through the lanes": min(
            32, step + (offset > 0)
        ),
        "a sector has 32 bytes, which is 8 floats, not 4": _sectors(first, step, 16),
        "those are the bytes that move: count the sectors": 32 * _sectors(first, step),
    }


FunctionExercise(
    "02.sectors_of",
    reference=lambda stride, offset: _sectors(4 * offset, 4 * stride),
    inputs=[
        (1, 0),
        (1, 1),
        (2, 0),
        (3, 0),
        (4, 1),
        (1, 8),
        (12, 5),
        (-1, 31),
        (0, 3),
        (6, 6),
        (900, 77),
    ],
    mistakes=_sectors_of_mistakes,
    whole=True,
)


KernelExercise(
    Piece(
        "grey",
        "02",
        "const float* pixels, float* out, int n",
        "out[i] = (pixels[3 i] + pixels[3 i + 1] + pixels[3 i + 2]) / 3",
        "",
        {"pixels": "n three", "out": "n"},
        lambda pixels, n, three: pixels.mean(1),
        **ELEMENTS,
        derived=lambda sizes: {"three": 3},
        make={"pixels": lambda rng, shape, *_: rng.random(shape)},
        task=alone(lambda n: n, stores=6),
    ),
    threads(lambda n: n),
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


KernelExercise(
    Piece(
        "pairs",
        "02",
        "const float* x, float* out, int n",
        "out[i] = x[2 i] + x[2 i + 1]",
        "",
        {"x": "n two", "out": "n"},
        lambda x, n, two: x.sum(1),
        **ELEMENTS | {"sizes": [{"n": n} for n in (1000, 31, 1, 32, 33, 257, 700)]},
        derived=lambda sizes: {"two": 2},
        task=[
            *alone(lambda n: n),
            at_most(
                "as_compiled.global_load.sectors",
                lambda n: -(-n // 4) + 1,  # one more: a last pair apart
                "every sector is asked for twice: let one load bring a whole pair, as a float2",
            ),
        ],
    ),
    threads(lambda n: n),
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


KernelExercise(
    Piece(
        "scale4",
        "02",
        "float factor, const float* x, float* out, int n",
        "out[i] = factor · x[i]",
        "",
        {"x": "n", "out": "n"},
        lambda factor, x, n: factor * x,
        **ELEMENTS
        | {"sizes": [{"n": n} for n in (1027, 1000, 4, 3, 1, 130, 1540)], "ruler": {"n": 1027}},
        numbers={"factor": (1.2, 1.8)},
        extremes=given((0,), (1e-30,), (1e30,), factor=(-1e-3, 1e6)),
        task=[
            at_most(
                "global_load.requests",
                lambda n: -(-n // 128) + 3,  # three more for the rest
                "read four floats with one load, ((const float4*)x)[i], and each of the rest once, by one thread",
            )
        ],
    ),
    threads(lambda n: -(-n // 4)),
    guard=("i < n / 4", "i < n % 4"),
    hints={
        OutOfBoundsError: (
            "there are n / 4 whole float4s: guard with if (i < n / 4), and the rest with n % 4",
            (
                "float4 number i holds the floats 4 * i to 4 * i + 3, so its index is i; and "
                "only n % 4 threads take one of the rest"
            ),
        ),
        RaceError: "two threads write one element: each float4 and each of the rest belongs to one",
    },
)
