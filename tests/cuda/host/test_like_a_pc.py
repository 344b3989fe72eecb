"""Host code does what it does on a PC; memory that nobody has written is reported where its value is used."""

import contextlib
import io
import sys
import threading

import numpy as np

from nnlib.cuda import Program, RawKernel, RawModule

ORDER = "int a[4] = {7, 7, 7, 7}; int i = 0; a[i++] = i; int x = 1; x += x++; int y = 2; y *= (y = 3) + 1;"


def test_the_same_text_gives_the_same_numbers_in_a_kernel_and_on_the_host():
    printed = Program(f'int main() {{ {ORDER} printf("%d %d %d", a[0], x, y); }}').run().output
    out = np.zeros(3, np.int32)
    kernel = f'extern "C" __global__ void k(int* o) {{ {ORDER} o[0] = a[0]; o[1] = x; o[2] = y; }}'
    RawKernel(kernel, "k")(1, 1, (out,))
    assert printed == "0 3 12" == " ".join(map(str, out))


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
