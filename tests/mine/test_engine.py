"""A network on the pieces: the same numbers as on arrays, launches counted, none of the course's."""

import numpy as np
import pytest

from nnlib import datasets, device, layers, losses, mine, ops, optimizers, training
from nnlib.course.notebook import check, cuda_cell
from nnlib.model import Sequential

from .answers import lesson_solutions, save, typed


def save_all(*names):
    for name in names or mine.PIECES:
        save(name, typed(name))


def write_the_workshops_of(lessons):
    """Write the workshops as a student does: the %%cuda cell, the lesson's solution with a comment of their own, its check."""
    cells = {}
    for name, text in lesson_solutions(max(lessons)).items():
        if mine.PIECES[name].lesson in lessons:
            cuda_cell("", f"{text}\n// mine", cells)
            check(f"{mine.PIECES[name].lesson}.{name}", cells[name])
    return set(cells)


def mlp(hidden=64):
    return Sequential(
        layers.Flatten(), layers.Linear(784, hidden), layers.ReLU(), layers.Linear(hidden, 10)
    )


def test_an_mlp_learns_the_digits_on_the_students_kernels(own_folder):
    written = write_the_workshops_of({"01", "02", "03", "04"})
    assert {file.stem for file in own_folder.glob("*.cu")} == written
    data, model = datasets.load("digits").normalised(), mlp()
    with ops.engine("mine"):
        history = training.fit(
            model,
            losses.CrossEntropyLoss(),
            optimizers.SGD(model, lr=0.1),
            data.train,
            data.test,
            epochs=3,
            progress=None,
        )
    assert history.valid_accuracy[-1] >= 0.85
    launched = mine.launches()
    assert not launched["course"] and not launched["solution"]
    assert (
        set(launched["yours"])
        == written
        == {
            "normalise_images",
            "linear_forward",
            "linear_grad_weight",
            "linear_grad_input",
            "relu",
            "relu_grad",
            "sum_columns",
            "softmax_cross_entropy",
            "sgd_step",
        }
    )


def train_as_lesson_07(model, data, epochs, batch_size=64):
    """Train on the student's kernels as lesson 07 does; return the accuracy on the test images."""
    train, valid = data.train.split(len(data.train) // 10)
    loss, optimizer = losses.CrossEntropyLoss(), optimizers.SGD(model, lr=0.05, momentum=0.9)
    with ops.engine("mine"):
        training.fit(
            model,
            loss,
            optimizer,
            train,
            valid,
            epochs,
            batch_size,
            progress=None,
            schedule=training.schedules.one_cycle,
        )
        return training.evaluate(model, loss, data.test).accuracy


def save_versions(versions):
    """Save versions of all kernels as the student's own: the lessons' folded solutions, or the best that the course knows."""
    solutions = lesson_solutions("07")
    for name in mine.pieces.NEEDED:
        piece = mine.PIECES[name]
        save(name, piece.best if versions == "best" else f"{solutions[name]}\n// mine")


def test_lesson_07s_small_network_learns_the_digits():
    save_versions("lessons")
    model = Sequential(
        layers.Conv2d(1, 8, 5, stride=2),
        layers.ReLU(),
        layers.MaxPool2d(2),
        layers.Flatten(),
        layers.Linear(288, 10),
    )
    assert (
        train_as_lesson_07(model, datasets.load("digits").normalised(), epochs=1, batch_size=16)
        >= 0.8
    )
    launched = mine.launches()
    assert not launched["course"] and not launched["solution"]
    # No dx of images
    assert set(launched["yours"]) == set(mine.pieces.NEEDED) - {"conv_grad_input", "sgd_step"}


def test_what_is_not_written_yet_is_done_by_the_course_and_counted_so():
    save_all("relu")
    data, model = datasets.load("digits").normalised(), mlp(8)
    with ops.engine("mine"):
        training.fit(
            model,
            losses.CrossEntropyLoss(),
            optimizers.SGD(model, lr=0.1),
            data.train[:64],
            epochs=1,
            batch_size=32,
            progress=None,
        )
    launched = mine.launches()
    assert set(launched["yours"]) == {"relu"} and "linear_forward" in launched["course"]


@pytest.mark.parametrize("where", ["cpu", pytest.param("gpu", marks=pytest.mark.gpu)])
@pytest.mark.parametrize("versions", ["plain", "typed", "best"])
def test_gradients_of_the_whole_network_against_float64(versions, where):
    if versions == "typed":
        save_all()
    elif versions == "best":
        for name, piece in mine.PIECES.items():
            save(name, piece.best)
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((9, 2, 12, 11), np.float32), rng.integers(0, 5, 9)
    gradients = []
    for engine, dtype in (("mine", np.float32), ("arrays", np.float64)):
        model = Sequential(
            layers.Conv2d(2, 5, 3, stride=2, padding=1),
            layers.ReLU(),
            layers.MaxPool2d(3, 2),
            layers.Conv2d(5, 3, 2),
            layers.Flatten(),
            layers.Linear(3, 17),
            layers.ReLU(),
            layers.Linear(17, 5),
            dtype=dtype,
        ).to(where)
        loss, xp = losses.CrossEntropyLoss(), device.array_module(model.parameters)
        with ops.engine(engine):
            value = loss(model.forward(xp.asarray(x.astype(dtype))), xp.asarray(y))
            dx = model.backward(loss.backward(), needs_dx=True)
        gradients.append([device.to_host(each) for each in (value, dx, model.gradients)])
    for ours, exact in zip(*gradients, strict=True):
        assert np.abs(ours - exact).max() <= 1e-5 * np.abs(exact).max()


def test_other_operations_are_the_courses_and_are_named_once(capsys):
    with ops.engine("mine"):
        ops.sigmoid(np.zeros(3, np.float32))
        ops.sigmoid(np.zeros(3, np.float32))
    assert mine.launches()["course"] == {"sigmoid": 2}
    assert capsys.readouterr().out.count("sigmoid") == 1


@pytest.mark.gpu
@pytest.mark.parametrize("versions", ["lessons", "best"])
def test_lesson_07s_reference_network_learns_mnist_on_a_gpu(versions):
    try:
        data = datasets.load("mnist", download=False).normalised()
    except datasets.UnavailableError as error:
        pytest.skip(f"needs MNIST: {error}")
    save_versions(versions)
    model = Sequential(
        layers.Conv2d(1, 16, 3),
        layers.ReLU(),
        layers.Conv2d(16, 32, 3),
        layers.ReLU(),
        layers.MaxPool2d(2),
        layers.Flatten(),
        layers.Linear(4608, 10),
    ).to("gpu")
    assert train_as_lesson_07(model, data, epochs=5) >= 0.98
    launched = mine.launches()
    assert not launched["course"] and not launched["solution"]
    assert set(launched["yours"]) == set(mine.pieces.NEEDED) - {"sgd_step"}
