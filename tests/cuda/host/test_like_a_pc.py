"""Host code does what it does on a PC; memory that nobody has written is reported where its value is used."""

import contextlib
import io
import sys
import threading

import numpy as np
import pytest

from nnlib.cuda import HostError, KernelError, Program, RawKernel, RawModule, UninitializedReadError

FILL = "int a[200]; for (int i = 0; i < 200; i++) a[i] = 0;\n"
RIGHT = [  # what stands in main, and what it prints
    (
        FILL + "for (int i = 0; i < 99; i++) { int k = i; int t = a[k]; k = k + 1; a[k] = t + 1; } "
        'printf("%d %d %d %d %d", a[1], a[2], a[3], a[4], a[5]);',
        "1 2 3 4 5",
    ),
    (
        FILL + "int b[200]; for (int i = 0; i < 200; i++) a[i] = i; "
        "for (int i = 0; i < 100; i++) { int k = i; a[k] = 5; k = k + 1; b[i] = a[k]; } "
        'printf("%d %d %d", b[0], b[1], b[2]);',
        "1 2 3",
    ),
    (
        FILL + "int b[200]; for (int i = 0; i < 200; i++) b[i] = i; "
        "for (int i = 0; i < 100; i++) { a[b[i]] = 1; b[i] = b[i] + 1; a[199 - i] = a[b[i]]; } "
        'printf("%d %d", a[1], a[199]);',
        "1 0",
    ),
    (
        FILL + "unsigned n = 100; int s = 0, *p = a + 50; for (int i = -5; i < n; i++) p[i] = 1; "
        'for (int i = 0; i < 200; i++) s += a[i]; printf("%d", s);',
        "0",
    ),
    (
        FILL
        + 'unsigned* u = (unsigned*)a; for (int i = 0; i < 100; i++) u[i] = a[0] + 1; printf("%d %d", a[0], a[2]);',
        "1 2",
    ),
    (
        FILL
        + "unsigned char* u = (unsigned char*)a; for (int i = 0; i < 100; i++) u[i] = a[0] + 1; "
        'printf("%d %d", u[0], u[2]);',
        "1 2",
    ),
    (
        'int a[4] = {1, 2, 3, 4}; unsigned i = 2, back = (unsigned)-1; printf("%d", a[i + back]);',
        "2",
    ),
    (
        'int a[3] = {0, 0, 0}, i = 0; a[i++] += i; *(a + i++) = i; printf("%d %d %d", a[0], a[1], i);',
        "1 1 2",
    ),
]
ORDER = "int a[4] = {7, 7, 7, 7}; int i = 0; a[i++] = i; int x = 1; x += x++; int y = 2; y *= (y = 3) + 1;"
INC = "__global__ void inc(int* x) { x[threadIdx.x] += 1; }\n"
UNWRITTEN = [  # what stands in main, and what is said
    ('int* h = (int*)malloc(16); printf("%d", h[2]);', "h[2] is read, but nobody has written it"),
    (
        'int* h = new int[4]; h[0] = 1; if (h[1] > 0) printf("x");',
        "h[1] is read, but nobody has written it",
    ),
    (
        'int h[4]; h[0] = 1; printf("%d", h[3]);',
        "4 bytes of h, from byte 12 on, are read, but nobody has written them",
    ),
    ('int n; int* p = &n; printf("%d", *p);', "n is read, but it has no value yet"),
    (
        'float* h = (float*)malloc(400); float s = 0; for (int i = 0; i < 100; i++) s += h[i]; printf("%f", s);',
        "h[0] is read, but nobody has written it",
    ),
    (
        'char* t = (char*)malloc(16); strncpy(t, "abcd", 4); printf("%s", t);',
        "t is read as a text, but nobody has written it from byte 4 on",
    ),
    (
        'struct { int x, y; } p; p.x = 1; printf("%d", p.y);',
        "4 bytes of p, from byte 4 on, are read, but nobody has written them",
    ),
]
WRITTEN = [
    ('int* h = (int*)calloc(4, 4); printf("%d", h[2]);', "0"),
    ('int* h = (int*)malloc(16); memset(h, 0, 16); printf("%d", h[2]);', "0"),
    ('int* h = new int[4](); printf("%d", h[2]);', "0"),
    (
        'struct P { char c; double d; }; P a, b; a.c = 1; a.d = 2; b = a; printf("%d %g", b.c, b.d);',
        "1 2",
    ),
    ('int a[4], b[4]; a[0] = 7; for (int i = 0; i < 4; i++) b[i] = a[i]; printf("%d", b[0]);', "7"),
    (
        "struct P { char c; double d; }; P a[2]; a[0].c = 91; a[1].c = 91; "
        'printf("%c%c", a[0].c, a[1].c);',
        "[[",
    ),
    ('static int n[4]; printf("%d", n[3]);', "0"),
]


@pytest.mark.parametrize(("body", "output"), RIGHT + WRITTEN)
def test_it_prints_what_it_prints_on_a_pc(body, output):
    assert Program(f"#include <cstdio>\nint main() {{ {body} }}").run().output == output


def test_the_same_text_gives_the_same_numbers_in_a_kernel_and_on_the_host():
    printed = Program(f'int main() {{ {ORDER} printf("%d %d %d", a[0], x, y); }}').run().output
    out = np.zeros(3, np.int32)
    kernel = f'extern "C" __global__ void k(int* o) {{ {ORDER} o[0] = a[0]; o[1] = x; o[2] = y; }}'
    RawKernel(kernel, "k")(1, 1, (out,))
    assert printed == "0 3 12" == " ".join(map(str, out))


def test_an_unsigned_index_below_zero_is_far_outside():
    with pytest.raises(HostError, match=r"^a\[4294967300\] is read, but a has 10 elements"):
        Program(
            'int main() { int a[10] = {}; int* p = a + 5; unsigned i = 0; printf("%d", p[i - 1]); }'
        ).run()


@pytest.mark.parametrize(("body", "what"), UNWRITTEN)
def test_memory_that_nobody_has_written_is_told_where_its_value_is_used(body, what):
    with pytest.raises(HostError) as caught:
        Program(f"int main() {{ {body} }}").run()
    assert caught.value.what == what


def test_what_nobody_has_written_on_the_host_nobody_has_written_on_the_gpu():
    with pytest.raises(
        UninitializedReadError, match="line 3 copies it from h, which nobody has written"
    ):
        Program(
            INC + "int main() { int *h = (int*)malloc(16), *d; cudaMalloc(&d, 16);\n"
            "cudaMemcpy(d, h, 16, cudaMemcpyHostToDevice); inc<<<1, 4>>>(d);\n"
            "cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost); }"
        ).run()


def test_bytes_and_elements_are_suspected_only_where_elements_are_counted():
    text = "%s int main() { int* d; cudaMalloc(&d, 4000); inc<<<4, 256>>>(d); cudaDeviceSynchronize(); }"
    with pytest.raises(KernelError) as caught:
        Program(text % INC.replace("threadIdx.x", "blockIdx.x * blockDim.x + threadIdx.x")).run()
    assert "confused" not in str(caught.value) and "x[1000]" in str(caught.value)


def test_each_run_begins_with_fresh_static_variables():
    program = Program(
        'int f() { static int n = 5; return n++; }\nint main() { int a = f(); printf("%d %d", a, f()); }'
    )
    assert [program.run().output for _ in range(2)] == ["5 6", "5 6"]


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path):
    path = tmp_path / "k.cu"
    path.write_bytes(b'\xef\xbb\xbfextern "C" __global__ void k(int* x) { x[0] = 1; }')
    RawModule(path=str(path)).compile()


def test_programs_in_several_threads_keep_their_output():
    program = Program(
        '__global__ void k(int n) { printf("%d", n); }\n'
        "int main(int n, char** v) { k<<<1, 1>>>(atoi(v[1])); cudaDeviceSynchronize(); }"
    )
    seen, before = {}, sys.stdout

    def run(k):
        seen[k] = [program.run([str(k)]).output for _ in range(10)]

    with contextlib.redirect_stdout(io.StringIO()) as outside:
        threads = [threading.Thread(target=run, args=(k,)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert seen == {k: [str(k)] * 10 for k in range(4)}
    assert sys.stdout is before and outside.getvalue() == ""
