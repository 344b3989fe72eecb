"""Times under a clock that only the timed call moves."""

import numpy as np
import pytest

from nnlib import device, ops
from nnlib.course import timing
from nnlib.layers import Linear, ReLU
from nnlib.losses import CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.optimizers import SGD


@pytest.fixture(autouse=True)
def _no_gpu(monkeypatch):
    monkeypatch.setattr(device, "has_gpu", lambda: False)


def test_median_and_spread_are_those_of_one_call(monkeypatch):
    now, calls = 0.0, 0

    def call():
        nonlocal now, calls
        calls += 1
        in_measurement = max(0, calls - 4 - 1) // 5  # after 3 calls of warm-up and one to see how many fill 1 ms
        now += 0.2e-3 * (1 + in_measurement)

    monkeypatch.setattr(timing.time, "perf_counter", lambda: now)
    measured = timing.measure(call, repeats=5)  # 0.2, 0.4, 0.6, 0.8 and 1 ms
    assert calls == 4 + 5 * 5
    assert measured.median == pytest.approx(0.6e-3) and measured.spread == pytest.approx(0.2e-3)


def test_limits_count_bytes_read_and_written_and_both_operations_of_a_multiply_add(monkeypatch):
    monkeypatch.setattr(timing, "measure", lambda call, repeats=15: timing.Timing(seconds, 0.0, repeats))
    seconds = 2**-10
    found = timing.limits.__wrapped__()
    assert found.bandwidth == 2 * 4 * 2**24 / seconds and found.flops == 2 * 768**3 / seconds
    seconds = 2.0  # a slow machine is asked for less
    assert timing.limits.__wrapped__().flops == 2 * 256**3 / seconds


def test_the_stopwatch_waits_for_the_gpu_unless_told_otherwise(monkeypatch):
    now = 0.0

    def pass_time(seconds):
        nonlocal now
        now += seconds

    monkeypatch.setattr(timing.time, "perf_counter", lambda: now)
    monkeypatch.setattr(device, "synchronize", lambda: pass_time(5.0))
    assert timing.stopwatch(lambda: pass_time(1.0)) == 6.0
    assert timing.stopwatch(lambda: pass_time(1.0), wait=False) == 1.0


def test_every_call_of_a_step_is_timed_by_its_name(monkeypatch):
    monkeypatch.setattr(timing, "measure", lambda call, repeats, warmup: timing.Timing(call() is None, 0.0, repeats))
    model = Sequential(Linear(6, 4), ReLU(), Linear(4, 4), Linear(4, 4), ReLU(), Linear(4, 3)).to("cpu")
    with ops.engine("arrays"):
        times = timing.step_times(model, CrossEntropyLoss(), SGD(model, lr=0.1), np.ones((5, 6), np.float32),
                                  np.array([0, 1, 2, 0, 1]))
    assert list(times) == ["Linear(6, 4)", "ReLU()", "Linear(4, 4)", "Linear(4, 4) #2", "ReLU() #2", "Linear(4, 3)",
                           "loss", "Linear(4, 3), gradients", "ReLU(), gradients", "Linear(4, 4), gradients",
                           "Linear(4, 4), gradients #2", "ReLU(), gradients #2", "Linear(6, 4), gradients", "update"]
    assert [name for name, nothing in times.items() if nothing] == ["Linear(6, 4), gradients", "update"]  # no dx of x
