"""Is a repaired program healthy? It is asked what the probes ask, however the line was written."""

from __future__ import annotations

import numpy as np

from nnlib.course.clinic import probes
from nnlib.course.clinic.patients import SEEDS, Patient
from nnlib.course.clinic.training import TrainingProgram, train


@np.errstate(all="ignore")  # what a wrong line divides by zero, its result shows
def complaint(repaired: TrainingProgram, healthy: TrainingProgram, patient: Patient) -> str | None:
    """Return what is still wrong as a sentence, or None if nothing is. Raises what the repaired program raises.

    healthy: the same program without the illness, which for a bad seed is no help: then any good seed is.
    """
    if not patient.wrong:
        return _setting(repaired, healthy.with_settings(seed=SEEDS[0]))
    return (
        _data(repaired, healthy)
        or _windows(repaired, healthy)
        or _gradients(repaired)
        or _left_out(repaired, healthy)
        or _steps(repaired, healthy)
        or _health(repaired, healthy)
    )


def _setting(repaired: TrainingProgram, healthy: TrainingProgram) -> str | None:
    run, goal = train(repaired), train(healthy)
    if run.end <= 1.5 * goal.end + 0.15:
        return None
    return f"it ends at a loss of {run.end:.2f}, and a healthy training near {goal.end:.2f}"


def _health(repaired: TrainingProgram, healthy: TrainingProgram) -> str | None:
    """Compare the loss with that of the healthy program: a loss and a gradient may agree and both be wrong."""
    run, goal = train(repaired), train(healthy)
    if run.accuracy >= goal.accuracy - 0.1:
        return None
    return (
        f"{run.accuracy:.0%} of the test digits are classified correctly, and {goal.accuracy:.0%} in a healthy "
        "training: loss and gradient agree, but the steps do not suit them"
    )


def _data(repaired: TrainingProgram, healthy: TrainingProgram) -> str | None:
    """Compare the data; images may be scaled differently, as long as the network still gets the images."""
    (seen, given, shown), (right, _, _) = probes.batch(repaired), probes.batch(healthy)
    if not np.array_equal(given, shown):
        return (
            f"the first labels are {given[:5].tolist()}, and the images show {shown[:5].tolist()}"
        )
    if seen.shape != right.shape or not np.corrcoef(seen.ravel(), right.ravel())[0, 1] > 0.999:
        return "the network does not get the images"
    return None


def _windows(repaired: TrainingProgram, healthy: TrainingProgram) -> str | None:
    """Compare which pixels the first layer reads: the gradient of a wrong convolution is right."""
    (ours, elsewhere), (right, _) = probes.reads(repaired), probes.reads(healthy)
    if elsewhere == 0 and np.array_equal(ours, right):
        return None
    return (
        f"{np.mean(ours == 0):.0%} of an image's pixels are never read, and {elsewhere:.0%} of what is read "
        "belongs to other images"
    )


def _gradients(repaired: TrainingProgram) -> str | None:
    for size in (64, 20):
        for k, (cosine, length) in enumerate(probes.gradients(repaired, size)):
            if not (cosine >= 0.999 and abs(length - 1) <= 0.01):  # NaN is no gradient either
                return (
                    f"with a batch of {size}, layer {k} has a gradient with cosine {cosine:.2f} and length "
                    f"{length:.3g}"
                )
    again = probes.twice(repaired)
    return (
        None
        if abs(again - 1) < 0.01
        else f"a second backward pass makes the gradient {again:.2f} times as long"
    )


def _left_out(repaired: TrainingProgram, healthy: TrainingProgram) -> str | None:
    """Look for zeros, as too small a launch leaves them, which central differences at the largest entries miss."""
    ours, right = probes.Bench(repaired), probes.Bench(healthy)
    # Images that are scaled differently have zeros of their own
    if not np.array_equal(ours.x, right.x):
        return None
    ours.backpropagate()
    right.backpropagate()
    for k, (dw, whole) in enumerate(zip(ours.net.dw, right.net.dw, strict=True)):
        share = np.mean((dw == 0) & (whole != 0))
        if share > 0.001:
            return f"{share:.0%} of layer {k}'s gradient is 0 and should not be, as if no thread had written there"
    return None


def _steps(repaired: TrainingProgram, healthy: TrainingProgram) -> str | None:
    """Compare the steps of both optimizers for the same three gradients."""
    ours, right = probes.Bench(repaired), probes.Bench(healthy)
    for step in range(1, 4):
        right.backpropagate()
        for of_ours, of_right in zip(
            (ours.net.dw, ours.net.db), (right.net.dw, right.net.db), strict=True
        ):
            of_ours[:] = [each.copy() for each in of_right]
        for bench in (ours, right):
            bench.step()
        for k, (a, b) in enumerate(zip(ours.net.w, right.net.w, strict=True)):
            if not np.allclose(a, b, rtol=1e-3, atol=1e-5):
                return f"step {step} moves layer {k} to other weights than it should"
    return None
