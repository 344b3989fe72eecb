"""Training in mixed precision on MNIST: accuracy over five seeds, time and memory, for two networks, on the GPU.

    NNLIB_DATA=… python -m tests.benchmarks.mixed_precision [layer]

float32, TF32, bfloat16, half, and half with its gradients scaled by 1024; SGD with learning rate 0.1 falling along a
cosine, batch 64, 5 epochs. And a linear layer that is large enough for tensor cores; with "layer", only that. Stores
results/mixed_precision.json. About two minutes.
"""

from __future__ import annotations

import functools
import subprocess
import sys
from typing import Any

import numpy as np

from nnlib import datasets, device, ops
from nnlib.course.timing import recorded
from nnlib.layers import Conv2d, Flatten, Linear, MaxPool2d, ReLU
from nnlib.model import Sequential
from nnlib.training import NonFiniteError

from .timing import interleaved, need_gpu, reference_network, store
from .train_gpu import trained

SEEDS = 5
SIDE = 4096  # inputs, outputs and batch of the large layer
PRECISIONS = {
    "float32": ("float32", 1),
    "TF32": ("tf32", 1),
    "bfloat16": ("bf16", 1),
    "half": ("half", 1),
    "half, scaled": ("half", 1024),
}


def wider(seed: int) -> Sequential:
    """conv 1→32, conv 32→64, pool, linear 9216→128→10"""
    return Sequential(
        Conv2d(1, 32, 3),
        ReLU(),
        Conv2d(32, 64, 3),
        ReLU(),
        MaxPool2d(2),
        Flatten(),
        Linear(9216, 128),
        ReLU(),
        Linear(128, 10),
        seed=seed,
    )


NETWORKS = {"reference": reference_network, "wider": wider}


def row(network: str, precision: str) -> dict[str, Any]:
    """Five trainings; an accuracy is null where the loss became infinite."""
    data = datasets.load("mnist", download=False).normalised()
    accuracies: list[float | None] = []
    seconds: list[float] = []
    taken = 0
    with ops.precision(*PRECISIONS[precision]):
        for seed in range(SEEDS):
            try:
                times, accuracy, taken = trained(NETWORKS[network](seed), data, seed)
            except NonFiniteError as error:
                print(network, precision, seed, error)
                accuracies.append(None)
                continue
            accuracies.append(round(accuracy, 4))
            seconds += times[1:]
    return {
        "network": network,
        "precision": precision,
        "accuracy": accuracies,
        "bytes": taken,
        "seconds_per_epoch": float(np.median(seconds)) if seconds else None,
    }


def layer() -> dict[str, Any]:
    """TFLOP/s of a linear layer, forward and backward, in each precision."""
    random = device.xp.random.default_rng(0)
    x, w, dy = (random.standard_normal((SIDE, SIDE), dtype=np.float32) for _ in range(3))
    b = device.xp.zeros(SIDE, np.float32)

    def step(precision: str) -> None:
        with ops.precision(*PRECISIONS[precision]):
            ops.linear(x, w, b)
            ops.linear_backward(dy, x, w)

    calls = {name: functools.partial(step, name) for name in PRECISIONS}
    found = {
        name: round(6e-12 * SIDE**3 / timing.median, 1)
        for name, timing in interleaved(calls, rounds=11).items()
    }
    return {"side": SIDE, "tflops": found}


def main() -> None:
    need_gpu()
    pairs = [(network, precision) for network in NETWORKS for precision in PRECISIONS]
    if sys.argv[1:] == ["layer"]:
        kept = recorded("mixed_precision")
        del kept["environment"]
        store("mixed_precision", {**kept, "layer": layer()})
        return
    compiling = [
        subprocess.Popen([sys.executable, "-m", "tests.benchmarks.mixed_precision", *pair])
        for pair in pairs
    ]
    for (
        one
    ) in compiling:  # all at once: the compiler works on one core, and CuPy keeps what it made
        one.wait()
    rows = [row(*pair) for pair in pairs]
    store("mixed_precision", {"rows": rows, "layer": layer()})


def compile_kernels(network: str, precision: str) -> None:
    """Compile the kernels of a training by running one on few images."""
    with ops.precision(*PRECISIONS[precision]):
        trained(NETWORKS[network](0), datasets.load("digits").normalised(), 0)


if __name__ == "__main__":
    compile_kernels(*sys.argv[1:]) if len(sys.argv) > 2 else main()
