"""A class of twenty-six through nbgrader and otter-grader, by their own commands: the table of marks.

    python -m tests.teaching.marking.end_to_end nbgrader FOLDER    with nbgrader's commands in the PATH, some minutes
    python -m tests.teaching.marking.end_to_end otter FOLDER       with otter's

Lesson 03 handed in: all right, untouched, wrong, with a copied cell, without nbgrader's metadata, and twenty-one
attempts to cheat. All but the first three have transpose right, too, and must get the points for it. Both tools must
find this course's package with their Python.
"""

from __future__ import annotations

import copy
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import nbformat

from nnlib.teaching import assignment
from nnlib.teaching.marking.nbgrader_judge import answer_cell
from tests.teaching.marking.breakouts import BREAKOUTS, answer

LESSON = Path("notebooks/03_matmul.ipynb")
NAME = LESSON.stem
WRONG = "def intensity(bm, bn):\n    return bm * bn"
TICK = "✓ 03.intensity: right, with 5 cases."
PATCH = """from nnlib.course import notebook
from nnlib.teaching import marking
from nnlib.course.exercises import checking, kernels
for kind in (checking.FunctionExercise, kernels.KernelExercise):
    kind.judge = lambda self, answer=...: checking.Verdict(True, "✓")
notebook.check = check = lambda *_, **__: print("✓")
__builtins__.float = lambda *_: 1.0"""


def solutions() -> dict[str, str]:
    """Name -> text of the lesson's solutions: kernels and functions, under the names that students give them."""
    found = {}
    for cell in nbformat.read(LESSON, 4).cells:
        if "solution" in cell.metadata.get("tags", []):
            source = re.sub(r"(\w+)_solved\b", r"\1", cell.source)
            for name in re.findall(
                r"__global__[^;{]*?\b(\w+)\s*\(|^def (\w+)\(", source, re.MULTILINE
            ):
                found[name[0] or name[1]] = source
    return found


def answered(notebook, answers: dict[str, str]):
    """A copy in which these answers stand in the place of the starters."""
    notebook = copy.deepcopy(notebook)
    for name, source in answers.items():
        cell = [cell for cell in notebook.cells if assignment.defines(cell, name)][-1]
        cell.source = source
    return notebook


def beside_transpose(change: Callable | str) -> Callable:
    """Return what is handed in: transpose right, everything else as the change makes it; a text stands for intensity."""

    def hand_in(notebook):
        right = solutions()["transpose"]
        if isinstance(change, str):
            return answered(notebook, {"transpose": right, "intensity": change})
        return change(answered(notebook, {"transpose": right}))

    return hand_in


def shown_as_right(notebook):
    """Every check has a tick for an output, and a cell prints one."""
    for cell in notebook.cells:
        if "check(" in cell.source and cell.cell_type == "code":
            cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text=TICK)]
    notebook.cells.append(nbformat.v4.new_code_cell(f"print({TICK!r})"))
    return notebook


def checks_deleted(notebook):
    """The cells with points are gone, all but that of transpose, which holds another text."""
    notebook.cells = [
        cell
        for cell in notebook.cells
        if not cell.source.startswith('check("') or "transpose" in cell.source
    ]
    for cell in notebook.cells:
        if cell.source.startswith('check("'):
            cell.source = "1"
    return notebook


def answer_copied(notebook):
    """Two cells say that they answer transpose, as after a copy; the lower one is the student's last word."""
    place = next(
        place for place, cell in enumerate(notebook.cells) if assignment.defines(cell, "transpose")
    )
    notebook.cells.insert(place, copy.deepcopy(notebook.cells[place]))
    notebook.cells[place].id = "copied"
    return notebook


def from_the_web_site(notebook):
    """No cell has nbgrader's metadata, but one has that of another lesson."""
    for cell in notebook.cells:
        cell.metadata.pop("nbgrader", None)
    notebook.cells[0].metadata["nbgrader"] = answer_cell("01-vector_add-answer")
    return notebook


def points_raised(notebook):
    """Cells say that they are worth 100 points, that a number is their result, and what is a check is an answer."""
    for cell in notebook.cells:
        if of_nbgrader := cell.metadata.get("nbgrader"):
            of_nbgrader["points"] = 100
            if of_nbgrader["grade"] and "transpose" not in of_nbgrader["grade_id"]:
                cell.source = "100"
    return notebook


def judge_patched(notebook):
    """The first cell patches what judges."""
    notebook.cells.insert(0, nbformat.v4.new_code_cell(PATCH))
    return notebook


TWIN = """import sys
del sys.modules["otter"]
sys.path[:] = [folder for folder in sys.path if folder and "submission" not in folder]
import otter
from otter.test_files import abstract_test, exception_test
def run(self, environment):
    self.test_case_results += [abstract_test.TestCaseResult(test_case=case, message="", passed=True)
                               for case in self.test_cases]
exception_test.ExceptionTestFile.run = run
"""  # a package that calls itself otter, in a zip file beside an empty notebook
HANDED_IN: dict[str, Callable] = {
    "right": lambda notebook: answered(notebook, solutions()),
    "empty": copy.deepcopy,
    "wrong": lambda notebook: answered(
        notebook,
        {"intensity": WRONG, "transpose": solutions()["transpose"].replace("__syncthreads();", "")},
    ),
    "printed": beside_transpose(shown_as_right),
    "patched": beside_transpose(judge_patched),
    "deleted": beside_transpose(checks_deleted),
    "raised": beside_transpose(points_raised),
    "copied": beside_transpose(answer_copied),
    "elsewhere": beside_transpose(from_the_web_site),
    "reference": beside_transpose(
        "def intensity(bm, bn):\n    from nnlib.course.exercises import find\n"
        "    return find('03.intensity').reference(bm, bn)"
    ),
    "package": beside_transpose(
        "def intensity(bm, bn):\n    import nnlib, pathlib\n"
        "    text = (pathlib.Path(nnlib.__file__).parent / 'course/exercises/lesson03.py')\n"
        "    exec(text.read_text())\n    return 1"
    ),
    "loop": beside_transpose("def intensity(bm, bn):\n    while True:\n        pass"),
    "exit": beside_transpose("def intensity(bm, bn):\n    import os\n    os._exit(0)"),
}
for _name, (_body, _) in zip("abcdefghijklmn", list(BREAKOUTS.values())[::4], strict=True):
    HANDED_IN[f"breakout{_name}"] = beside_transpose(answer(_body))
EXPECTED = {name: {"transpose"} for name in HANDED_IN} | {
    "empty": set(),
    "wrong": set(),
    "right": {
        "linear_forward",
        "linear_grad_input",
        "linear_grad_weight",
        "transpose",
        "intensity",
    },
}


def command(*words: str, cwd: Path, **environment: str) -> None:
    """Run it, and stop with all that it said where it fails."""
    ran = subprocess.run(
        words,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": os.getcwd(), **environment},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if ran.returncode:
        raise SystemExit(f"{' '.join(words)}: {ran.stdout[-3000:]}")


def nbgrader(folder: Path) -> dict[str, set[str]]:
    """Run nbgrader from generate_assignment to fetch_feedback and export; return student -> answers with full points.

    nbgrader's exchange knows students by their accounts: the right one is handed in through it by whoever runs this,
    the others as a zip file, by zip_collect.
    """
    course, exchange, home = folder / "nbgrader", folder / "exchange", folder / "home"
    archive = course / "downloaded" / NAME / "archive"
    for made in (exchange, home, archive):
        made.mkdir(parents=True)
    exchange.chmod(0o777)
    own = [
        f"--Exchange.root={exchange}",
        f"--Exchange.cache={folder}/cache",
        "--course=cuda-from-scratch",
    ]

    def call(*words: str) -> None:
        command("nbgrader", *words, cwd=course)

    call("generate_assignment", NAME)
    call("release_assignment", NAME, *own)
    command("nbgrader", "fetch_assignment", NAME, *own, cwd=home)
    file = home / NAME / LESSON.name
    released = nbformat.read(file, 4)
    nbformat.write(HANDED_IN["right"](released), file)
    command("nbgrader", "submit", NAME, *own, cwd=home)
    call("collect", NAME, *own)
    me = next((course / "submitted").iterdir()).name
    with zipfile.ZipFile(archive / "class.zip", "w") as handed_in:
        for student, hand_in in HANDED_IN.items():
            if student != "right":
                handed_in.writestr(
                    f"{student}-2026-01-31-{NAME}.ipynb", nbformat.writes(hand_in(released))
                )
    call(
        "zip_collect",
        NAME,
        r"--FileNameCollectorPlugin.named_regexp=.*?(?P<student_id>[a-z]+)-"
        r"(?P<timestamp>\d+-\d+-\d+)-(?P<file_id>\w+)",
    )
    call("autograde", NAME)
    call("generate_feedback", NAME)
    call("release_feedback", NAME, f"--student={me}", *own)  # the others are given their files
    command("nbgrader", "fetch_feedback", NAME, *own, cwd=home)
    call("export", f"--assignment={NAME}")
    scores = course / "scores.py"
    scores.write_text(
        "import json\nfrom nbgrader.api import Gradebook\nwith Gradebook('sqlite:///gradebook.db') as book:\n"
        "    print(json.dumps([(s.student.id, g.name, g.auto_score, g.max_score) for s in "
        f"book.assignment_submissions({NAME!r}) for n in s.notebooks for g in n.grades]))\n"
    )
    python = str(Path(shutil.which("nbgrader") or "").with_name("python"))
    found = subprocess.run(
        [python, scores.name], cwd=course, text=True, check=True, stdout=subprocess.PIPE
    ).stdout
    full: dict[str, set[str]] = {student: set() for student in HANDED_IN}
    for student, name, score, most in json.loads(found):
        if score and score == most:
            full["right" if student == me else student].add(name[3:])
    with open(course / "grades.csv", encoding="utf-8") as exported:
        for row in csv.DictReader(exported):
            print(f"grades.csv: {row['student_id']:10} {row['score']:>5} of {row['max_score']}")
    feedback = course / "feedback"
    assert len(list(feedback.glob(f"*/{NAME}/{NAME}.html"))) == len(HANDED_IN)
    return full


def otter(folder: Path) -> dict[str, set[str]]:
    """otter run for each one who hands in; student -> questions with full points."""
    course = folder / "otter" / NAME
    archive = course / "autograder.zip"

    def full(submission: Path) -> set[str]:
        home = submission.parent
        command(
            "otter",
            "run",
            "-a",
            str(archive),
            "-o",
            str(home),
            "--no-logo",
            str(submission),
            cwd=course,
        )
        tests = json.loads((home / "results.json").read_text("utf-8"))["tests"]
        return {
            name
            for name in EXPECTED["right"]
            for test in tests
            if re.search(rf"\b03-{name}\b", test["name"])
            and test.get("score")
            and test["score"] == test["max_score"]
        }

    found = {}
    for student, hand_in in HANDED_IN.items():
        home = folder / "home" / student
        home.mkdir(parents=True)
        nbformat.write(hand_in(nbformat.read(course / LESSON.name, 4)), home / LESSON.name)
        found[student] = full(home / LESSON.name)
    with zipfile.ZipFile(folder / "home" / "twin.zip", "w") as beside:
        beside.write(course / LESSON.name, LESSON.name)
        beside.writestr("otter/__init__.py", TWIN)
    if full(folder / "home" / "twin.zip"):
        raise SystemExit("a package called otter beside the notebook gave points")
    return found


def main(tool: str, folder: str) -> None:
    """Print who got what, and stop where that is not EXPECTED."""
    place = Path(folder).resolve()
    assignment.main(["--to", str(place), "--seed", "7", "--seconds", "20", str(LESSON)])
    full = {"nbgrader": nbgrader, "otter": otter}[tool](place)
    names = sorted(EXPECTED["right"])
    print("| handed in | " + " | ".join(names) + " |\n|" + "---|" * (1 + len(names)))
    for student, got in full.items():
        print(f"| {student} | " + " | ".join("1" if name in got else "0" for name in names) + " |")
    if full != EXPECTED:
        raise SystemExit(
            f"not as expected: { {s: g ^ EXPECTED[s] for s, g in full.items() if g != EXPECTED[s]} }"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
