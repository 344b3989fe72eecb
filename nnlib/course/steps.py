"""The training step on the student's kernels, launch by launch: counted anywhere, timed on a GPU. Lesson 08."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nnlib import device, mine
from nnlib.course.timing import measure
from nnlib.cuda import Profile
from nnlib.losses import CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.optimizers import SGD
from nnlib.training.graph_plan import Call
from nnlib.training.mine_plan import MinePlan

_REPEATS = 20  # of a launch in the graph that times it


def plan_of(model: Sequential, batch: int, image: tuple[int, ...] = (1, 28, 28)) -> MinePlan:
    """A step of plain SGD on the pieces of the library, with random pixels and labels in its buffers."""
    xp = device.array_module(model.parameters)
    plan = MinePlan(model, CrossEntropyLoss(), SGD(model, 0.1), image, batch, xp.zeros, (0.13, 0.31))
    rng = np.random.default_rng(8)
    plan.x[...] = xp.asarray(rng.integers(0, 256, plan.x.size).astype(np.uint8))
    plan.labels[...] = xp.asarray(rng.integers(0, plan.classes, batch).astype(np.int32))
    return plan


def launches(plan: MinePlan, rate: float = 0.1) -> dict[str, Call]:
    """What one step launches, in order, by name: the piece and, where it stands several times, for which layer."""
    named: dict[str, Call] = {}
    for call in (*plan.forward, *plan.backward, plan.update(rate)):
        name, number = label(call), 2
        while name in named:
            name, number = f"{label(call)}, {number}", number + 1
        named[name] = call
    return named


def label(call: Call) -> str:
    """"conv_forward 1→16", "linear_grad_weight 4608→10", "sum_columns of 32", "relu"."""
    piece = mine.PIECES[call.kernel.name]
    sizes = {p.name: value for p, value in zip(piece.signature, call.args, strict=True) if p.name in piece.integers}
    for before, after in (("C", "F"), ("I", "O")):
        if before in sizes:
            return f"{piece.name} {sizes[before]}→{sizes[after]}"
    return f"{piece.name} of {sizes['columns']}" if "columns" in sizes else piece.name


def profiled(calls: dict[str, Call]) -> dict[str, Profile]:
    """What the simulator counts in each launch; they run in order, so that each finds what the one before it wrote."""
    return {name: call.kernel.profile(call.grid, call.block, call.args, call.shared) for name, call in calls.items()}


def timed(calls: dict[str, Call]) -> dict[str, float]:
    """Seconds of each launch on this machine's GPU, from a graph that repeats it. RuntimeError without a GPU."""
    if not device.has_gpu():
        raise RuntimeError(f"times need a GPU, and {device.find().reason}")
    stream = device.xp.cuda.Stream(non_blocking=True)
    for call in calls.values():
        call()
    device.synchronize()
    return {name: _graphed(stream, [call] * _REPEATS) / _REPEATS for name, call in calls.items()}


def _graphed(stream: Any, calls: Sequence[Call]) -> float:
    with stream:
        stream.begin_capture()
        for call in calls:
            call()
        graph = stream.end_capture()
        return measure(lambda: graph.launch(stream), repeats=7).median
