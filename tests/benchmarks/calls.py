"""Operations as they are called from Python, beside PyTorch's (cuBLAS, cuDNN), float32 without TF32; and a training.

    python -m tests.benchmarks.calls

Two times each: of the GPU alone, and by the clock, of many calls one after the other. Of a small operation the second is
Python's time. Checks every result against PyTorch's. Writes results/calls.json and results/fit.json. About two minutes.

cuDNN and kernels/fast/winograd.cu compute many 3×3 convolutions of stride 1 with fewer multiplications than the
definition has (Winograd: Lavin and Gray, 2016).
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch.nn import functional

from nnlib import datasets, device, ops
from nnlib.losses import CrossEntropyLoss
from nnlib.optimizers import SGD
from nnlib.training import fit
from nnlib.training.evaluation import evaluate
from nnlib.training.schedules import cosine

from .timing import interleaved, need_gpu, reference_network, store
from .train_gpu import BATCH, EPOCHS, RATE

LINEAR = [  # N, inputs, outputs
    (1, 2048, 512),
    (16, 1000, 500),
    (48, 640, 320),
    (64, 1152, 128),
    (96, 400, 120),
    (128, 1568, 100),
    (192, 3000, 10),
    (256, 2304, 384),
    (333, 555, 777),
    (512, 120, 84),
    (500, 1500, 1000),
    (512, 4096, 2048),
    (512, 96, 4096),
    (320, 900, 12),
]
CONVOLUTIONS = [  # images, channels, pixels, filters, window, stride, padding
    (1, 96, 48, 96, 3, 1, 1),
    (1, 32, 112, 48, 3, 1, 1),
    (2, 192, 20, 160, 3, 1, 1),
    (1, 160, 14, 320, 1, 1, 0),
    (8, 3, 192, 48, 7, 2, 3),
    (32, 3, 160, 32, 5, 2, 2),
    (4, 128, 40, 192, 3, 2, 1),
    (512, 8, 16, 16, 3, 1, 1),
    (24, 48, 36, 80, 5, 1, 2),
    (96, 96, 24, 112, 3, 1, 1),
    (16, 320, 10, 256, 3, 1, 1),
    (48, 256, 16, 96, 1, 1, 0),
    (1, 3, 256, 32, 3, 2, 1),
    (128, 1, 40, 24, 5, 1, 0),
]
# Shapes that kernels were tuned on.
TUNED = [
    (4096, 4096, 4096),
    (2048, 2048, 2048),
    (1536, 1536, 1536),
    (1024, 1024, 1024),
    (512, 512, 512),
    (1000, 777, 1333),
    (60000, 784, 10),
    (64, 784, 256),
    (128, 3136, 512),
    (64, 4608, 10),
    (8192, 64, 8192),
]
TUNED_CONVOLUTIONS = [
    (64, 16, 26, 32, 3, 1, 0),
    (16, 3, 224, 64, 3, 1, 1),
    (8, 64, 224, 64, 3, 1, 1),
    (32, 3, 224, 64, 7, 2, 3),
    (64, 64, 56, 64, 3, 1, 1),
    (64, 256, 56, 64, 1, 1, 0),
    (64, 64, 56, 128, 3, 2, 1),
    (64, 128, 28, 128, 3, 1, 1),
    (256, 128, 28, 128, 3, 1, 1),
    (64, 256, 14, 256, 3, 1, 1),
    (1, 256, 14, 256, 3, 1, 1),
    (64, 512, 7, 512, 3, 1, 1),
    (1, 64, 56, 64, 3, 1, 1),
    (16, 3, 224, 64, 7, 2, 3),
]
Case = tuple[str, str, Callable[[], Any], Callable[[], Any]]  # shape, direction, ours, PyTorch's


def linear_cases(random: Any, sizes: Sequence[tuple[int, int, int]]) -> Iterator[Case]:
    for N, I, O in sizes:
        x, w, b, dy = (random.standard_normal(s, dtype="f") for s in ((N, I), (O, I), O, (N, O)))
        tx, tw, tb, tdy = map(torch.from_dlpack, (x, w, b, dy))
        name = f"linear {N}×{I} → {O}"
        yield (
            name,
            "forward",
            lambda x=x, w=w, b=b: ops.linear(x, w, b),
            lambda x=tx, w=tw, b=tb: functional.linear(x, w, b),
        )
        yield (
            name,
            "backward",
            lambda dy=dy, x=x, w=w: ops.linear_backward(dy, x, w),
            lambda dy=tdy, x=tx, w=tw: (dy @ w, dy.T @ x, dy.sum(0)),
        )


def convolution_cases(
    random: Any, sizes: Sequence[tuple[int, int, int, int, int, int, int]]
) -> Iterator[Case]:
    for N, C, size, F, K, stride, padding in sizes:
        out = (size + 2 * padding - K) // stride + 1
        x, w, b, dy = (
            random.standard_normal(s, dtype="f")
            for s in ((N, C, size, size), (F, C, K, K), F, (N, F, out, out))
        )
        tx, tw, tb, tdy = map(torch.from_dlpack, (x, w, b, dy))
        name = f"conv {N}×{C}×{size}² → {F}, {K}×{K}" + (f", stride {stride}" if stride > 1 else "")
        at = (stride, padding)
        yield (
            name,
            "forward",
            lambda x=x, w=w, b=b, at=at: ops.conv2d(x, w, b, *at),
            lambda x=tx, w=tw, b=tb, at=at: functional.conv2d(x, w, b, *at),
        )
        yield (
            name,
            "backward",
            lambda dy=dy, x=x, w=w, at=at: ops.conv2d_backward(dy, x, w, *at),
            lambda dy=tdy, x=tx, w=tw, F=F, s=stride, p=padding: (
                torch.ops.aten.convolution_backward(
                    dy, x, w, [F], [s, s], [p, p], [1, 1], False, [0, 0], 1, [True, True, True]
                )
            ),
        )


def difference(ours: Any, theirs: Any) -> float:
    """The largest relative difference of any result, in the 2-norm."""
    mine = ours if isinstance(ours, tuple) else (ours,)
    other = theirs if isinstance(theirs, tuple) else (theirs,)
    pairs = [(torch.from_dlpack(a), b) for a, b in zip(mine, other, strict=True) if a is not None]
    return max(float((a - b.reshape(a.shape)).norm() / b.norm()) for a, b in pairs)


def by_the_clock(call: Callable[[], Any], seconds: float) -> float:
    """Seconds of a call, of many one after the other; the GPU's `seconds` say how many."""
    count, times = max(10, min(200, round(4e-3 / seconds))), []
    for _ in range(7):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(count):
            call()
        torch.cuda.synchronize()
        times.append((time.perf_counter() - start) / count)
    return statistics.median(times)


def row(case: Case, tuned: bool) -> dict[str, Any]:
    name, direction, ours, theirs = case
    error = difference(ours(), theirs())
    if not error < 1e-2:  # cuDNN itself is off by 2e-3 with 5 × 5 weights
        raise SystemExit(f"{name}, {direction}: differs from PyTorch's by {error:.1e}")
    times = interleaved({"ours": ours, "torch": theirs}, rounds=9)
    gpu = {side: times[side].median for side in times}
    clock = {"ours": by_the_clock(ours, gpu["ours"]), "torch": by_the_clock(theirs, gpu["torch"])}
    return {
        "shape": name,
        "direction": direction,
        "tuned": tuned,
        "gpu": gpu,
        "clock": clock,
        "difference": error,
    }


def table(rows: list[dict[str, Any]]) -> list[list[str]]:
    lines = [
        [
            "Operation",
            "",
            "GPU, µs",
            "PyTorch",
            "times its speed",
            "a call, µs",
            "PyTorch",
            "times its speed",
        ]
    ]
    for one in rows:
        line = [one["shape"] + (" (tuned)" if one["tuned"] else ""), one["direction"]]
        for seconds in (one["gpu"], one["clock"]):
            line += [
                f"{1e6 * seconds['ours']:.1f}",
                f"{1e6 * seconds['torch']:.1f}",
                f"{seconds['torch'] / seconds['ours']:.2f}",
            ]
        lines.append(line)
    for direction in ("forward", "backward"):
        for kind in ("linear", "conv"):
            chosen = [
                one
                for one in rows
                if one["direction"] == direction
                and one["shape"].startswith(kind)
                and not one["tuned"]
            ]
            line = [f"median and least of the {len(chosen)} {kind}, {direction}, not tuned", ""]
            for clock in ("gpu", "clock"):
                ratios = [one[clock]["torch"] / one[clock]["ours"] for one in chosen]
                line += ["", "", f"{statistics.median(ratios):.2f}, {min(ratios):.2f}"]
            lines.append(line)
    return lines


def training(data: datasets.Dataset) -> dict[str, Any]:
    """Seconds of five epochs of the reference network on MNIST by `fit`: as called, and of its epochs alone."""
    train, test = data.train.beside(device.xp.empty(0)), data.test.beside(device.xp.empty(0))
    called, inside, accuracies = [], [], []
    for seed in (0, 0, 1, 2, 3, 4):  # the first compiles
        model = reference_network().to("gpu")
        optimizer = SGD(model, RATE)
        device.synchronize()
        start = time.perf_counter()
        history = fit(
            model,
            CrossEntropyLoss(),
            optimizer,
            train,
            epochs=EPOCHS,
            batch_size=BATCH,
            schedule=cosine,
            seed=seed,
            progress=None,
        )
        device.synchronize()
        called.append(time.perf_counter() - start)
        inside.append(sum(history.seconds))
        accuracies.append(round(float(evaluate(model, CrossEntropyLoss(), test).accuracy), 4))
    found = {
        "fit, as called": called[1:],
        "its epochs, each with order, rates and results": inside[1:],
    }
    return {
        "seconds": found,
        "test_accuracy": accuracies[1:],
        "table": [
            [
                "Reference network, batch 64, five epochs of MNIST",
                "seconds, median of five",
                "least",
                "most",
            ],
            *(
                [
                    name,
                    *(
                        f"{value:.3f}"
                        for value in (statistics.median(times), min(times), max(times))
                    ),
                ]
                for name, times in found.items()
            ),
        ],
    }


def main() -> None:
    need_gpu()
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True  # with the algorithms that cuDNN finds fastest
    versions = {"torch": torch.__version__, "cuDNN": str(torch.backends.cudnn.version())}
    random = device.xp.random.default_rng(0)
    rows = []
    for linear, convolutions, tuned in (
        (TUNED, TUNED_CONVOLUTIONS, True),
        (LINEAR, CONVOLUTIONS, False),
    ):
        cases = *linear_cases(random, linear), *convolution_cases(random, convolutions)
        rows += [row(case, tuned) for case in cases]
    store("calls", {"rows": rows, "table": table(rows), "versions": versions})
    store("fit", {**training(datasets.load("mnist", download=False)), "versions": versions})


if __name__ == "__main__":
    main()
