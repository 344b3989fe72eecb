"""The bug clinic of lesson 06: every patient trains as badly as the lesson says, and its probe, and only a fitting
one, finds it. The healthy trainings pass all probes."""

from functools import cache

import numpy as np
import pytest

from nnlib.course.exercises import clinic
from nnlib.cuda import ArgumentError, LaunchError
from nnlib.ops.kernels import kernel

CHANCE = float(np.log(10))
HEALTHY = [clinic.Healthy, clinic.HealthyAdam]
GRADIENT_WRONG = [clinic.MeanForgotten, clinic.DividedTwice, clinic.TransposedWeights, clinic.WrongMask,
                  clinic.NeverLaunched]
GRADIENT_RIGHT = [clinic.StaleGradients, clinic.ShiftedLabels, clinic.WrongType, clinic.CountedPerLayer]


@cache
def trained(case):
    """(mean loss of each of the six epochs, accuracy)."""
    run = case().train()
    return np.reshape(run.losses, (6, -1)).mean(axis=1), run.accuracy


@pytest.mark.parametrize(("case", "loss", "share"), [(clinic.Healthy, 0.25, 0.85), (clinic.HealthyAdam, 0.7, 0.6)])
def test_healthy_trainings_learn(case, loss, share):
    losses, accuracy = trained(case)
    assert losses[-1] < loss
    assert accuracy > share


@pytest.mark.parametrize("case", [clinic.TransposedWeights, clinic.WrongMask, clinic.WrongType])
def test_these_stay_at_chance(case):
    losses, accuracy = trained(case)
    assert abs(losses[-1] - CHANCE) < 0.05
    assert accuracy < 0.2


def test_a_forgotten_mean_explodes_and_stays_at_chance():
    losses, accuracy = trained(clinic.MeanForgotten)
    assert not losses[0] < 1000  # NaN counts as exploded
    assert not losses[-1] < CHANCE - 0.1
    assert accuracy < 0.2


def test_dividing_twice_learns_slowly_and_smoothly():
    losses, _ = trained(clinic.DividedTwice)
    assert (np.diff(losses) < 0).all()
    assert 1 < losses[-1] < CHANCE - 0.5


def test_stale_gradients_jump_about():
    losses, accuracy = trained(clinic.StaleGradients)
    assert max(clinic.StaleGradients().train(1).losses) > 4
    assert losses[-1] > CHANCE
    assert accuracy < 0.2


def test_shifted_labels_learn_a_little_and_are_worse_than_guessing():
    losses, accuracy = trained(clinic.ShiftedLabels)
    assert 1.7 < losses[-1] < CHANCE - 0.1
    assert accuracy < 0.08


def test_a_launch_that_never_ran_looks_almost_well():
    losses, accuracy = trained(clinic.NeverLaunched)
    healthy_losses, healthy_accuracy = trained(clinic.Healthy)
    assert 0.25 < losses[-1] < 0.5 and losses[-1] > 1.5 * healthy_losses[-1]
    assert 0.75 < accuracy < healthy_accuracy


def test_counting_per_layer_trains_worse_than_counting_steps():
    # Rounding alone, which differs between machines, changes one such training; three together tell.
    wrong, right = ([case(seed).train() for seed in range(3)] for case in (clinic.CountedPerLayer, clinic.HealthyAdam))
    end = np.mean([run.losses[-60:] for run in wrong])
    assert end > 1.6 * np.mean([run.losses[-60:] for run in right])
    assert end > 0.6
    assert np.mean([run.accuracy for run in wrong]) < np.mean([run.accuracy for run in right])


@pytest.mark.parametrize("case", HEALTHY + GRADIENT_RIGHT)
def test_right_gradients_pass_the_gradient_probe(case):
    for cosine, length in clinic.gradients(case()).values():
        assert cosine == pytest.approx(1, abs=1e-5)
        assert length == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize(("case", "factor"), [(clinic.MeanForgotten, 50), (clinic.DividedTwice, 1 / 50)])
def test_a_factor_shows_in_the_length_alone(case, factor):
    for cosine, length in clinic.gradients(case()).values():
        assert cosine == pytest.approx(1, abs=1e-5)
        assert length == pytest.approx(factor, rel=1e-4)


@pytest.mark.parametrize(("case", "wrong"), [(clinic.TransposedWeights, ["layer 0"]),
                                             (clinic.WrongMask, ["layer 0", "layer 2"]),
                                             (clinic.NeverLaunched, ["layer 0"])])
def test_a_wrong_formula_shows_in_the_cosine_of_the_layers_below(case, wrong):
    cosines = {name: cosine for name, (cosine, _) in clinic.gradients(case()).items()}
    assert [name for name, cosine in cosines.items() if cosine < 0.9] == wrong


@pytest.mark.parametrize("case", [*HEALTHY, *GRADIENT_WRONG, clinic.StaleGradients, clinic.ShiftedLabels,
                                  clinic.WrongType, clinic.CountedPerLayer])
def test_only_stale_gradients_grow_when_repeated(case):
    expected = 2 if case is clinic.StaleGradients else 1
    assert clinic.twice(case()) == pytest.approx(expected, rel=1e-5)


def test_movement_shows_the_layer_that_stands_still():
    moved = clinic.movement(clinic.NeverLaunched())
    assert moved["layer 0"] == 0 and min(moved["layer 2"], moved["layer 4"]) > 0
    assert min(clinic.movement(clinic.Healthy()).values()) > 0


def test_movement_shows_that_adam_was_counted_wrong():
    assert list(clinic.movement(clinic.HealthyAdam()).values()) == pytest.approx([1] * 6, rel=1e-3)
    moved = list(clinic.movement(clinic.CountedPerLayer()).values())
    assert moved[0] == pytest.approx(1, rel=1e-3)
    assert max(moved[1:]) < 0.7


def test_the_silent_errors_are_not_silent_in_nnlib():
    weight_gradient = kernel("linear", "linear_backward_weight_naive")
    dy, x, dw = np.ones((2, 3), np.float32), np.ones((2, 4), np.float32), np.zeros((3, 4), np.float32)
    with pytest.raises(LaunchError, match="4096"):
        weight_gradient((1, 1), (16, 16, 16), (dy, x, dw, 2, 4, 3))
    with pytest.raises(ArgumentError, match="float64"):
        weight_gradient((1, 1), (16, 16), (dy, x.astype(np.float64), dw, 2, 4, 3))


def test_shifted_labels_are_those_of_the_neighbour():
    chosen = np.arange(20, 30)
    _, right = clinic.Healthy().batch(chosen)
    _, wrong = clinic.ShiftedLabels().batch(chosen)
    assert (wrong[1:] == right[:-1]).all() and (wrong != right).any()


def test_a_wrong_type_keeps_shape_and_type_and_loses_the_picture():
    pixels = clinic.digits().train.inputs[:4]
    right, wrong = clinic.Healthy().inputs(pixels), clinic.WrongType().inputs(pixels)
    assert (wrong.shape, wrong.dtype) == (right.shape, right.dtype)
    assert not wrong.ravel()[0::2].any()  # the low halves of exact doubles
    assert right.ravel()[0::2].any()
