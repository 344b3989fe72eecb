"""Operations as they are called from Python, beside PyTorch's, on shapes that nothing was tuned on; and a training.

    python -m tests.benchmarks.calls

Two times each: of the GPU alone, as in `shapes`, and by the clock, of many calls one after the other. Of a small
operation the second is Python's time. Writes results/calls.json and results/fit.json. About a minute.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import torch

from nnlib import datasets, device
from nnlib import ops as dispatched
from nnlib.losses import CrossEntropyLoss
from nnlib.optimizers import SGD
from nnlib.training import fit
from nnlib.training.eager import EagerSteps
from nnlib.training.evaluation import evaluate
from nnlib.training.replay.graph import GraphSteps
from nnlib.training.schedules import cosine

from . import shapes
from .timing import interleaved, store
from .train import reference_network
from .train_gpu import BATCH, EPOCHS, RATE, epochs_of

LINEAR = [
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
CONVOLUTIONS = [
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
ISSUE = [
    (64, 784, 256),
    (1000, 777, 1333),
    (64, 4608, 10),
    (8192, 64, 8192),
]  # shapes that were slow, and were tuned
ISSUE_CONVOLUTIONS = [(1, 64, 56, 64, 3, 1, 1), (16, 3, 224, 64, 7, 2, 3)]


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


def row(case: shapes.Case, tuned: bool) -> dict[str, Any]:
    name, direction, _, ours, theirs = case
    error = shapes.difference(ours(), theirs())
    times = interleaved({"ours": ours, "torch": theirs}, rounds=9)
    gpu = {side: times[side].median for side in times}
    clock = {"ours": by_the_clock(ours, gpu["ours"]), "torch": by_the_clock(theirs, gpu["torch"])}
    print(
        f"{name:40s} {direction:9s} gpu {1e6 * gpu['ours']:8.1f} {1e6 * gpu['torch']:8.1f} "
        f"{gpu['torch'] / gpu['ours']:5.2f}  clock {1e6 * clock['ours']:8.1f} {1e6 * clock['torch']:8.1f} "
        f"{clock['torch'] / clock['ours']:5.2f}  {error:.0e}",
        flush=True,
    )
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
    """Seconds of five epochs of the reference network on MNIST: `fit` as called, its graph alone, step by step."""
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
    model = reference_network().to("gpu")
    graph = GraphSteps(model, CrossEntropyLoss(), SGD(model, RATE), train, BATCH)
    alone = [sum(epochs_of(graph, len(train), BATCH, EPOCHS, RATE, seed)) for seed in range(5)]
    few = train[: 100 * BATCH]
    eager = EagerSteps(model, CrossEntropyLoss(), SGD(model, RATE), few, BATCH)
    factor = EPOCHS * len(train) / len(few)
    steps = [one * factor for one in epochs_of(eager, len(few), BATCH, 7, RATE, 0)[2:]]
    found = {
        "fit, as called": called[1:],
        "its epochs, each with order, rates and results": inside[1:],
        "the graph alone, recorded before": alone,
        "step by step (from 100 steps)": steps,
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
    versions = shapes.pytorch_in_float32()
    random = device.xp.random.default_rng(0)
    rows = []
    for linear, convolutions, tuned in (
        (ISSUE, ISSUE_CONVOLUTIONS, True),
        (LINEAR, CONVOLUTIONS, False),
    ):
        cases = (
            *shapes.linear_cases(random, linear, dispatched),
            *shapes.convolution_cases(random, convolutions, dispatched, images_need_gradients=True),
        )
        rows += [row(case, tuned) for case in cases]
    store("calls", {"rows": rows, "table": table(rows), "versions": versions})
    results = training(datasets.load("mnist", download=False))
    print(*results["table"], results["test_accuracy"], sep="\n")
    store("fit", {**results, "versions": versions})


if __name__ == "__main__":
    main()
