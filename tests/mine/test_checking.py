"""What `check` does around a verdict: prints little, ends endless kernels, keeps the course's solution apart."""

import pytest

from nnlib import mine
from nnlib.course import solved
from nnlib.course.notebook import check, cuda_cell
from tests.benchmarks.pieces import solutions

RELU = mine.PIECES["relu"]
LINE = "// <<<(n + 255) / 256, 256>>>\n"
FLOOD = (
    LINE
    + RELU.declaration
    + """ {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    printf("thread %d\\n", i);
    if (i < n) y[i] = fmaxf(x[i], 0.0f);
}"""
)


def checked(name, text, capsys, **options):
    cells = {}
    cuda_cell("", text, cells)
    capsys.readouterr()
    check(name, cells[name.split(".")[1]], **options)
    return capsys.readouterr().out.splitlines()


def test_what_a_kernel_prints_does_not_bury_the_verdict(capsys):
    said = checked("04.relu", FLOOD, capsys)
    assert said[:6] == [f"thread {i}" for i in range(6)]
    assert said[6].startswith("… and ") and said[6].endswith(
        " more lines, printed while it was checked"
    )
    assert said[7].startswith("✓ 04.relu") and len(said) < 14


@pytest.mark.parametrize(
    "name, body, words",
    [
        (
            "04.relu",
            'for (;;) printf("%d\\n", n);',
            "depends on nothing that another thread could change",
        ),
        ("04.relu", "while (true) {}", "depends on nothing that another thread could change"),
        (
            "02.sgd_step",
            "int i = blockIdx.x * blockDim.x + threadIdx.x; while (i < n) w[i] -= lr * g[i];",
            "25,000 loop iterations",
        ),
    ],
)
def test_an_endless_loop_is_told_after_so_many_iterations(name, body, words, capsys):
    said = checked(name, f"{LINE}{mine.PIECES[name[3:]].declaration} {{ {body} }}", capsys)
    assert any("does not end" in line for line in said) and len(said) < 30
    assert any(words in line for line in said)


@pytest.mark.parametrize(
    "old, new, words",
    [
        ("if (i < n)", "if (i < n);", "always runs: remove it"),
        ("if (i < n)", "if (i = n)", "compared by =="),
    ],
)
def test_a_slip_that_compiles_is_told_with_the_refusal(old, new, words, capsys):
    said = checked("04.relu", RELU.plain.replace(old, new), capsys)
    assert words in said[0] and any(line.startswith("✗ 04.relu") for line in said)


@pytest.mark.parametrize("name", ["linear_forward", "sum_columns", "linear_grad_input"])
def test_a_long_solution_of_the_course_is_never_the_students(name, capsys, monkeypatch):
    """The solution's cell was run, and then the student's own check once more."""
    kept = []
    monkeypatch.setattr(solved, "save", lambda *result: kept.append(result))
    piece, text = mine.PIECES[name], solutions()[name][0]
    checked(f"{piece.lesson}.{name}", text, capsys)
    assert mine.whose(name) == "solution" and not kept
    checked(f"{piece.lesson}.{name}", text + "\n// in words of my own", capsys)
    assert mine.whose(name) == "yours" and kept == [("exercises", f"{piece.lesson}.{name}", True)]
    checked(f"{piece.lesson}.{name}", text, capsys)
    assert mine.whose(name) == "yours"


STRIDED = [
    (
        "linear_forward",
        "row < outputs && start + tx < inputs ? w[row * inputs + start + tx]",
        "out < outputs && start + ty < inputs ? w[out * inputs + start + ty]",
    ),
    ("linear_forward", "w_tile[tx][i]", "w_tile[i][tx]"),
]


def test_tiles_that_are_loaded_with_a_stride_are_told_apart():
    text = solutions()["linear_forward"][0]
    assert mine.judge(mine.PIECES["linear_forward"], text).solved
    for _, old, new in STRIDED:
        assert old in text
        text = text.replace(old, new)
    verdict = mine.judge(mine.PIECES["linear_forward"], text)
    assert verdict.right and not verdict.solved
    assert "6,656 would hold all that is read. In line 13 a warp fetches 16 sectors at once" in str(
        verdict
    )
