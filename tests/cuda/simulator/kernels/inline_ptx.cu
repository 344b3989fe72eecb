// rule: Inline PTX reads registers that only PTX has
// launch: 2, 64, [zeros(384, uint32)]
// expect: out.reshape(128, 3)[:, 0] == arange(128) % 32
// expect: out.reshape(128, 3)[:, 1] == (1 << arange(128) % 32) - 1
// expect: out.reshape(128, 3)[:, 2] == arange(128) % 64 // 32
extern "C" __global__ void lanes(unsigned* out) {
    unsigned lane, below, warp;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm volatile("mov.u32 %0, %lanemask_lt;\n\t" : "=r"(below));
    asm("mov.u32 %0, %warpid;" : "=r"(warp));
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[3 * i] = lane; out[3 * i + 1] = below; out[3 * i + 2] = warp;
}

// rule: A load or store of a vector by inline PTX is one access
// launch: 1, 4, [arange(16), zeros(16), array([0, 5], int32)]
// expect: y.reshape(4, 4) == x.reshape(4, 4)[:, ::-1]
// expect: n == [15, 5]
// expect: (profile.global_load.requests, profile.global_store.requests) == (2, 2)
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
}
