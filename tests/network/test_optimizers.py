"""Optimizers and schedules against loops over single numbers."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from nnlib import ops
from nnlib.layers import Linear
from nnlib.model import Sequential
from nnlib.optimizers import SGD, Adam
from nnlib.training import schedules

SETTINGS = [
    (SGD, {"lr": 0.1}),
    (SGD, {"lr": 0.1, "momentum": 0.9}),
    (SGD, {"lr": 0.1, "momentum": 0.8, "nesterov": True, "weight_decay": 0.1}),
    (Adam, {"lr": 0.01}),
    (Adam, {"lr": 0.01, "betas": (0.8, 0.95), "eps": 1e-3, "weight_decay": 0.1}),
]


@pytest.fixture(autouse=True)
def _arrays_engine():
    with ops.engine("arrays"):
        yield


def problem():
    """A model stand-in whose gradient at w is 2 (w - 1), so that the best w is 1."""
    rng = np.random.default_rng(0)
    model = SimpleNamespace(parameters=rng.standard_normal(7), gradients=np.zeros(7))

    def differentiate():
        model.gradients[:] = 2 * (model.parameters - 1)

    return model, differentiate


def by_hand(
    w, steps, kind, lr, momentum=0.0, nesterov=False, weight_decay=0.0, betas=(0.9, 0.999), eps=1e-8
):
    """Update one number by hand, without arrays or state objects."""
    v = m = s = 0.0
    for t in range(1, steps + 1):
        g = 2 * (w - 1) + weight_decay * w
        if kind is SGD:
            v = momentum * v + g
            w -= lr * (g + momentum * v if nesterov else v)
        else:
            m = betas[0] * m + (1 - betas[0]) * g
            s = betas[1] * s + (1 - betas[1]) * g * g
            w -= lr * (m / (1 - betas[0] ** t)) / (math.sqrt(s / (1 - betas[1] ** t)) + eps)
    return w


@pytest.mark.parametrize("kind, setting", SETTINGS)
def test_steps_by_hand(kind, setting):
    model, differentiate = problem()
    optimizer, start = kind(model, **setting), model.parameters.copy()
    for _ in range(5):
        differentiate()
        optimizer.step()
    assert model.parameters == pytest.approx([by_hand(w, 5, kind, **setting) for w in start])


def test_adam_counts_steps_not_layers():
    model = Sequential(Linear(3, 4), Linear(4, 4), Linear(4, 2))
    optimizer = Adam(model)
    for _ in range(3):
        optimizer.step()
    assert optimizer.steps == 3


@pytest.mark.parametrize("kind, setting", SETTINGS)
def test_state_continues_where_it_stood(kind, setting):
    straight, differentiate = problem()
    optimizer = kind(straight, **setting)
    for step in range(6):
        if step == 3:
            saved, weights = optimizer.state_dict(), straight.parameters.copy()
        differentiate()
        optimizer.step()
    resumed, differentiate = problem()
    resumed.parameters[:] = weights
    optimizer = kind(
        resumed, lr=99.0, **{key: value for key, value in setting.items() if key != "lr"}
    )
    optimizer.load_state_dict(saved)
    for _ in range(3):
        differentiate()
        optimizer.step()
    assert np.array_equal(resumed.parameters, straight.parameters)


def test_bad_settings_and_foreign_states_are_refused():
    model, _ = problem()
    with pytest.raises(ValueError, match="learning rate.*0"):
        SGD(model, lr=0)
    with pytest.raises(ValueError, match="momentum above 0"):
        SGD(model, nesterov=True)
    optimizer = SGD(model, momentum=0.9)
    for state in (Adam(model).state_dict(), {**optimizer.state_dict(), "velocity": np.zeros(3)}):
        with pytest.raises(ops.ShapeError, match="SGD"):
            optimizer.load_state_dict(state)
    assert optimizer.lr == 1e-3


@pytest.mark.parametrize(
    "kind, setting, words",
    [
        (SGD, {"momentum": -0.9}, "momentum must not be negative, got -0.9"),
        (SGD, {"weight_decay": -0.1}, "weight_decay must not be negative"),
        (Adam, {"weight_decay": math.nan}, "weight_decay must not be negative"),
        (Adam, {"eps": -1e-8}, "eps must not be negative"),
        (Adam, {"betas": (0.9, 1.0)}, r"betas must be .*got \(0.9, 1.0\)"),
        (Adam, {"betas": (-0.1, 0.9)}, "betas must be"),
    ],
)
def test_settings_that_pytorch_refuses(kind, setting, words):
    with pytest.raises(ValueError, match=words):
        kind(problem()[0], **setting)


@pytest.mark.parametrize(
    "kind, setting",
    [
        (SGD, {"momentum": 0.0, "weight_decay": 0.0}),
        (SGD, {"lr": 1e-30}),
        (SGD, {"momentum": 1.5, "nesterov": True}),
        (Adam, {"betas": (0.0, 0.0)}),
        (Adam, {"betas": (0.0, 0.9999)}),
        (Adam, {"eps": 0.0, "weight_decay": 0.0}),
    ],
)
def test_settings_at_their_borders(kind, setting):
    optimizer = kind(problem()[0], **setting)
    assert {name: getattr(optimizer, name) for name in setting} == setting and optimizer.steps == 0


@pytest.mark.parametrize("lr", [0, -1e-30, math.nan])
def test_a_learning_rate_is_positive(lr):
    for kind in (SGD, Adam):
        with pytest.raises(ValueError, match=f"the learning rate must be positive, got {lr}"):
            kind(problem()[0], lr)


def test_pytorchs_fourth_argument_is_not_taken_for_another():
    with pytest.raises(TypeError, match="positional"):
        SGD(problem()[0], 0.1, 0.9, 0, 5e-4)  # there dampening, which we do without


def test_schedules():
    assert [schedules.constant(p) for p in (0, 0.5, 1)] == [1, 1, 1]
    assert [schedules.cosine(p) for p in (0, 0.5, 1)] == pytest.approx([1, 0.5, 0])
    assert [schedules.one_cycle(p) for p in (0, 0.15, 0.3, 1)] == pytest.approx(
        [0.04, 0.52, 1, 4e-6]
    )
