"""The course's own solutions get all marks, on any seed, and what is handed out gets none."""

import re
from pathlib import Path

import nbformat
import pytest

from nnlib import mine
from nnlib.course.exercises import everything
from nnlib.course.exercises.checking import FunctionExercise
from nnlib.cuda import native_engine
from nnlib.lessons import NUMBERS, notebooks
from nnlib.teaching.copies import student_copy
from nnlib.teaching.marking.fresh import FRESH
from nnlib.teaching.marking.submission import Submission, answer_name
from tests.teaching.marking.conftest import judge, judge_all

NOTEBOOKS = notebooks(Path("notebooks"))


def solved(path):
    """The lesson with its solutions in the place of the starters."""
    notebook = nbformat.read(path, 4)
    for cell in notebook.cells:
        if "solution" in cell.metadata.get("tags", []):
            cell.metadata.tags.remove("solution")
            cell.source = re.sub(r"(\w+)_solved\b", r"\1", cell.source)
    return notebook


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem[:2])
def test_solutions_get_all_marks(tmp_path, path):
    nbformat.write(solved(path), tmp_path / path.name)
    verdicts = {
        exercise.name: judge(tmp_path / path.name, exercise.name, 11, 100)
        for exercise in everything(path.stem[:2])
    }
    assert not {name: verdict.text for name, verdict in verdicts.items() if not verdict.solved}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem[:2])
def test_what_is_handed_out_gets_none(tmp_path, path):
    lesson = path.stem[:2]
    copy = student_copy(nbformat.read(path, 4))
    cells = Submission(tuple(cell.source for cell in copy.cells if cell.cell_type == "code"))
    for exercise in everything(lesson):
        # Its starter is there, under the name that marking looks for
        name = answer_name(exercise.name)
        if exercise.name == "06.clinic":
            assert cells.value(name) == {}
        else:
            assert (
                cells.function(name)
                if isinstance(exercise, FunctionExercise)
                else cells.kernel(name)
            )
    nbformat.write(copy, tmp_path / path.name)
    for exercise in everything(lesson):
        verdict, _, part = judge_all(tmp_path / path.name, exercise.name, 11, 100, parts=True)
        assert not verdict.solved and not part, exercise.name


def test_functions_meet_fresh_inputs():
    assert {
        exercise.name
        for lesson in NUMBERS
        for exercise in everything(lesson)
        if isinstance(exercise, FunctionExercise)
    } == FRESH.keys()


@pytest.mark.skipif(native_engine() is None, reason="sizes this large need native code")
def test_marking_too_looks_beyond_the_borders(tmp_path):
    text = mine.PIECES["relu"].plain.replace("y[i] = ", "y[(unsigned)i << 10 >> 10] = ")
    answer = nbformat.v4.new_code_cell("%%cuda\n" + text)
    nbformat.write(nbformat.v4.new_notebook(cells=[answer]), tmp_path / "04.ipynb")
    verdict = judge(tmp_path / "04.ipynb", "04.relu")
    assert not verdict.solved and "n = 16" in verdict.text
