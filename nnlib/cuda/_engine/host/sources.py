"""A program of several files as one text, whose lines know where they come from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..sources import Joining, Sources, text_of
from . import linkage


class ProgramSources(Sources):
    """Names that two files share stand in messages as they are written."""

    def locate(self, message: str) -> str:
        return super().locate(linkage.as_written(message) if self.places else message)


def read(paths: Sequence[Path], include: Sequence[Path]) -> ProgramSources:
    """The files one after the other, as if one file included them, each header where it is first included.

    Headers are looked for beside the file that includes them, then in the folders of `include`; the line of one that
    is in neither stays, for the headers that a program has without any file.
    """
    joining = Joining(include)
    taken: set[str] = set()
    for number, path in enumerate(paths, 1):
        text = text_of(path)
        own = linkage.own_names(text) if len(paths) > 1 else set()
        other = sorted(own & taken)
        for name in other:
            joining.line(f"#define {name} {linkage.renamed(name, number)}", path, 1)
        joining.add(path, text, path.parent)
        for name in [*other, *(linkage.macros(text) if len(paths) > 1 else ())]:
            joining.line(f"#undef {name}", path, 1)
        taken |= own
    return ProgramSources(str(paths[0]), joining.text(), tuple(joining.places))
