"""What students get, in a folder that can be a repository: lessons without solutions, and a package without them.

    python -m tests.notebooks.handout [--pieces]        writes student/

With --pieces the package has the course's first text of every piece: lesson 08 begins with them where a student has
none. Hand that out when the homework of lessons 01 to 06 is in.
"""

from __future__ import annotations

import sys
from pathlib import Path

from .execute import store
from .package import wheel
from .student import handed_out

README = """# Neural networks from scratch in CUDA

    python3 -m venv .venv
    .venv/bin/pip install -r requirements.txt
    .venv/bin/jupyter lab

With an NVIDIA GPU also `.venv/bin/pip install "cupy-cuda12x[ctk]>=14.1,<15"`; without one all lessons run in the
simulator. Begin with 01_cuda_basics.ipynb. `.venv/bin/nnlib lessons get` brings lessons that you have lost or that are
newer, beside your own and never over them.
"""


def main(pieces: bool, target: Path = Path("student")) -> None:
    """The lessons, the wheel, and how to begin."""
    target.mkdir(exist_ok=True)
    for path in sorted(Path("notebooks").glob("[0-9]*.ipynb")):
        store(handed_out(path), target / path.name)
        print(target / path.name)
    for old in target.glob("*.whl"):
        old.unlink()
    package = wheel(target, pieces)
    (target / "requirements.txt").write_text(f"./{package.name}[course]\n", "utf-8")
    (target / "README.md").write_text(README, "utf-8")
    print(package)


if __name__ == "__main__":
    main("--pieces" in sys.argv[1:])
