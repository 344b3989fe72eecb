"""The parts of marking, each alone: lines of plain data, marks and their table, what is printed and refused."""

import csv
import io
import json
import os
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, redirect_stdout
from pathlib import Path
from types import SimpleNamespace

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


def test_what_a_function_may_do_instead():
    source = """def f(what):
        if what == "nothing yet": raise NotImplementedError
        if what == "an object": return object()
        if what == "an error": raise KeyError('no')
        import os
        os._exit(3)"""
    with closing(RemoteFunction(source, "f", "", 600, 2048)) as f:
        for what, error, said in (
            ("nothing yet", NotImplementedError, None),
            ("an object", Exception, "something of type object"),
            ("an error", Exception, "no"),
            ("an end", StoppedError, "the function ended its whole process"),
        ):
            with pytest.raises(error, match=said):
                f(what)


def test_a_function_that_does_not_end_has_no_verdict():
    with (
        closing(RemoteFunction("def f():\n    while True: pass\n", "f", "", 1, 2048)) as f,
        pytest.raises(TookTooLong, match="it took more than 1 s on this computer"),
    ):
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
def marked(marking, monkeypatch, capsys):
    """marked(arguments) -> table and remarks of the command; its judge, `marked.judge`, calls one answer right and one
    in part."""

    def judge(path, lesson, parts):
        if path.startswith("broken"):
            raise OSError("gone \ud800")
        return [
            Mark(path, f"{lesson}.one", True, 2, "✓ right"),
            Mark(path, f"{lesson}.two", False, 0, '=no, "never"', parts),
        ]

    def mark(path, lesson, seed, limits, parts):
        marked.asked.append((path, lesson, seed, limits, parts))
        return marked.judge(path, lesson, parts)

    def marked(*words):
        marking("--trust-students", *words)
        return capsys.readouterr()

    marked.asked, marked.judge = [], judge
    monkeypatch.setattr(command, "mark", mark)
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
    columns = "notebook,lesson,of,part,seed\n"
    for text in ("student,seed\nann,1\n", columns + "a,01,1,0\n", columns + "a,99,1,0,7\n"):
        table.write_text(text, "utf-8")
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


@pytest.mark.parametrize(
    ("name", "when"),
    {
        "Ann Lee_12345_assignsubmission_file_03_matmul.ipynb": "?",
        "leeann_4711_99812_03_matmul.ipynb": "",
        "leeann_LATE_4711_99812_03_matmul.ipynb": "?",
    }.items(),
)
def test_a_download_does_not_tell_when_a_notebook_came(name, when):
    assert marks.HandedIn(name, "03", 1).when == when


def test_a_lesson_that_does_not_exist_is_refused(capsys, marking):
    with pytest.raises(SystemExit):
        marking("a_03.ipynb", "--lesson", "99")
    assert re.search("argument --lesson: invalid choice: '99' .*01.*09", capsys.readouterr().err)


def test_a_notebook_that_cannot_be_marked_costs_no_other_one_its_marks(marked, tmp_path):
    with (
        open(tmp_path / "marks.csv", "w", encoding="ascii") as file,
        redirect_stdout(file),
        pytest.raises(SystemExit) as ended,
    ):
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


def test_a_damaged_notebook_is_named_while_the_class_is_marked(tmp_path, capsys, marking):
    (tmp_path / "ann_03.ipynb").write_text('{"cells": [', "utf-8")
    marking(tmp_path / "ann_03.ipynb", "--trust-students")
    told = capsys.readouterr().err
    assert (
        "ann_03.ipynb: 0 solved: the file cannot be read as a notebook (JSONDecodeError): "
        "open it in Jupyter and save it again.\n" in told
    )


class Table(io.TextIOWrapper):
    """A standard output that tells when it has a row."""

    def __init__(self):
        super().__init__(io.BytesIO())
        self.row = threading.Event()

    def write(self, text):
        if "03.one" in text:
            self.row.set()
        return super().write(text)

    def notebooks(self):
        self.seek(0)
        return [row["notebook"] for row in csv.DictReader(self)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_rows_are_there_while_the_next_notebook_is_marked(marked, jobs):
    def judge(path, lesson, parts):
        assert path != "b_03" or table.row.wait(HANGS)
        return [Mark(path, "03.one", True, 0, "")]

    marked.judge = judge
    with redirect_stdout(Table()) as table:
        marked("a_03", "b_03", "--jobs", jobs)
    assert table.notebooks() == ["a_03", "b_03"] == [path for path, *_ in marked.asked]


def test_notebooks_are_judged_in_parallel_and_the_fast_one_is_first(marked):
    both = threading.Barrier(2, timeout=HANGS)

    def judge(path, lesson, parts):
        both.wait()
        assert path != "slow_03" or table.row.wait(HANGS)
        return [Mark(path, "03.one", True, 0, "")]

    marked.judge = judge
    with redirect_stdout(Table()) as table:
        marked("slow_03", "fast_03", "--jobs", 2)
    assert table.notebooks() == ["fast_03", "slow_03"]


def test_a_teacher_who_stops_does_not_wait_for_the_class(marked, monkeypatch):
    stopped = threading.Event()

    class Judges(ThreadPoolExecutor):
        def shutdown(self, wait=True, *, cancel_futures=False):
            super().shutdown(wait=False, cancel_futures=cancel_futures)
            stopped.set()
            super().shutdown(wait)

    def judge(path, lesson, parts):
        if path == "0":
            raise KeyboardInterrupt
        stopped.wait(HANGS)
        return []

    marked.judge = judge
    monkeypatch.setattr(command, "ThreadPoolExecutor", Judges)
    with pytest.raises(KeyboardInterrupt):
        marked(*range(500), "--lesson", "03", "--jobs", 1)
    assert marked.asked[0][0] == "0" and len(marked.asked) <= 2  # a second judge may have begun


def test_a_judge_that_says_nothing_ends_with_all_that_it_has_started(tmp_path, monkeypatch):
    judge = tmp_path / "judge"
    judge.write_text("#!/bin/sh\nsleep 1000000 &\nsleep 1000000\n")  # both hold the pipe open
    judge.chmod(0o755)
    monkeypatch.setattr(marks.sys, "executable", str(judge))
    first, second, *_ = marks.mark("n.ipynb", "03", limits=Limits(0.1))
    assert not first.judged and not first.solved and "on this computer" in first.said
    assert not second.judged and "the time of the notebook" in second.said


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["x.ipynb"], "which lesson is x.ipynb?"),
        (["a_03.ipynb", "./a_03.ipynb"], "are one file"),
        (["--again=marks.ipynb"], "which lesson is ./--again=marks.ipynb"),
        (["99.ipynb"], "which lesson is 99.ipynb?"),
        (["03_04.ipynb"], "which lesson is 03_04.ipynb?"),
        (["--again", "/no.csv"], "/no.csv"),
        (["a_03.ipynb", "--seed", "-1"], "invalid whole_number value: '-1'"),
        (["a_03.ipynb", "--points", "nan"], "invalid number value: 'nan'"),
    ],
)
def test_what_the_command_cannot_know_it_asks(given, said, capsys, marking):
    with pytest.raises(SystemExit) as ended:
        marking(*given)
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


class Judge:
    """Stands for the judge's processes: each gives its answers, or raises them, and each answer takes some seconds."""

    def __init__(self, *processes, takes=0):
        self.processes, self.takes, self.now = [iter(answers) for answers in processes], takes, 100
        self.started, self.asked, self.closed = [], [], 0

    def __call__(self, *how, leads):
        self.started.append(how)
        self.answers = self.processes.pop(0)
        assert leads
        return self

    def ask(self, line, until):
        self.asked.append((json.loads(line), until))
        self.now += self.takes
        answer = next(self.answers)
        if isinstance(answer, Exception):
            raise answer
        return json.dumps(answer)

    def close(self):
        self.closed += 1


@pytest.fixture
def judged_by(monkeypatch, tmp_path):
    """judged_by(judge, exercises, …) -> the marks that such a judge leads to."""

    def run(judge, exercises, **how):
        names = [SimpleNamespace(name=f"03.{each}") for each in exercises]
        monkeypatch.setattr(marks, "everything", lambda lesson: names)
        monkeypatch.setattr(marks, "Process", judge)
        monkeypatch.setattr(marks.time, "monotonic", lambda: judge.now)
        return marks.mark(tmp_path / "n.ipynb", "03", **how)

    return run


def test_a_judge_that_ends_is_started_again_for_the_rest(judged_by, tmp_path):
    right = {"solved": True, "said": "✗ 03.a: fine", "stars": 2, "part": False}
    wrong = {"solved": False, "said": "✗ 03.d, n = 3: wrong \ud800", "stars": 0, "part": True}
    judge = Judge([right, EOFError()], [OverflowError()], [wrong, TimeoutError()])
    found = judged_by(judge, "abcde", seed=7, limits=Limits(10, 99))
    ended = "the judge ended: by too much memory, or a defect of ours. No verdict."
    late = "not judged: it took more than 50 s on this computer"
    assert [
        (one.exercise, one.solved, one.stars, one.said.split(". This")[0], one.part, one.judged)
        for one in found
    ] == [
        ("03.a", True, 2, "fine", False, True),
        ("03.b", False, 0, ended, False, True),
        ("03.c", False, 0, ended, False, True),
        ("03.d", False, 0, r"n = 3: wrong \ud800", True, True),
        ("03.e", False, 0, late, False, False),
    ]
    row = HandedIn("ann/n_03.ipynb", "03", 7).row
    assert [row(one)[3] for one in found] == ["1", "0", "0", "0", ""]  # the last: neither
    assert row(found[0]) == (
        ["ann", "03", "03.a", "1", "1", 2, "0", 7, "", "ann/n_03.ipynb", "fine"]
    )
    path = str(tmp_path / "n.ipynb")
    asked = {"path": path, "seed": 7, "seconds": 10, "memory": 99, "parts": False}
    assert judge.asked == [(asked | {"exercise": f"03.{each}"}, 150) for each in "abcde"]
    assert judge.closed == len(judge.started) == 3
    for command_line, folder, environment in judge.started:
        assert command_line[1:] == ["-m", "nnlib.teaching.marking.judge", "99"]
        assert environment["PYTHONPATH"] == remote.ROOT and environment["NNLIB_PROGRESS"] == ""
        assert environment["CUDA_VISIBLE_DEVICES"] == ""
        assert Path(environment["NNLIB_MINE"]).parent == Path(folder)


def test_answers_that_sleep_cannot_take_more_than_the_notebook_s_time(judged_by):
    judge = Judge(*[[TimeoutError()]] * 5, takes=100)
    found = judged_by(judge, "abcde", limits=Limits(60))
    assert not any(one.judged for one in found) and len(found) == 5
    assert [until for _, until in judge.asked] == [250, 350, 400]  # at most 300 seconds in all
    assert "the time of the notebook" in found[-1].said


def test_a_right_loop_has_the_same_bits_beside_the_judge(environ):
    environ(OPENBLAS_CORETYPE="Haswell")
    environ(SECRET="1")
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
