"""What may be declared again, how large a tile may be, and where a pair of halves lies in a struct."""

import pytest

from nnlib.cuda import KernelSyntaxError, RawKernel

BODY = "__device__ int twice(int x) { return 2 * x; }\n"
PROTOTYPE = "__device__ int twice(int x);\n"
KERNEL = 'extern "C" __global__ void k(int* x) { x[0] = twice(1); }'


@pytest.mark.parametrize("text", [PROTOTYPE + BODY, BODY + PROTOTYPE, PROTOTYPE + PROTOTYPE + BODY])
def test_a_function_with_one_body_may_be_declared_before_and_after_it(text):
    RawKernel(text + KERNEL, "k").compile()


def test_a_second_body_is_refused():
    with pytest.raises(KernelSyntaxError, match="has a body already"):
        RawKernel(BODY + BODY + KERNEL, "k").compile()


@pytest.mark.parametrize("lanes", [64, 128, 256, 512, 1024])
def test_tiles_that_cuda_has_beyond_a_warp_are_said_to_be_unsupported(lanes):
    text = f"""#include <cooperative_groups.h>
    namespace cg = cooperative_groups;
    extern "C" __global__ void k(int* x) {{ x[0] = cg::tiled_partition<{lanes}>(cg::this_thread_block()).size(); }}"""
    with pytest.raises(KernelSyntaxError, match="more than a warp"):
        RawKernel(text, "k").compile()


@pytest.mark.parametrize("pair", ["__half2", "__nv_bfloat162"])
def test_a_pair_of_halves_begins_at_a_multiple_of_four_bytes(pair):
    text = f"""#include <cuda_fp16.h>
    #include <cuda_bf16.h>
    struct Mixed {{ char first; {pair} both; char last; }};
    extern "C" __global__ void k(Mixed value) {{ }}"""
    dtype = RawKernel(text, "k").parameters[0].dtype
    assert [dtype.fields[name][1] for name in ("first", "both", "last")] == [
        0,
        4,
        8,
    ] and dtype.itemsize == 12
