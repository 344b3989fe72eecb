"""Training on recorded launches of the student's pieces: the same parameters as step by step, launches counted."""

import copy
from contextlib import nullcontext

import numpy as np
import pytest

from nnlib import device, layers, losses, mine, ops, optimizers, training
from nnlib.cuda import force_simulator
from nnlib.datasets import Examples
from nnlib.model import Sequential
from nnlib.ops.recording import NotCapturable
from nnlib.training.eager import EagerSteps, NonFiniteError
from nnlib.training.replay.graph import capture
from nnlib.training.replay.mine_graph import MineSteps

from .answers import save

NETWORKS = {
    "convolutions, pooled": lambda: (
        layers.Conv2d(1, 3, 3),
        layers.ReLU(),
        layers.Conv2d(3, 4, 3),
        layers.ReLU(),
        layers.MaxPool2d(2),
        layers.Flatten(),
        layers.Linear(16, 4),
    ),
    "strided, padded, overlapping": lambda: (
        layers.Conv2d(1, 2, 3, stride=2, padding=1),
        layers.ReLU(),
        layers.MaxPool2d(2, 1),
        layers.Flatten(),
        layers.Linear(18, 4),
    ),
    "perceptron": lambda: (
        layers.Flatten(),
        layers.Linear(64, 20),
        layers.ReLU(),
        layers.Linear(20, 4),
    ),
    "transformer": lambda: (
        layers.Embedding(5, 6),
        layers.PositionalEmbedding(3, 6),
        layers.Residual(layers.RMSNorm(6), layers.CausalSelfAttention(6, 2)),
        layers.Residual(layers.Linear(6, 8), layers.GELU(), layers.Linear(8, 6)),
        layers.Linear(6, 5),
    ),
}


def examples(count=10):
    random = np.random.default_rng(1)
    return Examples(
        random.integers(0, 256, (count, 1, 8, 8), np.uint8),
        random.integers(0, 4, count).astype(np.int32),
        mean=0.2,
        std=0.4,
    )


def tokens(count=10):
    random = np.random.default_rng(1)
    return Examples(*random.integers(0, 5, (2, count, 3), np.int32))


def save_best(*names):
    for name in names:
        save(name, mine.PIECES[name].best)


def both_ways(network, momentum, where="cpu"):
    """Evaluations and parameters of two epochs, step by step and recorded; rates change with every step."""
    attends = network == "transformer"
    first = Sequential(*NETWORKS[network](), seed=3).to(where)
    data = tokens() if attends else examples()
    for model, kind in ((first, EagerSteps), (copy.deepcopy(first), MineSteps)):
        with ops.engine("mine"), force_simulator() if where == "cpu" else nullcontext():
            steps = kind(
                model,
                losses.CrossEntropyLoss(),
                optimizers.AdamW(model, 0.1)
                if attends and momentum
                else optimizers.SGD(model, 0.1, momentum),
                data.beside(model.parameters),
                4,
            )
            found = [
                steps.run(
                    np.random.default_rng(epoch).permutation(10).astype(np.int32),
                    [0.2 - 0.05 * step for step in range(3)],
                    lambda n: None,
                )
                for epoch in range(2)
            ]
        yield found, device.to_host(model.parameters)


@pytest.mark.parametrize("where", ["cpu", pytest.param("gpu", marks=pytest.mark.gpu)])
@pytest.mark.parametrize(
    ("network", "momentum"), [*((name, 0.8) for name in NETWORKS), ("perceptron", 0.0)]
)
def test_recorded_steps_change_the_parameters_as_step_by_step(network, momentum, where):
    (eager, stepped), (recorded, graphed) = both_ways(network, momentum, where)
    np.testing.assert_allclose(graphed, stepped, rtol=0, atol=1e-6 * (where == "gpu"))
    np.testing.assert_allclose(recorded, eager, rtol=1e-5 if where == "gpu" else 1e-6)


@pytest.mark.parametrize(
    "fused", [("conv_relu",), ("conv_relu_pool",), ("conv_relu", "conv_relu_pool")]
)
def test_fused_pieces_do_the_same_in_fewer_launches(fused):
    network = "convolutions, pooled"
    (_, stepped), (_, separate) = both_ways(network, 0.0)
    before = sum(mine.launches()["course"].values())
    mine.forget_launches()
    save_best(*fused)
    (_, _), (_, graphed) = both_ways(network, 0.0)
    np.testing.assert_allclose(graphed, separate, rtol=0, atol=1e-6)
    assert set(fused) <= set(mine.launches()["yours"])
    assert sum(sum(counted.values()) for counted in mine.launches().values()) < before


@pytest.mark.gpu
def test_fused_pieces_in_a_graph():
    save_best("conv_forward", "conv_relu", "conv_relu_pool", "conv_grad_weight")
    (_, stepped), (_, graphed) = both_ways("convolutions, pooled", 0.8, "gpu")
    np.testing.assert_allclose(graphed, stepped, rtol=0, atol=1e-6)


def test_the_launches_of_a_recorded_training_are_counted():
    save_best("relu")
    model = Sequential(*NETWORKS["perceptron"](), seed=3).to("cpu")
    with ops.engine("mine"), force_simulator():
        steps, done = (
            MineSteps(model, losses.CrossEntropyLoss(), optimizers.SGD(model, 0.1), examples(), 4),
            [],
        )
        steps.run(np.arange(10, dtype=np.int32), [0.1] * 3, done.append)
    assert done == [1, 1, 1]
    assert mine.launches()["yours"] == {"relu": 3}
    assert mine.launches()["course"] == {
        "normalise_images": 3,
        "linear_forward": 6,
        "softmax_cross_entropy": 3,
        "linear_grad_weight": 6,
        "linear_grad_input": 3,
        "relu_grad": 3,
        "sum_columns": 6,
        "sgd_step": 3,
    }


def test_fit_trains_on_recorded_launches():
    model = Sequential(*NETWORKS["perceptron"](), seed=3).to("cpu")
    other = copy.deepcopy(model)
    with ops.engine("mine"), force_simulator():
        one, two = (
            training.fit(
                each,
                losses.CrossEntropyLoss(),
                optimizers.SGD(each, 0.1),
                examples(),
                epochs=2,
                batch_size=4,
                graph=graph,
                progress=None,
            )
            for each, graph in ((model, False), (other, True))
        )
    assert np.array_equal(model.parameters, other.parameters)
    np.testing.assert_allclose(one.train_loss, two.train_loss, rtol=1e-6)


def test_what_cannot_be_recorded_says_why():
    def reason(*chain, loss=None, optimizer=optimizers.SGD, data=None):
        model = Sequential(*chain).to("cpu")
        with pytest.raises(NotCapturable) as caught, ops.engine("mine"), force_simulator():
            MineSteps(
                model, loss or losses.CrossEntropyLoss(), optimizer(model), data or examples(), 4
            )
        return str(caught.value)

    linear = layers.Flatten(), layers.Linear(64, 4)
    assert "no piece for this sigmoid" in reason(*linear, layers.Sigmoid())
    assert "no captured step for BCELoss" in reason(*linear, loss=losses.BCELoss())
    assert "no piece for this adam_step" in reason(*linear, optimizer=optimizers.Adam)
    assert "give bytes" in reason(
        *linear, data=Examples(np.zeros((4, 1, 8, 8), np.float32), np.zeros(4, np.int32), mean=0.5)
    )
    for uneven in (
        layers.Conv2d(1, 4, (3, 2)),
        layers.Conv2d(1, 4, 3, stride=(1, 2)),
        layers.Conv2d(1, 4, 3, padding=(0, 1)),
    ):
        assert reason(uneven) == "there is no piece for this conv2d"


def perceptron_steps(given, N):
    model = Sequential(*NETWORKS["perceptron"](), seed=3).to("cpu")
    return model, MineSteps(model, losses.CrossEntropyLoss(), optimizers.SGD(model, 0.1), given, N)


@pytest.mark.parametrize(
    ("count", "N", "sizes"), [(9, 4, {4, 1}), (8, 4, {4}), (3, 3, {3}), (5, 4, {4, 1}), (4, 1, {1})]
)
def test_a_step_for_each_size_of_batch(count, N, sizes):
    with ops.engine("mine"), force_simulator():
        _, steps = perceptron_steps(examples(count), N)
    assert {size: step.N for size, step in steps.recorded.items()} == {size: size for size in sizes}
    epoch = steps.epoch
    assert [len(part) for part in (epoch.clock, epoch.rates, epoch.losses, epoch.hits)] == [
        4,
        -(-count // N),
        count,
        count,
    ]


def test_graph_is_for_the_students_engine():
    model = Sequential(*NETWORKS["perceptron"]()).to("cpu")
    with pytest.raises(training.TrainingError, match="mine"):
        training.fit(
            model,
            losses.CrossEntropyLoss(),
            optimizers.SGD(model, 0.1),
            examples(),
            batch_size=4,
            graph=True,
        )


def test_a_loss_that_is_not_finite_is_told_and_taken_back():
    with ops.engine("mine"), force_simulator():
        model, steps = perceptron_steps(examples(), 4)
        with pytest.raises(NonFiniteError) as caught:
            steps.run(np.arange(10, dtype=np.int32), [1e30, 1e30, 1e30], lambda n: None)
    assert caught.value.step >= 1 and np.isfinite(model.parameters).all()


class Stream:
    """Stands in for a stream of CuPy's where there is none: notes what is asked of it."""

    def __init__(self):
        self.asked = []

    def __enter__(self):
        self.asked.append("enter")

    def __exit__(self, *error):
        self.asked.append("leave")

    def begin_capture(self):
        self.asked.append("begin")

    def end_capture(self):
        self.asked.append("end")
        return "graph"


def test_a_capture_ends_also_when_a_launch_fails():
    stream = Stream()
    assert (
        capture(stream, lambda: stream.asked.append("one"), lambda: stream.asked.append("two"))
        == "graph"
    )
    assert stream.asked == ["enter", "begin", "one", "two", "end", "leave"]
    stream = Stream()
    with pytest.raises(ZeroDivisionError):
        capture(stream, lambda: 1 / 0, lambda: stream.asked.append("two"))
    assert stream.asked == ["enter", "begin", "end", "leave"]
