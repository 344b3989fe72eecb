"""The digit pad: drawings prepared as MNIST's and read by a network. tests/notebooks/test_lab.py draws with a mouse."""

import numpy as np
import pytest

from nnlib import datasets, training
from nnlib.course.pictures.digit_pad import SIZE, DigitPad, like_mnist
from nnlib.layers import Conv2d, Flatten, Linear, ReLU
from nnlib.losses import CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.optimizers import Adam
from tests.jupyter import shown


@pytest.fixture(scope="module")
def pad():
    data = datasets.load("digits").normalised()
    model = Sequential(Conv2d(1, 8, 3, stride=2), ReLU(), Flatten(), Linear(1352, 10))
    training.fit(
        model, CrossEntropyLoss(), Adam(model, lr=0.003), data.train, epochs=5, progress=None
    )
    return DigitPad(model, data.test)


def stroke(rows, columns):
    ink = np.zeros((SIZE, SIZE), np.uint8)
    ink[rows, columns] = 255
    return ink


def test_a_drawing_becomes_20_pixels_around_its_centre_of_mass():
    image = like_mnist(stroke(slice(3, 43), slice(50, 60)))  # 40 x 10, in a corner
    rows, columns = np.flatnonzero(image.any(1)), np.flatnonzero(image.any(0))
    assert (len(rows), len(columns)) == (20, 5)
    for axis, length in ((1, 28), (0, 28)):
        weights = image.sum(axis, dtype=float)
        assert abs((weights * np.arange(length)).sum() / weights.sum() - 14) <= 0.5


def test_place_and_size_of_a_drawing_do_not_matter():
    large, small = stroke(slice(5, 65), slice(20, 35)), stroke(slice(40, 60), slice(60, 65))
    np.testing.assert_array_equal(like_mnist(large), like_mnist(small))


@pytest.mark.parametrize(
    "ink",
    [
        np.zeros((SIZE, SIZE), np.uint8),
        stroke(0, 0),
        stroke(slice(0, 70), slice(0, 70)),
        stroke(slice(0, 70), 69),
        stroke(69, slice(0, 70)),
    ],
    ids=["nothing", "a dot in the corner", "all", "the right edge", "the lower edge"],
)
def test_odd_drawings_fit(ink):
    image = like_mnist(ink)
    assert image.shape == (28, 28) and image.any() == ink.any()


def test_ink_of_the_browser_is_read(pad):
    pad._asked(pad, "ink", [memoryview(stroke(slice(5, 65), slice(32, 38)).tobytes())])
    assert np.argmax(pad.probabilities) == 1 and sum(pad.probabilities) == pytest.approx(
        1, abs=1e-5
    )
    assert pad.truth == "" and len(pad.seen) == 784 and pad.digit.max() == 255
    assert [layer[1:] for layer in pad.maps] == [[8, 13, 13]] * 2
    assert len(pad.channels) == 2 * 8 * 13 * 13 and min(memoryview(pad.channels).cast("b")) < 0
    before = pad.answers
    pad._asked(pad, "ink", [b"too short"])
    assert pad.answers == before


def test_a_sample_is_shown_with_its_label(pad):
    right = 0
    for _ in range(20):
        right += pad.classes[int(np.argmax(pad.sample()))] == pad.truth
    assert right >= 15


def test_without_a_kernel_a_picture_and_a_sentence_stay(pad):
    bundle = shown(pad)
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert "<img alt=" in bundle["text/html"] and "needs a running kernel" in bundle["text/plain"]
