"""Wheels as somebody else gets them: built from what git tracks, in an environment that holds little else."""

import os
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
BUILD = "import sys; from setuptools import build_meta; print(build_meta.build_wheel(sys.argv[1]))"


def tracked(*paths: str) -> list[str]:
    """Files of the repository below these paths: known to git, or new and not ignored."""
    found = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", *paths],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    return [name for name in found.stdout.split("\0") if name and (REPOSITORY / name).exists()]


def built(folder: Path, *paths: str, project: str = ".") -> Path:
    """Build the wheel of a project from a copy of what git tracks below these paths, so that nothing is left behind
    here, and nothing that lies here gets in."""
    for name in tracked(*paths):
        (folder / "source" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / name, folder / "source" / name)
    ran = subprocess.run(
        [sys.executable, "-c", BUILD, folder],
        cwd=folder / "source" / project,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    return folder / ran.stdout.split()[-1]


def pip(*words: str | Path) -> None:
    """Run pip without a network, and without what a wheel says that it needs."""
    quiet = ("--quiet", "--no-deps", "--no-index", "--no-compile", "--disable-pip-version-check")
    subprocess.run([sys.executable, "-m", "pip", *words, *quiet], check=True)


def environment(folder: Path, *wheels: Path, beside: tuple[str, ...] = ("numpy",)) -> Path:
    """The Python of a new environment that holds these wheels, and the packages `beside` as they are installed here."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    pip("--python", folder, "install", *wheels)
    packages = next(folder.glob("lib/python*/site-packages"))
    for package in map(distribution, beside):
        for top in {file.parts[0] for file in package.files or ()} - {"..", "__pycache__"}:
            (packages / top).symlink_to(package.locate_file(top))
    return folder / "bin" / "python"


def clean() -> dict[str, str]:
    """The variables of this process without those that lead to this repository."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "NNLIB_", "PYTEST_"))
    }
