"""The command `nnlib`: it starts at once, says what to do where something is missing, leaves nothing half-written."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from nbformat.v4 import new_output

from nnlib.__main__ import COMMANDS, main
from nnlib.teaching import assignment, checkout, package, pages, programs, slides, student
from nnlib.teaching.cells import store
from tests.notebooks.authoring import to_notebook

ROOT = Path(__file__).parents[2]
LESSON = ROOT / "notebooks" / "03_matmul.ipynb"


@pytest.fixture
def installed(here, monkeypatch):
    """An nnlib that came as a wheel, in an empty folder."""
    monkeypatch.setattr(checkout, "_ABOVE", here)


def refused(*words):
    """The sentence with which the command ends."""
    with pytest.raises(SystemExit) as ended:
        main([*map(str, words)])
    return str(ended.value.code)


def test_help_lists_the_commands_and_loads_none_of_them():
    loaded = (
        "import sys\nfrom nnlib.__main__ import main\ntry:\n    main(['--help'])\nfinally:\n"
        "    print(*(name for name in sys.modules if name == 'numpy' or name.startswith('nnlib.')))"
    )
    ran = subprocess.run([sys.executable, "-c", loaded], cwd=ROOT, capture_output=True, text=True)
    assert all(re.search(rf"(?m)^ +{name}\b", ran.stdout) for name in COMMANDS)
    assert ran.stdout.splitlines()[-1].split() == [
        "nnlib.support",
        "nnlib.support.extras",
        "nnlib.__main__",
    ]


def test_every_command_has_help_of_its_own_beside_numpy_alone():
    shown = (
        "import sys\nfrom nnlib.__main__ import COMMANDS, main\n"
        "sys.modules |= dict.fromkeys(('IPython', 'anywidget', 'nbclient', 'nbconvert', 'nbformat'))\n"
        "for name in COMMANDS:\n    try:\n        main([name, '--help'])\n    except SystemExit as ended:\n"
        "        assert ended.code == 0, name"
    )
    ran = subprocess.run([sys.executable, "-c", shown], cwd=ROOT, capture_output=True, text=True)
    assert re.findall(r"(?m)^usage: nnlib (\w+) ", ran.stdout) == [*COMMANDS], ran.stderr


@pytest.mark.parametrize(
    "name", [name for name, (_, does) in COMMANDS.items() if "teachers" in does]
)
def test_make_calls_exactly_the_command(name):
    recipe = re.search(rf"(?m)^{name}: .*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text("utf-8"))[
        1
    ]
    assert re.search(rf"\$\(BIN\)/nnlib {name}( \$\({name.upper()}_ARGS\))?\n\Z", recipe)


@pytest.mark.parametrize(
    "driver, installed, folder",
    [
        (False, ".[course]", "--notebook-dir=notebooks"),
        (True, ".[course,gpu]", "--notebook-dir=/else/where"),
    ],
)
def test_the_lab_brings_cupy_only_where_a_driver_is(driver, installed, folder, tmp_path):
    (tmp_path / "nvidia-smi").write_text("#!/bin/sh\n" + "echo GPU 0\n" * driver, "utf-8")
    (tmp_path / "nvidia-smi").chmod(0o755)
    arguments = [f"LAB_ARGS={folder} --no-browser"] if driver else []
    said = subprocess.run(
        ["make", "-n", "lab", f"VENV={tmp_path}/venv", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
    ).stdout
    assert f'--editable "{installed}"' in said and ("make gpu" in said) is not driver
    assert ('--only-binary llvmlite --editable ".[fast]"' in said) is not driver
    assert said.count("--notebook-dir") == 1 and folder in said


@pytest.mark.parametrize("name", ["slides", "pages", "student", "assignment", "site"])
def test_without_the_repository_it_asks_for_it(name, installed, tmp_path):
    assert "Clone the repository" in refused(name)
    assert not list(tmp_path.iterdir())


def test_named_notebooks_need_no_repository(installed, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(pages.Renderer, "drawn", lambda self, html: html)  # nor are formulas drawn
    sys.stdout.reconfigure(encoding="ascii")  # nor a terminal that shows any name
    main(["pages", str(LESSON), "--to", "日"])
    assert "03 Matmul" in (tmp_path / "日" / "03_matmul.html").read_text("utf-8")


@pytest.mark.parametrize("name", ["slides", "pages", "assignment"])
def test_a_file_that_is_no_notebook_is_named(name, tmp_path):
    file = tmp_path / "01_text.ipynb"
    whole = LESSON.read_text("utf-8")
    for text in (
        "words",
        whole.replace('"source"', '"sauce"', 1),
        whole.replace("Matmul", "\\ud800", 1),
    ):
        file.write_text(text, "utf-8")
        assert f"{file} is not a notebook" in refused(name, file, "--to", tmp_path / "made")


def test_a_file_that_is_not_there_is_named(tmp_path, capsys):
    refused("pages", tmp_path / "01.ipynb", "--to", tmp_path)
    assert str(tmp_path / "01.ipynb") in capsys.readouterr().err


def test_a_notebook_that_is_no_lesson_has_no_assignment(tmp_path):
    shutil.copy(LESSON, tmp_path / "notes.ipynb")
    assert "number of a lesson" in refused(
        "assignment", tmp_path / "notes.ipynb", "--to", tmp_path / "made"
    )
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    "changed, said",
    [
        (
            ("def intensity(", "def other("),
            "no cell before the check of 03.intensity defines intensity",
        ),
        (('check("03.intensity"', 'print("03.intensity"'), "no cell checks ['03.intensity']"),
    ],
)
def test_a_lesson_that_cannot_be_handed_out_is_named(changed, said, tmp_path):
    path = tmp_path / LESSON.name
    path.write_text(
        LESSON.read_text("utf-8").replace(*(json.dumps(text)[1:-1] for text in changed)), "utf-8"
    )
    assert f"{path}: {said}" in refused("assignment", path, "--to", tmp_path / "made")
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_site_takes_no_place_of_other_files(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine", "utf-8")
    assert "Remove it, or name another folder" in refused("site", "--to", tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_site_that_fails_leaves_the_one_before(tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "mark").write_text("before", "utf-8")
    with pytest.raises(SystemExit), checkout.instead_of(tmp_path / "site", "mark") as fresh:
        (fresh / "mark").write_text("after", "utf-8")
        raise SystemExit
    assert (tmp_path / "site" / "mark").read_text("utf-8") == "before"
    with checkout.instead_of(tmp_path / "site", "mark") as fresh:
        (fresh / "other").write_text("after", "utf-8")
    assert [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")] == [
        "site",
        "site/other",
    ]


def test_lessons_are_not_overwritten_by_their_student_copies(tmp_path):
    shutil.copy(LESSON, tmp_path)
    assert "no student's copy" in refused("student", "--to", tmp_path)
    assert (tmp_path / LESSON.name).read_bytes() == LESSON.read_bytes()


def test_a_student_folder_that_fails_stays_as_it_was(tmp_path, monkeypatch):
    monkeypatch.setattr(student, "wheel", lambda *_: sys.exit("no wheel"))
    (tmp_path / "student").mkdir()
    (tmp_path / "student" / "LICENSE").write_text("the teacher's", "utf-8")
    assert refused("student", "--to", tmp_path / "student") == "no wheel"
    assert [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")] == [
        "student",
        "student/LICENSE",
    ]


def test_an_assignment_that_fails_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(assignment.autograder, "write", lambda *_: sys.exit("no otter"))
    assert refused("assignment", LESSON, "--to", tmp_path / "made") == "no otter"
    assert not list(tmp_path.iterdir())


def test_an_old_setuptools_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(package.metadata, "version", lambda name: "65.5.0")
    monkeypatch.setattr(package, "sources", None)  # which take minutes: it is said before
    assert "pip install 'setuptools>=77'" in refused("student", "--to", tmp_path / "made")


def test_a_lesson_whose_stepper_fails_keeps_its_deck_of_before(tmp_path):
    notebook = to_notebook("# %% md slide\n# 01 A\n# %% code\n1 / 0")
    still = {"text/plain": "Interactive figure: a thread"}
    notebook.cells[-1].outputs = [new_output("display_data", data=still)]
    store(notebook, tmp_path / "01_a.ipynb")
    (tmp_path / "01_a.html").write_text("before", "utf-8")
    said = refused("slides", tmp_path / "01_a.ipynb", "--to", tmp_path)
    assert "ZeroDivisionError" in said and "gets no deck" in said
    assert (tmp_path / "01_a.html").read_text("utf-8") == "before"
    assert {path.suffix for path in tmp_path.iterdir()} == {".ipynb", ".html"}


def test_programs_that_are_missing_or_fail_are_named(installed, tmp_path, environ):
    with pytest.raises(
        SystemExit, match=r"(?s)A deck could not be built: .*printed at its end:\nno room"
    ):
        programs.call("A deck", sys.executable, "-c", "print('no room'); raise SystemExit(3)")
    environ(PATH=tmp_path)
    (tmp_path / "pyproject.toml").touch()
    with pytest.raises(
        SystemExit, match=r"npm, which is not installed here\. .*https://nodejs.org"
    ):
        programs.npm("reveal.js@5.2.1", "A deck")
    with pytest.raises(SystemExit, match="Chromium or Chrome"):
        slides.main(["--pdf", "01_cuda_basics.ipynb"])


def test_a_folder_without_pyodide_is_named(tmp_path, environ):
    environ(NNLIB_PYODIDE=tmp_path)
    assert "unpack a pyodide-*.tar.bz2" in refused("site", "--to", tmp_path / "site")
    assert not list(tmp_path.iterdir())


def test_there_is_no_site_to_show(tmp_path):
    assert "build it with `nnlib site`" in refused("site", "--serve", "--to", tmp_path)


def test_the_students_package_says_that_a_command_is_for_teachers(tmp_path):
    shutil.copytree(
        ROOT / "nnlib", tmp_path / "nnlib", ignore=shutil.ignore_patterns("teaching", "__pycache__")
    )
    # -S: an editable installation has the folder
    ran = subprocess.run(
        [sys.executable, "-S", "-m", "nnlib", "slides"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    assert ran.returncode == 1 and ran.stderr.startswith("`nnlib slides` is for teachers")
