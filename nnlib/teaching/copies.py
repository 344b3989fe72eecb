"""Copies of the lessons for students: solutions and the teacher's notes taken out, outputs cleared."""

from __future__ import annotations

import copy
import hashlib
import re
from pathlib import Path
from typing import Any

from nnlib.support.fresh_lessons import KEY
from nnlib.teaching.cells import is_note, is_solution, read

ADDRESS = re.compile(r"\n\n\[Open in Colab\]\(\S+\)$|(?<=^COURSE = \")[^\"]+", re.MULTILINE)


def for_teachers(cell: Any) -> bool:
    """Return whether a cell is a solution, the line that announces it, or a speaker note."""
    return is_solution(cell) or is_note(cell) or cell.source.startswith("**Solution")


def student_copy(notebook: Any) -> Any:
    """Copy a notebook to hand out, without what is for teachers and without links to the published solutions."""
    notebook = copy.deepcopy(notebook)
    notebook.cells = [cell for cell in notebook.cells if not for_teachers(cell)]
    for cell in notebook.cells:
        cell.source = ADDRESS.sub("", cell.source)
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return notebook


def without_notes(notebook: Any) -> Any:
    """Copy a notebook for any reader: with solutions, without what the teacher says."""
    notebook = copy.deepcopy(notebook)
    notebook.cells = [cell for cell in notebook.cells if not is_note(cell)]
    return notebook


def handed_out(path: Path) -> Any:
    """Make the student's copy of a lesson, with a mark that tells its text from a later one: see fresh_lessons.py."""
    notebook = student_copy(read(path))
    text = "\0".join(cell.source for cell in notebook.cells)
    notebook.metadata[KEY] = {"edition": hashlib.sha256(text.encode()).hexdigest()[:12]}
    return notebook
