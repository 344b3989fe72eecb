"""The package that students install: nnlib without the texts of solutions.

Left out are the course's texts of the pieces, a teacher's tools, usual mistakes and kernels of the library that could
be made a piece (left_out.py). Python references of exercises become tables of results for the inputs of `check`;
marking, with the whole package, draws others. Words about predictions and the clinic's patients are packed.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from nnlib.course.exercises import everything, parsons
from nnlib.course.exercises.checking import FunctionExercise
from nnlib.lessons import NUMBERS
from nnlib.support.packed import pack
from nnlib.teaching.cells import store
from nnlib.teaching.checkout import copy_tree, lessons, root
from nnlib.teaching.copies import handed_out
from nnlib.teaching.left_out import leave_out_kernels, leave_out_mistakes
from nnlib.teaching.programs import call

PIECES = "nnlib/mine/plain"  # the course's first texts; lesson 08 begins with them where a student has none
LEFT_OUT = "nnlib/mine/best", "nnlib/teaching"
# "07.loop" is judged bit for bit, by a loop that is `training.fit`'s: that file is there for everybody. "11.ring" has
# no reference: its results are sums.
KEPT = {"07.loop", "11.ring"}
_SETUPTOOLS = 77  # as pyproject.toml says
_BUILD = "import sys; from setuptools import build_meta; print(build_meta.build_wheel(sys.argv[1]))"


def wheel(folder: Path, pieces: bool = False) -> Path:
    """Build the students' package from a copy of the sources, as `sources` makes it."""
    return _built("The students' package", folder, lambda copied: sources(copied, pieces))


def whole_wheel(folder: Path) -> Path:
    """Build the package with everything, for machines that mark."""
    return _built("The package", folder, functools.partial(_copy, "the package"))


def _built(what: str, folder: Path, fill: Callable[[Path], None]) -> Path:
    """Build a wheel in the folder from the sources that `fill` puts into another one."""
    if int(metadata.version("setuptools").split(".")[0]) < _SETUPTOOLS:
        raise SystemExit(
            f"{what} is built with setuptools {_SETUPTOOLS} or newer: "
            f"type pip install 'setuptools>={_SETUPTOOLS}'"
        )
    with tempfile.TemporaryDirectory() as copied:
        fill(Path(copied))
        _tell("the wheel is built")
        printed = call(what, sys.executable, "-c", _BUILD, folder.resolve(), folder=Path(copied))
    return folder / printed.split()[-1]


def _tell(step: str) -> None:
    """Print what takes its time, for whoever waits."""
    print(f"package: {step}", file=sys.stderr, flush=True)


def _copy(what: str, folder: Path) -> None:
    course = root(what)
    for name in (
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "notebooks/LICENSE",
        "notebooks/GLOSSARY.md",
        "data/README.md",
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(course / name, folder / name)
    copy_tree(course / "nnlib", folder / "nnlib", ignore=shutil.ignore_patterns("__pycache__"))


def sources(folder: Path, pieces: bool = False) -> None:
    """Copy what makes the package, without what students are to find out. pieces: with PIECES all the same."""
    _copy("the students' package", folder)
    version = folder / "nnlib" / "__init__.py"
    # pip leaves what has the same version as it is
    kind = "student.pieces" if pieces else "student"
    version.write_text(
        re.sub(r'(?m)^(__version__ = "[^"]+)"', rf'\1+{kind}"', version.read_text("utf-8")), "utf-8"
    )
    for name in LEFT_OUT if pieces else (PIECES, *LEFT_OUT):
        shutil.rmtree(folder / name)
    copies = folder / "nnlib" / "course" / "handed_out"  # for `nnlib lessons get`
    copies.mkdir()
    for path in lessons("the students' package"):
        store(handed_out(path), copies / path.name)
    shutil.copy(root("the students' package") / "notebooks" / "GLOSSARY.md", copies)
    if not pieces:
        _tell("usual mistakes become samples, which takes a minute the first time")
        leave_out_kernels(folder / "nnlib" / "kernels")
        leave_out_mistakes(folder / "nnlib" / "course" / "exercises" / "mistakes")
    exercises = folder / "nnlib" / "course" / "exercises"
    _tell("references become tables of results")
    known = json.dumps(results(), ensure_ascii=False, default=_array)
    (exercises / "recorded.json").write_text(known, "utf-8")
    for file in exercises.glob("lesson*.py"):
        file.write_text(without_references(file.read_text("utf-8")), "utf-8")
    words = folder / "nnlib" / "course"
    (exercises / "parsons.json").write_text(
        json.dumps(parsons.record(), ensure_ascii=False), "utf-8"
    )
    for file in [
        *words.glob("predictions/*.json"),
        words / "clinic" / "patients.json",
        exercises / "parsons.json",
    ]:
        pack(file)


@functools.cache
def results() -> dict[str, dict[str, Any]]:
    """Compute what right and mistaken functions return for the inputs of `check`, exercise by exercise."""
    found = {}
    for lesson in NUMBERS:
        for exercise in everything(lesson):
            if isinstance(exercise, FunctionExercise) and exercise.name not in KEPT:
                cases = [args if isinstance(args, tuple) else (args,) for args in exercise.inputs]
                found[exercise.name] = {
                    "cases": list(map(repr, cases)),
                    "reference": [exercise.reference(*args) for args in cases],
                    "mistakes": {
                        hint: [_tried(mistake, args) for args in cases]
                        for hint, mistake in exercise.mistakes.items()
                    },
                }
    return found


def _tried(mistake: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    with contextlib.suppress(Exception):
        return mistake(*args)
    return "no result"


def _array(value: Any) -> Any:
    """Write an array or a number in the form that recorded.py turns back into one: to `check` a list is something else."""
    return {"array": value.tolist()} if np.ndim(value) else value.item()


def without_references(source: str) -> str:
    """Return a module of exercises in which `recorded` stands for references and mistakes, without functions for them alone."""
    tree = ast.parse(source)
    changed = False
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "FunctionExercise":
            assert len(node.args) == 1, "a reference is given by its keyword, so that it is found"
        if isinstance(node, ast.Call) and any(
            keyword.arg == "reference" for keyword in node.keywords
        ):
            name = node.args[0]
            assert isinstance(name, ast.Constant)
            if name.value in KEPT:
                continue
            node.keywords = [
                keyword for keyword in node.keywords if keyword.arg not in ("reference", "mistakes")
            ]
            node.keywords.append(ast.keyword(None, ast.Call(ast.Name("recorded"), [name], [])))
            changed = True
    if not changed:
        return source
    while unused := [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name not in _names(tree)
    ]:
        tree.body = [node for node in tree.body if node not in unused]
    behind = 1 + isinstance(tree.body[1], ast.ImportFrom)  # "from __future__" comes first
    new = ast.parse("from nnlib.course.exercises.recorded import recorded").body
    tree.body[behind:behind] = new
    return ast.unparse(tree) + "\n"


def _names(tree: ast.Module) -> set[str]:
    """Return the names that are used outside of the function that has them."""
    used = set()
    for statement in tree.body:
        names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
        used |= names - {getattr(statement, "name", None)}
    return used
