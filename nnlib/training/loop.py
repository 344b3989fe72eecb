"""Train a network: epochs, learning-rate schedule, early stopping, checkpoints. Lesson 07."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nnlib import device, mine, ops
from nnlib.datasets import Examples, shuffled
from nnlib.losses import Loss
from nnlib.model import Sequential
from nnlib.optimizers import Optimizer
from nnlib.support.files import StrPath
from nnlib.training.eager import NonFiniteError
from nnlib.training.evaluation import evaluate
from nnlib.training.history import History
from nnlib.training.parallel import Team, same_bits
from nnlib.training.preconditions import TrainingError, check_parts, check_settings, factors_of
from nnlib.training.progress import CHOICES, Progress
from nnlib.training.run import TrainingRun, agree, settings_of
from nnlib.training.steps import steps_of

Data = Examples | tuple[Any, Any]


def fit(
    model: Sequential,
    loss: Loss,
    optimizer: Optimizer,
    train: Data,
    valid: Data | None = None,
    epochs: int = 5,
    batch_size: int = 64,
    *,
    schedule: Callable[[float], float] | None = None,
    patience: int | None = None,
    seed: int = 0,
    checkpoint: StrPath | None = None,
    resume: bool = False,
    graph: bool = False,
    progress: str | None = "auto",
    team: Team | None = None,
    on_epoch: Callable[[Sequential, History], Any] | None = None,
) -> History:
    """Train `model` in place and return what happened.

    Args:
        train, valid: Examples, or (inputs, labels). The last batch of an epoch may be smaller.
        schedule: factor on the learning rate by progress, 0 to 1 (see nnlib.training.schedules), set before every step.
        patience: stop when the validation loss has not improved for so many epochs; ends with the best weights.
        seed: of the order of the examples, new in every epoch and the same on every machine.
        checkpoint: file written after every epoch. resume: go on from it where it exists; the numbers are those of a
            training that was never stopped. Another network, loss, kind or setting of optimizer, seed, batch size,
            number of examples or normalisation, or a schedule (with these epochs) that would have set other learning
            rates so far, is a CheckpointError. The learning rate is the file's. More epochs, without a schedule, and
            another patience hold from here on. Whether the examples are the same nobody checks.
        graph: with `ops.engine("mine")`, record the student's kernels as one CUDA graph per step (lesson 08; without a
            GPU the recorded launches run one by one); NotCapturable says what cannot be. The course's kernels are
            always recorded where that is possible.
        progress: "bar" (tqdm), "lines" (one per epoch), or "auto": a bar in a terminal, else lines; on your own kernels
            a line before them says how many these are. None: nothing.
        team: the processes that train together, from `parallel.connect()`. Every one of them calls `fit` with the same
            arguments and returns with the same bits. `batch_size` is that of all together, rank 0 begins with its
            parameters, shows the progress, writes the checkpoint and calls `on_epoch`; all ranks read the checkpoint,
            and may be more or fewer than those that wrote it.
        on_epoch: called with the model and the history after every epoch, for example to draw.

    Ctrl-C ends the training; the model can be used and `history.interrupted` says so. Raises TrainingError before
    anything starts, checkpoints.CheckpointError, and NonFiniteError when the loss is not a number. parallel.TeamError
    when the ranks do not train the same network on the same data.

        >>> from nnlib import datasets, layers, losses, optimizers
        >>> model, data = Sequential(layers.Flatten(), layers.Linear(784, 10)), datasets.load("digits").normalised()
        >>> optimizer = optimizers.SGD(model, lr=0.01)
        >>> history = fit(model, losses.CrossEntropyLoss(), optimizer, data.train, epochs=2, progress=None)
        >>> history.train_accuracy[-1] > 0.8
        True
    """
    team = team or Team()
    train, valid = _examples(train, model), None if valid is None else _examples(valid, model)
    check_settings(train, valid, epochs, batch_size, patience, seed, checkpoint, resume)
    factors = factors_of(schedule, epochs * -(-len(train) // batch_size))
    check_parts(model, loss, optimizer, train, valid)
    if progress not in CHOICES:
        raise TrainingError(
            f"progress is {progress!r}: choose one of {', '.join(map(repr, CHOICES))}"
        )
    settings = settings_of(loss, optimizer, train, valid, batch_size, seed)
    run = TrainingRun(
        model, optimizer, settings, -(-len(train) // batch_size), epochs, factors, patience
    )
    if checkpoint is not None and resume and Path(checkpoint).exists():
        run.load(checkpoint)
    history, mode = run.history, model.training
    agree(team, run, train, valid)
    if team.rank > 0:
        progress = checkpoint = on_epoch = None
    steps = steps_of(
        model, loss, optimizer, train, batch_size, graph, team, said=progress is not None
    )
    if progress and ops.current_engine() == "mine":
        print(mine.progress())
    try:
        with (
            team.together(NonFiniteError),
            Progress(progress, epochs * run.count, len(history) * run.count) as advance,
        ):
            while len(history) < epochs and not run.is_over():
                epoch, rates = len(history), run.rates(len(history))
                start = time.perf_counter()
                trained = steps.run(shuffled(len(train), seed, epoch), rates, advance)
                device.synchronize()
                seconds = time.perf_counter() - start
                history.add(
                    trained,
                    evaluate(model, loss, valid, team=team) if valid else None,
                    seconds,
                    rates[-1],
                )
                run.keep(rates)
                same_bits(team, model)
                if checkpoint is not None:
                    run.save(checkpoint)
                advance.report(history.line(epochs))
                if on_epoch:
                    on_epoch(model, history)
        history.stopped_early = len(history) < epochs
    except KeyboardInterrupt:
        history.interrupted = True
    finally:
        optimizer.lr = run.lr
        model.train(mode)
    run.restore_best()
    return history


def _examples(data: Data, model: Sequential) -> Examples:
    if not isinstance(data, Examples):
        if not isinstance(data, (tuple, list)) or len(data) != 2:
            raise TrainingError(
                f"data are Examples, or a pair (inputs, labels), not {type(data).__name__}"
            )
        data = Examples(*data)
    return data.beside(model.parameters)
