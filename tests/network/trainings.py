"""A small training that every test of training varies."""

import numpy as np

from nnlib.datasets import Examples
from nnlib.layers import Dropout, Linear, ReLU
from nnlib.losses import CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.optimizers import Adam
from nnlib.training import History, fit


def examples(count: int = 90, seed: int = 0) -> Examples:
    """Three noisy clusters in four dimensions."""
    rng = np.random.default_rng(seed)
    labels = np.arange(count, dtype=np.int32) % 3
    return Examples(
        (np.eye(3, 4)[labels] + 0.4 * rng.standard_normal((count, 4))).astype(np.float32), labels
    )


def network(seed: int = 0) -> Sequential:
    return Sequential(Linear(4, 8), ReLU(), Dropout(0.3), Linear(8, 3), seed=seed)


def train(model: Sequential, epochs: int = 4, optimizer=None, **options) -> History:
    options = {"batch_size": 16, "progress": None, **options}
    optimizer = optimizer or Adam(model, lr=0.02)
    return fit(model, CrossEntropyLoss(), optimizer, examples(), examples(30, 1), epochs, **options)


def same(first: History, second: History) -> bool:
    return all(
        getattr(first, name) == getattr(second, name)
        for name in ("train_loss", "train_accuracy", "valid_loss", "valid_accuracy", "rates")
    )


class Stop(Exception):
    pass


def stop_after(epochs: int):
    def on_epoch(model: Sequential, history: History) -> None:
        if len(history) == epochs:
            raise Stop

    return on_epoch


def assert_same_state(first: dict, second: dict) -> None:
    assert first.keys() == second.keys()
    for name in first:
        assert np.array_equal(first[name], second[name]), name


def train_on_noise(model: Sequential, **options) -> History:
    """Labels are shuffled: the validation loss soon gets worse."""
    data = examples(60)
    noise = Examples(data.inputs, np.random.default_rng(0).permutation(data.labels))
    return fit(
        model,
        CrossEntropyLoss(),
        Adam(model, lr=0.05),
        noise,
        examples(30, 1),
        batch_size=20,
        progress=None,
        **{"epochs": 60, "patience": 3, **options},
    )
