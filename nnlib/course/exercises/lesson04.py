"""What lesson 04 asks for beside its pieces of the library, and the usual mistakes."""

import math
from typing import Any

import numpy as np

from nnlib.course.exercises.kernels import ELEMENTS, KernelExercise, alone, threads
from nnlib.cuda import OutOfBoundsError, RaceError
from nnlib.mine.contract import Piece
from nnlib.mine.trials.sizes import chosen
from nnlib.mine.trials.tasks import at_most
from nnlib.ops import arrays

_MINE = "each thread handles one element: i = blockIdx.x * blockDim.x + threadIdx.x"
_SCALE, _CUBIC = 0.7978845608, 0.044715


def _gelu_slope(x: Any, scale: Any = _SCALE, cubic: Any = _CUBIC) -> Any:
    t = np.tanh(scale * (x + cubic * x**3))
    return (1 + t) / 2 + x / 2 * (1 - t * t) * scale * (1 + 3 * cubic * x**2)


def _activations(x: Any) -> Any:
    """Some of them far out, where exp overflows."""
    for k, far in enumerate((10.5, -100, 100, 30)):
        x.flat[5 + k :: 47] = far
    return x


def _slopes(rng: Any, shape: Any, *_: Any) -> Any:
    """Between 2.5 and 6 a right slope may round to anything near 0."""
    return _activations(rng.uniform(-2.5, 2.5, shape))


def _gelu_back_mistakes(dy: Any, x: Any, n: Any) -> Any:
    u = _SCALE * (x + _CUBIC * x**3)
    t = np.tanh(u)
    slope, inner = 1 - t * t, _SCALE * (1 + 3 * _CUBIC * x**2)
    sigmoid = 1 / (1 + np.exp(-1.702 * x))
    half, flat = (1 + t) / 2, np.tanh(_SCALE * (x + _CUBIC * x**2))
    return {
        "there are two terms: x / 2 changes with x, which gives (1 + t) / 2. And 1 / 2 between integers is 0": dy
        * x
        / 2
        * slope
        * inner,
        "the product rule adds its two terms": dy * half * x / 2 * slope * inner,
        "the slope of tanh is 1 - t * t, not 1 + t * t": dy * (half + x / 2 * (1 + t * t) * inner),
        "the slope of tanh is 1 - t * t, that is 1 / cosh squared": dy
        * (half + x / 2 / np.cosh(u) * inner),
        "the slope of x³ is 3 x², not 3 x": dy
        * (half + x / 2 * slope * _SCALE * (1 + 3 * _CUBIC * x)),
        "this is the gradient of ReLU": np.where(x > 0, dy, 0),
        "there are two terms: t changes with x, too": dy * half,
        "u changes with x: multiply the second term by the slope of u": dy * (half + x / 2 * slope),
        "the slope of x³ is 3 x²": dy * (half + x / 2 * slope * _SCALE * (1 + _CUBIC * x**2)),
        "u has the factor 0.798, so its slope has it, too": dy
        * (half + x / 2 * slope * inner / _SCALE),
        "the slope of tanh is 1 - t * t": dy * (half + x / 2 * (1 - t) * inner),
        "t * (1 - t) is the slope of sigmoid, and t is a tanh: look its slope up in the table": dy
        * (half + x / 2 * t * (1 - t) * inner),
        "that is the slope of x · sigmoid(1.702 x), which is only near GELU: the course takes the form with tanh": dy
        * (sigmoid + 1.702 * x * sigmoid * (1 - sigmoid)),
        "the slope of tanh is 1 - t * t, where t is tanh(u), its output, and not u": dy
        * (half + x / 2 * (1 - u**2) * inner),
        "the second term takes half of x, too": dy * (half + x * slope * inner),
        "the first term is half of (1 + t)": dy * (2 * half + x / 2 * slope * inner),
        "multiply by the gradient that arrives, dy": half + x / 2 * slope * inner,
        "dy is a factor of both terms": dy * half + x / 2 * slope * inner,
        "that is the slope of the exact GELU, with erf: the course takes the form with tanh": dy
        * (
            np.vectorize(math.erf)(x / 2**0.5) / 2
            + 0.5
            + x * np.exp(-x * x / 2) / (2 * np.pi) ** 0.5
        ),
        "this is GELU itself, not its slope": x * half,
        "this is dy times GELU itself: its slope is asked for": dy * x * half,
        "the constants are rounded: take 0.7978845608f and 0.044715f": dy
        * _gelu_slope(x, 0.798, 0.0447),
        "u contains x³, that is x * x * x": dy * ((1 + flat) / 2 + x / 2 * (1 - flat**2) * inner),
    }


KernelExercise(
    Piece(
        "gelu_back",
        "04",
        "const float* dy, const float* x, float* dx, int n",
        "dx[i] = dy[i] · slope of GELU at x[i], which two terms add up to",
        "",
        {"dy": "n", "x": "n", "dx": "n"},
        lambda dy, x, n: dy * _gelu_slope(x),
        **ELEMENTS,
        make={"x": _slopes},
        task=alone(lambda n: n),
    ),
    threads(lambda n: n),
    _gelu_back_mistakes,
    hints={
        OutOfBoundsError: "guard with if (i < n): the last block reaches past the end",
        RaceError: _MINE,
    },
    guard=("i < n",),
)


def _bias_gelu_mistakes(x: Any, b: Any, N: Any, K: Any) -> Any:
    v, place = x + b, np.arange(N * K).reshape(N, K)
    y = arrays.gelu(v)
    mistakes = {
        "the backward pass needs v: store it": (np.nan, y),
        "y is missing: store it": (v, np.nan),
        "y is GELU of v: add the bias first": (v, arrays.gelu(x)),
        "v is x + b; the bias is missing": (x, y),
        "GELU is applied to y only: v stays x + b": (y, y),
        "every column has its own bias: b[i % K]": (x + b[place // K % K],) * 2,
        "a row has K numbers: b[i % K], not b[i % N]": (x + b[place % N % K],) * 2,
        "v is x + b: the bias is added": (x - b, arrays.gelu(x - b)),
        "y is GELU of v, not tanh": (v, np.tanh(v)),
        "y is GELU of v, not ReLU": (v, np.maximum(v, 0)),
        "the bias comes before GELU": (v, arrays.gelu(x) + b),
        "the two results are exchanged": (y, v),
    }
    return {
        hint: tuple(np.broadcast_to(part, (N, K)) for part in wrong)
        for hint, wrong in mistakes.items()
    }


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
            [[(2, 40), (2, 60)], [(2000, 2600), (1, 4)], [(1, 4), (2000, 2600)]],
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
    _bias_gelu_mistakes,
    hints={
        OutOfBoundsError: (
            "there are N * K elements: guard with if (i < N * K)",
            "b has K elements: take b[i % K]",
        ),
        RaceError: _MINE,
    },
    guard=("i < N * K",),
)
