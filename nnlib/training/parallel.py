"""Train one network on several processes, each with its own GPU or CPU: data parallelism.

Every process, a *rank*, holds the whole network and works on its part of each batch. Then the gradients, one flat
buffer, are summed over all ranks, so that every rank takes the same step and all of them hold the same bits.
Li et al. 2020, arXiv:2006.15704. eager.py and replay/graph.py ask for the sum, which support/processes.py makes.

    team = connect()                                   # python train.py, or mpiexec -n 4 python train.py
    fit(model, loss, optimizer, train, valid, team=team)
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from nnlib.layers import Dropout, Layer, Residual
from nnlib.model import Sequential
from nnlib.support.processes import Team, TeamError, checksum, connect

__all__ = [
    "DRAWN_TOGETHER",
    "Team",
    "TeamError",
    "checksum",
    "connect",
    "dropouts",
    "part_size",
    "parts",
    "same_bits",
]

DRAWN_TOGETHER = 4  # elements of a dropout layer for which one counter of the generator is enough


def part_size(model: Sequential, batch_size: int, team: Team) -> int:
    """Return how many examples of a full batch one rank takes: as many as the others, but for the last ranks.

    With dropout a multiple of four, so that all ranks together draw the numbers that one process would draw.
    """
    each = -(-batch_size // team.size)
    random = team.size > 1 and any(isinstance(layer, Dropout) for layer in model.modules())
    return -(-each // DRAWN_TOGETHER) * DRAWN_TOGETHER if random else each


def parts(order: np.ndarray, batch_size: int, each: int, team: Team) -> list[np.ndarray]:
    """Return this rank's part of every batch of an epoch, some of them perhaps empty."""
    batches = (order[first : first + batch_size] for first in range(0, len(order), batch_size))
    return [batch[team.part(len(batch), each)] for batch in batches]


def dropouts(layers: Sequence[Layer], shape: tuple[int, ...]) -> list[tuple[Dropout, int]]:
    """Return every dropout layer with the elements that it sees of one input of this shape."""
    found = []
    for layer in layers:
        if isinstance(layer, Residual):
            found += dropouts(layer.layers, shape)
        shape = layer.output_shape(shape)
        if isinstance(layer, Dropout):
            found.append((layer, math.prod(shape)))
    return found


def same_bits(team: Team, model: Sequential) -> None:
    """Raise TeamError on every rank unless all of them hold the same parameters."""
    if team.size > 1:
        team.agree(parameters=checksum(model.parameters))
