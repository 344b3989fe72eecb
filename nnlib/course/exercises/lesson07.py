"""What lesson 07 asks for, and the usual mistakes."""

import numpy as np

from nnlib.course.exercises.checking import FunctionExercise

FunctionExercise("07.normalise", reference=lambda pixels, mean, std: (pixels / 255 - mean) / std,
                 inputs=lambda rng: [(rng.integers(0, 256, (2, 3), np.uint8), 0.13, 0.31),
                                     (np.array([0, 255], np.uint8), 0.5, 0.5)],
                 mistakes={"the mean and std are those of pixel / 255": lambda p, mean, std: (p - mean) / std,
                           "divide by 255 first: the mean and std are those of pixel / 255":
                           lambda p, mean, std: (p - mean) / std / 255,
                           "the highest pixel is 255, not 256": lambda p, mean, std: (p / 256 - mean) / std,
                           "subtract the mean first, then divide": lambda p, mean, std: p / 255 / std - mean,
                           "brackets: std divides the whole difference": lambda p, mean, std: p / 255 - mean / std,
                           "the mean is missing": lambda p, mean, std: p / 255 / std,
                           "the standard deviation is missing": lambda p, mean, std: p / 255 - mean,
                           "divide by std, do not multiply": lambda p, mean, std: (p / 255 - mean) * std,
                           "// drops the fraction: use /": lambda p, mean, std: (p // 255 - mean) / std,
                           "mean and std are exchanged": lambda p, mean, std: (p / 255 - std) / mean,
                           "use the mean and std you are given: they belong to the training images":
                           lambda p, mean, std: (p - p.mean()) / p.std()})

FunctionExercise("07.steps", reference=lambda examples, batch_size, epochs: epochs * -(-examples // batch_size),
                 inputs=[(60_000, 64, 5), (91, 30, 3), (64, 32, 2), (10, 64, 4)],
                 mistakes={"the last, smaller batch of an epoch is a step as well: round up":
                           lambda n, size, epochs: epochs * (n // size),
                           "round up in every epoch: no batch reaches into the next one":
                           lambda n, size, epochs: -(-n * epochs // size),
                           "a step is whole, and no batch reaches into the next epoch: round up in every epoch":
                           lambda n, size, epochs: n * epochs / size,
                           "round up, and in every epoch": lambda n, size, epochs: n * epochs // size,
                           "every epoch has a last, smaller batch, not only one": lambda n, size, epochs:
                           epochs * (n // size) + 1,
                           "that is one epoch": lambda n, size, epochs: -(-n // size),
                           "a step is a batch, not an image": lambda n, size, epochs: epochs * n,
                           "a batch that fits exactly leaves no rest: do not always add one":
                           lambda n, size, epochs: epochs * (n // size + 1)})


def _confusion(predicted, labels, classes):
    matrix = np.zeros((classes, classes), np.int64)
    np.add.at(matrix, (labels, predicted), 1)
    return matrix


def _hits(predicted, labels, classes):
    right = predicted == labels
    return _confusion(predicted[right], labels[right], classes)


def _misses(predicted, labels, classes):
    return _confusion(predicted, labels, classes) - _hits(predicted, labels, classes)


def _all_pairs(predicted, labels, classes):
    return np.outer(np.bincount(labels, minlength=classes), np.bincount(predicted, minlength=classes))


def _once(predicted, labels, classes):
    return np.minimum(_confusion(predicted, labels, classes), 1)


FunctionExercise("07.confusion", reference=_confusion,
                 inputs=[(np.array([0, 1, 1, 2, 1]), np.array([0, 0, 1, 1, 0]), 3), (np.array([3]), np.array([1]), 5)],
                 mistakes={"rows are true classes, columns are predicted ones": lambda p, y, n: _confusion(p, y, n).T,
                           "matrix[labels, predicted] += 1 counts a repeated pair once; use np.add.at or a loop": _once,
                           "mistakes belong into it too, off the diagonal": _hits,
                           "hits belong into it too, on the diagonal": _misses,
                           "[[0] * classes] * classes is one row many times: use np.zeros((classes, classes), int)":
                           lambda p, y, n: np.tile(np.bincount(p, minlength=n), (n, 1)),
                           "one pair at a time: matrix[label, guess], with the label of this pair":
                           lambda p, y, n: np.bincount(p, minlength=n) * np.isin(np.arange(n), y)[:, None],
                           "count; do not divide": lambda p, y, n: _confusion(p, y, n) / len(p),
                           "a loop in a loop pairs everything with everything: use one loop with zip": _all_pairs,
                           "return after the loop, not in it": lambda p, y, n: _confusion(p[:1], y[:1], n)})


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


def _never_reset(losses, patience):
    waited = 0
    for epoch, loss in enumerate(losses):
        waited += epoch > 0 and loss >= min(losses[:epoch])
        if waited == patience:
            return epoch + 1
    return len(losses)


def _equal_is_better(losses, patience):
    return _epochs([loss - 1e-9 * epoch for epoch, loss in enumerate(losses)], patience)


def _first_waits(losses, patience):
    return _epochs([losses[0], *losses], patience) - 1


FunctionExercise("07.patience", reference=_epochs,
                 inputs=[([0.9, 0.5, 0.7, 0.6, 0.6, 0.65, 0.4], 3), ([0.5, 0.6, 0.55, 0.5], 2), ([0.5, 0.4, 0.3], 1),
                         ([0.9, 0.95, 0.8, 0.85, 0.7], 2), ([0.5, 0.8, 0.9, 0.95], 2), ([0.5, 0.5, 0.5, 0.4], 2),
                         ([2.3, 1.9, 2.5, 1.5, 1.2], 2)],
                 mistakes={"compare with the best loss so far, not with the epoch before": _since_last,
                           "count epochs: the first one is number 1": lambda v, p: _epochs(v, p) - 1,
                           "stop as soon as there were `patience` epochs without a new best":
                               lambda v, p: _epochs(v, p + 1),
                           "a new best sets the waiting back to 0": _never_reset,
                           "that is the best epoch; training ends `patience` epochs later":
                               lambda v, p: v.index(min(v[:_epochs(v, p)])) + 1,
                           "it never stops early: does the waiting reach `patience`, is the return inside the loop?":
                               lambda v, p: len(v),
                           "later epochs are not known yet: compare with the best loss so far":
                               lambda v, p: min(len(v), v.index(min(v)) + 1 + p),
                           "the first epoch is the best so far, nobody waits yet: begin with best = float('inf')":
                               _first_waits,
                           "the best epoch does not wait: a new best sets the waiting back to 0, not to 1":
                               lambda v, p: _epochs(v, p - 1),
                           "return the number of the epoch, not how long was waited":
                               lambda v, p: p if _epochs(v, p) < len(v) else len(v),
                           "wait for `patience` epochs, not for one": lambda v, p: _epochs(v, 1),
                           "a loss may be larger than 1: begin with best = float('inf')":
                               lambda v, p: _epochs([1, *v], p) - 1,
                           "no epoch ever counts as better: begin with best = float('inf'), and smaller is better":
                               lambda v, p: min(len(v), p),
                           "an equal loss is not better: use <": _equal_is_better})


def _drawings(rng):
    """A faint stroke with a heavy end, in three places; the centre lies between pixels, each time elsewhere."""
    image = np.zeros((28, 28), np.uint8)
    image[6:20, 9:13] = rng.integers(20, 60, (14, 4))
    image[17:20, 9:19] = 255
    drawings = [np.roll(image, shift, (0, 1)) for shift in [(-5, 6), (4, -7), (0, 3)]]
    for more, drawing in enumerate(drawings):
        drawing[21:23, :9 * more] = 120
    return [(drawing,) for drawing in drawings]


def _moved(centre, sign=1, swap=False, target=14, whole=round, axes=(0, 1)):
    def move(image):
        row, column = centre(image)
        shift = (whole(sign * (target - row)), whole(sign * (target - column)))
        shift = shift[::-1] if swap else shift
        return np.roll(image, sum(shift) if axes is None else [shift[axis] for axis in axes], axes)
    return move


def _mass(image):
    image = image.astype(float)
    return tuple((image.sum(axis) * np.arange(28)).sum() / image.sum() for axis in (1, 0))


def _box(image):
    return tuple((np.flatnonzero(image.any(axis))[[0, -1]]).mean() for axis in (1, 0))


def _undivided(image):
    return tuple(float((image.sum(axis, dtype=int) * np.arange(28)).sum()) for axis in (1, 0))


FunctionExercise("07.centre", reference=_moved(_mass), inputs=_drawings,
                 mistakes={"the centre of the bounding box is not the centre of mass: weigh rows by their ink":
                           _moved(_box),
                           "bright pixels weigh more than faint ones: sum the values, do not count pixels":
                           _moved(lambda image: _mass(image > 0)),
                           "rows and columns are exchanged: image.sum(axis=1) is the ink of each row":
                           _moved(_mass, swap=True),
                           "it moves the wrong way: 14 minus the centre": _moved(_mass, sign=-1),
                           "move by the distance to 14, not by the centre itself": _moved(_mass, target=0),
                           "14 is asked for, not 13.5, and round, not floor": _moved(_mass, target=13.5),
                           "the shift loses its fraction: use round(14 - row)": _moved(_mass, whole=int),
                           "columns have a centre, too: shift along both axes": _moved(_mass, axes=(0,)),
                           "rows have a centre, too: shift along both axes": _moved(_mass, axes=(1,)),
                           "without axis=(0, 1), np.roll takes the image as one long row": _moved(_mass, axes=None),
                           "divide by all the ink, image.sum()": _moved(_undivided),
                           "a mean weighted by ink: divide by all the ink, image.sum(), not by 28":
                           _moved(lambda image: tuple(centre / 28 for centre in _undivided(image)))})
