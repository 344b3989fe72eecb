"""What lies just inside and just outside of a limit, in each engine: seeds, counts, messages."""

import numpy as np
import pytest

from nnlib import layers, losses, mine, ops, optimizers
from nnlib.cuda import force_simulator
from nnlib.datasets import Examples
from nnlib.gradcheck import gradient_check
from nnlib.model import Sequential
from nnlib.ops.recording import NotCapturable
from nnlib.training.replay.graph import GraphSteps
from nnlib.training.replay.mine_graph import MineSteps

rng = np.random.default_rng(0)


def floats(*shape):
    return rng.standard_normal(shape, np.float32)


@pytest.mark.parametrize("engine", ["arrays", "kernels"])
def test_seeds_of_dropout_are_64_bits(engine):
    x = np.ones(200, np.float32)
    with ops.engine(engine), force_simulator():
        masks = [ops.dropout(x, 0.5, seed)[1] for seed in (5, 5 + 2**64, 5 + 2**63, -5, 2**64 - 5)]
    assert np.array_equal(masks[0], masks[1]) and np.array_equal(masks[3], masks[4])
    assert not np.array_equal(masks[0], masks[2])


def test_a_gradient_is_checked_at_20_places():
    """Two values of the loss for each place, and one at the beginning."""

    class Counted(losses.BCEWithLogitsLoss):
        calls = 0

        def __call__(self, *given):
            Counted.calls += 1
            return super().__call__(*given)

    model = Sequential(layers.Linear(5, 6), layers.Linear(6, 3)).to("cpu")
    for given, most in (({}, 20), ({"entries": 4}, 4), ({"entries": 100}, 100)):
        Counted.calls = 0
        found = gradient_check(model, Counted(), np.ones((7, 5)), np.zeros((7, 3)), **given)
        assert Counted.calls == 1 + 2 * sum(min(most, size) for size in (35, 30, 6, 18, 3))
        assert (
            list(found) == ["input", "0.weight", "0.bias", "1.weight", "1.bias"]
            and max(found.values()) < 1e-6
        )


def examples(dtype=np.uint8, mean=0.0, std=1.0, size=6):
    return Examples(np.zeros((4, 1, size, size), dtype), np.zeros(4, np.int32), mean=mean, std=std)


def recorded(kind, *chain, data=None):
    model = Sequential(*chain).to("cpu")
    with ops.engine("mine" if kind is MineSteps else "kernels"), force_simulator():
        return kind(model, losses.CrossEntropyLoss(), optimizers.SGD(model), data or examples(), 4)


@pytest.mark.parametrize(
    ("pool", "square"),
    [
        (layers.MaxPool2d(2, 1), True),
        (layers.MaxPool2d((2, 3), (1, 1)), False),
        (layers.MaxPool2d((2, 2), (1, 2)), False),
        (layers.MaxPool2d((2, 3), (1, 2)), False),
    ],
)
def test_pieces_pool_squares(pool, square):
    _, height, width = pool.output_shape((1, 6, 6))
    chain = pool, layers.Flatten(), layers.Linear(height * width, 4)
    if square:
        assert recorded(MineSteps, *chain) is not None
    else:
        with pytest.raises(NotCapturable, match="no piece for this max_pool2d"):
            recorded(MineSteps, *chain)


@pytest.mark.parametrize(
    ("dtype", "mean", "std", "fits"),
    [
        (np.uint8, 0.3, 0.5, True),
        (np.float32, 0, 1, True),
        (np.float32, 1, 1, False),
        (np.float32, 0, 2, False),
    ],
)
def test_pieces_normalise_bytes_only(dtype, mean, std, fits):
    chain = layers.Flatten(), layers.Linear(36, 4)
    if fits:
        assert recorded(MineSteps, *chain, data=examples(dtype, mean, std)) is not None
    else:
        with pytest.raises(NotCapturable, match="give bytes"):
            recorded(MineSteps, *chain, data=examples(dtype, mean, std))


def test_a_recorded_loss_has_up_to_32_classes():
    assert recorded(GraphSteps, layers.Flatten(), layers.Linear(36, 32)) is not None
    with pytest.raises(NotCapturable, match="there are 33 classes, the captured loss takes 32"):
        recorded(GraphSteps, layers.Flatten(), layers.Linear(36, 33))


@pytest.mark.parametrize(
    ("stride", "pad", "K"), [(1, 0, 3), (2, 1, 3), (1, 3, 5), (3, 4, 5), (1, 2, 1)]
)
def test_the_contracts_of_convolutions_are_those_of_the_layers(stride, pad, K):
    """Paddings that no size of the contract has are tried, too."""
    N, C, H, W, F = 2, 3, 7, 8, 4
    x, w, b = floats(N, C, H, W), floats(F, C, K, K), floats(F)
    sizes = {"N": N, "C": C, "H": H, "W": W, "F": F, "K": K, "stride": stride, "pad": pad}
    y = ops.conv2d(x, w, b, stride, pad)
    dy = floats(*y.shape)
    dx, dw, _ = ops.conv2d_backward(dy, x, w, stride, pad)
    given = {"x": x, "w": w, "b": b, "dy": dy, **sizes}
    for name, right in (("conv_forward", y), ("conv_grad_input", dx), ("conv_grad_weight", dw)):
        piece = mine.PIECES[name]
        arguments = {parameter.name: given.get(parameter.name) for parameter in piece.signature}
        found = next(iter(piece.results(arguments).values()))
        np.testing.assert_allclose(found, right, rtol=1e-3, atol=1e-4)


def test_images_of_the_trainings_show_their_labels():
    from nnlib.course.exercises.networks import _images

    images = _images(64)
    places = np.arange(36).reshape(6, 6) % 10
    assert all(
        (image[0][places == label] >= 180).all() and (image[0][places != label] < 60).all()
        for image, label in zip(images.inputs, images.labels, strict=True)
    )
    assert (images.mean, images.std, images.inputs.shape) == (0.3, 0.3, (64, 1, 6, 6)) and max(
        images.labels
    ) == 9
