"""The ladder on tensor cores: right results, no races, no bank conflicts where the kernel promises none."""

from pathlib import Path

import numpy as np
import pytest

import nnlib
from nnlib.cuda import RaceError, RawModule
from nnlib.ops.kernels import kernel

SIXTEEN = [("matmul_wmma", 16, 32, (32, 48, 64)), ("matmul_wmma_shared", 64, 128, (64, 128, 48)),
           ("matmul_mma", 128, 256, (128, 256, 96)), ("matmul_mma", 128, 256, (256, 128, 32))]
BFLOAT16 = ("-DBFLOAT16",)


def halves(rng, shape, bfloat16):
    """Numbers as the kernel takes them, and exactly the same in float64."""
    values = rng.standard_normal(shape, dtype=np.float32)
    if not bfloat16:
        given = values.astype(np.float16)
        return given, given.astype(np.float64)
    given = (values.view(np.uint32) >> 16).astype(np.uint16)
    return given, (given.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


def product(name, tile, threads, sizes, options):
    rng = np.random.default_rng(0)
    m, n, k = sizes
    (a, exact_a), (b, exact_b) = (halves(rng, size, bool(options)) for size in ((m, k), (k, n)))
    c = np.zeros((m, n), np.float32)
    function, grid = kernel("matmul_tensor", name, options), (n // tile, m // tile)
    return (function, grid, threads, (a, b, c, *sizes)), exact_a @ exact_b


@pytest.mark.parametrize("options", [(), BFLOAT16], ids=["half", "bfloat16"])
@pytest.mark.parametrize("rung", SIXTEEN, ids=lambda rung: f"{rung[0]}{rung[3]}")
def test_rungs_of_sixteen_bits(rung, options):
    (function, grid, threads, args), expected = product(*rung, options)
    profile = function.profile(grid, threads, args)
    assert np.abs(args[2] - expected).max() < 1e-5
    assert profile.tensor_instructions == 2 * np.prod(rung[3]) // 4096
    assert profile.shared_load.bank_conflicts == 0


def test_the_swizzle_frees_the_stores_too():
    (function, grid, threads, args), _ = product(*SIXTEEN[2], ())
    profile = function.profile(grid, threads, args)
    assert profile.shared_store.bank_conflicts == 0 and profile.shared_load.wavefronts == 2304
    assert profile.global_load.sectors_per_request == 16  # 512 bytes by each copy of a warp


@pytest.mark.parametrize("written, instead", [("__syncthreads();", ";"), ('"n"(STAGES - 2)', '"n"(STAGES - 1)')])
def test_without_its_waits_the_pipeline_races(written, instead):
    text = (Path(nnlib.__file__).parent / "kernels" / "matmul_tensor.cu").read_text("utf-8")
    first, last = text.split("extern \"C\" __global__ void __launch_bounds__(256) matmul_mma")
    assert last.count(written) == 1
    broken = RawModule(code=f'{first}extern "C" __global__ void matmul_mma{last.replace(written, instead)}')
    (_, grid, threads, args), _ = product(*SIXTEEN[2], ())
    with pytest.raises(RaceError):
        broken.get_function("matmul_mma")(grid, threads, args)


def test_linear_layer():
    rng = np.random.default_rng(1)
    (x, exact_x), (w, exact_w) = (halves(rng, size, False) for size in ((48, 64), (32, 64)))
    y = np.zeros((48, 32), np.float32)
    kernel("matmul_tensor", "linear_wmma")((2, 3), 32, (x, w, y, 48, 32, 64))
    assert np.abs(y - exact_x @ exact_w.T).max() < 1e-5


def tf32(sizes):
    rng = np.random.default_rng(2)
    m, n, k = sizes
    a, b = (rng.standard_normal(size, dtype=np.float32) for size in ((m, k), (k, n)))
    return (n // 128, m // 128), (a, b, np.zeros((m, n), np.float32), *sizes)


def rounded(x):
    return ((x.view(np.uint32) + 0x1000) & 0xFFFFE000).astype(np.uint32).view(np.float32).astype(np.float64)


@pytest.mark.parametrize("sizes", [(128, 128, 48), (128, 256, 16)])
def test_tf32(sizes):
    grid, args = tf32(sizes)
    profile = kernel("matmul_tf32", "matmul_tf32").profile(grid, 256, args)
    assert np.abs(args[2] - rounded(args[0]) @ rounded(args[1])).max() < 1e-5
    assert profile.tensor_instructions == np.prod(sizes) // 1024
    assert profile.shared_load.bank_conflicts == profile.shared_store.bank_conflicts == 0


@pytest.mark.gpu
@pytest.mark.parametrize("options", [(), BFLOAT16], ids=["half", "bfloat16"])
@pytest.mark.parametrize("rung", SIXTEEN, ids=lambda rung: f"{rung[0]}{rung[3]}")
def test_rungs_on_a_gpu(rung, options):
    (function, grid, threads, args), expected = product(*rung, options)
    function(grid, threads, args)
    assert np.abs(args[2] - expected).max() < 1e-4


@pytest.mark.gpu
def test_tf32_on_a_gpu():
    grid, args = tf32((256, 128, 64))
    kernel("matmul_tf32", "matmul_tf32")(grid, 256, args)
    assert np.abs(args[2] - rounded(args[0]) @ rounded(args[1])).max() < 1e-4
