"""What the clinic says, word for word, of findings made up for it; what cures at its borders. Nothing is trained."""

import numpy as np
import pytest

from nnlib.course import clinic
from nnlib.course.clinic import case as cases
from nnlib.course.clinic import findings, judging, machine, probes
from nnlib.course.clinic.case import _diagnosis, _drawn
from nnlib.course.clinic.findings import PROBES, Finding
from nnlib.course.clinic.patients import DIAGNOSES, PATIENTS, SEEDS, WARDS
from nnlib.course.clinic.training import Training, program
from nnlib.course.pictures.style import Picture

LARGE = next(patient for patient in PATIENTS if patient.diagnosis.endswith("large"))
NARROW = program(WARDS["narrow"], 2)
EIGHT = program(WARDS["narrow"], 8)


def run(end, accuracy=0.125):
    return Training((9.0,) * 160 + (end,) * 20, accuracy)


def found(name, monkeypatch, patient, healthy=None, probe=None):
    """The text of a probe's finding, where the look itself gives these numbers for program 2 and program 8."""
    monkeypatch.setattr(
        probes, probe or name, lambda chosen, *_: patient if chosen == NARROW else healthy
    )
    return PROBES[name].look(NARROW, EIGHT).text.split("\n")


def test_gradients_layer_by_layer(monkeypatch):
    lines = found(
        "gradients", monkeypatch, [(0.994, 0.01234), (-1.0, 0.1), (1.0, 64.0), (1, 0.0996)]
    )
    assert lines[0].endswith("Healthy: cosine 1.00 and length 1.00 in every layer.")
    assert [line.split() for line in lines[1:]] == [
        ["cosine", "length"],
        ["layer", "0", "(first)", "0.99", "0.0123"],
        ["layer", "1", "-1.00", "0.10"],
        ["layer", "2", "1.00", "64.00"],
        ["layer", "3", "(last)", "1.00", "0.0996"],
    ]
    assert (
        lines[2] == "layer 0 (first)   0.99     0.0123"
        and lines[1] == "                  cosine   length"
    )


def test_each_probe_in_numbers(monkeypatch):
    assert found("twice", monkeypatch, 1.996)[1] == "Healthy: 1.00. Patient: 2.00"
    lines = found("movement", monkeypatch, [0.0004, 0.98], [1.0, 0.9996])
    assert (
        lines[0]
        == "Largest change of a weight in the first step, divided by the learning rate. With gradient descent it depends "
        "on the seed, too."
    )
    assert [line.split() for line in lines[1:]] == [
        ["patient", "healthy"],
        ["layer", "0", "(first)", "0.000", "1.000"],
        ["layer", "1", "(last)", "0.980", "1.000"],
    ]
    lines = found("one_batch", monkeypatch, (2.31, 0.000123), (2.3, 0.5))
    assert lines[0].startswith("150 steps on the same batch: can it memorise 64 images?")
    assert [line.split() for line in lines[1:]] == [
        ["loss", "first", "last"],
        ["patient", "2.31", "0.00012"],
        ["healthy", "2.30", "0.5"],
    ]
    lines = found(
        "rates",
        monkeypatch,
        {0.02: (99.99, 0.5), 10: (100.0, 0.09)},
        {0.02: (1, 1), 10: (float("inf"), 0)},
    )
    assert lines[2:] == [
        "0.02 times the rate   99.99      50%     1.00            100%",
        "10 times the rate     over 100   9%      over 100        0%",
    ]
    lines = found("seeds", monkeypatch, [(0.25, 0.75), (2, 0.5)])
    assert [line.split() for line in lines[1:]] == [
        ["loss", "right"],
        ["another", "seed,", "1", "0.25", "75%"],
        ["another", "seed,", "2", "2.00", "50%"],
    ]


def test_ten_images_in_numbers_and_words(monkeypatch):
    shown, spoilt = np.arange(10), np.zeros((10, 28, 28), np.float32)
    images = spoilt.copy()
    images[:, :14] = 1.5
    drawn = []
    monkeypatch.setattr(
        findings,
        "image_row",
        lambda row, width: drawn.append(list(row)) or Picture("<svg/>", "images"),
    )
    assert found("batch", monkeypatch, (spoilt, shown, shown), (images, shown, shown))[1:] == [
        "Healthy: numbers from 0.00 to 1.50, 50 % are 0.",
        "Patient: numbers from 0.00 to 0.00, 100 % are 0.",
    ]
    assert (
        "They cannot be recognised; the labels say 0 1 2"
        in PROBES["batch"].look(NARROW, EIGHT).picture.alt
    )
    found("batch", monkeypatch, (images, shown[::-1], shown), (images, shown, shown))
    assert (
        "They show 0 1 2 3 4 5 6 7 8 9; the labels say 9 8"
        in PROBES["batch"].look(NARROW, EIGHT).picture.alt
    )
    assert drawn[0][:2] == ["label 0", "label 1"] and drawn[-1][:2] == ["label 9", "label 8"]


def test_a_finding_is_shown_with_its_picture_and_without():
    plain, drawn = Finding("a < b"), Finding("a", Picture("<svg/>", "two curves"))
    assert plain.html() == '<div class="nn-clinic"><pre>a &lt; b</pre></div>'
    assert plain._repr_mimebundle_()["text/plain"] == "a < b"
    assert (
        "<img" in drawn.html()
        and drawn._repr_mimebundle_()["text/plain"] == "a\nFigure: two curves"
    )


DOORS = {
    "narrow": "784 → 16 → 16 → 10 with ReLU, gradient descent",
    "wide": "784 → 64 → 64 → 10 with ReLU, gradient descent",
    "deep": "784 → 64 → 64 → 64 → 64 → 64 → 10 with ReLU, Adam",
}


@pytest.mark.parametrize("ward", DOORS)
def test_the_door_and_the_settings(ward, monkeypatch):
    number = next(number for number in range(99) if _drawn(number)[1] == ward)
    monkeypatch.setattr(
        cases, "train", lambda chosen: run(1, 0.915 if chosen.names["settings"]()[0] == 2 else 0.5)
    )
    monkeypatch.setattr(cases, "curve", lambda *_: None)
    case = clinic.admit(number)
    case._ill = case._should = program(WARDS[ward], 185)
    assert case.chart().text == (
        f"Patient {number}: {DOORS[ward]}, batches of 64.\n"
        "50% of the test digits are classified correctly, and 92% in a healthy training.\n"
        "The healthy training has seed 2, and the patient may have another one."
    )
    rate = {"narrow": 0.05, "wide": 0.1, "deep": 0.02}[ward]
    assert program(WARDS[ward], 37).names["settings"]() == (37, rate)
    assert program(WARDS[ward], 3, LARGE).names["settings"]() == (
        3,
        pytest.approx(rate * LARGE.rate),
    )
    assert NARROW.with_settings(rate=0.25).names["settings"]() == (2, 0.25)
    assert (case.minutes, case.illness, case.cured) == (0, None, False)


def test_how_a_run_ends():
    assert run(0.5).end == 0.5 and Training(
        (1.0,) * 160 + (3.0,) + (1.0,) * 19, 0
    ).end == pytest.approx(1.1)
    assert Training((1.0,) * 179 + (np.nan,), 0).end == np.inf


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
    for end, refused in ((1.5 * goal + 0.149, False), (1.5 * goal + 0.151, True)):
        monkeypatch.setattr(
            judging,
            "train",
            lambda chosen, end=end: run(goal if "seed = 2\n" in chosen.text else end),
        )
        said = judging.complaint(EIGHT, EIGHT, LARGE)
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


def test_a_label_file_begins_as_idx_does():
    assert (
        machine.label_file()[:8].tolist() == [0, 0, 8, 1, 0, 0, 5, 0]
        and len(machine.label_file()) == 1288
    )
    assert np.array_equal(machine.label_file()[8:], machine.digits().train.labels[:1280])


def test_what_the_probes_look_at():
    seen, given, shown = probes.batch(NARROW)
    assert np.array_equal(given, shown) and np.array_equal(
        shown, machine.digits().train.labels[12:22]
    )
    assert np.allclose(
        seen.reshape(10, -1), machine.digits().train.inputs[12:22].reshape(10, -1) / 128
    )
    bench = probes.Bench(NARROW, size=20)
    assert (
        bench.x.shape == (20, 784)
        and bench.rate == 0.05
        and bench.memory == {"steps": 0, "arrays": 0}
    )
    assert len(SEEDS) == len(set(SEEDS)) == 12


def test_which_rates_and_seeds_are_tried(monkeypatch):
    def train(chosen):
        seed, rate = chosen.names["settings"]()
        return run(rate, seed)

    monkeypatch.setattr(probes, "train", train)
    assert probes.rates(NARROW) == {
        factor: (pytest.approx(0.05 * factor), 2) for factor in (0.02, 0.1, 1, 10, 50)
    }
    assert probes.seeds(NARROW) == [(pytest.approx(0.05), seed) for seed in SEEDS[1:5]]
    assert [seed for _, seed in probes.seeds(NARROW.with_settings(seed=SEEDS[2]))] == [
        *SEEDS[:2],
        *SEEDS[3:5],
    ]
    assert [seed for _, seed in probes.seeds(EIGHT)] == list(SEEDS[:4])
