"""Read what a teacher has written: whatever is wrong with a file is a ValueError that names it."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def naming(path: Path, missing: str) -> Iterator[None]:
    """Let whatever is wrong with a file's content name the file, and be a ValueError.

    missing: what a KeyError of the `with` block asks for in vain, such as "column".
    """
    try:
        yield
    except KeyError as error:
        raise ValueError(f"{path} has no {missing} {error}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path} is no text in UTF-8: save it in that encoding") from None
    except OSError:
        raise
    except Exception as error:  # of many kinds: whoever wrote the file has written anything
        raise ValueError(f"{path}: {error}") from None


def number(text: str) -> float:
    """Return the number in a cell; ValueError where it is below zero, infinite or none."""
    value = float(text)
    if not 0 <= value < math.inf:
        raise ValueError(f"{text} is no number from 0 on")
    return value


def rows(path: Path) -> list[dict[str, str]]:
    """Read a table with a line of names, in UTF-8, separated by commas, semicolons or tabs; a missing cell is empty."""
    with naming(path, "column"):
        text = path.read_text("utf-8-sig")
        separator = max(",;\t", key=text.partition("\n")[0].count)
        lines = csv.DictReader(text.splitlines(keepends=True), restval="", delimiter=separator)
        return [{name: cell for name, cell in line.items() if name} for line in lines]
