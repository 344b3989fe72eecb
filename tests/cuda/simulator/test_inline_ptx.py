"""Inline PTX without a counterpart in CUDA C++ is refused by name; what has one is in kernels/inline_ptx.cu."""

import pytest

from nnlib.cuda import RawKernel, UnsupportedError


@pytest.mark.parametrize(
    "text",
    [
        'asm("{ .reg .f16x2 p; }" :: "r"(1));',
        'asm("bfind.u32 %0, %5;" : "=r"(a));',
        'asm("{ .reg .b32 t; add.f32 t, %0, %0; }" :: "f"(1.0f));',
        'asm("setp.ne.f32 p, %0, %0;" :: "r"(a));',
        'asm("mma.sync;");',
        *(
            f'asm("add.{kind} %0, %0, %0;" : "+{letter}"(a));'
            for kind, others in [("f32", "rlhd"), ("f64", "rlhf"), ("s32", "fd")]
            for letter in others
        ),
    ],
)
def test_what_has_no_counterpart_is_refused(text):
    with pytest.raises(UnsupportedError, match="inline PTX"):
        RawKernel(f'extern "C" __global__ void k(int* x) {{ unsigned a; {text} }}', "k").compile()
