"""Notebooks as students hand them in, written from their answers."""

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from nnlib.course.exercises import find
from nnlib.course.exercises.checking import Verdict
from nnlib.teaching.marking.judge import judged
from nnlib.teaching.marking.marks import not_judged
from nnlib.teaching.marking.remote import TookTooLong

MEMORY = 3000  # MB
ROTATE = """%%cuda
extern "C" __global__ void rotate(const float* image, float* out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[x * height + height - 1 - y] = image[y * width + x];
}"""
INTENSITY = "def intensity(bm, bn):\n    return bm * bn / (2 * (bm + bn))"


@pytest.fixture
def hand_in(tmp_path):
    """hand_in(cell, …) -> path of a notebook with these code cells; a pair is (source, tags)."""

    def write(*cells):
        cells = [cell if isinstance(cell, tuple) else (cell, []) for cell in cells]
        path = tmp_path / "handed_in.ipynb"
        code = [new_code_cell(source, metadata={"tags": tags}) for source, tags in cells]
        nbformat.write(new_notebook(cells=code), path)
        return path

    return write


def judge(path, name, seed=5, seconds=600):
    """The verdict of an exercise, as the judge's process has it, in this process: without its start."""
    return judge_all(path, name, seed, seconds)[0]


def judge_all(path, name, seed=5, seconds=600, parts=False):
    """The verdict, the stars, and whether it is right in part; the exercise stays as it was."""
    exercise = find(name)
    kept = dict(vars(exercise))
    try:
        return judged(path, exercise, seed, seconds, MEMORY, parts)
    except TookTooLong as late:
        return Verdict(False, not_judged(str(late))["said"]), 0, False
    finally:
        vars(exercise).clear()
        vars(exercise).update(kept)
