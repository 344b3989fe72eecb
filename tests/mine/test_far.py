"""What is wrong somewhere is refused: beyond a border, far out, for extreme numbers, where C defines nothing."""

import numpy as np

from nnlib import mine
from nnlib.course.exercises.mistakes import usual_text
from nnlib.mine.contract import Far
from nnlib.mine.trials import far, trial

from .answers import each_of, plain


@each_of("refused.txt", plain)
def test_what_is_wrong_somewhere_is_refused(name, text, words):
    verdict = mine.judge(mine.PIECES[name], text, score="overflows" in words)
    assert not verdict.solved and words in str(verdict), verdict


@each_of("accepted.txt", plain)
def test_what_only_looks_odd_is_right(name, text, words):
    verdict = mine.judge(mine.PIECES[name], text)
    assert verdict.solved or "sizes" in words and verdict.right, f"{words}: {verdict}"


def test_a_thousand_useless_operations_are_refused_and_a_dozen_cost_stars():
    useless = "if (i >= n) return; float t = x[i]; for (int k = 0; k < %d; k++) t = sqrtf(t * t + 1.0f); if (t >= 0.0f)"
    verdicts = [
        mine.judge(mine.PIECES["relu"], plain("relu").replace("if (i < n)", useless % times))
        for times in (1000, 4)
    ]
    assert (
        "times the operations" in str(verdicts[0]) and verdicts[1].solved and verdicts[1].stars < 3
    )
    natural = plain("relu").replace(
        "y[i] = fmaxf(x[i], 0.0f);", "{ if (x[i] > 0) y[i] = x[i]; else y[i] = 0; }"
    )
    assert mine.judge(mine.PIECES["relu"], natural).stars == 3


def test_a_chunk_for_each_thread_is_no_grid_stride_loop():
    loop = "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)"
    chunk = (
        "int each = (n - 1) / (gridDim.x * blockDim.x) + 1;"
        "int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;"
        "for (int i = first; i < min(first + each, n); i++)"
    )
    verdict = mine.judge(mine.PIECES["sgd_step"], plain("sgd_step").replace(loop, chunk))
    assert verdict.right and not verdict.solved and "chunk of its own" in str(verdict)


def test_a_barrier_behind_a_condition_is_watched_to_the_end_of_a_long_loop():
    text = usual_text(mine.PIECES["linear_forward"])
    late = "w_tile[tx][i];\n        if (start < 4096)"
    verdict = mine.judge(
        mine.PIECES["linear_forward"], text.replace("w_tile[tx][i];\n", late), score=False
    )
    assert not verdict.right and "race" in str(verdict)


def test_a_race_that_only_long_loops_have_is_found():
    text = usual_text(mine.PIECES["linear_forward"])
    early = "if (inputs > 4096 && x_tile[T - 1 - ty][tx] > 1e38f) sum = 1.0f; __syncthreads();"
    verdict = mine.judge(
        mine.PIECES["linear_forward"], text.replace("__syncthreads();", early, 1), score=False
    )
    assert not verdict.right and "race" in str(verdict)


def test_a_block_for_few_weights_is_tried_beyond_a_million_of_them():
    """Its launch at 2,100 x 2,100 of them is left out: it has too many threads."""
    piece = mine.PIECES["conv_grad_weight"]
    text = piece.best.replace("tap] = total", "tap & 0xfffff] = total")
    text = text.replace("[(f * C + c) * K * K + tap &", "[((f * C + c) * K * K + tap) &")
    verdict = mine.judge(piece, text, score=False)
    assert not verdict.right and "C = 342" in str(verdict)


def test_a_long_case_is_a_short_one_again_and_again():
    piece = mine.PIECES["sum_columns"]
    answer = trial.prepare(piece, piece.plain)
    sizes = {"rows": 4, "columns": 30, "inner": 2}
    case = far.case(answer, Far(sizes, "columns", 7))
    x, sums = case.copies()["x"], case.expected["sums"]
    assert x.shape == (4, 30, 2) and np.array_equal(x[:, :7], x[:, 21:28])
    right = x.sum((0, 2), dtype=np.float32)
    assert case.how_far("sums", right) < 1e-6 and len(sums) == 7
    right[29] += 1
    assert "sums[29] is" in case.how_far("sums", right)
    summed = far.case(answer, Far({"rows": 14, "columns": 3, "inner": 2}, "rows", 7))
    np.testing.assert_allclose(summed.expected["sums"], summed.copies()["x"].sum((0, 2)), rtol=1e-5)
