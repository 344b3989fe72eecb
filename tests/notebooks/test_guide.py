"""The teacher's guide beside the lessons: minutes, answers to predictions, points, a drawing for the board."""

import json
import re
from pathlib import Path

import pytest
from nbformat import read

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "notebooks" / "TEACHING.md").read_text("utf-8")
LESSONS = sorted((ROOT / "notebooks").glob("0*.ipynb"))
lessons = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem[:2])


def part(path):
    """What the guide says of a lesson."""
    return re.split(r"(?m)^## ", GUIDE.split(f"\n## Lesson {path.stem[:2]}")[1])[0]


def between(text, first, last):
    return text.split(first)[1].split(last)[0]


@lessons
def test_minutes_agree(path):
    table = re.search(r"(?m)^\*\*Timing \((.*)\)\.\*\*((?s:.*?))\n\n(?!\|)", part(path))
    rows = [tuple(map(int, row)) for row in re.findall(r"(?m)^\| (\d+)–(\d+) \|", table[2])]
    assert rows[0][0] == 0 and all(end == begin for (_, end), (begin, _) in zip(rows, rows[1:], strict=False))
    assert re.match(rf"{rows[-1][1]} min", table[1])
    lesson = re.search(r"Time: about (\d+) minutes", read(path, 4).cells[0].source)[1]
    assert re.search(rf"\b{lesson}\b", table[1])
    assert re.search(rf"{path.name}\) \|.*\| {lesson} \|", (ROOT / "README.md").read_text("utf-8"))


@lessons
def test_every_prediction_has_its_answer(path):
    asked = json.loads((ROOT / f"nnlib/course/predictions/lesson{path.stem[:2]}.json").read_text("utf-8"))
    table = between(part(path), "**Answers to the predictions.**", "\n\n**")
    assert len(re.findall(r"(?m)^\| (?!question)", table)) == len(asked)


@lessons
def test_homework_has_its_points(path):
    points, text = re.search(r"\*\*Homework\*\* \((\d+) points\)\.((?s:.*?))\n\n", part(path)).groups()
    tasks = re.split(r"\s\(\d\) (?=[A-Z`])", text)[1:]
    assert sum(int(re.search(r"\((\d+)[:)]", task)[1]) for task in tasks) == int(points)


@lessons
def test_there_is_a_drawing_for_the_board_and_a_short_version(path):
    assert "```\n" in between(part(path), "**Board.**", "**Homework**")
    assert "45 minutes: " in part(path) and "75 minutes: " in part(path)
