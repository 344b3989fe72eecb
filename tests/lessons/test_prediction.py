"""Predictions: nothing answers before a commit, and a commit stays; progress, which is kept and never fails."""

import base64
import builtins
import json
import zlib
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

from nnlib.course import prediction, solved, withheld
from nnlib.course.prediction import Prediction, Question
from nnlib.lessons import NUMBERS
from tests.jupyter import shown


@pytest.fixture
def question(monkeypatch, request):
    """A question of this test alone, so that nobody has committed to it."""
    asked = Question(
        f"00.{request.node.name}",
        "How many threads?",
        [(300, "That is n."), (384, "{blocks} blocks of 128.")],
        "threads",
    )
    monkeypatch.setattr(prediction, "questions", lambda lesson: {asked.name: asked})
    monkeypatch.setattr(prediction, "display", displayed.append)
    return asked


displayed = []


def revealed(question, answer, **numbers):
    prediction.reveal(question.name, answer, **numbers)
    return shown(displayed.pop())


def test_a_question_is_shown(question):
    prediction.predict(question.name)
    asked = displayed.pop()
    assert (
        asked.question == "How many threads?"
        and asked.chosen == -1
        and asked.choices == ["300 threads", "384 threads"]
    )


def test_before_a_commit_nothing_is_answered(question):
    said = revealed(question, 384, blocks=3)
    assert said["text/plain"] == prediction.FIRST
    assert "384" not in said["text/html"].split("<details")[0]
    assert said["text/html"] == (
        f'<div class="nn-reveal"><p class="nn-first">{prediction.FIRST}</p><details class="nn-answer"><summary>Answer</summary>'
        "<p>384 threads. 3 blocks of 128.</p><ul><li>not 300 threads: That is n.</li></ul></details></div>"
    )


def test_after_a_commit_the_prediction_stands_beside_the_answer(question):
    Prediction(question).commit(0)
    assert revealed(question, 384, blocks=3)["text/plain"] == (
        "You predicted 300 threads. That is n.\nThe answer: 384 threads. 3 blocks of 128."
    )
    assert revealed(question, 384, blocks=3)["text/html"] == (
        '<div class="nn-reveal"><p>You predicted 300 threads. That is n.</p>'
        "<p>The answer: 384 threads. 3 blocks of 128.</p></div>"
    )
    Prediction(question).commit(1)
    assert revealed(question, np.float32(380), blocks=3)["text/plain"] == (
        "You predicted it ✓: 384 threads (380 threads to be exact). 3 blocks of 128."
    )


def test_a_prediction_shown_again_keeps_its_commit(question):
    widget = Prediction(question)
    widget.chosen = 1  # what the button does
    assert Prediction(question).chosen == 1 and widget.choices == ["300 threads", "384 threads"]
    still = shown(widget)
    assert "application/vnd.jupyter.widget-view+json" in still
    assert still["text/plain"] == "Predict. How many threads? [300 threads / 384 threads]"
    assert still["text/html"] == (
        '<div class="nn-predict"><b>Predict.</b> How many threads?<ul class="nn-choices">'
        "<li>300 threads</li><li>384 threads</li></ul></div>"
    )


@pytest.mark.parametrize(
    "choices, answer, nearest",
    [
        ([16, 32], 26, 32),
        ([16, 32], 22, 16),
        ([0.1, 0.5], 0.25, 0.5),
        ([4, 1, 2], 1, 1),
        ([-2, 5], 1, -2),
        ([2, 50], 0, 2),
        ([-8, 2], -4, -8),
        ([0.25, 1e-6], 9.5e-7, 1e-6),
        ([0, 10], 4, 0),
        (["a", "b"], "B", "b"),
        ([1, 2], "2", 2),
    ],
)
def test_an_answer_stands_for_the_nearest_choice(choices, answer, nearest):
    asked = Question("00.x", "?", [(choice, "So.") for choice in choices])
    assert asked.choices[asked.right(answer)][0] == nearest


@pytest.mark.parametrize(
    "choices, answer", [(["a", "b"], "c"), (["a", "b"], 3), ([1, 2], float("nan"))]
)
def test_an_answer_that_is_no_choice_is_refused(choices, answer):
    with pytest.raises(ValueError, match="none of the choices"):
        Question("00.x", "?", [(choice, "So.") for choice in choices]).right(answer)


def test_who_gives_the_answer(question):
    with pytest.raises(TypeError, match="give the answer that the run found"):
        prediction.reveal(question.name)


def test_a_question_that_is_not_there_is_refused():
    with pytest.raises(KeyError, match="01.threads"):
        prediction.predict("01.nothing")


def test_one_is_singular():
    asked = Question("00.x", "?", [(1, "So.")], "times")
    assert [asked.words(1), asked.words(2), asked.words(60000)] == [
        "1 time",
        "2 times",
        "60,000 times",
    ]
    assert [asked.words(1.0), asked.words(0.12345678), asked.words(1234.5)] == [
        "1 time",
        "0.123457 times",
        "1,234.5 times",
    ]
    plain = Question("00.x", "?", [(1, "So.")])
    assert [plain.words(1), plain.words("no"), Question("00.x", "?", [], "%").words(1)] == [
        "1",
        "no",
        "1 %",
    ]
    units = ("launches", "branches", "bytes", "sums", "ms", "µs")
    assert [Question("00.x", "?", [], unit).words(1) for unit in units] == [
        "1 launch",
        "1 branch",
        "1 byte",
        "1 sum",
        "1 ms",
        "1 µs",
    ]


def test_questions_are_found_packed_and_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(prediction, "FOLDER", tmp_path)
    entries = {
        "05.a": {
            "question": "Why?",
            "choices": [["x", "So."], [2, "No."]],
            "unit": "times",
            "answer": 2,
        },
        "05.b": {"question": "How?", "choices": [[1, "So."]]},
    }
    wanted = {
        "05.a": Question("05.a", "Why?", [("x", "So."), (2, "No.")], "times", 2),
        "05.b": Question("05.b", "How?", [(1, "So.")]),
    }
    read = prediction.questions.__wrapped__
    assert read("05") == {}
    (tmp_path / "lesson05.json").write_text(json.dumps(entries), "utf-8")
    assert read("05") == wanted
    (tmp_path / "lesson05.txt").write_bytes(
        base64.b64encode(zlib.compress(json.dumps(entries).encode()))
    )
    (tmp_path / "lesson05.json").unlink()
    assert read("05") == wanted


def test_a_repaired_kernel_does_not_change_the_answer(question):
    Prediction(question).commit(1)
    assert (
        revealed(question, 384, blocks=3)["text/plain"]
        == "You predicted it ✓: 384 threads. 3 blocks of 128."
    )
    again = revealed(question, 300, blocks=9)["text/plain"].split("\n")
    assert again == [
        "You predicted it ✓: 384 threads. 3 blocks of 128.",
        "That was the first run. Something has changed since, and now it gives 300 threads.",
    ]
    assert (
        revealed(question, 384, blocks=3)["text/plain"]
        == "You predicted it ✓: 384 threads. 3 blocks of 128."
    )


def test_a_cell_keeps_its_outputs_back_until_somebody_has_committed(question, capsys, monkeypatch):
    # Doctests leave it, and IPython then makes none of its own
    monkeypatch.delattr(builtins, "_", raising=False)
    shell, widget = InteractiveShell(), Prediction(question)
    withheld.register(shell)
    shell.push({"reveal": prediction.reveal})
    cell = f"print(3 * 128)\nreveal({question.name!r}, 384, blocks=3)\n384"

    def run(source=cell):
        shell.run_cell(source)
        return capsys.readouterr().out

    assert "384" in run()  # nobody looks at it
    widget.shown = True
    assert "384" not in run() and "384" in run("print(384)") and shell.user_ns["_"] == 384
    assert "ZeroDivisionError" in run(cell + " / 0")
    widget.commit(1)
    assert "384" in run()


def test_what_was_committed_is_kept_as_progress(question, tmp_path, environ):
    environ(NNLIB_PROGRESS=tmp_path / "progress.json")
    kept = []
    for chosen in (None, 0, 1):
        if chosen is not None:
            Prediction(question).commit(chosen)
        revealed(question, 384, blocks=3)
        kept.append(solved.load()["predictions"].get(question.name))
    assert kept == [None, False, True]


def test_progress_is_kept(tmp_path, capsys, environ):
    file = tmp_path / "deep" / "progress.json"
    environ(NNLIB_PROGRESS=file)
    solved.save("exercises", "02.add", True)
    solved.save("exercises", "02.add", False)
    assert json.loads(file.read_text())["exercises"] == {"02.add": True}
    file.write_text("{broken")
    assert solved.load() == {"exercises": {}, "predictions": {}}
    solved.progress()
    *lines, told = capsys.readouterr().out.splitlines()
    assert len(lines) == len(NUMBERS) + 1 and str(file) in told


def test_progress_lesson_by_lesson(tmp_path, capsys, environ):
    environ(NNLIB_PROGRESS=tmp_path / "progress.json")
    for name, right in (("07.loop", True), ("07.audit", False), ("08.finish", True)):
        solved.save("exercises", name, right)
    for name, right in (("01.a", True), ("01.b", False), ("02.c", True)):
        solved.save("predictions", name, right)
    solved.save("predictions", "01.b", False)
    solved.progress()
    lines = capsys.readouterr().out.split("\n")
    assert [line[:3] for line in lines] == [*(f"{number} " for number in NUMBERS), "Pre", ""]
    assert lines[6] == "07 MNIST training     1 of 4   ✓ loop  · audit  – patience  – row_sums"
    assert (
        lines[7].startswith("08 Optimization       1 of ")
        and lines[len(NUMBERS)] == "Predictions: 3 made, 2 right"
    )


def test_where_progress_is_kept(tmp_path, environ, stand_in):
    stand_in("jupyter_core.paths")  # else files lie where Jupyter begins
    environ(HOME=tmp_path, NNLIB_PROGRESS=None, CI=None, PYTEST_VERSION=None)
    assert solved.path() == tmp_path / "nnlib-progress.json"
    for name, value, place in (
        ("CI", "1", None),
        ("PYTEST_VERSION", "9", None),
        ("NNLIB_PROGRESS", "", None),
        ("NNLIB_PROGRESS", "x.json", "x.json"),
    ):
        environ(**{name: value})
        assert str(solved.path()) == str(place)
        environ(**{name: None})


def test_notebooks_that_save_at_once_leave_a_whole_file(tmp_path, environ):
    environ(NNLIB_PROGRESS=tmp_path / "progress.json")
    with ThreadPoolExecutor(4) as notebooks:
        list(
            notebooks.map(lambda k: solved.save("exercises", f"02.{k % 9 * 'x'}", True), range(60))
        )
    assert json.loads((tmp_path / "progress.json").read_text())["exercises"]
    assert [file.name for file in tmp_path.iterdir()] == ["progress.json"]


def test_progress_never_fails(tmp_path, environ):
    (tmp_path / "file").write_text("")
    environ(NNLIB_PROGRESS=tmp_path / "file" / "progress.json")
    solved.save("exercises", "02.add", True)
    environ(NNLIB_PROGRESS=None)
    assert solved.path() is None  # tests keep no progress
