"""nbgitpuller with lessons that students have changed and saved, and updates of the teacher's: is anything lost?

    python -m tests.teaching.updates GITPULLER [TRIALS]

GITPULLER: the command of nbgitpuller. In each trial a student opens lessons, writes into cells, adds and deletes some,
runs others, and JupyterLab saves; the teacher changes words, adds cells, and puts out a new edition. Then the student
pulls. Every notebook must be valid, and every word that the student has written must be there.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat

from nnlib.teaching.copies import handed_out
from nnlib.teaching.student import README

LESSONS = "01_cuda_basics", "03_matmul"


def git(folder: Path, *words: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=teacher", "-c", "user.email=teacher@example.org", *words],
        cwd=folder,
        check=True,
        capture_output=True,
    )


def student_works(path: Path, rng: random.Random) -> set[str]:
    """What JupyterLab saves after some work: outputs, counts, changed, new and missing cells; the student's words."""
    notebook = nbformat.read(path, 4)
    for cell in notebook.cells:
        if cell.cell_type == "code" and rng.random() < 0.5:
            cell.execution_count = rng.randrange(1, 100)
            cell.outputs = [
                nbformat.v4.new_output("stream", name="stdout", text=f"{rng.random()}\n")
            ]
        if rng.random() < 0.1:
            cell.source += f"\n# {_word(rng)}"
        if rng.random() < 0.1:
            at = rng.randrange(len(cell.source) + 1)
            cell.source = cell.source[:at] + _word(rng) + cell.source[at:]
    for _ in range(rng.randrange(4)):
        notebook.cells.insert(
            rng.randrange(len(notebook.cells)), nbformat.v4.new_code_cell(_word(rng))
        )
    for _ in range(rng.randrange(3)):
        del notebook.cells[rng.randrange(len(notebook.cells))]
    notebook.metadata["widgets"] = {"state": {}}
    nbformat.write(notebook, path)
    return _words(notebook)


def _word(rng: random.Random) -> str:
    return f"mine{rng.randrange(10**9):09}"


def _words(notebook) -> set[str]:
    return set(re.findall(r"mine\d{9}", "\n".join(cell.source for cell in notebook.cells)))


def teacher_updates(path: Path, rng: random.Random) -> None:
    notebook = nbformat.read(path, 4)
    for cell in notebook.cells:
        if rng.random() < 0.15:
            cell.source = (
                f"{cell.source}\nA better word ({rng.random()})."
                if rng.random() < 0.5
                else cell.source[1:]
            )
    for _ in range(rng.randrange(3)):
        notebook.cells.insert(
            rng.randrange(len(notebook.cells)), nbformat.v4.new_markdown_cell(f"New {rng.random()}")
        )
    notebook.metadata["cuda-from-scratch"]["edition"] = f"{rng.random()}"
    nbformat.write(notebook, path)


def trial(gitpuller: str, seed: int) -> list[str]:
    """What went wrong."""
    rng, found = random.Random(seed), []
    with tempfile.TemporaryDirectory() as folder:
        course, teacher, student = (
            Path(folder, name) for name in ("course.git", "teacher", "student")
        )
        git(Path(folder), "init", "--bare", "--initial-branch=main", str(course))
        git(Path(folder), "clone", str(course), str(teacher))
        git(teacher, "checkout", "-B", "main")
        (teacher / "README.md").write_text(README, "utf-8")
        for name in (*LESSONS, "02_vector_add"):
            nbformat.write(
                handed_out(Path("notebooks") / f"{name}.ipynb"), teacher / f"{name}.ipynb"
            )
        environment = {**os.environ, "HOME": folder}

        def pull() -> None:
            git(teacher, "add", "-A")
            git(teacher, "commit", "-m", "edition")
            git(teacher, "push", "origin", "main")
            ran = subprocess.run(
                [gitpuller, str(course), "main", str(student)],
                cwd=folder,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            if ran.returncode:
                found.append(f"gitpuller: {ran.stdout[-500:]}")

        pull()
        kept: dict[str, set[str]] = {}
        for edition in range(3):  # several updates, one after the other
            for name in LESSONS:
                if rng.random() < 0.8:
                    kept[name] = student_works(student / f"{name}.ipynb", rng)
            (student / "my_notes.ipynb").write_text(f"notes {edition}", "utf-8")
            (student / "02_vector_add.ipynb").unlink(missing_ok=True)  # comes again
            for name in LESSONS:
                teacher_updates(teacher / f"{name}.ipynb", rng)
            (teacher / f"extra{edition}.txt").write_text("new", "utf-8")
            (teacher / "my_notes.ipynb").write_text(
                "the teacher's", "utf-8"
            )  # a name that is taken
            pull()
            for name in LESSONS:
                try:
                    here = nbformat.read(student / f"{name}.ipynb", 4)
                    nbformat.validate(here)
                    if lost := kept.get(name, set()) - _words(here):
                        found.append(f"{name}, edition {edition}: lost {lost}")
                except Exception as error:
                    found.append(
                        f"{name}, edition {edition}: {type(error).__name__}: {str(error)[:200]}"
                    )
            if not any(
                path.read_text("utf-8") == f"notes {edition}" for path in student.glob("my_notes*")
            ):
                found.append(f"edition {edition}: a file of the student's is gone")
            if (
                not (student / "02_vector_add.ipynb").exists()
                or not (student / f"extra{edition}.txt").exists()
            ):
                found.append(f"edition {edition}: what is new did not come")
    return found


def main(gitpuller: str, trials: str = "20") -> None:
    wrong = {seed: found for seed in range(int(trials)) if (found := trial(gitpuller, seed))}
    print(f"{trials} trials of 3 updates each: {len(wrong)} with something lost or broken")
    for seed, found in wrong.items():
        print(seed, *found, sep="\n    ")
    if wrong:
        raise SystemExit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
