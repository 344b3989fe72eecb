"""Exams: every solution is what a run gives, a seed draws the same paper again, students get no bank."""

import dataclasses
import functools
import itertools
import math
import re
from collections import Counter
from contextlib import nullcontext

import numpy as np
import pytest

from nnlib.lessons import LESSONS
from nnlib.teaching import exam
from nnlib.teaching.exam import blocks, concepts
from nnlib.teaching.exam.blocks import rows
from nnlib.teaching.exam.paper import (
    APART,
    MINUTES,
    READING,
    Heading,
    Paper,
    draw,
    written,
)
from nnlib.teaching.exam.question import BANK, KINDS, ExamQuestion, Item, WrongAnswerError, read
from nnlib.teaching.term import EXAMPLE

SEEDS = range(6)
LASTING = [lesson.number for lesson in LESSONS if not lesson.bonus]
named = pytest.mark.parametrize("name", BANK)
calculating = pytest.mark.parametrize("name", [n for n in BANK if BANK[n].asks == "arithmetic"])
writing = pytest.mark.parametrize("name", [n for n in BANK if BANK[n].asks in ("write", "repair")])


def questions(paper):
    return written("exam", Heading(), paper=paper)


def solutions(paper, **heading):
    return written("exam-solutions", Heading(**heading), paper=paper)


@functools.cache
def item(name, seed):
    """A question with its numbers, solved once; WrongAnswerError where the solution is not what a run gives."""
    return BANK[name].item(seed)


def test_the_bank_is_large_enough_and_asks_for_kernels_in_every_lesson():
    per_lesson = Counter(asked.lesson for asked in BANK.values())
    assert set(per_lesson) == {lesson.number for lesson in LESSONS}
    assert min(per_lesson.values()) >= 6 and all(asked.front["ideas"] for asked in BANK.values())
    kinds = Counter((asked.asks, asked.lesson) for asked in BANK.values())
    assert {kind for kind, _ in kinds} == {*KINDS}
    assert all(kinds[kind, lesson] for kind in ("write", "repair") for lesson in LASTING)


@named
def test_solutions_are_what_a_run_gives_and_points_are_minutes(name):
    for seed in SEEDS:
        found = item(name, seed)  # raises where they differ
        assert 2 <= len(found.marks) <= 7 and max(points for _, points in found.scheme) <= 3
        parts = re.findall(r"(?m)^\([a-e]\) ", found.text)
        assert sorted({mark[:4] for mark in found.marks}) == parts or name == "04.row_max"


@named
def test_numbers_are_drawn(name):
    assert len({repr(BANK[name].drawn(seed)[0].marks) for seed in range(24)}) >= 5


@calculating
def test_a_wrong_number_is_refused(name):
    asked = BANK[name]
    answers = asked.item(0).answers
    for place, value in enumerate(answers):
        wrong = value + "!" if isinstance(value, str) else np.asarray(value, np.float64) * 1.01 + 1
        item, names = asked.drawn(0)
        changed = (*answers[:place], wrong, *answers[place + 1 :])
        with pytest.raises(WrongAnswerError, match=name):
            asked.confirm(dataclasses.replace(item, answers=changed), names)


@writing
def test_a_wrong_kernel_is_refused(name):
    asked = BANK[name]
    item, names = asked.drawn(0)
    code = item.code if asked.asks == "write" else item.text  # of a repair: the kernel as it was
    if asked.asks == "write":
        code = re.sub(r"(?s)(\)\s*{).*}", r"\1 }", code, count=1)
    with pytest.raises(Exception, match=f"{name}|kernel|__sync|lane"):
        asked.confirm(dataclasses.replace(item, code=code), names)


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
    assert blocks.same(hand, ran) is same


OWN = """---
about: a question of a teacher
minutes: 3
---
```python parameters
a, b = rng.randrange(2, 9), rng.choice([5, 7])
answers = a * b,
```

What is {{ a }} · {{ b }}?

## Solution

- the product of {{ a }} and {{ b }} (1)
- {{ a * b }} (2)

```python run
ran = sum(b for _ in range(a)),
```
"""


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        (("", ""), None),
        (("for _ in range(a)", "for _ in range(a + 1)"), WrongAnswerError),
        (("ran = sum", "assert a < 0, 'no'\nran = sum"), WrongAnswerError),
        (("## Solution", "## Answer"), ValueError),
        (("(1)", "(2)"), ValueError),
    ],
)
def test_a_teachers_own_question_is_a_file(changed, error, tmp_path, capsys):
    (tmp_path / "bank").mkdir()
    (tmp_path / "bank" / "01.product.md").write_text(OWN.replace(*changed), "utf-8")
    with pytest.raises(error, match=r"01\.product") if error else nullcontext():
        (own,) = read(tmp_path / "bank").values()
        item = own.item(3)
        assert item.text.startswith("What is ") and len(item.marks) == 2
        exam.main(
            ["--bank", str(tmp_path / "bank"), "--lessons", "01", "--minutes", "300"]
            + ["--to", str(tmp_path), "--seed", "3"]
        )
        assert item.text in (tmp_path / "exam-3.md").read_text("utf-8")


def test_numbers_that_say_little_are_drawn_again():
    own = ExamQuestion("01.product", OWN.replace("answers", "again = a != 3\nanswers"))
    assert all(own.item(seed).text.startswith("What is 3 ") for seed in SEEDS)


NUMBERS = r"[√⌈(\d][√⌈⌉()\d.,+−·×/²³ ]*"
SIDES = re.compile(rf"(?<![\w.,()√⌈+−·×/^-])(?<![·×/+−₂n] )({NUMBERS}) = (?=({NUMBERS})(%?))")
PYTHON = str.maketrans(dict(zip("−·×²³⌈⌉", "- * * **2 **3 ceil( )".split(), strict=True)))


def calculated(side):
    """Return what one side of an equation comes to, and by how much rounding may have changed it."""
    side = side.strip(" .,").replace(",", "")
    if side.count("(") < side.count(")"):
        side = side.rstrip(")")
    code = re.sub(r"√(\([^()]*\)|[\d.]+)", r"sqrt(\1)", side)
    code = code.translate(PYTHON)
    number = re.fullmatch(r"\d+\.?(\d*)", code)
    return eval(code, {"sqrt": math.sqrt, "ceil": math.ceil}), 0.5 * 10 ** -len(
        number[1]
    ) if number else 0


def equations(name):
    """Both sides of every equation between numbers in a solution, and what it comes to."""
    for seed in SEEDS:
        for mark in item(name, seed).marks:
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
    """Return how a solution writes a number or an array; floats have as many digits as suits them."""
    if isinstance(value, np.ndarray) and value.dtype != bool:
        return f"{value.flat[0]:g}" if value.min() == value.max() else rows(value)
    return str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""


@calculating
def test_the_solution_shows_the_numbers_that_were_verified(name):
    for seed in SEEDS:
        found = item(name, seed)
        shown = " ".join(found.marks).replace(",", "").replace("−", "-")
        for value in map(as_shown, found.answers):
            assert re.search(rf"(?<![\d.]){re.escape(value)}(?!\d)", shown), (value, shown)


@named
def test_one_thing_is_no_plural_and_code_fits_the_page(name):
    for seed in range(20):
        item, _ = BANK[name].drawn(seed)
        shown = "\n".join(item.marks)
        assert not re.search(
            r"(?<![\w.,])1 (block|float|request|row|sector|step|thread|warp)s\b", shown
        )
        code = re.findall(r"(?s)```.*?```", item.text)
        assert not re.search(".{85}", "".join(code))


@pytest.mark.parametrize("seed", range(6))
def test_a_seed_gives_one_paper_and_each_letter_behind_it_other_schemes(seed):
    groups = [[item for _, item in draw(f"{seed}{letter}").questions] for letter in ("", "b", "C")]
    for one, other in itertools.combinations(groups, 2):
        assert all(map(Item.differs, one, other))


@pytest.mark.parametrize("seed", range(0, 51, 3))
def test_papers_fill_their_time_ask_for_everything_and_share_nothing(seed):
    papers = [draw(seed + k) for k in range(APART)]
    names = Counter(asked.name for paper in papers for asked, _ in paper.questions)
    assert max(names.values()) == 1
    for paper in papers:
        bank = [asked for asked, _ in paper.questions]
        assert paper.minutes == MINUTES
        per_lesson = Counter(asked.lesson for asked in bank)
        assert Counter(LASTING) <= per_lesson <= Counter(3 * LASTING)
        assert {asked.topic for asked in bank} == {None, "barriers and races", "shared memory"}
        assert Counter(asked.asks for asked in bank) > Counter(write=2, repair=2, profile=1)
        assert max(Counter(idea for asked in bank for idea in asked.ideas).values()) == 1
        assert max(asked.minutes for asked in bank) <= 0.15 * paper.points
        for points in (
            re.findall(r"(?m)^- .* \((\d+)\)$", solutions(paper)),
            re.findall(r"<span>/ (\d+)</span>", questions(paper)),
        ):
            assert sum(map(int, points)) == paper.points


@pytest.mark.parametrize(("lessons", "asked"), [(("09",), 300), (("02", "03"), 45)])
def test_a_paper_says_the_minutes_that_its_questions_need(lessons, asked):
    paper = draw(4, lessons, asked)
    assert f"\n{paper.minutes} minutes, {paper.points} points: " in questions(paper)
    assert paper.minutes == READING + paper.points <= asked
    assert {question.lesson for question, _ in paper.questions} == {*lessons}


def test_a_lesson_without_questions_is_refused():
    with pytest.raises(ValueError, match="no questions on lesson 12"):
        draw(3, ["12"])


def test_a_seed_after_which_no_file_may_be_named_is_refused(capsys):
    with pytest.raises(SystemExit):
        exam.main(["--seed", "../7"])
    assert "as in 7B" in capsys.readouterr().err


def test_grades_are_those_of_the_teachers_scale():
    paper = draw(1)
    shown = solutions(paper, grades={"A": 90, "E": 12.5})
    points = paper.points
    assert f"| A | {math.ceil(0.9 * points)} |\n| E | {math.ceil(0.125 * points)} |" in shown


def test_only_a_hyphen_before_a_number_becomes_a_minus_sign():
    item = Item(
        code="",
        text="y < 8: (-2), x = -.5\n| -3 |\n| ---: |\n1-5, 1e-09, a-2\n`x = -1`\n```cuda\ny = -1;\n```",
        scheme=[("-0.5", 4)],
    )
    paper = Paper(0, [(BANK["04.relu"], item)])
    shown = questions(paper) + solutions(paper)
    assert (
        "y < 8: (−2), x = −.5\n| −3 |\n| ---: |\n1-5, 1e-09, a-2\n`x = -1`\n```cuda\ny = -1;\n```"
        in shown
    )
    assert "\n- −0.5 (4)" in shown


def test_the_command_writes_pages_to_print(tmp_path):
    exam.main(
        ["--seed", "2", "--lessons", "01", "03", "--minutes", "60", "--to", str(tmp_path)]
        + ["--term", str(EXAMPLE)]
    )
    names = {"exam-2.md", "exam-2.html", "exam-2-solutions.md", "exam-2-solutions.html"}
    assert {path.name for path in tmp_path.iterdir()} == names
    for path in tmp_path.glob("*.html"):
        text = path.read_text("utf-8")
        assert 1 < text.count("<h2") == text.count("<section>\n<h2")
        assert not re.search(r"(src|href)=.?https?:|<script", text)
    paper = (tmp_path / "exam-2.md").read_text("utf-8")
    assert "- " not in paper.split("## 1")[0].replace("--- ", "") and "student number" in paper
    assert "2027-07-21" in paper
    assert "| A | " in (tmp_path / "exam-2-solutions.md").read_text("utf-8")


def test_matrices_are_typeset():
    page = exam.printable(f"# A\n\nw = {rows(np.array([[1, -2], [0.5, 4]]))} and {rows([7])}")
    assert page.count("<mtr>") == 3 and page.count("<mtd>") == 5 and "pmatrix" not in page
    assert "<mn>−2</mn>" in page


def test_without_a_seed_it_draws_one_and_names_the_files_after_it(tmp_path):
    for _ in range(2):
        exam.main(["--lessons", "01", "--minutes", "30", "--to", str(tmp_path)])
    papers = {path: int(path.stem.removeprefix("exam-")) for path in tmp_path.glob("*[0-9].md")}
    assert len(papers) == 2
    for path, seed in papers.items():
        assert path.read_text("utf-8") == questions(draw(seed, ["01"], 30))


def test_the_inventory_offers_four_answers_and_says_what_leads_to_the_wrong_ones(tmp_path):
    assert 20 <= len(concepts.CONCEPTS) <= 25
    for item in concepts.CONCEPTS:
        assert (
            len(item.choices) == 4 and [wrong for _, wrong in item.choices.values()].count("") == 1
        )
    keys = Counter(item.key for item in concepts.CONCEPTS)
    assert {*keys} == {*"ABCD"} and max(keys.values()) <= 10  # one letter for all is no strategy
    exam.main(["--concepts", "--to", str(tmp_path)])
    asked = (tmp_path / "concepts.md").read_text("utf-8")
    assert "→" not in asked and "[x]" not in asked and asked.count("\nD. ") == 24


@pytest.mark.parametrize("after, said", [(24, "gain (Hake): 1.00"), (12, "gain (Hake): 0.33")])
def test_gain_and_statistics_of_the_inventory(after, said, tmp_path, capsys):
    """Six of 24 are right before, by everybody; the first `after` items afterwards, but for one student of four."""
    key = [item.key for item in concepts.CONCEPTS]
    wrong = ["A" if letter != "A" else "B" for letter in key]
    for name, right in (("before", 6), ("after", after)):
        lines = [f"s{k},{','.join(key[:right] + wrong[right:])}" for k in range(4)]
        (tmp_path / name).write_text(
            "\n".join(["code", *lines, f"{name},{','.join(key)}"]), "utf-8"
        )
    exam.main(["--answers", str(tmp_path / "before"), str(tmp_path / "after")])
    shown = capsys.readouterr().out
    assert said in shown and "4 students, 24 items: 25% before" in shown
    if after < 24:
        first, misconception = concepts.CONCEPTS[-1], shown.splitlines()[-1].split(": ")[1]
        assert misconception == first.choices[wrong[-1]][1]
    (tmp_path / "after").write_text("code\ns1,A,B", "utf-8")
    with pytest.raises(SystemExit):
        exam.main(["--answers", str(tmp_path / "before"), str(tmp_path / "after")])
    assert "s1 has no letter for each" in capsys.readouterr().err


@pytest.mark.parametrize(
    "old, new",
    [("minutes: ", "minutes: x"), ("python run\n", "python run\nassert 0\n"), ("answers =", "a(")],
)
def test_a_damaged_question_is_named(old, new, tmp_path, capsys):
    damaged = BANK["01.race"].source.replace(old, new)
    (tmp_path / "01.race.md").write_text(damaged, "utf-8")
    with pytest.raises(SystemExit):
        exam.main(["--bank", str(tmp_path), "--to", str(tmp_path), "--lessons=01", "--minutes=999"])
    assert "01.race" in capsys.readouterr().err
