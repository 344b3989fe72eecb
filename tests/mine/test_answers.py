"""Workshops: right answers are accepted, wrong ones refused with the right hint.

`python -m tests.mine.table` writes the table of all of them.
"""

import pytest

from nnlib import mine
from nnlib.mine.trials import trial

from . import answers
from .table import hint, judge


@pytest.mark.parametrize("name", mine.PIECES)
def test_right_answers_are_accepted(name):
    for text in answers.right(name):
        solved, said = judge(name, text)
        assert solved, f"{said}\n{text}"


@pytest.mark.parametrize(
    ("name", "seed"),
    {
        "linear_forward": 332,
        "linear_grad_input": 249,
        "linear_grad_weight": 109,
        "conv_grad_input": 5,
    }.items(),
)
def test_a_sum_of_thousands_is_right_whatever_cancels(name, seed):
    verdict = mine.judge(mine.PIECES[name], answers.typed(name), seed=seed, score=False)
    assert verdict.right, verdict


def test_a_small_result_is_right_where_relu_hides_large_sums():
    piece = mine.PIECES["conv_relu"]
    assert mine.judge(piece, piece.best, seed=3050515222).right


@pytest.mark.parametrize("name", mine.PIECES)
def test_wrong_answers_are_refused_with_the_right_hint(name, monkeypatch):
    texts = list(answers.wrong(name))
    assert len({text for text, _ in texts}) >= 15
    limit = trial.TRIAL_LIMIT
    for text, words in texts:
        # Need not take long
        monkeypatch.setattr(trial, "TRIAL_LIMIT", 2_000 if words == "does not end" else limit)
        solved, said = judge(name, text)
        print(f"{name}: {hint(said)}")
        assert not solved, f"accepted, though {words or 'wrong'}\n{text}"
        assert words.lower() in said.lower(), f"{said}\nlacks {words!r}\n{text}"
        assert said.lower().count("hint:") <= 1, said
        assert "A guard must" not in said or words == "guard", f"the guard is there\n{said}\n{text}"


FOURS = """// <<<(n / 4 + 256) / 256, 256>>>
extern "C" __global__ void sgd_step(float* w, const float* g, float lr, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, grid = gridDim.x * blockDim.x;
    for (int k = i; k < n / 4; k += grid)
        for (int j = 4 * k; j < 4 * k + 4; j++) w[j] -= lr * g[j];
    if (i < n % 4) w[n / 4 * 4 + i] -= lr * g[n / 4 * 4 + i];
}"""


def test_one_thread_must_do_the_rest_of_fours_as_well():
    solved, said = judge("sgd_step", FOURS)
    assert not solved and "n = 31, launched with <<<1, 1>>>" in said
    assert judge(
        "sgd_step",
        FOURS.replace(
            "if (i < n % 4) w[n / 4 * 4 + i] -= lr * g[n / 4 * 4 + i]",
            "for (int k = n / 4 * 4 + i; k < n; k += grid) w[k] -= lr * g[k]",
        ),
    )[0]


def test_one_thread_that_does_everything_is_not_called_endless():
    alone = answers.typed("sgd_step").replace(
        "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)",
        "if (threadIdx.x + blockIdx.x == 0) for (int i = 0; i < n; i++)",
    )
    assert "it does the work of many" in judge("sgd_step", alone)[1]


@pytest.mark.parametrize(
    ("old", "new", "way"),
    [
        ("- pad", "", "✓ one plane  ✗ stride and padding"),
        ("c < C", "c < 1", "✓ stride and padding  ✗ channels"),
        ("(f * C + c)", "c", "✓ channels  ✗ filters"),
        ("(n * C + c) * H", "c * H", "✓ filters  ✗ pictures"),
        ("(N * F * OH * OW + 255) / 256", "1", "✓ pictures  ✗ other sizes"),
        ("float sum = b[f];", "float sum = 0.0f;", ": ✗ one plane"),
    ],
)
def test_a_refusal_says_how_far_a_convolution_came(old, new, way):
    text = mine.PIECES["conv_forward"].plain
    assert text.count(old) and way in judge("conv_forward", text.replace(old, new))[1]


SCATTER = """// <<<(planes * OH * OW + 127) / 128, 128>>>
#define OH ((H - size) / stride + 1)
#define OW ((W - size) / stride + 1)
extern "C" __global__ void max_pool_grad(const float* dy, const int* argmax, float* dx, int planes, int H, int W,
                                         int size, int stride) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < planes * OH * OW) dx[at / (OH * OW) * H * W + argmax[at]] += dy[at];
}"""


HEAD, KERNEL = answers.typed("sum_columns").split('extern "C"')
# Beside a __shared__
ONE_LINE = f'{HEAD}extern "C"{KERNEL}'.replace(KERNEL, KERNEL.replace("\n", " ")).replace(
    "float sum = 0.0f;", "float sum;"
)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("max_pool_grad", SCATTER, "turn it around: a thread owns a result"),
        (
            "max_pool_grad",
            SCATTER.replace("dx[at /", "atomicAdd(&dx[at /").replace("] += dy[at]", "], dy[at])"),
            "the task wants no atomics",
        ),
        (
            "conv_grad_weight",
            mine.PIECES["conv_grad_weight"].plain.replace("continue", "return"),
            "does it return before",
        ),
        (
            "normalise_images",
            mine.PIECES["normalise_images"].plain.replace("(n + 255) / 256", "(n + 255) / 128"),
            "with half as many blocks in x",
        ),
        (
            "normalise_images",
            mine.PIECES["normalise_images"].plain.replace(
                "blockIdx.x * blockDim.x + threadIdx.x", "threadIdx.x * blockDim.x + blockIdx.x"
            ),
            "exchanged in the index",
        ),
        (
            "normalise_images",
            mine.PIECES["normalise_images"].plain.replace(
                "blockIdx.x * blockDim.x + threadIdx.x", "blockIdx.x"
            ),
            "as many as the grid has blocks",
        ),
        (
            "conv_forward",
            mine.PIECES["conv_forward"].plain.replace("at >= N * F *", "at >= N *"),
            "is a size missing",
        ),
        ("sum_columns", ONE_LINE, "give it a value"),
    ],
)
def test_what_is_said_of_a_whole_text(name, text, words):
    assert words.lower() in judge(name, text)[1].lower()
