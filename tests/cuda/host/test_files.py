"""Programs of several files, and the files that programs read and write."""

from pathlib import Path

import pytest

from nnlib.cuda import (
    HostError,
    KernelError,
    KernelSyntaxError,
    OutOfBoundsError,
    Program,
    RawModule,
)

MAIN = r"""#include "sizes.h"
#include "kernels/twice.h"
#include <cstdio>
void fill(int* x);
int main(int argc, char** argv) {
    int h[N], *d;
    fill(h);
    cudaMalloc(&d, sizeof(h));
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
    twice<<<1, THREADS>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[N - 1]);
    cudaFree(d);
}
"""
FILES = {
    "src/main.cu": MAIN,
    "src/kernels/twice.h": '#pragma once\n#include "sizes.h"\n__global__ void twice(int* x);\n',
    "src/kernels/twice.cu": '#include "twice.h"\n__global__ void twice(int* x) {\n    x[threadIdx.x] *= 2;\n}\n',
    "src/fill.cpp": '#include "sizes.h"\nvoid fill(int* x) {\n    for (int i = 0; i < N; i++) x[i] = i + 1;\n}\n',
    "sizes.h": "#ifndef SIZES\n#define SIZES\nconst int N = 6;\n#ifndef THREADS\n#define THREADS N\n#endif\n#endif\n",
}


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def program(folder, **how):
    files = (folder / f"src/{name}" for name in ("main.cu", "kernels/twice.cu", "fill.cpp"))
    return Program.from_file(*files, **{"include": [folder], **how})


def test_a_program_of_several_files(folder):
    for how in ({}, {"include": (), "options": [f"-I{folder}"]}):
        assert program(folder, **how).run().output == "2 12\n"


def test_definitions_on_the_command_line_leave_the_headers_alone():
    text = 'int main() { printf("%d %d", count, device); }'  # names of parameters there
    assert Program(text, options=["-Dcount=3", "-Ddevice=4"]).run().output == "3 4"


def test_a_mistake_names_the_file_and_its_line(folder):
    with pytest.raises(OutOfBoundsError) as caught:
        program(folder, options=["-DTHREADS=8"]).run()
    twice, filled = f"{folder}/src/kernels/twice.cu", f"{folder}/src/fill.cpp"
    assert (caught.value.file, caught.value.line) == (twice, 3)
    assert f"at {twice}:3:6\n    3 |     x[threadIdx.x] *= 2;" in str(caught.value)
    (folder / "src/fill.cpp").write_text(FILES["src/fill.cpp"].replace("< N", "<= N"))
    with pytest.raises(HostError) as caught:
        program(folder).run()
    assert (caught.value.file, caught.value.line) == (filled, 3)
    assert f"at {filled}:3:" in str(caught.value)
    (folder / "src/fill.cpp").write_text("void fill(int* x) {\n  x = 1\n}\n")
    with pytest.raises(KernelSyntaxError, match=f"^{filled}:2:8: expected"):
        program(folder)


def test_a_note_names_the_file(folder):
    (folder / "src/main.cu").write_text(MAIN.replace("cudaFree(d);", ""))
    assert program(folder).run().notes == [
        f"line 8 of {folder}/src/main.cu: 24 bytes of d are never freed; write cudaFree(d);"
    ]


def test_what_two_files_call_alike(tmp_path):
    """Static functions and variables, constants, device functions and macros belong to their file."""
    one = r"""#include <stdio.h>
#define N 2
static int calls = 0, *p;
static int left, right[2];
static inline int next() { left = 1; return ++calls + left + right[1] - 1; }
__device__ inline float value() { return 1.5f; }
extern "C" const unsigned SIZE;
__global__ void k(float* x) { *x += value(); }
float two(float* x);
int main() {
    float* x; cudaMallocManaged(&x, 4); *x = N;
    k<<<1, 1>>>(x); cudaDeviceSynchronize();
    next();
    printf("%g ", two(x));
    printf("%d %g %u", next(), *x, SIZE);
    cudaFree(x);
}"""
    two = r"""static int calls = 10, *p;
static float right, left;
static inline int next() { return ++calls; }
extern "C" const unsigned SIZE = 1 << 4;
__device__ inline float value() { return 0.25f; }
__global__ void l(float* x) { *x += value(); }
const int N = 100;
float two(float* x) { l<<<1, 1>>>(x); cudaDeviceSynchronize(); return N + next() + *x; }"""
    (tmp_path / "one.cu").write_text(one)
    (tmp_path / "two.cu").write_text(two)
    run = Program.from_file(tmp_path / "one.cu", tmp_path / "two.cu").run()
    assert (run.output, run.notes) == ("114.75 2 3.75 16", [])
    (tmp_path / "two.cu").write_text(two.replace("++calls;", "p[3];"))
    with pytest.raises(HostError, match=r"p is read, but it has no value|null pointer") as caught:
        Program.from_file(tmp_path / "one.cu", tmp_path / "two.cu").run()
    assert (caught.value.file, caught.value.line) == (
        f"{tmp_path}/two.cu",
        3,
    ) and "__2_" not in str(caught.value)


@pytest.mark.parametrize("text", ["int n = 1;", "int f() { return 1; }", "int n[2] = {1, 2};"])
def test_what_only_one_file_may_define(text, tmp_path):
    for name in ("one.cu", "two.cu"):
        (tmp_path / name).write_text(f"{text}\nint main() {{ }}" if name == "one.cu" else text)
    with pytest.raises(KernelSyntaxError, match=r"two.cu:1:\d+: .*already"):
        Program.from_file(tmp_path / "one.cu", tmp_path / "two.cu")


@pytest.mark.parametrize("end", ["", "\n", "\\", "\\\n"])
def test_a_file_ends_where_it_ends(end, tmp_path):
    (tmp_path / "one.cu").write_text(
        'int f();\nstatic int a = 3;\nint main() { printf("%d", f() + a); }' + end
    )
    (tmp_path / "two.cu").write_text("static int a = 4;\nint f() { return a; }" + end)
    assert Program.from_file(tmp_path / "one.cu", tmp_path / "two.cu").run().output == "7"


@pytest.mark.parametrize("text", ["int b;\n/* a note\nint c;", 'int b;\n" a text;'])
def test_what_is_never_closed_names_its_file(text, tmp_path):
    (tmp_path / "one.cu").write_text("static int a = 3;\nint main() { }\n")
    (tmp_path / "two.cu").write_text(text)
    for files in (("one.cu", "two.cu"), ("two.cu", "one.cu")):
        with pytest.raises(KernelSyntaxError, match=r"two\.cu:2:1: .* is never closed"):
            Program.from_file(*(tmp_path / name for name in files))


def test_numbers_in_files_of_the_samples():
    text = r"""#include <helper_functions.h>
    int main() {
        float* data = NULL; unsigned n = 0;
        char* path = sdkFindFilePath("signal.dat", "me");
        printf("%d %d ", path != NULL, sdkReadFile(path, &data, &n, false));
        printf("%u %g %d ", n, data[n - 1], sdkFindFilePath("other.dat", "me") == NULL);
        printf("%d %d", sdkWriteFile("out.dat", data, n, 0.5f, false), compareData(data, data, n, 0.1f, 0.0f));
        free(data); free(path);
    }"""
    run = Program(text).run(files={"data/signal.dat": "1 2.5\n -3e1 \n"})
    assert (run.output, run.notes) == ("1 1 3 -30 1 1 1", [])


def test_what_is_not_there():
    with pytest.raises(KernelSyntaxError, match=r"nowhere.cu cannot be read"):
        Program.from_file("nowhere.cu")


READER = r"""
int main() {
    FILE* f = fopen("../data/numbers.txt", "r");
    if (!f) { printf("no file\n"); return 1; }
    char line[16];
    while (fgets(line, sizeof(line), f)) printf("%d ", 2 * atoi(line));
    fclose(f);
    return fopen("../../secret", "r") != NULL;
}
"""


def test_given_files(tmp_path):
    (tmp_path / "numbers").write_text("3\n4\n")
    for content in ("3\n4\n", b"3\n4\n", tmp_path / "numbers"):
        with pytest.raises(HostError, match="is outside of it") as caught:
            Program(READER).run(files={"../data/numbers.txt": content})
        assert caught.value.output == "6 8 "
    with pytest.raises(HostError, match="is outside of it"):
        Program(READER).run()
    with pytest.raises(KernelError, match="no name relative"):
        Program(READER).run(files={"/etc/hosts": "mine"})


def test_profile_reads_the_files_that_it_is_given():
    text = r"""#include <cstdio>
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }
int main() {
    int n = 0, *d;
    FILE* file = fopen("size.txt", "r");
    fscanf(file, "%d", &n);
    fclose(file);
    cudaMalloc(&d, n * sizeof(int));
    cudaMemset(d, 0, n * sizeof(int));
    twice<<<1, n>>>(d);
    cudaFree(d);
}
"""
    [profile] = Program(text).profile(files={"size.txt": "64"})["twice"]
    assert profile.global_load.bytes == 256


@pytest.mark.parametrize(
    "files",
    [{"a\0b": ""}, {"/etc/hosts": ""}, {"a": "", "a/b": ""}, {"a": Path("/nowhere")}, {"a": 7}],
)
def test_a_file_that_cannot_be_given_is_named(files):
    with pytest.raises(KernelError, match="the file .* cannot be put into the program's folder: "):
        Program('int main() { fopen("a", "r"); }').run(files=files)


def test_arguments_are_bytes():
    assert (
        Program('int main(int n, char** v) { printf("%d", v[1][0] & 255); }').run(["\udc80"]).output
        == "128"
    )


@pytest.mark.parametrize("name", ["a\0b", "a" * 5000])
def test_a_name_that_no_file_has_is_no_file(name, tmp_path):
    with pytest.raises(KernelError, match="cannot be read"):
        Program.from_file(tmp_path / name)
    for options in ((f"-I{tmp_path}",), (f"-I{tmp_path / name}",)):
        with pytest.raises(KernelError, match="was not found"):
            RawModule(f'#include "{name}"', options=options).compile()


def test_headers_without_end(tmp_path):
    for k in range(1100):
        (tmp_path / f"h{k}.h").write_text(f'#include "h{k + 1}.h"\n')
    with pytest.raises(KernelError, match="#include is nested more than 200 deep"):
        RawModule('#include "h0.h"', options=(f"-I{tmp_path}",))
    with pytest.raises(KernelError, match="#include is nested more than 200 deep"):
        Program.from_file(tmp_path / "h0.h")
