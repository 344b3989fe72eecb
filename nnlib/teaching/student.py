"""`nnlib student`: what students get, in a folder that can be a repository. Lessons and package come without solutions.

With --pieces the package has the course's first text of every piece: lesson 08 begins with them where a student has
none. Hand that out when the homework of lessons 01 to 06 is in.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from nnlib.lessons import LESSONS, notebooks
from nnlib.support.fresh_lessons import edition
from nnlib.teaching import options
from nnlib.teaching.cells import store
from nnlib.teaching.checkout import added_to, lessons, root
from nnlib.teaching.copies import handed_out
from nnlib.teaching.filling import filled
from nnlib.teaching.package import wheel
from nnlib.teaching.term import CourseTerm

README = f"""# Neural networks from scratch in CUDA

    python3 -m venv .venv
    .venv/bin/pip install -r requirements.txt
    .venv/bin/jupyter lab

With an NVIDIA GPU also `.venv/bin/pip install "cupy-cuda12x[ctk]>=14.1,<15"`; without one all lessons run in the
simulator. Begin with {LESSONS[0].file}. START.md helps with the installation, and says how to hand in.
`.venv/bin/nnlib lessons get` brings lessons that you have lost or that are newer, beside your own and never over them.

The lessons, their text and pictures are CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/). The code is under the
MIT licence.
"""


HANDOUTS = Path(__file__).parent / "handouts"
ELSEWHERE = {  # handouts that lie under other names; who reads no AGENTS.md reads one of the others
    "AGENTS.md": ("AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md"),
    "settings.json": (".vscode/settings.json",),
    "SYLLABUS.md": (),
}


def write_handouts(folder: Path, term: CourseTerm | None = None) -> None:
    """Write what students and their assistants are to read; the syllabus only for a term, from its dates and rules."""
    for file in HANDOUTS.iterdir():
        for name in ELSEWHERE.get(file.name, (file.name,)):
            (folder / name).parent.mkdir(exist_ok=True)
            shutil.copy(file, folder / name)
    if term:
        titles = {lesson.number: f"{lesson.number} {lesson.title}" for lesson in LESSONS}
        sheet = filled(HANDOUTS / "SYLLABUS.md", term=term, titles=titles)
        (folder / "SYLLABUS.md").write_text(sheet, "utf-8")


def hand_out(target: Path, pieces: bool, term: CourseTerm | None = None) -> Path:
    """Fill the folder with the lessons, the wheel, and how to begin; return the wheel's path."""
    paths = lessons("nnlib student")
    for path in paths:
        there = target / path.name
        if there.exists() and edition(there.read_bytes()) is None:
            raise SystemExit(
                f"{there} is no student's copy and would be overwritten: name another folder with --to."
            )
    with added_to(target) as fresh:
        package = wheel(fresh, pieces)
        for path in paths:
            store(handed_out(path), fresh / path.name)
            print(f"{path.stem}: copied without solutions", file=sys.stderr)
        shutil.copy(root("nnlib student") / "notebooks" / "GLOSSARY.md", fresh)
        (fresh / "requirements.txt").write_text(f"./{package.name}[course]\n", "utf-8")
        (fresh / "README.md").write_text(README, "utf-8")
        write_handouts(fresh, term)
    for old in target.glob("cuda_from_scratch-*.whl"):
        if old.name != package.name:
            old.unlink()
    return target / package.name


def main(arguments: list[str] | None = None) -> None:
    """Run the command `nnlib student`."""
    parser = options.student()
    chosen = parser.parse_args(arguments)
    try:
        term = CourseTerm.read(chosen.term) if chosen.term else None
    except (OSError, ValueError) as error:
        parser.error(str(error))
    print(
        "Lessons and package are written without solutions, which takes a minute or two.",
        file=sys.stderr,
    )
    package = hand_out(chosen.to, chosen.pieces, term)
    print(*notebooks(chosen.to), package, sep="\n")
