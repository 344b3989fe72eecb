"""The graded lessons: every exercise has its cell with points, and grades come from marking, not from the notebook."""

import json
import re
import types
from pathlib import Path

import nbformat
import pytest

from nnlib.course.exercises import PieceExercise, everything, find
from nnlib.lessons import notebooks
from nnlib.teaching import assignment, autograder
from nnlib.teaching.marking import nbgrader_judge, otter_judge
from nnlib.teaching.marking.marks import Mark
from tests.teaching.marking.end_to_end import EXPECTED, HANDED_IN

NOTEBOOKS = notebooks(Path("notebooks"))


def described(notebook):
    """grade_id -> (cell, nbgrader's metadata)"""
    found = [
        (cell.metadata["nbgrader"]["grade_id"], cell)
        for cell in notebook.cells
        if "nbgrader" in cell.metadata
    ]
    assert len(dict(found)) == len(found)
    return dict(found)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem[:2])
def test_every_exercise_has_points_and_its_starter(path):
    notebook = assignment.assignment(path, 2, 0.5)
    nbformat.validate(notebook)
    cells = described(notebook)
    for exercise in everything(path.stem[:2]):
        name = exercise.name.replace(".", "-")
        check = cells.pop(name)
        told = check.metadata["nbgrader"]
        assert (
            check.source.startswith(f'check("{exercise.name}"') and told["grade"] and told["locked"]
        )
        assert told["points"] == (3 if isinstance(exercise, PieceExercise) else 2)
        assert told["solution"] == (exercise.name in assignment.BY_HAND)
        if exercise.name not in assignment.BY_HAND:
            answer = cells.pop(f"{name}-answer")
            told = answer.metadata["nbgrader"]
            assert (
                told["solution"]
                and not told["grade"]
                and not told["locked"]
                and "check(" not in answer.source
            )
    assert not cells
    assert not [
        cell
        for cell in notebook.cells
        if "solution" in cell.metadata.get("tags", []) or cell.get("outputs")
    ]


def test_otter_finds_nothing_beside_the_notebook(tmp_path):
    for folder in ("otter", "tests", ".ipython"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__init__.py").touch()
    for file in ("03_matmul.ipynb", "numpy.py", "sitecustomize.pyc"):
        (tmp_path / file).touch()
    (tmp_path / "json").symlink_to(Path("notebooks").resolve())
    otter_judge.OtterJudge(str(tmp_path / "03_matmul.ipynb"), {}, {}).before_grading(None)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["03_matmul.ipynb", "tests"]
    assert NOTEBOOKS[0].exists()


def test_points_for_a_part_are_a_part_of_the_points(tmp_path):
    assignment.main(
        ["--to", str(tmp_path), "--points", "2", "--part-points", "0.5", str(NOTEBOOKS[2])]
    )
    otter = tmp_path / "otter" / "03_matmul"
    config = (tmp_path / "nbgrader" / "nbgrader_config.py").read_text("utf-8")
    assert ".star_points = 2, 0\n" in config and ".part_points = 0.5\n" in config
    for test in (otter / "tests").glob("*.py"):
        assert re.findall(r"points=([\d.]+)\)\ndef (\w+)", test.read_text("utf-8")) == [
            ("1.5", "solved"),
            ("0.5", "in_part"),
        ]
    assert '"parts": true' in (otter / "otter_config.json").read_text("utf-8")


def test_a_configuration_is_kept(tmp_path):
    assignment.main(["--to", str(tmp_path), "--seed", "7", str(NOTEBOOKS[2])])
    config, otter = tmp_path / "nbgrader" / "nbgrader_config.py", tmp_path / "otter" / "03_matmul"
    compile(config.read_text("utf-8"), "nbgrader_config.py", "exec")
    assert "c.NbgraderJudge.seed = 7 " in config.read_text("utf-8")
    assert {test.stem for test in (otter / "tests").glob("*.py")} == {
        exercise.name.replace(".", "-") for exercise in everything("03")
    }
    assignment.main(["--to", str(tmp_path), "--seed", "8", str(NOTEBOOKS[2])])
    assert "c.NbgraderJudge.seed = 7 " in config.read_text("utf-8")
    assert (
        json.loads((otter / "otter_config.json").read_text("utf-8"))["plugins"][0][
            "nnlib.teaching.marking.otter_judge.OtterJudge"
        ]["seed"]
        == 7
    )


@pytest.mark.parametrize(
    ("again", "told"),
    [
        ([], 0),
        (["--seed", "7"], 0),
        (["--seed", "8"], 2),
        (["--points", "2"], 1),
        (["--part-points", "0.5"], 2),
    ],
)
def test_settings_that_a_kept_configuration_does_not_have_are_told(tmp_path, capsys, again, told):
    assignment.main(["--to", str(tmp_path), "--seed", "7", str(NOTEBOOKS[2])])
    assert not capsys.readouterr().err
    assignment.main(["--to", str(tmp_path), *again, str(NOTEBOOKS[2])])
    said = capsys.readouterr().err
    assert said.count("stays as it is") == told == said.count(str(tmp_path))


MARKS = [
    Mark("", "03.transpose", False, 0, "[0] is 1, should be 2.\n  Hint: turn it", True),
    Mark("", "03.linear_forward", True, 2, ""),
    Mark("", "03.intensity", True, 0, ""),
]


@pytest.fixture
def marked(monkeypatch):
    for judge in (nbgrader_judge, otter_judge):
        monkeypatch.setattr(
            judge, "mark", lambda path, lesson, seed, limits, parts: MARKS if lesson == "03" else []
        )


def test_nbgrader_reads_the_marks_and_not_what_was_handed_in(marked):
    notebook = assignment.assignment(NOTEBOOKS[2], 1, 0.5)
    cells = described(notebook)
    forged = nbformat.v4.new_output("execute_result", {"text/plain": "100"}, execution_count=1)
    for cell in cells.values():
        cell.outputs = [forged]
    unknown = nbformat.v4.new_code_cell(
        "100",
        metadata={"nbgrader": {"grade": True, "solution": False, "grade_id": "99-more"}},
        outputs=[forged],
    )
    notebook.cells.append(unknown)
    judge = nbgrader_judge.NbgraderJudge(star_points=0.5)
    judge.preprocess(notebook, {})
    assert cells["03-transpose"].outputs[0].output_type == "error"
    assert cells["03-transpose"].outputs[0].traceback[1] == "  Hint: turn it"
    assert cells["03-linear_forward"].outputs[0].data == {"text/plain": "1.5"}
    assert cells["03-intensity"].outputs[0].data == {"text/plain": "1.0"}
    assert {cell.outputs[0].output_type for cell in (unknown, cells["03-linear_grad_input"])} == {
        "error"
    }
    judge.part_points = 0.5
    judge.preprocess(notebook, {})
    said, points = cells["03-transpose"].outputs
    assert "Hint: turn it" in said.text and points.data == {"text/plain": "0.5"}


def test_otter_runs_a_cell_of_ours(marked, stand_in):
    judge = otter_judge.OtterJudge(
        "handed_in.ipynb", {}, {"lesson": "03", "seed": 7, "seconds": 1, "memory": 1, "parts": True}
    )
    (cell,) = judge.before_execution(None).cells
    names: dict = {}
    exec(cell.source, names)
    files = types.SimpleNamespace(test_case=lambda points: lambda test: test)
    stand_in("otter", types.ModuleType("otter"))
    stand_in("otter.test_files", files)
    for one in MARKS:
        tests: dict = {}
        exec(autograder.exercise_tests(find(one.exercise), 1, 1, 0.5), tests)
        for name, passes in {
            "solved": one.solved,
            "in_part": one.solved or one.part,
            "star_2": one.stars > 1,
        }.items():
            if name not in tests:  # stars are for pieces
                assert name == "star_2" and one.exercise != "03.linear_forward"
            elif passes:
                tests[name](names["marks"])
            else:
                with pytest.raises(AssertionError):
                    tests[name](names["marks"])


def test_the_class_that_is_tried_end_to_end():
    assert HANDED_IN.keys() == EXPECTED.keys() and len(HANDED_IN) == 27
    notebook = assignment.assignment(NOTEBOOKS[2], 1, 0)
    for hand_in in HANDED_IN.values():
        nbformat.validate(hand_in(notebook))
