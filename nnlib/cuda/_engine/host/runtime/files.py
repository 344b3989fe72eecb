"""The files of a program: all in a folder made for the run, which goes with it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from ...errors import KernelError
from .mistakes import Mistakes

STDIN = 3
STANDARD = (1, 2, STDIN)  # stdout, stderr
FIRST = 16  # the number of the first file
MOST = 64 << 20  # bytes that may be written in all


class Files:
    """Open files by number, which stands for the FILE*. ended: those of which a read has met the end."""

    def __init__(self, given: Mapping[str, bytes | str | Path], mistakes: Mistakes) -> None:
        self._given, self._report = given, mistakes.report
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._open: dict[int, BinaryIO] = {}
        self.ended: set[int] = set()
        self._left = MOST

    def open(self, name: str, mode: str) -> int:
        """Open a file; return 0 where there is none. Raise PermissionError for a name that leads out of the folder."""
        path = self._path(name)
        if path != self._root and self._root not in path.parents:
            raise PermissionError(name)
        kind, more = mode[:1], mode[1:]  # of more, glibc knows + and x, and skips the rest
        if kind not in ("r", "w", "a") or len(self._open) > 100:
            return 0
        try:
            file = path.open(
                ("x" if kind == "w" and "x" in more else kind) + "b" + "+" * ("+" in more)
            )
        except OSError:
            return 0
        return self._number(file)  # type: ignore[arg-type]

    def open_text(self, content: bytes) -> int:
        """Open a file in memory with this content; what is written goes behind it."""
        return self._number(BytesIO(content))

    def _number(self, file: BinaryIO) -> int:
        number = max(self._open, default=FIRST - 1) + 1
        self._open[number] = file
        return number

    def _make(self) -> None:
        """Make the folder with the given files. The program works so deep in it that no `..` in their names leads out."""
        self._folder = tempfile.TemporaryDirectory(prefix="program-")
        self._root = Path(self._folder.name).resolve()
        depth = max((PurePosixPath(name).parts.count("..") for name in self._given), default=0)
        self._work = self._root.joinpath(*["run"] * depth)
        self._work.mkdir(parents=True, exist_ok=True)
        for name, content in self._given.items():
            try:
                self._put(self._path(name), content)
            except (OSError, ValueError, TypeError) as error:
                raise KernelError(
                    f"the file {name!r} cannot be put into the program's folder: {error}"
                ) from None

    def _path(self, name: str) -> Path:
        """Return where a file of that name lies, or would."""
        if self._folder is None:
            self._make()
        return (self._work / name).resolve()

    def _put(self, path: Path, content: bytes | str | Path) -> None:
        if self._root not in path.parents:
            raise ValueError("it has no name relative to it")
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Path):
            shutil.copyfile(content, path)
        else:
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    def remove(self, name: str) -> bool:
        """Remove a file; return whether there was one."""
        path = self._path(name)
        if self._root not in path.parents or not path.is_file():
            return False
        path.unlink()
        return True

    def opened(self, number: int) -> BinaryIO | None:
        """Return the file that a FILE* stands for; None for those that every program has. Raises HostError for others."""
        file = self._open.get(number)
        if file is None and number not in STANDARD:
            if number == 0:
                self._report(
                    "this FILE* is NULL: fopen did not open the file",
                    'ask before it is used: if (f == NULL) { printf("no such file\\n"); return 1; }',
                )
            self._report(
                "this FILE* is closed, or was never opened", "use it between fopen and fclose"
            )
        return file

    def write(self, file: BinaryIO, content: bytes) -> int:
        """Write to a file; return how many bytes were written: none into a file that is open for reading."""
        if not file.writable():
            return 0
        self._left -= len(content)
        if self._left < 0:
            self._report(
                f"the program has written more than {MOST >> 20} million bytes to its files",
                "does the loop that writes them end?",
            )
        return file.write(content)

    def shut(self, number: int) -> None:
        """Close a file, as fclose does."""
        self._open.pop(number).close()
        self.ended.discard(number)

    def close(self) -> None:
        """Close all files at the end of the run."""
        for number in list(self._open):
            self.shut(number)
        if self._folder is not None:
            self._folder.cleanup()
