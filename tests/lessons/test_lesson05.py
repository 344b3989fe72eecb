"""Lesson 05: every check accepts right answers written differently and names the mistake of wrong ones."""

import pytest

from nnlib.course.exercises import find
from nnlib.cuda import RawKernel

from .conftest import prove

SIGNATURES = {
    "05.blur": "const float* x, float* y, int H, int W",
    "05.fold": "const float* columns, float* x, int n, int K",
    "05.avg_back": "const float* dy, float* dx, int H, int W",
}
PLACE = "int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x; "
GUARD = "if (row >= H || column >= W) return; "
SUM = ("float s = 0.0f; int count = 0; for (int r = row - 1; r <= row + 1; r++) for (int c = column - 1; c <= column + 1; c++) "
       "if (r >= 0 && r < H && c >= 0 && c < W) { s += x[r * W + c]; count++; } ")
I = "int i = blockIdx.x * blockDim.x + threadIdx.x, P = n - K + 1; "  # noqa: E741
GATHER = "float s = 0.0f; for (int k = 0; k < K; k++) { int p = i - k; if (p >= 0 && p < P) s += columns[k * P + p]; } x[i] = s;"
INSIDE = "bool in = row / 2 < H / 2 && column / 2 < W / 2; "
DY = "dy[row / 2 * (W / 2) + column / 2]"


def judge(name, body):
    return find(name).judge(RawKernel(f'extern "C" __global__ void answer({SIGNATURES[name]}) {{ {body} }}', "answer"))


@pytest.mark.parametrize(("name", "body"), [
    ("05.blur", PLACE + GUARD + SUM + "y[row * W + column] = s / 9.0f;"),
    ("05.blur", PLACE + "if (row < H && column < W) { float s = 0; for (int k = 0; k < 9; k++) { int r = row + k / 3 - 1, "
                        "c = column + k % 3 - 1; s += r < 0 || r >= H || c < 0 || c >= W ? 0.0f : x[r * W + c]; } "
                        "y[row * W + column] = s * (1.0f / 9.0f); }"),
    ("05.blur", PLACE + GUARD + SUM.replace("float s = 0.0f;", "y[row * W + column] = 0.0f;").replace("s +=", "y[row * W + column] +=") +
     "y[row * W + column] /= 9.0f;"),
    ("05.fold", I + "if (i >= n) return; x[i] = 0.0f; " + GATHER.replace("float s = 0.0f;", "").replace("s +=", "x[i] +=")
        .replace("x[i] = s;", "")),
    ("05.fold", I + "if (i >= n) return; " + GATHER),
    ("05.fold", I + "if (i < n) { float s = 0; for (int p = max(0, i - K + 1); p <= min(i, P - 1); p++) "
                    "s += columns[(i - p) * P + p]; x[i] = s; }"),
    ("05.avg_back", "for (int row = blockIdx.y * 16 + threadIdx.y; row < H; row += gridDim.y * 16) for (int column = blockIdx.x * 16 "
     "+ threadIdx.x; column < W; column += gridDim.x * 16) { dx[row * W + column] = 0; if (row / 2 < H / 2 && column / 2 < W / 2) "
     "dx[row * W + column] = " + DY + " * 0.25; }"),
    ("05.avg_back", PLACE + GUARD + INSIDE + "dx[row * W + column] = in ? 0.25f * " + DY + " : 0.0f;"),
    ("05.avg_back", PLACE + GUARD + "float v = 0; if (row < H / 2 * 2 && column < W / 2 * 2) v = " + DY + " / 4; dx[row * W + column] = v;"),
])
def test_right_kernels_are_accepted(name, body):
    verdict = judge(name, body)
    assert verdict.solved, verdict.text


@pytest.mark.parametrize(("name", "body", "hint"), [
    ("05.blur", PLACE + GUARD + SUM + "y[row * W + column] = s / count;", "also at the edge"),
    ("05.blur", PLACE + GUARD + SUM + "y[row * W + column] = s;", "divide by 9"),
    ("05.blur", PLACE + GUARD + SUM + "y[row * W + column] = s * (1 / 9);", "divides two integers"),
    ("05.blur", PLACE + GUARD + SUM.replace("row - 1", "row").replace("row + 1", "row + 2").replace("column - 1", "column")
        .replace("column + 1", "column + 2") + "y[row * W + column] = s / 9;", "from -1 to 1"),
    ("05.blur", PLACE + GUARD + SUM.replace("if (r >= 0 && r < H && c >= 0 && c < W)", "") + "y[row * W + column] = s / 9;",
     "test the neighbour's row and column"),
    ("05.blur", PLACE + GUARD + SUM + "y[row * W + column] = (s - x[row * W + column]) / 9;", "belongs to the window"),
    ("05.fold", I + "if (i < n) { float s = 0; for (int k = 0; k < K; k++) if (i + k < P) s += columns[k * P + i + k]; x[i] = s; }",
     "i - k, not i + k"),
    ("05.blur", PLACE + GUARD + SUM.replace("<= row + 1", "< row + 1").replace("<= column + 1", "< column + 1") +
     "y[row * W + column] = s / 9;", "end too early"),
    ("05.blur", PLACE + GUARD + SUM.replace(">= 0", "> 0") + "y[row * W + column] = s / 9;", "are in the picture"),
    ("05.blur", PLACE + GUARD + SUM.replace("r >= 0 && r < H && c >= 0 && c < W", "r * W + c >= 0 && r * W + c < H * W") +
     "y[row * W + column] = s / 9;", "not the index"),
    ("05.blur", PLACE + "if (row < 1 || row >= H - 1 || column < 1 || column >= W - 1) return; " + SUM +
     "y[row * W + column] = s / 9;", "pixels at the edge have a result, too"),
    ("05.blur", PLACE + GUARD + SUM + "y[row * H + column] = s / 9;", "a row has W pixels"),
    ("05.blur", PLACE + GUARD + SUM.replace("x[r * W + c]", "x[c * W + r]") + "y[row * W + column] = s / 9;", "x[r * W + c]"),
    ("05.blur", PLACE + GUARD + "bool edge = row < 1 || row > H - 2 || column < 1 || column > W - 2; " + SUM +
     "y[row * W + column] = edge ? 0.0f : s / 9;", "are no zeros"),
    ("05.fold", I + "if (i >= n) return; x[i] = 0.0f; " + GATHER.replace("s +=", "atomicAdd(&x[i],").replace("+ p];", "+ p]);")
        .replace("x[i] = s;", ""), "needs no atomics"),
    ("05.fold", I.replace("blockDim.x", "32") + "if (i >= n) return; " + GATHER, "without blockIdx.x, blockDim.x"),
    ("05.fold", I.replace("int i = blockIdx.x * blockDim.x + threadIdx.x, P", "int P") +
     "for (int i = threadIdx.x; i < n; i += blockDim.x) { " + GATHER + "}", "repeat each other's work"),
    ("05.avg_back", PLACE + GUARD + INSIDE + "dx[row * W + column] = in ? 0.25f * " + DY.replace("(W / 2)", "W / 2") + " : 0.0f;",
     "mind the brackets"),
    ("05.avg_back", PLACE + GUARD + INSIDE + "dx[row * H + column] = in ? 0.25f * " + DY + " : 0.0f;", "a row has W pixels"),
    ("05.fold", I + "if (i >= n) return; " + GATHER.replace("if (p >= 0 && p < P) ", ""), "outside of its row"),
    ("05.fold", I + "if (i >= n) return; " + GATHER.replace("&& p < P", ""), "in the row below"),
    ("05.fold", I + "if (i >= n) return; " + GATHER.replace("p >= 0", "p > 0"), "place 0 counts"),
    ("05.fold", I + "if (i >= n) return; " + GATHER.replace("p < P", "p < P - 1"), "place n - K counts"),
    ("05.fold", I + "if (i >= n) return; " + GATHER.replace("k * P + p", "p * K + k"), "row k begins"),
    ("05.fold", I + "if (i >= n) return; " + GATHER.replace("k * P + p", "k * n + p"), "row k begins"),
    ("05.avg_back", PLACE + GUARD + INSIDE + "if (in) dx[row * W + column] = 0.25f * " + DY + ";", "gets 0: write it"),
    ("05.fold", I + "if (i < n) x[i] = i < P ? columns[i] : 0.0f;", "only tap 0"),
    ("05.fold", I + "if (i < P) for (int k = 0; k < K; k++) x[i + k] += columns[k * P + i];", "threads meet in one pixel"),
    ("05.fold", I + "if (i < n) { float v = 0; for (int k = 0; k < K; k++) if (i - k >= 0 && i - k < P) v = columns[k * P + i - k]; x[i] = v; }",
     "the last one overwrites"),
    ("05.fold", I + GATHER, "guard the thread"),
    ("05.fold", "int P = n - K + 1; for (int i = 0; i < n; i++) { " + GATHER + " }", "no loop over all"),
    ("05.blur", "for (int row = 0; row < H; row++) for (int column = 0; column < W; column++) { " + SUM +
     "y[row * W + column] = s / 9.0f; }", "no loop over all"),
    ("05.fold", I + "if (i >= n) return; " + GATHER.replace("p >= 0 && p < P", "p < P"), "test p >= 0, too"),
    ("05.avg_back", PLACE + GUARD + INSIDE + "dx[row * W + column] = in ? " + DY + " : 0.0f;", "gets a quarter"),
    ("05.avg_back", PLACE + GUARD + INSIDE + "dx[row * W + column] = in ? 0.5f * " + DY + " : 0.0f;", "not a half"),
    ("05.avg_back", PLACE + GUARD + INSIDE + "dx[row * W + column] = in ? (1 / 4) * " + DY + " : 0.0f;", "divides two integers"),
    ("05.avg_back", PLACE + GUARD + INSIDE + "dx[row * W + column] = in && row % 2 == 0 && column % 2 == 0 ? " + DY + " : 0.0f;", "share the gradient"),
    ("05.avg_back", PLACE + GUARD + INSIDE + "dx[row * W + column] = in && row % 2 == 0 && column % 2 == 0 ? " + DY + " / 4 : 0.0f;", "all four pixels get it"),
    ("05.avg_back", PLACE + GUARD + "dx[row * W + column] = 0.25f * " + DY + ";", "without a window"),
    ("05.avg_back", PLACE + INSIDE + "dx[row * W + column] = in ? 0.25f * " + DY + " : 0.0f;", "guard threads outside"),
])
def test_wrong_kernels_are_told_why(name, body, hint):
    verdict = judge(name, body)
    assert not verdict.solved
    assert hint in verdict.text, verdict.text


@pytest.mark.parametrize(("name", "answer"), [
    ("05.size", lambda n, k, s, p: (n + 2 * p - k) // s + 1),
    ("05.size", lambda n, k, s, p: len(range(0, n + 2 * p - k + 1, s))),
    ("05.bytes", lambda N, C, H, W, k: 4 * N * C * k * k * (H - k + 1) * (W - k + 1)),
    ("05.bytes", lambda N, C, H, W, k: N * (C * k**2) * ((H - k + 1) * (W - k + 1)) * 4),
])
def test_right_functions_are_accepted(name, answer):
    assert find(name).judge(answer).solved


@pytest.mark.parametrize("answer", [lambda n, k, s, p: (n + 2 * p) // s, lambda n, k, s, p: (n - k) // s + 2 * p + 1,
                                    lambda n, k, s, p: (n + 2 * (p - k)) // s + 1])
def test_no_hint_by_chance(answer):
    assert "Hint" not in find("05.size").judge(answer).text


@pytest.mark.parametrize(("name", "answer", "hint"), [
    ("05.size", lambda n, k, s, p: (n + 2 * p - k) // s, "+ 1 is missing"),
    ("05.size", lambda n, k, s, p: (n + p - k) // s + 1, "on both sides"),
    ("05.size", lambda n, k, s, p: (n + 2 * p - k + 1) // s, "divide the jumps first"),
    ("05.size", lambda n, k, s, p: (n - k) // s + 1, "padding is forgotten"),
    ("05.size", lambda n, k, s, p: n + 2 * p - k + 1, "stride divides"),
    ("05.size", lambda n, k, s, p: float((n + 2 * p - k) // s + 1), "must be an integer"),
    ("05.size", lambda n, k, s, p: (n + 2 * p - k) / s + 1, "round down with //"),
    ("05.size", lambda n, k, s, p: -(-(n + 2 * p - k) // s) + 1, "round down"),
    ("05.bytes", lambda N, C, H, W, k: N * C * k * k * (H - k + 1) * (W - k + 1), "4 bytes"),
    ("05.bytes", lambda N, C, H, W, k: 8 * N * C * k * k * (H - k + 1) * (W - k + 1), "not 8"),
    ("05.bytes", lambda N, C, H, W, k: 4 * N * C * k * k * (H - k) * (W - k), "+ 1 is missing"),
    ("05.bytes", lambda N, C, H, W, k: 4 * N * C * k * k * H * W, "fewer places"),
    ("05.bytes", lambda N, C, H, W, k: 4 * N * C * k * (H - k + 1) * (W - k + 1), "not k"),
    ("05.bytes", lambda N, C, H, W, k: 4 * N * k * k * (H - k + 1) * (W - k + 1), "channels"),
])
def test_wrong_functions_are_told_why(name, answer, hint):
    verdict = find(name).judge(answer)
    assert not verdict.solved and hint in verdict.text, verdict.text


def test_every_exercise_is_proved():
    prove("05")
