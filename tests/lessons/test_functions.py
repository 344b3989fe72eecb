"""Exercises whose answer is a function: right answers in functions.txt are accepted, wrong ones are told why."""

import numpy as np
import pytest

from nnlib.course.exercises import find

from .conftest import answers, stored

PARTS = [part.split("\n", 1) for part in stored("functions.txt").split("\n## ")[1:]]


@pytest.mark.parametrize(
    ("name", "right", "words", "text"),
    [(name, *answer) for name, part in PARTS for answer in answers(part)],
)
def test_answers(name, right, words, text):
    names = {"np": np}
    exec(text, names)
    said = find(name).judge(names[name.split(".")[1]]).text
    assert said.startswith("✓" if right else "✗"), said
    assert "Hint" not in said if words == "(no hint)" else words in said
    assert said.count("Hint:") <= 1
