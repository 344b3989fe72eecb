"""Workshops: right answers are accepted, with scores that tell slow from fast, wrong ones refused with the right hint.

`pytest tests/mine/test_answers.py -s` prints the table.
"""

import pytest

from nnlib import mine
from nnlib.course.exercises import find
from nnlib.cuda import KernelError, RawKernel

from . import answers


def judge(name, text):
    """As `check` would: what a cell does not compile is told by the cell."""
    piece = mine.PIECES[name]
    kernel = RawKernel(text, name)
    verdict = find(f"{piece.lesson}.{name}").judge(kernel)
    return verdict


@pytest.mark.parametrize("name", mine.PIECES)
def test_right_answers_are_accepted(name):
    stars = []
    texts = answers.right(name)
    for text in texts:
        verdict = judge(name, text)
        assert verdict.solved, f"{verdict.text}\n{text}"
        stars.append(verdict.text.count("★"))
    print(f"\n{name}: {len(texts)} right answers, stars {sorted(stars)}")
    assert len(texts) >= 8 and max(stars) == 3 and min(stars) < 3


@pytest.mark.parametrize("name", mine.PIECES)
def test_wrong_answers_are_refused_with_the_right_hint(name):
    texts = list(answers.wrong(name))
    assert len({text for text, _ in texts}) >= 15
    for text, words in texts:
        try:
            verdict = judge(name, text)
        except KernelError as error:
            said, solved = str(error), False
        else:
            said, solved = verdict.text, verdict.solved
        hint = said.rsplit("Hint: ", 1)[-1].rsplit("hint: ", 1)[-1].splitlines()[0]
        print(f"{name}: {hint}")
        assert not solved, f"accepted, though {words or 'wrong'}\n{text}"
        assert words in said, f"{said}\nlacks {words!r}\n{text}"
        assert said.lower().count("hint:") <= 1, said
        assert "A guard must" not in said or words == "guard", f"the guard is there\n{said}\n{text}"


@pytest.mark.parametrize(("old", "new", "way"), [
    ("- pad", "", "✓ one plane  ✗ stride and padding"), ("c < C", "c < 1", "✓ stride and padding  ✗ channels"),
    ("(f * C + c)", "c", "✓ channels  ✗ filters"), ("(n * C + c) * H", "c * H", "✓ filters  ✗ pictures"),
    ("(N * F * OH * OW + 255) / 256", "1", "✓ pictures  ✗ other sizes"),
    ("float sum = b[f];", "float sum = 0.0f;", ": ✗ one plane")])
def test_a_refusal_says_how_far_a_convolution_came(old, new, way):
    text = mine.PIECES["conv_forward"].plain
    assert text.count(old) and way in judge("conv_forward", text.replace(old, new)).text
