"""The ladder on tensor cores: right results, no races, no bank conflicts where the kernel promises none."""

from pathlib import Path

import numpy as np
import pytest

import nnlib
from nnlib import device
from nnlib.cuda import RaceError, RawModule
from nnlib.ops.kernels import kernel
from tests.benchmarks.tensor_ladder import TensorRung, rungs
from tests.cuda.simulator.tensor_launches import SIZES, of_ladder, operands

KINDS = ("half", "bf16", "tf32")
ALL = [rung for kind in KINDS for rung in rungs(kind)]
each_rung = pytest.mark.parametrize("rung", ALL, ids=lambda rung: f"{rung.kind} {rung.name}")


def exact(x: np.ndarray) -> np.ndarray:
    """The numbers that are multiplied: of 16 bits as they are, float32 rounded to TF32."""
    if x.dtype == np.uint16:
        x = (x.astype(np.uint32) << 16).view(np.float32)
    elif x.dtype == np.float32:
        bits = x.view(np.uint32)
        x = (bits + (np.uint32(0xFFF) + (bits >> 13 & 1)) & np.uint32(0xFFFFE000)).view(np.float32)
    return x.astype(np.float64)


def assert_product(out: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    expected = exact(a) @ exact(b)
    assert np.abs(out - expected).max() < 3e-6 * np.abs(expected).max()


@each_rung
def test_in_the_simulator(rung: TensorRung) -> None:
    launch = of_ladder(rung)
    profile = launch.profile()
    a, b, out, *sizes = launch.arguments
    assert_product(out, a, b)
    assert profile.tensor_instructions == np.prod(sizes) // (1024 if rung.kind == "tf32" else 2048)
    assert profile.shared_load.bank_conflicts == 0
    if rung.shared:
        assert profile.shared_store.bank_conflicts == 0
        assert profile.global_load.sectors_per_request == 16  # 512 bytes by each copy of a warp


@pytest.mark.gpu
@each_rung
def test_on_a_gpu(rung: TensorRung) -> None:
    m, n, k = SIZES.get(rung.name, (3 * rung.tile[0], 2 * rung.tile[1], 5 * rung.depth))
    a, b = operands(rung.kind, m, n, k)
    out = rung(*(device.to_device(x) for x in (a, b)))
    assert_product(device.to_host(out), a, b)


@pytest.mark.parametrize("kind", ["half", "tf32"])
@pytest.mark.parametrize("sizes", [(256, 192, 16), (128, 64, 64), (1152, 64, 32)])
def test_blocks_in_groups_of_rows_cover_the_result(kind: str, sizes: tuple[int, int, int]) -> None:
    """Two rows of tiles; a depth of one and two tiles of three stages; a last group that is not full."""
    m, n, k = sizes
    rung = rungs(kind)[-2]
    a, b = operands(kind, m, n, max(k, rung.depth))
    assert_product(rung(a, b), a, b)


def test_sizes_it_cannot_do_are_named() -> None:
    rung = rungs("half")[-1]
    a, b = operands("half", 128, 128, 32)
    with pytest.raises(
        ValueError, match=r"'mma.sync, 128 x 256'.*multiples of 128, 256, 32, not \(128, 32\) by"
    ):
        rung(a, b)


@pytest.mark.parametrize(
    "written, instead",
    [
        ("                __syncthreads();", ""),
        (
            '_group %0;" :: "n"(STAGES - 2));\n                __',
            '_group %0;" :: "n"(STAGES - 1));\n                __',
        ),
    ],
)
def test_without_its_waits_the_pipeline_races(written: str, instead: str) -> None:
    text = (Path(nnlib.__file__).parent / "kernels" / "matmul_mma.cu").read_text("utf-8")
    assert text.count(written) == 1
    rung = rungs("half")[-2]
    broken = RawModule(code=text.replace(written, instead), options=rung.options).get_function(
        "matmul_mma"
    )
    launch = of_ladder(rung)
    with pytest.raises(RaceError):
        broken(launch.grid, launch.threads, launch.arguments, launch.shared)


def test_linear_layer() -> None:
    x, w = operands("half", 48, 32, 64)
    y = np.zeros((48, 32), np.float32)
    kernel("matmul_tensor", "linear_wmma")(
        (2, 3), 32, (x, np.ascontiguousarray(w.T), y, 48, 32, 64)
    )
    assert_product(y, x, w)
