"""Layers and the sequential model: shared buffers, shapes, modes, summary, state, copies, first values."""

from __future__ import annotations

import copy
import inspect
import pickle

import numpy as np
import pytest

from nnlib import initializers, ops
from nnlib.layers import (
    AvgPool2d,
    Conv2d,
    Dropout,
    Flatten,
    LeakyReLU,
    Linear,
    MaxPool2d,
    ReLU,
    Tanh,
)
from nnlib.losses import CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.optimizers import SGD, Adam
from nnlib.train import NETWORKS


@pytest.fixture(autouse=True)
def _arrays_engine():
    with ops.engine("arrays"):
        yield


def reference():
    return Sequential(*NETWORKS["reference"](), Linear(4608, 10))


def tiny(**options):
    return Sequential(Linear(3, 4), Tanh(), Dropout(0.5), Linear(4, 2), **options)


def test_layers_hold_views_of_the_flat_buffers():
    model = reference()
    assert model.parameters.shape == model.gradients.shape == (50_890,)
    model.parameters[:] = 1
    model.gradients[:] = 2
    for layer in (model.layers[0], model.layers[2], model.layers[6]):
        assert (layer.weight == 1).all() and (layer.bias == 1).all()
        assert (layer.grad_weight == 2).all() and (layer.grad_bias == 2).all()


def test_one_step_changes_every_layer_and_lowers_the_loss():
    model, loss = reference(), CrossEntropyLoss()
    rng = np.random.default_rng(0)
    x, labels = rng.standard_normal((8, 1, 28, 28)).astype(np.float32), rng.integers(0, 10, 8)
    before = model.state_dict()
    first = loss(model(x), labels)
    model.backward(loss.backward())
    SGD(model, lr=1e-4).step()
    assert loss(model(x), labels) < first
    assert all(np.abs(array - before[name]).max() > 0 for name, array in model.state_dict().items())


def test_summary():
    lines = reference().summary((1, 28, 28)).splitlines()
    assert lines[0].split() == ["layer", "output", "shape", "parameters", "bytes"]
    assert lines[5].split() == [
        "2",
        "Conv2d(16,",
        "32,",
        "3)",
        "(32,",
        "24,",
        "24)",
        "4,640",
        "18,560",
    ]
    assert lines[-1].split() == ["total", "50,890", "203,560"]


@pytest.mark.parametrize(
    "call, words",
    [
        (
            lambda: reference()(np.zeros((64, 1, 30, 30))),
            ["layer 6, Linear(4608, 10)", "(64, 5408)"],
        ),
        (
            lambda: reference()(np.zeros((64, 3, 28, 28))),
            ["layer 0, Conv2d(1, 16, 3)", "(64, 3, 28, 28)", "(16, 1, 3, 3)"],
        ),
        (
            lambda: reference().summary((1, 30, 30)),
            ["layer 6, Linear(4608, 10)", "(5408,)", "(4608,)"],
        ),
        (
            lambda: reference().summary((28, 28)),
            ["layer 0, Conv2d(1, 16, 3)", "(28, 28)", "(1, H, W)"],
        ),
        (
            lambda: Sequential(Linear(3, 4), MaxPool2d(2))(np.zeros((2, 3))),
            ["layer 1, MaxPool2d(2)", "(2, 4)"],
        ),
    ],
)
def test_shape_errors_name_the_layer(call, words):
    with pytest.raises(ops.ShapeError) as error:
        call()
    assert all(word in str(error.value) for word in words)


def test_backward_refuses_a_gradient_of_another_shape():
    model = tiny()
    model(np.ones((5, 3), np.float32))
    with pytest.raises(ops.ShapeError, match=r"layer 3, Linear\(4, 2\).*\(5, 3\).*\(5, 2\)"):
        model.backward(np.ones((5, 3), np.float32))


def test_flatten_refuses_a_gradient_that_only_has_as_many_entries():
    layer = Flatten()
    layer(np.ones((2, 3, 4), np.float32))
    with pytest.raises(ops.ShapeError, match=r"\(12, 2\), expected \(2, 12\)"):
        layer.backward(np.ones((12, 2), np.float32))


def test_backward_ends_at_the_first_layer_that_learns():
    class Untouched(ReLU):
        backward = None

    model = Sequential(Untouched(), Linear(3, 2))
    assert model.backward(model(np.ones((4, 3), np.float32))) is None
    assert model.gradients.any()


def test_dropout_only_drops_in_training_and_never_repeats_a_mask():
    model, x = Sequential(Dropout(0.5)), np.ones((20, 20), np.float32)
    first, second = model(x), model(x)
    assert not np.array_equal(first, second)
    assert np.array_equal(model.backward(x, needs_dx=True), second)
    assert np.array_equal(model.eval()(x), x) and np.array_equal(
        model.backward(x, needs_dx=True), x
    )
    assert not np.array_equal(model.train()(x), x)
    assert np.array_equal(Sequential(Dropout(0.5))(x), first)
    one, other = Sequential(Dropout(0.5), Dropout(0.5)).layers
    assert one.seed != other.seed
    assert Sequential(Dropout(0.5, seed=7)).layers[0].seed == 7
    assert np.array_equal(Dropout(0.5, seed=7)(x), ops.dropout(x, 0.5, 7)[0])
    with pytest.raises(ValueError, match="dropout probability"):
        Dropout(1.0)


def test_state_returns_to_where_it_was():
    model, x = tiny(), np.ones((9, 3), np.float32)
    model(x)
    state, expected = model.state_dict(), model(x)
    model.parameters[:] = 0
    model.load_state_dict(state)
    assert np.array_equal(model(x), expected)
    state["0.weight"][:] = 0
    assert model.layers[0].weight.any()


@pytest.mark.parametrize(
    "change, words",
    [
        ({"0.weight": np.zeros((4, 5))}, r"0.weight.*\(4, 3\).*\(4, 5\)"),
        ({"7.weight": np.zeros(1)}, "7.weight: the model has no such entry"),
        ({"3.bias": None}, "3.bias.*the state has no such entry"),
    ],
)
def test_a_foreign_state_is_refused_and_changes_nothing(change, words):
    model = tiny()
    before = model.parameters.copy()
    state = {name: array + 1 for name, array in model.state_dict().items()} | change
    with pytest.raises(ops.ShapeError, match=words):
        model.load_state_dict({name: array for name, array in state.items() if array is not None})
    assert np.array_equal(model.parameters, before)


@pytest.mark.parametrize(
    "duplicate", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))]
)
def test_a_copy_is_whole_and_independent(duplicate):
    model = tiny()
    twin = duplicate(model)
    assert np.array_equal(twin.parameters, model.parameters)
    twin.parameters[:] = 3
    assert (twin.layers[0].weight == 3).all() and not (model.parameters == 3).any()


def test_to_changes_dtype_and_keeps_values():
    model = tiny()
    values = model.parameters.copy()
    assert model.to(dtype=np.float64)(np.ones((2, 3))).dtype == np.float64
    assert np.array_equal(model.parameters, values) and model.layers[3].weight.dtype == np.float64
    assert model.to("cpu").parameters.dtype == np.float64
    with pytest.raises(ValueError, match='"cpu" or the "gpu", not on \'tpu\''):
        model.to("tpu")


def test_a_layer_cannot_appear_twice():
    shared = Linear(3, 3)
    with pytest.raises(ValueError, match="twice"):
        Sequential(shared, ReLU(), shared)


@pytest.mark.parametrize(
    "part", [lambda: [Linear(3, 3)], lambda: ReLU, tiny], ids=["a list", "a class", "a model"]
)
def test_only_layers_make_a_model(part):
    with pytest.raises(TypeError, match="made of layers"):
        Sequential(Linear(3, 3), part())


@pytest.mark.parametrize("dtype", [np.uint8, np.int64, bool])
def test_pixels_are_not_taken_for_numbers(dtype):
    with pytest.raises(TypeError, match="computes with float32"):
        Sequential(AvgPool2d(2), Flatten())(np.ones((2, 1, 4, 4), dtype))


def test_the_seed_decides_the_weights():
    assert np.array_equal(tiny(seed=3).parameters, tiny(seed=3).parameters)
    assert not np.array_equal(tiny(seed=3).parameters, tiny(seed=4).parameters)
    layer = Linear(3, 2)
    layer.weight[:] = 5
    assert (Sequential(layer, seed=None).layers[0].weight == 5).all()
    used = Sequential(Linear(3, 4), Dropout(0.5), seed=3)
    used.layers[0].bias[:] = 5
    used(np.ones((2, 3), np.float32))
    again = Sequential(*used.layers, seed=3)
    assert not again.layers[0].bias.any() and again.layers[1].offset == 0
    # The same numbers on every machine: the first weight of seed 0, from NumPy's documented stream.
    assert tiny().layers[0].weight[0, 0] == np.float32(0.1257302210933933 * np.sqrt(2 / 3))


@pytest.mark.parametrize(
    "init, deviation",
    [
        (initializers.he, np.sqrt(2 / 400)),
        (initializers.xavier, np.sqrt(2 / 700)),
        (initializers.plain, 0.01),
    ],
)
def test_initial_spread(init, deviation):
    layer = Sequential(Linear(400, 300), init=init).layers[0]
    assert (
        layer.weight.std() == pytest.approx(deviation, rel=0.02)
        and abs(layer.weight.mean()) < deviation / 50
    )
    assert not layer.bias.any()


def test_convolutions_count_the_window_as_inputs():
    layer = Sequential(Conv2d(16, 200, 5)).layers[0]
    assert layer.weight.std() == pytest.approx(np.sqrt(2 / (16 * 25)), rel=0.02)
    layer = Sequential(Conv2d(16, 200, 5), init=initializers.xavier).layers[0]
    assert np.abs(layer.weight).max() == pytest.approx(np.sqrt(6 / ((16 + 200) * 25)), rel=0.01)


def test_defaults_are_pytorchs():
    defaults = {
        function: {
            name: parameter.default
            for name, parameter in inspect.signature(function).parameters.items()
            if parameter.default is not parameter.empty
        }
        for function in (Conv2d, MaxPool2d, Dropout, LeakyReLU, SGD, Adam)
    }
    assert defaults == {
        Conv2d: {"stride": 1, "padding": 0},
        MaxPool2d: {"stride": None},
        Dropout: {"p": 0.5, "seed": None},
        LeakyReLU: {"negative_slope": 0.01},
        SGD: {"lr": 1e-3, "momentum": 0, "weight_decay": 0, "nesterov": False},
        Adam: {"lr": 1e-3, "betas": (0.9, 0.999), "eps": 1e-8, "weight_decay": 0},
    }


def test_pictures_of_itself():
    assert repr(Conv2d(1, 2, 3, stride=2)) == "Conv2d(1, 2, 3, stride=2, padding=0)"
    assert repr(MaxPool2d(3, 2)) == "MaxPool2d(3, 2)" and repr(LeakyReLU()) == "LeakyReLU(0.01)"
    assert repr(Sequential(ReLU(), Flatten())) == "Sequential(\n  (0): ReLU()\n  (1): Flatten()\n)"
