"""A program of several files as one text, whose lines know where they come from.

Names and macros that each file keeps to itself must not meet in that text. A name that two files define for themselves
(static, inline, const, or for the GPU) is another one in the second: its text stands between #define name name__2_ and
#undef name. The macros of a .cu file end with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ..language.diagnostics import Fault
from ..language.outermost import declarations, defined_names
from ..sources import Joining, Sources, text_of

_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_RENAMED = re.compile(r"\b(\w+?)__\d+_\b")


class ProgramSources(Sources):
    """Names that two files share stand in messages as they are written."""

    def locate(self, message: str) -> str:
        return super().locate(_RENAMED.sub(r"\1", message) if self.places else message)


def own_names(text: str) -> set[str]:
    """Return the functions and variables that only this file can see; none for what is no C++."""
    try:
        return {name for piece in declarations(text) for name in defined_names(piece)}
    except Fault:  # the compiler says it, and where
        return set()


def read(paths: Sequence[Path], include: Sequence[Path]) -> ProgramSources:
    """Join files as if one file included them, each header where it is first included.

    Headers are looked for beside the file that includes them, then in the folders of `include`; the line of one that
    is in neither stays, for the headers that a program has without any file.
    """
    joining = Joining(include)
    taken: set[str] = set()
    for number, path in enumerate(paths, 1):
        text, own = text_of(path), set[str]()
        macros: list[str] = []
        if len(paths) > 1:
            own, macros = own_names(text), _MACRO.findall(text)
        other = sorted(own & taken)
        for name in other:
            joining.line(f"#define {name} {name}__{number}_", path, 1)
        joining.add(path, text, path.parent)
        for name in [*other, *dict.fromkeys(macros)]:
            joining.line(f"#undef {name}", path, 1)
        taken |= own
    return ProgramSources(str(paths[0]), joining.text(), tuple(joining.places))
