"""Every verdict and message of the tables in cases.py."""

import pytest

from nnlib.cuda.errors import KernelSyntaxError
from nnlib.cuda.language import compile_source

from .cases import (
    ACCEPTED,
    ACCEPTED_PROGRAMS,
    KERNEL,
    REJECTED,
    REJECTED_PROGRAMS,
    STRICTER,
    TYPES,
    UNSUPPORTED,
)

WRONG = [(KERNEL % body, part, place) for body, part, place in REJECTED] + REJECTED_PROGRAMS + STRICTER


@pytest.mark.parametrize(("text", "part", "place"), WRONG)
def test_a_mistake_is_named_at_its_place(text, part, place):
    with pytest.raises(KernelSyntaxError) as caught:
        compile_source(text)
    message = str(caught.value)
    assert part in message
    assert message.startswith(f"kernel.cu:{place}: ")
    assert "not supported" not in message


@pytest.mark.parametrize(("text", "part", "place"), UNSUPPORTED)
def test_cpp_beyond_the_simulator_says_what_to_write(text, part, place):
    with pytest.raises(KernelSyntaxError) as caught:
        compile_source(text)
    message = str(caught.value)
    assert message.startswith(f"kernel.cu:{place}: valid CUDA C++, but not supported by the simulator: ")
    assert part in message
    assert "hint: " in message


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
    assert str(caught.value) == ("mine.cu:2:9: undeclared function 'sqrft'\n"
                                 "     x[0] = sqrft(2.0f);\n"
                                 "            ^\n"
                                 "    hint: did you mean 'sqrt'?")


def test_a_mistake_in_a_macro_points_to_its_use():
    with pytest.raises(KernelSyntaxError, match=r"kernel\.cu:3:12: undeclared name 'y'"):
        compile_source("#define BAD y + 1\n__global__ void k(int* p) {\n    p[0] = BAD;\n}")
