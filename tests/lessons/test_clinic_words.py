"""What the clinic says, word for word, of findings made up for it; what cures at its borders. Nothing is trained."""

import pytest

from nnlib.course.clinic import judging, probes
from nnlib.course.clinic.case import _diagnosis
from nnlib.course.clinic.patients import DIAGNOSES, PATIENTS, WARDS
from nnlib.course.clinic.training import Training, program

NARROW = program(WARDS["narrow"], 2)
EIGHT = program(WARDS["narrow"], 8)


def run(end, accuracy=0.125):
    return Training((9.0,) * 160 + (end,) * 20, accuracy)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("a", DIAGNOSES[0]),
        ("(B)", DIAGNOSES[1]),
        (" c. ", DIAGNOSES[2]),
        ("z", None),
        ("", None),
        ("the mask", "the mask of ReLU comes from the wrong tensor"),
        ("the", None),
        ("the ", None),
        ("the learning rate is", None),
        ("adam", "Adam counts its steps wrongly"),
        ("ada", None),
        ("ADAM COUNTS", "Adam counts its steps wrongly"),
        ("learning rate", None),
        (None, None),
        (3, None),
    ],
)
def test_what_a_diagnosis_may_be(said, meant):
    assert _diagnosis(said) == meant


@pytest.mark.parametrize("goal", [0.3, 0.0])
def test_a_setting_is_good_up_to_a_border(goal, monkeypatch):
    rate = next(patient for patient in PATIENTS if patient.diagnosis.endswith("large"))
    for end, refused in ((1.5 * goal + 0.149, False), (1.5 * goal + 0.151, True)):
        monkeypatch.setattr(
            judging,
            "train",
            lambda chosen, end=end: run(goal if "seed = 2\n" in chosen.text else end),
        )
        said = judging.complaint(EIGHT, EIGHT, rate)
        assert said == (
            f"it ends at a loss of {end:.2f}, and a healthy training near {goal:.2f}"
            if refused
            else None
        )


def complaint(monkeypatch, of_size, again=1):
    """Return what is said where the probes find these gradients of layer 1, by the size of the batch."""
    monkeypatch.setattr(probes, "twice", lambda chosen: again)
    monkeypatch.setattr(
        probes, "gradients", lambda chosen, size: [(1, 1), of_size.get(size, (1, 1))]
    )
    return judging._gradients(NARROW)


@pytest.mark.parametrize(
    ("pair", "refused"),
    [
        ((1, 1), False),
        ((0.9991, 1.0), False),
        ((0.998, 1.0), True),
        ((1, 1.009), False),
        ((1, 0.991), False),
        ((1, 1.011), True),
        ((1, 0.989), True),
        ((-1, 1), True),
        ((float("nan"), 1), True),
        ((1, float("nan")), True),
    ],
)
def test_gradients_are_right_up_to_a_border(pair, refused, monkeypatch):
    for wrong in (64, 20):
        said = complaint(monkeypatch, {wrong: pair})
        assert said == (
            f"with a batch of {wrong}, layer 1 has a gradient with cosine {pair[0]:.2f} and length {pair[1]:.3g}"
            if refused
            else None
        )
    for again, right in ((1.009, True), (0.991, True), (1.011, False), (0.989, False), (2, False)):
        said = complaint(monkeypatch, {}, again)
        assert said == (
            None
            if right
            else f"a second backward pass makes the gradient {again:.2f} times as long"
        )
