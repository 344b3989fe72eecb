"""What is right up to a border only is refused, wherever the border lies; and sizes that the text of a kernel names."""

import numpy as np
import pytest

from nnlib import mine
from nnlib.course.exercises.mistakes import usual_text
from nnlib.cuda import RawModule
from nnlib.mine.trials import borders

RELU = mine.PIECES["relu"]


def changed(name, old, new, typed=False):
    text = usual_text(mine.PIECES[name]) if typed else mine.PIECES[name].plain
    assert old in text, text
    return text.replace(old, new)


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


BORDERS = """
relu: (i < n) -> (i < n && i < 100000)
relu: (i < n) -> (i < n && blockIdx.x < 1000)
relu: int i -> short i
relu: int i -> unsigned short i
relu: (i < n) -> (i < n && i * 2 < 500000)
relu: if (i < n) -> if (n == 12345) return; if (i < n)
relu: if (i < n) -> if (n > 3000 && n < 3010) return; if (i < n)
relu: fmaxf(x[i], 0.0f) -> fminf(fmaxf(x[i], 0.0f), 1e6f)
relu_grad: y[i] > 0.0f -> y[i] > 1e-6f
sgd_step: lr * g[i] -> 0.37f * g[i]
momentum_step: momentum * v[i] -> 0.8f * v[i]
normalise_images: - mean) / std -> - 0.63f) / 0.31f
sgd_step: i < n; -> i < min(n, 200000);
linear_forward: i < inputs -> i < min(inputs, 20000)
linear_grad_weight: n < N -> n < N && n < 8192
linear_grad_input: n >= N -> n >= N || n > 30000
linear_forward: n >= N -> n >= N || N > 50000
softmax_cross_entropy: r >= rows -> r >= rows || rows > 8192
softmax_cross_entropy: for (int k = 1; -> for (short k = 1;
conv_forward: c < C -> c < min(C, 512)
conv_forward: i < K -> i < min(K, 11)
conv_relu: oy * stride -> oy * min(stride, 3)
conv_forward: if (at >= N * F * OH * OW) -> if (at > 500000 || at >= N * F * OH * OW)
conv_forward: float sum -> if (N == 2 && C == 3 && H == 32) return; float sum
conv_forward: float sum -> if (stride == 3 && K == 2) return; float sum
conv_forward: blockIdx.x -> (blockIdx.x % 4096)
conv_relu: c < C -> c < min(C, 512)
conv_forward: - pad, column -> - min(pad, 5), column
conv_grad_input: f < F -> f < min(F, 4096)
conv_forward: f = at -> f = min(at, 100000)
conv_forward: n = at -> n = min(at, 100000)
conv_grad_weight: i = at -> i = min(at, 100000)
sum_columns: if (c >= columns) -> if (c >= min(columns, 65536))
max_pool: row < top + size -> row < top + min(size, 8)
sum_columns: r < rows -> r < rows && r * inner < 60000
conv_grad_weight: n < N -> n < min(N, 100)
max_pool: int at -> unsigned short at
max_pool: if (at >= -> if (planes > 50000 || at >=
max_pool: row < top + size -> row < top + min(size, 5)
max_pool_grad: oy < OH -> oy < min(OH, 100)
conv_relu_pool: -INFINITY -> -1e30f
conv_relu_pool: -INFINITY -> -1e6f
conv_relu_pool: -INFINITY -> 0.0f
"""


@pytest.mark.parametrize("border", BORDERS.strip().splitlines())
def test_what_is_right_up_to_a_border_is_refused(border):
    name, change = border.split(": ", 1)
    verdict = mine.judge(mine.PIECES[name], changed(name, *change.split(" -> ")), seed=3)
    assert not verdict.solved and not verdict.right, verdict


POOL = changed(
    "max_pool", "int best = top * W + left;", "int best = 0; float largest = -INFINITY;"
).replace(
    "if (plane[row * W + column] > plane[best]) best = row * W + column;",
    "if (plane[row * W + column] > largest) { largest = plane[row * W + column]; best = row * W + column; }",
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


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("relu", "(n + 255) / 256, 256>>>", "min((n + 255) / 256, 65535), 256>>>"),
        ("sgd_step", "(n + 255) / 256, 256>>>", "4096, 256>>>"),
        (
            "conv_forward",
            "sum +=",
            "if (K < 2) { sum += x[((n * C + c) * H + row) * W + column] * w[f * C + c]; continue; }"
            " sum +=",
        ),
        ("conv_forward", "for (int j", "for (unsigned short j"),
        ("conv_relu_pool", "for (int j", "for (unsigned short j"),
        ("conv_relu_pool", "for (int i", "for (short i"),
        ("conv_forward", "float sum", "const int MOST = 70; float sum"),
        ("sum_columns", "/ 64, 64>>>", "/ 64 + 1, 512>>>"),
        ("sum_columns", "(columns + 63)", "max(1024, columns + 63)"),
        (
            "sum_columns",
            "for (int r",
            "if (rows == 1 && inner == 1) { sums[c] = x[c]; return; } for (int r",
        ),
    ],
)
def test_a_right_kernel_may_name_sizes(name, old, new):
    text = changed(name, old, new)
    if name == "relu":
        text = text.replace("if (i < n) ", "for (; i < n; i += gridDim.x * blockDim.x) ")
    assert mine.judge(mine.PIECES[name], text).right


def test_other_launches_are_tried_beyond_a_border_too():
    text = changed("sgd_step", "i < n; i +=", "i < n && i < 1000 * gridDim.x * blockDim.x; i +=")
    verdict = mine.judge(mine.PIECES["sgd_step"], text)
    assert not verdict.solved and "launched with <<<1, 1>>>: w[1000] is" in str(verdict)


def test_sizes_are_tried_beside_what_they_are_compared_with():
    piece = mine.PIECES["conv_forward"]
    text = changed("conv_forward", "float sum", "if (N == 7 && 9 > K) return; float sum")
    drawn = piece.drawn(np.random.default_rng(0))
    found = borders.named(piece, RawModule(text).program, drawn)
    assert {(sizes["N"], sizes["K"]) for sizes in found} >= {
        (n, drawn[0]["K"]) for n in (6, 7, 8)
    } | {(drawn[0]["N"], k) for k in (8, 9, 10)} | {(7, 9)}
    assert all(min(sizes["H"], sizes["W"]) >= sizes["K"] for sizes in found)
