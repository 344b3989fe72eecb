"""Counts beside recorded times."""

import json

import pytest
from matplotlib import rc_context

from nnlib.course import pictures, timing
from nnlib.course.pictures import costs, style

RECORDED = {
    "reads": {"strides": {"1": 1e-3, "2": 2e-3, "8": 6e-3}},
    "additions": {
        "elements": 4_224_000,
        "blocks": {"32": 2e-3, "33": 2.2e-3, "64": 1.1e-3, "256": 1e-3},
    },
    "branches": {"kinds": {"by_lane": 4e-3, "by_warp": 2e-3}},
    "latencies": {
        "clock_hz": 1e8,
        "kinds": {"register": 4.0, "shared": 29.0},
        "chains": {"8192": 33.0, "524288": 150.0, "8388608": 230.0, "536870912": 800.0},
    },
    "sizes": [
        {"n": 100, "numpy": 1e-6, "kernel": 5e-6, "with_copies": 3e-5},
    ],
}
CALLS = {
    "counted_and_timed": ({"by_lane": 1598, "by_warp": 820}, "warp instructions", "branches"),
    "count_and_time": ({1: 4, 2: 8, 8: 32}, "sectors", "stride", "reads", "strides"),
    "block_sizes": (),
    "addition_by_size": (),
    "blocks_dealt": (),
}


@pytest.fixture
def results(tmp_path, monkeypatch):
    monkeypatch.setattr(timing, "RESULTS", tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "counted_and_timed",
            "Warp instructions: by_lane 1,598; by_warp 820. Recorded on an H200: by_lane 4 ms; by_warp 2 ms.",
        ),
        (
            "count_and_time",
            "Sectors, counted: 1 at 1, 2 at 2, 8 at 8. Time, recorded on an H200: 1 at 1, 2 at 2, 6 at 8.",
        ),
        ("block_sizes", "fastest at 256; 2.00 times as long at 32, 2.20 times as long at 33"),
        (
            "blocks_dealt",
            "blocks of 33 threads, one every 227 cycles, fill 8 of 64 warp slots; blocks of 256",
        ),
        ("addition_by_size", "100 elements: NumPy 1 µs, kernel 5 µs, with copies 30 µs"),
    ],
)
def test_recorded_times_stand_beside_the_counts(name, said, results):
    (results / "patterns.json").write_text(json.dumps(RECORDED), "utf-8")
    picture = getattr(pictures, name)(*CALLS[name])
    assert said in picture.alt


@pytest.mark.parametrize(
    "counted", [{"a": 1, "b": 2}, {"add, in chunks": 49152, "add, grid-stride": 12288}]
)
@pytest.mark.parametrize(
    "what", ["sectors", "shared wavefronts", "memory requests of one picture, in all layers"]
)
def test_labels_are_whole_and_apart(counted, what, results):
    """The label of the recorded times was cut off at the right edge."""
    (results / "patterns.json").write_text(
        json.dumps({"cases": {"kinds": dict.fromkeys(counted, 1e-3)}}), "utf-8"
    )
    with rc_context(style.SETTINGS):
        fig = pictures.counted_and_timed(counted, what, "cases").figure
        fig.draw_without_rendering()
    left, right = [
        next(text for text in (ax.title, ax._left_title) if text.get_text()).get_window_extent()
        for ax in fig.axes
    ]
    names = [text.get_window_extent() for text in fig.axes[1].get_yticklabels()]
    assert 0 <= left.x0 and left.x1 < min(right.x0, *(name.x0 for name in names)), (
        "they run into each other"
    )
    assert right.x1 <= fig.bbox.x1 - 3 and max(left.y1, right.y1) <= fig.bbox.y1, "cut off"


def test_levels_of_memory_show_what_was_recorded(results):
    (results / "patterns.json").write_text(json.dumps(RECORDED), "utf-8")
    assert costs.latencies() == {
        "registers": 4.0,
        "shared memory": 29.0,
        "L1 cache": 33.0,
        "L2 cache": 230.0,
        "DRAM": 800.0,
    }
    last = list(pictures.memory_levels().pictures.values())[-1].alt
    assert all(f"{cycles} cycles" in last for cycles in (29, 33, 230))
