"""One epoch of the reference network in PyTorch, where that is installed. Lesson 07."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nnlib.datasets import Examples, shuffled


def pytorch_epoch(start: Mapping[str, np.ndarray], examples: Examples, lr: float) -> float | str:
    """Mean loss of one epoch of plain SGD, as `training.fit` does it, on the CPU; a sentence where there is no PyTorch.

    start: the weights of the reference network, its `state_dict()`.
    """
    try:
        import torch
        from torch import nn
    except ImportError:
        return "not installed here. To compare: pip install torch, then run this cell again"
    net = nn.Sequential(nn.Conv2d(1, 16, 3), nn.ReLU(), nn.Conv2d(16, 32, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
                        nn.Linear(4608, 10))
    net.load_state_dict({name: torch.from_numpy(array) for name, array in start.items()})
    loss, optimizer, total = nn.CrossEntropyLoss(), torch.optim.SGD(net.parameters(), lr=lr), 0.0
    for x, y in examples.batches(64, shuffled(len(examples), 0, 0)):
        value = loss(net(torch.from_numpy(x)), torch.from_numpy(y).long())
        optimizer.zero_grad()
        value.backward()
        optimizer.step()
        total += value.item() * len(y)
    return total / len(examples)
