"""The bug clinic: every patient is ill, can be diagnosed from the probes and cured; nothing else names the illness."""

import re
from pathlib import Path

import ipywidgets
import numpy as np
import pytest
from matplotlib.figure import Figure

from nnlib.course import clinic
from nnlib.course.clinic import case as cases
from nnlib.course.clinic import probes
from nnlib.course.clinic.case import FAILED_REPAIR, LETTERS, MISDIAGNOSIS, REFERENCE, _drawn
from nnlib.course.clinic.doctor import examined
from nnlib.course.clinic.findings import PROBES
from nnlib.course.clinic.machine import INVALID_CONFIGURATION, as_floats, label_file, launch
from nnlib.course.clinic.patients import CONVOLUTIONS, DIAGNOSES, PATIENTS, SEEDS, WARDS
from nnlib.course.clinic.training import HEALTHY, program, train
from nnlib.course.pictures import style
from nnlib.cuda import ArgumentError, LaunchError
from nnlib.ops.kernels import kernel
from tests.jupyter import shown

BEDS = [
    pytest.param(patient, ward, id=f"{patient.diagnosis}, {ward}")
    for patient in PATIENTS
    for ward in patient.wards
]
SQUARE = "a matrix is transposed on the way back"
MASK = "the mask of ReLU comes from the wrong tensor"


@pytest.fixture(autouse=True)
def undrawn(monkeypatch):
    """Pictures have their alt text, and take no time: test_pictures.py draws them."""
    monkeypatch.setattr(Figure, "savefig", lambda *_, **__: None)
    monkeypatch.setattr(style, "_lighter", lambda drawing: drawing)


@pytest.fixture(autouse=True)
def no_bills(monkeypatch):
    """Every test opens the clinic anew."""
    monkeypatch.setattr(cases, "_BILLS", {})


def case_of(diagnosis):
    """The first case with that illness, in the ward that trains quickest."""
    ward = next(patient.wards[0] for patient in PATIENTS if patient.diagnosis == diagnosis)
    return next(
        clinic.admit(k)
        for k in (*range(1000), *range(CONVOLUTIONS, 6000))
        if (d := _drawn(k))[0].diagnosis == diagnosis and d[1] == ward
    )


def ill(number):
    """The program of a patient before anybody has repaired it."""
    patient, ward, seed = _drawn(number)
    return program(WARDS[ward], seed, patient)


@pytest.mark.parametrize(("patient", "ward"), BEDS)
def test_every_patient_is_ill_and_can_be_diagnosed(patient, ward):
    few = SEEDS[1:2] if ward == "deep" else SEEDS[1:3]
    for seed in patient.seeds if patient.seeds != SEEDS else few:
        ill, healthy = program(WARDS[ward], seed, patient), program(WARDS[ward], SEEDS[0])
        assert (
            train(ill).end > 1.4 * train(healthy).end
            and train(ill).accuracy < train(healthy).accuracy
        )
        assert examined(ill)[0] == patient.diagnosis


@pytest.mark.parametrize("ward", WARDS)
def test_healthy_trainings_learn_and_pass_all_probes(ward):
    for seed in SEEDS if ward != "deep" else SEEDS[::3]:
        run = train(program(WARDS[ward], seed))
        assert run.end < 0.6 and run.accuracy > 0.7
    healthy = program(WARDS[ward], SEEDS[1])
    for seed in SEEDS:
        assert all(
            np.allclose(probes.gradients(program(WARDS[ward], seed), size), 1, atol=1e-5)
            for size in (64, 20)
        )
    assert probes.twice(healthy) == pytest.approx(1, abs=1e-5)
    assert probes.one_batch(healthy)[1] < 0.2
    assert probes.rates(healthy)[1][0] < 0.6


def test_adam_of_the_healthy_program_is_adam():
    from nnlib.course.clinic.program import Network, adam

    w, dw, first, second = np.array([0.5, -2.0]), np.zeros(2), 0, 0
    wanted, memory = w.copy(), {"steps": 0, "arrays": 0}
    for t, gradient in enumerate(([1.0, -0.5], [0.25, 3.0], [-2.0, 0.0]), 1):
        dw[...] = gradient
        adam(Network([w], [], [dw], [], []), memory, 0.1)
        first = 0.9 * first + 0.1 * dw
        second = 0.999 * second + 0.001 * dw**2
        wanted -= 0.1 * (first / (1 - 0.9**t)) / (np.sqrt(second / (1 - 0.999**t)) + 1e-8)
    np.testing.assert_allclose(w, wanted, rtol=1e-9)


@pytest.mark.parametrize("seed", SEEDS[:6])
def test_a_wrong_direction_does_not_look_like_a_right_one(seed):
    """A few entries of one unit point nearly alike whatever came back: many units are asked."""
    for patient in PATIENTS:
        for ward in patient.wards if patient.diagnosis in (SQUARE, MASK) else ():
            directions = [
                cosine for cosine, _ in probes.gradients(program(WARDS[ward], seed, patient))
            ]
            wrong = directions[:-2] if patient.diagnosis == SQUARE else directions[:-1]
            assert max(wrong) < 0.95


def test_the_teachers_guide_knows_its_patients():
    guide = (Path(__file__).parents[2] / "notebooks" / "TEACHING.md").read_text("utf-8")
    handed = re.sub(r"\s+", " ", guide[guide.index("Some numbers to hand out:") :]).split(". ")[0]
    said = {
        "divided twice": "twice",
        "labels": "labels",
        "never launched": "never",
        "mask": "mask",
        "transposed": "transposed",
        "not divided": "not divided",
        "not cleared": "earlier",
        "type": "type",
        "Adam's steps": "Adam",
        "rate too small": "too small",
        "too large": "too large",
        "seed": "seed",
        "windows on the wrong pixels": "lie on",
        "images mixed": "mixed",
    }
    groups = re.findall(r"([\d and]+?) \(([^)]+)\)", handed)
    assert {words for _, words in groups} == set(said)
    for numbers, words in groups:
        for number in re.findall(r"\d+", numbers):
            assert said[words] in _drawn(int(number))[0].diagnosis, number


def test_a_program_is_one_line_away_from_health():
    for patient in PATIENTS:
        listing = program(WARDS[patient.wards[0]], 0).listing(patient.function)
        assert listing[0].startswith(f"def {patient.function}(")
        if patient.right:
            assert HEALTHY.count(patient.right) == 1 and any(
                patient.right in line for line in listing
            )
    assert len({patient.diagnosis for patient in PATIENTS}) == len(DIAGNOSES) == len(LETTERS)


def test_a_number_is_the_same_patient_everywhere_and_all_come():
    assert [_drawn(k)[0].diagnosis for k in range(3)] == [_drawn(k)[0].diagnosis for k in range(3)]
    numbers = (*range(200), *range(CONVOLUTIONS, CONVOLUTIONS + 100))
    assert {_drawn(k)[0].diagnosis for k in numbers} == set(DIAGNOSES)
    assert {WARDS[_drawn(k)[1]].filters > 0 for k in numbers[200:]} == {True}
    assert clinic.admit(7).chart().text == clinic.admit(7).chart().text
    assert clinic.admit().number >= 1000


@pytest.mark.parametrize("diagnosis", DIAGNOSES)
def test_nothing_but_the_diagnosis_names_the_illness(diagnosis):
    case = case_of(diagnosis)
    patient = _drawn(case.number)[0]
    assert case.menu() == clinic.admit(case.number + 1).menu()
    said = [
        case.chart(),
        *(case.probed_by(name) for name in ("batch", "gradients", "twice", "movement")),
    ]
    text = "\n".join(shown(each)["text/plain"] for each in said) + repr(case)
    for words in (diagnosis, patient.wrong, patient.lesson, patient.shows):
        assert not words or words not in text
    assert diagnosis not in str(
        {key: value for key, value in vars(case).items() if not key.startswith("_")}
    )
    wrong = next(letter for letter, words in LETTERS.items() if words != diagnosis)
    refused = case.diagnosed_as(wrong).text
    assert refused.startswith("No. If ") and diagnosis not in refused and not case.named
    assert "The diagnosis comes first" in case.repaired_by(1, "pass").text


RIGHT = {
    "the gradient is not divided by the batch": [
        "dlogits = (p - onehot) / len(p)",
        "dlogits = (p - onehot) / p.shape[0]",
        "dlogits = p / len(t) - onehot / len(t)",
    ],
    "the gradient is divided by the batch twice": [
        "backward(net, dlogits)",
        "backward(net, dlogits / 1)",
    ],
    SQUARE: ["tiles = w", "tiles = w.T.T", "tiles = np.array(w)"],
    MASK: ["mask = y > 0", "mask = (y != 0)", "mask = np.sign(y)"],
    "gradients of earlier steps are still there": [
        "gradient[...] = value",
        "gradient[:] = value",
        "gradient *= 0; gradient += value",
        "np.copyto(gradient, value)",
    ],
    "labels belong to other images": ["header = 8", "header = 4 + 4"],
    "pixels are read as another type": [
        "x = x.astype(np.float32) / 128",
        "x = np.float32(x) / 128",
        "x = (x / 128).astype('float32')",
        "x = x / np.float32(128)",
        "x = x.astype(np.float32) / 255",
    ],
    "Adam counts its steps wrongly": ['t = memory["steps"]', "t = memory['steps'] * 1"],
    "a kernel is never launched": ["block = (16, 16)", "block = (16, 16, 1)", "block = 32, 32"],
    "the windows lie on the wrong pixels": ["column = 2 * ox + j", "column = j + ox * 2"],
    "windows of different images are mixed": [
        "return columns.reshape(-1, 25)",
        "return columns.reshape(len(columns) * 144, 25)",
        "return columns.swapaxes(0, 0).reshape(-1, 25)",
    ],
    "the learning rate is too small": ["learning_rate = {rate}", "learning_rate = {rate} * 1.3"],
    "the learning rate is too large": ["learning_rate = {rate}", "learning_rate = {rate} / 2"],
    "nothing is wrong but the seed": ["seed = 2", "seed = 185", "seed = 62"],
}
WRONG_REPAIRS = {
    "the gradient is not divided by the batch": [
        ("dlogits = (p - onehot) / 64", "batch of 20"),
        ("dlogits = (onehot - p) / len(p)", "cosine -1.00"),
        ("dlogits = (p - onehot) / 10", "length 6.4"),
    ],
    "the gradient is divided by the batch twice": [
        ("backward(net, dlogits * len(x))", "length 64"),
        ("pass", "length 0"),
    ],
    SQUARE: [
        ("tiles = -w", "cosine -1.00"),
        ("tiles = w.T.copy()", "layer 0 has"),
        ("tiles = w @ w", "layer 0 has"),
    ],
    MASK: [("mask = y >= 0", "layer"), ("mask = dy != 0", "layer"), ("mask = y", "layer")],
    "gradients of earlier steps are still there": [
        ("gradient = value", "length 0"),
        ("gradient += value / 2", "length 0.5"),
        ("gradient -= value", "cosine -1.00"),
    ],
    "labels belong to other images": [
        ("header = 9", "does not run: IndexError"),
        ("header = 6", "and the images show"),
    ],
    "pixels are read as another type": [
        ("x = x.astype(np.float64) / 128", "does not get the images"),
        ("x = x.astype(np.float16) / 128", "does not run"),
        ("x = x // 128", ""),
    ],
    "Adam counts its steps wrongly": [
        ("t = 1", "step 2 moves layer 0"),
        ("t = k + 1", "moves layer"),
        ('t = memory["arrays"] / 12', "moves layer 0"),
    ],
    "a kernel is never launched": [
        ("block = (64, 64)", "length 0"),
        ("block = (32, 32, 2)", "length 0"),
        ("block = (8, 8, 1)", "length"),
        ("block = (256,)", "length"),
    ],
    "the windows lie on the wrong pixels": [
        ("column = ox + 2 * j", "never read"),
        ("column = 2 * ox", "does not run"),
        ("column = 2 * ox + j + 1", "never read"),
    ],
    "windows of different images are mixed": [
        ("return columns.swapaxes(0, 2).reshape(-1, 25)", "belongs to other images"),
        ("return columns.reshape(25, -1).T", "belongs to other images"),
        ("return columns * 0 + n.reshape(-1, 1, 1, 1, 1)", "not healthy"),
    ],
    "the learning rate is too small": [
        ("learning_rate = 1e-6", "it ends at a loss of"),
        ("learning_rate = 50", "it ends"),
    ],
    "the learning rate is too large": [
        ("learning_rate = 30", "it ends at a loss of"),
        ("learning_rate = 1e-7", "it ends"),
    ],
    "nothing is wrong but the seed": [
        ("seed = 36", "it ends at a loss of"),
        ("seed = 299", "it ends at a loss of"),
    ],
}


def line_of(case):
    """Number of the line to repair, and a case whose illness was named."""
    patient, ward, _ = _drawn(case.number)
    if not case.probed:
        case.probed_by("batch")
    said = case.diagnosed_as(patient.diagnosis)
    assert said.text.startswith("Yes: ") and case.named
    mark = patient.wrong or ("seed =" if "seed" in patient.diagnosis else "learning_rate =")
    return next(int(row.split()[0]) for row in said.text.split("\n") if mark in row), WARDS[
        ward
    ].rate


@pytest.mark.parametrize("diagnosis", DIAGNOSES)
def test_right_repairs_cure_however_they_are_written(diagnosis):
    for text in RIGHT[diagnosis]:
        case = case_of(diagnosis)
        line, rate = line_of(case)
        done = case.repaired_by(line, text.format(rate=rate))
        assert case.cured and done.text.startswith("Cured: "), f"{text}: {done.text}"
        assert (
            f"{case.number}: {(diagnosis, line, text.format(rate=rate))!r}" in done.text
            and case.illness == diagnosis
        )
        assert "repaired" in done.picture.alt and _drawn(case.number)[0].lesson in done.text


def test_a_launch_that_leaves_out_weights_does_not_cure():
    case = clinic.admit(5)
    line_of(case)
    done = case.repaired_by(3, "block = (8, 8, 1)")
    assert not case.cured and "of layer 0's gradient is 0 and should not be" in done.text


@pytest.mark.parametrize("diagnosis", DIAGNOSES)
def test_wrong_repairs_are_told_so(diagnosis):
    case = case_of(diagnosis)
    line, _ = line_of(case)
    lines = ill(case.number).listing(_drawn(case.number)[0].function)
    for text, words in [
        *WRONG_REPAIRS[diagnosis],
        (lines[line - 1], "not healthy"),
        ("x = = 1", "not Python"),
        ("nonsense", "does not run: NameError"),
    ]:
        said = case.repaired_by(line, text).text
        assert words in said and not case.cured, f"{text}: {said}"


@pytest.mark.filterwarnings("error")
def test_a_repair_that_divides_by_zero_prints_no_warning():
    case = case_of("Adam counts its steps wrongly")
    line, _ = line_of(case)
    assert "not healthy" in case.repaired_by(line, "t = 0").text


def test_a_line_that_is_wrongly_indented_is_told_without_a_line_that_nobody_sees():
    case = case_of(MASK)
    line_of(case)
    assert case.repaired_by(1, "x").text == "It does not run: IndentationError: unexpected indent."
    assert case.read((MASK, 1, "x")) == "it does not run: IndentationError: unexpected indent"


def test_a_loss_and_a_gradient_that_agree_are_not_yet_a_training():
    """Patient 777's gradient is not divided by the batch; dividing the loss by nothing, either, cures nobody."""
    case = clinic.admit(777)
    line_of(case)
    said = case.repaired_by(5, "loss = -np.log(p[onehot] + 1e-30).sum()").text
    assert not case.cured and "of the test digits are classified correctly, and 9" in said


def test_guessing_costs_more_than_all_probes_together():
    assert sum(probe.minutes for probe in PROBES.values()) <= MISDIAGNOSIS
    case, guess = case_of(MASK), next(words for words in DIAGNOSES if words != MASK)
    for right_or_wrong in (guess, MASK):
        assert case.diagnosed_as(right_or_wrong).text.startswith("Probe first: ")
    assert case.minutes == 0 and not case.named
    case.probed_by("twice")
    case.probed_by("twice")
    case.diagnosed_as(guess)
    line, _ = line_of(case)
    case.repaired_by(line, "mask = y")
    spent = PROBES["twice"].minutes + MISDIAGNOSIS + FAILED_REPAIR
    assert case.minutes == spent and case.probed == ["twice"]
    again = clinic.admit(case.number)
    assert again.minutes == spent and again.named and not again.cured
    again.repaired_by(line, "mask = y > 0")
    for act in (again.probed_by, again.diagnosed_as):
        act("batch" if act == again.probed_by else guess)
    again.repaired_by(line, "mask = y")
    assert case.cured and case.minutes == spent and case.probed == ["twice"]


@pytest.mark.parametrize(
    ("illness", "par"),
    [
        ("labels belong to other images", "1 probe, 1 minute: batch."),
        (MASK, "3 probes, 9 minutes: batch, twice, gradients."),
        ("gradients of earlier steps are still there", "2 probes, 3 minutes: batch, twice."),
        ("windows of different images are mixed", "2 probes, 2 minutes: batch, reads."),
        ("the learning rate is too large", "4 probes, 17 minutes: batch, twice, gradients, rates."),
    ],
)
def test_a_cure_is_compared_with_a_good_doctors_bill(illness, par):
    case = case_of(illness)
    case.probed_by("one_batch")
    line, rate = line_of(case)
    said = case.repaired_by(line, RIGHT[illness][0].format(rate=rate)).text
    assert f"You needed 1 probe, 2 minutes. Par, cheap probes first, is {par}" in said


@pytest.mark.parametrize(
    ("number", "line", "right"), [(405, 2, "header = 8"), (29, 2, "seed = 53")]
)
def test_a_cure_is_compared_with_a_healthy_training_of_the_same_seed(number, line, right):
    """The healthy training at the door has a seed of its own, which may suit the network better."""
    case = clinic.admit(number)
    line_of(case)
    patient, ward, _ = _drawn(number)
    seed = ill(number).with_line(patient.function, line, right).names["settings"]()[0]
    reached = train(program(WARDS[ward], seed)).accuracy
    assert (
        f"and {reached:.0%} in a healthy training with the same seed."
        in case.repaired_by(line, right).text
    )
    at_the_door = train(program(WARDS[ward], REFERENCE)).accuracy
    assert round(reached, 2) != round(at_the_door, 2)


def test_the_batch_is_asked_about_labels_whether_they_are_right_or_not():
    for number in (405, 57):
        assert (
            "each below the label that comes with it. Does the label"
            in clinic.admit(number).probed_by("batch").text
        )


def test_diagnoses_by_letter_and_words_and_none():
    case = case_of(MASK)
    case.probed_by("twice")
    letter = next(letter for letter, words in LETTERS.items() if words == MASK)
    assert "is not in the menu" in case.diagnosed_as("influenza").text
    assert "is not in the menu" in case.diagnosed_as("the").text
    assert case.minutes == PROBES["twice"].minutes
    for said in (letter, f"({letter.upper()})", MASK, "The mask of ReLU"):
        again = clinic.admit(case.number)
        assert again.diagnosed_as(said).text.startswith("Yes"), said
    wrong = {"labels": "batch", "the learning rate is too small": "gradients", "Adam": "gradients"}
    for said, probe in wrong.items():
        assert f"The probe '{probe}' tells" in case.diagnosed_as(said).text
    assert case.minutes == PROBES["twice"].minutes + 3 * MISDIAGNOSIS


def test_probes_cost_minutes_and_unknown_ones_do_not():
    case = clinic.admit(3)
    assert "There is no probe 'x-ray'" in case.probed_by("x-ray").text and case.minutes == 0
    case.probed_by("batch")
    assert "(2 probes, 3 minutes)" in case.probed_by("twice").text
    assert "lines 1 to" in (line_of(case) and case.repaired_by(99, "pass").text)


def test_every_probe_says_what_it_found():
    case = case_of("nothing is wrong but the seed")
    for name in PROBES:
        assert len(case.probed_by(name).text.split("\n")) > 2


@pytest.mark.parametrize(
    ("number", "cured"), [(204, False), (202, False), (213, True), (201, True)]
)
def test_a_bad_seed_is_no_rate_that_is_too_large(number, cured):
    """A smaller rate helps it, but no rate brings it where a healthy training goes, which stands beside it."""
    table = clinic.admit(number).probed_by("rates").text
    # patient, healthy
    ends = np.array([line.split()[4:7:2] for line in table.split("\n")[2:7]], float)
    assert (
        ("rate" in _drawn(number)[0].diagnosis)
        == cured
        == (ends[:, 0].min() < 1.5 * ends[:, 1].min() + 0.15)
    ), table


def test_calls_show_what_they_find(capsys):
    case = clinic.admit(5)
    case.probe("twice")
    case.diagnose("b")
    case.repair(1, "pass")
    said = capsys.readouterr().out
    assert "Healthy: 1.00" in said and ("No. If " in said or "Yes" in said)


def widgets(root, kind):
    found = [root] if isinstance(root, kind) else []
    return found + [
        each for child in getattr(root, "children", ()) for each in widgets(child, kind)
    ]


def test_the_desk_does_the_same_with_buttons():
    from nnlib.course.clinic.desk import desk

    case = case_of("labels belong to other images")
    panel = desk(case)
    buttons = {
        button.description.split(",")[0]: button for button in widgets(panel, ipywidgets.Button)
    }
    assert set(buttons) == {*PROBES, "Diagnose", "Repair and train"}
    assert (buttons["batch"].description, buttons["batch"].tooltip) == (
        "batch, 1 min",
        PROBES["batch"].question,
    )
    assert all(
        entry.description for entry in widgets(panel, (ipywidgets.Text, ipywidgets.Dropdown))
    )
    line, (*_, repair) = widgets(panel, ipywidgets.BoundedIntText)[0], panel.children
    assert (line.value, line.min, line.max) == (1, 1, 40) and repair.layout.display == "none"
    buttons["batch"].click()
    assert "the labels say" in widgets(panel, ipywidgets.HTML)[-1].value
    (menu,) = widgets(panel, ipywidgets.Dropdown)
    menu.value = next(letter for letter, words in LETTERS.items() if "labels" in words)
    buttons["Diagnose"].click()
    assert case.named and "On the table" in widgets(panel, ipywidgets.HTML)[-1].value
    assert repair.layout.display == "flex"
    line.value = 2
    widgets(panel, ipywidgets.Text)[0].value = "header = 8"
    buttons["Repair and train"].click()
    assert (
        case.cured
        and "Cured" in widgets(panel, ipywidgets.HTML)[-1].value
        and repair.layout.display == "none"
    )


def test_a_case_is_kept_in_the_notebook_without_its_widget():
    bundle = shown(clinic.admit(4))
    assert (
        "Probes:" in bundle["text/html"]
        and "<img" in bundle["text/html"]
        and "Diagnoses:" in bundle["text/plain"]
    )


def of_a_product():
    return [np.full(shape, shape[0] < 3, np.float32) for shape in ((2, 3), (2, 4), (3, 4))]


def test_the_machine_is_as_silent_as_a_gpu():
    dy, x, dw = of_a_product()
    assert launch((1, 1), (16, 16, 16), dy, x, dw) == INVALID_CONFIGURATION and not dw.any()
    assert launch((1, 1), (16, 16), dy, x, dw) == 0 and (dw == 2).all()
    doubles = np.linspace(0, 1, 8) / 128
    assert as_floats(doubles).shape == (8,) and as_floats(doubles).dtype == np.float32
    assert np.array_equal(as_floats(np.float32(doubles)), np.float32(doubles))
    # A label of 0 would stand before the first
    assert label_file()[7] == 0 and len(label_file()) == 1288


def test_the_same_errors_are_not_silent_in_nnlib():
    weight_gradient = kernel("linear", "linear_backward_weight_naive")
    dy, x, dw = of_a_product()
    with pytest.raises(LaunchError, match="4096"):
        weight_gradient((1, 1), (16, 16, 16), (dy, x, dw, 2, 4, 3))
    with pytest.raises(ArgumentError, match="float64"):
        weight_gradient((1, 1), (16, 16), (dy, x.astype(np.float64), dw, 2, 4, 3))
