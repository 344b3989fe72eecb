"""Lesson 02: every check accepts right answers written differently and names the mistake of wrong ones."""

import pytest

from nnlib.course.exercises import find
from nnlib.cuda import RawKernel

from .conftest import prove

PAIRS = 'extern "C" __global__ void pairs(const float* x, float* out, int n) {{ {} }}'
SCALE4 = (
    'extern "C" __global__ void scale4(float factor, const float* x, float* out, int n) {{ {} }}'
)
GREY = 'extern "C" __global__ void grey(const float* pixels, float* out, int n) {{ {} }}'
INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x; "
TILE = (
    "__shared__ float s[512]; for (int k = threadIdx.x; k < 2 * blockDim.x; k += blockDim.x) { "
    "int at = 2 * blockIdx.x * blockDim.x + k; if (at < 2 * n) s[k] = x[at]; } "
)
FOUR = "float4 v = ((const float4*)x)[i]; "
STORE = "((float4*)out)[i] = make_float4(factor * v.x, factor * v.y, factor * v.z, factor * v.w); "
REST = "int t = n / 4 * 4 + i; if (i < n % 4) out[t] = factor * x[t];"


def judge(name, template, body):
    kernel = RawKernel(template.format(body), template.split("(")[0].split()[-1])
    return find(name).judge(kernel)


@pytest.mark.parametrize(
    ("name", "template", "body"),
    [
        (
            "02.grey",
            GREY,
            INDEX
            + "if (i < n) { float3 p = ((const float3*)pixels)[i]; out[i] = p.x / 3 + p.y / 3 + p.z / 3; }",
        ),
        (
            "02.grey",
            GREY,
            INDEX + "if (i < n) out[i] = (pixels[3*i] + pixels[3*i+1] + pixels[3*i+2]) / 3.0f;",
        ),
        (
            "02.grey",
            GREY,
            INDEX
            + "if (i < n) { float s = 0; for (int k = 0; k < 3; k++) s += pixels[3 * i + k]; out[i] = s / 3; }",
        ),
        (
            "02.grey",
            GREY,
            INDEX
            + "if (i < n) { out[i] = 0; for (int k = 0; k < 3; k++) out[i] += pixels[3 * i + k]; out[i] /= 3; }",
        ),
        (
            "02.pairs",
            PAIRS,
            INDEX + "if (i < n) { float2 p = ((const float2*)x)[i]; out[i] = p.x + p.y; }",
        ),
        (
            "02.pairs",
            PAIRS,
            INDEX
            + "if (i >= n) return; const float2* p = (const float2*)x + i; float2 v = *p; out[i] = v.y + v.x;",
        ),
        (
            "02.pairs",
            PAIRS,
            "for ("
            + INDEX
            + "i < n; i += gridDim.x * blockDim.x) { float2 v = *(const float2*)(x + 2 * i); out[i] = v.x; out[i] = v.x + v.y; }",
        ),
        (
            "02.pairs",
            PAIRS,
            INDEX + "if (i < n / 2) { float4 v = ((const float4*)x)[i]; out[2 * i] = v.x + v.y; "
            "out[2 * i + 1] = v.z + v.w; } if (n % 2 && i == n / 2) out[n - 1] = x[2 * n - 2] + x[2 * n - 1];",
        ),
        ("02.scale4", SCALE4, INDEX + "if (i < n / 4) { " + FOUR + STORE + "} " + REST),
        (
            "02.scale4",
            SCALE4,
            INDEX
            + "if (4 * i + 3 < n) { "
            + FOUR
            + "v.x *= factor; v.y *= factor; v.z *= factor; v.w *= factor; ((float4*)out)[i] = v; } "
            "if (i == 0) for (int k = n - n % 4; k < n; k++) out[k] = factor * x[k];",
        ),
        (
            "02.scale4",
            SCALE4,
            "for (" + INDEX + "i < n / 4; i += gridDim.x * blockDim.x) { " + FOUR + STORE + "} "
            "if (blockIdx.x == 0 && threadIdx.x < n % 4) { int t = n - 1 - threadIdx.x; out[t] = factor * x[t]; }",
        ),
    ],
)
def test_right_kernels_are_accepted(name, template, body):
    verdict = judge(name, template, body)
    assert verdict.solved, verdict.text


@pytest.mark.parametrize(
    ("name", "template", "body", "hint"),
    [
        (
            "02.grey",
            GREY,
            INDEX + "if (i < n) out[i] = pixels[3*i] + pixels[3*i+1] + pixels[3*i+2];",
            "divide by 3",
        ),
        (
            "02.grey",
            GREY,
            INDEX + "if (i < n) out[i] = (pixels[3*i] + pixels[3*i+1] + pixels[3*i+2]) * (1 / 3);",
            "1 / 3 is 0 in C",
        ),
        (
            "02.grey",
            GREY,
            INDEX + "if (i < n) out[i] = (pixels[i] + pixels[i+1] + pixels[i+2]) / 3;",
            "3 * i, not at i",
        ),
        (
            "02.grey",
            GREY,
            INDEX + "if (i < n) out[i] = (pixels[i] + pixels[n+i] + pixels[2*n+i]) / 3;",
            "side by side",
        ),
        (
            "02.grey",
            GREY,
            INDEX + "out[i] = (pixels[3*i] + pixels[3*i+1] + pixels[3*i+2]) / 3;",
            "guard with if (i < n)",
        ),
        (
            "02.grey",
            GREY,
            INDEX + "if (i < n) out[i] = (pixels[3*i] + pixels[3*i+n] + pixels[3*i+2*n]) / 3;",
            "to 3 * i + 2",
        ),
        (
            "02.grey",
            GREY,
            INDEX
            + "for (; i < n; i += blockDim.x) out[i] = (pixels[3*i] + pixels[3*i+1] + pixels[3*i+2]) / 3;",
            "repeat",
        ),
        ("02.grey", GREY, INDEX + "if (i < n) out[i] = pixels[3*i];", "only red"),
        (
            "02.grey",
            GREY,
            "for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = (pixels[3*i] + pixels[3*i+1] + pixels[3*i+2]) / 3;",
            "repeat each other's work",
        ),
        ("02.grey", GREY, INDEX + "if (i < 3 * n) out[i / 3] = pixels[i];", "belongs to thread i"),
        (
            "02.grey",
            GREY,
            INDEX + "if (i < n) out[i] = pixels[3*i] + pixels[3*i+1] + pixels[3*i+2] / 3.0f;",
            "brackets",
        ),
        (
            "02.grey",
            GREY,
            INDEX
            + "if (i < n) out[i] = 0.299f*pixels[3*i] + 0.587f*pixels[3*i+1] + 0.114f*pixels[3*i+2];",
            "of the human eye",
        ),
        (
            "02.grey",
            GREY,
            "for (int i = 0; i < n; i++) out[i] = (pixels[3*i] + pixels[3*i+1] + pixels[3*i+2]) / 3.0f;",
            "no loop over all",
        ),
        (
            "02.pairs",
            PAIRS,
            INDEX + "if (i < n) out[i] = x[2 * i] + x[2 * i + 1];",
            "every sector is asked for twice",
        ),
        ("02.pairs", PAIRS, INDEX + "if (i < n) out[i] = x[i] + x[i + 1];", "begins at 2 * i"),
        ("02.pairs", PAIRS, INDEX + "if (i < n) out[i] = x[i] + x[n + i];", "side by side"),
        (
            "02.pairs",
            PAIRS,
            INDEX + "float2 p = ((const float2*)x)[i]; out[i] = p.x + p.y;",
            "there are n pairs: guard",
        ),
        (
            "02.pairs",
            PAIRS,
            INDEX + "if (i < n) { float2 p = ((const float2*)x)[2 * i]; out[i] = p.x + p.y; }",
            "as float2 it is number i",
        ),
        (
            "02.pairs",
            PAIRS,
            INDEX + "if (i < n) { float2 p = ((const float2*)x)[i]; out[i] = p.x; }",
            "only the first",
        ),
        (
            "02.pairs",
            PAIRS,
            INDEX + "if (i < n) { float2 p = ((const float2*)x)[i]; out[i] = (p.x + p.y) / 2; }",
            "this is the mean",
        ),
        (
            "02.pairs",
            PAIRS,
            INDEX + "if (i < n) { float2 p = *(const float2*)(x + i); out[i] = p.x + p.y; }",
            "multiple of 8",
        ),
        (
            "02.pairs",
            PAIRS,
            INDEX + "if (i < n) { float2 p = ((const float2*)x)[i]; out[i] += p.x + p.y; }",
            "+= and atomicAdd",
        ),
        ("02.scale4", SCALE4, "", "does any thread store"),
        ("02.scale4", SCALE4, INDEX + "if (i < n / 4) { " + FOUR + STORE + "}", "fill no float4"),
        (
            "02.scale4",
            SCALE4,
            INDEX + "if (i <= n / 4) { " + FOUR + STORE + "}" + REST,
            "lets i = 256 through",
        ),
        (
            "02.scale4",
            SCALE4,
            INDEX + "if (i < n) { " + FOUR + STORE + "}" + REST,
            "guard with if (i < n / 4)",
        ),
        (
            "02.scale4",
            SCALE4,
            INDEX
            + "if (i < n / 4) { "
            + FOUR.replace("[i]", "[4 * i]")
            + STORE.replace("[i]", "[4 * i]")
            + "}"
            + REST,
            "so its index is i",
        ),
        (
            "02.scale4",
            SCALE4,
            "for (" + INDEX + "i < n; i += gridDim.x * blockDim.x) out[i] = factor * x[i];",
            "four floats with one load",
        ),
        (
            "02.scale4",
            SCALE4,
            INDEX
            + "if (4 * i < n) for (int k = 4 * i; k < n && k < 4 * i + 4; k++) out[k] = factor * x[k]; "
            + REST,
            "four floats with one load",
        ),
        (
            "02.scale4",
            SCALE4,
            INDEX
            + "if (i < n / 4) { "
            + FOUR
            + "((float4*)out)[i] = v; }"
            + REST.replace("factor * ", ""),
            "this copies x",
        ),
        (
            "02.scale4",
            SCALE4,
            INDEX + "if (i < n / 4) { " + FOUR + STORE + "} " + REST.replace("factor * ", ""),
            "must be scaled, too",
        ),
        ("02.scale4", SCALE4, INDEX + REST, "the float4s are missing"),
        (
            "02.scale4",
            SCALE4,
            INDEX
            + "if (i < n / 4) { float4 v = *(const float4*)(x + i); *(float4*)(out + i) = v; }",
            "multiple of 16",
        ),
        (
            "02.grey",
            GREY,
            INDEX + "if (i < n) out[i] = (pixels[3 * i] + pixels[3 * i + 1]) / 3.0f;",
            "blue is missing",
        ),
        (
            "02.grey",
            GREY,
            INDEX
            + "if (i < n) { int sum = pixels[3*i] + pixels[3*i+1] + pixels[3*i+2]; out[i] = sum / 3.0f; }",
            "let the sum be a float",
        ),
        (
            "02.grey",
            GREY,
            INDEX
            + "if (i < n) out[i] = (pixels[3 * i], pixels[3 * i + 1], pixels[3 * i + 2]) / 3.0f;",
            "keeps the last",
        ),
        (
            "02.pairs",
            PAIRS,
            INDEX + "if (i < n) { float2 p = ((const float2*)x)[i]; out[i] = p.x + p.x; }",
            "used twice",
        ),
        (
            "02.pairs",
            PAIRS,
            INDEX + TILE + "if (i < n) out[i] = s[2 * threadIdx.x] + s[2 * threadIdx.x + 1];",
            "a barrier is missing",
        ),
        (
            "02.pairs",
            PAIRS,
            INDEX
            + TILE.replace("512", "128")
            + "__syncthreads(); if (i < n) out[i] = s[2 * threadIdx.x] + "
            "s[2 * threadIdx.x + 1];",
            "a shared array is smaller",
        ),
        ("02.scale4", SCALE4, INDEX + "if (i < n) out[i] = factor * x[i];", "here each takes one"),
    ],
)
def test_wrong_kernels_are_told_why(name, template, body, hint):
    verdict = judge(name, template, body)
    assert not verdict.solved
    assert hint in verdict.text, verdict.text


def test_every_exercise_is_proved():
    prove("02")


def test_one_load_as_compiled_is_one_load():
    kernel = RawKernel(
        'extern "C" __global__ void pairs(const float* x, float* out, int n) {\n'
        "int i = blockIdx.x * blockDim.x + threadIdx.x; const float2* p = (const float2*)x;\n"
        "if (i < n) out[i] = p[i].x + p[i].y; }",
        "pairs",
    )
    assert find("02.pairs").judge(kernel).solved
