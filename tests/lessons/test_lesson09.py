"""Lesson 09: every check accepts right answers written differently and names the mistake of wrong ones."""

import numpy as np
import pytest

from nnlib.course.exercises import find
from nnlib.cuda import RawKernel

from .conftest import prove

SIGNATURES = {
    "09.tile": "const half* a, const half* b, float* c, int K",
    "09.padded": "const half* a, const half* b, float* c",
    "09.linear_forward_tc": "const half* x, const half* w, float* y, int N, int O, int K",
}
FRAGMENTS = """wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> A;
wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> B;
wmma::fragment<wmma::accumulator, 16, 16, 16, float> C;
wmma::fill_fragment(C, 0.0f);
"""
STEP = """for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(A, a + k, K);
    wmma::load_matrix_sync(B, b + k, K);
    wmma::mma_sync(C, A, B, C);
}
"""
STORE = "wmma::store_matrix_sync(c, C, 16, wmma::mem_row_major);"
TILE = FRAGMENTS + STEP + STORE
PADDED = (
    """__shared__ half s[2][16][24];
for (int i = threadIdx.x; i < 256; i += blockDim.x) { s[0][i / 16][i % 16] = a[i]; s[1][i / 16][i % 16] = b[i]; }
__syncthreads();
if (threadIdx.x >= 32) return;
"""
    + FRAGMENTS.replace("col_major", "row_major")
    + """wmma::load_matrix_sync(A, &s[0][0][0], 24);
wmma::load_matrix_sync(B, s[1][0], 24);
wmma::mma_sync(C, A, B, C);
"""
    + STORE
)
LINEAR = (
    "int row = 16 * blockIdx.y, column = 16 * blockIdx.x;\n"
    + FRAGMENTS
    + STEP.replace("a + k", "x + row * K + k").replace("b + k", "w + column * K + k")
    + STORE.replace("c, C, 16", "y + row * O + column, C, O")
)
RIGHT = [
    ("09.tile", TILE),
    (
        "09.tile",
        TILE.replace(
            "for (int k = 0; k < K; k += 16) {",
            "for (int t = 0; t < K / 16; t++) { int k = 16 * t;",
        ),
    ),
    (
        "09.tile",
        TILE.replace(
            "matrix_b, 16, 16, 16, half, wmma::col_major",
            "matrix_b, 16, 16, 16, half, wmma::col_major",
        ).replace("wmma::mma_sync(C, A, B, C);", "wmma::mma_sync(C, A, B, C, false);"),
    ),
    ("09.padded", PADDED),
    (
        "09.padded",
        PADDED.replace("if (threadIdx.x >= 32) return;", "if (threadIdx.x / 32 > 0) return;"),
    ),
    ("09.padded", PADDED.replace("[24]", "[40]").replace("24)", "40)")),
    ("09.linear_forward_tc", LINEAR),
    ("09.linear_forward_tc", LINEAR.replace("x + row * K + k", "&x[row * K + k]")),
]
WRONG = [
    ("09.tile", TILE.replace("col_major> B", "row_major> B"), "its fragment is col_major"),
    (
        "09.tile",
        TILE.replace(
            "    wmma::load_matrix_sync(A",
            "    wmma::fill_fragment(C, 0.0f); wmma::load_matrix_sync(A",
        ),
        "only the last step is left",
    ),
    (
        "09.tile",
        TILE.replace("a + k", "a").replace("b + k", "b"),
        "every step reads the first tiles",
    ),
    ("09.tile", TILE.replace("row_major> A", "col_major> A"), "a lies row by row"),
    ("09.tile", TILE.replace("a + k", "a"), "every step reads the first tile of a"),
    ("09.tile", TILE.replace("b + k", "b"), "every step reads the first tile of b"),
    (
        "09.tile",
        TILE.replace("b + k", "b + k * K"),
        "b lies column by column, so it is b + k, and not b + k * K",
    ),
    ("09.tile", TILE.replace("k += 16", "k++"), "does the loop over k go on by 16"),
    (
        "09.tile",
        TILE.replace("+ k, K)", "+ k, 16)"),
        "rows of a and columns of b are K elements apart",
    ),
    ("09.tile", TILE.replace("a + k, K)", "a + k, 16)"), "its rows are K elements apart"),
    ("09.tile", TILE.replace("b + k, K)", "b + k, 16)"), "its columns are K elements apart"),
    ("09.tile", TILE.replace("mem_row_major", "mem_col_major"), "this is c transposed"),
    ("09.tile", TILE.replace("wmma::fill_fragment(C, 0.0f);", ""), "fill_fragment(C, 0.0f) first"),
    (
        "09.tile",
        "for (int i = threadIdx.x; i < 256; i += 32) { float sum = 0; for (int k = 0; k < K; k++) "
        "sum += (float)a[i / 16 * K + k] * (float)b[i % 16 * K + k]; c[i] = sum; }",
        "let the tensor core multiply",
    ),
    ("09.padded", PADDED.replace("24)", "16)"), "write 24 for it"),
    ("09.padded", PADDED.replace("__syncthreads();\n", ""), "no __syncthreads() between the two"),
    ("09.padded", PADDED.replace("[24]", "[16]").replace("24)", "16)"), "keep the padding"),
    (
        "09.padded",
        PADDED.replace(
            "matrix_a, 16, 16, 16, half, wmma::row_major",
            "matrix_a, 16, 16, 16, half, wmma::col_major",
        ),
        "a lies row by row",
    ),
    (
        "09.padded",
        PADDED.replace(
            "matrix_b, 16, 16, 16, half, wmma::row_major",
            "matrix_b, 16, 16, 16, half, wmma::col_major",
        ),
        "b lies row by row",
    ),
    ("09.padded", PADDED.replace("c, C, 16", "c, C, 24"), "only s is padded"),
    (
        "09.linear_forward_tc",
        LINEAR.replace("w + column * K + k, K", "w + k * O + column, O"),
        "K elements apart, not O",
    ),
    (
        "09.linear_forward_tc",
        LINEAR.replace("w + column * K + k, K", "w + k * O + column, O").replace(
            "col_major> B", "row_major> B"
        ),
        "w is (O, K), not (K, O)",
    ),
    (
        "09.linear_forward_tc",
        LINEAR.replace("x + row * K + k, K", "x + row * K + k, 16"),
        "rows of x are K elements apart",
    ),
    (
        "09.linear_forward_tc",
        LINEAR.replace("w + column * K + k, K", "w + column * K + k, 16"),
        "rows of w are K elements apart",
    ),
    ("09.linear_forward_tc", LINEAR.replace("row * K", "row"), "row n of x begins at x + n * K"),
    (
        "09.linear_forward_tc",
        LINEAR.replace("column * K", "column"),
        "row o of w begins at w + o * K",
    ),
    (
        "09.linear_forward_tc",
        LINEAR.replace("mem_row_major", "mem_col_major"),
        "each tile of y is transposed",
    ),
    (
        "09.linear_forward_tc",
        LINEAR.replace("16 * blockIdx", "blockIdx"),
        "16 * blockIdx.y and 16 * blockIdx.x",
    ),
    (
        "09.linear_forward_tc",
        LINEAR.replace("col_major> B", "row_major> B"),
        "as matrix B = wᵀ it lies column by column",
    ),
    (
        "09.linear_forward_tc",
        LINEAR.replace("x + row * K + k", "x + k"),
        "row tiles come from blockIdx.y",
    ),
    (
        "09.linear_forward_tc",
        LINEAR.replace("w + column * K + k", "w + k"),
        "columns come from blockIdx.x",
    ),
    (
        "09.linear_forward_tc",
        LINEAR.replace("w + column", "w + row"),
        "rows of w are outputs, and so columns of y",
    ),
    ("09.linear_forward_tc", LINEAR.replace("k < K", "k < K - 16"), "the loop ends too early"),
    (
        "09.linear_forward_tc",
        LINEAR.replace("y + row * O + column, C, O", "y + row * O + column, C, K"),
        "a row of y has O",
    ),
    (
        "09.linear_forward_tc",
        LINEAR.replace("y + row * O + column", "y"),
        "each warp stores one tile of y",
    ),
]


def judge(name, body):
    text = f'#include <mma.h>\nusing namespace nvcuda;\nextern "C" __global__ void answer({SIGNATURES[name]}) {{\n{body}\n}}'
    return find(name).judge(RawKernel(text, "answer"))


@pytest.mark.parametrize(("name", "body"), RIGHT)
def test_right_kernels_are_accepted(name, body):
    verdict = judge(name, body)
    assert verdict.solved, verdict.text


@pytest.mark.parametrize(("name", "body", "hint"), WRONG)
def test_wrong_kernels_are_told_why(name, body, hint):
    verdict = judge(name, body)
    assert not verdict.solved
    assert hint in verdict.text, verdict.text


def doubled(gradients):
    scale = 1.0
    while np.abs(gradients).max() * scale * 2 <= 65504:
        scale *= 2
    while np.abs(gradients).max() * scale > 65504:
        scale /= 2
    return scale


@pytest.mark.parametrize(
    "answer", [doubled, lambda g: 2 ** int(np.floor(np.log2(65504 / max(g.max(), -g.min()))))]
)
def test_right_functions_are_accepted(answer):
    verdict = find("09.loss_scale").judge(answer)
    assert verdict.solved, verdict.text


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (lambda g: 2.0 ** np.ceil(np.log2(65504 / np.abs(g).max())), "this scale overflows"),
        (lambda g: 65504 / np.abs(g).max(), "must be a power of two"),
        (
            lambda g: 2.0 ** np.floor(np.log2(65504 / np.abs(g).min())),
            "the largest gradient decides",
        ),
        (lambda g: 2.0 ** np.floor(np.log2(65504 / np.abs(g).mean())), "the mean gradient"),
        (lambda g: np.floor(np.log2(65504 / np.abs(g).max())), "this is the exponent"),
        (lambda g: 2.0 ** np.floor(np.log2(np.abs(g).max() / 65504)), "not the other way round"),
        (lambda g: 2.0 ** np.floor(np.log2(np.abs(g).max())), "65504 is missing"),
        (lambda g: 1024.0, "it is the same in every case"),
    ],
)
def test_wrong_functions_are_told_why(answer, hint):
    verdict = find("09.loss_scale").judge(answer)
    assert not verdict.solved
    assert hint in verdict.text, verdict.text


def test_every_check_is_proved():
    prove("09")
