"""What is wrong only far out is refused: at sizes beyond a border, for extreme numbers, or where C defines nothing."""

import numpy as np
import pytest

from nnlib import mine
from nnlib.course.exercises.mistakes import usual_text
from nnlib.cuda import native_engine
from nnlib.mine.contract import Far
from nnlib.mine.trials import far, trial

needs_native_code = pytest.mark.skipif(
    native_engine() is None, reason="sizes this large need native code"
)
_MAX = "fmaxf(x[i], 0.0f)"


def changed(name, *pairs):
    text = mine.PIECES[name].plain
    for old, new in zip(pairs[::2], pairs[1::2], strict=True):
        assert old in text
        text = text.replace(old, new)
    return text


@needs_native_code
@pytest.mark.parametrize(
    ("name", "pairs", "said"),
    [
        ("relu", ("y[i] = ", "y[(unsigned)i << 10 >> 10] = "), "n = 16"),
        ("normalise_images", ("x[i] /", "x[(int)(float)i] /"), "n = 16"),
        ("sgd_step", ("lr * g[i]", "(i >> 20 ? 2.0f : 1.0f) * lr * g[i]"), "w[1048576] is"),
        ("linear_forward", ("i < inputs", "i < (inputs & 0xfff)"), "inputs = "),
        ("linear_grad_weight", ("n * outputs + out", "(n & 0xffff) * outputs + out"), "N = 70"),
        ("sum_columns", ("r < rows", "r < rows && r >> 14 == 0"), "rows = "),
        ("softmax_cross_entropy", ("k == labels[r]", "k == (labels[r] & 0xfff)"), "classes = 70"),
        ("conv_forward", ("c < C", "c < C % 128"), "C = "),
        ("conv_forward", ("oy * stride", "oy * (stride & 15)"), "stride = 17"),
        ("conv_grad_input", ("row + pad", "row + (pad & 15)"), "pad = 18"),
        (
            "max_pool",
            ("row < top + size", "row < top + size && row - top < (size & 15)"),
            "size = 19",
        ),
        (
            "max_pool_grad",
            ("plane = at / (H * W)", "plane = (unsigned)(at / (H * W)) << 16 >> 16"),
            "planes = 70",
        ),
        ("max_pool_grad", ("OW + ox;", "OW + ox & 0x7fffff;"), "planes = 70"),
        ("max_pool_grad", ("[window] == pixel", "[window] % 65536 == pixel % 65536"), "W = 4096"),
        (
            "sum_columns",
            (
                "(columns + 63) / 64, 64",
                "dim3(1, columns), 1",
                "int c = blockIdx.x",
                "int c = blockIdx.y",
            ),
            "grid.y is 70,000",
        ),
        ("conv_grad_weight", ("n * F + f) * OH", "(n & 0xffff) * F + f) * OH"), "N = 70"),
        ("conv_relu_pool", ("y[at]", "y[at & 0x7fffff]"), "N = 35"),
    ],
)
def test_no_border_hides(name, pairs, said):
    verdict = mine.judge(mine.PIECES[name], changed(name, *pairs), score=False)
    assert not verdict.right and said in str(verdict), verdict


@pytest.mark.parametrize(
    ("name", "pairs", "said"),
    [
        ("relu", (_MAX, "(x[i] + fabsf(x[i])) / 2"), "it should be 3.3e+38"),
        ("relu", (_MAX, "fminf(x[i], 9e37f) * (x[i] > 0)"), ""),
        ("relu", (_MAX, "isinf(x[i]) ? x[i] : " + _MAX), "infinity or -infinity"),
        ("relu", (_MAX, "x[i] > 1e-6f ? x[i] : 0"), "it should be"),
        (
            "max_pool",
            ("> plane[best]", "> plane[best] && !isinf(plane[row * W + column])"),
            "be inf",
        ),
        ("momentum_step", (">= n", ">= n || lr == 0"), "lr = 0, momentum"),
        ("relu_grad", ("y[i] > 0.0f", "y[i] > 1.2e-38f"), "it should be"),
        ("sgd_step", ("lr * g", "fminf(lr, 1.0f) * g"), "lr = 2.5"),
        ("momentum_step", ("momentum * v", "fmaxf(momentum, 0.1f) * v"), "momentum = 0"),
        ("normalise_images", ("- mean", "- fabsf(mean)"), "mean = -0.7"),
        (
            "softmax_cross_entropy",
            ("sum += expf(z[k] - largest)", "sum += expf(fmaxf(z[k], -1e5f) - largest)"),
            "it should be",
        ),
    ],
)
def test_numbers_come_from_their_whole_range(name, pairs, said):
    verdict = mine.judge(mine.PIECES[name], changed(name, *pairs), score=False)
    assert not verdict.right and said in str(verdict), verdict


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        (
            (
                "// y",
                "__device__ int calls;\n// y",
                "if (i < n)",
                "if (i == 0) calls = calls + 1; if (i < n)",
            ),
            "calls is a __device__",
        ),
        (
            (
                "// y",
                "__device__ int calls[2];\n// y",
                "if (i < n)",
                "if (i == 0) calls[1] = calls[1] + 1; if (i < n)",
            ),
            "calls is a __device__",
        ),
        (
            (
                "// y",
                "__device__ float last[300];\n// y",
                "if (i < n)",
                "if (i < 300) last[i] = 1.0f; if (i < n)",
                _MAX,
                "i < 300 && last[i] > 9.0f ? 1.0f : " + _MAX,
            ),
            None,
        ),
        ((_MAX, "clock() > 0 ? fmaxf(x[i], 0.0f) : 0.0f"), "reads the clock"),
        ((_MAX, "((size_t)x & 31) ? 1.0f : fmaxf(x[i], 0.0f)"), "where its arrays lie"),
        ((_MAX, "((size_t)x & 31) ? fmaxf(0.0f, x[i]) : fmaxf(x[i], 0.0f)"), None),
        (("if (i", "long q; memcpy(&q, &x, 8); if (q % 16 == 0 && i"), "where its arrays lie"),
        (
            (
                "blockIdx.x * blockDim.x + threadIdx.x",
                "4 * (blockIdx.x * blockDim.x + threadIdx.x)",
                "if (i < n)",
                "if (i + 3 < n) { float4 v = *(float4*)(x + i); "
                "*(float4*)(y + i) = make_float4(fmaxf(v.x, 0), fmaxf(v.y, 0), fmaxf(v.z, 0), fmaxf(v.w, 0)); } "
                "else for (; i < n; i++)",
            ),
            None,
        ),
        ((_MAX, "fmaxf(x[i], (float)(i * 1000003 & 0))"), "an int overflows"),
        ((_MAX, "fmaxf(x[i], (float)(i * 1000003u & 0))"), None),
        ((_MAX, "fmaxf(x[i], 1 << i % 64 & 0)"), "shift by 32"),
        (
            ("if (i < n)", "if (i * 200 + 1 > i * 200 && i * 9 / 9 == i && i < n)"),
            "an int overflows",
        ),
        (("if (i < n)", "if (i < n && &x[n] != &y[0])"), "the addresses of two arrays"),
        (("if (i < n)", "const float* p = x + i; if (p < x + n)"), None),
    ],
)
def test_what_depends_on_more_than_the_arguments_is_refused(pairs, said):
    verdict = mine.judge(mine.PIECES["relu"], changed("relu", *pairs))
    assert verdict.solved if said is None else not verdict.solved and said in str(verdict), verdict


def test_a_thousand_useless_operations_are_refused_and_a_dozen_cost_stars():
    useless = "if (i >= n) return; float t = x[i]; for (int k = 0; k < %d; k++) t = sqrtf(t * t + 1.0f); if (t >= 0.0f)"
    verdicts = [
        mine.judge(mine.PIECES["relu"], changed("relu", "if (i < n)", useless % times))
        for times in (1000, 4)
    ]
    assert (
        "times the operations" in str(verdicts[0]) and verdicts[1].solved and verdicts[1].stars < 3
    )
    natural = changed("relu", "y[i] = " + _MAX, "{ if (x[i] > 0) y[i] = x[i]; else y[i] = 0; }")
    assert mine.judge(mine.PIECES["relu"], natural).stars == 3


def test_a_chunk_for_each_thread_is_no_grid_stride_loop():
    loop = "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)"
    chunk = (
        "int each = (n - 1) / (gridDim.x * blockDim.x) + 1;"
        "int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;"
        "for (int i = first; i < min(first + each, n); i++)"
    )
    verdict = mine.judge(mine.PIECES["sgd_step"], changed("sgd_step", loop, chunk))
    assert verdict.right and not verdict.solved and "chunk of its own" in str(verdict)


def test_a_barrier_behind_a_condition_is_watched_to_the_end_of_a_long_loop():
    text = usual_text(mine.PIECES["linear_forward"])
    late = "w_tile[tx][i];\n        if (start < 4096)"
    verdict = mine.judge(
        mine.PIECES["linear_forward"], text.replace("w_tile[tx][i];\n", late), score=False
    )
    assert not verdict.right and "race" in str(verdict)


def test_a_long_case_is_a_short_one_again_and_again():
    piece = mine.PIECES["sum_columns"]
    answer = trial.prepare(piece, piece.plain)
    sizes = {"rows": 4, "columns": 30, "inner": 2}
    case = far.case(answer, Far(sizes, "columns", 7))
    x, sums = case.copies()["x"], case.expected["sums"]
    assert x.shape == (4, 30, 2) and np.array_equal(x[:, :7], x[:, 21:28])
    right = x.sum((0, 2), dtype=np.float32)
    assert case.how_far("sums", right) < 1e-6 and len(sums) == 7
    right[29] += 1
    assert "sums[29] is" in case.how_far("sums", right)
    summed = far.case(answer, Far({"rows": 14, "columns": 3, "inner": 2}, "rows", 7))
    np.testing.assert_allclose(summed.expected["sums"], summed.copies()["x"].sum((0, 2)), rtol=1e-5)
