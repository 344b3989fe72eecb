"""The student's folder: one .cu file per piece, with a header that says what it is and how good.

A file may be edited anywhere. Its header holds a mark of the text that was judged: another text is judged again before
it is used. What a new text replaces is kept in the folder `older`.
"""

from __future__ import annotations

import datetime
import functools
import hashlib
import itertools
import os
import re
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from nnlib.mine.contract import Piece
from nnlib.support import files

MOST = 200_000  # characters of a piece: more is no kernel
_END = re.compile(r"^// judged (\w+): .*$", re.MULTILINE)
_SCORE = re.compile(r"^// score ([123]), best ([123])", re.MULTILINE)


class PieceFileError(Exception):
    """A piece's file cannot be read; the message says why."""


@dataclass(frozen=True)
class Saved:
    """A piece as it lies in the folder. body: the student's text. judged: it is the text that was found right.

    stars, best: of this text, and of the best one there was. solution: it is the course's, unfolded in the lesson.
    """

    body: str
    judged: bool = False
    stars: int = 0
    best: int = 0
    solution: bool = False
    text: str = ""

    def file(self, piece: Piece, detail: str) -> str:
        """Return the contents of the file: header and body."""
        today = datetime.date.today().isoformat()
        return "\n".join(
            [
                f"// {piece.name}: {piece.formula}",
                f"// lesson {piece.lesson}, {today}"
                + (", solution of the course" if self.solution else ""),
                *[f"// {piece.defined}"] * bool(piece.defined),
                f"// score {self.stars}, best {self.best}: {detail}",
                f"// judged {mark(self.body)}: change what you like below; it is checked again before it runs",
                "",
                self.body.strip("\n"),
                "",
            ]
        )


def folder() -> Path:
    """Return the student's folder: $NNLIB_MINE, else `mine` here if it can be written, else in Jupyter's data folder.

    In tests and CI: a temporary folder of this process.
    """
    if chosen := os.environ.get("NNLIB_MINE"):
        return Path(chosen).expanduser()
    if "CI" in os.environ or "PYTEST_VERSION" in os.environ:
        return _temporary()
    here = files.here() / "mine"
    if os.access(here if here.exists() else here.parent, os.W_OK):
        return here
    return files.home() / "nnlib-mine"


@functools.cache
def _temporary() -> Path:
    return Path(tempfile.mkdtemp(prefix="nnlib-mine-"))


def path(piece: Piece) -> Path:
    """Return the path of a piece's file, which need not exist."""
    return folder() / f"{piece.name}.cu"


def stamp(piece: Piece) -> tuple[str, int, int] | None:
    """Return a value that changes whenever the file does, or None where there is no file."""
    try:
        file = path(piece)
        found = file.stat()
    except OSError:
        return None
    return str(file), found.st_mtime_ns, found.st_size


def read(piece: Piece) -> Saved | None:
    """Read the student's version of a piece; return None where there is none. PieceFileError when it cannot be read."""
    file = path(piece)
    try:
        if file.stat().st_size > MOST:
            raise PieceFileError(f"{file} is too large for a kernel")
        text = file.read_text("utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise PieceFileError(f"{file} cannot be read: {error}") from None
    return parse(text)


def parse(text: str) -> Saved:
    """Split a file into header and body. A file without our header is all body."""
    *head, body = _END.split(text, 1)
    header, judged = head or ("", "")
    score = _SCORE.search(header)
    stars, best = (int(score[1]), int(score[2])) if score else (0, 0)
    return Saved(
        body.strip("\n"),
        judged == mark(body),
        stars,
        best,
        ", solution of the course\n" in header,
        text,
    )


def write(piece: Piece, saved: Saved, detail: str) -> Path:
    """Save it whole or not at all; another text that lay there moves into `older`. OSError when that cannot be."""
    file = path(piece)
    file.parent.mkdir(parents=True, exist_ok=True)
    with files.alone(file):
        try:
            before = read(piece)
        except PieceFileError:
            before = None
        if file.exists() and (before is None or before.body.strip() != saved.body.strip()):
            _keep(file)
        best = max(saved.stars, before.best if before else 0)
        with files.replacing(file) as fresh:
            fresh.write_text(replace(saved, best=best).file(piece, detail), "utf-8")
    return file


def remove(piece: Piece) -> None:
    """Move the piece into `older`."""
    file = path(piece)
    with files.alone(file):
        if file.exists():
            _keep(file)
            file.unlink()


def _keep(file: Path) -> None:
    content, older = file.read_bytes(), file.parent / "older"
    older.mkdir(exist_ok=True)
    for number in itertools.count(1 + len([*older.glob(f"{file.stem}-*.cu")])):
        target = older / f"{file.stem}-{number}.cu"
        try:
            with target.open("xb") as opened:
                opened.write(content)
            return
        except FileExistsError:  # another notebook was faster
            pass
        except OSError:  # no room
            target.unlink(missing_ok=True)
            raise


def mark(body: str) -> str:
    """Return a hash by which a kernel's body is recognised."""
    return hashlib.sha256(body.strip("\n").encode()).hexdigest()[:16]
