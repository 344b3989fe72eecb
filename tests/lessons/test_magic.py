"""%%cuda: kernels appear by name, errors point into the cell, nothing of ours is in the way."""

import linecache
import re
import subprocess
import sys
import traceback
from pathlib import Path

import numpy as np
import pytest

from nnlib import gradcheck, ops
from nnlib.course import notebook
from nnlib.course.notebook import check, cuda_cell, expect_error
from nnlib.cuda import KernelError, KernelSyntaxError, RaceError

FILL = 'extern "C" __global__ void fill(int* x)\n{\n    x[threadIdx.x] = VALUE;\n}\n'


def test_kernels_appear_under_their_names():
    space = {}
    cuda_cell("-DVALUE=7 --promoted vector.cu", FILL + FILL.replace("fill", "fill_again"), space)
    assert set(space) == {"fill", "fill_again"}
    x = np.zeros(3, np.int32)
    space["fill_again"]((1,), (3,), (x,))
    assert x.tolist() == [7, 7, 7]


def test_a_cell_that_does_not_compile_takes_its_old_kernel_along():
    space = {"fill": "yesterday's kernel", "other": 1}
    with pytest.raises(KernelSyntaxError, match=":4:"):  # counted as in the cell: %%cuda is line 1
        cuda_cell("", FILL, space)
    assert space == {"other": 1}


@pytest.mark.parametrize(
    "wrong",
    [
        'extern "C" __global__ void __launch_bounds__(256) fill(int* x) { x[0] = 1 }',
        'extern "C" __launch_bounds__(256, 2) __global__ void fill(int* x) { x[0] = 1 }',
        '#define KERNEL extern "C" __global__ void\nKERNEL fill(int* x) { x[0] = 1 }',
        "__global__ void fill(int* x) { x[0] = 1; } /* never closed",
        "__global__ void fill(int* x) { x[0] = 1; } “",
        "__global__ void fill(int* x)",
        "__global__ void fill(int* x, int n) { memcpy(x, x + n, n); }",  # what only the simulator does not know
    ],
)
def test_whatever_is_wrong_the_old_kernel_goes(wrong):
    space = {"fill": "yesterday's kernel", "x": "mine"}
    with pytest.raises(KernelSyntaxError):
        cuda_cell("", wrong, space)
    assert space == {"x": "mine"}


@pytest.mark.parametrize(
    "harmless",
    [
        "// a __global__ function has no answer (\n",
        "/* __global__ void answer(int) */\n",
        'const char* said = "__global__ void answer(";\n',
        "__global__ void other(int* answer);\n",
    ],
)
def test_a_variable_of_the_user_stays(harmless):
    space = {"answer": 42}
    with pytest.raises(KernelSyntaxError):
        cuda_cell("", harmless + FILL, space)
    assert space == {"answer": 42}


@pytest.mark.parametrize("unmarked", ["", "__device__ "])
def test_without_global_the_old_kernel_goes(unmarked, capsys):
    space, relu = {"x": 1}, FILL.replace("fill", "relu")
    cuda_cell("-DVALUE=7", relu, space)
    cuda_cell("-DVALUE=7", relu.replace("__global__ ", unmarked), space)
    assert space == {"x": 1}
    check("04.relu")
    assert "write __global__ before void\n" in capsys.readouterr().out
    cuda_cell("-DVALUE=7", relu, space)
    assert set(space) == {"x", "relu"}
    check("04.relu")
    assert "__global__" not in capsys.readouterr().out


@pytest.mark.parametrize("name, said", [("rotate2", True), ("rotaet", True), ("bright", False)])
def test_a_kernel_of_another_name_is_noted(name, said, capsys):
    space = {}
    source = 'extern "C" __global__ void rotate(const float* image, float* out, int width, int height) { }'
    cuda_cell("", source, space)
    check("01.rotate", space["rotate"])
    cuda_cell("", source.replace("rotate", name), space)
    capsys.readouterr()
    check("01.rotate", space["rotate"])
    assert ("so the one from before is judged again" in capsys.readouterr().out) == said


def test_a_warning_is_printed(capsys):
    cuda_cell("", 'extern "C" __global__ void half_of(float* x) { x[0] = 0.5 * x[0]; }', {})
    assert "0.5f" in capsys.readouterr().out


def test_expect_error(capsys):
    with expect_error():
        raise RaceError("two threads")
    with expect_error():
        pass
    assert capsys.readouterr().out == "RaceError: two threads\nNo error was reported.\n"
    with pytest.raises(ZeroDivisionError), expect_error():
        _ = 1 / 0


def test_check_of_an_unknown_exercise(capsys):
    check("01.nothing", 1)
    check("99.nothing", 1)
    said = capsys.readouterr().out
    assert "01.rotate" in said and "none for this lesson" in said


def cell(source, number=1):
    """The names that a cell of a notebook defines, its text known to tracebacks."""
    name = f"/tmp/ipykernel_7/{number}.py"
    linecache.cache[name] = len(source), None, source.splitlines(True), name
    names = {
        "raised": KernelError("no"),
        "ops": ops,
        "np": np,
        "numerical_gradient": gradcheck.numerical_gradient,
    }
    exec(compile(source, name, "exec"), names)
    return names


def shown(function):
    """(file, line) of the frames that are left of what it raises, and the error itself."""
    with pytest.raises(Exception) as caught:
        function()
    rest = notebook._own_frames(caught.value.__traceback__.tb_next)
    return [
        (Path(frame.filename).name, frame.lineno) for frame in traceback.extract_tb(rest)
    ], caught.value


def test_what_check_has_explained_is_not_shown_again(capsys):
    back = cell("def back(dy, x):\n    return dy.nothing\n")["back"]
    check("06.layer_norm_back", back, count=False)
    with pytest.raises(AttributeError) as caught:
        back(np.zeros(3), np.zeros(3))
    notebook._show(None, AttributeError, caught.value, caught.value.__traceback__)
    said = capsys.readouterr().out
    assert "in your line: return dy.nothing" in said
    assert said.endswith("ends here, with the AttributeError that check reports above.\n")


def test_our_frames_are_hidden_and_the_students_stay():
    names = cell(
        "def wrong():\n    x = np.zeros(3)\n    ops.relu_backward(x, x[:1])\n"
        "def fails():\n    return int('x')\ndef asked():\n    numerical_gradient(fails, np.zeros(1))\n"
        "def outside(call):\n    call()\n"
    )
    assert shown(names["wrong"])[0] == [("1.py", 3)]
    assert shown(names["asked"])[0] == [("1.py", 7), ("1.py", 5)]  # ours between them is hidden
    assert [file for file, _ in shown(lambda: names["outside"](lambda: 1 / 0))[0]] == [
        "test_magic.py",
        "1.py",
        "test_magic.py",
    ]


def test_a_kernels_error_names_the_line_of_the_cell():
    names = cell(
        "def launch():\n    raise raised\ndef run():\n    launch()\ndef line():\n    get_ipython()\n"
    )
    assert notebook._render(KernelError("two\nlines")) == ["KernelError: two\nlines"]
    error = shown(names["run"])[1]
    assert notebook._render(error) == ["KernelError: no", "\nin line 4 of this cell: launch()"]
    names = cell(
        "def launch():\n    raise raised\ndef run():\n    get_ipython() or launch()\nget_ipython = int\n"
    )
    assert notebook._render(shown(names["run"])[1]) == [
        "KernelError: no",
        "\nin line 2 of this cell: raise raised",
    ]


def test_in_a_shell():
    """In IPython: importing is enough, and an error shows its message without our frames."""
    code = f"""
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_cell("from nnlib.course.notebook import check")
shell.run_cell('''%%cuda -DVALUE=1
{FILL}''')
shell.run_cell("import numpy as np")
shell.run_cell("x = np.zeros(2, np.int32)\\nfill((1,), (3,), (x,))")
shell.run_cell("from nnlib import datasets, device, ops")
shell.run_cell("ops.relu_backward(x, x[:1])")
shell.run_cell("datasets.load('mnits')")
shell.run_cell("x = (")
shell.run_cell("print(later)")
shell.run_cell("%%cuda '\\nvoid")
shell.run_cell("%%cuda\\nextern \\"C\\" __global__ void forgot(int* x) {{ x[0] = 1 }}")
shell.run_cell("check('01.rotate', forgot)")
shell.run_cell("%%cuda\\nextern \\"C\\" __global__ void relu(const float* x, float* y, int n) {{ y[0] = 1 }}")
shell.run_cell("check('04.relu')")
shell.run_cell("%%cuda\\nextern \\"C\\" __global__ void sgd_step(float* w, float* g, float lr, int n) {{ }}")
shell.run_cell("check('02.sgd_step')")
shell.run_cell("%%cuda\\nextern \\"C\\" __global__ void sdg_step(float* w, float* g, float lr, int n) {{ }}")
shell.run_cell("check('02.sgd_step')")
shell.run_cell("check('06.momentum_step')")
shell.run_cell("def mine(): return 1 / 0\\ncheck.__globals__['solved'].path = mine\\ncheck('01.rotate', 3)")
"""
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    said = re.sub(r"\x1b\[[0-9;]*m", "", shown.stdout + shown.stderr)
    assert "OutOfBoundsError: " in said and "in line 2 of this cell: fill(" in said
    assert (
        "ShapeError: dy has shape (2,), expected (1,)" in said
        and "ops.relu_backward(x, x[:1])" in said
    )
    assert (
        "DatasetError: unknown data set" in said
        and "SyntaxError" in said
        and "options after %%cuda" in said
    )
    # A student's function that ours called
    assert "ZeroDivisionError" in said and "def mine" in said
    assert "Has the cell that makes 'later' been run?" in said
    assert (
        said.count(
            "sdg_step, and not sgd_step, so the one from before is judged again. Is its name right?"
        )
        == 1
    )
    assert "sdg_step, and no momentum_step. Is its name right?" in said
    assert (
        "The %%cuda cell of 'forgot' did not compile:\nkernel.cu:2:" in said
        and "makes 'forgot'" not in said
    )
    assert (
        "✗ 04.relu: The %%cuda cell of 'relu' did not compile:\nkernel.cu:2:" in said
        and "run the %%cuda cell with the kernel relu " not in said
    )
    assert "nnlib/" not in said and "/shapes.py" not in said
