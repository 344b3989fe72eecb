"""Times under a clock that only the timed call moves."""

from types import SimpleNamespace

import numpy as np
import pytest

from nnlib import device
from nnlib.course import timing


class Clock:
    """Goes on only where it is told to."""

    now = 0.0

    def pass_by(self, seconds):
        self.now += seconds


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(timing.time, "perf_counter", lambda: clock.now)
    return clock


def test_median_and_spread_are_those_of_one_call(clock):
    calls = 0

    def call():
        nonlocal calls
        calls += 1
        # After 3 calls of warm-up and one to see how many fill 1 ms
        in_measurement = max(0, calls - 4 - 1) // 5
        clock.pass_by(0.2e-3 * (1 + in_measurement))

    measured = timing.measure(call, repeats=5)  # 0.2, 0.4, 0.6, 0.8 and 1 ms
    assert calls == 4 + 5 * 5
    assert measured.median == pytest.approx(0.6e-3) and measured.spread == pytest.approx(0.2e-3)


def test_limits_count_bytes_read_and_written_and_both_operations_of_a_multiply_add(monkeypatch):
    monkeypatch.setattr(
        timing, "measure", lambda call, repeats=15: timing.Timing(seconds, 0.0, repeats)
    )
    seconds = 2**-10
    found = timing.limits.__wrapped__()
    assert found.bandwidth == 2 * 4 * 2**24 / seconds and found.flops == 2 * 768**3 / seconds
    seconds = 2.0  # a slow machine is asked for less
    assert timing.limits.__wrapped__().flops == 2 * 256**3 / seconds


def test_the_stopwatch_waits_for_the_gpu_unless_told_otherwise(gpu, clock):
    gpu(synchronize=lambda: clock.pass_by(5.0))
    assert timing.stopwatch(lambda: clock.pass_by(1.0)) == 6.0
    assert timing.stopwatch(lambda: clock.pass_by(1.0), wait=False) == 1.0


class Event:
    """Stands for an event of CUDA: knows the milliseconds at which it was recorded."""

    now = 0.0

    def record(self):
        self.at = Event.now

    def synchronize(self):
        Event.now += 1000  # what is done after the end does not count


def test_work_of_a_gpu_is_timed_between_its_events(gpu):
    def call():
        Event.now += 0.25

    cuda = SimpleNamespace(Event=Event, get_elapsed_time=lambda begin, end: end.at - begin.at)
    gpu(SimpleNamespace(cuda=cuda))
    assert timing.measure(call, repeats=3).median == pytest.approx(0.00025)


def test_limits_of_a_gpu(monkeypatch, gpu):
    launched = []

    class Kernel:
        def __init__(self, text, name):
            assert f"void {name}(" in text

        def __call__(self, *launch):
            launched.append(launch)

    def measure(call, repeats=15):
        call()
        return timing.Timing(0.5, 0.0, repeats)

    cuda = SimpleNamespace(Device=lambda: SimpleNamespace(attributes={"MultiProcessorCount": 3}))
    gpu(
        SimpleNamespace(
            cuda=cuda,
            zeros=np.zeros,
            ones=lambda *_: np.ones(5, np.float32),
            empty_like=np.empty_like,
            copyto=np.copyto,
        ),
    )
    monkeypatch.setattr(device, "find", lambda: SimpleNamespace(name="card"))
    monkeypatch.setattr("nnlib.cuda.RawKernel", Kernel)
    monkeypatch.setattr(timing, "measure", measure)
    found = timing.limits.__wrapped__()
    ((grid, block, (out, _, _, rounds)),) = launched
    assert (grid, block, out.size) == ((24,), (256,), 1)
    assert found == timing.Peaks("card", 2 * 4 * 5 / 0.5, 2 * 8 * rounds * 24 * 256 / 0.5)


@pytest.mark.parametrize(
    ("seconds", "spread", "said"),
    [
        (1.0, 0.1, "1 s ± 10 %"),
        (0.999, 0.0, "999 ms ± 0 %"),
        (1e-3, 1e-4, "1 ms ± 10 %"),
        (12.34e-6, 1e-6, "12.3 µs ± 8 %"),
        (1e-9, 0.0, "1 ns ± 0 %"),
        (2.5e-10, 0.0, "0.25 ns ± 0 %"),
        (61.0, 0.0, "61 s ± 0 %"),
    ],
)
def test_times_have_the_unit_that_fits(seconds, spread, said):
    assert str(timing.Timing(seconds, spread, 3)) == said
