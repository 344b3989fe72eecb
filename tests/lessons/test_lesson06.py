"""Lesson 06: every check accepts right answers written differently and names the mistake of wrong ones."""

import re
from pathlib import Path

import pytest
from nbformat import read

from nnlib.course.exercises import find
from nnlib.cuda import RawKernel

from .conftest import prove

I = "int i = blockIdx.x * blockDim.x + threadIdx.x; "  # noqa: E741
P = "float p = 1.0f / (1.0f + expf(-z[i])); "
SIGNATURES = {"06.bce_back": "const float* z, const float* t, float* dz, int n"}


def judge(name, body):
    return find(name).judge(RawKernel(f'extern "C" __global__ void answer({SIGNATURES[name]}) {{ {body} }}', "answer"))


@pytest.mark.parametrize(("name", "body"), [
    ("06.bce_back", I + "if (i < n) { " + P + "dz[i] = (p - t[i]) / n; }"),
    ("06.bce_back", I + "if (i >= n) return; dz[i] = (0.5f * tanhf(0.5f * z[i]) + 0.5f - t[i]) * (1.0f / n);"),
    ("06.bce_back", I + "if (i < n) { dz[i] = 1.0f / (1.0f + expf(-z[i])); dz[i] -= t[i]; dz[i] /= n; }"),
])
def test_right_kernels_are_accepted(name, body):
    verdict = judge(name, body)
    assert verdict.solved, verdict.text


@pytest.mark.parametrize(("name", "body", "hint"), [
    ("06.bce_back", I + "if (i < n) { " + P + "dz[i] = p - t[i]; }", "divide by n"),
    ("06.bce_back", I + "if (i < n) { " + P + "dz[i] = (t[i] - p) / n; }", "sign is wrong"),
    ("06.bce_back", I + "if (i < n) dz[i] = (z[i] - t[i]) / n;", "z is the logit"),
    ("06.bce_back", I + "if (i < n) { " + P + "dz[i] = (p - t[i]) * p * (1.0f - p) / n; }", "cancels"),
    ("06.bce_back", I + "if (i < n) { " + P + "dz[i] = (p - t[i]) / (p * (1.0f - p)) / n; }", "with respect to p"),
    ("06.bce_back", I + "if (i < n) { " + P + "dz[i] = (p - t[i]) * p * (1.0f - p); }", "cancels: the difference alone "
     "remains; and divide by n"),
    ("06.bce_back", I + "if (i < n) { float p = 1.0f / (1.0f + expf(z[i])); dz[i] = (p - t[i]) / n; }", "a minus in it"),
    ("06.bce_back", I + "if (i < n) { " + P + "dz[i] = -(t[i] * logf(p) + (1.0f - t[i]) * logf(1.0f - p)) / n; }",
     "the loss itself"),
    ("06.bce_back", I + "if (i < n) { " + P + "dz[i] = 1 / n * (p - t[i]); }", "two integers"),
    ("06.bce_back", I + P + "dz[i] = (p - t[i]) / n;", "guard with if (i < n)"),
    ("06.bce_back", I + "if (i < n) { " + P + "dz[i] = p - t[i] / n; }", "brackets: (p - t) / n"),
    ("06.bce_back", I + "if (i < n) { float p = 1.0f / 1.0f + expf(-z[i]); dz[i] = (p - t[i]) / n; }", "brackets: 1 / (1 +"),
    ("06.bce_back", I + "if (i < n) { float e = expf(z[i]); dz[i] = (e / (1.0f + e) - t[i]) / n; }", "overflows for a large z"),
    ("06.bce_back", I + "if (i < n) { " + P + "dz[i] = (-t[i] / p + (1 - t[i]) / (1 - p)) * p * (1 - p) / n; }", "cancel it by hand first"),
    ("06.bce_back", "for (int i = threadIdx.x; i < n; i += blockDim.x) { " + P + "dz[i] = (p - t[i]) / n; }", "repeat each other"),
])
def test_wrong_kernels_are_told_why(name, body, hint):
    verdict = judge(name, body)
    assert not verdict.solved
    assert hint in verdict.text, verdict.text


CURES = {57: ("the gradient is divided by the batch twice", 3, "backward(net, dlogits)"), 2: ("e", 2, "header = 8"),
         5: ["a kernel is never launched", 3, "block = (16, 16)"]}


def test_three_illnesses_are_enough():
    verdict = find("06.clinic").judge(CURES)
    assert verdict.solved and "57, 2, 5" in verdict.text


@pytest.mark.parametrize(("letters", "hint"), [
    (..., "case.repair prints it"), ("all", "case.repair prints it"), ({}, "no letter yet"),
    ({57: CURES[57]}, "2 more illnesses"), ({57: CURES[57], 2: CURES[2], 15: CURES[2]}, "1 more illness;"),
    ({57: ("a", 3, "backward(net, dlogits)")}, "'a' is not what it has"), ({57: ("h", 9, "pass")}, "no line 9"),
    ({57: ("h", 3, "backward(net, dlogits / 2)")}, "length 0.5"), ({57: "h"}, "a letter is"), ({"57": "h"}, "a number"),
    ({57: ("h", 3, "backward(net, unknown)")}, "NameError"), ({57: ("h", 3, "backward(net,")}, "not Python"),
    *(({57: ("h", 3, text)}, "plain arithmetic") for text in (
        "import os", "backward(net, open('/etc/passwd'))", "().__class__", "np.load('x')", "backward(net, eval('0'))",
        "__builtins__", "[x for x in 3]", "(lambda: 0)()", "f'{dlogits}'"))])
def test_letters_that_do_not_cure(letters, hint):
    verdict = find("06.clinic").judge(letters)
    assert not verdict.solved and hint in verdict.text, verdict.text


def test_the_page_is_short_enough():
    cells = read(Path(__file__).parents[2] / "notebooks" / "06_backprop.ipynb", 4).cells
    headings = [line for cell in cells if cell.cell_type == "markdown" for line in re.findall("^## .+", cell.source, re.M)]
    python = [line for cell in cells if cell.cell_type == "code" and not cell.source.startswith("%%")
              and not cell.metadata.get("jupyter", {}).get("source_hidden") for line in cell.source.split("\n") if line.strip()]
    assert len([heading for heading in headings if not heading.endswith("(optional)")]) <= 14
    assert len(python) <= 200


def test_every_exercise_is_proved():
    prove("06")
