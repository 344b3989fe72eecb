"""Every picture of the lessons: one call, numbers in its alt text, fits a slide, can be read."""

import re

import numpy as np
import pytest

from nnlib.course import pictures
from nnlib.course.pictures import memory
from nnlib.course.pictures.style import Picture
from nnlib.course.pictures.widgets import Explorer
from nnlib.cuda import RawKernel
from tests.notebooks.test_accessibility import NUMBER, faint_texts

LANES = [2 * lane for lane in range(32)]
VALUES = np.random.default_rng(0).standard_normal(100)
SOURCE = 'extern "C" __global__ void twice(float* x) {\nint i = threadIdx.x;\nx[i] = 2 * x[i];\n}'


def trace():
    return RawKernel(SOURCE, "twice").trace(1, 8, (np.zeros(8, np.float32),))


CALLS = {
    "cpu_and_gpu": (), "host_and_device": (), "memory_levels": (), "thread_explorer": (20,), "stride_explorer": (),
    "offset_explorer": (), "grid_stride_explorer": (), "occupancy_by_block": (), "tile_stepper": (),
    "image_row": ({"digit": np.ones((28, 28)), "negative": np.zeros((28, 28))},),
    "curves": ([1, 2, 3], {"a": [1, 2, 4], "b": [3, 2, 1]}, "step", "loss"),
    "bars": ({"naive": 630, "tiled": 97},  "sectors"),
    "stacked_bars": ({"separate": {"convolution": 6, "ReLU": 4}, "fused": {"in one": 3}}, "kB"),
    "histograms": ({"He": {"layer 1": VALUES, "layer 8": VALUES}, "small": {"layer 1": VALUES, "layer 8": VALUES}},
                   "outputs"),
    "product_reads": (np.ones((4, 6)), np.ones((6, 3)), np.ones((4, 3))),
    "bank_grid": (LANES,), "sector_strip": (LANES,), "heat_map": (np.arange(6).reshape(2, 3),),
}
LATE = {"kernel_stepper": lambda: (trace(),), "lane_timeline": lambda: (trace(),)}


def drawn(name) -> list[Picture]:
    picture = getattr(pictures, name)(*(LATE[name]() if name in LATE else CALLS[name]))
    return list(picture.pictures.values()) if isinstance(picture, Explorer) else [picture]


def test_the_table_names_every_picture_and_every_picture_is_tried():
    table = set(re.findall(r"(\w+)\(", "\n".join(re.findall(r"^\| ([^|]*)\|", pictures.__doc__, re.MULTILINE))))
    assert table == set(pictures.__all__)
    assert table - {"roofline"} == set(CALLS) | set(LATE)


@pytest.mark.parametrize("name", [*CALLS, *LATE])
def test_picture(name):
    for picture in drawn(name):
        assert isinstance(picture, Picture) and NUMBER.search(picture.alt)
        if isinstance(picture.data, str):
            width, height = (int(re.search(rf'{side}="(\d+)"', picture.data)[1]) for side in ("width", "height"))
            assert width <= 1000 and height <= 600
            assert faint_texts(picture.data) == []


def test_rounds_of_a_grid_stride_loop():
    said = [picture.alt for picture in memory.grid_stride_explorer(100, 32).pictures.values()]
    assert [re.search(r"(\d+) round", words)[1] for words in said] == ["4", "2", "2", "1"]


def test_reads_of_one_block_are_bands():
    reads = np.zeros((32, 64), int)
    reads[:16] = 16
    alt = pictures.product_reads(reads, np.zeros((64, 8), int), np.eye(32, 8, dtype=int)).alt
    assert alt.startswith("A 32 x 64: 16 reads per element, 1,024 elements, 16,384 in all; B 64 x 8: 0 reads")


def test_stacked_parts_keep_their_order():
    assert pictures.stacked_bars({"a": {"x": 1, "y": 2}}, "kB").alt == "kB: a x 1, y 2."
