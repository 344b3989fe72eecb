"""Lesson 04: every check accepts right answers written differently and names the mistake of wrong ones."""

import pytest

from nnlib.course.exercises import find
from nnlib.cuda import RawKernel

from .conftest import prove

I = "int i = blockIdx.x * blockDim.x + threadIdx.x; "  # noqa: E741
SIGNATURES = {
    "04.gelu_back": "const float* dy, const float* x, float* dx, int n",
    "04.bias_gelu": "const float* x, const float* b, float* v, float* y, int N, int K",
}
PARTS = (
    "float c = 0.7978845608f, a = 0.044715f, z = x[i], t = tanhf(c * (z + a * z * z * z)), "
    "s = 1.0f - t * t, u = c * (1.0f + 3.0f * a * z * z), h = 0.5f * (1.0f + t); "
)
BACK = I + "if (i < n) {{ " + PARTS + "dx[i] = {}; }}"
GELU = "0.5f * s * (1.0f + tanhf(0.7978845608f * (s + 0.044715f * s * s * s)))"
BIAS = I + "if (i < N * K) {{ float s = x[i] + b[i % K]; v[i] = {}; y[i] = {}; }}"


def judge(name, body):
    return find(name).judge(
        RawKernel(f'extern "C" __global__ void answer({SIGNATURES[name]}) {{ {body} }}', "answer")
    )


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("04.gelu_back", BACK.format("dy[i] * (h + 0.5f * z * s * u)")),
        (
            "04.gelu_back",
            I + "if (i >= n) return; " + PARTS + "float first = h, second = 0.5f * z * s * u; "
            "dx[i] = (first + second) * dy[i];",
        ),
        (
            "04.gelu_back",
            "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) { "
            + PARTS
            + "dx[i] = dy[i] * h + dy[i] * z / 2 * (1 - t) * (1 + t) * u; }",
        ),
        (
            "04.gelu_back",
            I
            + "if (i < n) { float z = x[i], e = expf(-1.5957691216f * (z + 0.044715f * z * z * z)), p = 1.0f / (e + 1.0f);"
            "dx[i] = dy[i] * (p + z * p * (1.0f - p) * 1.5957691216f * (1.0f + 0.134145f * z * z)); }",
        ),
        ("04.bias_gelu", BIAS.format("s", GELU)),
        (
            "04.bias_gelu",
            I
            + "if (i >= N * K) return; int column = i - i / K * K; float s = b[column] + x[i]; y[i] = "
            + GELU
            + "; v[i] = s;",
        ),
        (
            "04.bias_gelu",
            "int i = threadIdx.x + blockDim.x * blockIdx.x; int n = N * K; while (i < n) { float s = x[i]; s += b[i % K];"
            "v[i] = s; float t = tanhf(0.7978845608f * s * (1.0f + 0.044715f * s * s)); y[i] = s * (0.5f + 0.5f * t);"
            "i += gridDim.x * blockDim.x; }",
        ),
    ],
)
def test_right_kernels_are_accepted(name, body):
    verdict = judge(name, body)
    assert verdict.solved, verdict.text


@pytest.mark.parametrize(
    ("name", "body", "hint"),
    [
        ("04.gelu_back", BACK.format("dy[i] * 0.5f * z * s * u"), "which gives (1 + t) / 2"),
        ("04.gelu_back", BACK.format("dy[i] * h"), "t changes with x, too"),
        (
            "04.gelu_back",
            BACK.format("dy[i] * (h + 0.5f * z * s)"),
            "multiply the second term by the slope of u",
        ),
        (
            "04.gelu_back",
            BACK.format("dy[i] * (h + 0.5f * z * s * c * (1.0f + a * z * z))"),
            "the slope of x³ is 3 x²",
        ),
        (
            "04.gelu_back",
            BACK.format("dy[i] * (h + 0.5f * z * s * (1.0f + 3.0f * a * z * z))"),
            "u has the factor",
        ),
        (
            "04.gelu_back",
            BACK.format("dy[i] * (h + 0.5f * z * (1.0f - t) * u)"),
            "the slope of tanh is 1 - t * t",
        ),
        (
            "04.gelu_back",
            BACK.format(
                "dy[i] * (h + 0.5f * z * (1.0f - c * c * (z + a * z * z * z) * (z + a * z * z * z)) * u)"
            ),
            "where t is tanh(u)",
        ),
        ("04.gelu_back", BACK.format("dy[i] * (h + z * s * u)"), "the second term takes half of x"),
        (
            "04.gelu_back",
            BACK.format("dy[i] * (1.0f + t + 0.5f * z * s * u)"),
            "the first term is half of (1 + t)",
        ),
        ("04.gelu_back", BACK.format("h + 0.5f * z * s * u"), "the gradient that arrives"),
        ("04.gelu_back", BACK.format("dy[i] * h + 0.5f * z * s * u"), "a factor of both terms"),
        ("04.gelu_back", BACK.format("z * h"), "GELU itself"),
        (
            "04.gelu_back",
            I + PARTS + "dx[i] = dy[i] * (h + 0.5f * z * s * u);",
            "guard with if (i < n)",
        ),
        (
            "04.gelu_back",
            "for (int i = 0; i < n; i++) { " + PARTS + "dx[i] = dy[i] * (h + 0.5f * z * s * u); }",
            "no loop over all",
        ),
        (
            "04.gelu_back",
            "int i = threadIdx.x; if (i < n) { "
            + PARTS
            + "dx[i] = dy[i] * (h + 0.5f * z * s * u); }",
            "no thread wrote",
        ),
        ("04.gelu_back", "", "no thread wrote"),
        (
            "04.gelu_back",
            I
            + "if (i < n) { float z = x[i], e = expf(1.5957691216f * (z + 0.044715f * z * z * z)), p = e / (e + 1.0f);"
            "dx[i] = dy[i] * (p + z * p * (1.0f - p) * 1.5957691216f * (1.0f + 0.134145f * z * z)); }",
            "overflow",
        ),
        (
            "04.bias_gelu",
            I + "if (i < N * K) { float s = x[i] + b[i % K]; y[i] = " + GELU + "; }",
            "the backward pass needs v",
        ),
        ("04.bias_gelu", I + "if (i < N * K) v[i] = x[i] + b[i % K];", "y is missing"),
        (
            "04.bias_gelu",
            I + "if (i < N * K) { v[i] = x[i] + b[i % K]; float s = x[i]; y[i] = " + GELU + "; }",
            "add the bias first",
        ),
        ("04.bias_gelu", BIAS.format("x[i]", GELU), "the bias is missing"),
        ("04.bias_gelu", BIAS.format(GELU, GELU), "v stays x + b"),
        ("04.bias_gelu", BIAS.format(GELU, "s"), "exchanged"),
        (
            "04.bias_gelu",
            I
            + "if (i < N * K) { float s = x[i]; v[i] = x[i] + b[i % K]; y[i] = "
            + GELU
            + " + b[i % K]; }",
            "before GELU",
        ),
        ("04.bias_gelu", BIAS.replace("b[i % K]", "b[i]").format("s", GELU), "take b[i % K]"),
        ("04.bias_gelu", BIAS.replace("i < N * K", "i < N").format("s", GELU), "no thread wrote"),
        (
            "04.bias_gelu",
            I + "float s = x[i] + b[i % K]; v[i] = s; y[i] = " + GELU + ";",
            "there are N * K elements",
        ),
        (
            "04.bias_gelu",
            I + "if (i < N * K) { v[i] = x[i] + b[i % K]; float s = v[i]; y[i] = " + GELU + "; }",
            "v not at all",
        ),
        (
            "04.bias_gelu",
            I.replace(
                "blockIdx.x * blockDim.x + threadIdx.x", "threadIdx.x * gridDim.x + blockIdx.x"
            )
            + "if (i < N * K) { float s = x[i] + b[i % K]; v[i] = s; y[i] = "
            + GELU
            + "; }",
            "neighbouring numbers",
        ),
        (
            "04.gelu_back",
            BACK.format("dy[i] * (1 / 2 * (1 + t) + 1 / 2 * z * s * u)"),
            "1 / 3 is 0 in C",
        ),
        (
            "04.gelu_back",
            BACK.replace("0.7978845608f", "0.798f")
            .replace("0.044715f", "0.0447f")
            .format("dy[i] * (h + 0.5f * z * s * u)"),
            "the constants are rounded",
        ),
        ("04.gelu_back", BACK.format("dy[i] * z * h"), "dy times GELU itself"),
        (
            "04.gelu_back",
            BACK.replace("a * z * z * z", "a * z * z").format("dy[i] * (h + 0.5f * z * s * u)"),
            "x * x * x",
        ),
        ("04.bias_gelu", BIAS.format("s", "tanhf(s)"), "not tanh"),
        ("04.bias_gelu", BIAS.format("s", "fmaxf(s, 0.0f)"), "not ReLU"),
        ("04.bias_gelu", BIAS.replace("+ b", "- b").format("s", GELU), "the bias is added"),
        ("04.bias_gelu", BIAS.format("s", GELU.replace("0.5f", "1 / 2")), "1 / 3 is 0 in C"),
    ],
)
def test_wrong_kernels_are_told_why(name, body, hint):
    verdict = judge(name, body)
    assert not verdict.solved
    assert hint in verdict.text, verdict.text


def test_every_exercise_is_proved():
    prove("04")
