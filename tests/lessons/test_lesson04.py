"""Lesson 04: every check accepts right answers written differently and names the mistake of wrong ones."""

import numpy as np
import pytest

from nnlib.course.exercises import find
from nnlib.cuda import RawKernel

from .conftest import prove

I = "int i = blockIdx.x * blockDim.x + threadIdx.x; "  # noqa: E741
SIGNATURES = {
    "04.leaky": "const float* x, float* y, float slope, int n",
    "04.tanh_back": "const float* dy, const float* y, float* dx, int n",
    "04.row_max": "const float* x, float* out, int N, int K",
    "04.mask_scale": "const float* x, const unsigned char* mask, float* y, float scale, int n",
}
ROW = "int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32; "
GONE = "if (row >= N) return; "
SEARCH = "float v = -3.4e38f; for (int k = lane; k < K; k += 32) v = fmaxf(v, x[row * K + k]); "
XOR = "for (int o = 16; o > 0; o /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, o)); "
DOWN = "for (int o = 16; o > 0; o /= 2) v = fmaxf(v, __shfl_down_sync(0xffffffffu, v, o)); "
WRITE = "if (lane == 0) out[row] = v;"


def judge(name, body):
    return find(name).judge(RawKernel(f'extern "C" __global__ void answer({SIGNATURES[name]}) {{ {body} }}', "answer"))


@pytest.mark.parametrize(("name", "body"), [
    ("04.leaky", I + "if (i < n) y[i] = x[i] > 0.0f ? x[i] : slope * x[i];"),
    ("04.leaky", I + "if (i >= n) return; float v = x[i]; y[i] = fmaxf(v, 0.0f) + slope * fminf(v, 0.0f);"),
    ("04.tanh_back", I + "if (i < n) dx[i] = dy[i] * (1.0f - y[i] * y[i]);"),
    ("04.tanh_back", I + "if (i < n) { float v = y[i]; dx[i] = dy[i] * (1.0f - v) * (1.0f + v); }"),
    ("04.leaky", I + "float v = 0; if (i < n) v = x[i]; v = v > 0 ? v : slope * v; if (i < n) y[i] = v;"),
    ("04.tanh_back", I + "if (i < n) { dx[i] = dy[i]; dx[i] *= 1.0f - y[i]; dx[i] *= 1.0f + y[i]; }"),
    ("04.row_max", ROW + GONE + SEARCH.replace("-3.4e38f", "-INFINITY") + XOR + WRITE),
    ("04.row_max", ROW + GONE + SEARCH.replace("-3.4e38f", "x[row * K]") + XOR + WRITE),
    ("04.row_max", ROW + GONE + SEARCH.replace("v = fmaxf(v, x[row * K + k])", "if (x[row * K + k] > v) v = x[row * K + k]") +
     XOR + WRITE),
    ("04.row_max", ROW + GONE + SEARCH + XOR + WRITE),
    ("04.row_max", ROW + GONE + SEARCH + DOWN + WRITE),
    ("04.mask_scale", I + "if (i < n) y[i] = mask[i] ? x[i] * scale : 0.0f;"),
    ("04.mask_scale", I + "if (i < n) y[i] = x[i] * mask[i] * scale;"),
    ("04.mask_scale", I + "if (i < n) { if (mask[i]) y[i] = x[i] * scale; else y[i] = 0; }"),
    ("04.leaky", I + "if (i < n) { float v = x[i]; y[i] = (v > 0) * v + (v <= 0) * slope * v; }"),
    ("04.leaky", "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)"
                 " y[i] = x[i] > 0 ? x[i] : slope * x[i];"),
    ("04.leaky", I + "if (i < n) y[i] = fmaxf(x[i], slope * x[i]);"),
])
def test_right_kernels_are_accepted(name, body):
    verdict = judge(name, body)
    assert verdict.solved, verdict.text


@pytest.mark.parametrize(("name", "body", "hint"), [
    ("04.leaky", I + "y[i] = x[i] > 0.0f ? x[i] : slope * x[i];", "guard with if (i < n)"),
    ("04.leaky", I + "if (i < n) y[i] = fmaxf(x[i], 0.0f);", "plain ReLU"),
    ("04.leaky", "for (int i = 0; i < n; i++) y[i] = x[i] > 0.0f ? x[i] : slope * x[i];", "no loop over all"),
    ("04.tanh_back", "for (int i = 0; i < n; i++) dx[i] = dy[i] * (1.0f - y[i] * y[i]);", "no loop over all"),
    ("04.leaky", I + "if (i < n) y[i] = x[i] > 0.0f ? slope * x[i] : x[i];", "exchanged"),
    ("04.leaky", I + "if (i < n) y[i] = x[i] > 0.0f ? x[i] : slope;", "not the value itself"),
    ("04.leaky", I + "if (i < n) y[i] = x[i] > 0.0f ? 1.0f : slope;", "slope of the function"),
    ("04.leaky", I + "if (i < n) { if (x[i] > 0) y[i] = x[i]; else y[i] = slope * x[i]; }", "with a select"),
    ("04.leaky", I + "if (i < n) { float v = x[i]; if (v < 0) v *= slope; y[i] = v; }", "with a select"),
    ("04.leaky", I + "if (i < n && x[i] > 0.0f) y[i] = x[i];", "slope * x, too"),
    ("04.leaky", I + "if (i < n) { if (x[i] > 0) y[i] = x[i]; if (x[i] < 0) y[i] = slope * x[i]; }", "no thread wrote [3]"),
    ("04.leaky", I + "if (i < n) y[i] = x[i] > 0 ? x[i] : 0.1f * x[i];", "should be"),
    ("04.leaky", "int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = x[i] > 0 ? x[i] : slope * x[i];", "without blockIdx.x, blockDim.x"),
    ("04.tanh_back", "for (int i = threadIdx.x; i < n; i += blockDim.x) dx[i] = dy[i] * (1 - y[i] * y[i]);", "repeat"),
    ("04.tanh_back", I + "if (i < n) { float t = tanhf(y[i]); dx[i] = dy[i] * (1.0f - t * t); }", "already the output"),
    ("04.leaky", I + "if (i < n) y[i] = slope * x[i];", "stays as it is"),
    ("04.leaky", I + "if (i < n) y[i] = fmaxf(x[i], 0.0f) + slope * x[i];", "only for the others"),
    ("04.leaky", I + "if (i < n) y[i] = x[i] > 0.0f ? x[i] : -slope * x[i];", "without a minus"),
    ("04.tanh_back", I + "if (i < n) dx[i] = dy[i] * 1.0f - y[i] * y[i];", "brackets"),
    ("04.tanh_back", I + "if (i < n) dx[i] = 1.0f - y[i] * y[i];", "incoming gradient"),
    ("04.tanh_back", I + "if (i < n) dx[i] = dy[i] * y[i] * (1.0f - y[i]);", "sigmoid"),
    ("04.tanh_back", I + "if (i < n) dx[i] = dy[i] * (1.0f - y[i]);", "not 1 - y"),
    ("04.tanh_back", I + "dx[i] = dy[i] * (1.0f - y[i] * y[i]);", "guard with if (i < n)"),
    ("04.row_max", ROW + GONE + SEARCH.replace("-3.4e38f", "0.0f") + XOR + WRITE, "not with 0"),
    ("04.row_max", ROW + GONE + SEARCH + WRITE, "has not heard of the others"),
    ("04.row_max", ROW + GONE + SEARCH.replace("-3.4e38f", "-1e9f") + XOR + WRITE, "the result at [8] is -1e+09"),
    ("04.row_max", ROW + GONE + SEARCH.replace("k < K", "k < 64 && k < K") + XOR + WRITE, "should be -1."),
    ("04.row_max", ROW + GONE + SEARCH.replace("k < K", "k < 128 && k < K") + XOR + WRITE, "K = 300"),
    ("04.row_max", ROW + GONE + SEARCH + XOR.replace("0xffffffffu", "0xffff") + WRITE, "its mask 0xffffffff"),
    ("04.row_max", ROW.replace(") / 32,", "),") + GONE + SEARCH + XOR + WRITE, "of a warp have one row"),
    ("04.row_max", ROW + GONE + SEARCH + XOR + "if (lane == 0) out[blockIdx.x] = v;", "one place per row"),
    ("04.row_max", ROW + GONE + SEARCH + XOR + "out[row] = v + lane * 0.0f + (lane == 3 ? 1.0f : 0.0f);", "only lane 0"),
    ("04.row_max", ROW + "if (row >= N || lane >= K) return; " + SEARCH + XOR + WRITE, "all 32 lanes"),
    ("04.row_max", ROW + GONE + "float v = lane < K ? x[row * K + lane] : -3.4e38f; " + XOR + WRITE, "first 32"),
    ("04.row_max", ROW + GONE + SEARCH + XOR.replace("16", "8") + WRITE, "half of the lanes"),
    ("04.row_max", ROW + SEARCH + XOR + WRITE, "row < N"),
    ("04.row_max", ROW + GONE + SEARCH + XOR.replace("v = fmaxf(v, ", "v += (") + WRITE, "+= adds"),
    ("04.row_max", ROW + GONE + SEARCH + "v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, 16)); " + WRITE, "not enough"),
    ("04.row_max", ROW + GONE + SEARCH.replace("row * K", "row * N") + XOR + WRITE, "a row has K numbers"),
    ("04.row_max", ROW.replace("threadIdx.x % 32", "threadIdx.x") + GONE + SEARCH + XOR + WRITE, "threadIdx.x % 32"),
    ("04.row_max", "int row = blockIdx.x, lane = threadIdx.x % 32; " + GONE + SEARCH + XOR + WRITE, "with a row each"),
    ("04.row_max", I + "if (i < N) { float v = -3.4e38f; for (int k = 0; k < K; k++) v = fmaxf(v, x[i * K + k]); out[i] = v; }",
     "neighbouring numbers of one row"),
    ("04.mask_scale", I + "if (i < n) y[i] = mask[i] ? x[i] : 0.0f;", "by scale"),
    ("04.mask_scale", I + "if (i < n && mask[i]) y[i] = x[i] * scale;", "write 0, too"),
    ("04.mask_scale", I + "if (i < n) y[i] = mask[i] ? x[i] * scale : x[i];", "is 0, not x"),
    ("04.mask_scale", I + "if (i < n) y[i] = mask[i] * scale;", "x is missing"),
    ("04.mask_scale", I + "if (i < n) y[i] = x[i] * scale;", "not used"),
    ("04.mask_scale", I + "if (i < n) y[i] = mask[i] ? 0.0f : x[i] * scale;", "wrong way round"),
    ("04.mask_scale", I + "if (i < n) y[i] = mask[i] ? x[i] / scale : 0.0f;", "scale is a factor"),
    ("04.mask_scale", I + "if (i < n) y[i] = x[i] * mask[i] * 1.5f;", "should be"),
    ("04.mask_scale", I + "if (i < n) { y[i] = x[i] * scale; y[i] *= mask[i]; }", "belongs into a variable"),
    ("04.mask_scale", "int i = threadIdx.x * gridDim.x + blockIdx.x; if (i < n) y[i] = x[i] * mask[i] * scale;",
     "neighbours by neighbours"),
    ("04.mask_scale", I + "y[i] = mask[i] ? x[i] * scale : 0.0f;", "guard with if (i < n)"),
])
def test_wrong_kernels_are_told_why(name, body, hint):
    verdict = judge(name, body)
    assert not verdict.solved
    assert hint in verdict.text, verdict.text


@pytest.mark.parametrize("answer", [
    lambda z: np.logaddexp.reduce(z),
    lambda z: z[0] + np.log1p((np.exp(z[1:] - z.max()) * np.exp(z.max() - z[0])).sum()) if len(z) == 1 else
    z.max() + np.log(sum(np.exp(v - z.max()) for v in z)),
])
def test_right_log_sum_exp(answer):
    assert find("04.log_sum_exp").judge(answer).solved


@pytest.mark.filterwarnings("ignore:overflow", "ignore:divide by zero")
@pytest.mark.parametrize(("answer", "hint"), [
    (lambda z: np.log(np.exp(z - z.max()).sum()), "give back what you subtracted"),
    (lambda z: np.log(np.exp(z - z.max()).sum()) - z.max(), "then add it"),
    (lambda z: z.max(), "only the largest"),
    (lambda z: np.log(np.exp(z).sum()), "exp overflows"),
    (lambda z: z.sum(), "sum of the logarithms"),
    (lambda z: np.log(np.exp(z - z.mean()).sum()) + z.mean(), "not the mean"),
    (lambda z: np.log(np.exp(z - z[0]).sum()) + z[0], "is inf"),
    (lambda z: np.log(np.exp(z - z.min()).sum()) + z.min(), "is inf"),
    (lambda z: np.log(np.exp(z - abs(z).max()).sum()) + abs(z).max(), "without abs"),
])
def test_wrong_log_sum_exp(answer, hint):
    verdict = find("04.log_sum_exp").judge(answer)
    assert not verdict.solved and hint in verdict.text, verdict.text


@pytest.mark.filterwarnings("ignore:overflow", "ignore:divide by zero")
def test_the_numbers_that_fail_are_shown():
    verdict = find("04.log_sum_exp").judge(lambda z: np.log(np.exp(z).sum()))
    assert "called with (array [1000., 1001.])" in verdict.text


def test_every_exercise_is_proved():
    prove("04")
