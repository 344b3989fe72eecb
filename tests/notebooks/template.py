"""What every lesson has in common, checked: each function returns the problems it finds in a notebook.

Solution cells (tag `solution`) and speaker notes are not counted where sizes and proportions are meant.
"""

from __future__ import annotations

import re
from pathlib import Path

from nnlib.lessons import notebooks
from nnlib.teaching.cells import is_note, is_solution, kernel_texts, unfolded
from nnlib.teaching.copies import for_teachers
from tests.notebooks.authoring import SLIDE_TYPES

WORDS, RATIO, SLIDES = (900, 2250), (0.8, 1.6), (15, 45)
LINES, RUN = 20, 3
# Lessons whose subject is the kernels themselves
KERNELS, SECTIONS_OF_KERNELS = (("01", "02", "03", "04"), 12)
SECTIONS = ["Exercise", "Recap", "Further reading"]


def problems(notebook, path: Path, root: Path) -> list[str]:
    """Everything wrong with one lesson; paths are checked from its folder, kernels below root/nnlib/kernels."""
    return [
        *structure(notebook),
        *slides(notebook),
        *size(notebook),
        *execution(notebook),
        *pictures(notebook),
        *links(notebook, path.parent),
        *promoted(notebook, root / "nnlib" / "kernels"),
        *(balance(notebook) if path.name.startswith(KERNELS) else []),
    ]


def structure(notebook) -> list[str]:
    """Objectives, times, sections and folded solutions."""
    found = []
    first = notebook.cells[0].source
    if notebook.cells[0].cell_type != "markdown" or not re.match(r"# \d\d ", first):
        found.append("the first cell is not a title '# NN Title'")
    found += [
        f"the first cell lacks {words!r}"
        for words in ("You will be able to", "minutes", "Next")
        if words not in first
    ]
    headings = [
        h
        for cell in _markdown(notebook)
        for h in re.findall(r"^#+ +(.+)$", cell.source, re.MULTILINE)
    ]
    found += [
        f"no section {name!r}" for name in SECTIONS if not any(h.startswith(name) for h in headings)
    ]
    text = "\n".join(cell.source for cell in _markdown(notebook))
    if not re.search("Moved into (nnlib|your library)", text):
        found.append("the recap does not say what 'Moved into your library'")
    if "report()" not in "\n".join(cell.source for cell in _code(notebook)):
        found.append("no cell says where this runs: report()")
    asked = set(
        re.findall(
            r'check\("(\d\d\.\w+)"',
            "\n".join(c.source for c in _code(notebook) if not is_solution(c)),
        )
    )
    solved = set(
        re.findall(
            r'check\("(\d\d\.\w+)"', "\n".join(c.source for c in _code(notebook) if is_solution(c))
        )
    )
    counted = {
        name
        for name in asked
        if any(f'check("{name}"' in c.source for c in without_optional(notebook.cells))
    }
    if not 3 <= len(counted) <= 6:
        found.append(f"{len(counted)} exercises; 3 to 6 are meant")
    found += [f"exercise {name} has no folded solution" for name in sorted(asked - solved)]
    found += [
        f"{cell.id}: the answer to a question is taken out with the solution"
        for cell in _markdown(notebook)
        if for_teachers(cell) and "<summary>Answer" in cell.source
    ]
    found += [
        f"{cell.id}: Markdown in a line of HTML is not set: {line[:60]}"
        for cell in _markdown(notebook)
        for line in re.findall(r"<details>.*`.*", cell.source)
    ]
    found += [
        f"{cell.id}: a solution that is not folded"
        for cell in _code(notebook)
        if is_solution(cell) and not cell.metadata.get("jupyter", {}).get("source_hidden")
    ]
    return found


def balance(notebook) -> list[str]:
    """A lesson of kernels: no more than 12 sections, and more lines of CUDA on the page than of Python.

    Solutions count as CUDA, for the student writes them; cells that are folded away and blank lines count as nothing.
    """
    sections = sum(
        len(re.findall(r"^## ", cell.source, re.MULTILINE)) for cell in _markdown(notebook)
    )
    lines = {"CUDA": 0, "Python": 0}
    for cell in _code(notebook):
        written = [line for line in cell.source.split("\n") if line.strip()]
        if written[0].startswith("%%cu"):
            lines["CUDA"] += len(written) - 1
        elif not cell.metadata.get("jupyter", {}).get("source_hidden"):
            lines["Python"] += len(written)
    found = (
        [f"{sections} sections; at most {SECTIONS_OF_KERNELS}"]
        if sections > SECTIONS_OF_KERNELS
        else []
    )
    if lines["CUDA"] <= lines["Python"]:
        found.append(f"{lines['CUDA']} lines of CUDA, {lines['Python']} of Python")
    return found


def slides(notebook) -> list[str]:
    """Every cell says what it is in the deck, and the deck has a sensible length."""
    types = [cell.metadata.get("slideshow", {}).get("slide_type") for cell in notebook.cells]
    found = [
        f"{cell.id}: no slide type"
        for cell, kind in zip(notebook.cells, types, strict=True)
        if kind not in SLIDE_TYPES
    ]
    found += [
        f"{cell.id}: speaker notes are not folded away; build the notebook with authoring"
        for cell in notebook.cells
        if is_note(cell) and unfolded(cell) == cell.source
    ]
    count = sum(kind in ("slide", "subslide") for kind in types)
    if not SLIDES[0] <= count <= SLIDES[1]:
        found.append(f"{count} slides; {SLIDES[0]} to {SLIDES[1]} are meant")
    if types and types[0] != "slide":
        found.append("the first cell is no slide")
    if "notes" not in types:
        found.append("no speaker notes")
    return found


def size(notebook) -> list[str]:
    """Words, proportion of text and code, length and runs of code cells."""
    found = []
    text = " ".join(
        re.sub(r"```.*?```|<[^>]+>|\[Open in Colab\]\S+", " ", cell.source, flags=re.DOTALL)
        for cell in without_optional(_markdown(notebook))
        if not for_teachers(cell)
    )
    words = len(text.split())
    if not WORDS[0] <= words <= WORDS[1]:
        found.append(f"{words} words; {WORDS[0]} to {WORDS[1]} are meant")
    code = [cell for cell in _code(notebook) if not is_solution(cell)]
    ratio = len(_markdown(notebook)) / max(1, len(code))
    if not RATIO[0] <= ratio <= RATIO[1]:
        found.append(
            f"{ratio:.2f} markdown cells per code cell; {RATIO[0]} to {RATIO[1]} are meant"
        )
    run = 0
    for cell in notebook.cells:
        if is_note(cell) or is_solution(cell):
            continue
        run = run + 1 if cell.cell_type == "code" else 0
        if run == RUN + 1:
            found.append(f"{cell.id}: more than {RUN} code cells in a row")
    for cell in code:
        lines = cell.source.count("\n") + 1
        if lines > LINES and not cell.source.startswith("%%cu"):
            found.append(f"{cell.id}: {lines} lines of code; at most {LINES}")
    return found


def execution(notebook) -> list[str]:
    """Run once, in order, without errors, without what nbval or another machine would trip over."""
    found = []
    counts = [cell.execution_count for cell in _code(notebook)]
    if counts != list(range(1, len(counts) + 1)):
        found.append("not executed from top to bottom; run make notebooks")
    for cell in _code(notebook):
        tags = cell.metadata.get("tags", [])
        if cell.source.rstrip().endswith(";") and not cell.source.startswith("%%"):
            found.append(f"{cell.id}: ends in ';'")
        if any(o.output_type == "error" for o in cell.outputs) and "raises-exception" not in tags:
            found.append(f"{cell.id}: stored an error")
        if any(o.get("name") == "stderr" for o in cell.outputs):
            found.append(f"{cell.id}: wrote to stderr")
        text = str(cell.outputs)
        if "nbval-ignore-output" not in tags and re.search(
            r"/(home|work|tmp|usr|root)/|site-packages", text
        ):
            found.append(f"{cell.id}: an output names a path of this machine")
    return found


def pictures(notebook) -> list[str]:
    """Every picture is an <img> with alt text, in outputs and in text."""
    found = []
    for cell in notebook.cells:
        outputs = [output.get("data", {}) for output in cell.get("outputs", [])]
        if any(kind.startswith("image/") for data in outputs for kind in data):
            found.append(
                f"{cell.id}: a picture without alt text; end the cell with figure(fig, alt=...)"
            )
        if any(
            re.match(
                r"\w*(Box|Slider|Text|Buttons|Output|HTML|Stack|Play)\(", data.get("text/plain", "")
            )
            and "text/html" not in data
            for data in outputs
        ):
            found.append(
                f"{cell.id}: a bare widget leaves no picture behind; use nnlib.course.pictures.widgets"
            )
        markup = "".join(data.get("text/html", "") for data in outputs) + (
            cell.source if _is_text(cell) else ""
        )
        for tag in re.findall(r"<img[^>]*>", markup):
            alt = re.search(r'alt="([^"]*)"', tag)
            if alt is None or len(alt[1].split()) < 4:
                found.append(f"{cell.id}: <img> with alt text of fewer than four words")
        if _is_text(cell) and re.search(r"!\[\s*\]\(", cell.source):
            found.append(f"{cell.id}: a markdown picture without alt text")
    return found


def links(notebook, folder: Path) -> list[str]:
    """Links to files of the project lead somewhere."""
    found = []
    for cell in _markdown(notebook):
        for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`|\$[^$]*\$", "", cell.source)):
            file = target.split("#")[0]
            if file and not re.match(r"[a-z]+:", file) and not (folder / file).exists():
                found.append(f"{cell.id}: link to {target}, which is not there")
    return found


def promoted(notebook, kernels: Path) -> list[str]:
    """A kernel of a cell tagged `promoted` (or `%%cuda --promoted FILE`) is the same text in nnlib/kernels."""
    found = []
    for cell in _code(notebook):
        marker = re.match(r"%%cuda.*--promoted\s+(\S+)", cell.source)
        if not marker and "promoted" not in cell.metadata.get("tags", []):
            continue
        files = [kernels / marker[1]] if marker else sorted(kernels.glob("*.cu"))
        theirs = {
            name: text
            for file in files
            if file.exists()
            for name, text in kernel_texts(file.read_text("utf-8")).items()
        }
        where = marker[1] if marker else "nnlib/kernels"
        for name, text in kernel_texts(cell.source).items():
            if name not in theirs:
                found.append(f"{cell.id}: {where} has no kernel {name}")
            elif theirs[name] != text:
                found.append(f"{cell.id}: kernel {name} differs from its copy in {where}")
    return found


def _code(notebook) -> list:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def _markdown(notebook) -> list:
    return [cell for cell in notebook.cells if _is_text(cell) and not is_note(cell)]


def without_optional(cells) -> list:
    """The cells without those of sections and exercises marked optional: neither words nor minutes of theirs count."""
    kept, section, exercise = [], False, False
    for cell in cells:
        for level, heading in re.findall(r"^(##|###) +(.+)$", cell.source, re.MULTILINE):
            optional = heading.endswith("(optional)")
            section, exercise = (optional, False) if level == "##" else (section, optional)
        if not section and not exercise:
            kept.append(cell)
    return kept


def _is_text(cell) -> bool:
    return cell.cell_type == "markdown"


if __name__ == "__main__":
    import sys

    from nbformat import read

    ROOT = Path(__file__).resolve().parents[2]
    found = [
        f"{Path(name).name}: {problem}"
        for name in sys.argv[1:] or sorted(map(str, notebooks(ROOT / "notebooks")))
        for problem in problems(read(name, 4), Path(name).resolve(), ROOT)
    ]
    print(*found, sep="\n")
    sys.exit(bool(found))
