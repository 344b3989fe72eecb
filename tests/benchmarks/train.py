"""Time of one training step of the reference network, ours beside PyTorch's where that is installed.

    python -m tests.benchmarks.train            # OMP_NUM_THREADS limits the threads of both

Same network, batch, data, optimizer and number of threads. Writes results/train_cpu.json.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from nnlib import ops
from nnlib.losses import CrossEntropyLoss
from nnlib.optimizers import SGD
from nnlib.support.threads import thread_count

from .timing import reference_network, store

BATCH, LEARNING_RATE = 64, 0.01
ROUNDS, STEPS = 8, 15
Step = Callable[[], Any]


def batch() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.random((BATCH, 1, 28, 28), np.float32), rng.integers(0, 10, BATCH)


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

        from .pytorch_training import functional, network
    except ImportError:
        return None
    torch.set_num_threads(thread_count())
    model = network()
    model.load_state_dict(
        {name: torch.from_numpy(array) for name, array in reference_network().state_dict().items()}
    )
    optimizer, (x, labels) = (
        torch.optim.SGD(model.parameters(), LEARNING_RATE),
        map(torch.from_numpy, batch()),
    )

    def step() -> float:
        optimizer.zero_grad()
        value = functional.cross_entropy(model(x), labels)
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


def blas() -> str:
    """Return the library that multiplies matrices for NumPy, and the processor it is tuned for (OPENBLAS_CORETYPE sets it)."""
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
    rows = in_turns(installed)
    versions = {"BLAS": blas()}
    if "PyTorch" in rows:
        import torch

        versions["torch"] = torch.__version__
    store(
        "train_cpu",
        {
            "versions": versions,
            "threads": thread_count(),
            "batch": BATCH,
            "unit": "ms",
            "step": rows,
        },
    )


if __name__ == "__main__":
    cpu()
