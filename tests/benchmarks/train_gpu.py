"""Training the reference network on MNIST on the GPU: ours, our first kernels, and PyTorch, on the same machine.

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

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from nnlib import datasets, device
from nnlib.layers import Conv2d, Flatten, Linear, MaxPool2d, ReLU
from nnlib.losses import CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.optimizers import SGD
from nnlib.training.eager import EagerSteps, Steps
from nnlib.training.evaluation import evaluate
from nnlib.training.replay.graph import GraphSteps
from nnlib.training.schedules import constant, cosine

from .naive_step import naive_step
from .timing import store
from .train import reference_network

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


def trainings(data: datasets.Dataset, runs: int) -> dict[str, Any]:
    """Whole trainings with as many seeds, after one that only warms up."""
    seconds, accuracies = [], []
    test = data.test.beside(device.xp.empty(0))
    for seed in range(-1, runs):
        model = reference_network().to("gpu")
        rng = np.random.default_rng(max(seed, 0))
        for layer in model.layers:
            layer.initialize(rng)
        steps = GraphSteps(
            model, CrossEntropyLoss(), SGD(model, RATE), data.train.beside(model.parameters), BATCH
        )
        times = epochs_of(
            steps, len(data.train), BATCH, 1 if seed < 0 else EPOCHS, RATE, max(seed, 0), cosine
        )
        if seed >= 0:
            seconds.append(sum(times))
            accuracies.append(evaluate(model, CrossEntropyLoss(), test).accuracy)
    return {
        "seconds": float(np.median(seconds)),
        "spread": float(np.ptp(seconds)) / 2,
        "runs": runs,
        "test_accuracy": [round(a, 4) for a in accuracies],
    }


def ours(data: datasets.Dataset) -> dict[str, Any]:
    pool = device.xp.get_default_memory_pool()
    pool.free_all_blocks()
    before = pool.total_bytes()
    rows = {"CUDA graph": trainings(data, 5)}
    rows["CUDA graph"]["gpu_memory_MB"] = round((pool.total_bytes() - before) / 1e6)

    model = reference_network().to("gpu")
    few = data.train[: 100 * BATCH]
    eager = EagerSteps(
        model, CrossEntropyLoss(), SGD(model, RATE), few.beside(model.parameters), BATCH
    )
    epochs_of(eager, len(few), BATCH, 1, RATE, 0)
    rows["same kernels, step by step"] = _scaled(
        epochs_of(eager, len(few), BATCH, 5, RATE, 0), len(few), data
    )
    rows["first kernels, step by step"] = _scaled(_naive_epochs(few), len(few), data)
    return rows


def _naive_epochs(few: datasets.Examples) -> list[float]:
    model = reference_network().to("gpu")
    few = few.beside(model.parameters)
    step = naive_step(model, few.inputs, few.labels, BATCH, RATE)
    indices = device.xp.arange(len(few)).reshape(-1, BATCH)
    seconds = []
    for _ in range(4):
        device.synchronize()
        start = time.perf_counter()
        for chosen in indices:
            step(chosen)
        device.synchronize()
        seconds.append(time.perf_counter() - start)
    return seconds[1:]


def _scaled(seconds: list[float], count: int, data: datasets.Dataset) -> dict[str, Any]:
    factor = EPOCHS * len(data.train) / count
    return {
        "seconds": float(np.median(seconds)) * factor,
        "spread": float(np.ptp(seconds)) / 2 * factor,
        "runs": len(seconds),
        "scaled_from_examples": count,
    }


def sizes(data: datasets.Dataset) -> list[dict[str, float]]:
    """Microseconds per step over batch and image size: both lines are straight once the GPU is full."""
    rows = []
    for batch, side in [
        (64, 28),
        (128, 28),
        (256, 28),
        (512, 28),
        (1024, 28),
        (256, 40),
        (256, 56),
        (256, 80),
    ]:
        images = np.zeros((20 * batch, 1, side, side), np.uint8)
        images[:, :, :28, :28] = np.resize(data.train.inputs, (20 * batch, 1, 28, 28))
        examples = datasets.Examples(images, np.resize(data.train.labels, 20 * batch))
        flat = 32 * ((side - 4) // 2) ** 2
        model = Sequential(
            Conv2d(1, 16, 3),
            ReLU(),
            Conv2d(16, 32, 3),
            ReLU(),
            MaxPool2d(2),
            Flatten(),
            Linear(flat, 10),
        ).to("gpu")
        steps = GraphSteps(
            model, CrossEntropyLoss(), SGD(model, 0.01), examples.beside(model.parameters), batch
        )
        times = epochs_of(steps, len(examples), batch, 7, 0.01, 0)[2:]
        rows.append(
            {
                "batch": batch,
                "side": side,
                "microseconds": round(1e6 * float(np.median(times)) / 20, 1),
            }
        )
    return rows


def pytorch(data: datasets.Dataset) -> dict[str, Any] | None:
    try:
        import torch

        from .pytorch_training import Bench, settings
    except ImportError:
        return None
    torch.backends.cudnn.allow_tf32 = False
    bench = Bench(data.train.inputs, data.train.labels, data.test.inputs, data.test.labels, RATE)
    rows: dict[str, Any] = {}
    for workers, pinned in [
        (0, False),
        (0, True),
        (2, False),
        (2, True),
        (4, False),
        (4, True),
        (8, False),
        (8, True),
    ]:
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
    if not device.has_gpu():
        raise SystemExit(f"this benchmark needs an NVIDIA GPU: {device.find().reason}")
    data = datasets.load("mnist", download=False)
    results: dict[str, Any] = {"batch": BATCH, "epochs": EPOCHS, "rate": RATE, "nnlib": ours(data)}
    _print("nnlib", results["nnlib"])
    results["sizes"] = sizes(data)
    print(*results["sizes"], sep="\n")
    peak = _peak_flops()
    step = results["nnlib"]["CUDA graph"]["seconds"] / EPOCHS / -(-len(data.train) // BATCH)
    results["floor"] = {
        "flop_per_step": STEP_FLOP,
        "peak_flops": peak,
        "floor_seconds_per_step": STEP_FLOP / peak,
        "seconds_per_step": step,
        "share": STEP_FLOP / peak / step,
    }
    print(results["floor"])
    results["pytorch"] = pytorch(data)
    if results["pytorch"]:
        print(results["pytorch"]["settings"])
        _print("PyTorch", results["pytorch"]["rows"])
    store("train_gpu", results)


def _peak_flops() -> float:
    """Float32 multiply-adds of all lanes at the highest clock; 128 lanes per multiprocessor since compute 8.6."""
    attributes = device.xp.cuda.Device().attributes
    return 2.0 * 128 * attributes["MultiProcessorCount"] * attributes["ClockRate"] * 1e3


def _print(title: str, rows: dict[str, Any]) -> None:
    print(title)
    for name, row in rows.items():
        scaled = (
            f"  (from {row['scaled_from_examples']} examples)"
            if "scaled_from_examples" in row
            else ""
        )
        accuracy = row.get("test_accuracy", "")
        print(
            f"  {name:45} {row['seconds']:8.3f} s ± {row['spread']:.3f}  {accuracy}{scaled}",
            flush=True,
        )


if __name__ == "__main__":
    main()
