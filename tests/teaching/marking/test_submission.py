"""What is taken out of a notebook as the answer to an exercise, cell by cell; nothing of it is run."""

import ast
import json

import pytest

from nnlib.teaching.marking import submission
from nnlib.teaching.marking.submission import NoAnswerError, Submission, answer_name


def function(*cells, name="f"):
    return Submission(cells).function(name)


@pytest.mark.parametrize(
    ("cells", "taken"),
    [
        (["def f():\n    return 1"], "def f():\n    return 1"),
        (["def f(): return 1", "def f(): return 2"], "def f():\n    return 2"),
        (
            ["def f(): return g()", "def g(): return 3", "def h(): return 4"],
            "def f():\n    return g()\ndef g():\n    return 3",
        ),
        (["a = 1\nb = a", "def f(): return b", "a = 2"], "b = a\ndef f():\n    return b\na = 2"),
        (
            ["a, (b, c) = 1, (2, 3)", "def f(): return c"],
            "a, (b, c) = (1, (2, 3))\ndef f():\n    return c",
        ),
        (
            ["a = b = 1\nn: int = 2", "def f(): return b + n"],
            "a = b = 1\nn: int = 2\ndef f():\n    return b + n",
        ),
        (
            ["import os.path, math as m\nfrom a.b import c as d, e", "def f(): return os, m, d"],
            "import os.path\nimport math as m\nfrom a.b import c as d\ndef f():\n    return (os, m, d)",
        ),
        (["a = 1", "def f(a): return a"], "def f(a):\n    return a"),
        (["a = 1", "def f():\n    a = 2\n    return a"], "def f():\n    a = 2\n    return a"),
        (
            ["a = 1", "def f(b=a):\n    def g(): return c\n    return [c for x in b]", "c = 5"],
            "a = 1\ndef f(b=a):\n\n    def g():\n        return c\n    return [c for x in b]\nc = 5",
        ),
        (
            ["class K:\n    size = n", "n = 7", "def f(): return K"],
            "class K:\n    size = n\nn = 7\ndef f():\n    return K",
        ),
        (
            ["%matplotlib inline\n!pip install x\ndef f(): return 1", "%%cuda\ndef f(): return 2"],
            "def f():\n    return 1",
        ),
        (["def f(): return 1", "this is no Python"], "def f():\n    return 1"),
        (["for f in range(3): pass", "f = lambda x: x"], "f = lambda x: x"),
        (["def f(): return 1", "f.tested = True"], "def f():\n    return 1\nf.tested = True"),
        (["def f(): return 1", "f.tested = time()"], "def f():\n    return 1"),
        (
            ["t = [4, 4]\nt[0] = 2\nu = [1]\nu[0] = 3", "def f(): return t"],
            "t = [4, 4]\nt[0] = 2\ndef f():\n    return t",
        ),
        (
            ["n = 1", "def f(): return n", "n += 2", "n = 5", "o.a.b, n = n, 6"],
            "def f():\n    return n\no.a.b, n = (n, 6)",
        ),
        (
            ["c = {}\nc[0], d = 1, 2", "def f(): return c"],
            "c = {}\nc[0], d = (1, 2)\ndef f():\n    return c",
        ),
    ],
)
def test_a_function_comes_with_what_it_uses(cells, taken):
    # Python 3.10 writes (b, c) = (1, 2)
    assert ast.dump(ast.parse(function(*cells))) == ast.dump(ast.parse(taken))


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([], "no cell of the notebook defines f"),
        (["g = 1"], "no cell of the notebook defines f"),
        (["if True:\n    def f(): pass"], "no cell of the notebook defines f"),
        (["def g(: 1"], "defines f"),
        (["def f(: 1"], "the cell with f is no Python: invalid syntax"),
        (["def f(: 1", "def ff(: 2"], "with f is no Python"),
        (["%%time\ndef f(): return 1"], "no cell of the notebook defines f"),
    ],
)
def test_no_function_is_said_so(cells, said):
    with pytest.raises(NoAnswerError, match=said):
        function(*cells)


@pytest.mark.parametrize(
    ("cells", "value"),
    [
        (["f = {4: ('a', 2, 'x')}"], {4: ("a", 2, "x")}),
        (["f = 1", "f = -2.5"], -2.5),
        (["f: list = [1]"], [1]),
        (["f = {}", "f[4] = 'a', 2\nf.done = 1"], {4: ("a", 2)}),
        (["f = {}", "f[4] = g"], None),
        (["f = g(1)"], None),
        (["f = {4: g}"], None),
        (["def f(): pass"], None),
        (["import f"], None),
    ],
)
def test_a_value_is_written_out(cells, value):
    if value is None:
        with pytest.raises(NoAnswerError, match="^f is to be written out, without names or calls$"):
            Submission(tuple(cells)).value("f")
    else:
        assert Submission(tuple(cells)).value("f") == value


KERNEL = 'extern "C" __global__ void f(float* x) { x[0] = %d; }'


@pytest.mark.parametrize(
    ("cells", "code", "options"),
    [
        (["%%cuda\n" + KERNEL % 1], 1, ()),
        (
            ["%%cuda\n" + KERNEL % 1, "%%cuda -DA=2 -O3 '-DB=x y'\n" + KERNEL % 2],
            2,
            ("-DA=2", "-DB=x y"),
        ),
        (
            [
                "%%cuda\n" + KERNEL % 1,
                "%%cuda\n// f is above\n" + (KERNEL % 2).replace("void f", "void g"),
            ],
            1,
            (),
        ),
        (["%%cuda\n" + KERNEL % 1, "%%cudax\n" + KERNEL % 2, "# %%cuda\n" + KERNEL % 3], 1, ()),
    ],
)
def test_the_last_kernel_of_that_name_counts(cells, code, options):
    kernel = Submission(tuple(cells)).kernel("f")
    assert kernel.code == "\n" + KERNEL % code and tuple(kernel.options) == options


def test_no_kernel_is_said_so():
    with pytest.raises(NoAnswerError, match="no %%cuda cell of the notebook has a kernel f$"):
        Submission(("%%cuda\n" + (KERNEL % 1).replace("void f", "void ff"),)).kernel("f")
    with pytest.raises(NoAnswerError, match="the options of this line cannot be read: %%cuda 'x"):
        Submission(("%%cuda 'x\n" + KERNEL % 1,)).kernel("f")


def test_which_cells_of_a_file_answer(tmp_path, monkeypatch):
    def cell(source, kind="code", **metadata):
        return {"cell_type": kind, "metadata": metadata, "source": source}

    path = tmp_path / "a.ipynb"
    text = json.dumps(
        {
            "cells": [
                cell(["a = 1\n", "b = 2"]),
                cell("c", "markdown"),
                cell("d", tags=["x"]),
                cell("e", tags=["x", "solution"]),
                {"cell_type": "code", "source": "f"},
            ]
        }
    )
    path.write_text(text, "utf-8")
    assert Submission.read(path) == Submission(("a = 1\nb = 2", "d", "f"), ("e",))
    monkeypatch.setattr(submission, "MOST", len(text))
    assert Submission.read(path).cells
    monkeypatch.setattr(submission, "MOST", len(text) - 1)
    with pytest.raises(NoAnswerError, match="the file has more than 0 MB"):
        Submission.read(path)
    for nothing in (tmp_path, tmp_path / "none"):
        with pytest.raises(NoAnswerError, match="no notebook, but a link, a folder or nothing"):
            Submission.read(nothing)


@pytest.mark.parametrize(
    ("cells", "solutions", "said"),
    [
        (
            ["async def f(): return 1"],
            [],
            "defines f, but there is an async def f: write def alone",
        ),
        (["async def ff(): return 1"], [], "defines f"),
        ([], ["check('f', f_solved)\nf(1)", "def ff(): pass"], "defines f"),
        *[
            (
                [],
                [source],
                'defines f, but one has the tag "solution", by .* are left out: remove the tag',
            )
            for source in (
                "def f(): return 1",
                "a = 1\nf = lambda: 1",
                "async def f(): pass",
                "f: int = 1",
            )
        ],
    ],
)
def test_what_was_found_in_the_place_of_an_answer_is_said(cells, solutions, said):
    with pytest.raises(NoAnswerError, match=f"^no cell of the notebook {said}$"):
        Submission(tuple(cells), tuple(solutions)).function("f")


def test_a_kernel_with_the_tag_of_solutions_is_said_so():
    with pytest.raises(NoAnswerError, match='has a kernel f, but one has the tag "solution"'):
        Submission((), ("%%cuda\n" + KERNEL % 1,)).kernel("f")
    with pytest.raises(NoAnswerError, match="has a kernel f$"):
        Submission((), ("%%cuda\n" + (KERNEL % 1).replace("void f", "void f_solved"),)).kernel("f")


def test_what_an_answer_is_called():
    assert [
        answer_name(name)
        for name in ("03.transpose", "06.clinic", "07.loop", "07.patience", "07.audit")
    ] == ["transpose", "letters", "train_network", "epochs_trained", "audit"]


def test_an_editor_that_marks_utf8_costs_no_answer(tmp_path):
    path = tmp_path / "handed_in.ipynb"
    path.write_text(
        json.dumps({"cells": [{"cell_type": "code", "source": "answer = 1", "metadata": {}}]}),
        "utf-8-sig",
    )
    assert Submission.read(path).cells == ("answer = 1",)
