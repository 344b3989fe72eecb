"""A training that goes on from its file: the same to the bit, or refused."""

import numpy as np
import pytest

from nnlib.layers import Linear
from nnlib.losses import CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.optimizers import SGD, Adam
from nnlib.training import fit, schedules
from nnlib.training.checkpoints import CheckpointError

from .trainings import (
    Stop,
    assert_same_state,
    examples,
    network,
    same,
    stop_after,
    train,
    train_on_noise,
)


@pytest.mark.parametrize(
    "make", [lambda m: Adam(m, lr=0.02), lambda m: SGD(m, lr=0.1, momentum=0.9, nesterov=True)]
)
@pytest.mark.parametrize("patience", [None, 2])
def test_resumed_training_gives_the_same_numbers(tmp_path, make, patience):
    options = {"epochs": 7, "schedule": schedules.one_cycle, "patience": patience}
    whole = network()
    expected = train(whole, optimizer=make(whole), **options)
    path = tmp_path / "run.safetensors"
    first = network()
    with pytest.raises(Stop):
        train(first, optimizer=make(first), checkpoint=path, on_epoch=stop_after(3), **options)
    second = network(seed=99)  # another start: everything must come from the file
    history = train(second, optimizer=make(second), checkpoint=path, resume=True, **options)
    assert same(history, expected)
    assert_same_state(second.state_dict(), whole.state_dict())


def test_resume_takes_the_learning_rate_of_the_file(tmp_path):
    path = tmp_path / "run"
    with pytest.raises(Stop):
        train(network(), checkpoint=path, on_epoch=stop_after(2))
    model = network()
    optimizer = Adam(model, lr=0.5)
    assert same(train(model, optimizer=optimizer, checkpoint=path, resume=True), train(network()))
    assert optimizer.lr == 0.02


def test_resume_of_a_finished_training_changes_nothing(tmp_path):
    path = tmp_path / "run.safetensors"
    model = network()
    history = train(model, checkpoint=path)
    again = network(seed=5)
    assert same(train(again, checkpoint=path, resume=True), history)
    assert np.array_equal(again.parameters, model.parameters)


def test_resume_without_a_file_starts(tmp_path):
    assert same(train(network(), checkpoint=tmp_path / "new", resume=True), train(network()))


def test_resume_refuses_other_settings_and_other_models(tmp_path):
    path = tmp_path / "run.safetensors"
    train(network(), checkpoint=path)
    content = path.read_bytes()
    for options, message in (
        ({"seed": 1}, "with seed 1, it was saved with 0"),
        ({"batch_size": 8}, "with batch size 8"),
    ):
        model = network(seed=3)
        before = model.parameters.copy()
        with pytest.raises(CheckpointError, match=message):
            train(model, checkpoint=path, resume=True, **options)
        assert np.array_equal(model.parameters, before)
    with pytest.raises(CheckpointError, match="another model"):
        train(Sequential(Linear(4, 3)), checkpoint=path, resume=True)
    assert path.read_bytes() == content


def line(progress: float) -> float:
    return 1 - progress


@pytest.mark.parametrize(
    ("saved", "resumed", "message"),
    [
        (
            {},
            {"optimizer": lambda model: SGD(model, 0.1, momentum=0.5)},
            "with momentum 0.5, it was saved with 0.9;",
        ),
        (
            {},
            {"optimizer": lambda model: SGD(model, 0.1, 0.9, nesterov=True)},
            "with nesterov True, .* with False",
        ),
        (
            {},
            {"optimizer": lambda model: SGD(model, 0.1, 0.9, weight_decay=0.1)},
            "with weight_decay 0.1, .* with 0.0",
        ),
        (
            {"optimizer": Adam},
            {"optimizer": lambda model: Adam(model, betas=(0.9, 0.99))},
            r"betas \[0.9, 0.99\], .*0.999",
        ),
        (
            {"optimizer": Adam},
            {"optimizer": lambda model: Adam(model, eps=1e-6)},
            "eps 1e-06, .* 1e-08",
        ),
        (
            {"schedule": line},
            {"schedule": line, "epochs": 4},
            "over 4 epochs: step 1 .* 0.0917, .* be 0.0958;",
        ),
        (
            {"schedule": line},
            {"schedule": None},
            "no schedule: step 1 had a learning rate of 0.0917, .* be 0.1;",
        ),
        ({}, {"schedule": line}, "step 1 had a learning rate of 0.1, here it would be 0.0917"),
        (
            {"schedule": lambda progress: 1 if progress < 0.2 else 0.5},
            {"schedule": lambda progress: 1 if progress < 0.3 else 0.5},
            "step 3 had .* 0.05, here it would be 0.1",
        ),
        ({}, {"train": examples().normalised()}, "with mean 0.*, it was saved with 0.0"),
        (
            {},
            {"loss": type("OwnLoss", (CrossEntropyLoss,), {})()},
            "with loss OwnLoss.*, .* CrossEntropyLoss",
        ),
    ],
)
def test_resume_refuses_what_would_not_be_one_training(tmp_path, saved, resumed, message):
    def run(
        model,
        train=None,
        loss=None,
        optimizer=lambda model: SGD(model, 0.1, 0.9),
        epochs=2,
        **options,
    ):
        return fit(
            model,
            loss or CrossEntropyLoss(),
            optimizer(model),
            train or examples(),
            None,
            epochs,
            16,
            checkpoint=tmp_path / "run",
            progress=None,
            **options,
        )

    with pytest.raises(Stop):
        run(network(), on_epoch=stop_after(1), **saved)
    model = network(seed=3)
    before = model.state_dict()
    with pytest.raises(CheckpointError, match=message):
        run(model, resume=True, **{**saved, **resumed})
    assert_same_state(model.state_dict(), before)


def test_more_epochs_than_the_file_has_are_right_where_the_rates_stay(tmp_path):
    def steps(progress):  # twice as many epochs, the same rates in the first two
        return 1.0

    for options in ({}, {"schedule": steps}):
        path, whole, resumed = tmp_path / f"run{len(options)}", network(), network(seed=99)
        expected = train(whole, 4, **options)
        train(network(), 2, checkpoint=path)
        assert same(train(resumed, 4, checkpoint=path, resume=True, **options), expected)
        assert_same_state(resumed.state_dict(), whole.state_dict())


def test_a_longer_training_without_patience_keeps_what_it_learns(tmp_path):
    path, weights = tmp_path / "run", []
    stopped = train_on_noise(network(), checkpoint=path)
    model = network()
    history = train_on_noise(
        model,
        checkpoint=path,
        resume=True,
        patience=None,
        epochs=len(stopped) + 3,
        on_epoch=lambda model, history: weights.append(model.state_dict()),
    )
    assert len(history) == len(stopped) + 3
    assert_same_state(model.state_dict(), weights[-1])


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ({}, {"patience": 3}, "cannot go on with patience"),
        ({}, {"valid": None}, "with validation examples 0, it was saved with 30"),
        ({"valid": None}, {}, "with validation examples 30, it was saved with 0"),
    ],
)
def test_resume_refuses_what_would_leave_gaps_in_the_history(tmp_path, first, second, message):
    def run(model, **options):
        return fit(
            model,
            CrossEntropyLoss(),
            SGD(model, 0.1),
            examples(),
            batch_size=16,
            progress=None,
            checkpoint=tmp_path / "run",
            **{"valid": examples(30, 1), **options},
        )

    run(network(), epochs=2, **first)
    model = network(seed=3)
    before = model.state_dict()
    with pytest.raises(CheckpointError, match=message):
        run(model, epochs=4, resume=True, **second)
    assert_same_state(model.state_dict(), before)


def test_numbers_of_numpy_are_saved_and_resumed_to_the_bit(tmp_path):
    def run(model, **options):
        return train(
            model,
            4,
            Adam(model, lr=np.float64(0.0123)),
            seed=np.int64(3),
            batch_size=np.int64(16),
            schedule=lambda progress: np.float32(1 - progress),
            checkpoint=tmp_path / "run",
            **options,
        )

    whole, resumed = network(), network(seed=99)
    expected = run(whole)
    with pytest.raises(Stop):
        run(network(), on_epoch=stop_after(2))
    assert same(run(resumed, resume=True), expected)
    assert_same_state(resumed.state_dict(), whole.state_dict())
