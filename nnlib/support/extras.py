"""Packages beside nnlib: those that some parts use, loaded when needed, and another one of the same name."""

from __future__ import annotations

import importlib
import sys
import warnings
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

_INSTALLED_AS = {"PIL": "pillow", "IPython": "ipython"}


class MissingPackageError(ImportError):
    """Packages are not installed; says what needs them and what to type."""

    def __init__(self, purpose: str, packages: list[str]) -> None:
        names = [_INSTALLED_AS.get(package, package) for package in packages]
        verb = "is" if len(names) == 1 else "are"
        super().__init__(
            f"{purpose} need {', '.join(names)}, which {verb} not installed. "
            f"Type: pip install {' '.join(names)}",
            name=packages[0],
        )


def require(purpose: str, *packages: str) -> None:
    """Raise MissingPackageError if any is not installed. purpose: what needs them, in the plural."""
    missing = [package for package in packages if find_spec(package) is None]
    if missing:
        raise MissingPackageError(purpose, missing)


def load(module: str, purpose: str) -> ModuleType:
    """Import a module of a package. Raises MissingPackageError if it is not installed.

    >>> load("json", "checkpoints").dumps([1])
    '[1]'
    >>> load("no_such.numpy", "checkpoints")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    nnlib.support.extras.MissingPackageError: checkpoints need no_such, ... Type: pip install no_such
    """
    require(purpose, module.partition(".")[0])
    return importlib.import_module(module)


def namesake(packages: Path = Path(__file__).parents[2]) -> str:
    """Return what to do if PyPI's other `nnlib` is in the same folder, as both own nnlib/__init__.py; else ""."""
    other = next(packages.glob("nnlib-*.dist-info"), None)
    if sys.platform == "emscripten":  # where the site's own wheel is called nnlib
        return ""
    return (
        other
        and (
            f"Another package, {other.stem}, is installed in the same folder as this one, and they overwrite each other's "
            "files. Type: pip uninstall nnlib, then install cuda-from-scratch again, with --force-reinstall."
        )
    ) or ""


if _clash := namesake():  # here and not in nnlib, whose __init__ may be the other's
    warnings.warn(_clash, stacklevel=2)
