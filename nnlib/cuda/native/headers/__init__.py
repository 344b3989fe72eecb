"""CUDA's functions of numbers as CUDA C, for the engine to compile: a name here is that of CUDA behind `native_`.

First used in lesson 07.
"""

from __future__ import annotations

import functools
from pathlib import Path

from nnlib.cuda.language import compile_source, tree
from nnlib.cuda.language.types import Type

FOLDER = Path(__file__).parent
PREFIX = "native_"


@functools.cache
def _program() -> tree.Program:
    text = (FOLDER / "functions.h").read_text(encoding="utf-8")
    return compile_source(text, (), "functions.h", ())


def function(name: str, *arguments: Type) -> tree.Function | None:
    """The one of that name and these types of arguments."""
    for key, found in _program().functions.items():
        if key.partition("#")[0] == PREFIX + name and tuple(p.type for p in found.parameters) == arguments:
            return found
    return None
