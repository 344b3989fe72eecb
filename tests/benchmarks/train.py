"""Time of one training step of the reference network, ours beside PyTorch's where that is installed.

    python -m tests.benchmarks.train            # OMP_NUM_THREADS limits the threads of both

Same network, batch, data, optimizer and number of threads. Prints tables, writes results/train_cpu.json.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from nnlib import ops
from nnlib.layers import Conv2d, Flatten, Linear, MaxPool2d, ReLU
from nnlib.losses import CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.optimizers import SGD
from nnlib.support.threads import thread_count
from tests.benchmarks.timing import store

BATCH, LEARNING_RATE = 64, 0.01
ROUNDS, STEPS = 8, 15
Step = Callable[[], Any]


def batch() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.random((BATCH, 1, 28, 28), np.float32), rng.integers(0, 10, BATCH)


def reference_network() -> Sequential:
    return Sequential(
        Conv2d(1, 16, 3),
        ReLU(),
        Conv2d(16, 32, 3),
        ReLU(),
        MaxPool2d(2),
        Flatten(),
        Linear(4608, 10),
    )


def our_step() -> Step:
    model, loss, (x, labels) = reference_network().to("cpu"), CrossEntropyLoss(), batch()
    optimizer = SGD(model, LEARNING_RATE)

    def step() -> float:
        with ops.engine("arrays"):
            value = loss(model(x), labels)
            model.backward(loss.backward())
            optimizer.step()
        return float(value)

    return step


def pytorch_step() -> Step | None:
    """None where PyTorch is not installed."""
    try:
        import torch
        from torch import nn
    except ImportError:
        return None
    torch.set_num_threads(thread_count())
    model = nn.Sequential(
        nn.Conv2d(1, 16, 3),
        nn.ReLU(),
        nn.Conv2d(16, 32, 3),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(4608, 10),
    )
    model.load_state_dict(
        {name: torch.from_numpy(array) for name, array in reference_network().state_dict().items()}
    )
    optimizer, (x, labels) = (
        torch.optim.SGD(model.parameters(), LEARNING_RATE),
        map(torch.from_numpy, batch()),
    )

    def step() -> float:
        optimizer.zero_grad()
        value = nn.functional.cross_entropy(model(x), labels)
        value.backward()
        optimizer.step()
        return value.item()

    return step


def in_turns(calls: dict[str, Step]) -> dict[str, dict[str, float]]:
    """Milliseconds of each call: best, quartiles, and processor time. Blocks alternate, so all meet the same load.

    Idle threads of BLAS and OpenMP spin for a moment before they sleep; a pause keeps them out of the next block.
    """
    wall: dict[str, list[float]] = {name: [] for name in calls}
    processor: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(ROUNDS):
        for name, call in calls.items():
            time.sleep(0.3)
            call()
            for _ in range(STEPS):
                start, used = time.perf_counter(), time.process_time()
                call()
                wall[name].append(1e3 * (time.perf_counter() - start))
                processor[name].append(1e3 * (time.process_time() - used))
    return {name: _summary(wall[name], processor[name]) for name in calls}


def _summary(wall: list[float], processor: list[float]) -> dict[str, float]:
    low, median, high = np.percentile(wall, [25, 50, 75])
    values = {
        "best": min(wall),
        "quartile": low,
        "median": median,
        "upper_quartile": high,
        "processor_best": min(processor),
    }
    return {name: round(float(value), 3) for name, value in values.items()}


def operations() -> dict[str, Step]:
    """Each operation of a step by itself, on the shapes it has there."""
    rng = np.random.default_rng(0)

    def normal(*shape: int) -> np.ndarray:
        return rng.standard_normal(shape, np.float32)

    x, w1, w2, w3 = (
        normal(BATCH, 1, 28, 28),
        normal(16, 1, 3, 3),
        normal(32, 16, 3, 3),
        normal(10, 4608),
    )
    h1, h2 = normal(BATCH, 16, 26, 26), normal(BATCH, 32, 24, 24)
    pooled, argmax = ops.max_pool2d(h2, 2)
    flat, logits, labels = pooled.reshape(BATCH, -1), normal(BATCH, 10), rng.integers(0, 10, BATCH)
    return {
        "conv 1→16": lambda: ops.conv2d(x, w1, w1[:, 0, 0, 0]),
        "conv 1→16, gradients": lambda: ops.conv2d_backward(h1, x, w1, needs_dx=False),
        "conv 16→32": lambda: ops.conv2d(h1, w2, w2[:, 0, 0, 0]),
        "conv 16→32, gradients": lambda: ops.conv2d_backward(h2, h1, w2),
        "two ReLU": lambda: (ops.relu(h1), ops.relu(h2)),
        "two ReLU, gradients": lambda: (ops.relu_backward(h1, h1), ops.relu_backward(h2, h2)),
        "max pooling": lambda: ops.max_pool2d(h2, 2),
        "max pooling, gradient": lambda: ops.max_pool2d_backward(pooled, argmax, h2.shape),
        "linear": lambda: ops.linear(flat, w3, w3[:, 0]),
        "linear, gradients": lambda: ops.linear_backward(logits, flat, w3),
        "softmax cross-entropy": lambda: ops.softmax_cross_entropy(logits, labels),
    }


def blas() -> str:
    """What multiplies matrices for NumPy, and for which processor: OPENBLAS_CORETYPE can hold it to an older one."""
    known = [library for library in ThreadpoolController().info() if library["user_api"] == "blas"]
    return (
        " ".join(
            str(known[0][name])
            for name in ("internal_api", "version", "architecture")
            if name in known[0]
        )
        if known
        else "unknown"
    )


def cpu() -> None:
    steps = {"nnlib": our_step(), "PyTorch": pytorch_step()}
    installed = {name: step for name, step in steps.items() if step}
    print(f"One training step, batch {BATCH}, {thread_count()} threads, {blas()}, milliseconds")
    rows = in_turns(installed)
    _print(rows)
    if "PyTorch" in rows:
        ratios = [
            rows["nnlib"][key] / rows["PyTorch"][key]
            for key in ("best", "quartile", "median", "processor_best")
        ]
        print(
            "nnlib / PyTorch: best {:.2f}, quartile {:.2f}, median {:.2f}, processor time {:.2f}".format(
                *ratios
            )
        )
    else:
        print("PyTorch is not installed: no comparison")
    with ops.engine("arrays"):
        parts = in_turns(operations())
    print("\nThe operations of the step one by one")
    _print(parts)
    load = round(os.getloadavg()[0], 1)
    print(
        f"\nLoad of the machine at the end: {load} (well above {thread_count()}: others disturbed the times)"
    )
    versions = {"BLAS": blas()}
    if "PyTorch" in rows:
        import torch

        versions["torch"] = torch.__version__
    store(
        "train_cpu",
        {
            "versions": versions,
            "threads": thread_count(),
            "load": load,
            "batch": BATCH,
            "unit": "ms",
            "step": rows,
            "operations": parts,
        },
    )


def _print(rows: dict[str, dict[str, float]]) -> None:
    print(
        f"{'':24}" + "".join(f"{name.replace('_', ' '):>16}" for name in next(iter(rows.values())))
    )
    for name, values in rows.items():
        print(f"{name:24}" + "".join(f"{value:16.2f}" for value in values.values()))


if __name__ == "__main__":
    cpu()
