"""Choose how the steps of an epoch run: one operation after another, or as recorded launches.

This is the only file that knows `nnlib.training.replay`, which records a step once and repeats it.
"""

from __future__ import annotations

import contextlib

from nnlib import device, ops
from nnlib.cuda import can_replay, on_gpu
from nnlib.datasets import Examples
from nnlib.losses import Loss
from nnlib.model import Sequential
from nnlib.ops.recording import NotCapturable
from nnlib.optimizers import Optimizer
from nnlib.training.eager import EagerSteps, Steps
from nnlib.training.parallel import Team
from nnlib.training.preconditions import TrainingError
from nnlib.training.replay import GraphSteps, MineStep, MineSteps, capture

__all__ = ["MineStep", "capture", "steps_of"]


def steps_of(
    model: Sequential,
    loss: Loss,
    optimizer: Optimizer,
    train: Examples,
    batch_size: int,
    graph: bool,
    team: Team,
    said: bool,
) -> Steps:
    """Return GraphSteps where the GPU can record this training, else EagerSteps. said: say why, if there is a GPU."""
    if graph and ops.current_engine() != "mine":
        raise TrainingError(
            'graph=True records the kernels of your library: train inside with ops.engine("mine")'
        )
    if graph and team.size > 1:
        raise TrainingError("graph=True trains on one GPU: leave it out for a team")
    if on_gpu() and device.is_device_array(model.parameters) and ops.current_engine() == "kernels":
        try:
            return GraphSteps(model, loss, optimizer, train, batch_size, team)
        except NotCapturable as reason:
            if said:
                print(f"Training step by step, without a CUDA graph: {reason}.")
    if not graph and team.size == 1 and _replays_elsewhere(model):
        with contextlib.suppress(NotCapturable):
            return MineSteps(model, loss, optimizer, train, batch_size)
    if graph:
        return MineSteps(model, loss, optimizer, train, batch_size)
    return EagerSteps(model, loss, optimizer, train, batch_size, team)


def _replays_elsewhere(model: Sequential) -> bool:
    """Return whether there is a GPU that WebGPU reaches, for a step on the student's library."""
    return (
        ops.current_engine() == "mine"
        and not on_gpu()
        and not device.is_device_array(model.parameters)
        and can_replay()
    )
