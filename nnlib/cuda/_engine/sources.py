"""A text and the files that it includes as one text, whose lines know where they come from."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .errors import KernelError, KernelSyntaxError
from .language.preprocessing.headers import HEADERS

_INCLUDE = re.compile(r'\s*#\s*include\s*["<]([^">]+)[">]')
_DIRECTIVE = re.compile(r'\s*#\s*line\s+(\d+)(?:\s+"(.+)")?')
_LINE = re.compile(r"\bline (\d+)")
_SHOWN = re.compile(r"^ *(\d+) \| ", re.MULTILINE)  # in front of a line of the program
_INCLUDE_OPTION = re.compile(r"(?:-I|--include-path\b)[ =]?(.*)", re.DOTALL)
MAX_DEPTH = 200  # of files that include files, as for gcc
_TOOLKIT = ("cuda_runtime.h", "cuda_fp16.h", "cub")  # what lies in folders of CUDA's own headers


@dataclass(frozen=True)
class Sources:
    """The text, the name it has in messages, and for each of its lines the file and the line there."""

    name: str
    text: str
    places: tuple[tuple[Path, int], ...] = ()

    def place(self, line: int | str) -> tuple[Path, int]:
        """Return the file, and the line in it, from which a line of the joined text comes."""
        if not self.places:
            return Path(self.name), int(line)
        return self.places[min(max(int(line), 1), len(self.places)) - 1]

    def locate(self, message: str) -> str:
        """Return a message with the lines of the joined text replaced by those of its files."""
        if not self.places:
            return message
        message = re.sub(
            re.escape(self.name) + r":(\d+)",
            lambda found: "{}:{}".format(*self._named(found[1])),
            message,
        )
        message = _SHOWN.sub(
            lambda found: f"{self.place(found[1])[1]:{len(found[0]) - 3}d} | ", message
        )
        return _LINE.sub(lambda found: "line {1} of {0}".format(*self._named(found[1])), message)

    @contextmanager
    def located(self) -> Iterator[None]:
        """Make errors name the file, and the line in it, that they are about."""
        try:
            yield
        except KernelError as error:
            if self.places and error.line:
                error.args = (self.locate(str(error)),)
                error.what = self.locate(error.what)
                error.file, error.line = self._named(error.line)
            raise

    def _named(self, line: int | str) -> tuple[str, int]:
        path, line = self.place(line)
        return str(path), line


def with_headers(
    name: str, text: str, options: Sequence[str], folder: Path | None = None
) -> Sources:
    """Return a kernel's text joined with its project's headers, from the folders of the -I options, as NVRTC finds them.

    folder: that of the text, if it is a file. CUDA's own headers are not read: the simulator brings what it supports of them.
    """
    folders = [
        folder
        for folder in include_folders(options)
        if not any(os.path.exists(folder / known) for known in _TOOLKIT)  # noqa: PTH110 - any name
    ]
    if not (((folders or folder) and "include" in text) or "#line" in text):
        return Sources(name, text)
    joining = Joining(folders, known=HEADERS)
    joining.add(Path(name), text, folder)
    return Sources(name, joining.text(), tuple(joining.places))


class Joining:
    """Files one after the other, each header where it is first included.

    include: folders of headers. known: names of those that are left to the compiler.
    """

    def __init__(self, include: Sequence[Path], known: Collection[str] = ()) -> None:
        self.include, self.known = include, known
        self.seen: set[Path] = set()
        self.lines: list[str] = []
        self.places: list[tuple[Path, int]] = []
        self._depth = 0

    def add(self, path: Path, text: str, folder: Path | None) -> None:
        """Add the lines of a file, with the headers that it includes.

        Headers may lie in `folder`, too. Behind a #line, lines have the file and the number that it names. A backslash at
        the end of the last line does not join it to the next file.
        """
        self.seen.add(path.resolve())
        self._depth += 1
        ahead = 0
        if self._depth > MAX_DEPTH:
            raise KernelSyntaxError(
                f"{path}: #include is nested more than {MAX_DEPTH} deep", file=path.name
            )
        for number, line in enumerate(text.removesuffix("\n").removesuffix("\\").splitlines(), 1):
            header = self._header(line, folder)
            if moved := _DIRECTIVE.match(line):
                path, ahead = Path(moved[2] or path), int(moved[1]) - number - 1
            if header and header.resolve() not in self.seen:
                self.add(header, text_of(header), header.parent)
            else:
                self.line("" if header else line, path, number + ahead)
        self._depth -= 1

    def line(self, line: str, path: Path, number: int) -> None:
        """Add a line, and note where it is from."""
        self.lines.append(line)
        self.places.append((path, number))

    def text(self) -> str:
        """Return all lines so far."""
        return "\n".join(self.lines) + "\n"

    def _header(self, line: str, folder: Path | None) -> Path | None:
        found = _INCLUDE.match(line)
        if not found or found[1] in self.known:
            return None
        folders = (folder, *self.include) if folder else self.include
        files = (each / found[1] for each in folders)
        return next(filter(os.path.isfile, files), None)  # False, too, for a name that is too long


def include_folders(options: Sequence[str]) -> Iterator[Path]:
    """Yield the folders of "-Ifolder", "--include-path=folder", and of -I followed by an option of its own."""
    waiting = iter(options)
    for option in waiting:
        if found := _INCLUDE_OPTION.fullmatch(option):
            yield Path((found[1] or next(waiting, "")).strip())


def texts(name: str, given: Collection[str]) -> tuple[str, ...]:
    """Return several strings as a tuple. Raise TypeError for a single string, and for anything else."""
    if isinstance(given, str):
        raise TypeError(f"{name} is a tuple of strings; write ({given!r},)")
    found = tuple(given) if isinstance(given, Iterable) else (given,)
    if not isinstance(given, Iterable) or not all(isinstance(each, str) for each in found):
        raise TypeError(f"{name} is a tuple of strings, not {given!r}")
    return found


def read(path: Path) -> str:
    """Return what is in a file. Raises OSError; also for a device, which may have no end."""
    if path.is_char_device() or path.is_block_device():
        raise OSError(f"{path} is a device, not a file")
    return path.read_text(encoding="utf-8-sig", errors="replace")


def text_of(path: Path) -> str:
    """Return the contents of a file. Raise KernelSyntaxError where it cannot be read."""
    try:
        return read(path)
    except (OSError, ValueError) as error:  # ValueError: a name with a character of 0
        raise KernelSyntaxError(
            f"{path} cannot be read: {getattr(error, 'strerror', error)}", file=path.name
        ) from None
