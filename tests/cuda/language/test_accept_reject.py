"""Every verdict and message of cases/*.cu."""

import pytest

from nnlib.cuda._engine.errors import KernelSyntaxError
from nnlib.cuda._engine.language import compile_source
from nnlib.cuda._engine.language.diagnostics import Fault, render
from nnlib.cuda._engine.language.tree import Position

from .cases import CASES
from .texts import KERNEL


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.file}.cu:{case.line}")
def test_the_verdict_on_a_text(case):
    assert case.said() == case.expected
    assert case.verdict != "unsupported" or case.expected[1].startswith("hint: ")


def test_a_message_shows_the_line_with_a_caret_and_a_hint():
    with pytest.raises(KernelSyntaxError) as caught:
        compile_source("__global__ void k(float* x) {\n\tx[0] = sqrft(2.0f);\n}", name="mine.cu")
    assert str(caught.value) == (
        "mine.cu:2:9: undeclared function 'sqrft'\n"
        "     x[0] = sqrft(2.0f);\n"
        "            ^\n"
        "    hint: did you mean 'sqrt'?"
    )


@pytest.mark.parametrize(
    "line, column, shown, caret",
    [
        ("int x = 3", 5, "int x = 3", 4),
        ("int x = 3", 10, "int x = 3", 9),
        ("int x = 3   ", 13, "int x = 3", 9),  # behind what is left of the line
        ("\tx", 2, " x", 1),
        ("a" * 300, 100, "a" * 120, 79),
        ("a" * 300, 300, "a" * 80, 79),
        ("", 1, "", 0),
    ],
)
def test_the_caret_stands_below_the_place(line, column, shown, caret):
    said = render(Fault(Position(2, column), "wrong", "right"), f"first\n{line}\n", "k.cu").split(
        "\n"
    )
    assert said == [
        f"k.cu:2:{column}: wrong",
        f"    {shown}",
        f"    {' ' * caret}^",
        "    hint: right",
    ]


def test_a_comment_is_hinted_at_only_where_it_stands():
    with pytest.raises(KernelSyntaxError) as caught:
        compile_source("#define N 3 // threads\n" + KERNEL % "int i = N\nn = i; // done")
    assert "comment" not in str(caught.value)


def test_a_mistake_in_a_macro_points_to_its_use():
    with pytest.raises(KernelSyntaxError, match=r"kernel\.cu:3:12: undeclared name 'y'"):
        compile_source("#define BAD y + 1\n__global__ void k(int* p) {\n    p[0] = BAD;\n}")
