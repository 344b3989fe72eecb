"""Text draft -> notebook, for writing lessons outside of a browser.

    python -m tests.notebooks.authoring draft.txt notebooks/02_vector_add.ipynb

A draft is cells, each introduced by a line `# %% KIND [SLIDE] [key=value ...]` with its text below, as it is:

    # %% md slide
    ## The guard
    # %% code fragment tags=nbval-ignore-output
    print(seconds)
    # %% cuda - -DTILE=16
    extern "C" __global__ void f(...) { }
    # %% md notes

KIND: md, code, cuda (a code cell that starts with %%cuda and the options that follow the slide type).
folded hides the source of a cell, as a solution's. A draft has no outputs: run the notebook that is made of it.
SLIDE: slide subslide fragment skip notes, or - (goes on with the slide before; the default). Notes are
speaker notes in the deck and fold away, as "For the teacher", in the notebook.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from nbformat import write
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from nnlib.teaching.cells import METADATA, NOTES

SLIDE_TYPES = ("slide", "subslide", "fragment", "skip", "notes", "-")


def to_notebook(text: str):
    """The notebook of a draft: no outputs, ids made from the headings, slide metadata on every cell."""
    notebook = new_notebook(metadata=METADATA)
    section, count = "top", 0
    parts = re.split(r"^# %% *(.*)\n", text, flags=re.MULTILINE)
    if parts[0].strip():
        raise ValueError(f"text before the first '# %%' line: {parts[0].strip()[:60]!r}")
    for head, body in zip(parts[1::2], parts[2::2], strict=True):
        cell = _cell(head, body.strip("\n"))
        heading = re.match(r"#+ +(.+)", body.strip()) if cell.cell_type == "markdown" else None
        if heading and (slug := _slug(heading[1])) != section:
            section, count = slug, 0
        cell.id = f"{section}-{count}"
        count += 1
        notebook.cells.append(cell)
    ids = [cell.id for cell in notebook.cells]
    twice = {i for i in ids if ids.count(i) > 1}
    if twice:
        raise ValueError(f"two sections have the same heading: {', '.join(sorted(twice))}")
    return notebook


def _cell(head: str, body: str):
    kind, *words = head.split()
    slide = words.pop(0) if words and words[0] in SLIDE_TYPES else "-"
    metadata: dict = {"slideshow": {"slide_type": slide}}
    options = []
    for word in words:
        if word.startswith("tags="):
            metadata["tags"] = word[5:].split(",")
        elif word == "folded":
            metadata["jupyter"] = {"source_hidden": True}
        elif kind == "cuda":
            options.append(word)
        else:
            raise ValueError(f"'# %% {head}': do not know {word!r}")
    if kind == "md":
        return new_markdown_cell(
            NOTES.format(body) if slide == "notes" else body, metadata=metadata
        )
    if kind == "cuda":
        return new_code_cell("\n".join([" ".join(["%%cuda", *options]), body]), metadata=metadata)
    if kind == "code":
        return new_code_cell(body, metadata=metadata)
    raise ValueError(f"'# %% {head}': a cell is md, code or cuda")


def _slug(heading: str) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", heading.lower().replace("`", "")).strip("-")
    return words[:50].rstrip("-") or "section"


def main(source: str, target: str) -> None:
    notebook = to_notebook(Path(source).read_text("utf-8"))
    with Path(target).open("w", encoding="utf-8", newline="\n") as file:
        write(notebook, file)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
