"""nnlib demo: the front page's wrong kernel, its report, and what becomes of other kernels in its place."""

import re
from pathlib import Path

import pytest

from nnlib.__main__ import main
from nnlib.cuda import demo

FRONT = (Path(__file__).parents[2] / "README.md").read_text("utf-8")


def test_it_shows_the_kernel_of_the_front_page_and_its_report(capsys):
    main(["demo"])
    shown = capsys.readouterr().out
    assert demo.WRONG in FRONT and demo.WRONG in shown and demo.MENDED in shown
    report = re.search(r"nnlib\.cuda\.(.*\n)(?:.*\n){3}((?:.*\n){3})```", FRONT)
    # Between them stands the line's number in another file
    assert report[1] in shown and report[2] in shown


@pytest.mark.parametrize(
    "old, new, right, said",
    [
        ("", "", True, "Right: 100 sums"),
        ("if (i < n) ", "", False, "out-of-bounds read of x[100]"),
        ("i < n", "i < 99", False, "out[99] is nan"),
        ("x[i] + y[i]", "x[i] * y[i]", False, "out[0] is 1 and should be 1 + 1 = 2"),
        (";\n}", "\n}", False, "KernelSyntaxError"),
        ("void add", "void sum", False, "add"),
        (", int n)", ", int n, int m)", False, "ArgumentError"),
        ("if (i < n) ", "while (i < n) ", False, "KernelTimeoutError"),
    ],
)
def test_each_kernel_is_answered(old, new, right, said):
    is_right, answer = demo.attempt(demo.MENDED.replace(old, new, 1))
    assert is_right is right and said in answer
