"""Every verdict and message of the tables in cases.py."""

import pytest

from nnlib.cuda import Program
from nnlib.cuda._engine.errors import KernelSyntaxError, UnsupportedError
from nnlib.cuda._engine.language import compile_source
from nnlib.cuda._engine.language.diagnostics import Fault, render
from nnlib.cuda._engine.language.tree import Position

from . import rare_cases
from .cases import (
    ACCEPTED,
    ACCEPTED_PROGRAMS,
    REJECTED,
    REJECTED_PROGRAMS,
    STRICTER,
    TYPES,
    UNSUPPORTED,
    WHOLE_PROGRAMS,
)
from .texts import KERNEL, recorded_messages

WRONG = (
    [(KERNEL % body, part, place) for body, part, place in REJECTED] + REJECTED_PROGRAMS + STRICTER
)


@pytest.mark.parametrize(("text", "part", "place"), WRONG)
def test_a_mistake_is_named_at_its_place(text, part, place):
    with pytest.raises(KernelSyntaxError) as caught:
        compile_source(text)
    message = str(caught.value)
    assert part in message
    assert message.startswith(f"kernel.cu:{place}: ")
    assert message == recorded_messages()[text]
    assert not isinstance(caught.value, UnsupportedError)


@pytest.mark.parametrize(("text", "part", "place"), UNSUPPORTED + WHOLE_PROGRAMS)
def test_cpp_beyond_the_simulator_says_what_to_write(text, part, place):
    with pytest.raises(UnsupportedError) as caught:
        compile_source(text)
    message = str(caught.value)
    assert message.startswith(
        f"kernel.cu:{place}: valid CUDA C++, but not supported by the simulator: "
    )
    assert part in message
    assert "hint: " in message
    assert message == recorded_messages()[text]


@pytest.mark.parametrize("text", rare_cases.KERNELS + rare_cases.PROGRAMS)
def test_what_is_said_of_a_rare_mistake(text):
    with pytest.raises(KernelSyntaxError) as caught:
        (Program if text in rare_cases.PROGRAMS else compile_source)(text)
    assert str(caught.value) == recorded_messages()[text] and caught.value.hint


@pytest.mark.parametrize("text", rare_cases.FITS)
def test_what_just_fits(text):
    compile_source(text)


@pytest.mark.parametrize("text", [KERNEL % body for body in ACCEPTED] + ACCEPTED_PROGRAMS)
def test_right_programs_compile(text):
    compile_source(text)


@pytest.mark.parametrize(("expression", "kind"), TYPES)
def test_expressions_have_their_cpp_type(expression, kind):
    program = compile_source(KERNEL % f"({expression});")
    assert str(program.functions["k"].body.statements[0].expression.type) == kind


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


@pytest.mark.parametrize(
    ("body", "hint"),
    [
        ("x[0] = x[1] ** 2;", "powf(x, y)"),
        ("x[0] = x[1] ^ 2;", "powf(x, y)"),
        ("# index", "starts with //"),
        ("n = 1; # index", "starts with //"),
        ("i = threadIdx.x;", "or float for"),
        ("x[n][n] = 1;", "[y * width + x]"),
        ("if (n > 0): n = 1;", "remove the :"),
        ("n = len(x);", "how long its array is"),
        ("x[0] = x[1] - 1.0f) / 2.0f;", "one ) too many"),
        ("float v = x[1] - 1.0f) / 2.0f;", "one ) too many"),
        ("if (n > 0) return\nx[0] = 1.0f;", "end the return with ;"),
        ("n = n // 2;\nn++;", "divided by /"),
        ("if (n // 32 == 0) n = 1;\nn++;", "divided by /"),
    ],
)
def test_habits_of_python_get_a_hint(body, hint):
    with pytest.raises(KernelSyntaxError) as caught:
        compile_source(KERNEL % body)
    assert hint in str(caught.value).split("hint: ")[1]


def test_a_comment_is_hinted_at_only_where_it_stands():
    with pytest.raises(KernelSyntaxError) as caught:
        compile_source("#define N 3 // threads\n" + KERNEL % "int i = N\nn = i; // done")
    assert "comment" not in str(caught.value)


@pytest.mark.parametrize(
    ("body", "notes"),
    [
        ("x[n, 3] = 1;", ["[y * width + x]"]),
        ("if (0 <= n < 3) n = 1;", ["write a <= b && b < c"]),
        ("if (n < 3); n = 1;", ["always runs: remove it"]),
        ("if (n < 3) n = 1; else if (n > 5);", ["remove it"]),
        ("if (n = 3) u = 1;", ["compared by =="]),
        ("while (n = 3) u = 1;", ["compared by =="]),
        ("x[0] = (n = 3) ? 1 : 2;", ["compared by =="]),
        ("x[0] == 1;", ["and = assigns"]),
        ("for (int i = 0; i < n; i + n) {}", ["write += to store"]),
        ("n - 1; n -= 1; u < 3; n == 3 ? u = 1 : u = 2;", ["write -= to store"]),
        (
            "while (n < 3); if (n < 3) {} for (n = 0; n < 3; n++); if (n == 3) u = 1; while (n -= 1) u = 1;",
            [],
        ),
        ("x[(n, 3) + 1] = 1; n = n < 3 && u < 4; n = (n < 3) == (u < 4);", []),
    ],
)
def test_what_python_reads_differently_is_noted(body, notes):
    warnings = [message for _, message in compile_source(KERNEL % body).warnings]
    assert len(warnings) == len(notes) and all(map(str.__contains__, warnings, notes))


def test_a_mistake_in_a_macro_points_to_its_use():
    with pytest.raises(KernelSyntaxError, match=r"kernel\.cu:3:12: undeclared name 'y'"):
        compile_source("#define BAD y + 1\n__global__ void k(int* p) {\n    p[0] = BAD;\n}")
