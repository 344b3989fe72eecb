"""nnlib lessons get: what is missing comes, what is newer is put beside, nothing of a student's is touched."""

import errno
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from nnlib.__main__ import main
from nnlib.lessons import LESSONS, notebooks
from nnlib.support import fresh_lessons as lessons


def lesson(text, edition=None):
    metadata = {lessons.KEY: {"edition": edition}} if edition else {}
    return json.dumps({"cells": [text], "metadata": metadata})


@pytest.fixture
def course(tmp_path, monkeypatch):
    folder = tmp_path / "course"
    folder.mkdir()
    monkeypatch.setattr(lessons, "handed_out", lambda: folder)
    return folder


def contents(folder):
    return {file.name: json.loads(file.read_text("utf-8"))["cells"][0] for file in folder.iterdir()}


def test_a_changed_lesson_is_kept_and_an_update_lies_beside_it(course, tmp_path):
    own = tmp_path / "own"
    (course / "01_a.ipynb").write_text(lesson("first", "1"), "utf-8")
    assert lessons.get(own) == ["01_a.ipynb: new"]
    # A notebook keeps its metadata when it is saved
    (own / "01_a.ipynb").write_text(lesson("mine", "1"), "utf-8")
    assert lessons.get(own) == ["01_a.ipynb: nothing new, yours is kept"]
    (course / "01_a.ipynb").write_text(lesson("second", "2"), "utf-8")
    (course / "02_b.ipynb").write_text(lesson("b", "1"), "utf-8")
    assert lessons.get(own) == [
        "01_a.ipynb: yours is kept, the new one is 01_a.new.ipynb",
        "02_b.ipynb: new",
    ]
    (own / "01_a.new.ipynb").write_text(lesson("mine, too", "2"), "utf-8")
    assert lessons.get(own)[0] == "01_a.new.ipynb: nothing new, yours is kept"
    (course / "01_a.ipynb").write_text(lesson("third", "3"), "utf-8")
    lessons.get(own)
    assert contents(own) == {
        "01_a.ipynb": "mine",
        "01_a.new.ipynb": "mine, too",
        "01_a.new2.ipynb": "third",
        "02_b.ipynb": "b",
    }


@pytest.mark.parametrize("there", ["", "no notebook", "[]", '{"metadata": 3}'])
def test_whatever_lies_there_is_kept(course, tmp_path, there):
    (course / "01_a.ipynb").write_text(lesson("first"), "utf-8")
    (tmp_path / "01_a.ipynb").write_text(there, "utf-8")
    lessons.get(tmp_path)
    assert (tmp_path / "01_a.ipynb").read_text("utf-8") == there
    assert lessons.get(tmp_path) == ["01_a.new.ipynb: nothing new, yours is kept"]


def test_the_command_says_where_it_cannot_write(course, tmp_path, capsys):
    (course / "01_a.ipynb").write_text(lesson("first"), "utf-8")
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(SystemExit):
        main(["lessons", "get", "--to", str(tmp_path / "file")])
    assert "file" in capsys.readouterr().err
    main(["lessons", "get", "--to", str(tmp_path / "new")])
    assert capsys.readouterr().out == "01_a.ipynb: new\n"


def test_lessons_are_copied_and_opened(course, here, monkeypatch):
    (course / "01_a.ipynb").write_text(lesson("first"), "utf-8")
    ran = []
    monkeypatch.setattr(subprocess, "run", ran.append)
    main(["lessons"])
    assert contents(here / "lessons") == {"01_a.ipynb": "first"}
    assert ran == [[sys.executable, "-m", "jupyterlab", "--notebook-dir=lessons"]]
    main(["lessons", "--to", "own"])
    assert contents(here / "own") and ran[1][-1] == "--notebook-dir=own"


def test_a_full_disk_leaves_no_half_lesson_that_would_be_kept_as_the_students(
    course, tmp_path, monkeypatch
):
    (course / "01_a.ipynb").write_text(lesson("first"), "utf-8")

    class Full(io.BytesIO):
        def write(self, content):
            raise OSError(errno.ENOSPC, "No space left on device")

    def opened(path, mode):
        path.touch(exist_ok=False)
        return Full()

    monkeypatch.setattr(lessons, "open", opened, raising=False)
    with pytest.raises(OSError, match=r"No space left on device: '.*01_a\.ipynb'"):
        lessons.get(tmp_path / "own")
    assert not list((tmp_path / "own").iterdir())


def test_the_list_is_what_lies_in_the_repository():
    folder = Path(__file__).parents[2] / "notebooks"
    assert [lesson.file for lesson in LESSONS] == [path.name for path in notebooks(folder)]
    for lesson in LESSONS:
        first = json.loads((folder / lesson.file).read_text("utf-8"))["cells"][0]["source"]
        assert "".join(first).startswith(f"# {lesson.number} "), lesson
