"""The pictures say what the counters say."""

import html
import re

import numpy as np
import pytest

from nnlib.course.pictures import microscope
from nnlib.course.pictures.stepper import kernel_stepper
from nnlib.course.pictures.widgets import thread_explorer
from nnlib.cuda import RawKernel

SOURCE = """
extern "C" __global__ void stretch(const float* a, float* c, int n)
{
    __shared__ float s[64];
    int i = threadIdx.x;
    s[2 * i] = a[2 * i];
    __syncthreads();
    if (i < n)
        c[i] = s[2 * i];
}
"""


@pytest.fixture(scope="module")
def seen():
    kernel = RawKernel(SOURCE, "stretch")
    args = (np.arange(64, dtype=np.float32), np.zeros(32, np.float32), 20)
    return kernel.profile((1,), (32,), args), kernel.trace((1,), (32,), args)


@pytest.mark.parametrize(
    "stride, offset, sectors", [(1, 0, 4), (1, 1, 5), (2, 0, 8), (8, 0, 32), (32, 0, 32), (0, 0, 1)]
)
def test_sectors(stride, offset, sectors):
    index = [offset + stride * lane for lane in range(32)]
    assert len(microscope.sectors_touched(index)) == sectors
    picture = microscope.sector_strip(index)
    assert f"{sectors} sector" in picture.alt
    assert int(re.search(r'width="(\d+)"', picture.data)[1]) <= 1000  # at its full size on a slide


@pytest.mark.parametrize(
    "stride, wavefronts", [(0, 1), (1, 1), (2, 2), (3, 1), (4, 4), (32, 32), (33, 1)]
)
def test_banks(stride, wavefronts):
    index = [stride * lane for lane in range(32)]
    assert f"{wavefronts} wavefront" in microscope.bank_grid(index).alt


def test_an_eighth_of_the_bytes_is_not_rounded():
    assert "12.5 % of the bytes" in microscope.sector_strip([8 * lane for lane in range(32)]).alt


def test_the_highest_stack_of_words_fits_on_a_slide():
    picture = microscope.bank_grid([32 * lane for lane in range(32)]).data
    assert int(re.search(r'height="(\d+)"', picture)[1]) <= 450


def test_lanes_that_are_off_touch_nothing():
    assert microscope.sectors_touched([None] * 31 + [0]) == [0]
    assert (
        "1 active lane touches x in 1 sector of" in microscope.sector_strip([None] * 31 + [0]).alt
    )


def test_pictures_of_a_profile_agree_with_its_counters(seen):
    profile, trace = seen
    assert (
        f"in {profile.global_load.sectors} sectors"
        in microscope.sector_strip(profile.accesses(6), name="a").alt
    )
    assert (
        f"{profile.shared_store.wavefronts} wavefronts"
        in microscope.bank_grid(profile.accesses(6), name="s").alt
    )
    assert "from 20 to 32" in microscope.lane_timeline(trace).alt
    reads, _ = profile.touched("a")
    assert "from 0 to 1, 32 in all" in microscope.heat_map(reads.reshape(8, 8), "a").alt


def test_the_lane_timeline_shows_a_line_whole_or_says_that_it_is_cut():
    index = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
    kernel = RawKernel(
        f'extern "C" __global__ void k(int* out) {{\n{index}\nout[i] = i + {" + ".join("1" * 20)};\n}}',
        "k",
    )
    picture = html.unescape(
        microscope.lane_timeline(kernel.trace(1, 32, (np.zeros(32, np.int32),))).data
    )
    lines = [text.replace("\u00a0", " ") for text in re.findall(r">([^<]*)</text>", picture)]
    assert f"  2 {index}" in lines
    assert [line for line in lines if line.startswith("  3 ")] == [
        "  3 out[i] = i + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + …"
    ]


def test_kernel_stepper(seen):
    stepper = kernel_stepper(seen[1])
    captions = [picture.alt for picture in stepper.pictures.values()]
    assert any(
        "20 of 32 threads active" in words and "writes c[0] = 0 in thread 0" in words
        for words in captions
    )
    assert any(
        "reads a[0] = 0 in thread 0, writes s[0] = 0 in thread 0" in words for words in captions
    )
    last = html.unescape(list(stepper.pictures.values())[-1].data)
    stored = re.findall(r">\[(\d+)\]</text><rect[^>]*/><text[^>]*>(\d+)<", last)
    assert ("7", "14") in stored and ("14", "14") in stored  # c[7], and s[14]


def test_the_stepper_is_as_wide_as_what_it_shows():
    """Two elements were drawn, and room for ten: on a slide the code beside them was too small to read."""
    kernel = RawKernel(
        'extern "C" __global__ void f(int* x) { int i = 4 * blockIdx.x + threadIdx.x;\nif (i < 10) x[i] = i; }',
        "f",
    )
    stepper = kernel_stepper(
        kernel.trace(3, 4, (np.zeros(10, np.int32),), block_index=(2,)), lanes=4
    )
    last = list(stepper.pictures.values())[-1].data
    right = max(
        float(x) + float(w)
        for x, w in re.findall(r'<rect x="([\d.]+)"[^>]*? width="([\d.]+)"', last)
    )
    width = float(re.search(r'viewBox="0 0 ([\d.]+)', last)[1])
    assert width - 60 < right <= width


def test_thread_explorer_says_who_has_nothing_to_do():
    said = thread_explorer(n=20).pictures[8, 3].alt
    assert said.startswith(
        "3 blocks of 8 threads: 24 threads for 20 elements; 4 threads have no element"
    )
