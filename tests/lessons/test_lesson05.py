"""Lesson 05: every check accepts right answers written differently and names the mistake of wrong ones."""

import pytest

from nnlib.course.exercises import find


def field(layers):
    pixels = 1
    for size, stride in layers[::-1]:
        pixels = (pixels - 1) * stride + size
    return pixels


def forwards(layers):
    """The other way to it: pixels grow by size - 1, each as wide as all strides before it."""
    pixels, jump = 1, 1
    for size, stride in layers:
        pixels, jump = pixels + (size - 1) * jump, jump * stride
    return pixels


def recursive(layers):
    return 1 if not layers else (recursive(layers[1:]) - 1) * layers[0][1] + layers[0][0]


@pytest.mark.parametrize("answer", [field, forwards, recursive])
def test_right_functions_are_accepted(answer):
    verdict = find("05.field").judge(answer)
    assert verdict.solved, verdict.text


def walked(step, first=1, order=slice(None, None, -1)):
    def answer(layers):
        pixels = first
        for size, stride in layers[order]:
            pixels = step(pixels, size, stride)
        return pixels

    return answer


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (lambda layers: ..., "not written yet"),
        (
            walked(lambda r, size, stride: (r - 1) * stride + size, order=slice(None)),
            "begin at the last layer",
        ),
        (walked(lambda r, size, stride: r * stride + size), "only r - 1 steps"),
        (
            lambda layers: field([(stride, size) for size, stride in layers]),
            "a pair is (window, stride)",
        ),
        (walked(lambda r, size, stride: r + size - 1), "the stride spreads"),
        (walked(lambda r, size, stride: r * size), "do not multiply"),
        (walked(lambda r, size, stride: (r - 1) * stride + size, first=0), "start with one number"),
        (lambda layers: layers[-1][0], "last window only"),
        (lambda layers: layers[0][0], "first window only"),
        (lambda layers: sum(size for size, _ in layers), "alone are not enough"),
        (lambda layers: field(layers) ** 2, "return the side of the square"),
        (lambda layers: float(field(layers)), "must be an integer"),
    ],
)
def test_wrong_functions_are_told_why(answer, hint):
    verdict = find("05.field").judge(answer)
    assert not verdict.solved and hint in verdict.text, verdict.text
