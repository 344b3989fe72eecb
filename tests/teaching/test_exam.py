"""Exams: every solution is what a run gives, a seed draws the same paper again, students get no bank."""

import dataclasses
import math
import re
from collections import Counter
from contextlib import nullcontext
from random import Random

import numpy as np
import pytest

from nnlib.lessons import LESSONS
from nnlib.teaching import exam
from nnlib.teaching.exam.paper import MINUTES, READING, Paper, draw, questions, solutions
from nnlib.teaching.exam.question import BANK, ExamQuestion, Item, WrongAnswerError, rows

SEEDS = range(6)
named = pytest.mark.parametrize("name", BANK)


def test_the_bank_is_large_enough():
    per_lesson = Counter(asked.lesson for asked in BANK.values())
    assert len(BANK) >= 60 and set(per_lesson) == {lesson.number for lesson in LESSONS}
    assert min(per_lesson.values()) >= 6


@named
def test_solutions_are_what_a_run_gives(name):
    for seed in SEEDS:
        item = BANK[name].item(seed)  # raises where they differ
        assert item.by_hand and 2 <= len(item.marks) <= 4


@named
def test_numbers_are_drawn(name):
    assert len({BANK[name].item(seed).text for seed in SEEDS}) >= 2


@named
def test_a_wrong_solution_is_refused(name):
    item = BANK[name].item(0)
    for place, value in enumerate(item.by_hand):
        wrong = value + "!" if isinstance(value, str) else np.asarray(value, np.float64) * 1.01 + 1
        changed = dataclasses.replace(
            item, by_hand=(*item.by_hand[:place], wrong, *item.by_hand[place + 1 :])
        )
        with pytest.raises(WrongAnswerError, match=name):
            changed.verify(name)


@pytest.mark.parametrize(
    ("hand", "ran", "same"),
    [
        (100_001, 100_000, False),
        (1, 1 + 1e-7, True),
        (1 + 1e-7, 1, True),
        (np.ones(2), 1.0, False),
        (np.nan, np.nan, True),
    ],
)
def test_only_fractions_may_differ_in_their_last_digits(hand, ran, same):
    with nullcontext() if same else pytest.raises(WrongAnswerError):
        ExamQuestion("01.some", 1, lambda rng: Item("", [""], (hand,), lambda: (ran,))).item(0)


NUMBERS = r"[√⌈(\d][√⌈⌉()\d.,+−·×/²³ ]*"
SIDES = re.compile(rf"(?<![\w.,()√⌈+−·×/^-])(?<![·×/+−₂n] )({NUMBERS}) = (?=({NUMBERS})(%?))")
PYTHON = {
    "−": "-",
    "·": "*",
    "×": "*",
    "²": "**2",
    "³": "**3",
    "⌈": "ceil(",
    "⌉": ")",
    ",": "",
    " ": "",
}


def calculated(side):
    """What one side of an equation comes to, and by how much rounding may have changed it."""
    side = side.strip(" .,")
    if side.count("(") < side.count(")"):
        side = side.rstrip(")")
    code = re.sub(r"√(\([^()]*\)|[\d.]+)", r"sqrt(\1)", side)
    for sign, python in PYTHON.items():
        code = code.replace(sign, python)
    number = re.fullmatch(r"\d+\.?(\d*)", code)
    return eval(code, {"sqrt": math.sqrt, "ceil": math.ceil}), 0.5 * 10 ** -len(
        number[1]
    ) if number else 0


def equations(name):
    """Both sides of every equation between numbers in a solution, and what it comes to."""
    for seed in SEEDS:
        for mark in BANK[name].item(seed).marks:
            for left, right, percent in SIDES.findall(mark):
                (one, off), (other, rounded) = calculated(left), calculated(right)
                exact = "/" not in left and "√" not in left and "." not in left
                yield (
                    mark,
                    one * (100 if percent else 1),
                    other,
                    0 if exact else 1.001 * max(off, rounded),
                )


@named
def test_what_a_solution_calculates_comes_to_what_it_says(name):
    for mark, left, right, rounding in equations(name):
        assert abs(left - right) <= rounding, mark


def test_most_questions_calculate():
    assert sum(any(equations(name)) for name in BANK) > len(BANK) / 2


def as_shown(value):
    """How a solution writes a number or an array; floats have as many digits as suits them."""
    if isinstance(value, np.ndarray) and value.dtype != bool:
        return f"{value.flat[0]:g}" if value.min() == value.max() else rows(value)
    return str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""


@named
def test_the_solution_shows_the_numbers_that_were_verified(name):
    for seed in SEEDS:
        item = BANK[name].item(seed)
        shown = " ".join(item.marks).replace(",", "").replace("−", "-")
        for value in map(as_shown, item.by_hand):
            assert re.search(rf"(?<![\d.]){re.escape(value)}(?!\d)", shown), (value, shown)


@named
def test_one_thing_is_no_plural_and_code_fits_the_page(name):
    for seed in range(40):
        item = BANK[name].draw(Random(f"{seed} {name}"))
        shown = "\n".join(item.marks)
        assert not re.search(
            r"(?<![\w.,])1 (block|float|request|row|sector|step|thread|warp)s\b", shown
        )
        assert (
            max(map(len, "".join(re.findall(r"(?s)```.*?```", item.text)).splitlines()), default=0)
            <= 84
        )


def test_an_occupancy_is_not_rounded():
    for seed in SEEDS:
        warps, most, share = re.fullmatch(
            r"(\d+) of (\d+) warps: ([\d.]+)%", BANK["02.occupancy"].item(seed).marks[-1]
        ).groups()
        assert 100 * int(warps) / int(most) == float(share)


def test_the_same_seed_gives_the_same_paper():
    first, again, other = (questions(draw(seed)) + solutions(draw(seed)) for seed in (7, 7, 8))
    assert first == again != other


@pytest.mark.parametrize("seed", range(5))
def test_a_paper_fills_its_time_and_asks_about_every_lesson_but_the_bonus(seed):
    paper = draw(seed)
    minutes = sum(asked.minutes for asked, _ in paper.questions)
    per_lesson = Counter(asked.lesson for asked, _ in paper.questions)
    assert MINUTES - READING - 4 <= minutes <= MINUTES - READING
    assert set(per_lesson) == {lesson.number for lesson in LESSONS if not lesson.bonus}
    assert max(per_lesson.values()) - min(per_lesson.values()) <= 1
    assert paper.points == solutions(paper).count("(1)\n")


@pytest.mark.parametrize(("lessons", "asked"), [((), MINUTES), (("09",), 300), (("02", "03"), 45)])
def test_a_paper_says_the_minutes_that_its_questions_need(lessons, asked):
    paper = draw(4, lessons, asked)
    needed = READING + sum(question.minutes for question, _ in paper.questions)
    assert f"\n{needed} minutes, {paper.points} points." in questions(paper) and needed <= asked
    assert lessons != ("09",) or needed < asked


def test_lessons_can_be_chosen():
    assert {asked.lesson for asked, _ in draw(3, ["02", "03"], 45).questions} == {"02", "03"}
    assert {asked.lesson for asked, _ in draw(3, ["09"], 45).questions} == {"09"}
    with pytest.raises(ValueError, match="no questions on lesson 10"):
        draw(3, ["10"])


def test_numbers_do_not_depend_on_the_other_questions():
    item = BANK["03.banks"].item(11)
    assert item.text == BANK["03.banks"].draw(Random("11 03.banks")).text


HYPHEN = re.compile(r"(?:^|[ (|=,])-[.\d]")


@pytest.mark.parametrize("lesson", ["03", "04", "05", "06", "07"])
def test_a_number_below_zero_has_a_minus_sign(lesson):
    paper = draw(1, [lesson], 300)  # all questions of the lesson
    written = "".join(item.text + "".join(item.marks) for _, item in paper.questions)
    shown = questions(paper) + solutions(paper)
    assert HYPHEN.search(written) and not HYPHEN.search(re.sub(r"(?s)```.*?```|`[^`]*`", "", shown))
    assert re.findall(r"(?s)```.*?```", shown) == [
        code for _, item in paper.questions for code in re.findall(r"(?s)```.*?```", item.text)
    ]


def test_only_a_hyphen_before_a_number_becomes_a_minus_sign():
    item = dataclasses.replace(
        BANK["04.relu"].item(0),
        text="- (-2), x = -.5\n| -3 |\n| ---: |\n1-5, 1e-09, a-2\n`x = -1`\n```cuda\ny = -1;\n```",
        marks=["-0.5"],
    )
    shown = questions(Paper(0, [(BANK["04.relu"], item)])) + solutions(
        Paper(0, [(BANK["04.relu"], item)])
    )
    assert (
        "- (−2), x = −.5\n| −3 |\n| ---: |\n1-5, 1e-09, a-2\n`x = -1`\n```cuda\ny = -1;\n```"
        in shown
    )
    assert "\n- −0.5 (1)" in shown


def test_the_command_writes_pages_to_print(tmp_path, capsys):
    exam.main(["--seed", "2", "--lessons", "01", "04", "--minutes", "40", "--to", str(tmp_path)])
    names = {"exam-2.md", "exam-2.html", "exam-2-solutions.md", "exam-2-solutions.html"}
    assert {path.name for path in tmp_path.iterdir()} == names
    for path in tmp_path.glob("*.html"):
        text = path.read_text("utf-8")
        assert 1 < text.count("<h2") == len(re.findall("<section>\n<h2", text))
        assert not re.search(r"(src|href)=.?https?:|<script", text)
    assert "(1)" not in (tmp_path / "exam-2.md").read_text("utf-8")


def test_without_a_seed_it_draws_one_and_names_the_files_after_it(tmp_path):
    for lesson in ("01", "02"):
        exam.main(["--lessons", lesson, "--minutes", "30", "--to", str(tmp_path)])
    papers = {path: int(path.stem.removeprefix("exam-")) for path in tmp_path.glob("*[0-9].md")}
    assert len(papers) == 2
    assert all(
        path.read_text("utf-8") in [questions(draw(seed, [lesson], 30)) for lesson in ("01", "02")]
        for path, seed in papers.items()
    )
