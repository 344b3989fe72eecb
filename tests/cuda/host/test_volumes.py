"""Arrays of three axes, memory pools, and what of CUDA a program does not get."""

import pytest

from nnlib.cuda import HostError, Program, UnsupportedError

VOLUME = r"""
#include <cstdio>
__global__ void number(cudaPitchedPtr p, int w, int h, int d) {
    for (int z = 0; z < d; z++)
        for (int y = 0; y < h; y++) {
            float* row = (float*)((char*)p.ptr + (z * h + y) * p.pitch);
            for (int x = 0; x < w; x++) row[x] = 100 * z + 10 * y + x;
        }
}
int main() {
    cudaExtent extent = make_cudaExtent(3 * sizeof(float), 2, 2);
    cudaPitchedPtr p;
    cudaMalloc3D(&p, extent);
    cudaMemset3D(p, 0, extent);
    float h[SIZE];
    cudaMemcpy3DParms copy = {0};
    copy.srcPtr = p;
    copy.dstPtr = make_cudaPitchedPtr(h, 3 * sizeof(float), 3, 2);
    copy.extent = extent;
    copy.kind = cudaMemcpyDeviceToHost;
    number<<<1, 1>>>(p, 3, 2, 2);
    cudaMemcpy3D(&copy);
    for (float x : h) printf("%g ", x);
    copy.srcPos = make_cudaPos(sizeof(float), 1, 1);
    copy.extent = make_cudaExtent(2 * sizeof(float), 1, 1);
    cudaMemcpy3D(&copy);
    printf("%g %g", h[0], h[1]);
    cudaFree(p.ptr);
}
"""


def test_a_volume_and_a_part_of_it():
    run = Program(VOLUME, options=["-DSIZE=12"]).run()
    assert (run.output, run.notes) == ("0 1 2 10 11 12 100 101 102 110 111 112 111 112", [])


def test_a_volume_that_does_not_fit():
    with pytest.raises(HostError, match="past the end of h") as caught:
        Program(VOLUME, options=["-DSIZE=11"]).run()
    assert caught.value.line == 22


def test_pools_are_the_memory():
    text = r"""int main() {
        cudaMemPool_t pool; unsigned long long kept = 1 << 20; int *d, has;
        cudaDeviceGetAttribute(&has, cudaDevAttrMemoryPoolsSupported, 0);
        if (!has) return 1;
        cudaDeviceGetDefaultMemPool(&pool, 0);
        cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept);
        cudaStream_t s; cudaStreamCreate(&s);
        cudaMallocFromPoolAsync((void**)&d, 4, pool, s);
        cudaFreeAsync(d, s);
        cudaStreamSynchronize(s);
        cudaStreamDestroy(s);
    }"""
    run = Program(text).run()
    assert (run.status, run.notes) == (0, [])


@pytest.mark.parametrize(
    "text, what",
    [
        ("#include <cuda.h>\nint main() { CUdevice d; }", "CUDA's driver API"),
        ("#include <cuda.h>\nint main() { cuInit(0); }", "CUDA's driver API"),
    ],
)
def test_what_there_is_not(text, what):
    with pytest.raises(
        UnsupportedError, match=f"valid CUDA C[+][+], but not supported by the simulator: {what}"
    ):
        Program(text)
