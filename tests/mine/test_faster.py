"""Lesson 08 asks for a faster text of four pieces: right ones, as slow as before, are refused with a reason."""

from pathlib import Path

import pytest
from nbformat import read

from nnlib import mine
from nnlib.course.exercises import find
from nnlib.cuda import RawKernel
from tests.benchmarks import your_step

from .answers import each_of, typed

SLOW = {  # what is said of the first versions
    "conv_grad_weight": "one thread walks over a whole sum",
    "conv_grad_input": "a thread reads 1.84 numbers for every product",
    "conv_forward": "every thread reads its window from global memory",
    "linear_forward": "one thread walks over a whole row",
}


def shown(name):
    """A text that does what lesson 08 asks for."""
    if name == "conv_grad_weight":
        return typed(name)
    return your_step.typed(f"08/{name}.cu")


def judged(name, text):
    return find(f"08.{name}").judge(RawKernel(text, name))


@each_of("faster.txt", shown)
def test_a_faster_text_is_accepted_and_others_are_refused_with_a_reason(name, text, words):
    verdict = judged(name, text)
    assert verdict.solved == (words == "✓") and words.lower() in verdict.text.lower(), verdict.text


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        *[(name, shown(name), "✓") for name in SLOW],
        *[(name, mine.PIECES[name].best, "✓") for name in [*SLOW][:3]],
        ("linear_forward", mine.PIECES["linear_forward"].best, SLOW["linear_forward"]),
        (
            "conv_forward",
            shown("conv_shared").replace("conv_shared", "conv_forward"),
            "a thread reads 2.12 numbers for every product",
        ),
        *[(name, mine.PIECES[name].plain, words) for name, words in SLOW.items()],
    ],
)
def test_whole_texts(name, text, words):
    verdict = judged(name, text)
    assert verdict.solved == (words == "✓") and words in verdict.text, verdict.text


def test_what_is_kept_takes_the_place_of_the_first_version():
    first, faster = find("06.conv_grad_weight"), find("08.conv_grad_weight")
    assert first.judge(RawKernel(mine.PIECES["conv_grad_weight"].plain, "conv_grad_weight")).solved
    first.keep()
    assert faster.judge(RawKernel(typed("conv_grad_weight"), "conv_grad_weight")).solved
    faster.keep()
    assert (
        mine.whose("conv_grad_weight") == "yours"
        and "__shfl" in mine.library.of("conv_grad_weight").kernel.code
    )


def test_an_edited_warp_per_result_is_judged_by_lesson_08(tmp_path, capsys):
    faster = find("08.linear_forward")
    assert faster.judge(
        RawKernel(f"{shown('linear_forward')}// mine", "linear_forward")
    ).solved  # else it is the lesson's solution
    faster.keep()
    file = mine.folder.path(mine.PIECES["linear_forward"])
    file.write_text(
        file.read_text("utf-8").replace("int n = at / outputs", "const int n = at / outputs"),
        "utf-8",
    )
    assert mine.whose("linear_forward") == "yours"
    mine.export(tmp_path / "library.json")
    mine.load(tmp_path / "library.json")
    assert "left out" not in capsys.readouterr().out
    file.write_text(
        file.read_text("utf-8").replace("const int n = at / outputs", "const int n = at % N"),
        "utf-8",
    )
    assert mine.whose("linear_forward") == "course"


@pytest.mark.parametrize(
    "name",
    ["conv_shared", "conv_filters", "conv_grad_input", "conv_forward", "linear_forward"],
)
def test_what_was_timed_is_what_the_lesson_shows(name):
    """The two may differ only in where lines are broken."""
    cells = [
        cell.source
        for cell in read(Path(__file__).parents[2] / "notebooks/08_optimization.ipynb", 4).cells
        if f"void {name}(" in cell.source
    ]
    assert shown(name).split() == cells[-1].split()[1:]
