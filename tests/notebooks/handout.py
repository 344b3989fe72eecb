"""What students get, in a folder that can be a repository: lessons without solutions, and a package without them.

    python -m tests.notebooks.handout [notebooks ...]       writes student/
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


def main(paths: list[str], target: Path = Path("student")) -> None:
    """The lessons, the wheel, and how to begin."""
    target.mkdir(exist_ok=True)
    for path in map(Path, paths or sorted(map(str, Path("notebooks").glob("[0-9]*.ipynb")))):
        store(handed_out(path), target / path.name)
        print(target / path.name)
    for old in target.glob("*.whl"):
        old.unlink()
    package = wheel(target)
    (target / "requirements.txt").write_text(f"./{package.name}[course]\n", "utf-8")
    (target / "README.md").write_text(README, "utf-8")
    print(package)


if __name__ == "__main__":
    main(sys.argv[1:])
