"""Lesson 06: every check accepts right answers written differently and names the mistake of wrong ones."""

import numpy as np
import pytest

from nnlib.course.exercises import find
from nnlib.cuda import RawKernel

from .conftest import prove

I = "int i = blockIdx.x * blockDim.x + threadIdx.x; "  # noqa: E741
P = "float p = 1.0f / (1.0f + expf(-z[i])); "
SIGNATURES = {"06.bce_back": "const float* z, const float* t, float* dz, int n",
              "06.momentum": "float* w, float* v, const float* g, float lr, float momentum, int n"}


def judge(name, body):
    return find(name).judge(RawKernel(f'extern "C" __global__ void answer({SIGNATURES[name]}) {{ {body} }}', "answer"))


@pytest.mark.parametrize(("name", "body"), [
    ("06.bce_back", I + "if (i < n) { " + P + "dz[i] = (p - t[i]) / n; }"),
    ("06.bce_back", I + "if (i >= n) return; dz[i] = (0.5f * tanhf(0.5f * z[i]) + 0.5f - t[i]) * (1.0f / n);"),
    ("06.bce_back", I + "if (i < n) { dz[i] = 1.0f / (1.0f + expf(-z[i])); dz[i] -= t[i]; dz[i] /= n; }"),
    ("06.momentum", I + "if (i < n) { v[i] *= momentum; v[i] += g[i]; w[i] -= lr * v[i]; }"),
    ("06.momentum", I + "if (i < n) { v[i] = momentum * v[i] + g[i]; w[i] -= lr * v[i]; }"),
    ("06.momentum", I + "if (i >= n) return; float u = fmaf(momentum, v[i], g[i]); w[i] = w[i] - lr * u; v[i] = u;"),
])
def test_right_kernels_are_accepted(name, body):
    verdict = judge(name, body)
    assert verdict.solved, verdict.text


@pytest.mark.parametrize(("name", "body", "hint"), [
    ("06.bce_back", I + "if (i < n) { " + P + "dz[i] = p - t[i]; }", "divide by n"),
    ("06.bce_back", I + "if (i < n) { " + P + "dz[i] = (t[i] - p) / n; }", "sign is wrong"),
    ("06.bce_back", I + "if (i < n) dz[i] = (z[i] - t[i]) / n;", "z is the logit"),
    ("06.bce_back", I + "if (i < n) { " + P + "dz[i] = (p - t[i]) * p * (1.0f - p) / n; }", "cancels"),
    ("06.bce_back", I + "if (i < n) { " + P + "dz[i] = (p - t[i]) / (p * (1.0f - p)) / n; }", "with respect to p"),
    ("06.bce_back", I + "if (i < n) { " + P + "dz[i] = (p - t[i]) * p * (1.0f - p); }", "cancels: the difference alone "
     "remains; and divide by n"),
    ("06.bce_back", I + "if (i < n) { float p = 1.0f / (1.0f + expf(z[i])); dz[i] = (p - t[i]) / n; }", "a minus in it"),
    ("06.bce_back", I + "if (i < n) { " + P + "dz[i] = -(t[i] * logf(p) + (1.0f - t[i]) * logf(1.0f - p)) / n; }",
     "the loss itself"),
    ("06.bce_back", I + "if (i < n) { " + P + "dz[i] = 1 / n * (p - t[i]); }", "two integers"),
    ("06.bce_back", I + P + "dz[i] = (p - t[i]) / n;", "guard with if (i < n)"),
    ("06.bce_back", I + "if (i < n) { " + P + "dz[i] = p - t[i] / n; }", "brackets: (p - t) / n"),
    ("06.bce_back", I + "if (i < n) { float p = 1.0f / 1.0f + expf(-z[i]); dz[i] = (p - t[i]) / n; }", "brackets: 1 / (1 +"),
    ("06.bce_back", I + "if (i < n) { float e = expf(z[i]); dz[i] = (e / (1.0f + e) - t[i]) / n; }", "overflows for a large z"),
    ("06.bce_back", I + "if (i < n) { " + P + "dz[i] = (-t[i] / p + (1 - t[i]) / (1 - p)) * p * (1 - p) / n; }", "NaN or infinity"),
    ("06.bce_back", "for (int i = threadIdx.x; i < n; i += blockDim.x) { " + P + "dz[i] = (p - t[i]) / n; }", "repeat each other"),
    ("06.momentum", I + "if (i < n) { v[i] = 0.9f * v[i] + g[i]; w[i] -= lr * v[i]; }", "should be"),
    ("06.momentum", I + "if (i < n) { v[i] = momentum * v[i] + g[i]; w[i] -= 0.1f * v[i]; }", "should be"),
    ("06.momentum", "int i = blockIdx.x * 64 + threadIdx.x; if (i < n) { v[i] = momentum * v[i] + g[i]; w[i] -= lr * v[i]; }",
     "blockIdx.x * blockDim.x"),
    ("06.momentum", "if (blockIdx.x == 0 && threadIdx.x == 0) for (int i = 0; i < n; i++) { v[i] = momentum * v[i] + g[i]; "
     "w[i] -= lr * v[i]; }", "no loop over all"),
    ("06.momentum", I + "if (i < n) { v[i] = momentum * (v[i] + g[i]); w[i] -= lr * v[i]; }", "the old velocity alone"),
    ("06.momentum", I + "if (i < n) { v[i] = momentum * v[i] - g[i]; w[i] -= lr * v[i]; }", "as they are: + g"),
    ("06.momentum", I + "if (i < n) { v[i] = momentum * v[i] + lr * g[i]; w[i] -= lr * v[i]; }", "into one line"),
    ("06.momentum", I + "if (i < n) { w[i] -= lr * v[i]; v[i] = momentum * v[i] + g[i]; }", "update v first"),
    ("06.momentum", I + "if (i < n) { v[i] = momentum * v[i] + g[i]; w[i] -= lr * g[i]; }", "plain gradient descent"),
    ("06.momentum", I + "if (i < n) { v[i] = momentum * v[i] + g[i]; w[i] += lr * v[i]; }", "go down"),
    ("06.momentum", I + "if (i < n) { float u = momentum * v[i] + g[i]; w[i] -= lr * u; }", "must be stored"),
    ("06.momentum", I + "if (i < n) { v[i] = momentum * v[i] + g[i]; w[i] -= v[i]; }", "by the learning rate"),
    ("06.momentum", I + "if (i < n) { v[i] = momentum * v[i] + (1.0f - momentum) * g[i]; w[i] -= lr * v[i]; }",
     "enters the velocity whole"),
    ("06.momentum", I + "if (i < n) { v[i] += g[i]; w[i] -= lr * v[i]; }", "multiplied by momentum"),
    ("06.momentum", I + "if (i < n) { v[i] += momentum * v[i] + g[i]; w[i] -= lr * v[i]; }", "not +="),
    ("06.momentum", I + "if (i < n) v[i] = momentum * v[i] + g[i];", "w has not changed"),
    ("06.momentum", I + "if (i < n) { v[i] = momentum * v[i] + lr * g[i]; w[i] -= v[i]; }", "not to the velocity's"),
    ("06.momentum", I + "if (i < n) { v[i] = momentum * v[i] - lr * g[i]; w[i] += v[i]; }", "the minus and lr belong"),
    ("06.momentum", I + "if (i < n) { v[i] = momentum * v[i] - g[i]; w[i] += lr * v[i]; }", "the minus belongs"),
    ("06.momentum", I + "if (i < n) { v[i] += momentum * g[i]; w[i] -= lr * v[i]; }", "not the gradient"),
    ("06.momentum", I + "if (i < n) { v[i] = momentum * v[i] + g[i]; w[i] = -lr * v[i]; }", "from the old weight"),
    ("06.momentum", I + "if (i < n) { v[i] = momentum * v[i] + g[i]; w[i] -= lr * (g[i] + momentum * v[i]); }",
     "Nesterov"),
    ("06.momentum", I + "v[i] = momentum * v[i] + g[i]; w[i] -= lr * v[i];", "guard with if (i < n)"),
])
def test_wrong_kernels_are_told_why(name, body, hint):
    verdict = judge(name, body)
    assert not verdict.solved
    assert hint in verdict.text, verdict.text


def onehot(p, labels):
    return np.arange(p.shape[1]) == labels[:, None]


def subtracted(chosen):
    """A wrong answer that subtracts 1 at the entries `chosen(p, labels)`."""
    def answer(p, labels):
        p[chosen(p, labels)] -= 1
        return p / len(p)
    return answer


def in_place(p, labels):
    p[np.arange(len(p)), labels] -= 1
    return p / len(p)


@pytest.mark.parametrize(("name", "answer"), [
    ("06.linear_back", lambda dy, x, w: (dy @ w, dy.T @ x, dy.sum(axis=0))),
    ("06.linear_back", lambda dy, x, w: (np.einsum("no,oi->ni", dy, w), (x.T @ dy).T, np.ones(len(dy)) @ dy)),
    ("06.linear_back", lambda dy, x, w: [(dy @ w).tolist(), sum(np.outer(a, b) for a, b in zip(dy, x, strict=True)), sum(dy)]),
    ("06.linear_back", lambda dy, x, w: tuple(a.astype(np.float32) for a in (dy @ w, dy.T @ x, dy.sum(0)))),
    ("06.softmax_back", lambda p, t: [[(p[i, k] - (k == t[i])) / len(p) for k in range(p.shape[1])] for i in range(len(p))]),
    ("06.softmax_back", in_place),
    ("06.softmax_back", lambda p, labels: (p - onehot(p, labels)) / p.shape[0]),
])
def test_right_functions_are_accepted(name, answer):
    verdict = find(name).judge(answer)
    assert verdict.solved, verdict.text


@pytest.mark.parametrize(("name", "answer", "hint"), [
    ("06.linear_back", lambda dy, x, w: (dy @ w.T, dy.T @ x, dy.sum(0)), "do not transpose"),
    ("06.linear_back", lambda dy, x, w: (dy @ w.T, x.T @ dy, dy.sum(0)), "two products are transposed"),
    ("06.linear_back", lambda dy, x, w: (dy.T @ x, dy @ w, dy.sum(0)), "in this order: dx, dw, db"),
    ("06.linear_back", lambda dy, x, w: (dy @ w, dy.sum(0), dy.T @ x), "db last"),
    ("06.linear_back", lambda dy, x, w: (dy @ w, dy.T @ x, dy.sum()), "axis 0 alone"),
    ("06.linear_back", lambda dy, x, w: (dy @ w, dy.T @ x, dy.sum(0, keepdims=True)), "without keepdims"),
    ("06.linear_back", lambda dy, x, w: (dy @ w, x.T @ dy, dy.sum(0)), "weight gradient is transposed"),
    ("06.linear_back", lambda dy, x, w: (dy @ w, dy.T @ x / len(x), dy.mean(0)), "divided by the batch already"),
    ("06.linear_back", lambda dy, x, w: (dy @ w, dy.T @ x, dy.mean(0)), "sum the bias gradient"),
    ("06.linear_back", lambda dy, x, w: (dy @ w, dy.T @ x, dy.sum(1)), "axis 0"),
    ("06.linear_back", lambda dy, x, w: (dy @ w, dy.T @ x, dy), "shared by the whole batch"),
    ("06.softmax_back", lambda p, t: p - onehot(p, t), "divide by N"),
    ("06.softmax_back", lambda p, t: p - onehot(p, t) / len(p), "brackets"),
    ("06.softmax_back", lambda p, t: (p - 1) / len(p), "at the label only"),
    ("06.softmax_back", lambda p, t: (p - t[:, None]) / len(p), "1 at the label"),
    ("06.softmax_back", lambda p, t: (onehot(p, t) - p) / len(p), "sign is wrong"),
    ("06.softmax_back", lambda p, t: (p - onehot(p, t)) / p.shape[1], "not of classes"),
    ("06.softmax_back", lambda p, t: onehot(p, t) * (p - 1) / len(p), "not only that of the right class"),
    ("06.softmax_back", lambda p, t: (p - onehot(p, t)) * p * (1 - p) / len(p), "cancelled it"),
    ("06.softmax_back", lambda p, t: -1 * onehot(p, t) / p / len(p), "before softmax's own"),
    ("06.softmax_back", subtracted(lambda p, t: (slice(None), t)), "whole columns"),
    ("06.softmax_back", subtracted(lambda p, t: t), "whole rows"),
    ("06.softmax_back", lambda p, t: np.where(onehot(p, t), 1, p) / len(p), "do not set it"),
    ("06.softmax_back", lambda p, t: (np.exp(p) / np.exp(p).sum(1, keepdims=True) - onehot(p, t)) / len(p),
     "no second softmax"),
])
def test_wrong_functions_are_told_why(name, answer, hint):
    verdict = find(name).judge(answer)
    assert not verdict.solved
    assert hint in verdict.text, verdict.text


@pytest.mark.parametrize(("answer", "hint"), [("a", "32 times too long"), ("c", "direction"), ("d", "first backward"),
                                              ("e", "length 0"), (..., "replace the ...")])
def test_diagnosis(answer, hint):
    verdict = find("06.diagnosis").judge(answer)
    assert not verdict.solved and hint in verdict.text


@pytest.mark.parametrize("answer", ["b", "B ", "(b)", "(b) divided by the batch twice"])
def test_right_diagnosis(answer):
    assert find("06.diagnosis").judge(answer).solved


def test_every_exercise_is_proved():
    prove("06")
