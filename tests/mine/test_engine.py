"""A network on the pieces: the same numbers as on arrays, launches counted, none of the course's."""

import time
from contextlib import nullcontext

import numpy as np
import pytest

from nnlib import datasets, device, layers, losses, mine, ops, optimizers, training
from nnlib.cuda import force_simulator
from nnlib.model import Sequential

from .answers import typed


def save_all(*names):
    for name in names or mine.PIECES:
        verdict = mine.judge(mine.PIECES[name], typed(name))
        assert verdict.solved, verdict
        mine.save(name, verdict, typed(name))


def mlp(hidden=64):
    return Sequential(layers.Flatten(), layers.Linear(784, hidden), layers.ReLU(), layers.Linear(hidden, 10))


def test_an_mlp_learns_the_digits_on_the_students_kernels_in_a_minute():
    save_all()
    data, model = datasets.load("digits").normalised(), mlp()
    start = time.process_time()
    with ops.engine("mine"):
        history = training.fit(model, losses.CrossEntropyLoss(), optimizers.SGD(model, lr=0.1), data.train, data.test,
                               epochs=3, progress=None)
    assert history.valid_accuracy[-1] >= 0.85
    assert time.process_time() - start < 60
    launched = mine.launches()
    assert not launched["course"] and not launched["solution"]
    assert set(launched["yours"]) >= {"normalise_images", "linear_forward", "linear_grad_weight", "linear_grad_input",
                                      "relu", "relu_grad", "sum_columns", "softmax_cross_entropy", "sgd_step"}


def test_a_network_with_convolution_and_pooling_learns_the_digits_in_a_minute():
    save_all()
    data = datasets.load("digits").normalised()
    model = Sequential(layers.Conv2d(1, 4, 5, stride=2), layers.ReLU(), layers.MaxPool2d(2), layers.Flatten(),
                       layers.Linear(144, 10))
    optimizer = optimizers.SGD(model, lr=0.05, momentum=0.9)
    start = time.process_time()
    with ops.engine("mine"):
        history = training.fit(model, losses.CrossEntropyLoss(), optimizer, data.train, data.test, epochs=3,
                               progress=None)
    assert history.valid_accuracy[-1] >= 0.8
    assert time.process_time() - start < 60
    launched = mine.launches()
    assert not launched["course"] and not launched["solution"]
    assert set(launched["yours"]) >= {"conv_forward", "conv_grad_weight", "max_pool", "max_pool_grad", "momentum_step"}


def test_what_is_not_written_yet_is_done_by_the_course_and_counted_so():
    save_all("relu")
    data, model = datasets.load("digits").normalised(), mlp(8)
    with ops.engine("mine"):
        training.fit(model, losses.CrossEntropyLoss(), optimizers.SGD(model, lr=0.1), data.train[:64], epochs=1,
                     batch_size=32, progress=None)
    launched = mine.launches()
    assert set(launched["yours"]) == {"relu"} and "linear_forward" in launched["course"]


@pytest.mark.parametrize("versions", ["plain", "typed", "best"])
def test_gradients_of_the_whole_network_against_float64(versions):
    if versions == "typed":
        save_all()
    elif versions == "best":
        for name, piece in mine.PIECES.items():
            mine.save(name, mine.judge(piece, piece.best), piece.best)
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((9, 2, 12, 11), np.float32), rng.integers(0, 5, 9)
    gradients = []
    for engine, dtype in (("mine", np.float32), ("arrays", np.float64)):
        model = Sequential(layers.Conv2d(2, 5, 3, stride=2, padding=1), layers.ReLU(), layers.MaxPool2d(3, 2),
                           layers.Conv2d(5, 3, 2), layers.Flatten(), layers.Linear(3, 17), layers.ReLU(),
                           layers.Linear(17, 5), dtype=dtype)
        loss = losses.CrossEntropyLoss()
        with ops.engine(engine):
            value = loss(model.forward(x.astype(dtype)), y)
            dx = model.backward(loss.backward(), needs_dx=True)
        gradients.append([value, dx, model.gradients])
    for ours, exact in zip(*gradients, strict=True):
        assert np.abs(ours - exact).max() <= 1e-5 * np.abs(exact).max()


def test_other_operations_are_the_courses_and_are_named_once(capsys):
    with ops.engine("mine"):
        ops.sigmoid(np.zeros(3, np.float32))
        ops.sigmoid(np.zeros(3, np.float32))
    assert mine.launches()["course"] == {"sigmoid": 2}
    assert capsys.readouterr().out.count("sigmoid") == 1


@pytest.mark.gpu
def test_the_same_gradients_on_a_gpu():
    save_all()
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((9, 2, 12, 11), np.float32), rng.integers(0, 5, 9)
    gradients = []
    for where in ("cpu", "gpu"):
        model = Sequential(layers.Conv2d(2, 5, 3, stride=2, padding=1), layers.ReLU(), layers.MaxPool2d(3, 2),
                           layers.Flatten(), layers.Linear(20, 5)).to(where)
        loss, xp = losses.CrossEntropyLoss(), device.array_module(model.parameters)
        with ops.engine("mine"), force_simulator() if where == "cpu" else nullcontext():
            value = loss(model.forward(xp.asarray(x)), xp.asarray(y))
            model.backward(loss.backward())
        gradients.append([device.to_host(value), device.to_host(model.gradients)])
    for simulated, real in zip(*gradients, strict=True):
        assert np.abs(simulated - real).max() <= 1e-5 * np.abs(simulated).max()
    assert not mine.launches()["course"]


@pytest.mark.gpu
def test_the_digits_on_a_gpu():
    save_all()
    data, model = datasets.load("digits").normalised(), mlp().to("gpu")
    with ops.engine("mine"):
        history = training.fit(model, losses.CrossEntropyLoss(), optimizers.SGD(model, lr=0.1), data.train, data.test,
                               epochs=3, progress=None)
    assert history.valid_accuracy[-1] >= 0.85 and not mine.launches()["course"]
