"""Notebooks of lessons: read, stored, and what their cells say about themselves."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat

from nnlib.support import files

METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "pygments_lexer": "ipython3"},
}
NOTES = "<details><summary>For the teacher</summary>\n\n{}\n\n</details>"


def read(path: Path) -> Any:
    """Read a notebook. SystemExit where the file is none, and where it could not be stored."""
    try:
        notebook = nbformat.read(path, 4)
        nbformat.validate(notebook, relax_add_props=True)  # reading only logs what it finds
        nbformat.writes(notebook).encode()
    except OSError:
        raise
    except Exception as error:  # of many kinds: nbformat trusts what it reads
        raise SystemExit(f"{path} is not a notebook: {str(error)[:200]}") from None
    return notebook


def store(notebook: Any, path: Path) -> None:
    """Write it whole or not at all."""
    with files.replacing(path) as fresh, fresh.open("w", encoding="utf-8", newline="\n") as file:
        nbformat.write(notebook, file)


def title(notebook: Any) -> str:
    """Return the text of a notebook's first heading."""
    return re.sub(r"^#+ *", "", notebook.cells[0].source.split("\n")[0])


def linked(html: str) -> str:
    """Make links to notebooks lead to what is exported of them, which lies side by side."""
    return re.sub(r'(<a href="[^":]+)\.ipynb(["#])', r"\1.html\2", html)


def is_solution(cell: Any) -> bool:
    """Return whether a cell has the solution of an exercise."""
    return "solution" in cell.metadata.get("tags", [])


def is_note(cell: Any) -> bool:
    """Return whether a cell is a speaker note."""
    return bool(cell.metadata.get("slideshow", {}).get("slide_type") == "notes")


def pictures(cell: Any) -> Iterator[tuple[str, bytes]]:
    """Yield the pictures in the stored outputs of a code cell, each as the ending of a file's name and its content."""
    html = "".join(
        output.get("data", {}).get("text/html", "") for output in cell.get("outputs", [])
    )
    for found in re.finditer(r'src="data:image/(png|svg)(?:\+xml)?;base64,([^"]+)"', html):
        yield found[1], base64.b64decode(found[2])


def unfolded(cell: Any) -> str:
    """Return the text of a markdown cell; of a speaker note without what folds it away."""
    before, after = NOTES.split("{}")
    return str(cell.source).removeprefix(before).removesuffix(after)


def kernel_texts(source: str) -> dict[str, str]:
    """Name -> text of each kernel, from `__global__` to its closing brace."""
    texts = {}
    for match in re.finditer(r"__global__[^;{]*?(\w+)\s*\([^)]*\)\s*\{", source):
        depth, at = 1, match.end()
        while depth and at < len(source):
            depth += {"{": 1, "}": -1}.get(source[at], 0)
            at += 1
        texts[match[1]] = "\n".join(
            line.rstrip() for line in source[match.start() : at].split("\n")
        )
    return texts
