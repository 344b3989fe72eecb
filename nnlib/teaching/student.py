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
from nnlib.teaching.package import wheel

README = f"""# Neural networks from scratch in CUDA

    python3 -m venv .venv
    .venv/bin/pip install -r requirements.txt
    .venv/bin/jupyter lab

With an NVIDIA GPU also `.venv/bin/pip install "cupy-cuda12x[ctk]>=14.1,<15"`; without one all lessons run in the
simulator. Begin with {LESSONS[0].file}. `.venv/bin/nnlib lessons get` brings lessons that you have lost or that are
newer, beside your own and never over them.

The lessons, their text and pictures are CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/). The code is under the
MIT licence.
"""


def hand_out(target: Path, pieces: bool) -> Path:
    """Fill the folder with the lessons, the wheel, and how to begin; the wheel's path."""
    paths = lessons("nnlib student")
    for path in paths:
        there = target / path.name
        if there.exists() and edition(there.read_bytes()) is None:
            raise SystemExit(
                f"{there} is no student's copy and would be overwritten: name another folder with --to."
            )
    with added_to(target) as fresh:
        for path in paths:
            store(handed_out(path), fresh / path.name)
        shutil.copy(root("nnlib student") / "notebooks" / "GLOSSARY.md", fresh)
        package = wheel(fresh, pieces)
        (fresh / "requirements.txt").write_text(f"./{package.name}[course]\n", "utf-8")
        (fresh / "README.md").write_text(README, "utf-8")
    for old in target.glob("cuda_from_scratch-*.whl"):
        if old.name != package.name:
            old.unlink()
    return target / package.name


def main(arguments: list[str] | None = None) -> None:
    """The command `nnlib student`."""
    chosen = options.student().parse_args(arguments)
    print(
        "Lessons and package are written without solutions, which takes a minute or two.",
        file=sys.stderr,
    )
    package = hand_out(chosen.to, chosen.pieces)
    print(*notebooks(chosen.to), package, sep="\n")
