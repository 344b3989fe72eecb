"""What each file of a program keeps to itself: in one text of all files, such names and macros must not meet.

A name that two files define for themselves (static, inline, const, or for the GPU) is another one in the second: its
text stands between #define name name__2 and #undef name. The macros of a .cu file end with it.
"""

from __future__ import annotations

import re

from ..language.diagnostics import Fault
from ..language.outermost import declarations, defined_names

_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_RENAMED = re.compile(r"\b(\w+?)__\d+_\b")


def own_names(text: str) -> set[str]:
    """The functions and variables that the file defines and no other file can see; none of what is no C++."""
    try:
        return {name for piece in declarations(text) for name in defined_names(piece)}
    except Fault:  # the compiler says it, and where
        return set()


def macros(text: str) -> list[str]:
    """Those that the file defines."""
    return list(dict.fromkeys(_MACRO.findall(text)))


def renamed(name: str, number: int) -> str:
    """The name in the file of that number."""
    return f"{name}__{number}_"


def as_written(message: str) -> str:
    """A message with names as the files have them."""
    return _RENAMED.sub(r"\1", message)
