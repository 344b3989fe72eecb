"""Threads and blocks that wait for each other finish as on a GPU; what never ends is told, what is only long is not."""

import numpy as np
import pytest

from nnlib.cuda import (
    BarrierError,
    RawModule,
    checks,
    force_simulator,
)
from nnlib.cuda._engine.simulator.running import launch, progress

from . import kernel, run

LOCK = """__device__ int lock; __device__ int total;
__device__ void take() { while (atomicCAS(&lock, 0, 1) != 0) ; __threadfence(); }
__device__ void give() { __threadfence(); atomicExch(&lock, 0); }
"""


def test_a_long_loop_is_looked_at_for_some_turns(monkeypatch):
    """Looking costs time: of 1500 turns those from the 200th on, for 128 of them, and from then on ever more rarely."""
    monkeypatch.setattr(progress, "FIRST_LOOK", 200)
    seen = []

    class Watched(progress.Changes):
        def store(self, access):
            seen.append(access)
            super().store(access)

    monkeypatch.setattr(progress, "Changes", Watched)
    run(kernel("int* o", "for (int i = 0; i < 1500; i++) o[0] = i;"), [np.zeros(1, np.int32)], 1)
    assert 128 <= len(seen) <= 3 * 129


def test_what_was_printed_before_the_new_start_is_printed_once(capsys):
    run(
        kernel("int* o", 'printf("%d ", threadIdx.x); take(); o[0] += 1; give();', LOCK),
        [np.zeros(1, np.int32)],
        4,
    )
    assert sorted(capsys.readouterr().out.split()) == ["0", "1", "2", "3"]


@pytest.mark.parametrize("checked", [True, False])
def test_a_long_loop_is_not_endless(checked, monkeypatch, capsys):
    monkeypatch.setattr(launch, "SILENCE", 10_000)
    x = np.zeros(1, np.float32)
    run(
        kernel(
            "float* x", "float sum = 0;\nfor (int i = 0; i < 300000; i++) sum += 1;\nx[0] = sum;"
        ),
        [x],
        1,
        checks=checked,
    )
    assert x[0] == 300_000
    told = capsys.readouterr().err.splitlines()
    assert 3 <= len(told) <= 6 and all(
        "is making progress, in the loop of line 3" in line for line in told
    )


TWO_BARRIERS = kernel(
    "float* x",
    """__shared__ float s[64]; int t = threadIdx.x; s[t] = x[t];
    if (t < 32) { __syncthreads(); x[t] = s[t + 32]; }
    else { __syncthreads(); x[t] = s[t - 32]; }""",
)


def test_two_barriers_run_as_on_a_gpu_where_that_check_is_off():
    x = np.arange(64, dtype=np.float32)
    with pytest.raises(BarrierError, match="the guide leaves undefined"):
        run(TWO_BARRIERS, [x], 64)
    swap = RawModule(TWO_BARRIERS).get_function("k")
    with force_simulator(), checks(False, "barriers"):
        swap(1, 64, (x,))
    np.testing.assert_array_equal(x, np.roll(np.arange(64), 32))
    with force_simulator():
        swap(1, 64, (x,), checks=False)
        swap(1, 64, (x,), checks={"bounds", "races"})
        with pytest.raises(BarrierError):
            swap(1, 64, (x,), checks={"barriers"})
    np.testing.assert_array_equal(x, np.roll(np.arange(64), 32))


def test_unknown_checks_are_named():
    with pytest.raises(
        ValueError, match="no check is called 'race'; there are bounds, async copies"
    ):
        checks(False, "race")
