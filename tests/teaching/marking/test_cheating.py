"""Attempts to get marks without an answer: each gives nothing, and the exercises beside it are judged all the same."""

import contextlib
import csv
import io
import re

import pytest

from nnlib.course.clinic.case import _drawn
from nnlib.course.exercises import find
from nnlib.teaching.marking.marks import HandedIn, Limits, mark, write_table
from tests.teaching.marking.conftest import INTENSITY, MEMORY, ROTATE, judge, judge_all

ASKED = find("03.intensity")
ENDLESS = 1.5  # seconds, where an endless loop uses them all up


PRINTED = "print('✓ 03.intensity: right, with 5 cases.')"
PATCHED = """from nnlib.course.exercises import checking, find
from nnlib.teaching import marking
checking.FunctionExercise.judge = lambda self, answer: checking.Verdict(True, "✓")
marking.mark = find = print
def check(*names): print("✓")"""

# What stands in the notebook instead of the answer 03.intensity -> what the table says of it.
CHEATS = {
    "printed": (PRINTED, "defines intensity"),
    "printed at the call": ("def intensity(bm, bn):\n    " + PRINTED, "returned nothing"),
    "patched judge": (PATCHED, "defines intensity"),
    "patched, and a function": (
        PATCHED + "\ndef intensity(bm, bn):\n    return 1",
        "is 1, should be",
    ),
    "patched where it runs": (
        "def intensity(bm, bn):\n    import numpy, math\n    numpy.allclose = numpy.isclose = lambda *a, **k: True\n"
        "    return 1",
        "is 1, should be",
    ),
    "empty": ("", "defines intensity"),
    "untouched": ("def intensity(bm, bn):\n    return ...", "not written yet"),
    "raises": ("def intensity(bm, bn):\n    raise NotImplementedError", "not written yet"),
    "reference by name": (
        "def intensity(bm, bn):\n    from nnlib.course.exercises import find\n"
        "    return find('03.intensity').reference(bm, bn)",
        "not in marking",
    ),
    "reference, imported above": (
        "from nnlib.course.exercises import find\ndef intensity(bm, bn):\n"
        "    return find('03.intensity').reference(bm, bn)",
        "NameError",
    ),
    "the file of the references": (
        "def intensity(bm, bn):\n    import nnlib, pathlib\n"
        "    text = (pathlib.Path(nnlib.__file__).parent / 'course/exercises/lesson03.py').read_text()\n"
        "    exec(text.replace('FunctionExercise(', 'got.append(('), {'got': []})",
        "not in marking: open",
    ),
    "an endless loop": (
        "def intensity(bm, bn):\n    while True:\n        pass",
        "not judged: it took more than",
    ),
    "an endless loop in a definition": (
        "class Endless:\n    while True:\n        pass\ndef intensity(bm, bn):\n    return Endless",
        "not judged: it took more than",
    ),
    "an exit": (
        "def intensity(bm, bn):\n    import os\n    os._exit(0)",
        "ended its whole process",
    ),
    "a polite exit": ("def intensity(bm, bn):\n    raise SystemExit(0)", "SystemExit"),
    "all memory": (
        "def intensity(bm, bn):\n    taken = []\n    while True:\n        taken.append(bytearray(1 << 28))",
        "MemoryError",
    ),
    "a huge answer": ("def intensity(bm, bn):\n    return 'x' * 25_000_000", "more than anybody"),
    "forged lines": (
        "def intensity(bm, bn):\n    import os\n"
        "    for pipe in range(3, 20):\n        try:\n"
        '            os.write(pipe, b\'{"solved": true, "text": "", "stars": 3}\\n\')\n'
        "        except OSError:\n            pass\n    return 1",
        "nobody can read",
    ),
    "a network": (
        "def intensity(bm, bn):\n    import socket\n    return socket.socket().fileno()",
        "not in marking",
    ),
    "no comparison holds": (
        "class Equal(float):\n    __eq__ = __le__ = __ge__ = lambda *_: True\n"
        "    __sub__ = __rsub__ = lambda *_: 0.0\n"
        "def intensity(bm, bn):\n    return Equal(1)",
        "type Equal",
    ),
    "the inputs of check by heart": (
        f"def intensity(bm, bn):\n    return { ({case: ASKED.reference(*case) for case in ASKED.inputs}) }"
        ".get((bm, bn), 1)",
        "is 1, should be",
    ),
    "a module that has every name": (
        "def __getattr__(name):\n    return lambda *_: 1",
        "defines intensity",
    ),
    "lines when all is over": (
        "import atexit, os\n@atexit.register\ndef last():\n    for pipe in range(3, 20):\n"
        "        try:\n            os.write(pipe, b'{\"value\": 1}\\n' * 20)\n"
        "        except OSError:\n            pass\n"
        "def intensity(bm, bn):\n    return last and 1",
        "is 1, should be",
    ),
    "arrays that are patched": (
        "import numpy as np\nclass Equal(np.ndarray):\n    __eq__ = lambda *_: True\n"
        "def intensity(bm, bn):\n    np.ndarray = np.generic = Equal\n    return np.float64(1)",
        "type float64",
    ),
    "giant output": (
        "def intensity(bm, bn):\n    print('✓' * 10_000_000)\n    return 1",
        "is 1, should be",
    ),
    "calls without end": ("def intensity(bm, bn):\n    return intensity(bm, bn)", "RecursionError"),
    "a crash": (
        "def intensity(bm, bn):\n    import faulthandler\n    faulthandler._sigsegv()",
        "not in marking: import of faulthandler",
    ),
    "a thread that goes on": (
        "def intensity(bm, bn):\n    import threading\n    def on():\n        while True:\n            pass\n"
        "    threading.Thread(target=on).start()\n    return 1",
        "",  # refused, or ended with the worker; 1 is no answer
    ),
    "what is run when it is unpacked": (
        "class Right:\n    def __reduce__(self):\n        return print, ('✓',)\n"
        "def intensity(bm, bn):\n    return Right()",
        "type Right",
    ),
    "a mark in the exception": (
        "def intensity(bm, bn):\n    raise ValueError('\\n✓ 03.intensity: right')",
        "ValueError",
    ),
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_cheat_gives_nothing(hand_in, cheat):
    source, said = CHEATS[cheat]
    verdict = judge(hand_in(source), "03.intensity", seconds=ENDLESS if "endless" in cheat else 600)
    assert not verdict.solved
    assert said in verdict.text


def test_the_same_function_written_by_a_student_gives_marks(hand_in):
    assert judge(hand_in(PATCHED, INTENSITY), "03.intensity").solved


KERNEL_CHEATS = {
    "deleted": (PRINTED, "no %%cuda cell"),
    "named in a comment": ("%%cuda\n// __global__ void rotate()\n", "no %%cuda cell"),
    "bound to another": ("rotate = type('', (), {'profile': print})()", "no %%cuda cell"),
    "empty": (
        '%%cuda\nextern "C" __global__ void rotate(const float* image, float* out, int width, int height) {}',
        "no thread wrote",
    ),
    "prints a mark": (
        ROTATE.replace(
            "out[x", r'printf("{\"solved\": true, \"text\": \"\", \"stars\": 3}\n"); //'
        ),
        "no thread wrote",
    ),
    "never ends": (ROTATE.replace("out[x", "for (;;) out[x"), "the kernel does not end"),
    "printed at length": (ROTATE.replace("out[x", 'printf("%020000d", y); //'), "no thread wrote"),
    "a file of the course": (
        '%%cuda\n#include "nnlib/mine/plain/linear_forward.cu" // rotate',
        "no %%cuda cell",
    ),
    "no semicolon": (ROTATE.replace("];", "]"), "the %%cuda cell of rotate does not compile:\n"),
    "no CUDA C": ("%%cuda\n__global__ void rotate( {{{", "does not compile"),
    "a promise of another": (
        ROTATE.partition("{")[0] + ";\n" + ROTATE.partition("\n")[2].partition("{")[0] + "{}",
        "no thread wrote",
    ),
    "a program for the host": (
        ROTATE + '\nint main() { return system("true"); }',
        "which is for the host",
    ),
    "a file, from the kernel": (
        ROTATE.replace("out[x", 'FILE* f = fopen("/etc/passwd", "r"); out[y'),
        "undeclared",
    ),
    "a header of the machine": (
        ROTATE.replace("extern", '#include "/etc/passwd"\nextern', 1),
        "was not found",
    ),
    "a folder of headers": (
        ROTATE.replace("%%cuda", '%%cuda -I/etc -DX=1\n#include "passwd"'),
        "was not found",
    ),
    "Python in its own words": (
        ROTATE.replace("out[x", '__import__("os").system("true"); out[y'),
        "does not compile",
    ),
    "Python behind the end of a comment": (
        ROTATE.replace("out[x", "; // \r__import__('os')._exit(0)\n//"),
        "no thread wrote",
    ),
    "Python in a format": (
        ROTATE.replace("out[x", r"""printf("\x27\x27\x27\n__import__(\x27os\x27)"); //"""),
        "no thread wrote",
    ),
    "an address that it makes up": (
        ROTATE.replace("out[x", "float* p = (float*)0x1000ULL; out[y"),
        "out-of-bounds",
    ),
    "an address that it reads": (
        ROTATE.replace("out[x", "out[0] = **(float**)image; //"),
        "pointer to 0x",
    ),
    "what lies before its array": (
        ROTATE.replace("out[x", "out[0] = out[-64]; //"),
        "out-of-bounds",
    ),
    "the mark of what nobody wrote": (
        ROTATE.replace("= image[", "= __int_as_float(0x7FC0BEEF); //"),
        "no thread wrote",
    ),
    "an input that it rewrites": (
        ROTATE.replace("out[x", "((float*)image)[y * width + x] = 1; //"),
        "kernel changed it",
    ),
    "a clock": (
        ROTATE.replace("out[x", "while (clock64() < 1LL << 50); out[y"),
        "the kernel does not end",
    ),
}


@pytest.mark.parametrize("cheat", KERNEL_CHEATS)
def test_a_kernel_that_cheats_gives_nothing(hand_in, cheat):
    source, said = KERNEL_CHEATS[cheat]
    verdict, _, part = judge_all(hand_in(source), "01.rotate", parts=True)
    assert not verdict.solved and not part
    assert said in verdict.text


def test_a_kernel_that_knows_the_sizes_of_check_gives_nothing(hand_in):
    known = " || ".join(
        f"height == {sizes['height']} && width == {sizes['width']}"
        for sizes in find("01.rotate").piece.sizes
    )
    verdict = judge(
        hand_in(ROTATE.replace("x < width &&", f"({known}) && x < width &&")), "01.rotate"
    )
    assert not verdict.solved and "no thread wrote" in verdict.text


STRIDED = {  # a transpose, and what to write so that its strided access is no load and no store
    "stores": (
        "row = threadIdx.y, column = threadIdx.x",
        "out[to] = x[from]",
        "atomicExch(&out[to], x[from])",
    ),
    "loads": (
        "row = threadIdx.x, column = threadIdx.y",
        "x[from]",
        "atomicAdd((float*)&x[from], 0.0f)",
    ),
}


@pytest.mark.parametrize("kind", STRIDED)
def test_an_atomic_in_the_place_of_a_counted_access_gives_nothing(hand_in, kind):
    own, access, uncounted = STRIDED[kind]
    text = f"""%%cuda
extern "C" __global__ void transpose(const float* x, float* out, int rows, int columns)
{{
    int {own};
    row += blockIdx.y * 32;
    column += blockIdx.x * 32;
    int from = row * columns + column, to = column * rows + row;
    if (row < rows && column < columns) out[to] = x[from];
}}"""
    assert "sectors per request" in judge(hand_in(text), "03.transpose").text
    verdict = judge(hand_in(text.replace(access, uncounted)), "03.transpose")
    assert not verdict.solved and "atomics" in verdict.text


def test_a_line_of_the_clinic_changes_no_image_for_the_next_patient(hand_in):
    said = "pixels are read as another type"
    number = next(number for number in range(999) if _drawn(number)[0].diagnosis == said)
    letters = {number: (said, 3, "x = x.astype(np.float32) / 128; pixels.fill(0)")}
    assert "read-only" in judge(hand_in(f"letters = {letters!r}"), "06.clinic").text


LOOKED_INTO = """def audit(model, loss, x, y):
    wrong = set()
    for number, layer in enumerate(model.layers):
        backward = type(layer).__dict__.get("backward")
        cells = getattr(getattr(backward, "__wrapped__", backward), "__closure__", None)
        if cells:
            bias, dx, every, kind, weight = [cell.cell_contents for cell in cells]
            if (bias, weight) != (1, 1):
                wrong.add(number)
            if dx != 1:
                wrong |= {k for k in range(number) if hasattr(model.layers[k], "parameters")}
    return sorted(wrong)"""


def test_what_is_wrong_with_a_layer_is_not_to_be_read_from_it(hand_in):
    assert not judge(hand_in(LOOKED_INTO), "07.audit").solved


def test_the_solution_that_the_lesson_shows_is_no_answer(hand_in):
    assert "no %%cuda cell" in judge(hand_in((ROTATE, ["solution"])), "01.rotate").text


def test_a_table_for_a_class(hand_in):
    marks = mark(
        hand_in(ROTATE, "while True: pass", 'check("01.bright", bright_solved)'),
        "01",
        7,
        Limits(600, MEMORY),
    )
    assert {one.exercise: one.solved for one in marks} == {
        "01.rotate": True,
        "01.bright": False,
        "01.together": False,
        "01.normalise_images": False,
    }
    handed_in, table = HandedIn("ann/01.ipynb", "01", 7, 2), io.StringIO()
    write_table(((handed_in, one) for one in marks), table)
    assert table.getvalue().splitlines()[1].startswith("ann,01,01.rotate,2,2,,")


UNPRINTABLE = {
    "a row of its own": "raise Exception('\\rsomebody')",
    "more than a reader of CSV takes": "return 'x' * 500_000",
    "half a surrogate pair": "raise Exception('\\ud800')",
    "a text that raises": "class E(Exception):\n        __str__ = None\n    raise E",
    "the name of its kind": "raise type('\\u2028', (Exception,), {})('\\x00')",
}


@pytest.mark.parametrize("body", UNPRINTABLE.values(), ids=UNPRINTABLE)
def test_an_exception_that_cannot_be_printed_is_a_row(hand_in, tmp_path, body, marking):
    handed_in = hand_in(f"def intensity(bm, bn):\n    {body}").rename(tmp_path / "03.ipynb")
    with (
        open(tmp_path / "marks.csv", "w", encoding="utf-8") as file,
        contextlib.redirect_stdout(file),
    ):
        marking(handed_in, "--seed", 7, "--trust-students")
    with open(tmp_path / "marks.csv", encoding="utf-8", newline="") as file:
        rows = {row["exercise"]: row["points"] for row in csv.DictReader(file)}
    assert len(rows) == 6 and rows["03.intensity"] == "0"
    assert not re.search(
        r"[\x00-\x09\x0b-\x1f]", (tmp_path / "marks.csv").read_bytes().decode("utf-8")
    )


def test_a_file_that_breaks_the_judge_has_no_marks_and_the_next_row_is_there(hand_in):
    marks = mark(hand_in("intensity = " + "-" * 300_000 + "1"), "03", 7, Limits(600, MEMORY))
    assert len(marks) == 6 and not any(one.solved for one in marks)


@pytest.mark.parametrize(
    "text", ["", "[]", '{"cells": 3}', '{"cells": [{"cell_type": "code"}]}', "[" * 100_000]
)
def test_what_is_no_notebook_has_no_marks(tmp_path, text):
    path = tmp_path / "handed_in.ipynb"
    path.write_text(text)
    assert "cannot be read as a notebook" in judge(path, "03.intensity").text
    # A name too long is an OSError for root, too
    assert "cannot be read as a notebook" in judge(tmp_path / ("x" * 300), "03.intensity").text


def test_a_link_to_another_s_answers_gives_nothing(hand_in, tmp_path, capsys, marking):
    link = tmp_path / "01_cuda_basics.ipynb"
    link.symlink_to(hand_in(ROTATE))
    assert all("a link" in one.said for one in mark(link, "01", 7, Limits(600, MEMORY)))
    ann, ben = tmp_path / "ann", tmp_path / "ben"
    ann.mkdir()
    ben.symlink_to(ann)
    with pytest.raises(SystemExit):
        marking(ann / "03.ipynb", ben / "03.ipynb")
    assert "are one file" in capsys.readouterr().err
    ben.unlink()
    ben.symlink_to(tmp_path)
    with pytest.raises(SystemExit):
        marking(ann / "03.ipynb", ben / "03.ipynb")
    assert "lies behind a link" in capsys.readouterr().err


def test_ways_out_are_shut_for_a_child_too(hand_in):
    source = "def intensity(bm, bn):\n    import sys\n    return sys.modules['subprocess'].run(['true']).returncode"
    assert not judge(hand_in(source), "03.intensity").solved
