"""What lesson 04 asks for beside its pieces of the library, and the usual mistakes."""

import math

import numpy as np

from nnlib.course.exercises.checking import KernelExercise, Limit, Out, Sample, alone
from nnlib.cuda import OutOfBoundsError, RaceError
from nnlib.ops import arrays

_SIZES = (33, 64), (1, 64), (31, 32), (32, 64), (900, 128)
_MINE = "each thread handles one element: i = blockIdx.x * blockDim.x + threadIdx.x"
_SCALE, _CUBIC = 0.7978845608, 0.044715


def _gelu_slope(x, scale, cubic):
    t = np.tanh(scale * (x + cubic * x**3))
    return (1 + t) / 2 + x / 2 * (1 - t * t) * scale * (1 + 3 * cubic * x**2)


def _activations(x):
    """Some of them far out, where exp overflows."""
    for k, far in enumerate((10.5, -100, 100, 30)):
        x.flat[5 + k :: 47] = far
    return x


@np.errstate(over="ignore")  # of cosh
def _gelu_back(rng, n, block):
    dy = rng.standard_normal(n, dtype=np.float32)
    # Between 2.5 and 6 a right slope may round to anything near 0.
    given = _activations(rng.uniform(-2.5, 2.5, n).astype(np.float32))
    x = given.astype(np.float64)
    u = _SCALE * (x + _CUBIC * x**3)
    t = np.tanh(u)
    slope, inner = 1 - t * t, _SCALE * (1 + 3 * _CUBIC * x**2)
    half, flat = (1 + t) / 2, np.tanh(_SCALE * (x + _CUBIC * x**2))
    mistakes = {
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
    return Sample(
        grid=-(-n // block),
        block=block,
        args=(dy, given, Out(n), n),
        expect=dy * _gelu_slope(x, _SCALE, _CUBIC),
        mistakes=mistakes,
        limits=[alone(n)],
    )


KernelExercise(
    "04.gelu_back",
    _gelu_back,
    _SIZES,
    hints={
        OutOfBoundsError: "guard with if (i < n): the last block reaches past the end",
        RaceError: _MINE,
    },
    guard=("i < n",),
)


def _bias_gelu(rng, N, K, block):
    x = _activations(rng.standard_normal((N, K), dtype=np.float32))
    b = rng.standard_normal(K, dtype=np.float32)
    v = x + b
    y, n = arrays.gelu(v), N * K
    mistakes = {
        "the backward pass needs v: store it": (np.nan, y),
        "y is missing: store it": (v, np.nan),
        "y is GELU of v: add the bias first": (v, arrays.gelu(x)),
        "v is x + b; the bias is missing": (x, y),
        "GELU is applied to y only: v stays x + b": (y, y),
        "every column has its own bias: b[i % K]": (x + b[np.arange(n).reshape(N, K) // K % K],)
        * 2,
        "a row has K numbers: b[i % K], not b[i % N]": (x + b[np.arange(n).reshape(N, K) % N % K],)
        * 2,
        "v is x + b: the bias is added": (x - b, arrays.gelu(x - b)),
        "y is GELU of v, not tanh": (v, np.tanh(v)),
        "y is GELU of v, not ReLU": (v, np.maximum(v, 0)),
        "the bias comes before GELU": (v, arrays.gelu(x) + b),
        "the two results are exchanged": (y, v),
    }
    return Sample(
        grid=-(-n // block),
        block=block,
        args=(x, b, Out((N, K)), Out((N, K)), N, K),
        expect=(v, y),
        mistakes={
            hint: tuple(np.broadcast_to(part, (N, K)) for part in wrong)
            for hint, wrong in mistakes.items()
        },
        limits=[
            alone(n),
            Limit(
                "global_load.bytes",
                most=8 * n,
                hint="load each x and each b once, and v not at all: keep the sum in a variable",
            ),
            Limit(
                "global_load.sectors",
                most=20 * -(-n // 32),
                hint="neighbouring threads take neighbouring numbers",
            ),
        ],
    )


KernelExercise(
    "04.bias_gelu",
    _bias_gelu,
    [(3, 40, 64), (1, 1, 64), (4, 8, 32), (30, 31, 128), (7, 5, 32)],
    hints={
        OutOfBoundsError: (
            "there are N * K elements: guard with if (i < N * K)",
            "b has K elements: take b[i % K]",
        ),
        RaceError: _MINE,
    },
    guard=("i < N * K",),
)
