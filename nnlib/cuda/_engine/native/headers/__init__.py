"""CUDA's functions of numbers as CUDA C: a name in these texts is that of CUDA behind `native_`.

mathematics.h has the functions of floats that are rounded, functions.h the others. The simulator runs those of which
NumPy has no operation. First used in lesson 07.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Set
from pathlib import Path

from ...language import compile_source, tree
from ...language.types import Type

FOLDER = Path(__file__).parent
PREFIX = "native_"
_NAME = re.compile(PREFIX + r"(\w+)")


@functools.cache
def _texts() -> tuple[str, dict[str, str]]:
    """Return the macros, and the source of all functions of each name."""
    macros: list[str] = []
    functions: dict[str, str] = {}
    for file in ("mathematics.h", "functions.h"):
        text = (FOLDER / file).read_text(encoding="utf-8")
        macros += re.findall(r"^#define.*$", text, re.MULTILINE)
        for function in re.split(r"^(?=__device__)", text, flags=re.MULTILINE)[1:]:
            found = _NAME.search(function)
            assert found is not None
            functions[found[1]] = functions.get(found[1], "") + function
    return "\n".join(macros) + "\n", functions


def names() -> Set[str]:
    """Return the names of the functions in these texts, also of those that only they call."""
    return _texts()[1].keys()


@functools.cache
def program(name: str) -> tree.TranslationUnit | None:
    """Return the functions of that name, with those that they call; None if there is none."""
    macros, functions = _texts()
    if name not in functions:
        return None
    needed = [name]
    for one in needed:
        needed += [
            other for other in dict.fromkeys(_NAME.findall(functions[one])) if other not in needed
        ]
    order = [one for one in functions if one in needed]
    return compile_source(
        macros + "".join(functions[one] for one in order), (), "mathematics.h", ()
    )


def function(name: str, *arguments: Type) -> tree.Function | None:
    """Return the function of that name for these types of arguments."""
    found = program(name)
    for key, one in found.functions.items() if found is not None else ():
        if (
            key.partition("#")[0] == PREFIX + name
            and tuple(p.type for p in one.parameters) == arguments
        ):
            return one
    return None
