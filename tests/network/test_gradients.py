"""Every gradient against a central difference in float64, and proof that a wrong one would be noticed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nnlib import layers, losses, ops
from nnlib.gradcheck import gradient_check, numerical_gradient, operation_check
from nnlib.model import Sequential
from tests.network.operations import CASES, IN_LESSON_05, repeat

TOLERANCE = 1e-6


@pytest.fixture(autouse=True)
def _arrays_engine():
    with ops.engine("arrays"):
        yield


@pytest.mark.parametrize(
    "cases", [*CASES.values(), IN_LESSON_05], ids=[*CASES, "conv2d_backward in lesson 05"]
)
def test_gradient_is_the_central_difference(cases):
    @repeat
    @given(cases)
    def check(case):
        errors = operation_check(case.forward, case.backward, *case.inputs)
        assert len(errors) == len(case.inputs)
        assert max(errors) <= TOLERANCE

    check()


WRONG = {
    "one percent too large": lambda g: 1.01 * g,
    "other sign": lambda g: -g,
    "sum instead of mean": lambda g: g * 2,
    "never computed": lambda g: np.zeros_like(g),
    "neighbour's gradient": lambda g: np.roll(g, 1),
    "last entry lost": lambda g: np.concatenate([g.ravel()[:-1], [0.0]]).reshape(g.shape),
}


@pytest.mark.parametrize("result", range(3))
@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_gradient_is_noticed(wrong, result):
    def backward(dy, x, w, b):
        gradients = [*ops.linear_backward(dy, x, w)]
        gradients[result] = WRONG[wrong](gradients[result])
        return tuple(gradients)

    inputs = [np.random.default_rng(0).standard_normal(shape) for shape in ((4, 5), (3, 5), 3)]
    assert operation_check(ops.linear, backward, *inputs)[result] > TOLERANCE


IMAGE, FEATURES = (2, 7, 8), (6,)
LAYERS = {
    "Conv2d": (IMAGE, [layers.Conv2d(2, 3, 3)]),
    "Conv2d, stride and padding": (
        IMAGE,
        [layers.Conv2d(2, 3, (2, 3), stride=(2, 1), padding=(1, 2))],
    ),
    "Linear": (FEATURES, [layers.Linear(6, 5)]),
    "ReLU": (IMAGE, [layers.Conv2d(2, 3, 3), layers.ReLU()]),
    "LeakyReLU": (FEATURES, [layers.Linear(6, 9), layers.LeakyReLU(0.2)]),
    "Sigmoid": (FEATURES, [layers.Linear(6, 9), layers.Sigmoid()]),
    "Tanh": (FEATURES, [layers.Linear(6, 9), layers.Tanh()]),
    "GELU": (FEATURES, [layers.Linear(6, 9), layers.GELU()]),
    "MaxPool2d": (IMAGE, [layers.Conv2d(2, 3, 2), layers.MaxPool2d(2)]),
    "MaxPool2d, overlapping": (IMAGE, [layers.MaxPool2d(3, 1)]),
    "AvgPool2d": (IMAGE, [layers.Conv2d(2, 3, 2), layers.AvgPool2d(3, 2)]),
    "Dropout": (FEATURES, [layers.Linear(6, 20), layers.Dropout(0.3)]),
}


def network(name):
    """Return the input shape and a model of these layers, with a linear layer to three logits at the end."""
    shape, chain = LAYERS[name]
    features = shape
    for layer in chain:
        y = layer(np.ones((2, *features), np.float32))
        features = layer.output_shape(features)
        assert y.shape == (2, *features) and y.dtype == np.float32
    return shape, Sequential(
        *chain, layers.Flatten(), layers.Linear(int(np.prod(features)), 3), seed=1
    )


def check_network(name):
    shape, model = network(name)
    rng = np.random.default_rng(0)
    return gradient_check(
        model, losses.CrossEntropyLoss(), rng.standard_normal((4, *shape)), rng.integers(0, 3, 4)
    )


@pytest.mark.parametrize("name", LAYERS)
def test_layer_in_a_network(name):
    errors, (_, model) = check_network(name), network(name)
    assert errors.keys() == {
        "input",
        *(entry for entry in model.state_dict() if not entry.endswith("seed_offset")),
    }
    assert max(errors.values()) <= TOLERANCE


@pytest.mark.parametrize(
    "loss, targets", [(losses.BCELoss(), 1.0), (losses.BCEWithLogitsLoss(), 0.0)]
)
def test_binary_losses_in_a_network(loss, targets):
    last = [layers.Sigmoid()] if isinstance(loss, losses.BCELoss) else []
    model = Sequential(layers.Linear(2, 5), layers.Tanh(), layers.Linear(5, 1), *last)
    x = np.random.default_rng(0).standard_normal((6, 2))
    assert max(gradient_check(model, loss, x, np.full((6, 1), targets)).values()) <= TOLERANCE


def test_input_gradient_is_left_out_unless_asked_for():
    model = network("Conv2d")[1].to("cpu")
    y = model(np.ones((1, *IMAGE), np.float32))
    assert model.backward(np.ones_like(y)) is None
    assert model.backward(np.ones_like(y), needs_dx=True).shape == (1, *IMAGE)


@given(st.floats(-3, 3))
@repeat
def test_numerical_gradient_of_a_polynomial(x):
    array = np.array([x])
    assert numerical_gradient(lambda: array[0] ** 3, array)[0] == pytest.approx(3 * x * x, abs=1e-8)
    assert array[0] == x


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_what_is_not_a_number_is_never_right():
    x = np.array([1.0, 2.0])
    assert operation_check(np.square, lambda dy, x: dy * np.nan, x) == [np.inf]
    for wrong in (np.nan, np.inf):
        with pytest.raises(ValueError, match="no gradient to compare with"):
            operation_check(lambda x, wrong=wrong: x * wrong, lambda dy, x: dy, x)
        assert x.tolist() == [1, 2]


def test_a_gradient_of_another_shape_is_never_right():
    x = np.ones((3, 4))
    assert operation_check(np.square, lambda dy, x: 2 * dy[:, ::2], x) == [np.inf]
    assert operation_check(np.square, lambda dy, x: 2.0, x) == [np.inf]


def test_gradient_check_leaves_the_model_alone_and_refuses_float32():
    _, model = network("Dropout")
    before = model.state_dict()
    gradient_check(model, losses.CrossEntropyLoss(), np.ones((2, 6)), np.array([0, 1]))
    after = model.state_dict()
    assert model.parameters.dtype == np.float32
    assert all(np.array_equal(before[key], after[key]) for key in before)
    with pytest.raises(ValueError, match="float64"):
        numerical_gradient(lambda: 0.0, np.ones(2, np.float32))
