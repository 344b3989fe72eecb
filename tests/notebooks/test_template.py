"""Every lesson follows the template."""

from pathlib import Path

import pytest
from nbformat import read

from nnlib.course.exercises import everything, lesson_exercises
from nnlib.lessons import notebooks
from nnlib.teaching.copies import student_copy
from tests.notebooks import template

ROOT = Path(__file__).resolve().parents[2]
LESSONS = notebooks(ROOT / "notebooks")


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_lesson_follows_the_template(path):
    problems = template.problems(read(path, 4), path, ROOT)
    assert not problems, "\n".join(problems)


def test_lessons_begin_with_the_same_set_up():
    first = {
        next(cell.source for cell in read(path, 4).cells if cell.cell_type == "code")
        for path in LESSONS
    }
    assert len(first) == 1 and 'if "google.colab" in sys.modules' in first.pop()


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_lesson_uses_exactly_the_specified_exercises(path):
    cells = read(path, 4).cells
    source = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    edition_2 = any(cell.source.startswith("## Workshop") for cell in cells)
    specified = {
        each.name for each in (everything if edition_2 else lesson_exercises)(path.name[:2])
    }
    assert {name for name in specified if f'check("{name}"' in source} == specified
    assert source.count("check(") - source.count(", count=False)") >= len(specified)


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_student_copy_has_no_solution_and_no_output(path):
    copy = student_copy(read(path, 4))
    assert not [
        cell.id for cell in copy.cells if "BEGIN SOLUTION" in cell.source or cell.get("outputs")
    ]
