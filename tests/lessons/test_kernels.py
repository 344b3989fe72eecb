"""Exercises whose answer is a kernel: right answers in kernels.txt are accepted, wrong ones are told why."""

import re
from itertools import product

import pytest

from nnlib.course.exercises import find, lesson_exercises
from nnlib.course.exercises.kernels import KernelExercise
from nnlib.cuda import RawKernel
from nnlib.lessons import NUMBERS

from .conftest import answers, asks_for_what_is_there, stored

ANSWERS = [
    (part.split("\n")[0], *answer)
    for part in stored("kernels.txt").split("\n## ")[1:]
    for answer in answers(part)
]


def kernel(name, body):
    piece = find(name).piece
    text = body if "__global__" in body else f"{piece.declaration} {{\n{body}}}"
    return RawKernel(text, re.search(r"__global__ void (\w+)", text)[1])


@pytest.mark.parametrize(("name", "right", "words", "body"), ANSWERS)
def test_answers(name, right, words, body):
    answer = kernel(name, body)
    verdict = find(name).judge(answer)
    assert verdict.solved == right and words.lower() in verdict.text.lower(), verdict.text
    assert verdict.text.lower().count("hint:") <= 1
    assert right or not asks_for_what_is_there(verdict.text, answer.code)


def test_every_kernel_exercise_has_right_and_wrong_answers():
    asked = {
        exercise.name
        for lesson in NUMBERS
        for exercise in lesson_exercises(lesson)
        if isinstance(exercise, KernelExercise)
    }
    assert {(name, right) for name, right, *_ in ANSWERS} == {*product(asked, (True, False))}


@pytest.mark.parametrize("answer", [(), (...,), (3,), (None,)])
def test_what_is_no_kernel_is_told(answer):
    assert "needs a kernel" in find("02.grey").judge(*answer).text
