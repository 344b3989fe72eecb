"""What lesson 07 asks for, and the usual mistakes."""

import numpy as np

from ..checking import FunctionExercise

FunctionExercise("07.normalise", reference=lambda pixels, mean, std: ((pixels / 255 - mean) / std).astype(np.float32),
                 inputs=lambda rng: [(rng.integers(0, 256, (2, 3), np.uint8), 0.13, 0.31),
                                     (np.array([0, 255], np.uint8), 0.5, 0.5)],
                 mistakes={"the mean and std are those of pixel / 255": lambda p, mean, std: (p - mean) / std,
                           "subtract the mean first, then divide": lambda p, mean, std: p / 255 / std - mean,
                           "the mean is missing": lambda p, mean, std: p / 255 / std,
                           "divide by std, do not multiply": lambda p, mean, std: (p / 255 - mean) * std})


def _confusion(predicted, labels, classes):
    matrix = np.zeros((classes, classes), np.int64)
    np.add.at(matrix, (labels, predicted), 1)
    return matrix


def _hits(predicted, labels, classes):
    right = predicted == labels
    return _confusion(predicted[right], labels[right], classes)


def _once(predicted, labels, classes):
    matrix = np.zeros((classes, classes), np.int64)
    matrix[labels, predicted] += 1
    return matrix


FunctionExercise("07.confusion", reference=_confusion,
                 inputs=[(np.array([0, 1, 1, 2, 1]), np.array([0, 0, 1, 2, 0]), 3), (np.array([3]), np.array([1]), 4)],
                 mistakes={"rows are true classes, columns are predicted ones": lambda p, y, n: _confusion(p, y, n).T,
                           "matrix[labels, predicted] += 1 counts a repeated pair once; use np.add.at or a loop": _once,
                           "mistakes belong into it too, off the diagonal": _hits})


def _epochs(losses, patience):
    best = 0
    for epoch, loss in enumerate(losses):
        if loss < losses[best]:
            best = epoch
        if epoch - best >= patience:
            return epoch + 1
    return len(losses)


def _since_last(losses, patience):
    worse = 0
    for epoch in range(1, len(losses)):
        worse = worse + 1 if losses[epoch] >= losses[epoch - 1] else 0
        if worse >= patience:
            return epoch + 1
    return len(losses)


FunctionExercise("07.patience", reference=_epochs,
                 inputs=[([0.9, 0.5, 0.7, 0.6, 0.6, 0.65, 0.4], 3), ([0.5, 0.6, 0.55, 0.5], 2), ([0.5, 0.4, 0.3], 1)],
                 mistakes={"compare with the best loss so far, not with the epoch before": _since_last,
                           "count epochs: the first one is number 1": lambda v, p: _epochs(v, p) - 1,
                           "stop as soon as there were `patience` epochs without a new best":
                               lambda v, p: _epochs(v, p + 1)})
