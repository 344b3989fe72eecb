"""Sizes that the text of a kernel names, and what is tried beside them."""

import numpy as np
import pytest

from nnlib import mine
from nnlib.course.exercises.mistakes import usual_text
from nnlib.cuda import RawModule
from nnlib.mine.trials import borders

from .answers import plain


def numbers(body, declared=""):
    return borders._numbers(
        RawModule(f'{declared} extern "C" __global__ void f(float* x, int n) {{ {body} }}').program
    )


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("if (n < 100000) x[0] = 1;", 100_000),
        ("if (n < 1 << 17) x[0] = 1;", 131_072),
        ("if (n < 1e5f) x[0] = 1;", 100_000),
        ("const int most = 300; if (n < most * most) x[0] = 1;", 90_000),
        ("short i = n; x[0] = i;", 32_767),
        ("x[0] = (unsigned short)n;", 65_535),
        ("for (signed char k = 0; k < n; k++) x[0] = 1;", 127),
        ("__shared__ float tile[40][50]; tile[0][0] = 1; x[0] = tile[0][0];", 2000),
        ("float own[77]; own[0] = 1; x[0] = own[0];", 77),
        ("switch (n) { case 5: x[7777] = 1; }", 7777),
    ],
)
def test_numbers_of_a_text(body, found):
    assert found in numbers(body)


def test_numbers_of_variables_and_of_functions_that_are_called():
    declared = "__constant__ float w[4096]; __device__ int g(int n) { return min(n, 5000); }"
    assert {4096, 5000} <= numbers("x[0] = g(n) + w[0];", declared)
    assert max(numbers("x[0] = __shfl_sync(0xffffffff, x[0], 0);")) < 100  # a mask is no size


POOL = (
    plain("max_pool")
    .replace("int best = top * W + left;", "int best = 0; float largest = -INFINITY;")
    .replace(
        "if (plane[row * W + column] > plane[best]) best = row * W + column;",
        "if (plane[row * W + column] > largest) { largest = plane[row * W + column]; best = row * W + column; }",
    )
)
SOFTMAX = usual_text(mine.PIECES["softmax_cross_entropy"])


@pytest.mark.parametrize("text", [POOL, SOFTMAX], ids=["max_pool", "softmax_cross_entropy"])
@pytest.mark.parametrize(
    ("first", "right"),
    [
        ("-FLT_MAX", True),
        ("-3.4e38f", True),
        ("-1.0f / 0.0f", True),
        ("__int_as_float(0xff800000)", True),
        ("-1e36f", False),
        ("-1e30f", False),
        ("-1e20f", False),
        ("-1e6f", False),
        ("-10000.0f", False),
        ("FLT_MIN", False),
        ("0.0f", False),
    ],
)
def test_a_maximum_begins_below_every_number(text, first, right):
    name = "max_pool" if text is POOL else "softmax_cross_entropy"
    assert "-INFINITY" in text
    assert mine.judge(mine.PIECES[name], text.replace("-INFINITY", first)).right == right


def test_other_launches_are_tried_beyond_a_border_too():
    text = plain("sgd_step").replace(
        "i < n; i +=", "i < n && i < 1000 * gridDim.x * blockDim.x; i +="
    )
    verdict = mine.judge(mine.PIECES["sgd_step"], text)
    assert not verdict.solved and "launched with <<<1, 1>>>: w[1000] is" in str(verdict)


def test_sizes_are_tried_beside_what_they_are_compared_with():
    piece = mine.PIECES["conv_forward"]
    text = piece.plain.replace("float sum", "if (N == 7 && 9 > K) return; float sum")
    drawn = piece.drawn(np.random.default_rng(0))
    found = borders.named(piece, RawModule(text).program, drawn)
    assert {(sizes["N"], sizes["K"]) for sizes in found} >= {
        (n, drawn[0]["K"]) for n in (6, 7, 8)
    } | {(drawn[0]["N"], k) for k in (8, 9, 10)} | {(7, 9)}
    assert all(min(sizes["H"], sizes["W"]) >= sizes["K"] for sizes in found)
