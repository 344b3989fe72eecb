"""Padding of a struct counts as written with the member in front of it, and never without."""

from nnlib.cuda import Program


def test_structs_of_the_host_on_the_gpu():
    text = r"""struct Pair { char c; double d; };
    __global__ void kernel(Pair* b, const Pair* a) { memcpy(b, a, 2 * sizeof(Pair)); b[0].d += b[1].c; }
    int main() {
        Pair a[2], *x, *y; for (int k = 0; k < 2; k++) { a[k].c = 1; a[k].d = 2; }
        cudaMalloc(&x, sizeof(a)); cudaMalloc(&y, sizeof(a)); cudaMemcpy(x, a, sizeof(a), cudaMemcpyHostToDevice);
        kernel<<<1, 1>>>(y, x); cudaMemcpy(a, y, sizeof(a), cudaMemcpyDeviceToHost); printf("%g %d", a[0].d, a[1].c);
        cudaFree(x); cudaFree(y);
    }"""
    assert Program(text).run().output == "3 1"
