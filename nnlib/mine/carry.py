"""The library on one page, and in one file that goes along to another computer. Lessons 01 and 07."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from nnlib.lessons import NUMBERS
from nnlib.mine import folder, library
from nnlib.mine.pieces import PIECES
from nnlib.mine.stars import shown
from nnlib.support import files

_FORMAT = "nnlib library 1"
_WORDS = {"yours": "yours", "solution": "solution of the course", "course": ""}


class LibraryFileError(Exception):
    """A file is no library of kernels; the message says why."""


def report(until: str = NUMBERS[-1]) -> None:
    """Print the kernels of the lessons up to this one: lesson, kernel, whose it is, its stars and the most it ever had.

    Where a text is there but not right, its line says what is wrong.
    """
    for name, piece in PIECES.items():
        if piece.lesson > until:
            continue
        whose, saved = library.whose(name), library.saved(name)
        stars = shown(library.stars(name)) if whose != "course" else "   "
        best = f" (once {shown(saved.best)})" if saved and saved.stars < saved.best else ""
        words = _WORDS[whose] or (
            f"there, but not right: {_problem(name, saved)}" if saved else "–"
        )
        print(f"{piece.lesson}  {name:22} {stars}  {words}{best}")
    print(library.progress())


def _problem(name: str, saved: folder.Saved) -> str:
    """Return the first line of what is wrong with a text; one that is right when judged failed in a network."""
    problem = library.judged(name, saved.text).problem
    return (problem or "it failed in a network").split("\n")[0]


def export(path: str | os.PathLike[str]) -> None:
    """Write all pieces of the folder into one JSON file, for `load` on another computer."""
    texts = {name: saved.text for name in PIECES if (saved := library.saved(name))}
    with files.replacing(path) as fresh:
        fresh.write_text(
            json.dumps({"format": _FORMAT, "pieces": texts}, indent=1, ensure_ascii=False), "utf-8"
        )
    print(
        f"{path} holds {len(texts)} kernel{'s' * (len(texts) != 1)}. On the other computer: mine.load({str(path)!r})"
    )


def load(path: str | os.PathLike[str]) -> None:
    """Judge every piece of an exported file and move the right ones into the folder, saying what came of each.

    Raises LibraryFileError where it is no such file; what lay in the folder is kept in `older`.
    """
    for name, text in _read(Path(path)).items():
        given = folder.parse(text)
        verdict = library.judged(name, given.body)
        if verdict.solved:
            print(
                library.save(name, verdict, given.body, given.solution).replace(
                    f": {library.progress()}", "."
                )
            )
        else:
            print(f"{name} is left out: {verdict.problem}")
    print(library.progress())


def _read(path: Path) -> dict[str, str]:
    try:
        if path.stat().st_size > folder.MOST * len(PIECES):
            raise LibraryFileError(f"{path} is too large for a library of kernels")
        content: Any = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise LibraryFileError(f"{path} is not a library of kernels: {error}") from None
    pieces = (
        content.get("pieces")
        if isinstance(content, dict) and content.get("format") == _FORMAT
        else None
    )
    if not isinstance(pieces, dict) or not all(isinstance(text, str) for text in pieces.values()):
        raise LibraryFileError(f"{path} is not a library of kernels: write one with mine.export(…)")
    if unknown := sorted(set(pieces) - set(PIECES)):
        raise LibraryFileError(
            f"{path} has kernels that are no pieces of the library: {', '.join(unknown)[:200]}"
        )
    return pieces
