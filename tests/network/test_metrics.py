"""Metrics against counts done by hand."""

import numpy as np
import pytest

from nnlib.training import metrics

LABELS = np.array([0, 0, 0, 1, 1, 2])
PREDICTED = np.array([0, 0, 1, 1, 2, 0])


def test_accuracy():
    assert metrics.accuracy(PREDICTED, LABELS) == pytest.approx(3 / 6)
    assert metrics.accuracy(np.array([[True], [False]]), np.array([[1.0], [1.0]])) == 0.5


def test_confusion_matrix_has_true_classes_in_rows():
    assert metrics.confusion_matrix(PREDICTED, LABELS).tolist() == [[2, 1, 0], [0, 1, 1], [1, 0, 0]]
    assert metrics.confusion_matrix(PREDICTED, LABELS, classes=4).shape == (4, 4)
    assert metrics.confusion_matrix([0, 2], labels=[0, 1]).shape == (3, 3)


def test_precision_and_recall():
    precision, recall = metrics.precision_recall(
        metrics.confusion_matrix(PREDICTED, LABELS, classes=4)
    )
    assert precision[:3] == pytest.approx([2 / 3, 1 / 2, 0]) and recall[:3] == pytest.approx(
        [2 / 3, 1 / 2, 0]
    )
    assert np.isnan(precision[3]) and np.isnan(recall[3])


def test_precision_is_by_column_and_recall_by_row():
    precision, recall = metrics.precision_recall([[6, 2], [0, 4]])  # two of class 0 were called 1
    assert precision == pytest.approx([1, 4 / 6]) and recall == pytest.approx([6 / 8, 1])
    # There are only 0s, all were called 1
    precision, recall = metrics.precision_recall([[0, 2], [0, 0]])
    assert np.isnan(precision[0]) and recall[0] == 0 and precision[1] == 0 and np.isnan(recall[1])


def test_errors():
    with pytest.raises(ValueError, match="6 predictions, but 5 labels"):
        metrics.accuracy(PREDICTED, LABELS[:5])
    with pytest.raises(ValueError, match="must be 0 to 1, there are 0 to 2"):
        metrics.confusion_matrix(PREDICTED, LABELS, classes=2)
    with pytest.raises(ValueError, match="must be 0 to 2, there are -1 to 2"):
        metrics.confusion_matrix(PREDICTED - 1, LABELS)
    with pytest.raises(ValueError, match="empty"):
        metrics.accuracy([], [])


@pytest.mark.parametrize("outputs", [[0.9, 0.2], [1.0, np.nan]])
def test_probabilities_are_no_classes(outputs):
    with pytest.raises(ValueError, match="whole numbers"):
        metrics.accuracy(outputs, [1, 0])
