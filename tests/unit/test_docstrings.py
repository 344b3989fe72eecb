"""What the code says about itself: its examples are right, and everything public says something."""

import doctest
import functools
import importlib
import inspect
import pkgutil
from pathlib import Path
from types import FunctionType

import pytest

import nnlib


def stop(name):
    raise  # the error with which that package did not import


MODULES = [
    "nnlib",
    *(module.name for module in pkgutil.walk_packages(nnlib.__path__, "nnlib.", stop)),
]
WHOLE = """
    device files ops layers losses optimizers update_rules initializers model gradcheck datasets
    training
    """.split()
ROOMS = [name for name in MODULES if name.removeprefix("nnlib.").split(".")[0] in WHOLE] + [
    f"nnlib.{name}" for name in ("cuda", "course", "course.pictures.plots", "course.timing")
]


def public(module):
    """(name, function or class) of what a module offers: `__all__`, else what it defines without an underscore."""
    own = [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__
    ]
    things = ((name, getattr(module, name)) for name in getattr(module, "__all__", own))
    return [(name, thing) for name, thing in things if inspect.isclass(thing) or callable(thing)]


def undocumented(module):
    """Names without a docstring of their own, or, where a method overrides another, of the one above.

    What `dataclass` writes, the signature, is none.
    """
    missing = []
    for name, thing in public(module):
        if not thing.__doc__ or (inspect.isclass(thing) and thing.__doc__.startswith(f"{name}(")):
            missing.append(name)
        for method in vars(thing) if inspect.isclass(thing) else ():
            kinds = property, functools.cached_property, classmethod, staticmethod, FunctionType
            if isinstance(vars(thing)[method], kinds) and not method.startswith("_"):
                missing += [] if inspect.getdoc(getattr(thing, method)) else [f"{name}.{method}"]
    return missing


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_are_right(name):
    module = importlib.import_module(name)
    # Else doctest takes long to find that there is none
    if ">>>" in Path(module.__file__).read_text("utf-8"):
        assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("room", ROOMS)
def test_everything_public_has_a_docstring(room):
    module = importlib.import_module(room)
    assert public(module)
    assert undocumented(module) == []
