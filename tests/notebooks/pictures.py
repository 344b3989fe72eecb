"""The picture of the front page: a wrong kernel and its report.

    python -m tests.notebooks.pictures

Writes notebooks/images/report.svg.
"""

from __future__ import annotations

from pathlib import Path

from nnlib.course.pictures.style import BLUE, DARK_RED, PALE
from nnlib.course.pictures.svg import Drawing
from nnlib.cuda import KernelError

ROOT = Path(__file__).parents[2]
REPORT = ROOT / "notebooks" / "images" / "report.svg"


def report() -> Drawing:
    """The example of the front page, a kernel without a guard, and what the simulator reports of it."""
    example = (
        (ROOT / "README.md")
        .read_text("utf-8")
        .split("<!-- example -->\n```python\n")[1]
        .split("\n```")[0]
    )
    try:
        exec(compile(example, "README.md", "exec"), {})
    except KernelError as error:
        lines, line_of_kernel = (
            f"{type(error).__module__}.{type(error).__name__}: {error}".splitlines(),
            error.line,
        )
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
        emphasis = (
            DARK_RED
            if line == lines[0] or line.strip() == "^"
            else BLUE
            if "hint:" in line
            else "black"
        )
        drawing.text(28, top, line, 14, emphasis, "start", mono=True)
    return drawing


if __name__ == "__main__":
    REPORT.write_text(str(report()), "utf-8")
