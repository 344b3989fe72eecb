"""Programs whose kernels find pointers in structs and in memory of the GPU."""

import pytest

from nnlib.cuda import OutOfBoundsError, Program, RaceError, force_simulator

VIEW = r"""#include <cstdio>
struct View { int n; float* data; };
__global__ void peek(View v, float* o) { o[threadIdx.x] = %s; }
int main() {
    float host[4] = {7}, *o, result;
    View v; v.n = 3; cudaMalloc(&o, 16);
    %s
    peek<<<1, 4>>>(v, o);
    cudaMemcpy(&result, o, 4, cudaMemcpyDeviceToHost); printf("%%g\n", result);
    cudaFree(o);
}"""


@pytest.mark.parametrize("statement, words", [
    ("v.data = host;", "a pointer to host, memory of the host: a GPU cannot reach it"),
    ("cudaMalloc(&v.data, 4); cudaFree(v.data);", "a pointer to v.data, which was freed in line 7"),
    ("v.data = (float*)12345;", "a pointer that points nowhere"),
    ("v.data = o + 5;", "a pointer 20 bytes behind the beginning of o, which has 16 bytes"),
    ("v.data = nullptr;", "a null pointer"),
])
def test_a_struct_may_bring_a_pointer_that_the_kernel_does_not_use(statement, words):
    with force_simulator():
        assert Program(VIEW % ("v.n", statement)).run().output == "3\n"
        with pytest.raises(OutOfBoundsError) as caught:
            Program(VIEW % ("v.data[0]", statement)).run()
    assert (caught.value.what, caught.value.line) == (f"read through {words}", 3)


@pytest.mark.parametrize("expression, statement", [
    ("v.data[3 - threadIdx.x]", "v.data = o;"),
    ("1; all[threadIdx.x] = v.data[3 - threadIdx.x]", "cudaGetSymbolAddress((void**)&v.data, all);"),
])
def test_a_struct_may_point_to_what_the_kernel_has_anyway(expression, statement):
    text = (VIEW % (expression, statement)).replace("__global__", "__device__ float all[4] = {1};\n__global__")
    with force_simulator(), pytest.raises(RaceError, match=r"(o|all)\[\d\]"):
        Program(text).run()


def test_what_was_found_is_undone_when_threads_that_wait_start_anew():
    text = r"""#include <cstdio>
__device__ int lock;
__global__ void count(int** table) {
    int* found = table[0];
    atomicAdd(&found[1], 1);
    while (atomicCAS(&lock, 0, 1) != 0) ;
    __threadfence(); found[0] += 1; __threadfence();
    atomicExch(&lock, 0);
}
int main() {
    int *a, **table, counts[2];
    cudaMalloc(&a, 8); cudaMemset(a, 0, 8); cudaMalloc(&table, 8);
    cudaMemcpy(table, &a, 8, cudaMemcpyHostToDevice);
    count<<<1, 8>>>(table);
    cudaMemcpy(counts, a, 8, cudaMemcpyDeviceToHost); printf("%d %d", counts[0], counts[1]);
    cudaFree(a); cudaFree(table);
}"""
    with force_simulator():
        assert Program(text).run().output == "8 8"
