"""Exercises whose answer is a function: right answers in functions.txt are accepted, wrong ones are told why."""

import pytest

from nnlib.course.exercises import find

from .conftest import answers, shared, stored

PARTS = [part.split("\n", 1) for part in stored("functions.txt").split("\n## ")[1:]]


@pytest.mark.parametrize(
    ("name", "right", "words", "text"),
    [(name, *answer) for name, part in PARTS for answer in answers(part)],
)
def test_answers(name, right, words, text):
    names = shared(name)
    exec(text, names)
    said = find(name).judge(names[name.split(".")[1]]).text
    assert said.startswith("✓" if right else "✗"), said
    if words == "(no hint)":
        assert "Hint" not in said
    else:
        assert all(each in said for each in words.split(" | ")), said
    assert said.count("Hint:") <= 1
