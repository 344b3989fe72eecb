"""Packages that some parts use and nnlib runs without: loaded when needed, and if missing, what to type."""

from __future__ import annotations

import importlib
from types import ModuleType

_INSTALLED_AS = {"PIL": "pillow", "IPython": "ipython"}


class MissingPackageError(ImportError):
    """A package is not installed; says what needs it and what to type."""


def load(module: str, purpose: str) -> ModuleType:
    """The module. purpose: what needs it, in the plural, for the message of the MissingPackageError.

        >>> load("json", "checkpoints").dumps([1])
        '[1]'
        >>> load("no_such_package.numpy", "checkpoints")
        Traceback (most recent call last):
        nnlib.extras.MissingPackageError: checkpoints need no_such_package, which is not installed. Type: pip install \
no_such_package
    """
    package = module.partition(".")[0]
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise  # it is there and lacks something itself
        raise MissingPackageError(f"{purpose} need {package}, which is not installed. "
                                  f"Type: pip install {_INSTALLED_AS.get(package, package)}", name=package) from None
