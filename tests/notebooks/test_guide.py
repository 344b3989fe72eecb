"""The teacher's guide beside the lessons: minutes, answers to predictions, points, a drawing for the board."""

import json
import re
from itertools import pairwise
from operator import mul
from pathlib import Path

import pytest
from nbformat import read

from nnlib import lessons as course
from nnlib.course.exercises.parsons import WRONG
from nnlib.teaching.exam.question import BANK

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "notebooks" / "TEACHING.md").read_text("utf-8")
LESSONS = course.notebooks(ROOT / "notebooks")
TWO_SITTINGS = {"03", "04", "05", "06", "07", "08", "09", "10", "11"}
lessons = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem[:2])


def part(path):
    """Return what the guide says of a lesson."""
    return re.split(r"(?m)^## ", GUIDE.split(f"\n## Lesson {path.stem[:2]}")[1])[0]


def between(text, first, last):
    return text.split(first)[1].split(last)[0]


@lessons
def test_sittings_have_a_row_for_every_minute_and_room_for_the_lesson(path):
    plans = re.findall(
        r"(?m)^\*\*(?:Plan|First sitting|Second sitting), (\d+) min\.\*\*\n\n((?:\|.*\n)+)",
        part(path),
    )
    for minutes, table in plans:
        rows = [tuple(map(int, row)) for row in re.findall(r"(?m)^\| (\d+)–(\d+) \|", table)]
        assert rows[0][0] == 0 and rows[-1][1] == int(minutes) <= 90
        assert all(end == begin for (_, end), (begin, _) in pairwise(rows))
        assert len(rows) == table.count("\n") - 2  # every row has its minutes
    assert len(plans) == (2 if path.stem[:2] in TWO_SITTINGS else 1)
    lesson = int(re.search(r"Time: about (\d+) minutes", read(path, 4).cells[0].source)[1])
    assert lesson <= sum(int(minutes) for minutes, _ in plans)
    assert re.search(rf"{path.name}\) \|.*\| {lesson} \|", (ROOT / "README.md").read_text("utf-8"))


def plain(words):
    return words.replace("`", "").lower()


@lessons
def test_plans_name_every_section_that_is_not_optional_in_its_order(path):
    headings = [
        (len(level), plain(title))
        for cell in read(path, 4).cells
        if cell.cell_type == "markdown"
        for level, title in re.findall(r"(?m)^(##+) (.+)", cell.source)
    ]
    rows = re.findall(r"(?m)^\| \d+–\d+ \| (.*?) \|", part(path))
    named = [
        plain(name)
        for row in rows
        for name in row.split("; ")
        if name not in ("look back", "recap")
    ]
    places = [
        next((k for k, (_, title) in enumerate(headings) if title.startswith(name)), name)
        for name in named
    ]
    assert all(isinstance(place, int) for place in places) and places == sorted(places), places
    needed = {
        k
        for k, (level, title) in enumerate(headings)
        if level == 2 and "(optional)" not in title and title != "recap"
    }
    assert not [headings[k] for k in needed - {*places}]


@lessons
@pytest.mark.parametrize(
    "heading",
    [
        "Goals.",
        "Before class.",
        "In the workshop.",
        "Running late.",
        "Misconceptions.",
        "Questions.",
        "Exam.",
    ],
)
def test_every_lesson_has_the_same_parts(path, heading):
    assert part(path).count(f"**{heading}**") == 1


@lessons
def test_the_bank_has_what_the_guide_says(path):
    lesson = path.stem[:2]
    count = sum(asked.lesson == lesson for asked in BANK.values())
    assert f"has {count} questions (`nnlib exam --lessons {lesson}`)" in re.sub(
        r"\s+", " ", part(path)
    )


@lessons
def test_every_prediction_has_its_answer(path):
    asked = json.loads(
        (ROOT / f"nnlib/course/predictions/lesson{path.stem[:2]}.json").read_text("utf-8")
    )
    table = between(part(path), "**Answers to the predictions.**", "\n\n**Misconceptions")
    assert len(re.findall(r"\*\*.+?\*\*", table)) == len(asked)
    assert {*re.findall(r"(?m)^\| (\d+) ", table)} <= {*re.findall(r"\n\| (\d+)–", part(path))}


@lessons
def test_homework_has_its_points(path):
    points, text = re.search(
        r"\*\*Homework\*\* \((\d+) points\)\.((?s:.*?))\n\n", part(path)
    ).groups()
    tasks = re.split(r"\s\(\d\) (?=[A-Z`])", text)[1:]
    assert sum(int(re.search(r"\((\d+)[:)]", task)[1]) for task in tasks) == int(points)


@lessons
def test_there_is_a_drawing_for_the_board_and_a_short_version(path):
    assert "```\n" in between(part(path), "**Board.**", "**Homework**")
    assert {"45", "75"} <= {*re.findall(r"\s(\d\d)\sminutes:\s", part(path))}


def test_every_week_of_the_term_has_its_sitting():
    table = between(GUIDE, "### Fourteen sittings and an exam", "### Shorter formats")
    numbers = [
        int(number)
        for row in re.findall(r"(?m)^\| ([\d, ]+) \|", table)
        for number in row.split(",")
    ]
    assert numbers == list(range(1, 16))
    assert all(
        row.count(",") == (lesson in TWO_SITTINGS)
        for row, lesson in re.findall(r"(?m)^\| ([\d, ]+) \| (0\d) ", table)
    )


def test_weights_make_a_whole_and_the_example_is_right():
    table = between(GUIDE, "### Grading", "**Lateness")
    weights = [int(weight) for weight in re.findall(r"(?m)^\| .* \| (\d+) % \|", table)]
    text = re.sub(r"\s+", " ", GUIDE)
    *shares, mark = map(
        int,
        re.search(
            r"Example: (\d+) %.*? the stars, (\d+) %.*?, (\d+) % .*? and (\d+) %.*? give (\d+) %",
            text,
        ).groups(),
    )
    assert sum(weights) == 100 and "half of the stars" in text
    assert sum(map(mul, weights, [shares[0], 50, *shares[1:]])) // 100 == mark


def test_patterns_find_student_and_notebook():
    table = between(GUIDE, "| files are called |", "\n\n")
    rows = re.findall(r"(?m)^\| `(.*?)`.*? \| `(.*)` \|$", table)
    assert len(rows) == 4
    for name, pattern in rows:
        found = re.match(pattern, name).groupdict()
        assert found["file_id"] == "03_matmul" and found["student_id"] in (
            "ann",
            "Ann Lee",
            "leeann",
        )


def test_the_shared_gpu_gets_the_student_copy():
    recipe = between(GUIDE, "**One GPU for many students.**", "**No network.**")
    assert "cp -r /srv/student" in recipe and "git clone" not in recipe


def test_it_is_short_and_readable_as_plain_text():
    prose = re.sub(r"(?s)```.*?```", "", GUIDE)
    assert sum(bool(re.search(r"\w", word)) for word in prose.split()) < 13_200
    long = [line for line in prose.split("\n") if len(line) > 120 and not line.startswith("|")]
    assert [line for line in long if " " in line] == []  # an address has no place to break


def test_workshops_whose_lines_a_loop_can_put_in_order_are_named():
    told = re.search(
        r"a loop that tries every line puts (.+?) in order", re.sub(r"\s+", " ", GUIDE)
    )
    assert re.findall(r"`(.+?)`", told[1]) == [*WRONG]


def test_moodle_archives_are_collected_with_and_without_folders():
    pattern = re.search(r"\(Moodle\) \| `(.*)` \|", GUIDE)[1]
    for name in (
        "Zoë Müßig_12345_assignsubmission_file_03_matmul.ipynb",
        "Zoë Müßig_12345_assignsubmission_file_/03_matmul.ipynb",
    ):
        found = re.match(pattern, f"/home/class/extracted/{name}")
        assert found and found.groupdict() == {"student_id": "Zoë Müßig", "file_id": "03_matmul"}
