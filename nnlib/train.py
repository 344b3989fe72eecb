"""Train a network from the command line, on one process, on several GPUs, or on many machines.

nnlib train --data mnist                          on this computer's GPU, or on its CPU
nnlib train --data mnist --gpus 2                 on two GPUs of this computer
mpiexec -n 4 nnlib train --data mnist             four processes, on one machine or many; each takes a GPU if it can
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from nnlib import datasets, device
from nnlib.datasets import Dataset, DatasetError
from nnlib.layers import Conv2d, Flatten, Layer, Linear, MaxPool2d, ReLU
from nnlib.losses import CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.optimizers import SGD, Adam, Optimizer
from nnlib.support.extras import MissingPackageError
from nnlib.support.processes import FOLDER, TIMEOUT, start, started_rank
from nnlib.training import NonFiniteError, TrainingError, evaluate, fit
from nnlib.training.checkpoints import CheckpointError
from nnlib.training.parallel import Team, TeamError, connect, part_size

NETWORKS = {
    "reference": lambda: [
        Conv2d(1, 16, 3),
        ReLU(),
        Conv2d(16, 32, 3),
        ReLU(),
        MaxPool2d(2),
        Flatten(),
    ],
    "wide": lambda: [Flatten(), Linear(784, 4096), ReLU(), Linear(4096, 4096), ReLU()],
    "small": lambda: [Flatten(), Linear(784, 32), ReLU()],
}
OPTIMIZERS: dict[
    str, tuple[Callable[..., Optimizer], float]
] = {  # with the learning rate that is used unless another is given
    "sgd": (SGD, 0.1),
    "momentum": (partial(SGD, momentum=0.9), 0.02),
    "adam": (Adam, 0.001),
}


def build(network: str, data: Dataset) -> Sequential:
    """Return one of the `NETWORKS`, with an output for every class of the data."""
    layers: list[Layer] = NETWORKS[network]()
    shape = data.train.inputs.shape[1:]
    for layer in layers:
        shape = layer.output_shape(shape)
    model = Sequential(*layers, Linear(shape[0], len(data.classes)))
    return model.to("gpu") if device.has_gpu() else model


def main(arguments: list[str] | None = None) -> None:
    """Train as the command line says; with --gpus, in as many processes."""
    words = sys.argv[1:] if arguments is None else arguments
    options = _parser().parse_args(words)
    if options.gpus > 1 and FOLDER not in os.environ:
        sys.exit(start(options.gpus, ["nnlib", "train", *words]))
    try:
        team = connect(options.timeout)
        with team.together(NonFiniteError):
            train(options, team)
    except (
        CheckpointError,
        DatasetError,
        MissingPackageError,
        NonFiniteError,
        TeamError,
        TrainingError,
    ) as error:
        sys.exit(f"nnlib train: {error}" if started_rank() == 0 else 1)


def train(options: argparse.Namespace, team: Team) -> None:
    """Train, and judge the network by the test examples."""
    folder = Path(options.data)
    data = datasets.load_png_folder(folder) if folder.is_dir() else datasets.load(options.data)
    data = data.normalised()
    learn, valid = data.train.split(max(1, len(data.train) // 12), options.seed)
    model = build(options.network, data)
    make, rate = OPTIMIZERS[options.optimizer]
    optimizer = make(model, options.lr or rate)
    if team.rank == 0:
        print(
            f"{options.network} network, {model.parameters.size:,} parameters; {data.name}, {len(learn):,} examples; "
            f"{device.find().name or 'CPU'}{_team(team, part_size(model, options.batch_size, team), options)}"
        )
    history = fit(
        model,
        CrossEntropyLoss(),
        optimizer,
        learn,
        valid,
        options.epochs,
        options.batch_size,
        seed=options.seed,
        patience=options.patience,
        checkpoint=options.checkpoint,
        resume=options.resume,
        team=team,
    )
    tested = evaluate(model, CrossEntropyLoss(), data.test, team=team)
    if team.rank == 0:
        print(f"test: loss {tested.loss:.4f}, accuracy {tested.accuracy:.2%}")
        step = min(history.seconds) / -(-len(learn) // options.batch_size)
        print(f"{1e3 * step:.3g} ms a step, in the fastest epoch")


def _team(team: Team, each: int, options: argparse.Namespace) -> str:
    if team.size == 1:
        return ""
    return (
        f"; {team.size} ranks through {team.through}, {each} of {options.batch_size} examples each"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="nnlib train",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--data", default="mnist", help="mnist, fashion, digits, or a folder of PNG images")
    add("--network", choices=NETWORKS, default="reference")
    add("--optimizer", choices=OPTIMIZERS, default="adam")
    add("--lr", type=float, help="learning rate (sgd 0.1, momentum 0.02, adam 0.001)")
    add("--epochs", type=int, default=5)
    add(
        "--batch-size",
        type=int,
        default=64,
        help="examples per step, of all processes together (64)",
    )
    add(
        "--seed",
        type=int,
        default=0,
        help="of the order of the examples and of the validation examples",
    )
    add("--patience", type=int, help="stop after so many epochs without a better validation loss")
    add("--checkpoint", help="file written after every epoch")
    add(
        "--resume",
        action="store_true",
        help="go on from the checkpoint if it is there, on any number of processes",
    )
    add("--gpus", type=int, default=1, help="so many GPUs of this computer, a process each")
    add(
        "--timeout",
        type=float,
        default=TIMEOUT,
        help=f"seconds to wait for another process ({TIMEOUT:g})",
    )
    return parser
