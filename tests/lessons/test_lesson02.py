"""Lesson 02: every check accepts right answers written differently and names the mistake of wrong ones."""

import numpy as np
import pytest

from nnlib.course.exercises import find
from nnlib.cuda import RawKernel

from .conftest import prove

AXPY = 'extern "C" __global__ void axpy(float alpha, const float* x, float* y, int n) {{ {} }}'
REVERSE = 'extern "C" __global__ void reverse(const float* x, float* out, int n) {{ {} }}'
GREY = 'extern "C" __global__ void grey(const float* pixels, float* out, int n) {{ {} }}'
INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x; "
STRIDE = "int s = gridDim.x * blockDim.x; "


def judge(name, template, body):
    kernel = RawKernel(template.format(body), template.split("(")[0].split()[-1])
    return find(name).judge(kernel)


@pytest.mark.parametrize(("name", "template", "body"), [
    ("02.axpy", AXPY, INDEX + "if (i < n) y[i] = alpha * x[i] + y[i];"),
    ("02.axpy", AXPY, INDEX + "if (i >= n) return; y[i] += alpha * x[i];"),
    ("02.axpy", AXPY, STRIDE + "for (" + INDEX + "i < n; i += s) y[i] = fmaf(alpha, x[i], y[i]);"),
    ("02.axpy", AXPY, INDEX + "if (i < n) { float old = y[i]; y[i] = alpha * x[i]; y[i] += old; }"),
    ("02.axpy", AXPY, INDEX + "if (4 * i + 3 < n) { float4 a = ((const float4*)x)[i], b = ((float4*)y)[i]; "
     "((float4*)y)[i] = make_float4(alpha * a.x + b.x, alpha * a.y + b.y, alpha * a.z + b.z, alpha * a.w + b.w); } "
     "else for (int k = 4 * i; k < n; k++) y[k] += alpha * x[k];"),
    ("02.reverse", REVERSE, STRIDE + "for (" + INDEX + "i < n; i += s) out[i] = x[n - 1 - i];"),
    ("02.reverse", REVERSE, STRIDE + INDEX + "while (i < n) { out[n - 1 - i] = x[i]; i += s; }"),
    ("02.reverse", REVERSE, STRIDE + "for (int i = n - 1 - (blockIdx.x * blockDim.x + threadIdx.x); i >= 0; i -= s) out[i] = x[n - 1 - i];"),
    ("02.reverse", REVERSE, INDEX + "do { if (i < n) out[n - 1 - i] = x[i]; i += gridDim.x * blockDim.x; } while (i < n);"),
    ("02.reverse", REVERSE, STRIDE + "for (" + INDEX + "i < n; i += s) { float first = x[i]; out[i] = x[n - 1 - i]; out[n - 1 - i] = first; }"),
    ("02.grey", GREY, INDEX + "if (i < n) { float3 p = ((const float3*)pixels)[i]; out[i] = p.x / 3 + p.y / 3 + p.z / 3; }"),
    ("02.grey", GREY, INDEX + "if (i < n) out[i] = (pixels[3*i] + pixels[3*i+1] + pixels[3*i+2]) / 3.0f;"),
    ("02.grey", GREY, INDEX + "if (i < n) { float s = 0; for (int k = 0; k < 3; k++) s += pixels[3 * i + k]; out[i] = s / 3; }"),
    ("02.grey", GREY, INDEX + "if (i < n) { out[i] = 0; for (int k = 0; k < 3; k++) out[i] += pixels[3 * i + k]; out[i] /= 3; }"),
])
def test_right_kernels_are_accepted(name, template, body):
    verdict = judge(name, template, body)
    assert verdict.solved, verdict.text


@pytest.mark.parametrize(("name", "template", "body", "hint"), [
    ("02.axpy", AXPY, INDEX + "y[i] = alpha * x[i] + y[i];", "guard with if (i < n)"),
    ("02.axpy", AXPY, INDEX + "if (i <= n) y[i] = alpha * x[i] + y[i];", "guard with if (i < n)"),
    ("02.axpy", AXPY, INDEX + "if (i < n) y[i] = alpha * x[i];", "y is added, not replaced"),
    ("02.axpy", AXPY, INDEX + "if (i < n) y[i] = x[i] + alpha * y[i];", "alpha multiplies x, not y"),
    ("02.axpy", AXPY, INDEX + "if (i < n) y[i] = alpha * (x[i] + y[i]);", "not the sum"),
    ("02.axpy", AXPY, "", "nothing was written"),
    ("02.axpy", AXPY, INDEX + "if (i < n) y[i] += 1.5f * x[i];", "should be"),
    ("02.axpy", AXPY, "int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] += alpha * x[i];", "blockIdx.x * blockDim.x"),
    ("02.axpy", AXPY, "int i = threadIdx.x; if (i < n) y[i] = alpha * x[i] + y[i];", "blockIdx.x * blockDim.x"),
    ("02.axpy", AXPY, "for (int i = threadIdx.x * ((n + 63) / 64); i < n && i < (threadIdx.x + 1) * ((n + 63) / 64); i++) "
                      "if (blockIdx.x == 0) y[i] += alpha * x[i];", "neighbouring threads"),
    ("02.axpy", AXPY, INDEX + "if (i < n) y[i] += alpha * x[i] + y[i];", "y counts once"),
    ("02.axpy", AXPY, INDEX + "if (i < n) y[i] = alpha + x[i] + y[i];", "alpha is a factor"),
    ("02.reverse", REVERSE, STRIDE + "for (" + INDEX + "i < n; i += s) out[i] = x[n - i];", "x[n - 1]"),
    ("02.reverse", REVERSE, STRIDE + "for (" + INDEX + "i < n; i += s) out[i] = x[i];", "you copy"),
    ("02.reverse", REVERSE, INDEX + "if (i < n) out[i] = x[n - 1 - i];", "one element only"),
    ("02.reverse", REVERSE, "for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += gridDim.x * 32) out[i] = x[n - 1 - i];",
     "jump by the number of threads"),
    ("02.reverse", REVERSE, STRIDE + INDEX + "for (int k = 0; k < 4; k++, i += s) if (i < n) out[i] = x[n - 1 - i];",
     "a loop that ends too early"),
    ("02.reverse", REVERSE, "for (int i = 0; i < n; i++) out[i] = x[n - 1 - i];", "jump by the number of threads"),
    ("02.reverse", REVERSE, "for (" + INDEX + "i < n; i += blockDim.x) out[i] = x[n - 1 - i];", "jump by the number of threads"),
    ("02.reverse", REVERSE, STRIDE + "for (" + INDEX + "i <= n; i += s) out[i] = x[n - 1 - i];", "i < n"),
    ("02.reverse", REVERSE, "for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = x[n - 1 - i];",
     "jump by the number of threads in the grid"),
    ("02.grey", GREY, INDEX + "if (i < n) out[i] = pixels[3*i] + pixels[3*i+1] + pixels[3*i+2];", "divide by 3"),
    ("02.grey", GREY, INDEX + "if (i < n) out[i] = (pixels[3*i] + pixels[3*i+1] + pixels[3*i+2]) * (1 / 3);", "integer division"),
    ("02.grey", GREY, INDEX + "if (i < n) out[i] = (pixels[i] + pixels[i+1] + pixels[i+2]) / 3;", "3 * i, not at i"),
    ("02.grey", GREY, INDEX + "if (i < n) out[i] = (pixels[i] + pixels[n+i] + pixels[2*n+i]) / 3;", "side by side"),
    ("02.grey", GREY, INDEX + "out[i] = (pixels[3*i] + pixels[3*i+1] + pixels[3*i+2]) / 3;", "guard with if (i < n)"),
    ("02.grey", GREY, INDEX + "if (i < n) out[i] = (pixels[3*i] + pixels[3*i+n] + pixels[3*i+2*n]) / 3;", "to 3 * i + 2"),
    ("02.grey", GREY, INDEX + "for (; i < n; i += blockDim.x) out[i] = (pixels[3*i] + pixels[3*i+1] + pixels[3*i+2]) / 3;", "repeat"),
    ("02.grey", GREY, INDEX + "if (i < n) out[i] = pixels[3*i];", "only red"),
    ("02.grey", GREY, "for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = (pixels[3*i] + pixels[3*i+1] + pixels[3*i+2]) / 3;",
     "repeat each other's work"),
    ("02.grey", GREY, INDEX + "if (i < 3 * n) out[i / 3] = pixels[i];", "belongs to thread i"),
    ("02.grey", GREY, INDEX + "if (i < n) out[i] = pixels[3*i] + pixels[3*i+1] + pixels[3*i+2] / 3.0f;", "brackets"),
    ("02.grey", GREY, INDEX + "if (i < n) out[i] = 0.299f*pixels[3*i] + 0.587f*pixels[3*i+1] + 0.114f*pixels[3*i+2];", "of the eye"),
    ("02.grey", GREY, "for (int i = 0; i < n; i++) out[i] = (pixels[3*i] + pixels[3*i+1] + pixels[3*i+2]) / 3.0f;",
     "no loop over all"),
])
def test_wrong_kernels_are_told_why(name, template, body, hint):
    verdict = judge(name, template, body)
    assert not verdict.solved
    assert hint in verdict.text, verdict.text


@pytest.mark.parametrize("answer", [lambda n, b: max(1, (n + b - 1) // b), lambda n, b: max(1, -(-n // b))])
def test_right_grids_are_accepted(answer):
    assert find("02.blocks").judge(answer).solved


@pytest.mark.parametrize(("answer", "hint"), [
    (lambda n, b: n // b, "rounds down"),
    (lambda n, b: n / b, "no parts of blocks"),
    (lambda n, b: n // b + 1, "one block too many"),
    (lambda n, b: -(-n // b), "at least 1"),
    (lambda n, b: -(-n // b) * b, "threads, not blocks"),
    (lambda n, b: min(1, (n + b - 1) // b), "not min"),
    (lambda n, b: (max(1, -(-n // b)),), "no comma"),
    (lambda n, b: max(1, np.ceil(n / b)), "must be an integer"),
    (lambda n, b: max(1, (n + b) // b), "one block too many"),
    (lambda n, b: max(1, (n + b - 1) / b), "divide with //"),
    (lambda n, b: (n + b - 1) / b, "divide with //"),
])
def test_wrong_grids_are_told_why(answer, hint):
    verdict = find("02.blocks").judge(answer)
    assert not verdict.solved and hint in verdict.text, verdict.text


@pytest.mark.parametrize(("answer", "hint"), [(4, "stride 1"), (2, "share a sector"), (128, "bytes"), (8, "stride 2"), (32, "share a sector"), (64, "only 32 lanes")])
def test_sectors(answer, hint):
    assert find("02.sectors").judge(16).solved
    verdict = find("02.sectors").judge(answer)
    assert not verdict.solved and hint in verdict.text, verdict.text


def test_every_exercise_is_proved():
    prove("02")
