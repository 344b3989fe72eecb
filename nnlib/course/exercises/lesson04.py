"""The exercises of lesson 04 besides its pieces of the library, with the usual mistakes."""

from typing import Any

from nnlib.course.exercises.kernels import ELEMENTS, THIN, KernelExercise, alone, threads
from nnlib.cuda import OutOfBoundsError, RaceError
from nnlib.mine.contract import Piece
from nnlib.mine.trials.sizes import chosen
from nnlib.mine.trials.tasks import at_most
from nnlib.ops import arrays

_MINE = "each thread handles one element: i = blockIdx.x * blockDim.x + threadIdx.x"


def _activations(x: Any) -> Any:
    """Move some activations so far from 0 that exp overflows."""
    for k, far in enumerate((10.5, -100, 100, 30)):
        x.flat[5 + k :: 47] = far
    return x


KernelExercise(
    Piece(
        "gelu_back",
        "04",
        "const float* dy, const float* x, float* dx, int n",
        "dx[i] = dy[i] · slope of GELU at x[i], which two terms add up to",
        "",
        {"dy": "n", "x": "n", "dx": "n"},
        lambda dy, x, n: arrays.gelu_backward(dy, x),
        **ELEMENTS,
        # Between 2.5 and 6 a right slope may round to anything near 0
        make={"x": lambda rng, shape, *_: _activations(rng.uniform(-2.5, 2.5, shape))},
        task=alone(lambda n: n),
    ),
    threads(lambda n: n),
    hints={
        OutOfBoundsError: "guard with if (i < n): the last block reaches past the end",
        RaceError: _MINE,
    },
    guard=("i < n",),
)


KernelExercise(
    Piece(
        "bias_gelu",
        "04",
        "const float* x, const float* b, float* v, float* y, int N, int K",
        "v[i] = x[i] + b[i % K], y[i] = GELU(v[i])",
        "",
        {"x": "N K", "b": "K", "v": "N K", "y": "N K"},
        lambda x, b, N, K: (x + b, arrays.gelu(x + b)),
        **chosen(
            "N K",
            [(3, 40), (1, 1), (4, 8), (30, 31), (7, 5)],
            [[(2, 40), (2, 60)], *THIN],
            far=[(70_000, 3), (3, 70_000), (70_000, 240)],
            along={2: ("N", 307)},
            ruler=(30, 31),
        ),
        make={"x": lambda rng, shape, *_: _activations(rng.standard_normal(shape))},
        task=[
            *alone(lambda N, K: N * K),
            at_most(
                "global_load.bytes",
                lambda N, K: 8 * N * K,
                "load each x and each b once, and v not at all: keep the sum in a variable",
            ),
            at_most(
                "global_load.sectors",
                lambda N, K: 20 * -(-N * K // 32),
                "neighbouring threads take neighbouring numbers",
            ),
        ],
    ),
    threads(lambda N, K: N * K),
    hints={
        OutOfBoundsError: (
            "there are N * K elements: guard with if (i < N * K)",
            "b has K elements: take b[i % K]",
        ),
        RaceError: _MINE,
    },
    guard=("i < N * K",),
)
