"""What one rank does in the tests of teams: `mpiexec -n 3 python -m tests.network.team_program TASK FOLDER`."""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from nnlib.datasets import Examples, shuffled
from nnlib.layers import Conv2d, Dropout, Flatten, Layer, Linear, MaxPool2d, ReLU
from nnlib.losses import CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.optimizers import SGD, Adam
from nnlib.training import NonFiniteError, fit
from nnlib.training.parallel import Team, connect
from nnlib.training.replay.graph import GraphSteps

from .trainings import examples, network

OPTIMIZERS = {
    "SGD": lambda model: SGD(model, 0.1),
    "momentum": lambda model: SGD(model, 0.1, momentum=0.9),
    "Adam": lambda model: Adam(model, 0.02),
}
RECORDED = {
    "convolutions": lambda: (
        Conv2d(1, 3, 3),
        ReLU(),
        Conv2d(3, 5, 3),
        ReLU(),
        MaxPool2d(2),
        Flatten(),
        Linear(20, 4),
    ),
    "dropout": lambda: (
        Flatten(),
        Linear(64, 20),
        ReLU(),
        Dropout(0.3, seed=5),
        Linear(20, 18),
        Dropout(0.2, seed=7),
        Linear(18, 4),
    ),
}
EPOCHS = 9  # of six steps, the last of them with ten examples


def run(team: Team, name: str, **options):
    """Train with an optimizer; ranks begin with weights of their own."""
    model = network(seed=team.rank)
    options = {"epochs": EPOCHS, "batch_size": 16, "progress": None, **options}
    return model, fit(
        model,
        CrossEntropyLoss(),
        OPTIMIZERS[name](model),
        examples(),
        examples(31, 1),
        team=team,
        **options,
    )


def same(team: Team, folder: Path) -> None:
    """Train in every way; each rank leaves the parameters that it has in the end, and what it says."""

    def leave(name: str, *arrays) -> None:
        np.save(folder / f"{name}-rank{team.rank}.npy", np.concatenate(arrays))

    for name in OPTIMIZERS:
        for time_of_two in (1, 2):
            model, history = run(team, name)
            leave(f"{name}-{time_of_two}", model.parameters)
        (folder / f"{name}-history-rank{team.rank}.json").write_text(json.dumps(asdict(history)))
    leave("two", run(team, "SGD", epochs=1, batch_size=2)[0].parameters)
    resumed, _ = run(team, "Adam", checkpoint=folder / "begun", resume=True, patience=3)
    leave("resumed", resumed.parameters)
    for name, layers in RECORDED.items():
        model, evaluation = run_recorded(team, layers)
        leave(name, evaluation, model.parameters)
    inputs = pictures().inputs.astype(np.float32)
    inputs[17] = 3e38
    try:
        run_recorded(team, lambda: (Flatten(), Linear(64, 4)), Examples(inputs, pictures().labels))
    except NonFiniteError as error:
        (folder / f"message-rank{team.rank}.txt").write_text(str(error))


def pictures(count: int = 30) -> Examples:
    """So many images, drawn at random."""
    rng = np.random.default_rng(1)
    images, labels = rng.integers(0, 256, (count, 1, 8, 8), np.uint8), rng.integers(0, 4, count)
    return Examples(images, labels.astype(np.int32), (), 0.2, 0.4)


def run_recorded(team: Team, layers: Callable[[], Sequence[Layer]], data: Examples | None = None):
    """Train a model for two epochs by recorded steps; the model, and the evaluation of the last epoch."""
    model = Sequential(*layers(), seed=4)
    steps = GraphSteps(
        model, CrossEntropyLoss(), SGD(model, 0.1, momentum=0.9), data or pictures(), 7, team
    )
    for epoch in range(2):
        evaluation = steps.run(shuffled(30, 0, epoch), [0.05] * 5, lambda done: None)
    return model, evaluation


def fault(team: Team, kind: str, folder: Path) -> None:
    """Train while something is wrong with rank 1, or with the disk of rank 0."""
    model, data, wrong = network(), examples(), team.rank == 1
    if kind == "other data" and wrong:
        data = Examples(data.inputs + 1, data.labels)
    if kind == "overflow":
        inputs = data.inputs.copy()
        inputs[37] = 3e38
        data = Examples(inputs, data.labels)
    optimizer = Adam(model, 0.02)
    take_step, deeds = (
        optimizer.step,
        {
            "killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
            "stopped": lambda: os.kill(os.getpid(), signal.SIGSTOP),
            "hanging": lambda: time.sleep(1000),
            "own error": lambda: [][1],
        },
    )

    def step() -> None:
        if wrong and optimizer.steps == 8 and kind in deeds:
            deeds[kind]()
        take_step()

    def full(model: Sequential, history: object) -> None:
        if kind == "full disk":
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    optimizer.step = step
    fit(
        model,
        CrossEntropyLoss(),
        optimizer,
        data,
        epochs=3,
        batch_size=16,
        team=team,
        progress=None,
        checkpoint=folder / "checkpoint",
        on_epoch=full,
    )


if __name__ == "__main__":
    task, folder = sys.argv[1], Path(sys.argv[2])
    if task == "same":
        same(connect(), folder)
    else:
        fault(connect(timeout=2), task, folder)
