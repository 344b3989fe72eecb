"""Lessons run in Pyodide, Python as browsers have it, and show what is stored. Needs Node and a whole Pyodide."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from nbval.plugin import IPyNbCell, coalesce_streams, get_sanitize_patterns, nocolors

from nnlib.lessons import notebooks
from nnlib.support import browser
from nnlib.teaching.site import bundle, packages

HERE = Path(__file__).parent
LESSONS = notebooks(HERE.parents[1] / "notebooks")
ALWAYS = "04"  # 01 runs in test_running_pages.py; all of them with NNLIB_NIGHTLY=1

pytestmark = [
    pytest.mark.skipif(
        packages.pyodide() is None,
        reason="there is no Pyodide: set NNLIB_PYODIDE to the folder of an "
        "unpacked pyodide-*.tar.bz2",
    ),
    pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node"),
]


@pytest.fixture(scope="module")
def pyodide(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pyodide")
    bundle.pack(packages.pyodide(), folder, packages.NNLIB)
    return folder


@pytest.fixture(scope="module")
def differences():
    """Return a function that describes how outputs differ from those stored, by the rules of nbval."""
    patterns = dict(get_sanitize_patterns((HERE / "nbval_sanitize.cfg").read_text("utf-8")))
    # On stderr the simulator reports launches that take long, which depends on the machine
    ignored = tuple(
        """
        metadata traceback prompt_number output_type name execution_count
        application/vnd.jupyter.widget-view+json image/png evalue stderr
        """.split()
    )
    hook = SimpleNamespace(pytest_assertrepr_compare=lambda **_: [])
    cell = SimpleNamespace(
        parent=SimpleNamespace(skip_compare=ignored, sanitize_patterns=patterns),
        colors=nocolors,
        ihook=hook,
        config=None,
    )
    for name in ("sanitize", "format_output_compare"):
        setattr(cell, name, getattr(IPyNbCell, name).__get__(cell))

    def compare(shown, stored):
        shown, stored = (
            coalesce_streams([nbformat.from_dict(output) for output in outputs])
            for outputs in (shown, stored)
        )
        return (
            ""
            if IPyNbCell.compare_outputs(cell, shown, stored)
            else "\n".join(map(str, cell.comparison_traceback))
        )

    return compare


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_lesson_shows_what_is_stored(lesson, pyodide, differences, tmp_path):
    if not lesson.name.startswith(ALWAYS) and not os.environ.get("NNLIB_NIGHTLY"):
        pytest.skip("runs in the nightly workflow; here with NNLIB_NIGHTLY=1")
    ran = run(lesson, pyodide, tmp_path)
    notebook = nbformat.read(lesson, 4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    greeting = next(cell for cell in cells if "nnlib.course import" in cell.source)
    printed = ran[greeting.id]["outputs"].pop(0)
    assert printed["text"].startswith("You are in a browser"), printed
    assert not any(output.get("name") == "stderr" for output in ran[greeting.id]["outputs"]), ran[
        greeting.id
    ]
    problems = []
    for cell in cells:
        outputs, tags = ran[cell.id]["outputs"], cell.metadata.get("tags", [])
        failed = [output["evalue"] for output in outputs if output["output_type"] == "error"]
        if failed and "raises-exception" not in tags:
            problems.append(f"{cell.id}: {failed}")
        elif "nbval-ignore-output" not in tags and (
            difference := differences(outputs, cell.outputs)
        ):
            problems.append(f"{cell.id}: {difference}")
    assert not problems, "\n".join(problems)


def run(lesson, pyodide, folder):
    """What each code cell of the lesson shows in Pyodide, and its seconds, by the cell's id."""
    result = subprocess.run(
        [
            "node",
            str(bundle.HERE / "node.mjs"),
            str(pyodide),
            "nnlib,ipython",
            str(HERE.parent / "teaching/site/lesson.py"),
            str(lesson),
            str(folder / "ran.json"),
        ],
        env={**os.environ, "NNLIB_PROGRESS": ""},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr[-3000:]
    return json.loads((folder / "ran.json").read_text("utf-8"))


def test_elsewhere_nothing_is_said_about_browsers():
    assert browser.words() == "" and browser.storage() is None
