"""What a launch leaves behind: results over chunks, module variables, arrays after a failure, traces."""

from contextlib import suppress

import numpy as np
import pytest

from nnlib.cuda import OutOfBoundsError
from nnlib.cuda._engine.language import compile_source
from nnlib.cuda._engine.simulator import Compiled, launch, trace

from . import kernel, run, sizes


@pytest.mark.parametrize("checks", [True, False])
@pytest.mark.parametrize(
    "grid, block", [((3, 5, 7), (4, 3, 2)), ((1000, 1, 1), (33, 1, 1)), ((1, 1, 1), (1, 1, 1))]
)
def test_every_thread_knows_who_it_is(grid, block, checks):
    text = kernel(
        "int* o",
        """int b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
        int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
        int n = blockDim.x * blockDim.y * blockDim.z; o[b * n + t] = b * 1000 + t;""",
    )
    blocks, threads = int(np.prod(grid)), int(np.prod(block))
    o = np.zeros(blocks * threads, np.int32)
    run(text, [o], block, grid, checks=checks)
    np.testing.assert_array_equal(
        o.reshape(blocks, threads), np.arange(blocks)[:, None] * 1000 + np.arange(threads)
    )


def test_device_variables_outlive_a_launch_but_not_a_failure():
    text = kernel(
        "int* o, int bad",
        "o[0] = atomicAdd(&count, 1); if (bad) o[5] = 1;",
        "__device__ int count = 10; ",
    )
    compiled = Compiled(compile_source(text))
    o = np.zeros(1, np.int32)
    for bad, expected in ((0, 10), (1, 10), (0, 11)):
        with suppress(OutOfBoundsError):
            launch(compiled, "k", [o, np.int32(bad)], sizes(1, 1))
        assert o[0] == expected


def test_interrupt_restores_arrays(monkeypatch):
    def interrupt(self, site):
        raise KeyboardInterrupt

    monkeypatch.setattr("nnlib.cuda._engine.simulator.running.machine.Machine.tick", interrupt)
    o = np.zeros(4, np.float32)
    with pytest.raises(KeyboardInterrupt):
        run(kernel("float* o", "o[0] = 1; for (int i = 0; i < 3; i++) o[1] = i;"), [o], 1)
    assert not o.any()


def test_trace_follows_one_block():
    text = kernel(
        "int* o",
        "__shared__ int s[4];\nint t = threadIdx.x;\nif (t > 1)\n  s[t] = t * 10;\no[t] = t;",
    )
    o = np.zeros(8, np.int32)
    record = trace(Compiled(compile_source(text)), "k", [o], sizes(2, 4), block_index=(1, 0, 0))
    assert [step.line for step in record.steps] == [3, 4, 5, 6] and record.complete
    inside = record.steps[2]
    assert inside.active == [False, False, True, True] and inside.values["t"] == [0, 1, 2, 3]
    (touch,) = inside.touches
    assert (touch.space, touch.name, touch.kind, touch.index) == (
        "shared",
        "s",
        "write",
        [None, None, 2, 3],
    )
    assert not o.any()


def test_what_a_trace_shows_of_vectors_arrays_and_a_shifted_argument():
    text = kernel(
        "int* o, int2* v",
        "int t = threadIdx.x;\nint old = atomicAdd(&o[t / 2], 5);\n"
        "int2 w = make_int2(t, 2 * t);\nv[t + 1] = w;\nw.x = v[0].y;\nint a[2] = {t, 1};\n"
        "if (t) a[1] = old;\nint* p = o;\no[7] = 1;",
    )
    args = [np.arange(12, dtype=np.int32)[2:], np.arange(8, dtype=np.int32)]
    steps = trace(Compiled(compile_source(text)), "k", args, sizes(1, 3)).steps
    assert [
        (step.line, [(touch.name, touch.kind, touch.index, touch.value) for touch in step.touches])
        for step in steps
        if step.touches
    ] == [
        (3, [("o", "atomic", [0, 0, 1], [2, 2, 3])]),
        (5, [("v", "write", [1, 2, 3], [0, 1, 2])]),
        (6, [("v", "read", [1, 1, 1], [1, 1, 1])]),
        (10, [("o", "write", [7, 7, 7], [1, 1, 1])]),
    ]
    assert steps[-1].values == {
        "t": [0, 1, 2],
        "old": [2, 7, 3],
        "w": [[1, 0], [1, 2], [1, 4]],
        "a": [[0, 1], [1, 7], [2, 3]],
    }
    assert [(step.line, step.active) for step in steps if not all(step.active)] == [
        (8, [False, True, True])
    ]


def test_trace_is_bounded():
    text = kernel("int* o", "for (int i = 0; i < 100; i++) o[0] = i;")
    o = np.zeros(1, np.int32)
    record = trace(Compiled(compile_source(text)), "k", [o], sizes(1, 1), max_steps=10)
    assert len(record.steps) == 10 and not record.complete
