"""The pictures of README, taken out of the stored lessons, so that they show what a lesson shows.

    python -m tests.notebooks.pictures

Writes notebooks/images/; run it after `make notebooks`.
"""

from __future__ import annotations

import base64
import re
from pathlib import Path

from nbformat import read

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
# file name without ending -> (lesson, id of the cell)
PICTURES = {
    "microscope": ("02_vector_add", "32-lanes-one-request-6"),
    "training": ("07_mnist_training", "the-fast-engine-4"),
}


def picture(name: str) -> tuple[str, bytes]:
    """File name and content of the first picture in the cell's outputs."""
    lesson, cell_id = PICTURES[name]
    notebook = read(NOTEBOOKS / f"{lesson}.ipynb", 4)
    cell = next(cell for cell in notebook.cells if cell.id == cell_id)
    html = "".join(output.get("data", {}).get("text/html", "") for output in cell.outputs)
    found = re.search(r'src="data:image/(png|svg\+xml);base64,([^"]+)"', html)
    if found is None:
        raise SystemExit(f"{lesson}, cell {cell_id}: no picture is stored; run make notebooks first")
    return f"{name}.{found[1].removesuffix('+xml')}", base64.b64decode(found[2])


def main() -> None:
    folder = NOTEBOOKS / "images"
    folder.mkdir(exist_ok=True)
    for name in PICTURES:
        file, content = picture(name)
        (folder / file).write_bytes(content)
        print(folder.name + "/" + file)


if __name__ == "__main__":
    main()
