"""nbgrader's autograding without running a notebook: the grades are `marks.mark`'s. `make assignment` configures it.

`NbgraderJudge` stands where nbgrader has its `Execute`. The cells with a grade get what was judged as their output, an
error where the answer is not right; from that nbgrader reads points, and shows it in the feedback.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.preprocessors import Preprocessor
from traitlets import Float, Integer

from nnlib.teaching.marking.marks import Mark, mark
from nnlib.teaching.options import Limits


def grade_id(exercise: str) -> str:
    """Return nbgrader's name for the cell of an exercise: "03.transpose" -> "03-transpose"."""
    return exercise.replace(".", "-")


class KnownCells(Preprocessor):
    """Repairs what nbgrader's `OverwriteCells`, which runs next, fails at.

    A copied cell and a cell of another assignment lose their metadata; an empty cell is added for an answer whose cell is
    gone. Marks do not depend on it: `NbgraderJudge` finds answers by what cells define.
    """

    enabled = True

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Return the notebook with metadata that nbgrader's gradebook knows, and with every answer's cell."""
        from nbgrader.api import Gradebook

        of_nbgrader = resources["nbgrader"]
        with Gradebook(of_nbgrader["db_url"]) as book:
            released = book.find_notebook(of_nbgrader["notebook"], of_nbgrader["assignment"])
            names = {cell.name for cell in released.source_cells}
            graded = {cell.name for cell in released.grade_cells}
            answers = [cell.name for cell in released.solution_cells if cell.name not in graded]
        here = set()
        for cell in nb.cells:
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            if name in names:
                here.add(name)
            else:
                cell.metadata.pop("nbgrader", None)
        nb.cells += [
            nbformat.v4.new_code_cell(metadata={"nbgrader": answer_cell(name)})
            for name in answers
            if name not in here
        ]
        return nb, resources


def answer_cell(name: str) -> dict[str, Any]:
    """Return nbgrader's metadata, version 3, of a cell that a student writes and that has no points of its own."""
    return {
        "schema_version": 3,
        "grade_id": name,
        "grade": False,
        "task": False,
        "solution": True,
        "locked": False,
    }


class NbgraderJudge(Preprocessor):
    """A preprocessor. seed: inputs are drawn from it. seconds, memory (MB): `Limits`. points …: as `Mark.points`."""

    enabled = True
    seed = Integer(0).tag(config=True)
    seconds = Float(Limits.seconds).tag(config=True)
    memory = Integer(Limits.memory).tag(config=True)
    points = Float(1.0).tag(config=True)
    star_points = Float(0.0).tag(config=True)
    part_points = Float(0.0).tag(config=True)

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Fill the outputs of all cells with a grade; every other cell stays as it was handed in, not run."""
        graded = {cell.metadata["nbgrader"]["grade_id"]: cell for cell in nb.cells if _judged(cell)}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "handed_in.ipynb"
            nbformat.write(nb, path)
            for lesson in sorted({name[:2] for name in graded}):
                for one in mark(
                    path, lesson, self.seed, Limits(self.seconds, self.memory), self.part_points > 0
                ):
                    if cell := graded.pop(grade_id(one.exercise), None):
                        cell.outputs = self._outputs(one)
                        if not one.judged:
                            _leave_to_the_teacher(cell)
        for name, cell in graded.items():
            cell.outputs = [_error(f"{name} is no exercise")]
        return nb, resources

    def _outputs(self, one: Mark) -> list[Any]:
        points = one.points(self.points, self.star_points, self.part_points)
        if not points:
            return [_error(one.said)]
        said = (
            [] if one.solved else [nbformat.v4.new_output("stream", name="stdout", text=one.said)]
        )
        return [
            *said,
            nbformat.v4.new_output(
                "execute_result", {"text/plain": str(points)}, execution_count=None
            ),
        ]


def _leave_to_the_teacher(cell: Any) -> None:
    """Let nbgrader ask for a grade by hand, as it does for answers that no test decides."""
    cell.metadata["nbgrader"]["solution"] = True
    cell.metadata["nbgrader"].pop("checksum", None)


def _judged(cell: Any) -> bool:
    of_nbgrader = cell.metadata.get("nbgrader", {})
    return (
        cell.cell_type == "code"
        and bool(of_nbgrader.get("grade"))
        and not of_nbgrader.get("solution")
    )


def _error(said: str) -> Any:
    return nbformat.v4.new_output(
        "error", ename="✗", evalue=said.partition("\n")[0], traceback=said.splitlines()
    )
