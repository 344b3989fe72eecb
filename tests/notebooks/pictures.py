"""The pictures of the README files: the report of a wrong kernel, and figures that are stored in the lessons.

    python -m tests.notebooks.pictures

Writes notebooks/images/; run it after `make notebooks`.
"""

from __future__ import annotations

import base64
import re
from pathlib import Path

from nbformat import read

from nnlib.course.pictures.style import BLUE, DARK_RED, PALE
from nnlib.course.pictures.svg import Drawing
from nnlib.cuda import KernelError

ROOT = Path(__file__).parents[2]
NOTEBOOKS = ROOT / "notebooks"
# file name without ending -> (lesson, id of the cell)
STORED = {
    "microscope": ("02_vector_add", "32-lanes-one-request-6"),
    "training": ("07_mnist_training", "the-fast-engine-4"),
}


PICTURES = ["report", *STORED]


def picture(name: str) -> tuple[str, bytes]:
    """File name and content."""
    return stored(name) if name in STORED else (f"{name}.svg", str(report()).encode())


def report() -> Drawing:
    """The example of the front page, a kernel without a guard, and what the simulator reports of it."""
    example = (ROOT / "README.md").read_text("utf-8").split("<!-- example -->\n```python\n")[1].split("\n```")[0]
    try:
        exec(compile(example, "README.md", "exec"), {})
    except KernelError as error:
        lines, line_of_kernel = f"{type(error).__module__}.{type(error).__name__}: {error}".splitlines(), error.line
    code = example.splitlines()
    wrong = example.split('r"""')[0].count("\n") + line_of_kernel
    drawing = Drawing(880, 56 + 22 * (len(code) + len(lines)))
    top = 36.0
    for number, line in enumerate(code, 1):
        if number == wrong:
            drawing.rect(14, top - 16, 852, 23, PALE)
        drawing.text(24, top, line, 14, anchor="start", mono=True)
        top += 22
    top -= 10
    drawing.rect(14, top, 852, 22 * len(lines) + 18, stroke=DARK_RED, stroke_width=2, rx=6)
    for line in lines:
        top += 22
        emphasis = DARK_RED if line == lines[0] or line.strip() == "^" else BLUE if "hint:" in line else "black"
        drawing.text(28, top, line, 14, emphasis, "start", mono=True)
    return drawing


def stored(name: str) -> tuple[str, bytes]:
    """The first picture in the outputs of a lesson's cell."""
    lesson, cell_id = STORED[name]
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
