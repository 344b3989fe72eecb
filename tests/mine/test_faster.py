"""Lesson 08 asks for a faster text of two pieces: right ones that are as slow as before are refused, with a reason."""

from pathlib import Path

import pytest
from nbformat import read

from nnlib import mine
from nnlib.course.exercises import find
from nnlib.cuda import RawKernel

from .answers import change, typed

TYPED = Path(__file__).parent / "typed" / "08"
NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "08_optimization.ipynb"
SHARED = (TYPED / "conv_shared.cu").read_text("utf-8").replace("conv_shared", "conv_forward")
REGISTERS = (TYPED / "conv_forward.cu").read_text("utf-8")


def judged(name, text):
    return find(f"08.{name}").judge(RawKernel(text, name))


def right():
    yield "conv_grad_weight", typed("conv_grad_weight")
    yield "conv_grad_weight", mine.PIECES["conv_grad_weight"].best
    yield "conv_grad_weight", change(typed("conv_grad_weight"), "+ 7) / 8, 256", "+ 3) / 4, 128")
    yield "conv_forward", REGISTERS
    yield "conv_forward", mine.PIECES["conv_forward"].best
    yield "conv_forward", change(REGISTERS, "tile[t] = inside", "tile[t] = !inside ? 0.0f : true")


@pytest.mark.parametrize("name, text", list(right()))
def test_faster_texts_are_accepted(name, text):
    verdict = judged(name, text)
    assert verdict.solved, verdict.text


def wrong():
    yield "conv_grad_weight", mine.PIECES["conv_grad_weight"].plain, "one thread walks over a whole sum"
    spare = change(mine.PIECES["conv_grad_weight"].plain, "+ 63) / 64, 64", "+ 63) / 64 * 32, 64")
    yield "conv_grad_weight", spare, "one thread walks over a whole sum"
    yield "conv_grad_weight", change(typed("conv_grad_weight"), "int d = 16", "int d = 8"), "it should be"
    yield "conv_forward", mine.PIECES["conv_forward"].plain, "every thread reads its window from global memory"
    yield "conv_forward", SHARED, "a thread reads 2.12 numbers for every product"
    yield "conv_forward", change(REGISTERS, "        __syncthreads();\n    }", "    }"), "__syncthreads()"
    yield "conv_forward", change(REGISTERS, "sum[k][r] + b[f0 + k]", "sum[k][r]"), "b[f] is not added"
    yield "conv_forward", change(REGISTERS, "(F + 3) / 4", "F / 4"), "are missing"


@pytest.mark.parametrize("name, text, words", list(wrong()))
def test_others_are_refused_with_a_reason(name, text, words):
    verdict = judged(name, text)
    assert not verdict.solved and words in verdict.text, verdict.text


def test_what_is_kept_takes_the_place_of_the_first_version():
    first, faster = find("06.conv_grad_weight"), find("08.conv_grad_weight")
    assert first.judge(RawKernel(mine.PIECES["conv_grad_weight"].plain, "conv_grad_weight")).solved
    first.keep()
    assert faster.judge(RawKernel(typed("conv_grad_weight"), "conv_grad_weight")).solved
    faster.keep()
    assert mine.whose("conv_grad_weight") == "yours" and "__shfl" in mine.library.of("conv_grad_weight").kernel.code


@pytest.mark.parametrize("name", ["conv_shared", "conv_forward"])
def test_what_was_timed_is_what_the_lesson_shows(name):
    shown = [cell.source for cell in read(NOTEBOOK, 4).cells if f"void {name}(" in cell.source]
    assert (TYPED / f"{name}.cu").read_text("utf-8").strip() == shown[-1].removeprefix("%%cuda\n").strip()
