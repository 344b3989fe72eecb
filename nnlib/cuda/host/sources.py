"""A program of several files as one text, whose lines know where they come from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nnlib.cuda.errors import KernelError, KernelSyntaxError

_INCLUDE = re.compile(r'\s*#\s*include\s*["<]([^">]+)[">]')
_LINE = re.compile(r"\bline (\d+)")
_SHOWN = re.compile(r"^ *(\d+) \| ", re.MULTILINE)  # in front of a line of the program


@dataclass
class Sources:
    """The text, the name it has in messages, and for each of its lines the file and the line there."""

    name: str
    text: str = ""
    places: list[tuple[str, int]] = field(default_factory=list)

    def locate(self, message: str) -> str:
        """The message with lines of the joined text as lines of its files."""
        if not self.places:
            return message
        message = re.sub(re.escape(self.name) + r":(\d+)", lambda found: "{}:{}".format(*self._place(found[1])),
                         message)
        message = _SHOWN.sub(lambda found: f"{self._place(found[1])[1]:{len(found[0]) - 3}d} | ", message)
        return _LINE.sub(lambda found: "line {1} of {0}".format(*self._place(found[1])), message)

    def located(self, error: KernelError) -> KernelError:
        """The same error, with the file and the line that it is about."""
        if self.places and error.line:
            error.args = (self.locate(str(error)),)
            error.what = self.locate(error.what)
            error.file, error.line = self._place(error.line)
        return error

    def _place(self, line: int | str) -> tuple[str, int]:
        return self.places[min(max(int(line), 1), len(self.places)) - 1]


def read(paths: Sequence[Path], include: Sequence[Path]) -> Sources:
    """The files one after the other, as if one file included them, each header where it is first included.

    Headers are looked for beside the file that includes them, then in the folders of `include`; the line of one that
    is in neither stays, for the headers that a program has without any file.
    """
    result = Sources(paths[0].name)
    lines: list[str] = []
    seen: set[Path] = set()

    def add(path: Path) -> None:
        seen.add(path.resolve())
        try:
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise KernelSyntaxError(f"{path} cannot be read: {error.strerror}", file=path.name) from None
        for number, line in enumerate(text.splitlines(), 1):
            found = _INCLUDE.match(line)
            header = found and next((folder / found[1] for folder in (path.parent, *include)
                                     if (folder / found[1]).is_file()), None)
            if header and header.resolve() in seen:
                line = ""
            if header and header.resolve() not in seen:
                add(header)
            else:
                lines.append(line)
                result.places.append((path.name, number))

    for path in paths:
        add(path)
    result.text = "\n".join(lines) + "\n"
    return result
