"""What students install: no text of a solution is in it, its checks say the same, and a network trains."""

import json
import os
import re
import shutil
import subprocess
import sys
from difflib import SequenceMatcher
from pathlib import Path

import nbformat
import pytest
from packaging.version import Version

from nnlib import mine
from nnlib.course import prediction
from nnlib.course.clinic.patients import PATIENTS
from nnlib.course.exercises import everything, parsons
from nnlib.course.exercises.kernels import KernelExercise, PieceExercise
from nnlib.course.exercises.mistakes import blocks
from nnlib.lessons import NUMBERS, notebooks
from nnlib.teaching import left_out, student
from nnlib.teaching.marking.submission import Submission, answer_name
from nnlib.teaching.package import sources
from tests.teaching.attacks import solved, solved_exercises

ROOT = Path(__file__).parents[2]
NAMED = "linear_forward"  # of its usual mistakes one is made below

# Runs with either package: what check says of right and wrong functions, and a step on pieces that nobody has written.
SAYS = """
import sys
import numpy as np
from nnlib import mine, ops
from nnlib.course import prediction
from nnlib.course.exercises import find
from nnlib.lessons import NUMBERS
answers = {
    "03.intensity": ["bm * bn / (2 * (bm + bn))", "bm * bn", "bm + bn", "2 * bm * bn / (bm + bn)", "None"],
    "05.field": ["1", "layers[-1][0]", "sum(size for size, _ in layers)", "3.0"],
    "06.backwards": ["({'tanh': lambda: dy * (1 - y**2), 'centre': lambda: dy - dy.mean(1, keepdims=True), "
                     "'leaky ReLU': lambda: np.where(x > 0, dy, 0.1 * dy), 'sigmoid': lambda: dy * y * (1 - y), "
                     "'average pooling': lambda: np.repeat(dy, 2, 1) / 2})[layer]()", "dy * (1 - x**2)"],
    "06.layer_norm_back": ["(lambda s, dc: dc - dc.mean(1, keepdims=True))(*(lambda y, s: (s, (dy - y * (dy * y).mean("
                           "1, keepdims=True)) / s))((x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True), x.std("
                           "1, keepdims=True)))", "dy", "(x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True)"],
    "06.slopes": ["[0.0] * len(tape)", "[0.0] * (len(tape) - 1) + [1.0]", "tape"],
    "07.patience": ["len(losses)", "losses.index(min(losses)) + 1", "patience"],
    "08.speedup": ["sum(times) / (sum(times) - times[which] + times[which] / factor)", "factor", "times[which]"],
    "08.finish": ["batches * (copy + compute)", "copy + batches * max(copy, compute)"]}
arguments = {"03.intensity": "bm, bn", "05.field": "layers", "06.backwards": "layer, dy, x, y",
             "06.layer_norm_back": "dy, x", "06.slopes": "tape", "07.patience": "losses, patience",
             "08.speedup": "times, which, factor", "08.finish": "batches, buffers, copy, compute"}
for name, texts in answers.items():
    for text in texts:
        print(find(name).judge(eval(f"lambda {arguments[name]}: {text}")).text)
print(sum(len(prediction.questions(lesson)) for lesson in NUMBERS))
rng = np.random.default_rng(0)
x, w, b = (rng.standard_normal(shape, np.float32) for shape in ((3, 2, 6, 5), (4, 2, 3, 3), 4))
logits, labels = rng.standard_normal((5, 10), np.float32), np.arange(5, dtype=np.int32)
with ops.engine("mine"):
    y = ops.conv2d(x, w, b, 2, 1)
    back = ops.conv2d_backward(y, x, w, 2, 1)
    loss = ops.softmax_cross_entropy(logits, labels)
for result in (y, *back, *(loss if isinstance(loss, tuple) else [loss])):
    print(np.asarray(result, np.float32).round(3).tolist())
print(mine.whose("conv_forward"))
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("package")
    with pytest.MonkeyPatch.context() as patch:
        # Samples of one kernel's mistakes, of blocks of one size
        if not os.environ.get("NNLIB_NIGHTLY"):
            every = left_out._outcomes
            patch.setattr(left_out, "blocks", lambda piece: blocks(piece)[:1])
            patch.setattr(
                left_out, "_outcomes", lambda piece: every(piece) if piece.name == NAMED else ()
            )
            patch.setattr(left_out, "cache", lambda: tmp_path_factory.mktemp("cache"))
        sources(folder)
    return folder


@pytest.fixture(scope="module")
def installed(package, tmp_path_factory):
    """A copy for programs, which leave byte code behind: the next one finds it."""
    return shutil.copytree(package, tmp_path_factory.mktemp("installed") / "package")


def said(package, folder, *program):
    """Return what a program prints that imports this package, in a folder of its own."""
    ran = subprocess.run(
        [sys.executable, "-c", *program],
        cwd=folder,
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "PYTHONPATH": str(package),
            "NNLIB_MINE": str(folder / "mine"),
            "NNLIB_PROGRESS": "",
        },
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_checks_and_training_say_the_same(installed, tmp_path):
    ours, theirs = (said(folder, tmp_path, SAYS).splitlines() for folder in (ROOT, installed))
    assert theirs == ours
    assert (
        sum(line.startswith("✓") for line in ours) == 4
        and sum("Hint" in line for line in ours) >= 12
    )


def bare(text):
    """Without comments, white space, and what the lesson calls its solutions."""
    text = re.sub(r"//.*|#.*|/\*.*?\*/", "", text)
    return re.sub(r"\s+|_solved\b", "", text)


def solutions():
    """Name -> what the solution consists of, from its first brace or colon on."""
    found = {}
    for path in notebooks(ROOT / "notebooks"):
        for cell in nbformat.read(path, 4).cells:
            if (
                "solution" in cell.metadata.get("tags", [])
                and "check(" not in cell.source.splitlines()[0]
            ):
                kernel = re.search(
                    r"__global__[^;{]*?(\w+)\s*\([^)]*\)\s*(\{.*)", cell.source, re.DOTALL
                )
                function = re.search(
                    r"^def (\w+)\(.*?\):\n(.*?)(?=^check|\Z)", cell.source, re.DOTALL | re.MULTILINE
                )
                match = kernel or function
                if match:
                    found[f"{path.stem[:2]}.{match[1].removesuffix('_solved')}"] = bare(match[2])
    return found


def test_no_solution_is_in_it(package):
    texts = {
        path.relative_to(package): bare(path.read_text("utf-8"))
        for path in package.rglob("*")
        if path.suffix in {".py", ".cu", ".json", ".txt", ".h", ".md", ".toml"}
    }
    wanted = solutions()
    assert len(wanted) > 25
    shown = {
        name: [str(path) for path, text in texts.items() if body in text]
        for name, body in wanted.items()
    }
    assert {name: paths for name, paths in shown.items() if paths} == {}


def test_what_is_left_out_is_gone(package):
    names = {
        str(path.relative_to(package / "nnlib"))
        for path in package.rglob("nnlib/**/*")
        if path.is_file()
    }
    left_out = ("mine/plain", "mine/best", "teaching")
    assert not [
        name
        for name in names
        if name.startswith(left_out)
        or "__pycache__" in name
        or name.startswith("course/predictions")
        and name.endswith(".json")
    ]
    kept = (package / "nnlib/course/exercises/lesson05.py").read_text("utf-8")
    audit = json.loads((package / "nnlib/course/exercises/recorded.json").read_text("utf-8"))[
        "07.audit"
    ]
    assert (
        dict(zip(audit["cases"], audit["reference"], strict=True))["('a sound network',)"]
        == "layers none"
    )
    assert "def _fold" in kept and "_seen" not in kept and "recorded('05.field')" in kept


def test_no_kernel_in_it_is_an_answer_after_renaming_and_stripping(package, tmp_path):
    """Exempt is what lesson 08 starts from: dx = dy w is lesson 03's product; conv_shared and conv_filters are convolutions."""
    shutil.copytree(package / "nnlib", tmp_path / "nnlib")
    found = solved(tmp_path / "nnlib", list(mine.PIECES.values()))
    started_from = {"03.linear_grad_input": "matmul_", "05.conv_forward": ": conv_"}
    assert [
        (name, where)
        for name, places in found.items()
        for where in places
        if name not in started_from or started_from[name] not in where
    ] == []


def in_a_row(one, other):
    """The length of the longest run of lines that both have; short ones do not count."""
    lines = [
        [line for line in map(bare, text.split("\n")) if len(line) > 8] for text in (one, other)
    ]
    return SequenceMatcher(None, *lines, autojunk=False).find_longest_match().size


def test_no_words_show_lines_of_a_solution_in_a_row(package):
    """Hints may show them shuffled."""
    words = {
        f"{path.name}: {cell.id}": cell.source
        for path in notebooks(package / "nnlib/course/handed_out")
        for cell in nbformat.read(path, 4).cells
        if cell.cell_type == "markdown" and "```" in cell.source
    }
    answers = [
        cell.source
        for path in notebooks(ROOT / "notebooks")
        for cell in nbformat.read(path, 4).cells
        if "solution" in cell.metadata.get("tags", [])
    ]
    assert len(words) > 5 and len(answers) > 50
    assert [
        place
        for place, text in words.items()
        if any(in_a_row(text, answer) > 2 for answer in answers)
    ] == []


def starters(package):
    """Exercise -> (it, the kernel that its lesson hands out)."""
    found = {}
    for path in notebooks(package / "nnlib/course/handed_out"):
        handed_out = Submission.read(path)
        for exercise in everything(path.stem[:2]):
            if isinstance(exercise, KernelExercise) and not isinstance(exercise, PieceExercise):
                found[exercise.name] = exercise, handed_out.kernel(answer_name(exercise.name))
    return found


def test_no_kernel_in_it_is_an_answer_to_an_exercise(package):
    handed_out = starters(package)
    assert len(handed_out) > 12
    assert solved_exercises(package / "nnlib", handed_out) == {}


def test_no_question_of_the_exams_is_in_it(package):
    files = [path for path in package.rglob("*") if path.is_file()]
    assert len(files) > 100
    assert not [
        path for path in files if b"exam.question" in path.read_bytes() or "exam" in path.parts
    ]


PRINTS = """
from nnlib import mine
from nnlib.course import clinic, prediction
from nnlib.course.exercises import mistakes, parsons
from nnlib.course.clinic import patients
from nnlib.lessons import NUMBERS
print(clinic.admit(40)._patient, vars(clinic.admit(40)), patients.PATIENTS, [vars(mistakes), mine.PIECES])
print([vars(parsons.problem(name)) for name in parsons.WRONG])
for lesson in NUMBERS:
    print(prediction.questions(lesson))
"""


def test_import_and_print_shows_no_answer(package, installed, tmp_path):
    printed = said(installed, tmp_path, PRINTS)
    assert "Question(" in printed
    clear = printed + "".join(
        path.read_text("utf-8")
        for path in package.rglob("*")
        if path.suffix in {".py", ".json", ".txt", ".cu"}
    )
    secret = [
        words
        for patient in PATIENTS
        for words in (patient.shows, patient.lesson)
        if len(words) > 20
    ]
    secret += [
        sentence
        for lesson in NUMBERS
        for asked in prediction.questions(lesson).values()
        for _, sentence in asked.choices
        if len(sentence) > 20
    ]
    assert len(secret) > 100 and not [words for words in secret if words in clear]
    for name in parsons.WRONG:  # the lines are there to be arranged, but not in their order
        places = [printed.index(repr(line)) for line in dict.fromkeys(parsons.right_order(name)[1])]
        assert places != sorted(places)


def test_a_usual_mistake_is_named_as_by_the_whole_package(installed, tmp_path):
    text = mine.PIECES[NAMED].plain.replace("float sum = b[out];", "float sum = 0.0f;")
    says = (
        "import sys\nfrom nnlib.course.exercises import find\nfrom nnlib.cuda import RawKernel\n"
        f"print(find('03.{NAMED}').judge(RawKernel(sys.argv[1], '{NAMED}')).text)"
    )
    shown = said(installed, tmp_path, says, text)
    assert "bias" in shown and shown == said(ROOT, tmp_path, says, text)


def test_without_kernels_arrays_compute(installed, tmp_path):
    says = "from nnlib import ops\nwith ops.engine('kernels'):\n    print(ops.current_engine())"
    assert said(installed, tmp_path, says) == "arrays\n"
    assert said(ROOT, tmp_path, says) == "kernels\n"


def test_for_lesson_08_the_first_texts_come_along_in_another_version(package, tmp_path):
    sources(tmp_path, pieces=True)
    assert (tmp_path / "nnlib/mine/plain/relu.cu").exists()
    first, second = (
        Version(
            re.search(r'(?m)^__version__ = "(.+)"', (folder / "nnlib/__init__.py").read_text())[1]
        )
        for folder in (package, tmp_path)
    )
    assert first < second and first.public == second.public
    assert (
        not (tmp_path / "nnlib/mine/best").exists()
        and not (tmp_path / "nnlib/teaching/marking").exists()
    )


def test_the_images_find_what_they_need(tmp_path, monkeypatch):
    monkeypatch.setattr(
        student, "wheel", lambda to, pieces: Path(shutil.copy(ROOT / "LICENSE", to / "p-1.whl"))
    )
    student.hand_out(tmp_path, False)
    copied = re.search(
        r"(?m)^COPY --\S+ (.+) \S+$", (ROOT / ".devcontainer/hub/Dockerfile").read_text("utf-8")
    )[1]
    assert all(list(tmp_path.glob(source)) for source in copied.split())
    assert (tmp_path / "requirements.txt").read_text("utf-8") == "./p-1.whl[course]\n"
    command = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text("utf-8"))[
        "postCreateCommand"
    ]
    target = re.fullmatch(r"make \.venv(\S+)", command)[1]
    assert f"$(VENV){target}:" in (ROOT / "Makefile").read_text("utf-8")
