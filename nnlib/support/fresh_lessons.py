"""The command `nnlib lessons`: fresh lessons beside a student's own, never over them.

    nnlib lessons                          into the folder lessons/, then opens them in JupyterLab
    nnlib lessons get                      into the current folder; --to FOLDER takes another

A lesson that is not there is copied. One that is there stays as it is: where the course has a newer one, that is put
beside it, as 03_matmul.new.ipynb.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from importlib import import_module, metadata
from pathlib import Path

from nnlib.lessons import LESSONS, notebooks
from nnlib.support import files

# Metadata of a lesson that was handed out: {"edition": a mark of its text}
KEY = "cuda-from-scratch"
_HERE = Path(__file__)


def handed_out() -> Path:
    """Return the folder of the lessons: inside a student's package, beside nnlib, or of a wheel. Raises FileNotFoundError."""
    for folder in (
        _HERE.parents[1] / "course" / "handed_out",
        _HERE.parents[2] / "notebooks",
        *_of_wheel(),
    ):
        if notebooks(folder):
            return folder
    raise FileNotFoundError(
        "this installation has no lessons: they are in the course's repository, in notebooks/"
    )


def _of_wheel() -> list[Path]:
    """Return share/nnlib/lessons of the environment, of the user or of a --target folder, as the installer has listed it."""
    try:
        files = metadata.files("cuda-from-scratch") or []
    except metadata.PackageNotFoundError:
        return []
    return [Path(file.locate()).resolve().parent for file in files if file.name == LESSONS[0].file]


def get(to: str | Path = ".") -> list[str]:
    """Copy what is missing or new into the folder; a sentence for each lesson."""
    folder = Path(to)
    folder.mkdir(parents=True, exist_ok=True)
    course = handed_out()
    return [_get(lesson, folder) for lesson in [*notebooks(course), *course.glob("GLOSSARY.md")]]


def _get(lesson: Path, folder: Path) -> str:
    fresh, own = lesson.read_bytes(), folder / lesson.name
    if _put(own, fresh):
        return f"{own.name}: new"
    marked = edition(fresh)
    number = 1
    while own.exists():
        before = own.read_bytes()
        if before == fresh or (marked is not None and edition(before) == marked):
            return f"{own.name}: nothing new, yours is kept"
        own = folder / f"{lesson.stem}.new{number if number > 1 else ''}{lesson.suffix}"
        number += 1
    _put(own, fresh)
    return f"{lesson.name}: yours is kept, the new one is {own.name}"


def _put(path: Path, content: bytes) -> bool:
    """Write all of it, unless something is there."""
    try:
        fresh = open(path, "xb")  # noqa: PTH123, SIM115  closed below
    except FileExistsError:
        return False
    try:
        with files.naming(path), fresh:
            fresh.write(content)
    except BaseException:  # half a lesson would be kept as the student's own the next time
        path.unlink()
        raise
    return True


def edition(content: bytes) -> str | None:
    """Return the mark of a lesson that was handed out, or None for anything else."""
    try:
        return str(json.loads(content)["metadata"][KEY]["edition"])
    except Exception:  # of many kinds: a student may have put anything there
        return None


def open_in_lab(folder: Path) -> None:
    """Run JupyterLab in this folder until it is closed. Raises ModuleNotFoundError if it is not installed."""
    import_module("jupyterlab")
    subprocess.run([sys.executable, "-m", "jupyterlab", f"--notebook-dir={folder}"])


def main(arguments: list[str] | None = None) -> None:
    """Run the command `nnlib lessons`."""
    parser = argparse.ArgumentParser(
        prog="nnlib lessons",
        description="Copies the lessons into a folder, beside what "
        "is there and never over it, and opens them in JupyterLab.",
    )
    parser.add_argument(
        "get", nargs="?", choices=["get"], help="only copy, into the current folder"
    )
    parser.add_argument(
        "--to", type=Path, metavar="FOLDER", help="another folder (default: lessons, or . with get)"
    )
    chosen = parser.parse_args(arguments)
    folder = chosen.to or Path("." if chosen.get else "lessons")
    print("\n".join(get(folder)), flush=True)
    if not chosen.get:
        open_in_lab(folder)
