"""Padding of a struct counts as written with the member in front of it, and never without."""

import numpy as np
import pytest

from nnlib.cuda import Program, RawKernel, UninitializedReadError

HEAD = 'struct Pair { char c; double d; short s; };\nextern "C" __global__ void kernel(double* out) {\n'
SET = "for (int k = 0; k < 2; k++) { a[k].c = k; a[k].d = 2; a[k].s = 3; }\n"
SUM = "out[0] = b[1].c + b[1].d + b[1].s;\n}"
BYTES = "char *to = (char*)b, *from = (char*)a; for (int k = 0; k < sizeof(Pair) * 2; k++) to[k] = from[k];\n"
ROOMS = {
    "local": "Pair a[2], b[2];\n",
    "shared": "__shared__ Pair a[2]; __shared__ Pair b[2];\n",
    "dynamic": "extern __shared__ Pair a[]; Pair* b = a + 2;\n",
}
COPIES = {
    "memcpy": "memcpy(b, a, 2 * sizeof(Pair));\n",
    "bytes": BYTES,
    "structs": "b[0] = a[0]; b[1] = a[1];\n",
}


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("copy", COPIES)
def test_a_struct_whose_members_are_set_may_be_copied(room, copy):
    out = np.zeros(1)
    RawKernel(HEAD + ROOMS[room] + SET + COPIES[copy] + SUM, "kernel")(
        1, 1, (out,), shared_mem=4 * 24
    )
    assert out[0] == 6


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("copy", ["memcpy", "bytes"])
@pytest.mark.parametrize("member", ["c", "d", "s"])
def test_a_member_that_is_not_set_is_told(room, copy, member):
    text = HEAD + ROOMS[room] + SET.replace(f"a[k].{member} =", "out[0] =") + COPIES[copy] + SUM
    with pytest.raises(UninitializedReadError, match=rf"a\[0\]\.{member} is read"):
        RawKernel(text, "kernel")(1, 1, (np.zeros(1),), shared_mem=4 * 24)


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
