"""What accuracy the reference networks reach on the whole of their data, against the least that is expected.

    NNLIB_DATA=… python -m tests.benchmarks.accuracy [name …]

Several seeds each, of the weights and of the order of the examples: NumPy on a machine without a GPU, our kernels on
one with. Prints a table and stores it in results/accuracy.json; names choose rows, whatever does not run keeps its
stored result. About half an hour on two cores, a minute on a GPU.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

from nnlib import device
from nnlib.datasets import Dataset, Examples, load
from nnlib.layers import Flatten, Linear, ReLU, Sigmoid
from nnlib.losses import BCELoss, CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.optimizers import SGD, Adam
from nnlib.training import evaluate, fit, schedules

from .timing import reference_network, stored_at

STORED = stored_at("accuracy")


def mnist_sgd(seed: int) -> float:
    """MNIST, reference network, SGD with learning rate 0.1 falling along a cosine, batch 64, 5 epochs"""
    return _convolutional(seed, load("mnist"), lambda model: SGD(model, lr=0.1), schedules.cosine)


def mnist_adam(seed: int) -> float:
    """MNIST, reference network, Adam with learning rate 0.002 falling along a cosine, batch 64, 5 epochs"""
    return _convolutional(
        seed, load("mnist"), lambda model: Adam(model, lr=0.002), schedules.cosine
    )


def fashion_adam(seed: int) -> float:
    """Fashion-MNIST, reference network, Adam with learning rate 0.002 falling along a cosine, batch 64, 5 epochs"""
    return _convolutional(
        seed, load("fashion"), lambda model: Adam(model, lr=0.002), schedules.cosine
    )


def mnist_mlp(seed: int) -> float:
    """MNIST, 59,000 / 1,000 split, 784-10-10, SGD with learning rate 0.1, 500 full-batch iterations"""
    train, valid = load("mnist").train.split(1000)
    model = Sequential(Flatten(), Linear(784, 10), ReLU(), Linear(10, 10), seed=seed)
    inputs = train.prepare(train.inputs)  # once, since every batch is all of them
    fit(
        model,
        CrossEntropyLoss(),
        SGD(model, lr=0.1),
        Examples(inputs, train.labels),
        epochs=500,
        batch_size=len(train),
        seed=seed,
        progress=None,
    )
    return evaluate(model, CrossEntropyLoss(), valid).accuracy


def quadrants(seed: int) -> float:
    """Quadrant points, 2-30-1 with binary cross-entropy, SGD with learning rate 0.1, 20 batches of 100, 1,001 epochs"""
    data = load("quadrants")
    model = Sequential(Linear(2, 30), ReLU(), Linear(30, 1), Sigmoid(), seed=seed)
    fit(
        model,
        BCELoss(),
        SGD(model, lr=0.1),
        data.train,
        epochs=1001,
        batch_size=100,
        seed=seed,
        progress=None,
    )
    return evaluate(model, BCELoss(), data.test).accuracy


def _convolutional(seed: int, data: Dataset, optimizer: Callable, schedule: Callable) -> float:
    model, loss = reference_network(seed), CrossEntropyLoss()
    fit(
        model,
        loss,
        optimizer(model),
        data.train,
        epochs=5,
        batch_size=64,
        schedule=schedule,
        seed=seed,
        progress=None,
    )
    return evaluate(model, loss, data.test).accuracy


LEAST = {mnist_sgd: 0.985, mnist_adam: 0.988, fashion_adam: 0.89, mnist_mlp: 0.80, quadrants: 0.93}


def _stored() -> dict[str, dict]:
    return json.loads(STORED.read_text()) if STORED.exists() else {}


def main(names: list[str]) -> int:
    where, seeds = ("gpu", range(5)) if device.has_gpu() else ("cpu", range(3))
    for run, least in LEAST.items():
        if names and run.__name__ not in names:
            continue
        reached = [round(run(seed), 4) for seed in seeds]
        results = _stored()  # another run may have added to it
        row = results.setdefault(run.__name__, {})
        row.update({"what": run.__doc__, "at_least": least, where: reached})
        STORED.write_text(json.dumps(results, indent=2) + "\n")
        print(
            f"{min(reached):8.2%} to {max(reached):.2%}  (at least {least:.1%})  {row['what']}",
            flush=True,
        )
    return (
        0 if all(min(row.get(where, [1])) >= row["at_least"] for row in _stored().values()) else 1
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
