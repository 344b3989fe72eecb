"""The lesson kit: feedback names the mistake, predictions pass through, progress never fails."""

import base64
import json
import zlib
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

from nnlib.course import prediction, solved, withheld
from nnlib.course.exercises import checking
from nnlib.course.exercises.checking import FunctionExercise, KernelExercise, Limit, Out, Sample
from nnlib.course.exercises.comparing import compare
from nnlib.course.pictures.style import Picture, figure
from nnlib.course.pictures.widgets import Explorer, Stepper
from nnlib.course.prediction import Prediction, Question
from nnlib.course.prediction import _find as find_question
from nnlib.course.timing import Timing, limits, measure
from nnlib.cuda import RawKernel
from nnlib.cuda.errors import ArgumentError, OutOfBoundsError, RaceError

SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>'


class Fake:
    """Stands for a kernel: what it does to its arguments, and what a profile of it says."""

    def __init__(self, act, profile=None):
        self.act, self.result = act, profile

    def profile(self, grid, block, args, **options):
        self.act(*args)
        return self.result


class Counters:
    class global_load:  # noqa: N801  (named as in a Profile)
        sectors = 40


def difference(rng, n):
    a, b = rng.standard_normal((2, n), dtype=np.float32)
    return Sample((1,), (32,), (a, b, Out(n), n), a - b, {"you add instead": a + b},
                  limits=[Limit("global_load.sectors", most=10, hint="read neighbours")])


@pytest.fixture
def exercise():
    yield KernelExercise("00.difference", difference, (33, 1, 31, 32, 100, 257), hints={OutOfBoundsError: "guard with i < n"})
    del checking._REGISTRY["00.difference"]


def raising(error):
    def act(*args):
        raise error
    return act


def writes(expression, part=slice(None)):
    def act(a, b, c, n):
        c[part] = expression(a, b)[part]
    return act


def shifted(a, b, c, n):
    c[1:] = (a - b)[:-1]


def spoils_input(a, b, c, n):
    c[:] = a - b
    a[:] = 0


@pytest.mark.parametrize("act, expected", [
    (writes(lambda a, b: a + b), "you add instead"),
    (writes(lambda a, b: 2 * (a - b)), "every element is 2 times"),
    (writes(lambda a, b: (a - b)[::-1]), "order is reversed"),
    (writes(lambda a, b: a - b, slice(32)), "no thread wrote [32]"),
    (lambda *args: None, "does any thread store"),
    (spoils_input, "argument 1 is an input"),
    (raising(OutOfBoundsError("thread 33 reads a[33]")), "guard with i < n"),
    (raising(RaceError("two threads write s[3]")), "a race"),
    (raising(ArgumentError("n is missing")), "signature"),
    (writes(lambda a, b: (a - b) / 0), "NaN or infinity"),
    (writes(lambda a, b: (a - b) * np.float32(np.nan)), "the result at [0] is nan"),
    (writes(lambda a, b: (a - b) * np.float32(0.9999)), "every element is 0.9999 times"),
    (writes(lambda a, b: a - b), "4.0 times as many"),
])
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_kernel_mistakes_are_named(exercise, act, expected):
    verdict = exercise.judge(Fake(act, Counters))
    assert not verdict.solved
    assert expected in verdict.text
    assert verdict.text.startswith("✗ 00.difference")


def test_right_kernel_is_accepted(exercise):
    few = type("Few", (), {"global_load": type("Load", (), {"sectors": 10})})
    assert exercise.judge(Fake(writes(lambda a, b: a - b), few)).solved


@pytest.mark.parametrize("answer", [(), (...,), (3,), (None,)])
def test_no_kernel_is_no_crash(exercise, answer):
    assert "needs a kernel" in exercise.judge(*answer).text


def test_transposed_and_shifted_are_recognised():
    want = np.arange(12.0).reshape(3, 4)
    assert "transposed" in checking.compare(want.T.reshape(3, 4), want)[1]
    wanted = np.array([3.0, 1, 4, 1, 5])
    assert "shifted" in checking.compare(np.array([0.0, 3, 1, 4, 1]), wanted)[1]
    assert checking.compare(np.roll(want, 1), want)[1] == "everything is shifted by one column"
    assert "shape (2,), should be (3,)" in checking.compare(np.ones(2), np.ones(3))[0]
    assert checking.compare((np.ones(2), np.zeros(1)), (np.ones(2), np.zeros(1))) is None


@pytest.mark.parametrize("answer, expected", [
    (lambda n: -(-n // 128), "✓"), (lambda n: (n + 127) // 128, "✓"),
    (lambda n: n // 128, "rounds down"), (lambda n: n // 0, "ZeroDivisionError"), (lambda n: None, "returned nothing"),
    (lambda n: ..., "not written yet"), (lambda: 1, "TypeError"), (..., "nothing yet"), (raising(NotImplementedError()), "not written yet"),
])
def test_function_exercise(answer, expected):
    exercise = FunctionExercise("00.grid", lambda n: -(-n // 128), [1, 127, 128, 129],
                                {"this rounds down": lambda n: n // 128})
    assert expected in exercise.judge(answer).text
    del checking._REGISTRY["00.grid"]


@pytest.fixture
def question(monkeypatch):
    asked = Question("00.threads", "How many threads?", [(300, "That is n."), (384, "{blocks} blocks of 128.")], "threads")
    monkeypatch.setattr(prediction, "_find", lambda name: asked)
    for kept in (prediction._committed, prediction._answered, prediction._on_pages):
        kept.clear()
    monkeypatch.setattr(prediction, "display", shown.append)
    return asked


shown = []


def revealed(answer, **numbers):
    prediction.reveal("00.threads", answer, **numbers)
    return shown.pop()._repr_mimebundle_()


def test_a_question_is_shown(question):
    prediction.predict("00.threads")
    asked = shown.pop()
    assert asked.question == "How many threads?" and asked.chosen == -1 and asked.choices == ["300 threads", "384 threads"]


def test_before_a_commit_nothing_is_answered(question):
    said = revealed(384, blocks=3)
    assert said["text/plain"] == prediction.FIRST
    assert "384" not in said["text/html"].split("<details")[0]
    assert said["text/html"] == (
        f'<div class="nn-reveal"><p class="nn-first">{prediction.FIRST}</p><details class="nn-answer"><summary>Answer</summary>'
        "<p>384 threads. 3 blocks of 128.</p><ul><li>not 300 threads: That is n.</li></ul></details></div>")


def test_after_a_commit_the_prediction_stands_beside_the_answer(question):
    Prediction(question).commit(0)
    assert revealed(384, blocks=3)["text/plain"] == (
        "You predicted 300 threads. That is n.\nThe answer: 384 threads. 3 blocks of 128.")
    assert revealed(384, blocks=3)["text/html"] == ('<div class="nn-reveal"><p>You predicted 300 threads. That is n.</p>'
                                                    "<p>The answer: 384 threads. 3 blocks of 128.</p></div>")
    Prediction(question).commit(1)
    assert revealed(np.float32(380), blocks=3)["text/plain"] == (
        "You predicted it ✓: 384 threads (380 threads to be exact). 3 blocks of 128.")


def test_a_prediction_shown_again_keeps_its_commit(question):
    widget = Prediction(question)
    widget.chosen = 1  # what the button does
    assert Prediction(question).chosen == 1 and widget.choices == ["300 threads", "384 threads"]
    still = widget._repr_mimebundle_()[0]
    assert "application/vnd.jupyter.widget-view+json" in still
    assert still["text/plain"] == "Predict. How many threads? [300 threads / 384 threads]"
    assert still["text/html"] == ('<div class="nn-predict"><b>Predict.</b> How many threads?<ul class="nn-choices">'
                                  "<li>300 threads</li><li>384 threads</li></ul></div>")


@pytest.mark.parametrize("choices, answer, nearest", [
    ([16, 32], 26, 32), ([16, 32], 22, 16), ([0.1, 0.5], 0.25, 0.5), ([4, 1, 2], 1, 1), ([-2, 5], 1, -2), ([2, 50], 0, 2), ([-8, 2], -4, -8), ([0.25, 1e-6], 9.5e-7, 1e-6), ([0, 10], 4, 0), (["a", "b"], "B", "b"), ([1, 2], "2", 2)])
def test_an_answer_stands_for_the_nearest_choice(choices, answer, nearest):
    asked = Question("00.x", "?", [(choice, "So.") for choice in choices])
    assert asked.choices[asked.right(answer)][0] == nearest


@pytest.mark.parametrize("choices, answer", [(["a", "b"], "c"), (["a", "b"], 3), ([1, 2], float("nan"))])
def test_an_answer_that_is_no_choice_is_refused(choices, answer):
    with pytest.raises(ValueError, match="none of the choices"):
        Question("00.x", "?", [(choice, "So.") for choice in choices]).right(answer)


def test_who_gives_the_answer(question):
    with pytest.raises(TypeError, match="give the answer that the run found"):
        prediction.reveal("00.threads")
    with pytest.raises(KeyError, match="01.threads"):
        find_question("01.nothing")


def test_one_is_singular():
    asked = Question("00.x", "?", [(1, "So.")], "times")
    assert [asked.words(1), asked.words(2), asked.words(60000)] == ["1 time", "2 times", "60,000 times"]
    assert [asked.words(1.0), asked.words(0.12345678), asked.words(1234.5)] == ["1 time", "0.123457 times", "1,234.5 times"]
    plain = Question("00.x", "?", [(1, "So.")])
    assert [plain.words(1), plain.words("no"), Question("00.x", "?", [], "%").words(1)] == ["1", "no", "1 %"]
    units = ("launches", "branches", "bytes", "sums", "ms", "µs")
    assert [Question("00.x", "?", [], unit).words(1) for unit in units] == [
        "1 launch", "1 branch", "1 byte", "1 sum", "1 ms", "1 µs"]


def test_questions_are_found_packed_and_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(prediction, "FOLDER", tmp_path)
    entries = {"05.a": {"question": "Why?", "choices": [["x", "So."], [2, "No."]], "unit": "times", "answer": 2},
               "05.b": {"question": "How?", "choices": [[1, "So."]]}}
    wanted = {"05.a": Question("05.a", "Why?", [("x", "So."), (2, "No.")], "times", 2), "05.b": Question("05.b", "How?", [
        (1, "So.")])}
    read = prediction.questions.__wrapped__
    assert read("05") == {}
    (tmp_path / "lesson05.json").write_text(json.dumps(entries), "utf-8")
    assert read("05") == wanted
    (tmp_path / "lesson05.txt").write_bytes(base64.b64encode(zlib.compress(json.dumps(entries).encode())))
    (tmp_path / "lesson05.json").unlink()
    assert read("05") == wanted


def test_a_repaired_kernel_does_not_change_the_answer(question):
    Prediction(question).commit(1)
    assert revealed(384, blocks=3)["text/plain"] == "You predicted it ✓: 384 threads. 3 blocks of 128."
    again = revealed(300, blocks=9)["text/plain"].split("\n")
    assert again == ["You predicted it ✓: 384 threads. 3 blocks of 128.",
                     "That was the first run. Something has changed since, and now it gives 300 threads."]
    assert revealed(384, blocks=3)["text/plain"] == "You predicted it ✓: 384 threads. 3 blocks of 128."


def test_a_cell_keeps_its_outputs_back_until_somebody_has_committed(question, capsys):
    shell, widget = InteractiveShell(), Prediction(question)
    withheld.register(shell)
    shell.push({"reveal": prediction.reveal})
    cell = "print(3 * 128)\nreveal('00.threads', 384, blocks=3)\n384"

    def run(source=cell):
        shell.run_cell(source)
        return capsys.readouterr().out

    assert "384" in run()  # nobody looks at it
    widget.shown = True
    assert "384" not in run() and "384" in run("print(384)") and shell.user_ns["_"] == 384
    assert "ZeroDivisionError" in run(cell + " / 0")
    widget.commit(1)
    assert "384" in run()


def test_what_was_committed_is_kept_as_progress(question, monkeypatch):
    kept = []
    monkeypatch.setattr(solved, "save", lambda *result: kept.append(result))
    revealed(384, blocks=3)
    Prediction(question).commit(0)
    revealed(384, blocks=3)
    Prediction(question).commit(1)
    revealed(384, blocks=3)
    assert kept == [("predictions", "00.threads", False), ("predictions", "00.threads", True)]


def test_progress_is_kept(tmp_path, monkeypatch, capsys):
    file = tmp_path / "deep" / "progress.json"
    monkeypatch.setenv("NNLIB_PROGRESS", str(file))
    solved.save("exercises", "02.add", True)
    solved.save("exercises", "02.add", False)
    assert json.loads(file.read_text())["exercises"] == {"02.add": True}
    file.write_text("{broken")
    assert solved.load() == {"exercises": {}, "predictions": {}}
    solved.progress()
    assert capsys.readouterr().out.count("\n") == 9


def test_progress_lesson_by_lesson(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("NNLIB_PROGRESS", str(tmp_path / "progress.json"))
    for name, right in (("07.loop", True), ("07.audit", False), ("08.finish", True)):
        solved.save("exercises", name, right)
    for name, right in (("01.a", True), ("01.b", False), ("02.c", True)):
        solved.save("predictions", name, right)
    solved.save("predictions", "01.b", False)
    solved.progress()
    lines = capsys.readouterr().out.split("\n")
    assert [line[:3] for line in lines] == [*(f"0{number} " for number in range(1, 9)), "Pre", ""]
    assert lines[6] == "07 MNIST training     1 of 4   ✓ loop  · audit  – patience  – row_sums"
    assert lines[7].startswith("08 Optimization       1 of ") and lines[8] == "Predictions: 3 made, 2 right"


def test_where_progress_is_kept(monkeypatch, tmp_path):
    monkeypatch.setattr(solved.files, "home", lambda: tmp_path)
    for name in ("NNLIB_PROGRESS", "CI", "PYTEST_VERSION"):
        monkeypatch.delenv(name, raising=False)
    assert solved.path() == tmp_path / "nnlib-progress.json"
    for name, value, place in (("CI", "1", None), ("PYTEST_VERSION", "9", None), ("NNLIB_PROGRESS", "", None),
                               ("NNLIB_PROGRESS", "x.json", "x.json")):
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            assert str(solved.path()) == str(place)


def test_notebooks_that_save_at_once_leave_a_whole_file(tmp_path, monkeypatch):
    monkeypatch.setenv("NNLIB_PROGRESS", str(tmp_path / "progress.json"))
    with ThreadPoolExecutor(4) as notebooks:
        list(notebooks.map(lambda k: solved.save("exercises", f"02.{k % 9 * 'x'}", True), range(60)))
    assert json.loads((tmp_path / "progress.json").read_text())["exercises"]
    assert [file.name for file in tmp_path.iterdir()] == ["progress.json"]


def test_progress_never_fails(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NNLIB_PROGRESS", str(tmp_path / "file" / "progress.json"))
    solved.save("exercises", "02.add", True)
    monkeypatch.delenv("NNLIB_PROGRESS")
    assert solved.path() is None  # tests keep no progress


def test_figures_carry_alt_text():
    import matplotlib.pyplot as plt

    fig, _ = plt.subplots()
    bundle = figure(fig, alt='Bandwidth "rises" to 4')._repr_mimebundle_()
    assert bundle["text/plain"] == 'Figure: Bandwidth "rises" to 4'
    assert 'alt="Bandwidth &quot;rises&quot; to 4"' in bundle["text/html"]
    assert not plt.fignum_exists(fig.number)
    with pytest.raises(ValueError, match="alt text"):
        Picture(SVG, " ")


def test_stepper_leaves_a_picture(monkeypatch):
    stepper = Stepper([(SVG, f"Step {i} of the sum") for i in range(3)], still=1)
    bundle = stepper._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/html"].count("<img") == 1 and "Step 1" in bundle["text/html"]
    monkeypatch.setenv("NNLIB_DECK", "1")
    assert stepper._repr_mimebundle_()["text/html"].count("<img") == 3


def test_explorer_has_every_combination():
    axes = {"block": [32, 64], "grid": [1, 2, 3]}
    explorer = Explorer(axes, lambda b, g: SVG, lambda b, g: f"{b * g} threads in all")
    assert len(explorer.pictures) == 6
    outer = explorer._widget().children[-1]
    assert [len(inner.children) for inner in outer.children] == [3, 3]


def test_timing_reads_well():
    assert str(Timing(1.234e-5, 1e-7, 15)) == "12.3 µs ± 1 %"
    assert measure(lambda: sum(range(100)), repeats=3).median > 0


def test_limits_of_this_machine_are_plausible():
    found = limits()
    assert 1e8 < found.bandwidth < 1e14 and 1e8 < found.flops < 1e16
    assert limits() is found


def test_a_matrix_may_be_a_list_of_lists():
    matrix = np.array([[1, 2], [3, 4], [5, 6]])
    assert compare([[1, 2], [3, 4], [5, 6]], matrix) is None
    assert compare([[1, 2], [3, 4], [5, 7]], matrix)[0] == "the result at [2, 1] is 7, should be 6."
    assert "differ in length" in compare([[1, 2], [3]], matrix)[0]
    assert compare([matrix, 7], (matrix, 7)) is None  # several results as a list


@pytest.mark.parametrize("got, expect, said", [
    (np.array([3, 4]), (3, 4), None),
    (((1, 2), (3, 4)), np.array([[1, 2], [3, 4]]), None),
    ((3,), 3, "the result is a tuple with one number."),
    ((3, 4), 3, "2 results where 1 is expected."),
    ("3", 3, "the result is '3', should be 3."),
])
def test_results_in_other_forms(got, expect, said):
    problem = compare(got, expect)
    assert (problem and problem[0]) == said


@pytest.mark.parametrize("answer, said, hint", [
    (lambda n: n // 8, "called with (20): the result is 2, should be 3.", "this rounds down"),
    (lambda n: n // 8 or 1, "(20): the result is 2", "this rounds down"),  # not at 3, yet at most
    (lambda n: 2, "(20): the result is 2", "it is the same in every case"),  # agrees by chance, once
    (lambda n: n // (n - 3) + 1, "(20): the result is 2", None),  # stops with an error later
    (lambda n: 3 if n == 20 else 1 // 0, "called with (33): ZeroDivisionError", "you divide by 0"),
])
def test_a_mistake_explains_most_of_the_wrong_results(answer, said, hint):
    exercise = FunctionExercise("00.blocks", lambda n: -(-n // 8), [20, 33, 17, 8, 3], {"this rounds down": lambda n: n // 8})
    del checking._REGISTRY["00.blocks"]
    text = exercise.judge(answer).text
    assert said in text and ("Hint" in text) == (hint is not None) and (hint or "") in text


def test_not_a_number_is_right_only_where_it_is_expected():
    wanted = np.array([np.nan, 1.0])
    assert compare(wanted.copy(), wanted) is None
    assert compare(np.array([0.0, 1.0]), wanted) and compare(wanted, np.array([0.0, 1.0]))


def test_a_function_that_changes_its_list_is_judged_by_what_it_returns():
    exercise = FunctionExercise("00.largest", reference=max, inputs=[([3, 1, 2],)])
    del checking._REGISTRY["00.largest"]

    def drops_what_it_saw(values):
        largest = max(values)
        values.clear()
        return largest

    assert exercise.judge(drops_what_it_saw).solved
    assert exercise.judge(drops_what_it_saw).solved


KERNEL = 'extern "C" __global__ void difference(const float* a, const float* b, float* c, int n) {\n%s\n}'


@pytest.mark.parametrize("body, said, unsaid", [
    ("", "is the body of the kernel written?", "+="),
    ("int i = threadIdx.x; if (i < n) c[i] += a[i] - b[i];", "that is garbage", "no thread stores"),
    ("int i = threadIdx.x; if (i == 0) c[i] = a[i] - b[i];", "an index without", "garbage"),
    ("int i = threadIdx.x; c[i] = a[i] - b[i];", "Hint: guard with i < n", "hint:"),
    ("int i = threadIdx.x; if (i < n) c[i] = a[n - i] - b[i];", "there is a guard", "guard it with"),
    ("int i = threadIdx.x; if (i <= n) c[i] = a[i] - b[i];", "work out the index by hand", "hint:"),
])
def test_hints_fit_the_kernel(exercise, body, said, unsaid):
    exercise.case = _unlimited
    if "if (" in body:
        exercise.hints = {}
    text = exercise.judge(RawKernel(KERNEL % body, "difference")).text
    assert said in text and unsaid not in text and text.count("int:") <= 1
    assert text.startswith("✗ 00.difference, n = 33: ") and (
        "elements are missing).\n" in text or "OutOfBoundsError" in text)


def _unlimited(rng, n):
    launch = difference(rng, n)
    return Sample((1,), (512,), launch.args, launch.expect)


@pytest.mark.parametrize("answer, said", [
    (lambda p: (p + 1).astype(np.float16), "keeps three digits"),
    (lambda p: p + 1, "right"),
])
def test_half_precision_is_named(answer, said):
    exercise = FunctionExercise("00.up", lambda p: p + 1, inputs=[np.linspace(0, 1, 99, dtype=np.float32).reshape(1, 99)])
    del checking._REGISTRY["00.up"]
    assert said in exercise.judge(answer).text


def test_counts_that_overflow_later_are_refused():
    exercise = FunctionExercise("00.count", lambda x: np.bincount(x), [(np.array([0, 1, 1]),)], whole=True)
    del checking._REGISTRY["00.count"]
    assert exercise.judge(np.bincount).solved
    assert "ends at 255" in exercise.judge(lambda x: np.bincount(x).astype(np.uint8)).text
    assert "ends at 32,767" in exercise.judge(lambda x: np.bincount(x).astype(np.int16)).text
    assert exercise.judge(lambda x: np.bincount(x).astype(np.int32)).solved
    assert "must be an integer.\n  Hint: // instead of /" in exercise.judge(lambda x: np.bincount(x) / 1).text


def test_a_limit_says_what_passes():
    profile = type("P", (), {"x": 13})
    assert Limit("x", 12, "").complaint(profile) == "x: 13, 1.1 times as many; at most 12 pass, and fewer are better."
    assert Limit("x", 12.9, "").complaint(profile) == "x: 13; at most 12.9 pass, and fewer are better."
