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


@pytest.mark.parametrize(
    "statement, words",
    [
        ("v.data = host;", "a pointer to host, memory of the host: a GPU cannot reach it"),
        (
            "cudaMalloc(&v.data, 4); cudaFree(v.data);",
            "a pointer to v.data, which was freed in line 7",
        ),
        ("v.data = (float*)12345;", "a pointer that points nowhere"),
        ("v.data = o + 5;", "a pointer 20 bytes behind the beginning of o, which has 16 bytes"),
        ("v.data = nullptr;", "a null pointer"),
        (
            "cudaMalloc(&v.data, 0);",
            "a pointer 0 bytes behind the beginning of v.data, which has 0 bytes",
        ),
    ],
)
def test_a_struct_may_bring_a_pointer_that_the_kernel_does_not_use(statement, words):
    with force_simulator():
        assert Program(VIEW % ("v.n", statement)).run().output == "3\n"
        with pytest.raises(OutOfBoundsError) as caught:
            Program(VIEW % ("v.data[0]", statement)).run()
    assert (caught.value.what, caught.value.line) == (f"read through {words}", 3)


@pytest.mark.parametrize("kind", ["char", "short", "float", "double"])
def test_elements_of_what_a_struct_points_to_are_counted_in_its_type(kind):
    text = VIEW.replace("float* d", f"{kind}* d") % (
        "v.data[threadIdx.x + 1]",
        f"cudaMalloc(&v.data, 4 * sizeof({kind}));",
    )
    with (
        force_simulator(),
        pytest.raises(OutOfBoundsError, match="v.data has 4 elements") as caught,
    ):
        Program(text).run()
    assert caught.value.what == "out-of-bounds read of v.data[4]"


@pytest.mark.parametrize(
    "expression, statement",
    [
        ("v.data[3 - threadIdx.x]", "v.data = o;"),
        (
            "1; all[threadIdx.x] = v.data[3 - threadIdx.x]",
            "cudaGetSymbolAddress((void**)&v.data, all);",
        ),
    ],
)
def test_a_struct_may_point_to_what_the_kernel_has_anyway(expression, statement):
    text = (VIEW % (expression, statement)).replace(
        "__global__", "__device__ float all[4] = {1};\n__global__"
    )
    with force_simulator(), pytest.raises(RaceError, match=r"(o|all)\[\d\]"):
        Program(text).run()


def test_the_end_of_an_argument_is_still_that_argument():
    text = """__global__ void turn(float** table, float* o) { o[threadIdx.x] = table[0][-1 - (int)threadIdx.x]; }
    int main() {
        float *o, *end, **table;
        cudaMalloc(&o, 16); cudaMemset(o, 0, 16); cudaMalloc(&table, 8); end = o + 4;
        cudaMemcpy(table, &end, 8, cudaMemcpyHostToDevice);
        turn<<<1, 4>>>(table, o); cudaDeviceSynchronize();
    }"""
    with force_simulator(), pytest.raises(RaceError, match=r"o\[\d\]"):
        Program(text).run()


UNDONE = r"""#include <cstdio>
__device__ int lock;
__global__ void count(int* a, char** table) {
    if (threadIdx.x == 0) { a[0] += 1; *table[0] += 1; }
    while (atomicCAS(&lock, 0, 1) != 0) ;
    __threadfence(); *table[1] += 1; __threadfence();
    atomicExch(&lock, 0);
}
int main() {
    int* a; char *other, **table, *found[2], bytes[9];
    cudaMalloc(&a, 9); cudaMemset(a, 0, 9); cudaMalloc(&other, 1); cudaMemset(other, 0, 1); cudaMalloc(&table, 16);
    found[0] = (char*)a + PLACE; found[1] = other;
    cudaMemcpy(table, found, 16, cudaMemcpyHostToDevice);
    count<<<1, 8>>>(a, table);
    cudaMemcpy(bytes, a, 9, cudaMemcpyDeviceToHost); printf("%d %d ", bytes[0], bytes[PLACE]);
    cudaMemcpy(bytes, other, 1, cudaMemcpyDeviceToHost); printf("%d", bytes[0]);
    cudaFree(a); cudaFree(other); cudaFree(table);
}"""


@pytest.mark.parametrize("place", [4, 8])  # an element of a, or behind its two
def test_what_was_found_is_undone_when_threads_that_wait_start_anew(place):
    with force_simulator():
        assert Program(UNDONE.replace("PLACE", str(place))).run().output == "1 1 8"
