"""The parts of marking, each alone: lines of plain data, marks and their table, what is printed and refused."""

import csv
import os
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import numpy as np
import pytest

from nnlib.teaching.marking import __main__ as command
from nnlib.teaching.marking import exchange, marks, remote
from nnlib.teaching.marking.marks import COLUMNS, HandedIn, Limits, Mark
from nnlib.teaching.marking.remote import RemoteFunction, StoppedError, TookTooLong

HANGS = 600  # seconds after which a thread does not come any more


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        3,
        -2.5,
        "text",
        ...,
        [],
        [1, [2.5, None]],
        (),
        (1, (2, [3])),
        {},
        {1: "a", (2, 3): [4]},
        [{"a": ()}],
        np.float32(1.5),
        np.int8(-3),
        np.bool_(True),
        np.uint64(2**64 - 1),
        np.arange(6, dtype=np.int16).reshape(2, 3),
        np.zeros((0, 3), np.float64),
        np.array([np.nan, np.inf], np.float32),
        np.asfortranarray(np.eye(2, 3)),
        np.array(7),
    ],
    ids=repr,
)
def test_plain_data_comes_back(value):
    line = exchange.dumps(value)
    found = exchange.loads(line)
    assert "\n" not in line and exchange.dumps(found) == line
    if isinstance(value, np.ndarray) and value.ndim:
        assert found.dtype == value.dtype and found.shape == value.shape and found.flags.writeable
        np.testing.assert_array_equal(found, value)
    elif isinstance(value, (np.generic, np.ndarray)):
        assert found == value and found.dtype == value.dtype
    else:
        assert found == value and type(found) is type(value)


@pytest.mark.parametrize(
    "value",
    [object(), {1, 2}, b"x", 1j, np.array(["a"]), np.array([None]), np.array([1j]), [print]],
)
def test_other_data_is_refused(value):
    with pytest.raises(exchange.NoPlainDataError, match="; numbers, lists, arrays can be judged"):
        exchange.dumps(value)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{",
        '{"odd": []}',
        '{"tuple": 3}',
        '{"array": []}',
        '{"array": ["O", [1], "AAAA"]}',
        '{"dict": [[1]]}',
        '{"array": ["<f4", [2], "AAAA"]}',
        '{"array": ["no", [1], ""]}',
        '{"a": 1, "b": 2}',
        "{}",
        "[" * 100_000,
    ],
)
def test_a_line_of_an_enemy_is_no_value(line):
    with pytest.raises(ValueError):
        exchange.loads(line)


def test_a_function_lives_elsewhere_as_long_as_it_is_asked():
    source = "def f(x):\n    global n\n    n = globals().get('n', 0) + 1\n    return (x * 2, n)\n"
    with closing(RemoteFunction(source, "f", "", 600, 2048)) as f:
        assert f([1]) == ([1, 1], 1)
        np.testing.assert_array_equal(f(np.arange(3))[0], [0, 2, 4])
        assert f(1) == (2, 3)
        process = f._process
        assert process.poll() is None
    assert process.poll() is not None


@pytest.mark.parametrize(
    ("body", "error", "said"),
    [
        ("while True: pass", TookTooLong, "it took more than 1 s on this computer"),
        ("import os; os._exit(3)", StoppedError, "the function ended its whole process"),
        ("raise NotImplementedError", NotImplementedError, None),
        ("return object()", Exception, "something of type object"),
        ("raise KeyError('no')", Exception, "no"),
    ],
)
def test_what_a_function_may_do_instead(body, error, said):
    seconds = 1 if "while" in body else 600
    with closing(RemoteFunction(f"def f():\n    {body}\n", "f", "", seconds, 2048)) as f:
        with pytest.raises(error, match=said):
            f()


@pytest.mark.parametrize(
    ("of", "stars", "each"),
    [
        (1, 0, [1, 0, 1, 0]),
        (2, 0.5, [3, 0, 2, 0]),
        (0, 1, [2, 0, 0, 0]),
        (0.25, 0.125, [0.5, 0, 0.25, 0]),
    ],
)
def test_points(of, stars, each):
    marks = [Mark("", "", True, 3, ""), Mark("", "", False, 0, "")]
    marks += [Mark("", "", True, 1, ""), Mark("", "", False, 3, "")]
    assert [mark.points(of, stars) for mark in marks] == each


def rows(text):
    """The lines of a table of marks, without the time and the seed where that is drawn."""
    found = list(csv.DictReader(text.splitlines(keepends=True)))
    assert tuple(found[0]) == COLUMNS
    return [
        [
            row[name]
            for name in ("student", "lesson", "exercise", "points", "of", "stars", "message")
        ]
        for row in found
    ]


@pytest.fixture
def marked(monkeypatch, capsys):
    """marked(arguments) -> table and remarks of the command, whose judge calls one answer right and one in part."""

    def mark(path, lesson, seed, limits, parts):
        marked.asked.append((path, lesson, seed, limits, parts))
        if path.startswith("broken"):
            raise OSError("gone \ud800")
        return [
            Mark(path, f"{lesson}.one", True, 2, "✓ right"),
            Mark(path, f"{lesson}.two", False, 0, '=no, "never"', parts),
        ]

    def marked(*words):
        monkeypatch.setattr("sys.argv", ["marking", *map(str, words)])
        command.main()
        return capsys.readouterr()

    marked.asked = []
    monkeypatch.setattr(command, "mark", mark)
    monkeypatch.setattr(command, "confined", lambda: True)
    return marked


def test_the_command_marks_each_notebook_of_its_lesson(marked):
    limited = ("--seed", 7, "--points", 3, "--seconds", 5, "--memory", 100)
    said = marked("ann/a_03.ipynb", "ben/b_04.ipynb", *limited)
    assert marked.asked == [
        ("ann/a_03.ipynb", "03", 7, Limits(5, 100), False),
        ("ben/b_04.ipynb", "04", 7, Limits(5, 100), False),
    ]
    assert said.err == "ann/a_03.ipynb: 1 solved\nben/b_04.ipynb: 1 solved\n"
    assert rows(said.out) == [
        ["ann", "03", "03.one", "3", "3", "2", "✓ right"],
        ["ann", "03", "03.two", "0", "3", "", '\'=no, "never"'],  # no formula of a spreadsheet
        ["ben", "04", "04.one", "3", "3", "2", "✓ right"],
        ["ben", "04", "04.two", "0", "3", "", '\'=no, "never"'],
    ]
    said = marked("a_03.ipynb", "--lesson", "05", "--part-points", "0.25")
    _, lesson, seed, limits, parts = marked.asked[-1]
    assert (lesson, limits, parts) == ("05", Limits(60, 4096), True) and 0 <= seed < 1 << 32
    assert [row[3] for row in rows(said.out)] == ["1", "0.25"]


def test_a_table_is_enough_to_mark_again(marked, tmp_path):
    table = tmp_path / "marks.csv"
    worth = ("--points", 2, "--part-points", 0.5)
    table.write_text(marked("ann/a_03.ipynb", "ben/b_04.ipynb", *worth).out, "utf-8")
    first = marked.asked[:]
    again = marked("--again", table)
    assert marked.asked == first + first and again.out == table.read_text("utf-8")
    table.write_text("student,seed\nann,1\n", "utf-8")
    with pytest.raises(SystemExit):
        marked("--again", table)


@pytest.mark.parametrize(
    ("path", "student"),
    [
        ("returned/ann/03_matmul.ipynb", "ann"),
        ("submitted/ben/03_matmul/03_matmul.ipynb", "ben"),
        ("class/s05 Müller, Ann/lesson_03/03_matmul.ipynb", "s05 Müller, Ann"),
        ("moodle/Ann Lee_12345_assignsubmission_file/03_matmul.ipynb", "Ann Lee"),
        ("Ann Lee_12345_assignsubmission_file_03_matmul.ipynb", "Ann Lee"),
        ("canvas/leeann_4711_99812_03_matmul-2.ipynb", "4711"),
        ("canvas/leeann_LATE_4711_99812_03_matmul.ipynb", "4711"),
        ("moodle/Ann Lee_12345_assignsubmission_file/ben_47_99_03.ipynb", "Ann Lee"),
        ("ann_03.ipynb", "ann_03"),
    ],
)
def test_a_student_is_who_the_platform_or_the_folder_says(path, student):
    assert marks.HandedIn(path, "03", 1).student == student


def test_nbgraders_time_counts_before_that_of_the_file(tmp_path):
    path = tmp_path / "03_matmul" / "03_matmul.ipynb"
    path.parent.mkdir()
    assert marks.HandedIn(str(path), "03", 1).when == ""
    path.write_text("")
    os.utime(path, (0, 0))
    assert marks.HandedIn(str(path), "03", 1).when[:4] in ("1969", "1970")
    path.with_name("timestamp.txt").write_text("2027-05-12 21:30:05.123 UTC")
    assert marks.HandedIn(str(path), "03", 1).when == "2027-05-12T21:30:05"
    moved = path.parent.rename(tmp_path / "Ann Lee_12345_assignsubmission_file") / path.name
    assert marks.HandedIn(str(moved), "03", 1).when[:4] in ("1969", "1970")


def test_a_lesson_that_does_not_exist_is_refused(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["marking", "a_03.ipynb", "--lesson", "12"])
    with pytest.raises(SystemExit):
        command.main()
    assert re.search("argument --lesson: invalid choice: '12' .*01.*09", capsys.readouterr().err)


def test_a_notebook_that_cannot_be_marked_costs_no_other_one_its_marks(
    marked, monkeypatch, tmp_path
):
    with (
        open(tmp_path / "marks.csv", "w", encoding="ascii") as file,
        pytest.raises(SystemExit) as ended,
    ):
        monkeypatch.setattr("sys.stdout", file)
        marked("a_03.ipynb", "broken_03.ipynb", "c_03.ipynb")
    assert ended.value.code == "1 of 3 notebooks could not be marked: broken_03.ipynb"
    found = rows((tmp_path / "marks.csv").read_text("ascii"))
    assert found[0][-1] == r"\u2713 right" and [row[0] for row in found[2:]] == [
        "broken_03",
        "c_03",
        "c_03",
    ]
    assert found[2][2:4] == ["", ""]  # no points, and no zero: look at it yourself
    assert found[2][-1] == r"could not be marked, look at it yourself: OSError: gone \ud800"


def test_a_damaged_notebook_is_named_while_the_class_is_marked(tmp_path, monkeypatch, capsys):
    (tmp_path / "ann_03.ipynb").write_text('{"cells": [', "utf-8")
    monkeypatch.setattr("sys.argv", ["marking", str(tmp_path / "ann_03.ipynb")])
    monkeypatch.setattr(command, "confined", lambda: True)
    command.main()
    told = capsys.readouterr().err
    assert (
        "ann_03.ipynb: 0 solved: the file cannot be read as a notebook (JSONDecodeError).\n" in told
    )


@pytest.mark.parametrize("jobs", [1, 2])
def test_rows_are_there_while_the_next_notebook_is_marked(jobs):
    seen, running = threading.Event(), []

    def judge(one):
        running.append(one.notebook)
        assert one.notebook != "b" or seen.wait(HANGS)
        return [Mark(one.notebook, "03.one", True, 0, "")]

    found = command._marks([HandedIn(name, "03", 1) for name in "ab"], judge, jobs, [])
    assert next(found)[1].notebook == "a"
    seen.set()
    assert [one.notebook for one, _ in found] == ["b"] and running == ["a", "b"]


def test_notebooks_are_judged_in_parallel_and_the_fast_one_is_first(monkeypatch):
    both = threading.Barrier(2, timeout=HANGS)
    first = threading.Event()

    def judge(one):
        both.wait()
        if one.notebook == "slow":
            assert first.wait(HANGS)
        return [Mark(one.notebook, "03.one", True, 0, "")]

    class_ = [HandedIn(name, "03", 1) for name in ("slow", "fast")]
    found = command._marks(class_, judge, 2, [])
    assert next(found)[0].notebook == "fast"
    first.set()
    assert next(found)[0].notebook == "slow"


def test_a_teacher_who_stops_does_not_wait_for_the_class(monkeypatch):
    stopped, judged = threading.Event(), []

    class Judges(ThreadPoolExecutor):
        def shutdown(self, wait=True, *, cancel_futures=False):
            super().shutdown(wait=False, cancel_futures=cancel_futures)
            stopped.set()
            super().shutdown(wait)

    def judge(one):
        judged.append(one.notebook)
        if one.notebook == "0":
            raise KeyboardInterrupt
        stopped.wait(HANGS)
        return []

    monkeypatch.setattr(command, "ThreadPoolExecutor", Judges)
    with pytest.raises(KeyboardInterrupt):
        class_ = [HandedIn(str(number), "03", 1) for number in range(500)]
        list(command._marks(class_, judge, 1, []))
    assert judged[0] == "0" and len(judged) <= 2  # a second judge may have begun


def test_a_judge_that_says_nothing_ends_with_all_that_it_has_started(tmp_path, monkeypatch):
    judge = tmp_path / "judge"
    judge.write_text("#!/bin/sh\nsleep 1000000 &\nsleep 1000000\n")  # both hold the pipe open
    judge.chmod(0o755)
    monkeypatch.setattr(marks.sys, "executable", str(judge))
    (found,) = marks._verdicts({}, ["03.a", "03.b"], Limits(1), time.monotonic() + 0.5)
    assert not found["judged"] and not found["solved"] and "on this computer" in found["said"]


def test_answers_that_sleep_cannot_take_more_than_the_notebook_s_time(monkeypatch):
    now = [0]
    monkeypatch.setattr(
        marks, "everything", lambda lesson: [type("E", (), {"name": f"03.{k}"}) for k in "abcde"]
    )
    monkeypatch.setattr(marks.time, "monotonic", lambda: now[0])
    real, asked = marks._verdicts, []

    def verdicts(told, names, limits, until):
        asked.append((len(names), until))
        if now[0] < 300:
            now[0] += 100
            yield marks.not_judged("it took long")
        else:
            yield from real(told, names, limits, until)

    monkeypatch.setattr(marks, "_verdicts", verdicts)
    found = marks.mark("n.ipynb", "03", limits=Limits(60))
    assert not any(one.judged for one in found) and len(found) == 5
    assert (
        asked == [(5, 300), (4, 300), (3, 300), (2, 300)]
        and "the time of the notebook" in found[-1].said
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["x.ipynb"], "which lesson is x.ipynb?"),
        (["a_03.ipynb", "./a_03.ipynb"], "are one file"),
        (["--again=marks.ipynb"], "which lesson is ./--again=marks.ipynb"),
        (["12.ipynb"], "which lesson is 12.ipynb?"),
        (["03_04.ipynb"], "which lesson is 03_04.ipynb?"),
    ],
)
def test_what_the_command_cannot_know_it_asks(given, said, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["marking", *given])
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert ended.value.code == 2 and said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("path", "lesson"),
    [
        ("03_matmul.ipynb", "03"),
        ("x/lesson-08.ipynb", "08"),
        ("00.ipynb", None),
        ("103.ipynb", None),
        ("031.ipynb", None),
        ("04/none.ipynb", None),
        ("02_02.ipynb", "02"),
        ("01_02.ipynb", None),
        ("ada01.ipynb", "01"),
    ],
)
def test_the_lesson_of_a_name(path, lesson):
    assert command.lesson_of(path) == lesson


class Judges:
    """Stands for the judge's process: each says so many verdicts, then it ends."""

    def __init__(self, *said):
        self.said = list(said)

    def __call__(self, told, names, limits, until):
        self.names, self.asked = names, (told, limits)
        yield from self.said.pop(0)


def test_a_judge_that_ends_is_started_again_for_the_rest(monkeypatch, tmp_path):
    monkeypatch.setattr(
        marks,
        "everything",
        lambda lesson: [type("E", (), {"name": f"{lesson}.{k}"}) for k in "abc"],
    )
    right = {"solved": True, "said": "✗ 03.a: fine", "stars": 2, "part": False}
    judges = Judges(
        [right, marks.not_judged("it took long")],
        [
            {"solved": False, "said": "✗ 03.c, n = 3: wrong \ud800", "stars": 0, "part": True},
        ],
    )
    monkeypatch.setattr(marks, "_verdicts", judges)
    found = marks.mark(tmp_path / "n.ipynb", "03")
    assert [
        (one.exercise, one.solved, one.stars, one.said[:20], one.part, one.judged) for one in found
    ] == [
        ("03.a", True, 2, "fine", False, True),
        ("03.b", False, 0, "not judged: it took ", False, False),
        ("03.c", False, 0, r"n = 3: wrong \ud800", True, True),
    ]
    row = HandedIn("ann/n_03.ipynb", "03", 7).row
    assert [row(one)[3] for one in found] == ["1", "", "0"]  # right, neither right nor wrong, wrong
    asked = {"seed": 0, "seconds": 60, "memory": 4096, "parts": False}
    assert judges.asked == ({"path": str(tmp_path / "n.ipynb"), **asked}, Limits())
    assert judges.names == ["03.c"]
    assert row(found[0]) == (
        ["ann", "03", "03.a", "1", "1", 2, "0", 7, "", "ann/n_03.ipynb", "fine"]
    )


def test_a_right_loop_has_the_same_bits_beside_the_judge(monkeypatch):
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    monkeypatch.setenv("SECRET", "1")
    assert {
        "OPENBLAS_CORETYPE": "Haswell"
    }.items() <= remote._arithmetic().items() and "SECRET" not in remote._arithmetic()


def test_nbgrader_asks_for_a_grade_by_hand_where_nothing_was_judged(monkeypatch):
    """As nbgrader.utils.determine_grade has it: no score for a solution whose checksum is not that of the release."""
    pytest.importorskip("nbconvert")
    from nbformat import v4

    from nnlib.teaching.marking import nbgrader_judge

    late = Mark("n.ipynb", "03.one", False, 0, "not judged: it took long", judged=False)
    monkeypatch.setattr(nbgrader_judge, "mark", lambda *_: [late])
    cell = v4.new_code_cell(
        "", metadata={"nbgrader": {"grade_id": "03-one", "grade": True, "checksum": "1"}}
    )
    marked = (
        nbgrader_judge.NbgraderJudge().preprocess(v4.new_notebook(cells=[cell]), {})[0].cells[0]
    )
    assert marked.metadata["nbgrader"] == {"grade_id": "03-one", "grade": True, "solution": True}
    assert "not judged" in marked.outputs[0].evalue
