"""Workshops: right answers are accepted, with scores that tell slow from fast, wrong ones refused with the right hint.

`python -m tests.mine.table` writes the table of all of them.
"""

import pytest

from nnlib import mine
from nnlib.mine import judging

from . import answers
from .table import TABLE, hint, judge


@pytest.mark.parametrize("name", mine.PIECES)
def test_right_answers_are_accepted(name):
    stars = []
    texts = answers.right(name)
    for text in texts:
        solved, said = judge(name, text)
        assert solved, f"{said}\n{text}"
        stars.append(said.count("★"))
    print(f"\n{name}: {len(texts)} right answers, stars {sorted(stars)}")
    assert len(texts) >= 8 and max(stars) == 3 and min(stars) < 3


@pytest.mark.parametrize("name", mine.PIECES)
def test_wrong_answers_are_refused_with_the_right_hint(name, monkeypatch):
    texts = list(answers.wrong(name))
    assert len({text for text, _ in texts}) >= 15
    limit = judging._TRIAL_LIMIT
    for text, words in texts:
        monkeypatch.setattr(judging, "_TRIAL_LIMIT", 2_000 if words == "does not end" else limit)  # need not take long
        solved, said = judge(name, text)
        print(f"{name}: {hint(said)}")
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
    assert text.count(old) and way in judge("conv_forward", text.replace(old, new))[1]


@pytest.mark.parametrize("name", mine.PIECES)
def test_the_table_knows_every_piece(name):
    row = next((line for line in TABLE.read_text("utf-8").splitlines() if line.startswith(f"| `{name}` |")), "")
    assert row, f"run python -m tests.mine.table: {name} is not in the table"
    _, _, right, _, wrong, hints = row.strip("| ").split(" | ")
    assert int(right) >= 8 and int(wrong) >= int(hints) >= 15
