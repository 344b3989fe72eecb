"""Functions for several small numbers in one word compute what the CUDA Math API says of each of them."""

import numpy as np
import pytest

from nnlib.cuda import RawModule, force_simulator

COUNT = 200
PAIR = """extern "C" __global__ void f(const unsigned* x, const unsigned* y, unsigned* z) {
    z[threadIdx.x] = NAME(x[threadIdx.x], y[threadIdx.x]); }"""
ONE = PAIR.replace(", y[threadIdx.x]", "")

# name, whether the numbers are signed, what is computed of them; m: the largest signed number, 2m + 1 the unsigned one
FUNCTIONS = [
    ("add", False, lambda a, b, m: a + b),
    ("sub", False, lambda a, b, m: a - b),
    ("addss", True, lambda a, b, m: np.clip(a + b, -m - 1, m)),
    ("subss", True, lambda a, b, m: np.clip(a - b, -m - 1, m)),
    ("addus", False, lambda a, b, m: np.clip(a + b, 0, 2 * m + 1)),
    ("subus", False, lambda a, b, m: np.clip(a - b, 0, 2 * m + 1)),
    ("absdiffs", True, lambda a, b, m: abs(a - b)),
    ("absdiffu", False, lambda a, b, m: abs(a - b)),
    (
        "avgs",
        True,
        lambda a, b, m: np.trunc((a + b) / 2 + np.copysign(0.5, a + b)).astype(int),
    ),  # away from 0
    ("avgu", False, lambda a, b, m: (a + b + 1) // 2),
    ("haddu", False, lambda a, b, m: (a + b) // 2),
    ("maxs", True, lambda a, b, m: np.maximum(a, b)),
    ("maxu", False, lambda a, b, m: np.maximum(a, b)),
    ("mins", True, lambda a, b, m: np.minimum(a, b)),
    ("minu", False, lambda a, b, m: np.minimum(a, b)),
    ("abs", True, lambda a, b, m: abs(a)),
    ("absss", True, lambda a, b, m: np.minimum(abs(a), m)),
    ("neg", True, lambda a, b, m: -a),
    ("negss", True, lambda a, b, m: np.minimum(-a, m)),
    ("cmpeq", False, lambda a, b, m: -(a == b).astype(int)),
    ("cmpne", False, lambda a, b, m: -(a != b).astype(int)),
    ("cmpgts", True, lambda a, b, m: -(a > b).astype(int)),
    ("cmpltu", False, lambda a, b, m: -(a < b).astype(int)),
    ("setges", True, lambda a, b, m: (a >= b).astype(int)),
    ("setleu", False, lambda a, b, m: (a <= b).astype(int)),
]


def words(seed: int) -> np.ndarray:
    found = np.random.default_rng(seed).integers(0, 2**32, COUNT, dtype=np.uint32)
    found[:6] = [0, 0xFFFFFFFF, 0x80008000, 0x7FFF7F80, 0x80808080, 0x00017F00]
    return found


X, Y = words(1), words(2)
Y[3:9] = X[3:9]


def parts(of: np.ndarray, count: int, signed: bool) -> np.ndarray:
    return of.view(f"{'i' if signed else 'u'}{4 // count}").astype(int)


def ran(name: str, text: str) -> np.ndarray:
    result = np.zeros(COUNT, np.uint32)
    with force_simulator():
        RawModule(code=text, options=(f"-DNAME={name}",)).get_function("f")(
            (1,), (COUNT,), (X, Y, result)
        )
    return result


@pytest.mark.parametrize("count", [2, 4])
@pytest.mark.parametrize("name, signed, formula", FUNCTIONS, ids=[name for name, *_ in FUNCTIONS])
def test_each_number_of_a_word(name, signed, formula, count):
    a, b = parts(X, count, signed), parts(Y, count, signed)
    wanted = formula(a, b, 2 ** (32 // count - 1) - 1).astype(f"u{4 // count}").view(np.uint32)
    found = ran(
        f"__v{name}{count}", ONE if name.startswith(("abs", "neg")) and "diff" not in name else PAIR
    )
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("count, signed", [(2, True), (2, False), (4, True), (4, False)])
def test_sums_of_differences(count, signed):
    wanted = abs(parts(X, count, signed) - parts(Y, count, signed)).reshape(COUNT, count).sum(1)
    np.testing.assert_array_equal(ran(f"__vsad{'s' if signed else 'u'}{count}", PAIR), wanted)


@pytest.mark.parametrize(
    "call, formula",
    [
        ("__vimax3_s32((int)x, (int)y, 5)", lambda a, b: np.maximum(np.maximum(a, b), 5)),
        ("__viaddmin_s32((int)x, 7, (int)y)", lambda a, b: np.minimum((a + 7).astype(np.int32), b)),
        ("__vimin_s32_relu((int)x, (int)y)", lambda a, b: np.maximum(np.minimum(a, b), 0)),
    ],
)
def test_largest_and_smallest_of_several_words(call, formula):
    text = PAIR.replace(
        "NAME(x[threadIdx.x], y[threadIdx.x])",
        call.replace("x)", "x[threadIdx.x])")
        .replace("x,", "x[threadIdx.x],")
        .replace("y)", "y[threadIdx.x])")
        .replace("y,", "y[threadIdx.x],"),
    )
    np.testing.assert_array_equal(
        ran("unused", text).view(np.int32), formula(X.view(np.int32), Y.view(np.int32))
    )
