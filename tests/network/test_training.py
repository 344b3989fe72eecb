"""Training: it learns, stops, and refuses bad input before it starts."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from nnlib import ops
from nnlib.datasets import Examples, UnavailableError, load, quadrants, shuffled
from nnlib.layers import Conv2d, Flatten, Linear, MaxPool2d, ReLU, Sigmoid
from nnlib.losses import BCELoss, BCEWithLogitsLoss, CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.ops.recording import NotCapturable
from nnlib.optimizers import SGD, Adam
from nnlib.training import (
    History,
    NonFiniteError,
    TrainingError,
    evaluate,
    fit,
    predict,
    schedules,
    steps,
)
from nnlib.training.eager import EagerSteps
from nnlib.training.parallel import Team

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

# Learning


def test_every_epoch_has_an_order_of_its_own():
    model, other = (Sequential(Linear(4, 3)).to("cpu") for _ in range(2))
    data = examples()
    train(model, 2, SGD(model, 0.5), seed=7)
    steps = EagerSteps(other, CrossEntropyLoss(), SGD(other, 0.5), data, 16)
    for epoch in range(2):
        steps.run(shuffled(len(data), 7, epoch), [0.5] * 6, lambda count: None)
    assert np.allclose(model.parameters, other.parameters, rtol=1e-5)


def test_history_has_an_entry_per_epoch_and_the_loss_falls():
    history = train(network(), epochs=8)
    assert all(
        len(getattr(history, name)) == 8
        for name in (
            "train_loss",
            "train_accuracy",
            "valid_loss",
            "valid_accuracy",
            "seconds",
            "rates",
        )
    )
    assert history.train_loss[-1] < 0.6 * history.train_loss[0] and history.valid_accuracy[-1] > 0.8
    assert not history.interrupted and not history.stopped_early


def test_training_loss_is_the_mean_over_examples():
    """With a vanishing learning rate the epoch's mean is the loss of the whole set, smaller last batch included."""
    model = Sequential(Linear(4, 3))
    history = train(model, 1, SGD(model, lr=1e-30))
    whole = evaluate(model, CrossEntropyLoss(), examples(), batch_size=7)
    assert history.train_loss[0] == pytest.approx(whole.loss, rel=1e-6)
    assert history.train_accuracy[0] == whole.accuracy


def test_same_seed_same_numbers_other_seed_others():
    first, second = (train(network()) for _ in range(2))
    assert same(first, second) and not same(first, train(network(), seed=1))


def test_quadrants_reach_93_percent():
    data = quadrants()
    model = Sequential(Linear(2, 30), ReLU(), Linear(30, 1), Sigmoid())
    fit(model, BCELoss(), SGD(model, lr=0.1), data.train, epochs=300, batch_size=100, progress=None)
    assert evaluate(model, BCELoss(), data.test).accuracy >= 0.93


@pytest.mark.parametrize("name", ["digits", "mnist"])
def test_convolutional_network_learns_real_digits(name):
    try:
        data = load(name, download=False)
    except UnavailableError as error:
        pytest.skip(str(error))
    model = Sequential(
        Conv2d(1, 8, 3, stride=2),
        ReLU(),
        Conv2d(8, 16, 3),
        ReLU(),
        MaxPool2d(2),
        Flatten(),
        Linear(400, 10),
    )
    history = fit(
        model,
        CrossEntropyLoss(),
        Adam(model, lr=0.01),
        data.train[:3000],
        data.test[:500],
        epochs=3,
        batch_size=32,
        schedule=schedules.cosine,
        progress=None,
    )
    assert history.valid_accuracy[-1] > 0.9


def test_accuracy_of_both_binary_losses():
    data = examples(40)
    targets = (data.labels[:, None] == 0).astype(np.float32)
    model = Sequential(Linear(4, 1))
    outputs = predict(model, data.inputs)
    logits = evaluate(model, BCEWithLogitsLoss(), Examples(data.inputs, targets))
    assert logits.accuracy == ((outputs > 0) == targets).mean()
    probabilities = Sequential(*model.layers, Sigmoid(), seed=None)
    assert evaluate(probabilities, BCELoss(), Examples(data.inputs, targets)) == pytest.approx(
        logits, rel=1e-5
    )


def test_accuracy_counts_every_target():
    data = examples(40)
    targets = (data.labels[:, None] == [0, 1]).astype(np.float32)
    model = Sequential(Linear(4, 2))
    right = ((predict(model, data.inputs) > 0) == targets).mean()
    history = fit(
        model,
        BCEWithLogitsLoss(),
        SGD(model, lr=1e-30),
        (data.inputs, targets),
        (data.inputs, targets),
        epochs=1,
        batch_size=16,
        progress=None,
    )
    assert history.train_accuracy == [right] and history.valid_accuracy == [right]


def test_dropout_drops_in_a_training_whatever_the_mode_was():
    model = network().eval()
    assert same(train(model), train(network())) and not model.training


# Schedule, early stopping


def test_schedule_sets_the_rate_before_every_step_and_gives_it_back():
    model = network()
    rates = []

    class Recording(SGD):
        def step(self):
            rates.append(self.lr)
            super().step()

    optimizer = Recording(model, lr=0.1)
    history = train(model, 3, optimizer, schedule=lambda progress: 1 - progress)
    assert rates == pytest.approx([0.1 * (1 - step / 18) for step in range(18)])
    assert history.rates == [rates[5], rates[11], rates[17]] and optimizer.lr == 0.1


def test_early_stopping_restores_the_best_weights():
    model, weights = network(), []
    history = train_on_noise(
        model, on_epoch=lambda model, history: weights.append(model.state_dict())
    )
    assert history.stopped_early and len(history) == history.best_epoch + 4 < 60
    assert min(history.valid_loss) == history.valid_loss[history.best_epoch]
    assert (
        evaluate(model, CrossEntropyLoss(), examples(30, 1)).loss
        == history.valid_loss[history.best_epoch]
    )
    assert_same_state(model.state_dict(), weights[history.best_epoch])


def test_best_weights_survive_a_stop_after_the_best_epoch(tmp_path):
    whole = network()
    best = train_on_noise(whole).best_epoch
    with pytest.raises(Stop):
        train_on_noise(network(), checkpoint=tmp_path / "run", on_epoch=stop_after(best + 2))
    resumed = network(seed=99)
    assert train_on_noise(resumed, checkpoint=tmp_path / "run", resume=True).best_epoch == best
    assert_same_state(resumed.state_dict(), whole.state_dict())


def test_an_interrupt_leaves_the_best_weights_too():
    best = train_on_noise(network()).best_epoch
    weights = []

    def interrupt(model, history):
        weights.append(model.state_dict())
        if len(history) == best + 2:
            raise KeyboardInterrupt

    model = network()
    assert train_on_noise(model, on_epoch=interrupt).interrupted
    assert_same_state(model.state_dict(), weights[best])


# Interrupt


def test_interrupt_leaves_a_usable_model_and_history():
    model = network().eval()
    calls = 0

    class Interrupted(Adam):
        def step(self):
            nonlocal calls
            calls += 1
            if calls == 15:  # in the third epoch of 6 steps
                raise KeyboardInterrupt
            super().step()

    history = train(model, 9, Interrupted(model, lr=0.02))
    assert history.interrupted and len(history) == 2 and not history.stopped_early
    assert np.isfinite(model.parameters).all() and not model.training
    assert 0 <= evaluate(model, CrossEntropyLoss(), examples()).accuracy <= 1
    assert len(train(model, 1)) == 1


# Evaluation does not disturb


def test_evaluation_between_epochs_changes_nothing():
    def look(model: Sequential, history: History) -> None:
        evaluate(model, CrossEntropyLoss(), examples())
        predict(model, examples())
        assert model.training

    assert same(train(network(), on_epoch=look), train(network()))


def test_evaluation_keeps_every_layers_mode_even_after_an_error():
    model = network()
    model.layers[2].training = False
    offset = model.layers[2].offset
    with pytest.raises(ops.ShapeError):
        predict(model, np.zeros((3, 5), np.float32))
    evaluate(model, CrossEntropyLoss(), examples())
    assert [layer.training for layer in model.layers] == [True, True, False, True]
    assert model.layers[2].offset == offset and model.training


# Not a number


@pytest.mark.filterwarnings("ignore:overflow encountered in cast")
@pytest.mark.parametrize(
    ("spoil", "place"),
    [
        (
            lambda model, data: data.inputs.__setitem__((slice(None), 0), 1e300),
            "inputs of this batch",
        ),
        (
            lambda model, data: model.layers[3].weight.__setitem__((0, 0), np.inf),
            r"parameters of layer 3, Linear\(8, 3\)",
        ),
        (
            lambda model, data: model.layers[0].weight.__setitem__(slice(None), 3e38),
            r"output of layer 0, Linear\(4, 8\)",
        ),
        (
            lambda model, data: [
                model.layers[3].bias.__setitem__(*entry) for entry in ((0, 3e38), (1, -3e38))
            ],
            "the loss itself overflows",
        ),
    ],
)
def test_loss_that_is_not_a_number_names_step_and_layer(spoil, place):
    model, data = network(), examples()
    data = Examples(data.inputs.astype(np.float64), data.labels)
    spoil(model, data)
    before = model.parameters.copy()
    with pytest.raises(NonFiniteError, match=f"not finite in step 0.*{place}") as caught:
        fit(
            model,
            CrossEntropyLoss(),
            SGD(model, lr=0.1),
            data,
            epochs=1,
            batch_size=16,
            progress=None,
        )
    assert caught.value.step == 0
    # The search for the place drops nothing
    assert model.training and model.layers[2].offset in (0, 16 * 8 / 4)
    assert (model.parameters == before).all()


@pytest.mark.filterwarnings("error")
def test_diverging_training_stops_at_the_step():
    model = network()
    with pytest.raises(NonFiniteError) as caught:
        train(model, 5, SGD(model, lr=1e30))
    assert caught.value.step > 0 and "layer" in caught.value.place


# Refused before anything starts


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"batch_size": 0}, "batch_size is 0: choose 1 to 90"),
        ({"batch_size": -3}, "batch_size is -3"),
        ({"batch_size": 91}, "batch_size is 91: choose 1 to 90"),
        ({"epochs": 0}, "epochs is 0"),
        ({"patience": 0}, "patience"),
        ({"resume": True}, "resume needs the checkpoint"),
        ({"progress": "bars"}, "progress is 'bars'"),
        ({"epochs": 2.5}, r"epochs is 2\.5: choose a whole number"),
        ({"epochs": "3"}, "epochs is '3': choose a whole number"),
        ({"epochs": True}, "epochs is True"),
        ({"batch_size": 32.0}, r"batch_size is 32\.0: choose a whole number"),
        ({"patience": 1.5}, r"patience is 1\.5"),
        ({"seed": None}, "seed is None: choose a whole number"),
        ({"seed": -1}, "seed is -1: choose 0 or more"),
        ({"checkpoint": 7}, "checkpoint is 7: name a file"),
        ({"schedule": 0.5}, r"schedule is 0\.5: give a function"),
        (
            {"schedule": lambda progress: 0.5 - progress, "epochs": 2},
            r"schedule\(0\.\d+\) is -0\.\d+: the factor",
        ),
        ({"schedule": lambda progress: np.nan}, r"schedule\(0\) is nan"),
        ({"schedule": lambda progress: None}, r"schedule\(0\) is None"),
    ],
)
def test_bad_settings(options, message):
    model = network()
    before = model.state_dict()
    with pytest.raises(TrainingError, match=message):
        train(model, **options)
    assert_same_state(model.state_dict(), before)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (np.full(90, 3, np.int32), r"training label 3 \(example 0\) is outside 0 to 2"),
        (np.r_[np.zeros(89, np.int32), -1], r"training label -1 \(example 89\) is outside 0 to 2"),
        (np.zeros(90, np.float32), "labels are float32"),
        (np.zeros((90, 1), np.int32), r"shape \(90, 1\)"),
    ],
)
def test_bad_labels(labels, message):
    model = network()
    with pytest.raises(TrainingError, match=message):
        fit(
            model,
            CrossEntropyLoss(),
            SGD(model),
            Examples(examples().inputs, labels),
            progress=None,
        )


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("part", ["training", "validation"])
def test_inputs_that_are_not_numbers(value, part):
    model, good, bad = network(), examples(), examples()
    bad.inputs[17, 2] = value
    train, valid = (bad, good) if part == "training" else (good, bad)
    with pytest.raises(
        TrainingError, match=f"{part} example 17 has inputs that are NaN or infinite"
    ):
        fit(model, CrossEntropyLoss(), SGD(model), train, valid, progress=None)


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.uint16, np.int8, bool])
def test_whole_numbers_that_are_no_bytes(kind):
    model, good = network(), examples()
    odd = Examples(good.inputs.astype(kind), good.labels)
    for data, part in (((odd, good), "training"), ((good, odd), "validation")):
        with pytest.raises(
            TrainingError, match=rf"{part} inputs are {np.dtype(kind)}: pixels from 0 to 255 are"
        ):
            fit(model, CrossEntropyLoss(), SGD(model), *data, progress=None)
    for ask in (predict, lambda model, data: evaluate(model, CrossEntropyLoss(), data)):
        with pytest.raises(TypeError, match=f"the inputs are {np.dtype(kind)}"):
            ask(model, odd)


def test_more_that_is_refused():
    model, data, loss = network(), examples(), CrossEntropyLoss()
    with pytest.raises(Exception, match="90 inputs, but 89 labels"):
        fit(model, loss, SGD(model), (data.inputs, data.labels[:-1]))
    with pytest.raises(TrainingError, match=r"Examples, or a pair \(inputs, labels\), not ndarray"):
        fit(network(), CrossEntropyLoss(), SGD(network(), 0.1), examples().inputs)
    with pytest.raises(TrainingError, match="validation label 7"):
        fit(model, loss, SGD(model), data, (data.inputs, np.full(90, 7, np.int32)))
    with pytest.raises(TrainingError, match="another model"):
        fit(model, loss, SGD(network()), data)
    with pytest.raises(TrainingError, match="patience needs validation data"):
        fit(model, loss, SGD(model), data, patience=2)
    with pytest.raises(TrainingError, match="no validation examples"):
        fit(model, loss, SGD(model), data, data[:0])
    with pytest.raises(TrainingError, match=r"shape \(90,\); BCELoss\(\) takes \(90, 3\)"):
        fit(model, BCELoss(), SGD(model), data)
    with pytest.raises(TrainingError, match="outside 0 to 1"):
        single = Sequential(Linear(4, 1), Sigmoid())
        fit(single, BCELoss(), SGD(single), (data.inputs, np.full((90, 1), 2.0, np.float32)))
    with pytest.raises(ops.ShapeError, match=r"layer 0, Linear\(4, 8\)"):
        fit(model, loss, SGD(model), (np.zeros((90, 5), np.float32), data.labels))
    optimizer = SGD(model)
    model.to(dtype=np.float64)
    with pytest.raises(TrainingError, match="make the optimizer again"):
        fit(model, loss, optimizer, data)


def test_a_layer_that_would_not_learn_is_refused():
    model, data, loss = network(), examples(), CrossEntropyLoss()
    Sequential(*model.layers[:2], seed=None)
    with pytest.raises(TrainingError, match=r"weights of layer 0, Linear\(4, 8\), are not among"):
        fit(model, loss, SGD(model), data)
    model = network()
    model.layers[3] = Linear(8, 3)
    with pytest.raises(TrainingError, match=r"weights of layer 3, Linear\(8, 3\), are not among"):
        fit(model, loss, SGD(model), data)
    model = Sequential(*model.layers, seed=None)
    assert len(fit(model, loss, SGD(model), data, epochs=1, progress=None)) == 1


@pytest.mark.parametrize("place", ["", "nothere/run"])
def test_a_place_where_no_checkpoint_can_be_is_refused_before_the_first_epoch(tmp_path, place):
    model = network()
    before = model.state_dict()
    with pytest.raises(TrainingError, match="name a file, in a folder that exists"):
        train(model, checkpoint=tmp_path / place)
    assert_same_state(model.state_dict(), before)


def test_a_checkpoint_in_the_current_folder(here):
    train(network(), 1, checkpoint="run")
    assert (here / "run").is_file()


# Progress


def test_lines_have_no_times_and_nothing_goes_to_standard_error(capsys):
    train(network(), 2, progress="auto")
    captured = capsys.readouterr()
    assert (
        captured.err == ""
        and captured.out.startswith("epoch 1/2  loss ")
        and captured.out.count("\n") == 2
    )


def test_bar_counts_steps(capsys):
    train(network(), 2, progress="bar")
    assert "12/12" in capsys.readouterr().err


def test_bar_of_a_resumed_training_starts_where_it_stood(tmp_path, capsys):
    train(network(), 1, checkpoint=tmp_path / "run")
    train(network(), 2, checkpoint=tmp_path / "run", resume=True, progress="bar")
    assert "12/12" in capsys.readouterr().err


def test_no_progress_is_silent(capsys):
    train(network(), 1)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("said", [False, True])
def test_why_no_graph_is_recorded_is_progress_too(said, monkeypatch, capsys):
    def not_captured(*_):
        raise NotCapturable("a layer of its own")

    monkeypatch.setattr(steps, "GraphSteps", not_captured)
    monkeypatch.setattr(steps, "on_gpu", lambda: True)
    monkeypatch.setattr(steps, "device", SimpleNamespace(is_device_array=lambda array: True))
    with ops.engine("kernels"):
        steps.steps_of(
            network(),
            CrossEntropyLoss(),
            SGD(network(), 0.1),
            examples(),
            16,
            graph=False,
            team=Team(),
            said=said,
        )
    assert ("without a CUDA graph: a layer of its own." in capsys.readouterr().out) == said


def test_best_epoch_passes_over_nan():
    assert History(valid_loss=[math.nan, 2.0, 1.0, math.nan]).best_epoch == 2
