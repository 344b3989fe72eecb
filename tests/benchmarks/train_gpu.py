"""Training the reference network on MNIST on the GPU: ours and PyTorch, on the same machine.

    python -m tests.benchmarks.train_gpu

Plain SGD from rate 0.1; ours lets it fall along a cosine, which costs nothing and steadies the accuracy. Float32
throughout; TF32 is switched off in PyTorch, and on again for one row. Data lies on the GPU unless a row says
DataLoader; compilation, recording and the copy of the data are not counted. About two minutes; writes
results/train_gpu.json.

What limits, on an H200: a dense step is 1.06 GFLOP, 15.9 µs at the card's 66.9 TFLOP/s. It takes 42 to 45 µs in nine
kernels: so much do the cards differ that were tried. Left out of the graph one at a time, the second
convolution costs 11.1 µs, its two gradients together 10.8, the last layer with the loss 4.9 and its gradients 2.4, the
first convolution 3.0. The second convolution's products alone would take 5.1 µs at that peak. Its gradients skip nine
products in ten, as ReLU and max pooling made them zero; before the input gradient did so, a step took 52 µs. The next
batch is loaded beside the gradients: 2.2 µs less.

What did not help: kernels that begin before the one in front of them ends (griddepcontrol.launch_dependents, in all of
them 67 to 74 µs a step, in one of them 0.3 µs less at most); other cuts of the second convolution (266 tried, 3 % at
most), and its planes copied in two or four stages; the logits in parts, summed up by the kernel of the last layer's
gradients, which then computes the loss (15 µs more); two or four warps for what a warp does in the first convolution's
weight gradient (up to 11 µs more).
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from nnlib import datasets, device
from nnlib.losses import CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.optimizers import SGD
from nnlib.training.eager import EagerSteps, Steps
from nnlib.training.evaluation import evaluate
from nnlib.training.replay.graph import GraphSteps
from nnlib.training.schedules import constant, cosine

from .timing import need_gpu, reference_network, store

BATCH, EPOCHS, RATE = 64, 5, 0.1
STEP_FLOP = 2 * 64 * 8_295_552  # multiply-adds of a dense step of the reference network count twice


def epochs_of(
    steps: Steps,
    count: int,
    batch: int,
    epochs: int,
    rate: float,
    seed: int,
    schedule: Callable[[float], float] = constant,
) -> list[float]:
    """Seconds of each epoch, order of the examples and learning rates included."""
    seconds, per_epoch = [], -(-count // batch)
    for epoch in range(epochs):
        device.synchronize()
        start = time.perf_counter()
        rates = [
            rate * schedule((epoch * per_epoch + step) / (epochs * per_epoch))
            for step in range(per_epoch)
        ]
        steps.run(datasets.shuffled(count, seed, epoch), rates, lambda steps: None)
        device.synchronize()
        seconds.append(time.perf_counter() - start)
    return seconds


def trained(
    model: Sequential, data: datasets.Dataset, seed: int, epochs: int = EPOCHS
) -> tuple[list[float], float, int]:
    """Train as a CUDA graph while the learning rate falls along a cosine.

    Returns seconds of each epoch, the accuracy on the test images, and bytes of device memory that the steps take.
    """
    model = model.to("gpu")
    train, test = (part.beside(model.parameters) for part in (data.train, data.test))
    pool = device.xp.get_default_memory_pool()
    before = pool.used_bytes()
    steps = GraphSteps(model, CrossEntropyLoss(), SGD(model, RATE), train, BATCH)
    taken = pool.used_bytes() - before
    seconds = epochs_of(steps, len(train), BATCH, epochs, RATE, seed, cosine)
    return seconds, evaluate(model, CrossEntropyLoss(), test).accuracy, taken


def ours(data: datasets.Dataset) -> dict[str, Any]:
    trained(reference_network(), data, 0, 1)  # warms up
    found = [trained(reference_network(seed), data, seed) for seed in range(5)]
    rows = {"CUDA graph": _row([sum(seconds) for seconds, *_ in found])}
    rows["CUDA graph"]["test_accuracy"] = [round(accuracy, 4) for _, accuracy, _ in found]
    rows["same kernels, step by step"] = step_by_step(data)
    return rows


def step_by_step(data: datasets.Dataset) -> dict[str, Any]:
    """Return the row of steps that Python launches kernel by kernel, from 100 of them."""
    model = reference_network().to("gpu")
    few = data.train[: 100 * BATCH].beside(model.parameters)
    steps = EagerSteps(model, CrossEntropyLoss(), SGD(model, RATE), few, BATCH)
    factor = EPOCHS * len(data.train) / len(few)
    seconds = epochs_of(steps, len(few), BATCH, 6, RATE, 0)[1:]
    return {**_row([factor * each for each in seconds]), "scaled_from_examples": len(few)}


def pytorch(data: datasets.Dataset) -> dict[str, Any] | None:
    try:
        import torch

        from .pytorch_training import Bench, settings
    except ImportError:
        return None
    torch.backends.cudnn.allow_tf32 = False
    bench = Bench(data.train.inputs, data.train.labels, data.test.inputs, data.test.labels, RATE)
    rows: dict[str, Any] = {}
    for workers, pinned in itertools.product((0, 2, 4, 8), (False, True)):
        seconds = [EPOCHS * bench.loader(workers, pinned, 150) for _ in range(2)]
        rows[f"eager, DataLoader, {workers} workers{', pinned' if pinned else ''}"] = {
            **_row(seconds),
            "scaled_from_examples": 150 * BATCH,
        }
    ways = {
        "eager, data on the GPU": bench.eager,
        "torch.compile, reduce-overhead": bench.compiled,
        "whole step in a CUDA graph": bench.graph,
    }
    for name, way in ways.items():
        seconds = [way(EPOCHS) for _ in range(3)]
        rows[name] = {**_row(seconds), "test_accuracy": [round(bench.accuracy(), 4)]}
    measured = settings()
    torch.backends.cudnn.allow_tf32 = True
    rows["whole step in a CUDA graph, TF32 convolutions"] = _row(
        [bench.graph(EPOCHS) for _ in range(3)]
    )
    return {"settings": measured, "rows": rows}


def _row(seconds: list[float]) -> dict[str, Any]:
    return {
        "seconds": float(np.median(seconds)),
        "spread": float(np.ptp(seconds)) / 2,
        "runs": len(seconds),
    }


def main() -> None:
    need_gpu()
    data = datasets.load("mnist", download=False)
    rows, peak = ours(data), _peak_flops()
    step = rows["CUDA graph"]["seconds"] / EPOCHS / -(-len(data.train) // BATCH)
    results = {
        "batch": BATCH,
        "epochs": EPOCHS,
        "nnlib": rows,
        "floor": {"peak_flops": peak, "share": STEP_FLOP / peak / step},
        "pytorch": pytorch(data),
    }
    store("train_gpu", results)


def _peak_flops() -> float:
    """Float32 multiply-adds of all lanes at the highest clock; 128 lanes per multiprocessor since compute 8.6."""
    attributes = device.xp.cuda.Device().attributes
    return 2.0 * 128 * attributes["MultiProcessorCount"] * attributes["ClockRate"] * 1e3


if __name__ == "__main__":
    main()
