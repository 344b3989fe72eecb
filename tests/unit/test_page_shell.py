"""A cell of a page brings along the cells that it needs, and no others."""

import sys

import pytest

from nnlib.teaching.site.page import shell as page

CELLS = {
    "imports": "from math import *\nimport numpy as np",
    "kernel": '%%cuda\nextern "C" __global__ void twice(float* x) {}',
    "data": "x = np.ones(3)\ny = x",
    "picture": "print(x)",
    "change": "x[0] = 5",
    "function": "def launch(a):\n    a += 1",
    "launched": "launch(x)",
    "unrelated": "z = sqrt(4)",
    "later": "launch(x); y",
    "own": "x = [1]; x",
    "again": 'y = 7\nrun = f"{y}"',
}


@pytest.fixture
def lesson(monkeypatch, stand_in):
    stand_in("__main__", sys.modules["__main__"])
    monkeypatch.setattr(page, "shell", page.Shell(), raising=False)
    page.shell.register_magic_function(lambda line, cell: None, name="cuda")
    lesson = page.PageLesson(lambda text, buffers: None)
    page.shell.emit = lambda output: None

    def run(cell, **changed):
        cells = list({**CELLS, **changed}.items())
        number = list(CELLS).index(cell)
        needed = [cells[k][0] for k in lesson.needed(cells, number)]
        for k in lesson.needed(cells, number):
            lesson._run(cells[k])
        return needed

    return run


def test_a_cell_brings_along_what_it_needs(lesson):
    assert lesson("own") == ["imports", "own"]
    assert lesson("change") == ["data", "change"]
    assert lesson("change") == ["change"]
    assert lesson("later") == ["function", "launched", "later"]
    renewed = {"data": "x = np.zeros(4)\ny = x"}
    assert lesson("later", **renewed) == ["data", "change", "launched", "later"]
    assert lesson("again") == ["again"]
    assert lesson("later", **renewed)[0] == "data"  # since y is another cell's now
