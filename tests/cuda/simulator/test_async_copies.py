"""Asynchronous copies: the thread's own until it has waited, the block's after a barrier behind that."""

from pathlib import Path

import numpy as np
import pytest

import nnlib
from nnlib.cuda import RaceError, RawModule, force_simulator

from . import kernel, run

MATMUL = (Path(nnlib.__file__).parent / "kernels" / "matmul_async.cu").read_text()


def launch(body, checks=True):
    args = [np.arange(256, dtype=np.float32), np.zeros(64, np.float32)]
    declared = "__shared__ float s[2][64]; int t = threadIdx.x;\n"
    run(kernel("float* x, float* o", declared + body), args, 64, checks=checks)
    return args[1]


COPY = "__pipeline_memcpy_async(&s[0][t], x + t, 4); __pipeline_commit();\n"


@pytest.mark.parametrize(
    "body",
    [
        COPY + "__pipeline_wait_prior(0); o[t] = s[0][t];",  # its own element needs no barrier
        COPY + "__pipeline_wait_prior(0); __syncthreads(); o[t] = s[0][63 - t];",
        COPY + "if (t < 32) { __pipeline_wait_prior(0); o[t] = s[0][t]; }",
        COPY
        + "if (t < 32) __pipeline_wait_prior(0); __pipeline_wait_prior(0); o[t] = s[0][t];",  # again what has arrived
        COPY
        + "o[t] = x[t]; s[1][t] = 2; __pipeline_wait_prior(0);",  # reading the source is allowed
        COPY + "__pipeline_wait_prior(0); x[t] = 1;",
        "for (int i = 0; i < 4; i++) {\n__pipeline_memcpy_async(&s[i % 2][t], x + i * 64 + t, 4); __pipeline_commit();\n"
        "if (i > 0) { __pipeline_wait_prior(1); o[t] = s[(i - 1) % 2][t]; } }",
        "if (t < 32) { "
        + COPY
        + "__pipeline_wait_prior(0); }\nelse { "
        + COPY
        + COPY.replace("[0]", "[1]")
        + "__pipeline_wait_prior(1); o[t] = s[0][t]; }",  # threads with different numbers of batches
    ],
)
def test_right(body):
    launch(body)


@pytest.mark.parametrize(
    "body, line, words",
    [
        (COPY + "o[t] = s[0][t];", 4, "its own asynchronous copy into it is under way, of line 3"),
        (COPY + "o[t] = s[0][t ^ 1];", 4, r"thread \(1,0,0\)'s asynchronous copy into it"),
        (
            COPY
            + "__shared__ float r[64]; __pipeline_memcpy_async(&r[t], x + t, 4);\no[t] = s[0][t];",
            5,
            "of line 3",
        ),
        (COPY + "__syncthreads();\no[t] = s[0][t];", 5, "under way"),
        (COPY + "s[0][t] = 1;", 4, "writes s"),
        (COPY + "x[t] = 1;", 4, "asynchronous copy from it is under way"),
        (COPY + "x[t ^ 7] = 1;", 4, "from it is under way"),
        (COPY + "__pipeline_memcpy_async(&s[0][t], x + t, 4);", 4, "writes s"),
        (COPY + "__pipeline_wait_prior(0);\no[t] = s[0][63 - t];", 5, "reads s.*no barrier orders"),
        (
            COPY + "__syncthreads(); __pipeline_wait_prior(0);\no[t] = s[0][63 - t];",
            5,
            "reads s.*no barrier",
        ),
        (COPY + "__pipeline_wait_prior(0);\nx[63 - t] = 1;", 5, "writes x"),
        (
            "__pipeline_memcpy_async(&s[0][t], x + t, 4); __pipeline_wait_prior(0);\no[t] = s[0][t];",
            4,
            "under way",
        ),
        (COPY + "if (t < 32) __pipeline_wait_prior(0);\no[t] = s[0][t];", 5, "under way"),
        (
            "for (int i = 0; i < 4; i++) {\n__pipeline_memcpy_async(&s[i % 2][t], x + i * 64 + t, 4); __pipeline_commit();\n"
            "if (i > 0) { __pipeline_wait_prior(2);\no[t] = s[(i - 1) % 2][t]; } }",
            6,
            "under way",
        ),
    ],
)
def test_wrong(body, line, words):
    with pytest.raises(RaceError, match=f"(?s){words}") as caught:
        launch(body)
    assert caught.value.line == line, str(caught.value)
    launch(body, checks=False)


@pytest.mark.parametrize("threads, right", [(32, True), (33, False)])
def test_arguments_that_overlap(threads, right):
    """x[32] is y[0], from where a copy is under way."""
    a = np.zeros(96, np.float32)
    text = kernel(
        "float* x, float* y",
        "__shared__ float s[64]; int t = threadIdx.x;\n"
        f"if (t < 32) {{ __pipeline_memcpy_async(&s[t], y + t, 4); __pipeline_commit(); }}\n"
        f"if (t < {threads}) x[t] = 1;",
    )
    if right:
        run(text, [a[:64], a[32:]], 64)
    else:
        with pytest.raises(RaceError, match=r"writes x\[32\]"):
            run(text, [a[:64], a[32:]], 64)


@pytest.mark.parametrize("element, right", [("t + 32", True), ("t", False)])
def test_a_thread_s_own_copy_from_an_argument_that_overlaps(element, right):
    a = np.zeros(96, np.float32)
    text = kernel(
        "float* x, float* y",
        "__shared__ float s[32]; int t = threadIdx.x;\n"
        f"__pipeline_memcpy_async(&s[t], x + 32 + t, 4); __pipeline_commit();\ny[{element}] = 1;",
    )
    if right:
        run(text, [a[:64], a[32:]])
    else:
        with pytest.raises(
            RaceError, match=r"writes y\[0\] while its own asynchronous copy from it"
        ):
            run(text, [a[:64], a[32:]])


@pytest.mark.parametrize("right", [True, False])
def test_wait_and_barrier_of_the_finished_kernel(right):
    pair = "    __pipeline_wait_prior(STAGES - 2);\n    __syncthreads();\n"
    swapped = "    __syncthreads();\n    __pipeline_wait_prior(STAGES - 2);\n"
    assert MATMUL.count(pair) >= 1
    text = MATMUL if right else MATMUL.replace(pair, swapped, 1)
    rng = np.random.default_rng(0)
    a, b = rng.random((32, 16), dtype=np.float32), rng.random((16, 64), dtype=np.float32)
    c = np.zeros((32, 64), np.float32)
    options = ("-DBM=64", "-DBN=128", "-DTM=8", "-DTN=8")
    matmul = RawModule(text, options=options).get_function("matmul_async")
    with force_simulator():
        if right:
            matmul(1, 128, (a, b, c, 32, 64, 16))
            np.testing.assert_allclose(c, a @ b, rtol=1e-5)
        else:
            with pytest.raises(RaceError, match="tiles"):
                matmul(1, 128, (a, b, c, 32, 64, 16))
