"""Lesson 03: every check accepts right answers written differently and names the mistake of wrong ones."""

import numpy as np
import pytest

from nnlib.course.exercises import find
from nnlib.cuda import RawKernel

from .conftest import prove

REPAIR = r"""
#define T 16
extern "C" __global__ void answer(const float* A, const float* B, float* C, int n) {
    __shared__ float a[T][T], b[T][T];
    int row = blockIdx.y * T + threadIdx.y, column = blockIdx.x * T + threadIdx.x;
    EARLY
    float sum = 0.0f;
    for (int k0 = 0; k0 < n; k0 += T) {
        LOAD
        FIRST
        for (int k = 0; k < T; k++) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
        SECOND
    }
    if (row < n && column < n) C[row * n + column] = sum;
}"""
LOAD = ("a[threadIdx.y][threadIdx.x] = row < n && k0 + threadIdx.x < n ? A[row * n + k0 + threadIdx.x] : 0.0f;"
        "b[threadIdx.y][threadIdx.x] = k0 + threadIdx.y < n && column < n ? B[(k0 + threadIdx.y) * n + column] : 0.0f;")
LOAD_IF = ("a[threadIdx.y][threadIdx.x] = 0.0f; b[threadIdx.y][threadIdx.x] = 0.0f;"
           "if (row < n && k0 + threadIdx.x < n) a[threadIdx.y][threadIdx.x] = A[row * n + k0 + threadIdx.x];"
           "if (column < n && k0 + threadIdx.y < n) b[threadIdx.y][threadIdx.x] = B[(k0 + threadIdx.y) * n + column];")
SYNC = "__syncthreads();"
TRANSPOSE = 'extern "C" __global__ void answer(const float* x, float* out, int rows, int columns) {{ {} }}'.format
RC = "int r = blockIdx.y * 32 + threadIdx.y, c = blockIdx.x * 32 + threadIdx.x; "
SWAP = "r = blockIdx.y * 32 + threadIdx.x; c = blockIdx.x * 32 + threadIdx.y; "
FILL = "if (r < rows && c < columns) tile[threadIdx.y][threadIdx.x] = x[r * columns + c]; "
EMPTY = "if (r < rows && c < columns) out[c * rows + r] = tile[threadIdx.x][threadIdx.y];"
TN = 'extern "C" __global__ void answer(const float* A, const float* B, float* C, int M, int N, int K) {{ {} }}'.format
PLACE = "int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x; "
GUARD = "if (row >= M || column >= N) return; "


def repair(early="", load=LOAD, first=SYNC, second=SYNC):
    return REPAIR.replace("EARLY", early).replace("LOAD", load).replace("FIRST", first).replace("SECOND", second)


def tn(product, place=PLACE, guard=GUARD, store="C[row * N + column]"):
    return TN(place + guard + f"float sum = 0.0f; for (int k = 0; k < K; k++) sum += {product}; {store} = sum;")


def judge(name, source):
    return find(name).judge(RawKernel(source, "answer"))


@pytest.mark.parametrize(("name", "source"), [
    ("03.repair", repair()),
    ("03.repair", repair(load=LOAD_IF)),
    ("03.repair", repair(first="if (true) " + SYNC, second="if (k0 + T < n) " + SYNC)),
    ("03.repair", repair(load=SYNC + LOAD, second="").replace("sum += a[threadIdx.y][k] * b[k][threadIdx.x]",
                                                              "sum = fmaf(a[threadIdx.y][k], b[k][threadIdx.x], sum)")),
    ("03.transpose", TRANSPOSE("__shared__ float tile[32][32]; int tx = threadIdx.x, ty = threadIdx.y; " + RC +
                               "if (r < rows && c < columns) tile[ty][tx ^ ty] = x[r * columns + c];" + SYNC + SWAP +
                               "if (r < rows && c < columns) out[c * rows + r] = tile[tx][ty ^ tx];")),
    ("03.transpose", TRANSPOSE("__shared__ float tile[32][33]; " + RC + FILL + SYNC + SWAP + EMPTY)),
    ("03.tn", TN(PLACE + GUARD + "C[row * N + column] = 0.0f; "
                 "for (int k = 0; k < K; k++) C[row * N + column] += A[k * M + row] * B[k * N + column];")),
    ("03.transpose", TRANSPOSE("__shared__ float tile[32 * 33]; int tx = threadIdx.x, ty = threadIdx.y;" + RC +
                               "if (r < rows && c < columns) tile[tx * 33 + ty] = x[r * columns + c];" + SYNC +
                               "int r2 = blockIdx.y * 32 + tx, c2 = blockIdx.x * 32 + ty;"
                               "if (r2 < rows && c2 < columns) out[c2 * rows + r2] = tile[ty * 33 + tx];")),
    ("03.tn", tn("A[k * M + row] * B[k * N + column]")),
    ("03.tn", TN(PLACE + "if (row < M && column < N) { float s = 0; const float* a = A + row; "
                 "for (int k = 0; k < K; ++k, a += M) s = fmaf(*a, B[k * N + column], s); C[row * N + column] = s; }")),
])
def test_right_kernels_are_accepted(name, source):
    verdict = judge(name, source)
    assert verdict.solved, verdict.text


@pytest.mark.parametrize(("name", "source", "hint"), [
    ("03.repair", repair(second=""), "a barrier is missing"),
    ("03.repair", repair(first=""), "a barrier is missing"),
    ("03.repair", repair(early="if (row >= n || column >= n) return;"), "move the guard to the last line"),
    ("03.repair", repair(load=LOAD.replace("row < n && ", "").replace(" && column < n", "")), "check the row as well"),
    ("03.repair", repair(load="if (row < n && column < n) {" + LOAD + "}"), "every thread must fill its place"),
    ("03.transpose", TRANSPOSE(RC + "if (r < rows && c < columns) out[c * rows + r] = x[r * columns + c];"),
     "in the write too"),
    ("03.transpose", TRANSPOSE("__shared__ float tile[32][32]; " + RC + FILL + SYNC + SWAP + EMPTY), "pad to 33"),
    ("03.transpose", TRANSPOSE("__shared__ float tile[32][33]; " + RC + FILL + SWAP + EMPTY), "a barrier is missing"),
    ("03.repair", repair().replace("if (row < n && column < n) C", "C"), "store only inside of C"),
    ("03.transpose", TRANSPOSE("__shared__ float tile[32][33]; " + RC + "if (r >= rows || c >= columns) return; " + FILL +
                               SYNC + SWAP + EMPTY), "no thread may return before the barrier"),
    ("03.transpose", TRANSPOSE("__shared__ float tile[32][33]; " + RC + FILL + SYNC +
                               "int r2 = blockIdx.x * 32 + threadIdx.y, c2 = blockIdx.y * 32 + threadIdx.x;"
                               "if (r2 < rows && c2 < columns) out[r2 * rows + c2] = tile[threadIdx.x][threadIdx.y];"),
     "a new row and a new column"),
    ("03.repair", 'extern "C" __global__ void answer(const float* A, const float* B, float* C, int n) {' + PLACE +
     "if (row >= n || column >= n) return; float s = 0.0f; for (int k = 0; k < n; k++) s += A[row * n + k] * B[k * n + column];"
     "C[row * n + column] = s; }", "loads each tile once"),
    ("03.repair", repair().replace("if (row < n && column < n) C", "if (row * n + column < n * n) C"), "in C each thread"),
    ("03.repair", repair().replace("k < T", "k < n"), "a tile ends at k < T"),
    ("03.transpose", TRANSPOSE("for (int r = 0; r < rows; r++) for (int c = 0; c < columns; c++) "
                               "out[c * rows + r] = x[r * columns + c];"), "no loop over all"),
    ("03.transpose", TRANSPOSE("__shared__ float tile[32][33]; " + RC + FILL + SYNC + SWAP +
                               EMPTY.replace("c * rows", "c * columns")), "in out a row has rows elements"),
    ("03.transpose", TRANSPOSE(RC + "if (r < rows && c < columns) out[r * columns + c] = x[r * columns + c];"),
     "this copies"),
    ("03.transpose", TRANSPOSE("__shared__ float tile[32][33]; " + RC + FILL + SYNC +
                               "out[(blockIdx.x * 32 + threadIdx.y) * rows + blockIdx.y * 32 + threadIdx.x] = "
                               "tile[threadIdx.x][threadIdx.y];"), "a new row and a new column"),
    ("03.transpose", TRANSPOSE("__shared__ float tile[32][33]; " + RC + FILL + SYNC +
                               "r = blockIdx.y * 32 + threadIdx.x; c = blockIdx.x * 32 + threadIdx.y;" +
                               EMPTY.replace("[threadIdx.x][threadIdx.y]", "[threadIdx.y][threadIdx.x]")),
     "the tile itself must be turned"),
    ("03.tn", tn("A[k * K + row] * B[k * N + column]"), "A has rows of length M"),
    ("03.tn", tn("A[k * M + row] * B[k * K + column]"), "B has rows of length N"),
    ("03.tn", tn("A[k * M + row] * B[k * N + column]").replace("+=", "="), "add up the K products"),
    ("03.tn", tn("A[row * K + k] * B[k * N + column]"), "this is A B"),
    ("03.tn", tn("A[k * M + row] * B[column * K + k]"), "B is not transposed"),
    ("03.tn", tn("A[k * M + row] * B[k * N + column]", store="C[column * M + row]"), "the result is transposed"),
    ("03.tn", tn("A[k * M + row] * B[k * N + column]", guard=""), "guard both directions"),
    ("03.tn", tn("A[k * M + column] * B[k * N + row]"), "row, from y, belongs to A"),
    ("03.tn", tn("A[k * M + row] * B[k * N + column]").replace("k < K", "k <= K"), "end the sum at k < K"),
    ("03.tn", tn("A[k * M + row] * B[k * N + column]", store="C[row * K + column]"), "a row of C has N elements"),
    ("03.tn", TN("for (int row = 0; row < M; row++) for (int column = 0; column < N; column++) { float s = 0.0f; "
                 "for (int k = 0; k < K; k++) s += A[k * M + row] * B[k * N + column]; C[row * N + column] = s; }"),
     "no loop over all"),
    ("03.tn", tn("A[k * M + row] * B[k * N + column]", place="int row = blockIdx.x * 16 + threadIdx.x, "
                 "column = blockIdx.y * 16 + threadIdx.y; "), "x counts columns"),
    ("03.tn", tn("A[k * M + row] * B[k * N + column]", place="int row = threadIdx.y, column = threadIdx.x; "),
     "is blockIdx in it"),
])
def test_wrong_kernels_are_told_why(name, source, hint):
    verdict = judge(name, source)
    assert not verdict.solved
    assert hint in verdict.text, verdict.text


@pytest.mark.parametrize(("name", "answer"), [
    ("03.grid", lambda r, c, t: ((c + t - 1) // t, (r + t - 1) // t)),
    ("03.grid", lambda r, c, t: np.array([-(-c // t), -(-r // t)])),
    ("03.grid", lambda r, c, t: [-(-c // t), -(-r // t)]),
    ("03.intensity", lambda bm, bn: 2 * bm * bn / (4 * (bm + bn))),
    ("03.intensity", lambda bm, bn: 0.5 / (1 / bm + 1 / bn)),
])
def test_right_functions_are_accepted(name, answer):
    verdict = find(name).judge(answer)
    assert verdict.solved, verdict.text


@pytest.mark.parametrize(("name", "answer", "hint"), [
    ("03.grid", lambda r, c, t: (-(-r // t), -(-c // t)), "x counts columns, y counts rows"),
    ("03.grid", lambda r, c, t: (c / t, r / t), "no parts of blocks"),
    ("03.intensity", lambda bm, bn: 2 * bm * bn // (4 * (bm + bn)), "/ and not //"),
    ("03.intensity", lambda bm, bn: bm * bn / (bm + bn), "4 bytes per float"),
    ("03.grid", lambda r, c, t: (c // t, r // t), "no block"),
    ("03.grid", lambda r, c, t: (c // t + 1, r // t + 1), "one block too many"),
    ("03.grid", lambda r, c, t: (r // t, c // t), "x counts columns"),
    ("03.grid", lambda r, c, t: (-(-c // t) * 1.0, -(-r // t)), "must be an integer"),
    ("03.grid", lambda r, c, t: -(-c // t) * -(-r // t), "1 result where 2"),
    ("03.intensity", lambda bm, bn: bm * bn, "multiply-adds"),
    ("03.intensity", lambda bm, bn: 2 * bm * bn / 4 * (bm + bn), "brackets: divide"),
    ("03.intensity", lambda bm, bn: 2 * bm * bn / (4 * bm + bn), "brackets: 4 bytes"),
    ("03.intensity", lambda bm, bn: bm * bn / (4 * (bm + bn)), "two operations"),
    ("03.intensity", lambda bm, bn: 2 * bm * bn / (bm + bn), "4 bytes"),
    ("03.intensity", lambda bm, bn: 2 * bm * bn, "divide by the bytes"),
    ("03.intensity", lambda bm, bn: 2 * (bm + bn) / (bm * bn), "turn it over"),
])
def test_wrong_functions_are_told_why(name, answer, hint):
    verdict = find(name).judge(answer)
    assert not verdict.solved and hint in verdict.text, verdict.text


def test_every_exercise_is_proved():
    prove("03")
