"""`nnlib assignment`: graded assignments for nbgrader and for otter-grader, from one source, the student copies.

assignment/nbgrader is a course folder: nbgrader_config.py and source/. assignment/otter is written by autograder.py.
Neither tool runs what a student hands in: both ask `nnlib.teaching.marking`.
"""

from __future__ import annotations

import argparse
import copy
import re
import secrets
import sys
from pathlib import Path
from typing import Any

from nnlib.course.exercises import PieceExercise, everything
from nnlib.teaching import autograder, options
from nnlib.teaching.autograder import BY_HAND
from nnlib.teaching.cells import store
from nnlib.teaching.checkout import added_to, lessons
from nnlib.teaching.copies import handed_out
from nnlib.teaching.marking.nbgrader_judge import answer_cell, grade_id
from nnlib.teaching.marking.submission import answer_name

_CHECK = re.compile(r'^check\("(\d\d\.\w+)"', re.MULTILINE)
_BEFORE_CHECK = re.compile(r'^(?=check\("\d\d\.)', re.MULTILINE)

CONFIG = '''"""nbgrader for this course: cells are not run, `nnlib.teaching.marking` judges the answers in them."""

from nbgrader import preprocessors as of_nbgrader

from nnlib.teaching.marking.nbgrader_judge import KnownCells, NbgraderJudge

c = get_config()
c.CourseDirectory.course_id = "cuda-from-scratch"
c.GenerateAssignment.preprocessors = [  # all but ClearSolutions: there are none, and it would take the starters away
    of_nbgrader.IncludeHeaderFooter, of_nbgrader.LockCells, of_nbgrader.ComputeChecksums, of_nbgrader.SaveCells,
    of_nbgrader.CheckCellMetadata, of_nbgrader.ClearOutput, of_nbgrader.ClearHiddenTests,
    of_nbgrader.ClearMarkScheme, of_nbgrader.ComputeChecksums, of_nbgrader.CheckCellMetadata]
c.OverwriteCells.add_missing_cells = True  # a deleted check is no lost answer, and no gained one
c.Autograde.sanitize_preprocessors = [  # with KnownCells before the cells of the assignment are restored
    of_nbgrader.ClearOutput, of_nbgrader.DeduplicateIds, of_nbgrader.OverwriteKernelspec, KnownCells,
    of_nbgrader.OverwriteCells, of_nbgrader.CheckCellMetadata]
c.Autograde.autograde_preprocessors = [  # NbgraderJudge in the place of Execute
    NbgraderJudge, of_nbgrader.LimitOutput, of_nbgrader.SaveAutoGrades, of_nbgrader.AssignLatePenalties,
    of_nbgrader.CheckCellMetadata]
c.NbgraderJudge.points, c.NbgraderJudge.star_points = {points:g}, {star_points:g}
c.NbgraderJudge.part_points = {part_points:g}
c.NbgraderJudge.seed = {seed}  # of the inputs; for students it is a secret
c.NbgraderJudge.seconds, c.NbgraderJudge.memory = {seconds:g}, {memory}
'''


def most(exercise: Any, points: float, star_points: float) -> float:
    """Return the most points that an exercise can give."""
    return points + 2 * star_points * isinstance(exercise, PieceExercise)


def assignment(path: Path, points: float, star_points: float) -> Any:
    """Make the student copy with nbgrader's metadata: an answer cell and a locked cell with points for each exercise."""
    notebook, lesson = handed_out(path), path.stem[:2]
    notebook.cells = [part for cell in notebook.cells for part in split(cell)]
    exercises = {exercise.name: exercise for exercise in everything(lesson)}
    places = dict[str, int]()
    for place, cell in enumerate(notebook.cells):
        if cell.cell_type == "code":  # checks of other lessons' exercises are practice
            places |= dict.fromkeys(exercises.keys() & _CHECK.findall(cell.source), place)
    if not exercises:
        raise SystemExit(
            f"{path}: its name does not begin with the number of a lesson that has exercises"
        )
    if places.keys() != exercises.keys():
        raise SystemExit(f"{path}: no cell checks {sorted(exercises.keys() - places.keys())}")
    for name, place in places.items():
        cell, by_hand = notebook.cells[place], name in BY_HAND
        cell.metadata["nbgrader"] = {
            **answer_cell(grade_id(name)),
            "grade": True,
            "solution": by_hand,
            "locked": True,
            "points": most(exercises[name], points, star_points),
        }
        answer = [before for before in notebook.cells[:place] if defines(before, answer_name(name))]
        if not by_hand and not answer:
            raise SystemExit(
                f"{path}: no cell before the check of {name} defines {answer_name(name)}"
            )
        if not by_hand:
            answer[-1].metadata["nbgrader"] = answer_cell(grade_id(name) + "-answer")
    return notebook


def split(cell: Any) -> list[Any]:
    """Split a cell with several checks, or with a starter and its check: one check is one cell."""
    sources = [cell.source]
    if cell.cell_type == "code":
        sources = [part.rstrip() for part in re.split(_BEFORE_CHECK, cell.source) if part]
    cells = []
    for number, source in enumerate(sources):
        part = copy.deepcopy(cell)
        part.source = source
        if number:
            part.id, part.metadata["slideshow"] = f"{cell.id}-{number}", {"slide_type": "-"}
        cells.append(part)
    return cells


def defines(cell: Any, name: str) -> bool:
    """Return whether a cell is the starter of that kernel or function."""
    if cell.cell_type != "code":
        return False
    pattern = (
        rf"__global__[^;{{]*\b{name}\s*\("
        if cell.source.startswith("%%cuda")
        else rf"(?m)^def {name}\("
    )
    return re.search(pattern, cell.source) is not None


def write_all(folder: Path, paths: list[Path], chosen: argparse.Namespace) -> None:
    """Write these lessons in both forms, for nbgrader and for otter-grader."""
    course, otter = folder / "nbgrader", folder / "otter"
    for path in paths:
        source = course / "source" / path.stem / path.name
        source.parent.mkdir(parents=True)
        store(assignment(path, chosen.points, chosen.star_points), source)
        autograder.write(otter / path.stem, path, chosen)
    (course / "nbgrader_config.py").write_text(CONFIG.format(**vars(chosen)), "utf-8")


def _differ(one: Path, other: Path, with_seeds: bool) -> bool:
    """Return whether two configuration files differ; with_seeds says whether the seed counts."""
    texts = {
        path.read_text("utf-8")
        if with_seeds
        else re.sub(r'(seed"?(?: =|:)) \d+', r"\1", path.read_text("utf-8"))
        for path in (one, other)
    }
    return len(texts) > 1


def main(arguments: list[str] | None = None) -> None:
    """Run the command `nnlib assignment`."""
    chosen = options.assignment().parse_args(arguments)
    seed_asked = chosen.seed is not None
    chosen.seed = chosen.seed if seed_asked else secrets.randbits(31)
    paths = lessons("nnlib assignment without the name of a notebook", chosen.notebooks)
    with added_to(chosen.to) as fresh:
        write_all(fresh, paths, chosen)
        for written in [
            *fresh.glob("nbgrader/nbgrader_config.py"),
            *fresh.glob("otter/*/otter_config.json"),
        ]:
            # An existing file stays: the teacher may have changed it, and a new seed would change the marks.
            if (there := chosen.to / written.relative_to(fresh)).exists():
                if _differ(there, written, seed_asked):
                    print(
                        f"{there} was there and stays as it is, with other settings than these: they do not count "
                        "until you delete it or write them into it.",
                        file=sys.stderr,
                    )
                written.unlink()
    for path in paths:
        autograder.pack(chosen.to / "otter" / path.stem)
    if chosen.image:
        autograder.write_image(chosen.to / "otter")
    for path in paths:
        print(chosen.to / "nbgrader" / "source" / path.stem / path.name)
