"""Measure predictions: accuracy, confusion matrix, precision and recall per class. Lesson 07."""

import numpy as np

from nnlib import device
from nnlib.device import Array


def accuracy(predicted: Array, labels: Array) -> float:
    """Share of predicted classes (N,) equal to the labels (N,), 0 to 1.

    >>> accuracy([7, 2, 1, 0], labels=[7, 2, 1, 6])
    0.75
    """
    predicted, labels = _classes(predicted, labels)
    return float((predicted == labels).mean())


def confusion_matrix(predicted: Array, labels: Array, classes: int | None = None) -> np.ndarray:
    """Return how often class i (row) was taken for class j (column): int64 (classes, classes).

    `classes` defaults to one more than the largest number seen. Raises ValueError for a class outside.

    >>> confusion_matrix([0, 1, 1, 2], labels=[0, 0, 1, 2])  # one 0 was taken for a 1
    array([[1, 1, 0],
           [0, 1, 0],
           [0, 0, 1]])
    """
    predicted, labels = _classes(predicted, labels)
    largest = int(max(predicted.max(), labels.max()))
    classes = largest + 1 if classes is None else classes
    if largest >= classes or min(predicted.min(), labels.min()) < 0:
        raise ValueError(
            f"predictions and labels must be 0 to {classes - 1}, there are "
            f"{min(predicted.min(), labels.min())} to {largest}"
        )
    return np.bincount(labels * classes + predicted, minlength=classes * classes).reshape(
        classes, classes
    )


def precision_recall(matrix: Array) -> tuple[np.ndarray, np.ndarray]:
    """Return, per class, from a confusion matrix: of those called so, how many are; of those that are, how many were found.

    Both (classes,), 0 to 1; NaN for a class that was never predicted (precision) or never occurs (recall).

    >>> precision, recall = precision_recall([[6, 2], [0, 4]])  # two of class 0 were taken for 1
    >>> precision.round(2), recall.round(2)
    (array([1.  , 0.67]), array([0.75, 1.  ]))
    """
    matrix = np.asarray(matrix, np.float64)
    right, called, present = matrix.diagonal(), matrix.sum(axis=0), matrix.sum(axis=1)
    precision = np.divide(right, called, out=np.full_like(right, np.nan), where=called > 0)
    recall = np.divide(right, present, out=np.full_like(right, np.nan), where=present > 0)
    return precision, recall


def _classes(predicted: Array, labels: Array) -> tuple[np.ndarray, np.ndarray]:
    predicted, labels = (_whole(device.to_host(array).reshape(-1)) for array in (predicted, labels))
    if len(predicted) != len(labels):
        raise ValueError(f"{len(predicted)} predictions, but {len(labels)} labels")
    if not len(labels):
        raise ValueError("no predictions to judge: the set is empty")
    return predicted, labels


def _whole(classes: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        numbers = classes.astype(np.intp)
    if (numbers != classes).any():
        raise ValueError(
            "classes are whole numbers; nnlib.training.classify tells which ones a network's outputs mean"
        )
    return numbers
