"""Every picture of the lessons: one call, numbers in its alt text, fits a slide, can be read."""

import re
import string
import subprocess
import sys

import numpy as np
import pytest

from nnlib.course import pictures
from nnlib.course.pictures import convolution
from nnlib.course.pictures.rewards import reward
from nnlib.course.pictures.style import Picture
from nnlib.course.pictures.widgets import Explorer
from nnlib.cuda import RawKernel, Timing
from nnlib.layers import CausalSelfAttention, Conv2d, Embedding, Linear, ReLU, Residual
from nnlib.model import Sequential
from nnlib.ops import arrays
from nnlib.support.devices import on_devices, ring
from nnlib.training import History
from tests.benchmarks.pieces import solutions
from tests.notebooks.test_accessibility import NUMBER, READABLE, contrast, written

LANES = [2 * lane for lane in range(32)]
VALUES = np.random.default_rng(0).standard_normal(100)
SOURCE = 'extern "C" __global__ void twice(float* x) {\nint i = threadIdx.x;\nx[i] = 2 * x[i];\n}'


def trace():
    return RawKernel(SOURCE, "twice").trace(1, 8, (np.zeros(8, np.float32),))


CALLS = {
    "cpu_and_gpu": (),
    "host_and_device": (),
    "memory_levels": (),
    "thread_explorer": (20,),
    "stride_explorer": (),
    "tile_stepper": (np.eye(4), np.ones((4, 4))),
    "rows_in_memory": (),
    "vector_loads": (),
    "linear_products": (),
    "two_warps": (),
    "linear_stepper": (),
    "roofline_stepper": (),
    "climb": (),
    "block_sizes": (),
    "blocks_dealt": (),
    "blocks_started": (),
    "dealing_stepper": (),
    "addition_by_size": (),
    "your_path": (),
    "leader_board": (0.07, 1.5),
    "capture": ("as a graph",),
    "multiprocessors": (3,),
    "loss_gradient": ([0.3, 0.7], [0.3, -0.7]),
    "shared_sum": (),
    "halo_explorer": (),
    "output_tiles": (),
    "thread_rows": (),
    "register_blocking": ((4, 4), (2, 8), (1, 16)),
    "conv_tile_stepper": (),
    "memory_traffic": ({"apart": {"relu": (4, 4)}},),
    "counted_and_timed": ({"by_lane": 1598, "by_warp": 820}, "warp instructions", "branches"),
    "count_and_time": ({1: 4, 2: 8, 8: 32}, "sectors", "stride in floats", "reads", "strides"),
    "own_clock": (
        {at: Timing(1e-4 * at, 9e-6, 15, "this CPU (LLVM)") for at in (1, 8)},
        {"1": 5.3e-5, "8": 1.4e-4},
        "stride in floats",
    ),
    "image_row": ({"digit": np.ones((28, 28)), "negative": np.zeros((28, 28))},),
    "curves": ([1, 2], {"a": [1, 4], "b": [3, 2]}, "step", "loss"),
    "bars": ({"naive": 630, "tiled": 97}, "sectors"),
    "stacked_bars": ({"separate": {"convolution": 6, "ReLU": 4}, "fused": {"in one": 3}}, "kB"),
    "histograms": (
        {name: {"layer 1": VALUES, "layer 8": VALUES} for name in ("He", "small")},
        "outputs",
    ),
    "product_reads": (np.ones((4, 6)), np.ones((6, 3)), np.ones((4, 3))),
    "activation_curves": ([-1, 0, 1], {"ReLU": ([0, 0, 1], [0, 0, 1])}),
    "shuffle_stepper": (),
    "tree_stepper": (),
    "window_stepper": (),
    "index_stepper": (),
    "placement_explorer": (),
    "channel_stepper": (),
    "column_stepper": (),
    "pooling": (np.arange(16).reshape(4, 4), 3, 1),
    "weight_gradient_stepper": (),
    "input_gradient_stepper": (),
    "graph_stepper": (),
    "boundary_stepper": ({0: (np.eye(9), 0.5), 10: (np.eye(9), 1)}, np.eye(2), [0, 1]),
    "online_stepper": (),
    "attention_tiles": (),
    "ring_stepper": (),
    "another_gpu": (),
    "fragment_explorer": (),
    "half_histogram": ({"a": [0.5, 1e-6], "b": [1e-9, 3.0]},),
    "descent": ({"lr 0.2": [2, 1.2]},),
    "valley": ({"SGD": np.array([[-4, 1.5], [0, 0]])},),
    "loss_curves": ({"a": [2.3, 1, 0.5]}, 2.3),
    "sample_grid": (np.zeros((12, 28, 28)), np.arange(12) % 10),
    "learning_curves": (
        History([1.0, 0.5], [0.5, 0.8], [1.1, 0.7], [0.4, 0.7], [1.0, 1.0], [0.1, 0.1]),
    ),
    "confusion_matrix": ([0, 1, 1], [0, 0, 1], "ab"),
    "worst_mistakes": (np.zeros((3, 28, 28)), [0, 1, 1], np.eye(3)),
    "filters": ({"before": Conv2d(1, 2, 3), "after": Conv2d(1, 2, 3)},),
    "feature_maps": (Sequential(Conv2d(1, 2, 3), ReLU()), np.ones((1, 8, 8))),
    "calibration": (np.eye(20), np.arange(20)),
    "pipeline_explorer": ({"buffers": [1, 2]}, lambda n: [("copy", 0, 0.0, 2.0 / n)]),
    "bank_grid": (LANES,),
    "sector_strip": (LANES,),
    "heat_map": (np.arange(6).reshape(2, 3),),
}
ADD = (
    'extern "C" __global__ void add(const float* a, const float* b, float* c, int n) {\n'
    "int i = blockIdx.x * blockDim.x + threadIdx.x;\nif (i < n) c[i] = a[i] + b[i]; }"
)
COUNT = 'extern "C" __global__ void count(float* c) { c[0] += 1.0f; }'
REVERSE = """extern "C" __global__ void reverse(const float* x, float* out) {
__shared__ float s[128];
s[threadIdx.x] = x[threadIdx.x];
out[threadIdx.x] = s[127 - threadIdx.x]; }"""
X = np.arange(128, dtype=np.float32)


def race(code, name, *args_and_right):
    return RawKernel(code, name), 1, 128, *args_and_right


def small_gpt():
    return Sequential(Embedding(27, 8), Residual(CausalSelfAttention(8, 2)), Linear(8, 27))


NAMES = [".", *string.ascii_lowercase]
LATE = {
    "attention_maps": lambda: (small_gpt(), NAMES, ".anna"),
    "sampled_names": lambda: (small_gpt(), NAMES, ["q"]),
    "roofline": lambda: ({"add": RawKernel(ADD, "add").profile(4, 32, (X, X, X.copy(), 128))},),
    "race_explorer": lambda: race(REVERSE, "reverse", (X, 0 * X), X),
    "kernel_stepper": lambda: (trace(),),
    "lane_timeline": lambda: (trace(),),
    "transfers": lambda: ({"ring": on_devices(ring, [np.zeros(9, np.float32) for _ in range(3)])},),
}


def drawn(name) -> list[Picture]:
    picture = getattr(pictures, name)(*(LATE[name]() if name in LATE else CALLS[name]))
    return list(picture.pictures.values()) if isinstance(picture, Explorer) else [picture]


def test_the_table_names_every_picture_and_every_picture_is_tried():
    table = set(
        re.findall(
            r"(\w+)\(", "\n".join(re.findall(r"^\| ([^|]*)\|", pictures.__doc__, re.MULTILINE))
        )
    )
    assert table == set(pictures.__all__)
    elsewhere = {"network", "own_path", "own_roofline"}  # tests/mine, and test_steps.py
    assert table == set(CALLS) | set(LATE) | elsewhere


@pytest.mark.parametrize("name", [*CALLS, *LATE])
def test_picture(name):
    for picture in drawn(name):
        assert isinstance(picture, Picture) and NUMBER.search(picture.alt)
        if isinstance(picture.data, str):
            width, height = (
                int(re.search(rf'{side}="(\d+)"', picture.data)[1]) for side in ("width", "height")
            )
            assert width <= 1000 and height <= 600
            assert all(contrast(*inks) >= READABLE for _, *inks in written(picture.data))


def test_an_arrow_shows_each_chunk_that_is_sent():
    frames = [shown.data for shown in pictures.ring_stepper(3).pictures.values()]
    assert [data.count("<line") for data in frames] == [0, *[3 * 3] * 4]


def test_outputs_and_planes_are_drawn_as_squares():
    sides = re.findall(r'width="(\d+)" height="(\d+)" fill="#56B4E9"', pictures.output_tiles().data)
    assert len(sides) == 4 and all(width == height for width, height in sides)


def test_reads_of_one_block_are_bands():
    reads = np.zeros((32, 64), int)
    reads[:16] = 16
    alt = pictures.product_reads(reads, np.zeros((64, 8), int), np.eye(32, 8, dtype=int)).alt
    assert alt.startswith(
        "A 32 x 64: 16 reads per element, 1,024 elements, 16,384 in all; B 64 x 8: 0 reads"
    )


def test_what_a_block_touches_has_an_outline():
    some = np.zeros((4, 4), int)
    some[:2, :2] = 1
    axes = pictures.product_reads(some, np.ones((4, 4)), np.zeros((4, 4))).figure.axes
    assert [len(each.collections) for each in axes[:3]] == [1, 0, 0]


def test_stacked_parts_keep_their_order():
    assert pictures.stacked_bars({"a": {"x": 1, "y": 2}}, "kB").alt == "kB: a x 1, y 2."


def test_who_works_twice_at_once_is_busy_once():
    """Two streams overlap; before, 8 batches in 8.12 ms kept the GPU busy for 8.73 ms."""
    work = [
        ("compute", 0, 1.0, 3.0),
        ("compute", 1, 2.0, 4.0),
        ("compute", 2, 2.5, 3.5),
        ("compute", 3, 5.0, 6.0),
    ]
    said = pictures.pipeline_explorer({"streams": [2]}, lambda streams: work).pictures[2,].alt
    assert said == "streams 2, 4 batches in 6 ms: compute busy for 4 ms."


def test_a_logarithmic_axis_is_as_long_as_its_numbers():
    axes = pictures.curves(
        [1, 2, 3], {"error": [5.0, 1e-9, 1e-3]}, "step", "error", log="y"
    ).figure.axes[0]
    assert 1e-11 < axes.get_ylim()[0] < 1e-9 and 5 < axes.get_ylim()[1] < 500


def test_gradients_in_pictures_are_those_of_the_operations():
    picture, weights = convolution.PICTURE, convolution.SOBEL
    dy = np.float32([[1, 0, 2], [0, 1, 0], [3, 0, 1]])
    dx, dw, _ = arrays.conv2d_backward(dy[None, None], picture[None, None], weights[None, None])
    said = [alt.alt for alt in convolution.weight_gradient_stepper(picture, dy).pictures.values()]
    assert [float(words.rsplit("= ", 1)[1]) for words in said] == dw.ravel().tolist()
    said = [alt.alt for alt in convolution.input_gradient_stepper(weights, dy).pictures.values()]
    assert [float(words.rsplit("= ", 1)[1]) for words in said] == dx.ravel().tolist()


def test_a_threads_number_is_taken_apart_as_memory_is_laid_out():
    y = np.arange(24).reshape(2, 2, 2, 3)  # (N, F, OH, OW), and x is (N, C, H, W)
    x = np.arange(80).reshape(2, 2, 4, 5)
    for number, shown in enumerate(pictures.index_stepper().pictures.values()):
        at = {name: int(value) for name, value in re.findall(r"(ox|oy|f|n) (\d)", shown.alt)}
        n, f, oy, ox = (at[name] for name in ("n", "f", "oy", "ox"))
        assert y[n, f, oy, ox] == number and f"writes y[{number}];" in shown.alt
        assert f"at x[{x[n, 0, oy, ox]}], and at x[{x[n, 1, oy, ox]}]" in shown.alt
        seen = x[n, :, oy : oy + 3, ox : ox + 3].ravel()
        # In the planes and in memory
        assert shown.data.count('fill="#56B4E9"') == 2 * (len(seen) - 1)


def test_pooling_overlaps_and_prefers_the_first_of_equals():
    assert pictures.pooling(np.array([[5, 5, 1], [1, 5, 2]]), 2, 1).alt.endswith(
        "places: 5 at 0, 5 at 1."
    )


def test_a_race_gives_wrong_numbers():
    count = pictures.race_explorer(*race(COUNT, "count", (np.zeros(1, np.float32),), 128))
    assert count.pictures[0,].alt.startswith(
        "Order 0, warp after warp: c is 4 and should be 128. In 8 orders c is "
    )
    tile = pictures.race_explorer(*race(REVERSE, "reverse", (X, 0 * X), X[::-1]))
    assert tile.pictures[0,].alt.startswith(
        "Order 0, warp after warp: 64 of the 128 elements of out are wrong."
    )
    atomic = COUNT.replace("c[0] += 1.0f", "atomicAdd(&c[0], 1.0f)")
    safe = pictures.race_explorer(*race(atomic, "count", (np.zeros(1, np.float32),), 128))
    assert {shown.alt.split(": ")[1] for shown in safe.pictures.values()} == {
        "c is 128, as it should be. In 8 orders c is always 128."
    }
    framed = (
        '"#000000" stroke-width="2"/>'  # and one in the legend: wrong is not told by colour alone
    )
    assert [shown.pictures[0,].data.count(framed) for shown in (count, tile, safe)] == [2, 65, 1]
    with pytest.raises(ValueError, match="writes no array"):
        pictures.race_explorer(
            *race('extern "C" __global__ void idle(const float* x) {}', "idle", (X,), X)
        )


def test_marking_does_not_import_matplotlib():
    says = "import sys, nnlib.teaching.marking.judge; print('matplotlib' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", says], capture_output=True, text=True).stdout
        == "False\n"
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("03.linear_forward", "means of 7, by your kernel, 28 x 28, from 0 to 0.9"),
        ("03.linear_grad_input", "mirrored by your kernel, 28 x 28, from 0 to 1"),
        ("03.linear_grad_weight", "rows as columns, by your kernel, 28 x 28, from 0 to 1"),
        ("04.sum_columns", "your sums of its columns, 28 x 28, from 0 to 1"),
        ("04.relu", "0 at -3, 3 at 3"),
        ("04.relu_grad", "Slopes at 3: ReLU, slope by your kernel 1.000"),
        ("04.softmax_cross_entropy", "Gradient 0.09, 0.24, -0.33: a step lowers logit 0"),
        ("05.conv_forward", "means of 5 x 5, by your kernel, 28 x 28, from 0 to 0.9"),
        ("05.max_pool", "its maxima, by your kernel, 14 x 14, from 0 to 1"),
    ],
)
def test_what_a_right_kernel_did_is_drawn(name, said):
    word = name.split(".")[1]
    assert said in reward(name, RawKernel(solutions()[word][0], word)).alt
