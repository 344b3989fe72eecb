"""Lesson 03: every check accepts right answers written differently and names the mistake of wrong ones."""

import pytest

from nnlib.course.exercises import find
from nnlib.cuda import RawKernel

from .conftest import prove

SYNC = "__syncthreads();"
TRANSPOSE = 'extern "C" __global__ void answer(const float* x, float* out, int rows, int columns) {{ {} }}'.format
RC = "int r = blockIdx.y * 32 + threadIdx.y, c = blockIdx.x * 32 + threadIdx.x; "
SWAP = "r = blockIdx.y * 32 + threadIdx.x; c = blockIdx.x * 32 + threadIdx.y; "
FILL = "if (r < rows && c < columns) tile[threadIdx.y][threadIdx.x] = x[r * columns + c]; "
EMPTY = "if (r < rows && c < columns) out[c * rows + r] = tile[threadIdx.x][threadIdx.y];"


def judge(name, source):
    return find(name).judge(RawKernel(source, "answer"))


@pytest.mark.parametrize(
    ("name", "source"),
    [
        (
            "03.transpose",
            TRANSPOSE(
                "__shared__ float tile[32][32]; int tx = threadIdx.x, ty = threadIdx.y; "
                + RC
                + "if (r < rows && c < columns) tile[ty][tx ^ ty] = x[r * columns + c];"
                + SYNC
                + SWAP
                + "if (r < rows && c < columns) out[c * rows + r] = tile[tx][ty ^ tx];"
            ),
        ),
        (
            "03.transpose",
            TRANSPOSE("__shared__ float tile[32][33]; " + RC + FILL + SYNC + SWAP + EMPTY),
        ),
        (
            "03.transpose",
            TRANSPOSE(
                "__shared__ float tile[32 * 33]; int tx = threadIdx.x, ty = threadIdx.y;"
                + RC
                + "if (r < rows && c < columns) tile[tx * 33 + ty] = x[r * columns + c];"
                + SYNC
                + "int r2 = blockIdx.y * 32 + tx, c2 = blockIdx.x * 32 + ty;"
                "if (r2 < rows && c2 < columns) out[c2 * rows + r2] = tile[ty * 33 + tx];"
            ),
        ),
    ],
)
def test_right_kernels_are_accepted(name, source):
    verdict = judge(name, source)
    assert verdict.solved, verdict.text


@pytest.mark.parametrize(
    ("name", "source", "hint"),
    [
        (
            "03.transpose",
            TRANSPOSE(RC + "if (r < rows && c < columns) out[c * rows + r] = x[r * columns + c];"),
            "in the write, too",
        ),
        (
            "03.transpose",
            TRANSPOSE("__shared__ float tile[16][17]; " + RC + FILL + SYNC + SWAP + EMPTY),
            "its sides must fit the block",
        ),
        (
            "03.transpose",
            TRANSPOSE("__shared__ float tile[32][32]; " + RC + FILL + SYNC + SWAP + EMPTY),
            "pad the rows to 33",
        ),
        (
            "03.transpose",
            TRANSPOSE("__shared__ float tile[32][33]; " + RC + FILL + SWAP + EMPTY),
            "a barrier is missing",
        ),
        (
            "03.transpose",
            TRANSPOSE("__shared__ float tile[32][33]; " + RC + 3 * FILL + SYNC + SWAP + EMPTY),
            "load each number once",
        ),
        (
            "03.transpose",
            TRANSPOSE(
                "__shared__ float tile[32][33]; "
                + RC
                + "if (r >= rows || c >= columns) return; "
                + FILL
                + SYNC
                + SWAP
                + EMPTY
            ),
            "no thread may return before the barrier",
        ),
        (
            "03.transpose",
            TRANSPOSE(
                "__shared__ float tile[32][33]; "
                + RC
                + FILL
                + SYNC
                + "int r2 = blockIdx.x * 32 + threadIdx.y, c2 = blockIdx.y * 32 + threadIdx.x;"
                "if (r2 < rows && c2 < columns) out[r2 * rows + c2] = tile[threadIdx.x][threadIdx.y];"
            ),
            "a new row and a new column",
        ),
        (
            "03.transpose",
            TRANSPOSE(
                "for (int r = 0; r < rows; r++) for (int c = 0; c < columns; c++) "
                "out[c * rows + r] = x[r * columns + c];"
            ),
            "no loop over all",
        ),
        (
            "03.transpose",
            TRANSPOSE(
                "__shared__ float tile[32][33]; "
                + RC
                + FILL
                + SYNC
                + SWAP
                + EMPTY.replace("c * rows", "c * columns")
            ),
            "as long as x has rows",
        ),
        (
            "03.transpose",
            TRANSPOSE(
                RC + "if (r < rows && c < columns) out[r * columns + c] = x[r * columns + c];"
            ),
            "this copies",
        ),
        (
            "03.transpose",
            TRANSPOSE(
                "__shared__ float tile[32][33]; "
                + RC
                + FILL
                + SYNC
                + "out[(blockIdx.x * 32 + threadIdx.y) * rows + blockIdx.y * 32 + threadIdx.x] = "
                "tile[threadIdx.x][threadIdx.y];"
            ),
            "a new row and a new column",
        ),
        (
            "03.transpose",
            TRANSPOSE(
                "__shared__ float tile[32][33]; "
                + RC
                + FILL
                + SYNC
                + "r = blockIdx.y * 32 + threadIdx.x; c = blockIdx.x * 32 + threadIdx.y;"
                + EMPTY.replace("[threadIdx.x][threadIdx.y]", "[threadIdx.y][threadIdx.x]")
            ),
            "not transposed itself",
        ),
        (
            "03.transpose",
            TRANSPOSE("float tile[32][33]; " + RC + FILL + SYNC + SWAP + EMPTY),
            "write __shared__ before it",
        ),
        (
            "03.transpose",
            TRANSPOSE(
                "__shared__ float tile[32][33]; "
                + RC
                + FILL.replace("r < rows", "r < 256 && r < rows")
                + SYNC
                + SWAP
                + EMPTY
            ),
            "rows = 320",
        ),
    ],
)
def test_wrong_kernels_are_told_why(name, source, hint):
    verdict = judge(name, source)
    assert not verdict.solved
    assert hint in verdict.text, verdict.text


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("03.intensity", lambda bm, bn: 2 * bm * bn / (4 * (bm + bn))),
        ("03.intensity", lambda bm, bn: 0.5 / (1 / bm + 1 / bn)),
    ],
)
def test_right_functions_are_accepted(name, answer):
    verdict = find(name).judge(answer)
    assert verdict.solved, verdict.text


@pytest.mark.parametrize(
    ("name", "answer", "hint"),
    [
        ("03.intensity", lambda bm, bn: 2 * bm * bn // (4 * (bm + bn)), "/ and not //"),
        ("03.intensity", lambda bm, bn: bm * bn / (bm + bn), "4 bytes for each float"),
        ("03.intensity", lambda bm, bn: bm * bn, "count the additions, too"),
        ("03.intensity", lambda bm, bn: 2 * bm * bn / 4 * (bm + bn), "brackets: divide"),
        ("03.intensity", lambda bm, bn: 2 * bm * bn / (4 * bm + bn), "brackets: 4 bytes"),
        ("03.intensity", lambda bm, bn: bm * bn / (4 * (bm + bn)), "two operations"),
        ("03.intensity", lambda bm, bn: 2 * bm * bn / (bm + bn), "4 bytes"),
        ("03.intensity", lambda bm, bn: 2 * bm * bn, "divide them by the bytes"),
        ("03.intensity", lambda bm, bn: bm / 4, "square blocks only: bn"),
        ("03.intensity", lambda bm, bn: 0.25 * bn, "square blocks only: bm"),
        ("03.intensity", lambda bm, bn: 2 * (bm + bn) / (bm * bn), "turn the fraction over"),
        ("03.intensity", lambda bm, bn: 2 * bm * bn / (8 * (bm + bn)), "a float has 4 bytes"),
        ("03.intensity", lambda bm, bn: min(bm, bn) / 4, "the smaller side alone"),
        ("03.intensity", lambda bm, bn: (bm + bn) / 8, "take no mean"),
        ("03.intensity", lambda bm, bn: (bm * bn) ** 0.5 / 4, "take no root"),
    ],
)
def test_wrong_functions_are_told_why(name, answer, hint):
    verdict = find(name).judge(answer)
    assert not verdict.solved and hint in verdict.text, verdict.text


def test_every_exercise_is_proved():
    prove("03")
