"""A program of several files as one text, whose lines know where they come from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nnlib.cuda.errors import KernelError, KernelSyntaxError
from nnlib.cuda.host import linkage

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
        message = linkage.as_written(message)
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
    return _Reader(paths, include).result


class _Reader:
    def __init__(self, paths: Sequence[Path], include: Sequence[Path]) -> None:
        self.result, self.include = Sources(paths[0].name), include
        self._lines: list[str] = []
        self._seen: set[Path] = set()
        taken: set[str] = set()
        for number, path in enumerate(paths, 1):
            text = self._text(path)
            own = linkage.own_names(text) if len(paths) > 1 else set()
            other = sorted(own & taken)
            for name in other:
                self._line(f"#define {name} {linkage.renamed(name, number)}", path, 1)
            self._add(path, text)
            for name in [*other, *(linkage.macros(text) if len(paths) > 1 else ())]:
                self._line(f"#undef {name}", path, 1)
            taken |= own
        self.result.text = "\n".join(self._lines) + "\n"

    @staticmethod
    def _text(path: Path) -> str:
        try:
            return path.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise KernelSyntaxError(f"{path} cannot be read: {error.strerror}", file=path.name) from None

    def _line(self, line: str, path: Path, number: int) -> None:
        self._lines.append(line)
        self.result.places.append((path.name, number))

    def _add(self, path: Path, text: str) -> None:
        self._seen.add(path.resolve())
        for number, line in enumerate(text.splitlines(), 1):
            found = _INCLUDE.match(line)
            header = found and next((folder / found[1] for folder in (path.parent, *self.include)
                                     if (folder / found[1]).is_file()), None)
            if header and header.resolve() not in self._seen:
                self._add(header, self._text(header))
            else:
                self._line("" if header else line, path, number)
