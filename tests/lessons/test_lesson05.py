"""Lesson 05: every check accepts right answers written differently and names the mistake of wrong ones."""

import pytest

from nnlib.course.exercises import find
from nnlib.cuda import RawKernel

from .conftest import prove

I = "int i = blockIdx.x * blockDim.x + threadIdx.x, P = n - K + 1; "  # noqa: E741
GATHER = "float s = 0.0f; for (int k = 0; k < K; k++) { int p = i - k; if (p >= 0 && p < P) s += columns[k * P + p]; } x[i] = s;"
IN_X = GATHER.replace("float s = 0.0f;", "").replace("s +=", "x[i] +=").replace("x[i] = s;", "")


def judge(body):
    code = f'extern "C" __global__ void fold(const float* columns, float* x, int n, int K) {{ {body} }}'
    return find("05.fold").judge(RawKernel(code, "fold"))


@pytest.mark.parametrize(
    "body",
    [
        I + "if (i >= n) return; " + GATHER,
        I + "if (i >= n) return; x[i] = 0.0f; " + IN_X,
        I
        + "if (i < n) { float s = 0; for (int p = max(0, i - K + 1); p <= min(i, P - 1); p++) s += columns[(i - p) * P + p]; x[i] = s; }",
        I
        + "if (i < n) { float s = 0; for (int k = K - 1; k >= 0; k--) s += i >= k && i - k < P ? columns[k * P + i - k] : 0.0f; x[i] = s; }",
    ],
)
def test_right_kernels_are_accepted(body):
    verdict = judge(body)
    assert verdict.solved, verdict.text


@pytest.mark.parametrize(
    ("body", "hint"),
    [
        ("", "does any thread store a result?"),
        (I + "if (i >= n) return; " + IN_X, "store the first value with ="),
        (
            I
            + "if (i < n) { float s = 0; for (int k = 0; k < K; k++) if (i + k < P) s += columns[k * P + i + k]; x[i] = s; }",
            "i - k, not i + k",
        ),
        (
            I
            + "if (i >= n) return; x[i] = 0.0f; "
            + IN_X.replace("x[i] += columns[k * P + p]", "atomicAdd(&x[i], columns[k * P + p])"),
            "needs no atomics",
        ),
        (
            I.replace("blockDim.x", "32") + "if (i >= n) return; " + GATHER,
            "in blocks of 64 threads",
        ),
        (
            I.replace("int i = blockIdx.x * blockDim.x + threadIdx.x, P", "int P")
            + "for (int i = threadIdx.x; i < n; i += blockDim.x) { "
            + GATHER
            + "}",
            "repeat each other's work",
        ),
        (
            I + "if (i >= n) return; " + GATHER.replace("if (p >= 0 && p < P) ", ""),
            "outside its row",
        ),
        (I + "if (i >= n) return; " + GATHER.replace("&& p < P", ""), "in the row below"),
        (I + "if (i >= n) return; " + GATHER.replace("p >= 0", "p > 0"), "position 0 counts"),
        (
            I + "if (i >= n) return; " + GATHER.replace("p < P", "p < P - 1"),
            "position n - K counts",
        ),
        (I + "if (i >= n) return; " + GATHER.replace("k * P + p", "p * K + k"), "row k begins"),
        (I + "if (i >= n) return; " + GATHER.replace("k * P + p", "k * n + p"), "row k begins"),
        (I + "if (i < n) x[i] = i < P ? columns[i] : 0.0f;", "only tap 0"),
        (
            I + "if (i < P) for (int k = 0; k < K; k++) x[i + k] += columns[k * P + i];",
            "threads meet in one pixel",
        ),
        (
            I
            + "if (i < n) { float v = 0; for (int k = 0; k < K; k++) if (i - k >= 0 && i - k < P) v = columns[k * P + i - k]; x[i] = v; }",
            "the last one overwrites",
        ),
        (I + GATHER, "guard the thread"),
        (I + "if (i >= n) return; " + GATHER.replace("k < K", "k < 3"), "K taps, not 3"),
        (I + "if (i >= n) return; " + GATHER.replace("k < K", "k < K - 1"), "tap K - 1 is missing"),
        (I + "if (i >= n) return; " + GATHER.replace("k = 0", "k = 1"), "begin at k = 0"),
        ("int P = n - K + 1; for (int i = 0; i < n; i++) { " + GATHER + " }", "no loop over all"),
        (
            I + "if (i >= n) return; " + GATHER.replace("p >= 0 && p < P", "p < P"),
            "test p >= 0, too",
        ),
    ],
)
def test_wrong_kernels_are_told_why(body, hint):
    verdict = judge(body)
    assert not verdict.solved
    assert hint in verdict.text, verdict.text


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


UNFOLD = """extern "C" __global__ void im2col(const float* x, float* columns, int planes, int H, int W, int K) {
    int OH = H - K + 1, OW = W - K + 1;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= planes * K * K * OH * OW) return;
    int ox = i % OW;
    int oy = i / OW % OH;
    int tap = i / (OW * OH) % (K * K);
    int plane = i / (OW * OH * K * K);
    columns[i] = x[(plane * H + oy + tap / K) * W + ox + tap % K];
}"""
GUARD = "    if (i >= planes * K * K * OH * OW) return;\n"


@pytest.mark.parametrize(
    "changes",
    [
        [],
        [
            ("int i = blockIdx", "for (int i = blockIdx"),
            (";\n" + GUARD, "; i < planes * K * K * OH * OW; i += gridDim.x * blockDim.x) {\n"),
            ("tap % K];", "tap % K]; }"),
        ],
        [
            ("tap = i / (OW * OH) % (K * K)", "a = i / (OW * OH * K) % K, b = i / (OW * OH) % K"),
            ("tap / K", "a"),
            ("tap % K", "b"),
        ],
    ],
)
def test_right_unfoldings_are_accepted(changes):
    verdict = unfolded(changes)
    assert verdict.solved, verdict.text


@pytest.mark.parametrize(
    ("changes", "hint"),
    [
        ([(GUARD, "")], "guard the thread"),
        ([("columns[i] =", "columns[i] +=")], "store the first value with ="),
        ([("tap / K", "tap % K"), ("ox + tap % K", "ox + tap / K")], "tap / K is the row"),
        ([("ox = i % OW", "oy = i % OH"), ("oy = i / OW % OH", "ox = i / OH % OW")], "first ox"),
        (
            [
                ("ox = i % OW", "tap = i % (K * K)"),
                ("oy = i / OW % OH", "ox = i / (K * K) % OW"),
                ("tap = i / (OW * OH) % (K * K)", "oy = i / (K * K * OW) % OH"),
            ],
            "positions change fastest",
        ),
        (
            [
                ("tap = i / (OW * OH) % (K * K)", "plane = i / (OW * OH) % planes"),
                ("plane = i / (OW * OH * K * K)", "tap = i / (OW * OH * planes)"),
            ],
            "the plane is the slowest",
        ),
        ([("oy + tap / K", "oy"), ("ox + tap % K", "ox")], "the same pixel for all taps"),
        ([("plane * H + ", "")], "its own pixels"),
        ([(") * W +", ") * OW +")], "W pixels, not OW"),
        ([("plane * H", "plane * OH")], "H rows, not OH"),
        ([("tap / K", "K - 1 - tap / K"), ("+ tap % K", "+ K - 1 - tap % K")], "do not subtract"),
        (
            [
                (
                    "int i = blockIdx.x * blockDim.x + threadIdx.x;\n" + GUARD,
                    "for (int i = 0; i < planes * K * K * OH * OW; i++) {\n",
                ),
                ("tap % K];", "tap % K]; }"),
            ],
            "repeat each other's work",
        ),
        ([("* W + ox + tap % K", "* H + ox + tap % K")], ""),
    ],
)
def test_wrong_unfoldings_are_told_why(changes, hint):
    verdict = unfolded(changes)
    assert not verdict.solved and hint in verdict.text, verdict.text


def unfolded(changes):
    code = UNFOLD
    for old, new in changes:
        assert old in code, old
        code = code.replace(old, new, 1)
    return find("05.im2col").judge(RawKernel(code, "im2col"))


def test_every_exercise_is_proved():
    prove("05")
