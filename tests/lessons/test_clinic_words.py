"""What the clinic says, word for word, of findings made up for it; what cures at its borders. Nothing is trained."""

import pytest

from nnlib.course import clinic
from nnlib.course.clinic import case as cases
from nnlib.course.clinic import findings, judging, probes
from nnlib.course.clinic.case import _diagnosis, _drawn
from nnlib.course.clinic.findings import PROBES, Finding
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


def _other(number):
    """A diagnosis that this patient does not have."""
    return next(each for each in DIAGNOSES if each != _drawn(number)[0].diagnosis)


def test_minutes_and_probes_are_counted(monkeypatch):
    monkeypatch.setattr(cases, "_BILLS", {})
    for name in PROBES:
        monkeypatch.setitem(
            PROBES, name, findings.Probe("?", PROBES[name].minutes, lambda *_: Finding(""))
        )
    case, said = clinic.admit(4), []
    for name in PROBES:
        said.append(case.probed_by(name).text.strip())
    assert said == [
        "(1 probe, 1 minute)",
        "(2 probes, 2 minutes)",
        "(3 probes, 8 minutes)",
        "(4 probes, 10 minutes)",
        "(5 probes, 12 minutes)",
        "(6 probes, 14 minutes)",
        "(7 probes, 22 minutes)",
        "(8 probes, 30 minutes)",
    ]
    assert (
        case.menu().text.split("\n")[1].endswith("? (1 min)")
        and f"  a  {DIAGNOSES[0]}\n" in case.menu().text
    )
    right = case._patient
    wrong = next(each for each in DIAGNOSES if each != right.diagnosis)
    assert (
        "and you have run it. A wrong diagnosis costs 30 minutes. 8 probes, 60 minutes."
        in case.diagnosed_as(wrong).text
    )
    clinic.admit(5).probed_by("batch")
    assert (
        "and you have not run it yet. A wrong diagnosis costs 30 minutes. 1 probe, 31 minutes."
        in clinic.admit(5).diagnosed_as(_other(5)).text
    )
    assert clinic.admit(4).minutes == 60  # admitted again, the bill goes on
    assert clinic.admit(4).diagnosed_as(...).text.startswith("No diagnosis yet")
    case.diagnosed_as(right.diagnosis)
    lines = case._ill.listing(right.function)
    for line in (0, len(lines) + 1, "3", 1.0):
        assert case.repaired_by(line, "pass").text.startswith(
            f"The function has lines 1 to {len(lines)}: repair"
        )
    assert (
        case.repaired_by(..., "pass").text.startswith("The diagnosis comes first")
        and case.minutes == 60
    )
    assert case._table().split("\n") == [f"{k:2}  {line}" for k, line in enumerate(lines, 1)]


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
    monkeypatch.setattr(probes, "twice", lambda chosen: 1)
    for wrong in (64, 20):
        monkeypatch.setattr(
            probes,
            "gradients",
            lambda chosen, size, wrong=wrong: [(1, 1), pair if size == wrong else (1, 1)],
        )
        said = judging._gradients(NARROW)
        assert said == (
            f"with a batch of {wrong}, layer 1 has a gradient with cosine {pair[0]:.2f} and length {pair[1]:.3g}"
            if refused
            else None
        )
    monkeypatch.setattr(probes, "gradients", lambda chosen, size: [(1, 1)])
    for again, right in ((1.009, True), (0.991, True), (1.011, False), (0.989, False), (2, False)):
        monkeypatch.setattr(probes, "twice", lambda chosen, again=again: again)
        said = judging._gradients(NARROW)
        assert said == (
            None
            if right
            else f"a second backward pass makes the gradient {again:.2f} times as long"
        )
