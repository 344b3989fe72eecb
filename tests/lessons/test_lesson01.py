"""Lesson 01: every check accepts right answers written differently and names the mistake of wrong ones."""

import pytest

from nnlib.course.exercises import find
from nnlib.cuda import RawKernel

from .conftest import prove

PLAIN = 'extern "C" __global__ void answer(const float* x, float* out, int n) {{ {} }}'
IMAGE = 'extern "C" __global__ void answer(const float* image, float* out, int width, int height) {{ {} }}'
COUNTS = 'extern "C" __global__ void answer(const float* image, int* counts, int width, int height) {{ {} }}'
INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x; "
XY = "int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; "
INSIDE = "if (x < width && y < height) "
BRIGHT = "if (image[y * width + x] > 0.5f) "
ADD = "atomicAdd(&counts[y], 1);"
BY_PARITY = "if (i % 2 == 0) out[i] = 2.0f * x[i]; else out[i] = x[i] + 1.0f;"
BY_WARP = "if (threadIdx.x < 32) out[i] = 2.0f * x[i]; else out[i] = x[i] + 1.0f;"
OWN = "int i = blockIdx.x * 64 + 2 * (threadIdx.x % 32) + threadIdx.x / 32; "


def judge(name, body):
    template = {"01.mirror": IMAGE, "01.bright": COUNTS}.get(name, PLAIN)
    return find(name).judge(RawKernel(template.format(body), "answer"))


@pytest.mark.parametrize(
    "name, body",
    [
        ("01.mirror", XY + INSIDE + "out[y * width + x] = image[y * width + width - 1 - x];"),
        (
            "01.mirror",
            XY
            + "if (x >= width || y >= height) return; out[(y + 1) * width - 1 - x] = image[y * width + x];",
        ),
        (
            "01.mirror",
            "__shared__ float tile[8][8]; "
            + XY
            + INSIDE
            + "tile[threadIdx.y][threadIdx.x] = image[y * width + x]; "
            "__syncthreads(); "
            + INSIDE
            + "out[y * width + width - 1 - x] = tile[threadIdx.y][threadIdx.x];",
        ),
        (
            "01.mirror",
            XY
            + "if (x < (width + 1) / 2 && y < height) { float left = image[y * width + x]; out[y * width + x] = "
            "image[(y + 1) * width - 1 - x]; out[(y + 1) * width - 1 - x] = left; }",
        ),
        ("01.bright", XY + INSIDE + BRIGHT + ADD),
        (
            "01.bright",
            XY
            + "if (x >= width || y >= height) return; atomicAdd(counts + y, image[y * width + x] > 0.5f ? 1 : 0);",
        ),
        (
            "01.bright",
            XY
            + "if (x == 0 && y < height) { int sum = 0; for (int k = 0; k < width; k++) if (image[y * width + k] > 0.5f) sum++; "
            "counts[y] = sum; }",
        ),
        ("01.together", OWN + "if (i < n) {" + BY_WARP + "}"),
        ("01.together", OWN + "if (i >= n) return;" + BY_PARITY),
        ("01.together", INDEX + "if (i < n) out[i] = i % 2 ? x[i] + 1.0f : 2.0f * x[i];"),
    ],
)
def test_right_kernels_are_accepted(name, body):
    verdict = judge(name, body)
    assert verdict.solved, verdict.text


@pytest.mark.parametrize(
    "name, body, hint",
    [
        (
            "01.mirror",
            "for (int y = 0; y < height; y++) for (int x = 0; x < width; x++) "
            "out[y * width + x] = image[y * width + width - 1 - x];",
            "no loop over all",
        ),
        (
            "01.bright",
            XY + "if (x < width) if (image[y * height + x] > 0.5f) counts[y] += 1;",
            "out-of-bounds read of counts[9]",
        ),
        (
            "01.bright",
            XY + INSIDE + "if (image[y * height + x] > 0.5f) counts[y] += 1;",
            "without another thread in between",
        ),
        (
            "01.bright",
            XY + INSIDE + "if (image[y * height + x] > 0.5f) " + ADD,
            "not at y * height + x",
        ),
        (
            "01.bright",
            XY + INSIDE + BRIGHT + "counts[y] += 1;",
            "without another thread in between",
        ),
        ("01.bright", XY + "if (x < width) " + BRIGHT + ADD, "guard both"),
        (
            "01.bright",
            XY + "if (x < width || y < height) " + BRIGHT + ADD,
            "is true as soon as one of its parts is",
        ),
        ("01.bright", XY + "if (x < height && y < width) " + BRIGHT + ADD, "guard both"),
        (
            "01.bright",
            XY + INSIDE + BRIGHT + "atomicAdd(&counts[x], 1);",
            "one number for each row",
        ),
        ("01.bright", XY + INSIDE + BRIGHT + "counts[y] = 1;", "forgets what was counted"),
        ("01.bright", XY + INSIDE + "if (image[y * width + x] < 0.5f) " + ADD, "should be"),
        ("01.bright", XY + INSIDE + "if (image[y * width + x] <= 0.5f) " + ADD, "the dark pixels"),
        ("01.bright", XY + "if (x < width - 1 && y < height) " + BRIGHT + ADD, "the last column"),
        ("01.bright", XY + "if (x < width && y < height - 1) " + BRIGHT + ADD, "the last row"),
        (
            "01.bright",
            "for (int y = 0; y < height; y++) for (int x = 0; x < width; x++) " + BRIGHT + ADD,
            "should be",
        ),
        (
            "01.bright",
            XY
            + "if (x == 0 && y == 0) for (int r = 0; r < height; r++) for (int k = 0; k < width; k++) "
            "if (image[r * width + k] > 0.5f) counts[r]++;",
            "no loop over all",
        ),
        ("01.together", "for (int i = 0; i < n; i++) {" + BY_PARITY + "}", "no loop over all"),
        (
            "01.mirror",
            XY + INSIDE + "out[y * width + x] = image[(height - 1 - y) * width + x];",
            "upside down",
        ),
        (
            "01.mirror",
            XY + INSIDE + "out[y * width + x] = image[(height - 1 - y) * width + width - 1 - x];",
            "half a circle",
        ),
        ("01.mirror", XY + INSIDE + "out[y * width + x] = image[y * width + x];", "this copies"),
        (
            "01.mirror",
            XY + INSIDE + "out[x] = image[width - 1 - x];",
            "y is missing from the index",
        ),
        (
            "01.mirror",
            XY + INSIDE + "out[x * height + y] = image[x * height + height - 1 - y];",
            "a row has width pixels",
        ),
        (
            "01.mirror",
            XY + "out[y * width + x] = image[y * width + width - 1 - x];",
            "x < width and y < height",
        ),
        (
            "01.mirror",
            XY
            + "if (x < height && y < width) out[y * width + x] = image[y * width + width - 1 - x];",
            "x < width and y < height",
        ),
        (
            "01.mirror",
            XY.replace("x =", "y =").replace("y = blockIdx.y", "x = blockIdx.y")
            + INSIDE
            + "out[y * width + x] = image[y * width + width - 1 - x];",
            "columns from .x",
        ),
        (
            "01.mirror",
            XY + INSIDE + "out[y * width + x] = image[y * width + width - x];",
            "ends at y * width + width - 1",
        ),
        (
            "01.mirror",
            XY
            + "\nfloat mine = image[y * width + width - 1 - x];\n"
            + INSIDE
            + "out[y * width + x] = mine;",
            "the guard comes too late",
        ),
        ("01.together", INDEX + "if (i < n) {" + BY_PARITY + "}", "warp 1 the odd"),
        (
            "01.together",
            INDEX + "if (i < n) {" + BY_PARITY.replace("i % 2", "i / 32 % 2") + "}",
            "still depends on i % 2",
        ),
        ("01.together", OWN + "if (i < n) {" + BY_WARP.replace("< 32", ">= 32") + "}", "swapped"),
        ("01.together", OWN + BY_WARP, "work out the element first"),
        (
            "01.together",
            "int i = blockIdx.x * 64 + 2 * (threadIdx.x % 32); if (i < n) out[i] = 2.0f * x[i];",
            "no thread wrote [1]",
        ),
        ("01.bright", XY + INSIDE + "if (image[y * width + x] >= 0.5f) " + ADD, "> and not >="),
        (
            "01.bright",
            XY + INSIDE + "{ int v = image[y * width + x]; if (v > 0.5f) " + ADD + " }",
            "only pixels of 1",
        ),
        (
            "01.bright",
            XY + INSIDE + BRIGHT + "atomicAdd(&counts[y], image[y * width + x]);",
            "only pixels of 1",
        ),
        ("01.bright", XY + INSIDE + BRIGHT + "atomicAdd(&counts[0], 1);", "counted in counts[0]"),
        (
            "01.bright",
            XY + INSIDE + "if (image[y * height + x] > 0.5f) atomicAdd(&counts[0], 1);",
            "row y belongs to counts[y]",
        ),
        (
            "01.bright",
            XY + INSIDE + "if (image[x * height + y] > 0.5f) " + ADD,
            "not at x * height + y",
        ),
        (
            "01.bright",
            XY + INSIDE + "if (image[x * width + y] > 0.5f) " + ADD,
            "a row of the image has width pixels",
        ),
        ("01.bright", XY + INSIDE + "if (y < 64) " + BRIGHT + ADD, "rows = 300"),
        ("01.bright", XY + INSIDE + "if (x < 64) " + BRIGHT + ADD, "columns = 700"),
        (
            "01.mirror",
            XY + INSIDE + "{ int v = image[y * width + width - 1 - x]; out[y * width + x] = v; }",
            "an int drops",
        ),
        (
            "01.mirror",
            XY + INSIDE + "if (width < 100) out[y * width + x] = image[y * width + width - 1 - x];",
            "columns = 700",
        ),
        ("01.together", OWN + "if (i < n && i < 2000) {" + BY_WARP + "}", "n = 2600"),
    ],
)
def test_wrong_kernels_are_told_why(name, body, hint):
    verdict = judge(name, body)
    assert not verdict.solved
    assert hint in verdict.text, verdict.text


@pytest.mark.parametrize(
    "answer, said",
    [
        ((...,), "nothing yet"),
        ((abs,), "of type"),
        (
            (RawKernel('extern "C" __global__ void answer(float* x) {}', "answer"),),
            "do not fit your kernel's signature",
        ),
        ((RawKernel(PLAIN.format("while (true);"), "answer"),), "does not end"),
    ],
)
def test_strange_answers_get_a_message(answer, said):
    verdict = find("01.together").judge(*answer)
    assert not verdict.solved and said in verdict.text, verdict.text


def test_every_exercise_is_proved():
    prove("01")
