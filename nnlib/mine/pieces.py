"""The pieces of the student's library, in the order of the lessons: contracts and right results. Lessons 01 to 06."""

from __future__ import annotations

from typing import Any

import numpy as np

from nnlib.mine.contract import Piece, Sizes
from nnlib.mine.tasks import (
    a_warp_a_row,
    many_threads,
    no_atomics,
    shared_among_threads,
    through_shared_memory,
    work_of,
)

_PER_ELEMENT = "(n + 255) / 256, 256"
_LENGTHS = [{"n": n} for n in (1000, 1, 31, 32, 33, 257, 4099)]
_MATRICES = [dict(zip("NIO", sizes, strict=True)) for sizes in
             ((5, 20, 7), (33, 17, 40), (1, 1, 1), (16, 32, 16), (1, 50, 33), (40, 1, 9), (65, 70, 3))]
_PRODUCT_RULER = {"N": 64, "I": 96, "O": 64}


def _pixels(rng: Any, shape: Any, *_: Any) -> Any:
    return rng.integers(0, 256, shape)


def _relu_output(rng: Any, shape: Any, *_: Any) -> Any:
    return np.maximum(rng.standard_normal(shape, np.float32), 0)


def _with_zeros(rng: Any, shape: Any, *_: Any) -> Any:
    x = rng.standard_normal(shape, np.float32)
    x[::7] = 0
    return x


def _labels(rng: Any, shape: Any, sizes: Sizes, *_: Any) -> Any:
    return rng.integers(0, sizes["classes"], shape)


def _logits(rng: Any, shape: Any, *_: Any) -> Any:
    """Every third row is so large that exp overflows, every third so low that it vanishes."""
    rows = rng.standard_normal(shape, np.float32) * 3
    rows[1::3] += 1e4
    rows[2::3] = rows[2::3] * 10 - 1e4
    return rows


def _softmax_cross_entropy(logits: Any, labels: Any, rows: int, classes: int) -> Any:
    shifted = logits - logits.max(1, keepdims=True)
    total = np.exp(shifted).sum(1, keepdims=True)
    onehot = labels[:, None] == np.arange(classes)
    return np.log(total[:, 0]) - shifted[onehot], (np.exp(shifted) / total - onehot) / rows


_ALL = [
    Piece("normalise_images", "01", "const unsigned char* x, float* y, float mean, float std, int n",
          "y[i] = (x[i] / 255 − mean) / std", "the images that enter the network", {"x": "n", "y": "n"},
          lambda x, mean, std, n: (x / 255 - mean) / std, _LENGTHS, {"n": 8192},
          numbers={"mean": 0.13, "std": 0.31}, make={"x": _pixels}, launch=_PER_ELEMENT,
          task=[many_threads(work_of("n"))]),
    Piece("sgd_step", "02", "float* w, const float* g, float lr, int n",
          "w[i] −= lr · g[i]", "SGD", {"w": "n", "g": "n"},
          lambda w, g, lr, n: w - lr * g, _LENGTHS, {"n": 8192}, numbers={"lr": 0.37}, updates=("w",),
          launch=_PER_ELEMENT, other_launches=[(1, 32), (3, 64), (1, 1), (50, 96)], task=[many_threads(work_of("n"))]),
    Piece("linear_forward", "03", "const float* x, const float* w, const float* b, float* y, int N, int I, int O",
          "y[n][o] = b[o] + Σ over i of x[n][i] · w[o][i]", "Linear",
          {"x": "N I", "w": "O I", "b": "O", "y": "N O"},
          lambda x, w, b, N, I, O: x @ w.T + b, _MATRICES, _PRODUCT_RULER,
          task=[through_shared_memory("N", "O", "I")]),
    Piece("linear_grad_input", "03", "const float* dy, const float* w, float* dx, int N, int I, int O",
          "dx[n][i] = Σ over o of dy[n][o] · w[o][i]", "Linear", {"dy": "N O", "w": "O I", "dx": "N I"},
          lambda dy, w, N, I, O: dy @ w, _MATRICES, _PRODUCT_RULER, task=[through_shared_memory("N", "I", "O")]),
    Piece("linear_grad_weight", "03", "const float* dy, const float* x, float* dw, int N, int I, int O",
          "dw[o][i] = Σ over n of dy[n][o] · x[n][i]", "Linear", {"dy": "N O", "x": "N I", "dw": "O I"},
          lambda dy, x, N, I, O: dy.T @ x, _MATRICES, _PRODUCT_RULER, task=[through_shared_memory("O", "I", "N")]),
    Piece("relu", "04", "const float* x, float* y, int n", "y[i] = max(x[i], 0)", "ReLU", {"x": "n", "y": "n"},
          lambda x, n: np.maximum(x, 0), _LENGTHS, {"n": 8192}, make={"x": _with_zeros}, launch=_PER_ELEMENT,
          task=[many_threads(work_of("n"))]),
    Piece("relu_grad", "04", "const float* dy, const float* y, float* dx, int n",
          "dx[i] = dy[i] where y[i] > 0, else 0; y is what relu gave", "ReLU", {"dy": "n", "y": "n", "dx": "n"},
          lambda dy, y, n: dy * (y > 0), _LENGTHS, {"n": 8192}, make={"y": _relu_output}, launch=_PER_ELEMENT,
          task=[many_threads(work_of("n"))]),
    Piece("sum_columns", "04", "const float* x, float* sums, int rows, int columns, int inner",
          "sums[c] = Σ over rows r and places k of x[r][c][k]", "bias gradients, the mean loss",
          {"x": "rows columns inner", "sums": "columns"},
          lambda x, rows, columns, inner: x.sum((0, 2)),
          [dict(zip(("rows", "columns", "inner"), s, strict=True)) for s in
           ((37, 10, 1), (300, 5, 1), (1, 1, 1), (64, 64, 1), (3, 70, 1), (5, 4, 49), (2, 3, 300), (1000, 1, 1))],
          {"rows": 256, "columns": 64, "inner": 1}, task=[no_atomics, shared_among_threads("rows")]),
    Piece("softmax_cross_entropy", "04",
          "const float* logits, const int* labels, float* losses, float* dlogits, int rows, int classes",
          "losses[r] = log Σ exp(z) − z[label], dlogits[r][k] = (softmax(z)[k] − (k == label)) / rows, z = logits[r]",
          "CrossEntropyLoss",
          {"logits": "rows classes", "labels": "rows", "losses": "rows", "dlogits": "rows classes"},
          _softmax_cross_entropy,
          [dict(zip(("rows", "classes"), s, strict=True)) for s in
           ((7, 10), (1, 1), (33, 3), (5, 32), (4, 33), (6, 100), (70, 10))],
          {"rows": 64, "classes": 96}, make={"labels": _labels, "logits": _logits},
          absolute={"losses": 1e-3},  # half a unit in the last place of a logit of 1e4
          task=[no_atomics, a_warp_a_row("rows", "classes")]),
]

PIECES: dict[str, Piece] = {piece.name: piece for piece in _ALL}
