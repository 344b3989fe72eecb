"""Measure the course's own versions of the student's pieces: `python -m tests.benchmarks.pieces` writes scores.json.

Exact counters of the simulator: the same on every machine. "lesson" is the folded solution of the piece's workshop, of
several the one that costs the most; solutions.json has a mark of each long one, by which the library knows it.
"""

import json
import re
from pathlib import Path

from nnlib.course.exercises import lesson_exercises
from nnlib.course.exercises.kernels import KernelExercise
from nnlib.cuda import RawKernel, force_simulator
from nnlib.lessons import notebooks
from nnlib.mine import folder
from nnlib.mine.judging import measured
from nnlib.mine.library import SOLUTIONS
from nnlib.mine.pieces import PIECES
from nnlib.mine.stars import STORED, cost

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
FEW = 5  # statements: two people write such a kernel letter for letter alike


def solutions() -> dict[str, list[str]]:
    """name -> the folded solutions of its workshops, in the order of the lessons, with the cell's options in them."""
    found: dict[str, list[str]] = {}
    for path in notebooks(NOTEBOOKS):
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            magic, _, code = "".join(cell["source"]).partition("\n")
            if magic.startswith("%%cuda") and "solution" in cell["metadata"].get("tags", []):
                defines = [
                    f"#define {option.replace('=', ' ')}"
                    for option in re.findall(r"-D\s*(\S+)", magic)
                ]
                for name in re.findall(r"__global__ void (\w+)\(", code):
                    if name in PIECES:
                        found.setdefault(name, []).append("\n".join([*defines, code]))
    return found


def exercises() -> dict[str, dict[str, dict[str, float]]]:
    """name of a kernel that an exercise asks for -> "lesson" -> counters of the folded solution."""
    found = {}
    for path in notebooks(NOTEBOOKS):
        for exercise in lesson_exercises(path.name[:2]):
            if not isinstance(exercise, KernelExercise):
                continue
            solved = f"{exercise.piece.name}_solved"
            code = next(
                code
                for cell in json.loads(path.read_text("utf-8"))["cells"]
                for magic, _, code in ["".join(cell["source"]).partition("\n")]
                if magic.startswith("%%cuda") and f" {solved}(" in code
            )
            counted = measured(exercise.piece, RawKernel(code, solved), exercise.launch)
            found[exercise.piece.name] = {"lesson": counted}
    return found


def marks() -> dict[str, list[str]]:
    """name -> what the library knows of its long solutions."""
    return {
        name: [folder.mark(text) for text in texts if text.count(";") > FEW]
        for name, texts in solutions().items()
    }


def measure() -> dict[str, dict[str, dict[str, float]]]:
    """name -> "plain", "lesson" and "best" -> counters."""
    lessons = solutions()
    if missing := PIECES.keys() - lessons.keys():
        raise SystemExit(f"no lesson has a folded solution of {', '.join(sorted(missing))}")
    with force_simulator():
        return {
            name: {
                "plain": measured(piece, piece.plain),
                "lesson": max((measured(piece, text) for text in lessons[name]), key=cost),
                "best": measured(piece, piece.best),
            }
            for name, piece in PIECES.items()
        } | exercises()


if __name__ == "__main__":
    STORED.write_text(json.dumps(measure(), indent=1) + "\n", "utf-8")
    SOLUTIONS.write_text(json.dumps(marks(), indent=1) + "\n", "utf-8")
