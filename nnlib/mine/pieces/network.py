"""The pieces that a convolutional network needs: contracts and right results. Lessons 01 to 08."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nnlib.mine.contract import Piece, Sizes, rounds
from nnlib.mine.trials.sizes import (
    COLUMNS,
    ELEMENTS,
    MATRIX_COLUMNS,
    PIXELS,
    STAGES,
    convolutions,
    given,
    gradients,
    pools,
    products,
    rows,
)
from nnlib.mine.trials.tasks import (
    SharedAmongThreads,
    a_warp_a_row,
    an_element_each,
    many_threads,
    neighbours_with_any_grid,
    no_atomics,
    through_shared_memory,
)


def sliding_windows(x: Any, size: int, axes: tuple[int, int]) -> Any:
    """Return every size x size window along two axes of x, as a view (…, size, size)."""
    view: Any = np.lib.stride_tricks.sliding_window_view  # the types of NumPy 2.2 allow one axis
    return view(x, (size, size), axis=axes)


def _pixels(rng: Any, shape: Any, *_: Any) -> Any:
    return rng.integers(0, 256, shape)


def _relu_output(rng: Any, shape: Any, *_: Any) -> Any:
    """Draw outputs of ReLU: some barely above 0, some of those denormal, and some infinite."""
    y = np.maximum(rng.standard_normal(shape, np.float32), 0)
    y[::11] *= 1e-30
    y[2::11] *= 1e-40
    y[4::11] *= np.where(y[4::11] > 0, np.inf, 1)
    return y


def _with_zeros(rng: Any, shape: Any, *_: Any) -> Any:
    """Draw numbers of which every seventh is 0, and others are far from it, nearly 0, infinite or nearly infinite."""
    x = rng.standard_normal(shape, np.float32)
    x[::9] *= 50
    x[::11] *= 1e30
    x[::7] = 0
    x[2::13] *= 1e-20
    x[8::13] *= 1e-40
    x[3::13], x[5::13], x[6::13], x[9::13] = 3.3e38, np.inf, -np.inf, -3.3e38
    return x


def _labels(rng: Any, shape: Any, sizes: Sizes, given: Mapping[str, Any]) -> Any:
    """Draw labels among the classes whose logits are finite."""
    labels, logits = rng.integers(0, sizes["classes"], shape), given["logits"]
    left_out = np.isinf(logits[np.arange(len(labels)), labels])
    return np.where(left_out, logits.argmax(1), labels)


def _logits(rng: Any, shape: Any, *_: Any) -> Any:
    """Draw rows of logits on which a careless softmax fails.

    Every third row is so large that exp overflows, and every third so wide that all but the largest exponential vanish.
    Every sixth row lies far below zero, and every sixth near the most negative float. In every fourth row, minus infinity
    excludes every fifth class but the largest.
    """
    rows = rng.standard_normal(shape, np.float32) * 3
    rows[1::3] += 1e4
    rows[2::3] *= 1000
    rows[3::6] -= 1.6e4
    rows[5::6] = (rows[5::6] / 1e5 - 30) * 1.1e37
    left_out = rows < rows.max(1, keepdims=True)
    left_out[np.arange(len(rows)) % 4 > 0] = False
    left_out[:, np.arange(shape[1]) % 5 > 0] = False
    rows[left_out] = -np.inf
    return rows


def _softmax_cross_entropy(logits: Any, labels: Any, rows: int, classes: int) -> Any:
    shifted = logits - logits.max(1, keepdims=True)
    total = np.exp(shifted).sum(1, keepdims=True)
    onehot = labels[:, None] == np.arange(classes)
    return np.log(total[:, 0]) - shifted[onehot], (np.exp(shifted) / total - onehot) / rows


def _convolved(sizes: Mapping[str, Any]) -> Sizes:
    height, width = (sizes[side] + 2 * sizes["pad"] - sizes["K"] for side in "HW")
    return {"OH": height // sizes["stride"] + 1, "OW": width // sizes["stride"] + 1}


def _convolved_and_pooled(sizes: Mapping[str, Any]) -> Sizes:
    output = _convolved(sizes)
    return {**output, "PH": output["OH"] // 2, "PW": output["OW"] // 2}


def _seen(x: Any, K: int, stride: int, pad: int) -> Any:
    """Return what each window sees, (N, C, OH, OW, K, K)."""
    padded = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    return sliding_windows(padded, K, (2, 3))[:, :, ::stride, ::stride]


_FORWARD: Mapping[str, Any] = {
    **convolutions("NFHW"),
    "loop": "C K K",
    "derived": _convolved,
    "stages": tuple(STAGES),
    "task": [many_threads("N", "F", "H", "W", each=64)],
}


def _conv_forward(x: Any, w: Any, b: Any, K: int, stride: int, pad: int, **_: int) -> Any:
    return np.einsum("ncyxij,fcij->nfyx", _seen(x, K, stride, pad), w) + b[:, None, None]


def _conv_grad_input(
    dy: Any, w: Any, stride: int, pad: int, H: int, W: int, K: int, **_: int
) -> Any:
    N, _F, OH, OW = dy.shape
    dx = np.zeros((N, w.shape[1], H + 2 * pad, W + 2 * pad))
    for i in range(K):
        for j in range(K):
            seen = dx[:, :, i : i + stride * OH : stride, j : j + stride * OW : stride]
            seen += np.einsum("nfyx,fc->ncyx", dy, w[:, :, i, j])
    return dx[:, :, pad : pad + H, pad : pad + W]


def _pooled(sizes: Mapping[str, Any]) -> Sizes:
    return {
        "OH": (sizes["H"] - sizes["size"]) // sizes["stride"] + 1,
        "OW": (sizes["W"] - sizes["size"]) // sizes["stride"] + 1,
    }


def _tied(rng: Any, shape: Any, sizes: Sizes, *_: Any) -> Any:
    """Draw planes with many equal values, not all of them integers.

    Every other plane is negative, every fourth far below zero, and every eighth, with the first, near the most negative
    float. One pixel of every fifth plane is infinite. The last pixel of every third plane is minus infinity, unless a window
    consists of that pixel alone.
    """
    x = 0.75 * np.floor(2 * rng.standard_normal(shape))
    x[::2] -= 6.75
    x[4::8] *= 2000
    x[::8] = x[::8] * 1e36 - 3.2e38
    x[3::5, shape[1] // 2, 0] = np.inf
    if sizes["size"] > 1:
        x[::3, -1, -1] = -np.inf
    return x


def _coarse(rng: Any, shape: Any, sizes: Sizes, *_: Any) -> Any:
    """Draw normal numbers; for stride 2 and for long sums round them, so that sums of products are exact and often equal."""
    drawn = rng.standard_normal(shape, np.float32)
    if sizes["stride"] != 2 and not rounds(sizes):
        return drawn
    return 0.75 * np.floor(1.5 * drawn)


def _huge(rng: Any, shape: Any, sizes: Sizes, *_: Any) -> Any:
    """Draw coarse numbers; with stride 2 make them huge, and every other bias very negative."""
    drawn = _coarse(rng, shape, sizes)
    if sizes["stride"] != 2:
        return drawn
    if len(shape) == 1:
        drawn[1::2] -= 61_440  # 3.2e38 below
    return 2.0**112 * drawn


def _max_pool(x: Any, W: int, size: int, stride: int, **_: int) -> Any:
    windows = _seen(x[None], size, stride, 0)[0]
    planes, OH, OW = windows.shape[:3]
    inside = windows.reshape(planes, OH, OW, -1).argmax(-1)
    rows, columns = (
        np.arange(OH)[:, None] * stride + inside // size,
        np.arange(OW) * stride + inside % size,
    )
    return windows.max((-1, -2)), (rows * W + columns).astype(np.int32)


def _conv_relu_pool(x: Any, w: Any, b: Any, OH: int, OW: int, **sizes: int) -> Any:
    y = _conv_forward(x, w, b, **sizes)
    largest, argmax = _max_pool(y.reshape(-1, OH, OW), OW, 2, 2)
    shape = (*y.shape[:2], OH // 2, OW // 2)
    return np.maximum(largest, 0).reshape(shape), argmax.reshape(shape)


def _argmax(rng: Any, shape: Any, sizes: Sizes, *_: Any) -> Any:
    x = _tied(rng, (sizes["planes"], sizes["H"], sizes["W"]), sizes)
    return _max_pool(x, sizes["W"], sizes["size"], sizes["stride"])[1]


def _max_pool_grad(dy: Any, argmax: Any, H: int, W: int, **_: int) -> Any:
    dx = np.zeros((len(dy), H * W))
    np.add.at(dx, (np.arange(len(dy))[:, None, None], argmax), dy)
    return dx.reshape(-1, H, W)


def _momentum_step(w: Any, v: Any, g: Any, lr: float, momentum: float, n: int) -> Any:
    v = momentum * v + g
    return w - lr * v, v


# What rounds off, however little is left of the numbers themselves
_A_THOUSAND_ADDED = {"sums": 1e-4}
_SUM_OF_A_MATRIX = Piece(
    "sum_columns",
    "04",
    "const float* x, float* sums, int rows, int columns",
    "sums[c] = Σ over rows r of x[r][c]",
    "bias gradients, the mean loss",
    {"x": "rows columns", "sums": "columns"},
    lambda x, rows, columns: x.sum(0),
    **MATRIX_COLUMNS,
    loop="rows",
    absolute=_A_THOUSAND_ADDED,
    task=[no_atomics, SharedAmongThreads("column", rows=4096)],
)

NETWORK = [
    Piece(
        "normalise_images",
        "01",
        "const unsigned char* x, float* y, float mean, float std, int n",
        "y[i] = (x[i] / 255 − mean) / std",
        "the images that enter the network",
        {"x": "n", "y": "n"},
        lambda x, mean, std, n: (x / 255 - mean) / std,
        **PIXELS,
        numbers={"mean": (0.4, 0.8), "std": (0.2, 0.4)},
        make={"x": _pixels},
        task=[an_element_each],
        extremes=given(
            (0, 1), (-0.7, 0.02), (300, 1e-3), (-0.5, 1e-20), mean=(-2, 1e5), std=(1e-6, 1e6)
        ),
        defined="mean is any number, std any above 0.",
    ),
    Piece(
        "sgd_step",
        "02",
        "float* w, const float* g, float lr, int n",
        "w[i] −= lr · g[i]",
        "SGD",
        {"w": "n", "g": "n"},
        lambda w, g, lr, n: w - lr * g,
        **ELEMENTS,
        numbers={"lr": (0.2, 0.6)},
        updates=("w",),
        make={"g": gradients},
        extremes=given((0,), (1e30,), lr=(-1e-4, 1e9)),
        defined="lr is any number.",
        other_launches=[(1, 32), (3, 64), (1, 1), (50, 96)],
        task=[an_element_each, neighbours_with_any_grid],
    ),
    Piece(
        "linear_forward",
        "03",
        "const float* x, const float* w, const float* b, float* y, int N, int inputs, int outputs",
        "y[n][out] = b[out] + Σ over i of x[n][i] · w[out][i]",
        "Linear",
        {"x": "N inputs", "w": "outputs inputs", "b": "outputs", "y": "N outputs"},
        lambda x, w, b, N, inputs, outputs: x @ w.T + b,
        **products(0, "inputs"),
        loop="inputs",
        task=[no_atomics, through_shared_memory("N", "outputs", "inputs")],
    ),
    Piece(
        "linear_grad_input",
        "03",
        "const float* dy, const float* w, float* dx, int N, int inputs, int outputs",
        "dx[n][i] = Σ over out of dy[n][out] · w[out][i]",
        "Linear",
        {"dy": "N outputs", "w": "outputs inputs", "dx": "N inputs"},
        lambda dy, w, N, inputs, outputs: dy @ w,
        **products(1, "outputs"),
        loop="outputs",
        task=[no_atomics, through_shared_memory("N", "inputs", "outputs")],
    ),
    Piece(
        "linear_grad_weight",
        "03",
        "const float* dy, const float* x, float* dw, int N, int inputs, int outputs",
        "dw[out][i] = Σ over n of dy[n][out] · x[n][i]",
        "Linear",
        {"dy": "N outputs", "x": "N inputs", "dw": "outputs inputs"},
        lambda dy, x, N, inputs, outputs: dy.T @ x,
        **products(2, "N"),
        loop="N",
        task=[no_atomics, through_shared_memory("outputs", "inputs", "N")],
    ),
    Piece(
        "relu",
        "04",
        "const float* x, float* y, int n",
        "y[i] = max(x[i], 0)",
        "ReLU",
        {"x": "n", "y": "n"},
        lambda x, n: np.maximum(x, 0),
        **ELEMENTS,
        make={"x": _with_zeros},
        absolute={"y": 3e-45},
        task=[an_element_each],
        defined="x may be infinite, or nearly so.",
    ),
    Piece(
        "relu_grad",
        "04",
        "const float* dy, const float* y, float* dx, int n",
        "dx[i] = dy[i] where y[i] > 0, else 0; y is what relu gave",
        "ReLU",
        {"dy": "n", "y": "n", "dx": "n"},
        lambda dy, y, n: np.where(y > 0, dy, 0),
        **ELEMENTS,
        make={"dy": _with_zeros, "y": _relu_output},
        absolute={"dx": 3e-45},
        task=[an_element_each],
        defined="dy and y may be infinite, or as small as a float can be.",
    ),
    Piece(
        "sum_columns",
        "04",
        "const float* x, float* sums, int rows, int columns, int inner",
        "sums[c] = Σ over rows r and places k of x[r][c][k]",
        "bias gradients, the mean loss",
        {"x": "rows columns inner", "sums": "columns"},
        lambda x, rows, columns, inner: x.sum((0, 2)),
        **COLUMNS,
        loop="rows inner",
        absolute=_A_THOUSAND_ADDED,
        task=[
            no_atomics,
            SharedAmongThreads("column", rows=4096),
            SharedAmongThreads("row", inner=4096),
        ],
        first=_SUM_OF_A_MATRIX,
    ),
    Piece(
        "softmax_cross_entropy",
        "04",
        "const float* logits, const int* labels, float* losses, float* dlogits, int rows, int classes",
        "losses[r] = log Σ exp(z) − z[label], dlogits[r][k] = (softmax(z)[k] − (k == label)) / rows, z = logits[r]",
        "CrossEntropyLoss",
        {"logits": "rows classes", "labels": "rows", "losses": "rows", "dlogits": "rows classes"},
        _softmax_cross_entropy,
        **rows("classes", 10),
        loop="classes",
        make={"labels": _labels, "logits": _logits},
        absolute={"losses": 1e-3},  # half a unit in the last place of a logit of 1e4
        defined="Logits lie between -3.3e38 and 1e4, so that z - m never overflows. A logit may also be "
        "-infinity: that class is left out, and is never the label.",
        task=[no_atomics, a_warp_a_row("rows", "classes")],
    ),
    Piece(
        "conv_forward",
        "05",
        "const float* x, const float* w, const float* b, float* y, int N, int C, int H, int W, int F, int K, "
        "int stride, int pad",
        "y[n][f][oy][ox] = b[f] + Σ over c, i, j of x[n][c][oy·stride + i − pad][ox·stride + j − pad] · "
        "w[f][c][i][j]",
        "Conv2d",
        {"x": "N C H W", "w": "F C K K", "b": "F", "y": "N F OH OW"},
        _conv_forward,
        **_FORWARD,
    ),
    Piece(
        "max_pool",
        "05",
        "const float* x, float* y, int* argmax, int planes, int H, int W, int size, int stride",
        "y[p][oy][ox] = the largest x[p] in the window; argmax = row · W + column of the first such pixel",
        "MaxPool2d",
        {"x": "planes H W", "y": "planes OH OW", "argmax": "planes OH OW"},
        _max_pool,
        **pools(2),
        loop="size size",
        derived=_pooled,
        make={"x": _tied},
        defined="x may be infinite, but no window holds -infinity alone.",
        task=[many_threads("planes", "H", "W", each=64)],
    ),
    Piece(
        "max_pool_grad",
        "06",
        "const float* dy, const int* argmax, float* dx, int planes, int H, int W, int size, int stride",
        "dx[p][row][column] = Σ of dy[p][oy][ox] over the windows whose argmax is that pixel",
        "MaxPool2d",
        {"dy": "planes OH OW", "argmax": "planes OH OW", "dx": "planes H W"},
        _max_pool_grad,
        **pools(1),
        loop="size size",
        derived=_pooled,
        make={"argmax": _argmax},
        task=[no_atomics, many_threads("planes", "H", "W", each=16)],
    ),
    Piece(
        "conv_grad_weight",
        "06",
        "const float* dy, const float* x, float* dw, int N, int C, int H, int W, int F, int K, int stride, int pad",
        "dw[f][c][i][j] = Σ over n, oy, ox of dy[n][f][oy][ox] · x[n][c][oy·stride + i − pad][ox·stride + j − pad]",
        "Conv2d",
        {"dy": "N F OH OW", "x": "N C H W", "dw": "F C K K"},
        lambda dy, x, K, stride, pad, **_: np.einsum(
            "nfyx,ncyxij->fcij", dy, _seen(x, K, stride, pad)
        ),
        **convolutions("FC"),
        loop="N OH OW",
        derived=_convolved,
        stages=tuple(STAGES),
        task=[no_atomics, many_threads("F", "C", "K", "K")],
    ),
    Piece(
        "conv_grad_input",
        "06",
        "const float* dy, const float* w, float* dx, int N, int C, int H, int W, int F, int K, int stride, int pad",
        "dx[n][c][row][column] = Σ over f, i, j of dy[n][f][oy][ox] · w[f][c][i][j], "
        "where oy·stride + i − pad = row and ox·stride + j − pad = column",
        "Conv2d",
        {"dy": "N F OH OW", "w": "F C K K", "dx": "N C H W"},
        _conv_grad_input,
        **convolutions("NCHW"),
        loop="F K K",
        derived=_convolved,
        stages=tuple(STAGES),
        task=[no_atomics, many_threads("N", "C", "H", "W", each=64)],
    ),
    Piece(
        "momentum_step",
        "06",
        "float* w, float* v, const float* g, float lr, float momentum, int n",
        "v[i] = momentum · v[i] + g[i], then w[i] −= lr · v[i]",
        "SGD with momentum",
        {"w": "n", "v": "n", "g": "n"},
        _momentum_step,
        **ELEMENTS,
        numbers={"lr": (0.2, 0.6), "momentum": (0.6, 0.9)},
        updates=("w", "v"),
        make={"v": gradients},
        task=[an_element_each],
        extremes=given(
            (0.3, 0), (-0.4, 1), (0, 0.9), (1e-6, 1.5), lr=(-1e-3, 1e3), momentum=(-1e-3, 1e6)
        ),
        defined="lr and momentum are any numbers.",
    ),
    Piece(
        "conv_relu",
        "08",
        "const float* x, const float* w, const float* b, float* y, int N, int C, int H, int W, int F, int K, "
        "int stride, int pad",
        "y[n][f][oy][ox] = max(0, what conv_forward gives there)",
        "Conv2d and ReLU in one",
        {"x": "N C H W", "w": "F C K K", "b": "F", "y": "N F OH OW"},
        lambda **given: np.maximum(_conv_forward(**given), 0),
        **_FORWARD,
        absolute={"y": 1e-4},  # where ReLU has made the largest sums 0
    ),
    Piece(
        "conv_relu_pool",
        "08",
        "const float* x, const float* w, const float* b, float* y, int* argmax, int N, int C, int H, int W, int F, "
        "int K, int stride, int pad",
        "y[n][f][py][px] = max(0, the largest of the 2 × 2 outputs of conv_forward from row 2·py, column 2·px); "
        "argmax = row · OW + column of that output, the first of equals",
        "Conv2d, ReLU and MaxPool2d in one",
        {"x": "N C H W", "w": "F C K K", "b": "F", "y": "N F PH PW", "argmax": "N F PH PW"},
        _conv_relu_pool,
        **convolutions("NFHW", 2),
        loop="C K K",
        derived=_convolved_and_pooled,
        make={"x": _huge, "w": _coarse, "b": _huge},
        task=[many_threads("N", "F", "H", "W", each=64)],
    ),
]
