"""Copies of the lessons for students: solutions and the teacher's notes taken out, outputs cleared.

A solution stands between `### BEGIN SOLUTION` and `### END SOLUTION` (in CUDA C: `// BEGIN SOLUTION` …),
optionally with the line that replaces it behind the first marker: `### BEGIN SOLUTION answer = ...`.
"""

from __future__ import annotations

import copy
import hashlib
import re
from pathlib import Path
from typing import Any

from nnlib.support.fresh_lessons import KEY
from nnlib.teaching.cells import is_note, is_solution, read

BEGIN = re.compile(r"^(\s*)(###|//) BEGIN SOLUTION ?(.*)$")
END = re.compile(r"^\s*(###|//) END SOLUTION\s*$")
ADDRESS = re.compile(r"\n\n\[Open in Colab\]\(\S+\)$|(?<=^COURSE = \")[^\"]+", re.MULTILINE)


def strip(source: str) -> str:
    """The source without its solutions; ValueError for a marker without its partner."""
    lines, inside = [], False
    for line in source.split("\n"):
        begin = BEGIN.match(line)
        if begin and not inside:
            inside = True
            indent, comment, starter = begin.groups()
            lines.append(
                indent + (starter or f"{'#' if comment == '###' else comment} YOUR CODE HERE")
            )
        elif END.match(line) and inside:
            inside = False
        elif begin or END.match(line):
            raise ValueError(f"marker without its partner: {line.strip()}")
        elif not inside:
            lines.append(line)
    if inside:
        raise ValueError("BEGIN SOLUTION without END SOLUTION")
    return "\n".join(lines)


def for_teachers(cell: Any) -> bool:
    """Is this a solution, the line that announces it, or a speaker note?"""
    return is_solution(cell) or is_note(cell) or cell.source.startswith("**Solution")


def student_copy(notebook: Any) -> Any:
    """A notebook to hand out, without what is for teachers and without the way to the published solutions."""
    notebook = copy.deepcopy(notebook)
    notebook.cells = [cell for cell in notebook.cells if not for_teachers(cell)]
    for cell in notebook.cells:
        cell.source = ADDRESS.sub("", cell.source)
        if cell.cell_type == "code":
            stripped = strip(cell.source)
            if (
                stripped != cell.source
            ):  # an exercise is to be seen, even where its solution was folded
                cell.metadata.pop("jupyter", None)
            cell.source, cell.outputs, cell.execution_count = stripped, [], None
    return notebook


def without_notes(notebook: Any) -> Any:
    """A notebook as anybody may read it: with solutions, without what the teacher says."""
    notebook = copy.deepcopy(notebook)
    notebook.cells = [cell for cell in notebook.cells if not is_note(cell)]
    return notebook


def handed_out(path: Path) -> Any:
    """The student's copy of a lesson, with a mark that tells its text from a later one: see fresh_lessons.py."""
    try:
        notebook = student_copy(read(path))
    except ValueError as error:
        raise SystemExit(f"{path}: {error}") from None
    text = "\0".join(cell.source for cell in notebook.cells)
    notebook.metadata[KEY] = {"edition": hashlib.sha256(text.encode()).hexdigest()[:12]}
    return notebook
