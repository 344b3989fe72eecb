"""The pieces that a transformer adds to the student's library: contracts and right results. Lesson 10."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from nnlib.mine.contract import Large, Piece, Sizes, rounds
from nnlib.mine.trials.sizes import ELEMENTS, chosen, given, gradients, one_long, rows
from nnlib.mine.trials.tasks import (
    SharedAmongThreads,
    a_warp_a_row,
    an_element_each,
    many_threads,
    no_atomics,
)

_TABLE = "rows D V"
_HEADS = "N T heads D"
_SCORES = 1_000_000  # that the reference holds at a time


def _tokens(rng: Any, shape: Any, sizes: Sizes, *_: Any) -> Any:
    """Draw tokens, all of them at least once where there are so many; the last one is the last."""
    drawn, V = rng.integers(0, sizes["V"], shape), sizes["V"]
    if len(drawn) >= V:
        drawn[-V:] = np.arange(V)
    drawn[-1] = V - 1
    return drawn


def _rows(rng: Any, shape: Any, sizes: Sizes, *_: Any) -> Any:
    """Draw rows: every third is large, every third so small that eps matters, and some are all zeros.

    Long rows hold numbers whose squares add up exactly.
    """
    x = rng.standard_normal(shape, np.float32)
    if rounds(sizes):
        return np.floor(2 * x) / 2 + 0.25
    x[1::3] *= 1000
    x[2::3] *= 0.01
    x[3::7] = 0
    return x


def _qkv(far: float, rng: Any, shape: Any, *_: Any) -> Any:
    """Draw queries, keys and values that a careless softmax gets wrong.

    In every third head the queries are so large that exp overflows. In another third, the first query's only score is far
    below zero, `far` / √D. It is one product, which any order of additions leaves as it is.
    """
    qkv = np.round(4 * rng.standard_normal(shape, np.float32)) / 4
    heads = (np.arange(shape[0])[:, None] * shape[3] + np.arange(shape[3])) % 3
    qkv[:, :, 0] *= np.where(heads == 1, 24, 1)[:, None, :, None]
    first = np.moveaxis(qkv[:, 0], 1, 2)  # a view: [n][head][q, k or v]
    first[heads == 2, 0] = 0
    first[heads == 2, :2, -1] = far, 1
    return qkv


def _rms(x: Any, eps: float) -> Any:
    return 1 / np.sqrt((x * x).mean(1, keepdims=True) + eps)


def _rms_norm_grad(dy: Any, x: Any, w: Any, eps: float, **_: int) -> Any:
    r, g = _rms(x, eps), dy * w
    return r * (g - x * r * r * (g * x).mean(1, keepdims=True)), dy * x * r


def _embedding_grad(dy: Any, tokens: Any, dw: Any, **_: int) -> Any:
    total = dw.copy()
    np.add.at(total, tokens, dy)
    return total


def _weights(qkv: Any) -> Iterator[tuple[slice, Any]]:
    """Yield some queries at a time, and their scores with the keys up to the last of them (N, heads, queries, keys)."""
    N, T, _, heads, D = qkv.shape
    few = max(1, _SCORES // (N * T * heads))
    for first in range(0, T, few):
        some = slice(first, min(first + few, T))
        scores = np.einsum(
            "nthd,nshd->nhts", qkv[:, some, 0], qkv[:, : some.stop, 1], optimize=True
        )
        ahead = np.arange(some.stop) > np.arange(some.start, some.stop)[:, None]
        yield some, np.where(ahead, -np.inf, scores / math.sqrt(D))


def _attention(qkv: Any, **_: int) -> Any:
    N, T, _, heads, D = qkv.shape
    y, logsumexp = np.empty((N, T, heads, D)), np.empty((N, heads, T))
    for some, scores in _weights(qkv):
        largest = scores.max(-1, keepdims=True)
        p = np.exp(scores - largest)
        total = p.sum(-1, keepdims=True)
        values = qkv[:, : some.stop, 2]
        y[:, some] = np.einsum("nhts,nshd->nthd", p / total, values, optimize=True)
        logsumexp[:, :, some] = (largest + np.log(total))[..., 0]
    return y, logsumexp


def _attended(rng: Any, shape: Any, sizes: Sizes, arguments: Mapping[str, Any]) -> Any:
    """Return what attention gave for these queries, keys and values: y or logsumexp, by the shape."""
    qkv = arguments["qkv"]
    y, logsumexp = _attention_of(qkv.tobytes(), qkv.shape)
    return y if len(shape) == 4 else logsumexp


@functools.lru_cache(maxsize=1)
def _attention_of(content: bytes, shape: tuple[int, ...]) -> Any:
    return _attention(np.frombuffer(content, np.float32).reshape(shape).astype(np.float64))


def _attention_grad(dy: Any, qkv: Any, y: Any, logsumexp: Any, **_: int) -> Any:
    dqkv = np.zeros_like(qkv)
    delta = (dy * y).sum(-1).transpose(0, 2, 1)
    for some, scores in _weights(qkv):
        p = np.exp(scores - logsumexp[:, :, some, None])
        keys, dkeys = qkv[:, : some.stop], dqkv[:, : some.stop]
        dp = np.einsum("nthd,nshd->nhts", dy[:, some], keys[:, :, 2], optimize=True)
        ds = p * (dp - delta[:, :, some, None]) / math.sqrt(qkv.shape[-1])
        dqkv[:, some, 0] = np.einsum("nhts,nshd->nthd", ds, keys[:, :, 1], optimize=True)
        dkeys[:, :, 1] += np.einsum("nhts,nthd->nshd", ds, qkv[:, some, 0], optimize=True)
        dkeys[:, :, 2] += np.einsum("nhts,nthd->nshd", p, dy[:, some], optimize=True)
    return dqkv


def _adamw_step(
    w: Any, m: Any, v: Any, g: Any, lr: float, beta1: float, beta2: float, **numbers: float
) -> Any:
    m = beta1 * m + (1 - beta1) * g
    v = beta2 * v + (1 - beta2) * g * g
    step = m / numbers["correction1"] / (np.sqrt(v / numbers["correction2"]) + numbers["eps"])
    return w * (1 - lr * numbers["weight_decay"]) - lr * step, m, v


_TABLES: dict[str, Any] = {
    "far": [(70_000, 2, 3), (2, 70_000, 3), (3, 2, 70_000), (3, 4100, 4200), (70_000, 240, 3)],
    "along": {0: ("rows", 641), 3: ("D", 83), 4: ("rows", 307)},
    "drawn": [[(2, 40), (2, 12), (2, 20)], [(101, 140), (60, 70), (101, 140)]],
}
_NORMS = rows("D", 64)


def _attentions(longest: int, many: int) -> dict[str, Any]:
    """Return such a set for kernels whose work grows as the square of T, up to T = `longest` and `many` heads."""
    tokens = dict.fromkeys(_HEADS.split(), 1)
    return chosen(
        _HEADS,
        [
            (1, 9, 1, 4),
            (1, 7, 3, 5),
            (3, 6, 2, 4),
            (2, 33, 2, 6),
            (1, 1, 1, 1),
            (1, 36, 1, 33),
            (2, 5, 3, 67),
            (1, 70, 2, 2),
        ],
        [[(1, 3), (2, 20), (1, 4), (1, 20)], [(2, 3), (70, 80), (2, 3), (33, 40)]],
        far=[
            (many, 2, 1, 1),
            (1, 2, many, 1),
            (1, 2, 1, 4200),
            (1, longest, 1, 2),
            (2750, 32, 1, 64),
        ],
        along={0: ("N", 641), 4: ("N", 73)},
        ruler=(1, 64, 1, 32),
    ) | {
        "large": [
            *(Large(tokens | {name: 60_000}, {name: 1200}, name) for name in tokens),
            Large({"N": 512, "T": 1024, "heads": 12, "D": 64}, {"N": 2, "T": 64, "heads": 2}),
        ],
        "loop": "T D 3",
        "derived": lambda sizes: {"3": 3},
        "stages": ("one head", "several heads", "several sequences"),
        "most": dict.fromkeys(tokens, 300),
    }


TRANSFORMER = [
    Piece(
        "embedding",
        "10",
        "const int* tokens, const float* w, float* y, int rows, int D, int V",
        "y[r][d] = w[tokens[r]][d], where each token is one of 0 … V − 1",
        "Embedding",
        {"tokens": "rows", "w": "V D", "y": "rows D"},
        lambda tokens, w, **_: w[tokens],
        **chosen(
            _TABLE,
            [(6, 4, 27), (1, 1, 1), (33, 7, 27), (100, 1, 3), (5, 40, 2), (9, 33, 50)],
            ruler=(128, 32, 27),
            **_TABLES,
        )
        | {"large": one_long({"rows": 1, "D": 1, "V": 1}, "rows", "D")},
        make={"tokens": _tokens},
        task=[no_atomics, many_threads("rows", "D")],
    ),
    Piece(
        "embedding_grad",
        "10",
        "const float* dy, const int* tokens, float* dw, int rows, int D, int V",
        "dw[v][d] += Σ of dy[r][d] over the rows r whose token is v; dw holds numbers already, most often zeros",
        "Embedding",
        {"dy": "rows D", "tokens": "rows", "dw": "V D"},
        _embedding_grad,
        **chosen(
            _TABLE,
            [(40, 4, 5), (1, 1, 1), (33, 7, 27), (100, 1, 3), (5, 40, 2), (70, 33, 10), (6, 5, 30)],
            ruler=(256, 32, 27),
            **_TABLES,
        )
        | {
            "large": [
                *one_long({"rows": 1, "D": 1, "V": 1}, "D"),
                *one_long({"rows": 5000, "D": 1, "V": 1}, "V"),
            ]
        },
        loop="rows",
        most={"V": 5000},
        make={"tokens": _tokens},
        updates=("dw",),
        absolute={"dw": 2e-4},
        task=[
            no_atomics,
            many_threads("D"),
            SharedAmongThreads("row of the table", "", D=4096),
        ],
    ),
    Piece(
        "rms_norm",
        "10",
        "const float* x, const float* w, float* y, float eps, int rows, int D",
        "y[r][d] = x[r][d] · s · w[d], where s = 1 / √(mean of x[r][k]² over k + eps)",
        "RMSNorm",
        {"x": "rows D", "w": "D", "y": "rows D"},
        lambda x, w, eps, **_: x * _rms(x, eps) * w,
        **_NORMS,
        loop="D",
        numbers={"eps": (1e-5, 0.5)},
        extremes=given(eps=(1e-8, 1e3)),
        make={"x": _rows},
        task=[no_atomics, a_warp_a_row("rows", "D", arrays=2)],
    ),
    Piece(
        "rms_norm_grad",
        "10",
        "const float* dy, const float* x, const float* w, float* dx, float* shares, float eps, int rows, int D",
        "with s as in rms_norm and g[r][d] = dy[r][d] · w[d]: dx[r][d] = s · (g[r][d] − x[r][d] · s² · mean of "
        "g[r][k] · x[r][k] over k), shares[r][d] = dy[r][d] · x[r][d] · s, which sum_columns adds up to dw",
        "RMSNorm",
        {"dy": "rows D", "x": "rows D", "w": "D", "dx": "rows D", "shares": "rows D"},
        _rms_norm_grad,
        **_NORMS,
        loop="D",
        numbers={"eps": (1e-5, 0.5)},
        extremes=given(eps=(1e-8, 1e3)),
        make={"x": _rows},
        absolute={"dx": 1e-4},
        task=[no_atomics, a_warp_a_row("rows", "D", arrays=3)],
    ),
    Piece(
        "attention",
        "10",
        "const float* qkv, float* y, float* logsumexp, int N, int T, int heads, int D",
        "with q, k, v = qkv[n][t][0 … 2][h], of D numbers each: y[n][t][h] = Σ of p[s] · v[n][s][h] over s ≤ t, "
        "p = softmax over s ≤ t of q[n][t][h] · k[n][s][h] / √D; logsumexp[n][h][t] = log Σ exp of these scores",
        "CausalSelfAttention",
        {"qkv": "N T 3 heads D", "y": "N T heads D", "logsumexp": "N heads T"},
        _attention,
        **_attentions(4200, 70_000),
        make={"qkv": functools.partial(_qkv, -4e6)},
        absolute={"y": 1e-4, "logsumexp": 1e-4},
        task=[no_atomics, many_threads("N", "T", "heads")],
    ),
    Piece(
        "attention_grad",
        "10",
        "const float* dy, const float* qkv, const float* y, const float* logsumexp, float* dqkv, "
        "int N, int T, int heads, int D",
        "dqkv[n][t][0 … 2][h], with p[t][s] = exp(score − logsumexp[n][h][t]), delta[t] = dy[t] · y[t] and "
        "ds[t][s] = p[t][s] · (dy[t] · v[s] − delta[t]): dq[t] = Σ over s ≤ t of ds[t][s] · k[s] / √D, "
        "dk[s] = Σ over t ≥ s of ds[t][s] · q[t] / √D, dv[s] = Σ over t ≥ s of p[t][s] · dy[t]",
        "CausalSelfAttention",
        {
            "dy": "N T heads D",
            "qkv": "N T 3 heads D",
            "y": "N T heads D",
            "logsumexp": "N heads T",
            "dqkv": "N T 3 heads D",
        },
        _attention_grad,
        **_attentions(2100, 5000),
        make={"qkv": functools.partial(_qkv, -2048), "y": _attended, "logsumexp": _attended},
        absolute={"dqkv": 1e-3},
        task=[no_atomics, many_threads("N", "T", "heads")],
    ),
    Piece(
        "adamw_step",
        "10",
        "float* w, float* m, float* v, const float* g, float lr, float beta1, float beta2, float eps, "
        "float weight_decay, float correction1, float correction2, int n",
        "m[i] = beta1 · m[i] + (1 − beta1) · g[i], v[i] = beta2 · v[i] + (1 − beta2) · g[i]², then "
        "w[i] = (1 − lr · weight_decay) · w[i] − lr · (m[i] / correction1) / (√(v[i] / correction2) + eps)",
        "AdamW",
        {"w": "n", "m": "n", "v": "n", "g": "n"},
        _adamw_step,
        **ELEMENTS,
        numbers={
            "lr": (0.05, 0.5),
            "beta1": (0.5, 0.9),
            "beta2": (0.5, 0.95),
            "eps": (1e-3, 0.1),
            "weight_decay": (0.05, 0.5),
            "correction1": (0.1, 0.9),
            "correction2": (0.1, 0.9),
        },
        updates=("w", "m", "v"),
        make={"g": gradients, "v": lambda rng, shape, *_: rng.standard_normal(shape) ** 2},
        task=[an_element_each],
        extremes=given(
            (1e-3, 0.875, 0.9990234375, 1e-8, 0.01, 0.125, 0.0009765625),
            (0.25, 0, 0.5, 1e-5, 0, 1, 1),
            lr=(-1e-3, 10),
            beta1=(0, 1),
            beta2=(0, 1),
            eps=(1e-4, 1e3),
            weight_decay=(1e-3, 10),
            correction1=(0.1, 1),
            correction2=(0.1, 1),
        ),
    ),
]
