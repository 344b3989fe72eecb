"""Where the lessons lie that are published, and folders that are filled whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nnlib
from nnlib.lessons import notebooks
from nnlib.support import files

_ABOVE = Path(nnlib.__file__).parents[1]


def root(command: str) -> Path:
    """Return the course's repository around this nnlib. SystemExit where nnlib was installed without it."""
    if not (_ABOVE / "pyproject.toml").exists() or not (_ABOVE / "notebooks").is_dir():
        raise SystemExit(
            f"{command} needs the course's repository, and this nnlib was installed without it. "
            "Clone the repository, type `make lab` there once, and use its .venv/bin/nnlib."
        )
    return _ABOVE


def lessons(command: str, named: Sequence[Path] = ()) -> list[Path]:
    """Return the notebooks that were named, else all lessons of the repository."""
    return list(named) or notebooks(root(command) / "notebooks")


def cache() -> Path:
    """Return a folder for what is fetched once from elsewhere."""
    return (
        _ABOVE / "build" if (_ABOVE / "pyproject.toml").exists() else files.home() / "nnlib-build"
    )


def copy_tree(source: Path, target: Path, **how: Any) -> None:
    """Copy a folder as shutil.copytree does, but raise an OSError about the first file that fails, not about all."""
    try:
        shutil.copytree(source, target, **how)
    except shutil.Error as error:
        raise OSError(error.args[0][0][-1]) from None


@contextmanager
def added_to(target: Path) -> Iterator[Path]:
    """Yield an empty folder, whose files move into the target if the `with` block ends well. Other files there stay."""
    target = target.resolve()
    with _beside(target) as fresh:
        yield fresh
        copy_tree(fresh, target, copy_function=os.replace, dirs_exist_ok=True)


@contextmanager
def instead_of(target: Path, mark: str) -> Iterator[Path]:
    """Yield an empty folder that takes the target's place if the `with` block ends well.

    mark: a file that every such folder has. SystemExit where the target has other files and not this one.
    """
    if target.exists() and not (target / mark).exists() and any(target.iterdir()):
        raise SystemExit(
            f"{target} would be replaced, but what lies there was not made by this command. "
            "Remove it, or name another folder with --to."
        )
    target = target.resolve()
    with _beside(target) as fresh:
        yield fresh
        if target.exists():
            target.rename(fresh.with_name("before"))
        fresh.rename(target)


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as folder:
        fresh = Path(folder, "fresh")
        fresh.mkdir()
        yield fresh
