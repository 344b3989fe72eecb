"""The roofline: no kernel above its limit, one's own beside what an H200 did."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from nnlib import mine
from nnlib.course import ladder
from nnlib.course.pictures import climb, roofline
from nnlib.course.pictures.roofline import CLIMB, per_byte, recorded_products
from nnlib.course.roofs import H200, Roofs, intensity, roofs
from nnlib.course.timing import Peaks, recorded
from nnlib.cuda import RawKernel
from nnlib.device import has_gpu

ADD = (
    'extern "C" __global__ void add(const float* a, const float* b, float* c, int n) {\n'
    "int i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i < n) c[i] = a[i] + b[i]; }"
)
X = np.zeros(1024, np.float32)


@pytest.fixture(scope="module")
def add():
    return RawKernel(ADD, "add").profile(8, 128, (X, X + 1, X.copy(), 1024))


def test_a_kernel_without_a_time_lies_at_its_limit(add):
    assert intensity(add) == {"L1": 1 / 12, "DRAM": 1 / 12}
    alt = roofline({"mine": add}).alt
    assert "mine: 0.0833 operations per byte, at most 0.4 TFLOP/s" in alt
    assert (
        f"naive: 0.25 operations per byte, {recorded_products()['naive'] / 1e12:.3g} TFLOP/s" in alt
    )


def test_the_words_on_the_roofs_are_black_and_no_smaller_than_ten_points(add):
    words = [
        text for text in roofline({"mine": add}).figure.axes[0].texts if "/s" in text.get_text()
    ]
    assert len(words) == 4 and all(
        text.get_color() in ("black", "#000000") and text.get_fontsize() >= 10 for text in words
    )


def test_a_students_piece_stands_there_as_counted_and_hides_no_recorded_one(add, tmp_path, environ):
    environ(NNLIB_MINE=tmp_path)
    a = np.ones((64, 64), np.float32)
    arguments = {"linear_forward": (a, a, a[0].copy(), a.copy(), 64, 64, 64)}
    # Nothing written: nothing to show
    assert "linear_forward" not in roofline({"naive": add}, yours=arguments).alt
    text = mine.PIECES["linear_forward"].best
    mine.save("linear_forward", mine.judge(mine.PIECES["linear_forward"], text), text)
    alt = roofline({"add": add}, yours=arguments).alt
    assert "linear_forward, yours: 1.0" in alt and "naive: 0.25 " in alt and "add: 0.0833" in alt


def test_what_is_read_again_lowers_the_intensity_of_l1_only():
    twice = RawKernel(ADD.replace("a[i] + b[i]", "a[i] + b[i] + a[n - 1 - i]"), "add").profile(
        8, 128, (X, X + 1, X.copy(), 1024)
    )
    found = intensity(twice)
    assert found == {"L1": 2 / 16, "DRAM": 2 / 12}


@pytest.mark.parametrize("name", CLIMB)
def test_the_climb_is_what_the_simulator_counts(name):
    a, b = np.ones((2, 64, 64), np.float32)
    profile = ladder.rung(name).profile(a, b)
    if profile.shared_load.requests:
        passes = profile.shared_load.wavefronts
        assert not profile.shared_load.bank_conflicts
    else:  # of the loop's two loads: lines of L1 that the first warp asks for, as often as all warps
        line = max(profile.lines, key=lambda line: profile.lines[line].global_load.requests)
        lines = {(access.name, access.address // 128) for access in profile.accesses(line=line)}
        passes = len(lines) * profile.global_load.requests / 2
    assert passes / (64**3 / 32) == CLIMB[name]


def test_no_recorded_product_is_faster_than_the_arithmetic_or_far_above_its_roof():
    timed = recorded_products()
    assert max(timed.values()) <= H200.flops
    for name in CLIMB.keys() & timed.keys():  # a compiler may read several numbers in one pass
        assert 0.3 < timed[name] / H200.limit({"L1": per_byte(name)}) < 1.1


def test_the_climb_shows_what_is_allowed_and_what_was_timed():
    alt = climb("naive, strided", "tiled", "4 x 4").alt
    assert "strided: 0.015 operations per byte, at most 0.51 TFLOP/s, timed 0.5;" in alt
    assert "tiled: 0.25 operations per byte, at most 8.4 TFLOP/s, timed 8.9;" in alt
    assert "4 x 4: 1 operations per byte, at most 33 TFLOP/s" in alt and "naive:" not in alt


def test_no_recorded_stream_exceeds_the_dram():
    assert (
        max(row["bytes_per_second"] for row in recorded("kernels")["rows"])
        <= H200.bandwidth["DRAM"]
    )


def test_a_kernel_without_arithmetic_has_no_place():
    copy = RawKernel(ADD.replace("a[i] + b[i]", "a[i]"), "add")
    with pytest.raises(ValueError, match="no floating-point operation"):
        roofline({"copy": copy.profile(8, 128, (X, X, X.copy(), 1024))})


def test_roofs_are_those_of_the_data_sheet_or_of_the_machines_own_gpu(monkeypatch):
    sheet = {"L1": 33.454, "L2": 10.138, "DRAM": 4.8}  # TB/s
    assert H200.bandwidth == {
        level: pytest.approx(1e12 * speed, rel=1e-4) for level, speed in sheet.items()
    }
    assert H200.flops == 66.9e12 and H200.limit({"L1": 10.0, "DRAM": 20.0, "tape": 0}) == H200.flops
    assert H200.limit({"L1": 1.0, "DRAM": 20.0}) == pytest.approx(33.454e12, rel=1e-4)
    assert roofs() is H200 or has_gpu()
    device = SimpleNamespace(attributes={"ClockRate": 1_500_000, "MultiProcessorCount": 10})
    module = sys.modules[Roofs.__module__]  # the package has a function of that name
    monkeypatch.setattr(module, "has_gpu", lambda: True)
    monkeypatch.setattr(module, "limits", lambda: Peaks("card", 2e11, 3e12))
    monkeypatch.setattr(module, "xp", SimpleNamespace(cuda=SimpleNamespace(Device=lambda: device)))
    assert roofs() == Roofs("card", 3e12, {"L1": 10 * 128 * 1.5e9, "DRAM": 2e11})


def test_atomics_move_whole_sectors():
    profile = SimpleNamespace(
        flops=960, bytes_moved=64, bytes_once=10, global_atomic=SimpleNamespace(sectors=2)
    )
    assert intensity(profile) == {"L1": 960 / 128, "DRAM": 96}
