"""Pictures: what is drawn is what was given, in one style, on white."""

import numpy as np
import pytest
from matplotlib import pyplot, rcParams
from matplotlib.colors import to_hex

from nnlib.course.pictures import plots, style
from nnlib.training import History

IMAGES = np.random.default_rng(0).integers(0, 256, (12, 1, 28, 28), np.uint8)
LABELS = np.arange(12) % 3
CLASSES = ("cat", "dog", "cow")


def pictures(figure):
    return [axes for axes in figure.axes if axes.images]


def curves() -> History:
    return History([1.0, 0.5], [0.5, 0.8], [1.1, 0.7], [0.4, 0.7], [1.0, 1.0], [0.1, 0.1])


def every_figure():
    probabilities = np.eye(3)[(LABELS + (LABELS == 1)) % 3] * 0.8 + 0.1
    drawn = [
        plots.sample_grid(IMAGES, LABELS, CLASSES),
        plots.learning_curves(curves()),
        plots.confusion_matrix(LABELS, LABELS, CLASSES),
        plots.worst_mistakes(IMAGES, LABELS, probabilities, CLASSES),
    ]
    return [picture.figure for picture in drawn]


def test_figures_are_white_closed_and_leave_the_settings_alone():
    before = dict(rcParams)
    for figure in every_figure():
        assert to_hex(figure.get_facecolor()) == "#ffffff"
        figure.canvas.draw()
    assert pyplot.get_fignums() == [] and dict(rcParams) == before


def test_sample_grid_shows_every_image_with_its_class():
    drawn = pictures(plots.sample_grid(IMAGES, LABELS, CLASSES, columns=5).figure)
    assert [axes.get_title() for axes in drawn] == [CLASSES[label] for label in LABELS]
    assert all(
        np.array_equal(axes.images[0].get_array(), image[0])
        for axes, image in zip(drawn, IMAGES, strict=True)
    )


def test_sample_grid_has_no_more_columns_than_images():
    assert len(plots.sample_grid(IMAGES[:2]).figure.axes) == 2


def test_learning_curves_start_at_epoch_one():
    loss, accuracy = plots.learning_curves(curves()).figure.axes
    train, valid = loss.lines
    assert train.get_xdata().tolist() == [1, 2] and train.get_ydata().tolist() == [1.0, 0.5]
    assert accuracy.lines[1].get_ydata().tolist() == [0.4, 0.7]
    # Told apart without colour
    assert (train.get_linestyle(), valid.get_linestyle()) == ("--", "-")
    assert {line.get_color() for line in loss.lines} <= set(style.PALETTE)


def test_confusion_matrix_writes_the_counts():
    (axes,) = pictures(plots.confusion_matrix([0, 1, 1, 2], [0, 0, 1, 2], CLASSES).figure)
    counts = {text.get_position(): text.get_text() for text in axes.texts}
    assert counts == {(0, 0): "1", (1, 0): "1", (1, 1): "1", (2, 2): "1"}
    white = [text.get_position() for text in axes.texts if text.get_color() == "white"]
    assert white == [(1, 0)]  # on the only dark cell
    assert axes.get_yticklabels()[0].get_text() == "cat  (50% found)"
    assert axes.images[0].get_array().tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 0]]


def test_worst_mistakes_come_worst_first():
    labels = np.array([0, 0, 1, 2])
    probabilities = np.array(
        [[0.9, 0.1, 0.0], [0.3, 0.6, 0.1], [0.95, 0.02, 0.03], [0.1, 0.1, 0.8]]
    )
    shown = plots.worst_mistakes(IMAGES[:4], labels, probabilities, CLASSES)
    assert shown.alt.endswith("taken for: dog, taken for cat (95%); cat, taken for dog (60%).")
    drawn = pictures(shown.figure)
    assert [axes.get_title() for axes in drawn] == [
        "dog, taken for\ncat (95%)",
        "cat, taken for\ndog (60%)",
    ]
    assert np.array_equal(drawn[0].images[0].get_array(), IMAGES[2, 0])


def test_no_mistakes_is_said():
    figure = plots.worst_mistakes(IMAGES[:3], [0, 1, 2], np.eye(3), CLASSES).figure
    assert [text.get_text() for text in figure.texts] == ["no mistakes"]


def test_errors():
    with pytest.raises(ValueError, match="12 images, but 3 labels"):
        plots.sample_grid(IMAGES, LABELS[:3])
    with pytest.raises(ValueError, match=r"\(12, 3, 28, 28\); expected"):
        plots.sample_grid(np.zeros((12, 3, 28, 28)))
    with pytest.raises(ValueError, match="no images"):
        plots.sample_grid(IMAGES[:0])


def test_alt_texts_say_what_matters():
    assert plots.confusion_matrix([0, 1, 1, 2], [0, 0, 1, 2], CLASSES).alt == (
        "Confusion matrix of 3 classes, 3 of 4 right; the most frequent mistake: cat is taken for dog, once."
    )
    assert plots.learning_curves(curves()).alt == (
        "Loss and accuracy after 2 epochs: training loss 0.50, validation loss 0.70 (least 0.70 in epoch 2), "
        "validation accuracy 70.0%."
    )


def test_live_curves_follow_the_training(monkeypatch):
    shown = []
    monkeypatch.setattr(
        plots, "display", lambda picture, display_id: type("Handle", (), {"update": shown.append})()
    )
    plots.LiveCurves()(None, curves())
    assert "after 2 epochs" in shown[0].alt
