"""Sharing results with a teacher: nothing without consent, no names, no code; a table and a page for the teacher."""

import json
import os

import pytest

from nnlib.course import check, share_results, sharing, stop_sharing
from nnlib.course.exercises.checking import Verdict
from nnlib.teaching import overview

RIGHT = lambda bm, bn: bm * bn / (2 * (bm + bn))  # noqa: E731


@pytest.fixture
def home(tmp_path, environ):
    environ(NNLIB_PROGRESS=tmp_path / "home" / "progress.json")
    environ(NNLIB_CLASS=None)
    (tmp_path / "class").mkdir()
    return tmp_path / "class"


def test_nothing_is_sent_without_consent_and_after_it_was_taken_back(home, capsys, environ):
    environ(NNLIB_CLASS=home)
    check("03.intensity", RIGHT)
    assert not list(home.iterdir())
    share_results()
    assert "No name, no code" in capsys.readouterr().out
    check("03.intensity", lambda bm, bn: 2 * bm * bn)
    check("03.intensity", RIGHT, count=False)  # the lesson's solution is nobody's result
    stop_sharing()
    check("03.intensity", RIGHT)
    (file,) = home.iterdir()
    line = json.loads(file.read_text("utf-8"))
    assert line.keys() == {"seat", "at", "exercise", "solved", "hint"} and len(line["at"]) == 16
    assert (line["solved"], line["hint"]) == (
        False,
        "those are the operations: divide them by the bytes",
    )
    assert file.name == f"{line['seat']}.jsonl"


def test_on_a_full_disk_consent_stays_as_it_was(home, monkeypatch):
    share_results(str(home))
    monkeypatch.delattr(os, "fsync")
    with pytest.raises(AttributeError):
        share_results("elsewhere")
    assert sharing._agreed()["place"] == str(home)


def test_where_no_progress_is_kept_nobody_is_told_that_results_are_shared(home, capsys, environ):
    environ(NNLIB_PROGRESS="")
    with pytest.raises(ValueError, match="unset NNLIB_PROGRESS"):
        share_results(str(home))
    assert capsys.readouterr().out == ""


def test_words_of_a_student_stay_at_home():
    said = "✗ 03.intensity, called with (32, 64): MySecretError: ZeroDivisionError of mine"
    assert sharing.hint_of(Verdict(False, said, kind="MySecretError")) == ""
    assert sharing.hint_of(Verdict(False, said, kind="ZeroDivisionError")) == "ZeroDivisionError"
    assert sharing.hint_of(Verdict(False, "✗ 03.intensity: my secret is 1, should be 2.")) == ""


def test_a_place_that_is_gone_disturbs_nothing(home, capsys):
    share_results(str(home / "gone"))
    check("03.intensity", RIGHT)
    printed = capsys.readouterr().out
    assert "✓" in printed and "The class was not told" in printed
    with pytest.raises(ValueError, match="where?"):
        share_results()


def test_lines_become_a_table_and_a_page(home, capsys):
    home.mkdir(exist_ok=True)
    share_results(str(home))
    check("03.intensity", lambda bm, bn: 2 * bm * bn)
    check("03.intensity", RIGHT)
    capsys.readouterr()
    (home / "abc.jsonl").write_text(
        '{"seat": "abc", "exercise": "03.intensity", "solved": false, "hint": "look"}\n'
        'no line\n{"seat": "../abc", "exercise": "03.x", "solved": true, "hint": ""}\n'
    )
    overview.main([str(home), "--page", str(home / "class.html")])
    row = capsys.readouterr().out.splitlines()[1].split(maxsplit=4)
    assert row == ["03.intensity", "2", "1", "1.5", "look (1)"]
    page = (home / "class.html").read_text("utf-8")
    assert page.count("<th>") == 4 and page.count("✓</td>") == 1 and ">1</td>" in page


def test_a_folder_that_is_not_there_is_named(tmp_path, capsys):
    with pytest.raises(SystemExit):
        overview.main([str(tmp_path / "lines")])
    assert f"there is no folder {tmp_path / 'lines'}" in capsys.readouterr().err
    (tmp_path / "lines" / "seat.jsonl").mkdir(parents=True)
    with pytest.raises(SystemExit):
        overview.main([str(tmp_path / "lines")])
    assert "seat.jsonl" in capsys.readouterr().err
