"""Inline PTX does what its CUDA C++ counterpart does; what has none is refused by name."""

import numpy as np
import pytest

from nnlib.cuda import Program, RawKernel, UnsupportedError

LANES = r"""
extern "C" __global__ void lanes(unsigned* out) {
    unsigned lane, below, warp;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm volatile("mov.u32 %0, %lanemask_lt;\n\t" : "=r"(below));
    asm("mov.u32 %0, %warpid;" : "=r"(warp));
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[3 * i] = lane; out[3 * i + 1] = below; out[3 * i + 2] = warp;
}"""
ACCESSES = r"""
extern "C" __global__ void copy(const float* x, float* y, int* n) {
    int i = threadIdx.x;
    float a, b, c, d;
    asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(x + 4 * i));
    asm volatile("st.global.cs.v4.b32 [%4], {%0, %1, %2, %3};" :: "f"(d), "f"(c), "f"(b), "f"(a), "l"(y + 4 * i));
    asm volatile("bar.sync 0;" ::: "memory");
    int first, sum;
    asm("ld.global.ca.s32 %0, [%1+4];" : "=r"(first) : "l"(n));
    asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(first), "r"(3), "r"(i));
    asm("cvt.rn.f32.s32 %0, %1;" : "=f"(a) : "r"(sum));
    if (i == 0) asm volatile("st.global.s32 [%0], %1;" :: "l"(n), "r"(sum));
}"""


def test_registers_that_only_ptx_has():
    out = np.zeros(3 * 128, np.uint32)
    RawKernel(LANES, "lanes")(2, 64, (out,))
    lane = np.arange(128) % 32
    assert np.array_equal(out.reshape(128, 3).T, [lane, (1 << lane) - 1, np.arange(128) % 64 // 32])


def test_accesses_are_one_of_a_vector():
    x, y, n = np.arange(16, dtype=np.float32), np.zeros(16, np.float32), np.array([0, 5], np.int32)
    kernel = RawKernel(ACCESSES, "copy")
    kernel(1, 4, (x, y, n))
    assert np.array_equal(y.reshape(4, 4), x.reshape(4, 4)[:, ::-1]) and n[0] == 15
    profile = kernel.profile(1, 4, (x, y, np.array([0, 5], np.int32)))
    assert (profile.global_load.requests, profile.global_store.requests) == (2, 2)


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


def test_a_register_may_hold_a_pointer():
    """Chasing pointers, as measurements of latency do."""
    text = r"""#include <cstdio>
        __global__ void chase(void** p, void** result) {
            void** q = p;
            for (int i = 0; i < 3; i++) asm volatile ("ld.global.nc.b64 %0, [%0];\n" : "+l"(q) : : "memory");
            *result = q;
        }
        int main() {
            void **d, *h[4], *last;
            cudaMalloc(&d, 40);
            for (int i = 0; i < 4; i++) h[i] = d + (i + 1) % 4;
            cudaMemcpy(d, h, 32, cudaMemcpyHostToDevice);
            chase<<<1, 1>>>(d, d + 4);
            cudaMemcpy(&last, d + 4, 8, cudaMemcpyDeviceToHost);
            printf("%d", (int)((void**)last - d));
            cudaFree(d);
        }"""
    assert Program(text).run().output == "3"
