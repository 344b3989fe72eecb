"""otter-grader's half of `nnlib assignment`: a notebook and autograder.zip for each lesson, an image for containers.

`otter run` marks one notebook with the zip file, on the teacher's machine. `otter grade` marks many at once, and
Gradescope each as it is handed in: both in containers of an image that the Dockerfile builds from this package.
"""

from __future__ import annotations

import argparse
import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

from nnlib.course.exercises import PieceExercise, everything
from nnlib.teaching.cells import store
from nnlib.teaching.copies import handed_out
from nnlib.teaching.filling import TEMPLATES, filled
from nnlib.teaching.marking.nbgrader_judge import grade_id
from nnlib.teaching.package import whole_wheel

BY_HAND = ["06.clinic"]  # a record of what was done, no answer that could be judged anew
_FILES = TEMPLATES / "otter"
_IN_THE_ZIP = ("setup.sh", "run_autograder", "run_otter.py", "environment.yml")
_REQUIREMENTS = "/opt/marks/package/{wheel}[course]\notter-grader>=6,<8\n"


def write(folder: Path, path: Path, chosen: argparse.Namespace) -> None:
    """Write the student's notebook, a test file for each exercise, and otter_config.json with the plugin that marks."""
    lesson = path.stem[:2]
    (folder / "tests").mkdir(parents=True)
    for exercise in everything(lesson):
        if exercise.name not in BY_HAND:
            text = exercise_tests(exercise, chosen.points, chosen.star_points, chosen.part_points)
            (folder / "tests" / f"{grade_id(exercise.name)}.py").write_text(text, "utf-8")
    judge = {
        "lesson": lesson,
        "seed": chosen.seed,
        "seconds": chosen.seconds,
        "memory": chosen.memory,
        "parts": chosen.part_points > 0,
    }
    (folder / "otter_config.json").write_text(
        json.dumps(
            {
                "lang": "python",
                "plugins": [{"nnlib.teaching.marking.otter_judge.OtterJudge": judge}],
            },
            indent=1,
        ),
        "utf-8",
    )
    store(handed_out(path), folder / path.name)


def exercise_tests(exercise: Any, points: float, star_points: float, part_points: float) -> str:
    """Return otter's tests of an exercise: its points are those for a right answer, for one in part, for each star."""
    return filled(
        _FILES / "test.py.j2",
        exercise=exercise.name,
        grade_id=grade_id(exercise.name),
        right=points - part_points,
        part=part_points,
        star=star_points * isinstance(exercise, PieceExercise),
    )


def pack(folder: Path) -> None:
    """Fill a lesson's autograder.zip from its tests and otter_config.json."""
    with zipfile.ZipFile(folder / "autograder.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in _IN_THE_ZIP:
            archive.write(_FILES / name, name)
        for file in [folder / "otter_config.json", *sorted(folder.glob("tests/*.py"))]:
            archive.write(file, file.relative_to(folder))


def write_image(folder: Path) -> None:
    """Write the Dockerfile and, in package/, what it installs: this package, with everything."""
    package = folder / "package"
    shutil.rmtree(package, ignore_errors=True)
    package.mkdir()
    wheel = whole_wheel(package)
    (package / "requirements.txt").write_text(_REQUIREMENTS.format(wheel=wheel.name), "utf-8")
    shutil.copy(_FILES / "Dockerfile", folder)
