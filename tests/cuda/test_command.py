"""`python -m nnlib.cuda check` and the pytest fixture: kernels of other projects, checked without a GPU."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from nnlib.cuda import (
    ArgumentError,
    KernelError,
    KernelTimeoutError,
    LaunchError,
    OutOfBoundsError,
    RawKernel,
    RawModule,
)
from nnlib.cuda.__main__ import main
from nnlib.cuda._engine import described, switches
from nnlib.cuda.pytest_plugin import simulated

REPOSITORY = Path(__file__).parents[2]
ADD = """extern "C" __global__ void add(const float* x, const int* at, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    GUARD out[i] = x[at[i]] + 1.0f;
}
extern "C" __global__ void all(double* x, float p, bool flag, void* raw) {}
"""


@pytest.fixture(autouse=True)
def not_on_github(environ):
    environ(GITHUB_ACTIONS=None)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "vector.cu"
    path.write_text("#ifndef GUARD\n#define GUARD if (i < n)\n#endif\n" + ADD)
    return str(path)


def launch(file, *more, **sizes):
    sizes = {"x": "[100]", "at": "[100]", "out": "float32[100]", "n": "100"} | sizes
    return [
        "check",
        file,
        "--kernel",
        "add",
        "--grid",
        "4",
        "--block",
        "32",
        *more,
        *(word for name, size in sizes.items() for word in ("--arg", f"{name}={size}")),
    ]


def test_a_right_file_and_a_right_launch(file, capsys):
    assert main(["check", file]) == 0 and main(launch(file)) == 0
    out = "1 file compiles; nothing was launched\nno errors\n"
    assert capsys.readouterr().out == out


def test_a_fault_is_one_line_that_editors_know_and_a_note(file, capsys):
    assert main(launch(file, "-D", "GUARD=")) == 1
    lines = capsys.readouterr().out.splitlines()
    place = re.escape(f"{file}:6:")
    assert re.fullmatch(
        rf"{place}\d+: error: out-of-bounds .*\[100\] \(kernel add\) \[OutOfBoundsError\]", lines[0]
    )
    assert re.fullmatch(rf"{place}\d+: note: .*if \(i < n\).*", lines[1]) and len(lines) == 2


def test_text_that_does_not_compile_and_warnings(tmp_path, capsys):
    wrong, warned = tmp_path / "wrong.cu", tmp_path / "warned.cu"
    wrong.write_text('extern "C" __global__ void k(float* x) {\n    x[0] = y;\n}')
    warned.write_text('extern "C" __global__ void k(float* x) {\n    x[0] = x[0] * 2.5;\n}')
    assert main(["check", str(warned)]) == 0
    assert re.match(rf"{re.escape(str(warned))}:2:\d+: warning: .*double", capsys.readouterr().out)
    assert main(["check", str(warned), str(wrong)]) == 1
    assert re.search(
        rf"{re.escape(str(wrong))}:2:12: error: .*y.* \[KernelSyntaxError\]",
        capsys.readouterr().out,
    )


def test_annotations_on_github(file, capsys, environ):
    environ(GITHUB_ACTIONS="true")
    assert main(launch(file, "-D", "GUARD=")) == 1
    said = capsys.readouterr().out.splitlines()[-1]
    assert re.fullmatch(
        rf"::error file={re.escape(file)},line=6,col=\d+::out-of-bounds .*%0Aguard it\b.*", said
    )


@pytest.fixture
def project(tmp_path):
    """A kernel whose headers lie in a folder of their own; the bounds are in the inner one."""
    headers = tmp_path / "include" / "waves"
    headers.mkdir(parents=True)
    (headers / "put.h").write_text(
        "#pragma once\n__device__ void put(float* out, int i, float value) {\n"
        "    out[i] = value;\n}\n"
    )
    (headers / "all.h").write_text('#include "put.h"\n#define SIX 6.0f\n')
    (tmp_path / "fill.cu").write_text(
        '#include "waves/all.h"\n#include <stdio.h>\n#include "waves/all.h"\n'
        'extern "C" __global__ void fill(float* out) {\n    put(out, threadIdx.x, SIX);\n}\n'
    )
    return tmp_path


def test_headers_of_ones_own(project, capsys):
    command = ["check", str(project / "fill.cu"), "--kernel", "fill", "--grid", "1", "--block", "8"]
    include = ["-I", str(project / "include")]
    assert main([*command, *include, "--arg", "out=[8]"]) == 0
    assert capsys.readouterr().out == "no errors\n"
    assert main([*command, *include, "--arg", "out=[7]"]) == 1
    header = str(project / "include" / "waves" / "put.h")
    assert capsys.readouterr().out.startswith(f"{header}:3:8: error: out-of-bounds write to out[7]")
    assert main(command[:2]) == 1
    assert "fill.cu:1:10: note: " in (said := capsys.readouterr().out) and '"-Iinclude"' in said


def test_a_fault_in_a_header_is_told_there(project):
    header, folder = (
        project / "include" / "waves" / "put.h",
        f"--include-path={project / 'include'}",
    )
    with pytest.raises(
        OutOfBoundsError, match=r"at /.*put.h:3:8\n    3 \|     out\[i\] = value;"
    ) as caught:
        simulated(project / "fill.cu", "fill", [folder])(1, 8, (np.zeros(7, np.float32),))
    assert (caught.value.file, caught.value.line) == (str(header), 3)
    # A header that changed is read again
    header.write_text(header.read_text().replace("value;", "2.0 * valu;"))
    with pytest.raises(KernelError, match=r"/put.h:3:20: undeclared name 'valu'"):
        simulated(project / "fill.cu", "fill", [folder]).compile()
    header.write_text(header.read_text().replace("valu;", "value;"))
    (warning,) = RawModule(
        path=project / "fill.cu", options=["-I", str(project / "include")]
    ).warnings
    assert warning.startswith(f"{header}:3:18: computed in double")


def test_folders_of_cudas_own_headers_are_not_read(tmp_path):
    for name in ("cuda_runtime.h", "cuda_fp16.h", "own.h"):
        (tmp_path / name).write_text("what only NVRTC understands")
    simulated(
        '#include <cuda_fp16.h>\nextern "C" __global__ void f(__half* x) {}', "f", [f"-I{tmp_path}"]
    ).compile()


WHOLE_FILE = """#include <vector>
#include <thrust/device_vector.h>
#include "elsewhere.h"
#define CHECK(call) do { cudaError_t e = call; if (e) { printf("%d", e); exit(1); } } while (0)
#define BOTH __host__ __device__
class Later; struct timeval a, b; template <typename T> struct Known; template <int N> int later(int x);
const int STEP = 3;
typedef float real; int min(int a, int b) { throw a; } __shared__ real tile[32];
float *host_x; struct alignas(sizeof(real) * 2) Wide { real x[2]; };
struct Host { std::vector<float> x; __host__ void show() { std::cout << x.size(); } };
struct Pair { real a, b; Pair(std::vector<float> v) : a(v[0]) { } BOTH real sum() const { return a + b; } };
namespace tools { std::string title() { return "add"; } BOTH real half(real x) { return x / 2; } }
template <typename T> T twice(T x) { return x + x; } template <> int later<1>(int x) { std::cout << x; throw x; }
extern "C" {
__global__ void add(real* x, Pair p, int n) {
    int i = min((int)threadIdx.x, n + (int)sizeof(Wide)); tile[threadIdx.x] = n;
    if (i < n) x[i] += twice<real>(tools::half(STEP)) + p.sum() BUG;
}
}
__host__ void show() { thrust::device_vector<int> v(3); }
void add(std::vector<float>& v) { add<<<1, 32>>>(v.data(), Pair(v), 32); CHECK(cudaDeviceSynchronize()); }
int main() { auto f = [=] __device__ (int i) { return i; }; cudaDeviceProp p; std::vector<float> v(3); add(v); }
"""


@pytest.mark.parametrize(
    "bug, words",
    [
        ("", None),
        ("; x[n] = host_x[0]", "17:73: error: 'host_x' is a variable of the host"),
        ("; show()", "17:66: error: 'show' is a function of the host"),
        ("; x[0] = LATER", "3:10: error: the file 'elsewhere.h' was not found"),
    ],
)
def test_the_kernels_of_a_whole_file(tmp_path, capsys, bug, words):
    path = tmp_path / "whole.cu"
    path.write_text(WHOLE_FILE.replace(" BUG", bug))
    assert main(["check", str(path)]) == (words is not None)
    said = capsys.readouterr().out
    assert re.search(
        words or "3:10: warning: the file 'elsewhere.h'.*\n.*\n1 file compiles; nothing", said
    )
    if words is None:
        x = np.zeros(32, np.float32)
        simulated(path)(1, 32, (x, (1, 2), 32))
        assert (x == 6).all()


def test_a_program_of_several_files_and_its_words(tmp_path, capsys):
    (tmp_path / "add.cu").write_text("__global__ void add(int* x) { *x += 1; }")
    (tmp_path / "main.cu").write_text(
        "#include <cstdio>\n__global__ void add(int* x);\nint main(int n, char** words) { int* x;\n"
        "cudaMallocManaged(&x, 4); add<<<1, 1>>>(x); cudaDeviceSynchronize();\n"
        'printf("%d %d %s\\n", *x, n, words[2]); cudaFree(x); return 3; }'
    )
    for words in (["--", "-n", "5"], ["-n", "5"]):
        assert main(["run", str(tmp_path / "main.cu"), str(tmp_path / "add.cu"), *words]) == 3
        assert capsys.readouterr().out == "1 3 5\n"


@pytest.mark.parametrize(
    "words, status, said",
    [
        ("profile kernels.cu", 1, "a kernel alone needs its name, a grid and a block"),
        ("run kernels.cu", 1, "a kernel alone needs its name, a grid and a block"),
        ("profile main.cu", 0, "the program launches no kernel"),
        ("profile kernels.cu --block 32", 2, "a launch needs --kernel and --grid, too"),
        ("check main.cu --size 5", 2, "unrecognized arguments: --size"),
        ("check kernels.cu main.cu --kernel k --grid 1 --block 1", 2, "needs one file, too"),
    ],
)
def test_what_is_missing_is_named(here, capsys, words, status, said):
    Path("kernels.cu").write_text("__global__ void k(int* x) { *x = 1; }")
    Path("main.cu").write_text("int main() { }")
    try:
        found = main(words.split())
    except SystemExit as stop:
        found = stop.code
    assert found == status and said in "".join(capsys.readouterr())


@pytest.mark.skipif(os.name == "nt", reason="pipes break in another way there")
def test_what_reads_the_output_may_stop_early(file):
    command = [sys.executable, "-m", "nnlib.cuda", "check", file]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, cwd=REPOSITORY) as running:
        running.stdout.close()
        assert running.stderr.read() == b""


def test_what_has_no_end_is_no_file(capsys):
    with pytest.raises(SystemExit):
        main(["check", "/dev/zero"])
    assert "/dev/zero is a device" in capsys.readouterr().err


def test_json(file, capfd):
    assert main(launch(file, "--json")) == 0
    assert json.loads(capfd.readouterr().out) == []
    Path(file).write_text(Path(file).read_text().replace("GUARD out", 'printf("%d ", i); out'))
    assert main(launch(file, "--json")) == 1
    (found,) = json.loads(capfd.readouterr().out)  # what the kernel printed is not in it
    assert (found["severity"], found["error"], found["file"]) == ("error", "OutOfBoundsError", file)
    assert (found["kernel"], found["line"], found["thread"], found["block"]) == (
        "add",
        6,
        [4, 0, 0],
        [3, 0, 0],
    )


@pytest.mark.parametrize(
    "words, status",
    [
        (["--kernel", "ad"], 1),
        (["--kernel", "add"], 0),
        (["--kernel", "add", "--grid", "4"], 2),
        (["--grid", "x"], 2),
        (["--kernel", "add", "--grid", "1", "--block", "2000", "--arg", "n=1"], 1),
        (["nothere.cu"], 2),
        (["--block", "1"], 2),
        (["--grid", "4x4"], 2),
        (
            "--kernel add --grid 1,1,1,1 --block 1 --arg x=[1] --arg at=[1] --arg out=[1] --arg n=1".split(),
            1,
        ),
    ],
)
def test_status(file, words, status, capsys):
    try:
        found = main(["check", file, *words])
    except SystemExit as stop:
        found = stop.code
    assert found == status


def kernel(name="add"):
    return RawKernel("#define GUARD\n" + ADD, name)


def test_descriptions(tmp_path):
    np.save(tmp_path / "x.npy", np.arange(6.0).reshape(2, 3).T)
    x, at, out, n = described.arguments(
        kernel(), ["n=7", "x=[2,3]", "out=float32[4]:arange", "at=[5]"]
    )
    assert (x.shape, x.dtype, n, at.dtype) == ((2, 3), np.float32, 7, np.int32) and not at.any()
    assert 0 < x.min() < x.max() < 1 and list(out) == [0, 1, 2, 3]
    x, p, flag, raw = described.arguments(
        kernel("all"), [f"x={tmp_path / 'x.npy'}", "p=0.5", "flag=true", "raw=int8[3]:ones"]
    )
    assert (
        x.flags.c_contiguous
        and x.shape == (3, 2)
        and (p, flag) == (0.5, True)
        and raw.tobytes() == b"\1\1\1"
    )


def test_structs_are_zero_or_from_a_file(tmp_path):
    text = 'struct P { float x; int k; };\nextern "C" __global__ void move(P* p, P by) { p[threadIdx.x].x += by.x; }'
    own = np.dtype([("x", "f4"), ("k", "i4")])
    np.save(tmp_path / "by.npy", np.array([(2.5, 1)], own))
    move = RawKernel(text, "move")
    p, by = described.arguments(move, ["p=[4]", f"by={tmp_path / 'by.npy'}"])
    move(1, 4, (p, by))
    assert p.shape == (4,) and (p["x"] == 2.5).all() and not p["k"].any()
    with pytest.raises(ArgumentError, match="no array"):
        described.arguments(move, ["p=[4]:random", "by=0"])


@pytest.mark.parametrize(
    "words, message",
    [
        (
            ["y=3"],
            "it has no parameter 'y'; describe its own: x (const float*), at (const int*), out (float*), n (int)",
        ),
        (["ou=3"], "it has no parameter 'ou'; did you mean 'out'?"),
        (["n=1", "n=2"], "n is described twice"),
        (
            ["n=1"],
            "nothing describes x (const float*), at (const int*), out (float*); write x=[1000]",
        ),
        (["x=[10]", "at=[1]", "out=[1]"], "nothing describes n (int); write n=1000"),
        (
            ["n=ten"],
            "n=ten is no value; write a number, an array like n=float32[1000], or the path of an .npy file",
        ),
        (
            ["n"],
            "n= is no value; write a number, an array like n=float32[1000], or the path of an .npy file",
        ),
        (
            ["x=[]"],
            "x=[] is no value; write a number, an array like x=float32[1000], or the path of an .npy file",
        ),
        (["x=floaty[3]"], "x=floaty[3] is no array; write one like float32[1000] or int32[64,64]"),
        (["x=object[3]"], "x=object[3] is no array; write one like float32[1000] or int32[64,64]"),
        (["x=[3,]"], "x=[3,] is no array; write one like float32[1000] or int32[64,64]"),
        (
            ["x=[999999,999999]"],
            "x=[999999,999999] is more than 4 GiB; a smaller array shows the same mistakes",
        ),
        (
            ["x=[3]:twos"],
            "x: 'twos' is no way to fill an array; choose one of zeros, ones, arange, random",
        ),
        (
            ["x=nothere.npy"],
            "x: nothere.npy cannot be read ([Errno 2] No such file or directory: 'nothere.npy')",
        ),
    ],
)
def test_descriptions_that_do_not_fit(words, message):
    with pytest.raises(ArgumentError) as caught:
        described.arguments(kernel(), words)
    assert str(caught.value) == f"add: {message}" and message == "; ".join(
        filter(None, [caught.value.what, caught.value.hint])
    )


def test_the_command_runs(file):
    ran = subprocess.run(
        [sys.executable, "-m", "nnlib.cuda", *launch(file, out="[99]")],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        cwd=Path(file).parent,
    )
    assert ran.returncode == 1 and "out[99]" in ran.stdout, ran.stderr


# --- the fixture ------------------------------------------------------------------------


class LikeCupy:
    """What cupy.RawKernel shows of itself, without a GPU, too."""

    def __init__(self, code, name, options=(), file_path=None):
        self.code, self.name, self.options, self.file_path = code, name, options, file_path


@pytest.mark.parametrize(
    "make",
    [
        lambda file: (LikeCupy(ADD, "add", ("-DGUARD=",)),),
        lambda file: (LikeCupy(None, None, ("-DGUARD=",), file), "add"),
        lambda file: (file, "add", ("-DGUARD=",)),
        lambda file: (Path(file).rename(file + "h"), "add", ("-DGUARD=",)),
        lambda file: (Path(file), "add", ("-DGUARD=",)),
        lambda file: ("#define GUARD\n" + ADD.partition('\nextern "C" __global__ void all')[0],),
    ],
)
def test_kernels_of_every_kind(make, file):
    x, at, out = np.ones(4, np.float32), np.arange(4, dtype=np.int32), np.zeros(4, np.float32)
    add = simulated(*make(file))
    add((1,), (4,), (x, at, out, 4))
    assert (out == 2).all()
    with pytest.raises(OutOfBoundsError):
        add((1,), (8,), (x, at, out, 4))


TRAPS = """#include <cuda_fp16.h>
struct P { int a; float b; };
extern "C" __global__ void f(float* x, float a, double d, size_t n, int k, __half h, bool b, P p) { x[0] = a + n; }"""
RIGHT = (
    np.float32(2),
    2.0,
    100,
    7,
    np.float16(1),
    True,
    np.zeros(1, [("a", "i4"), ("b", "f4")])[0],
)


@pytest.mark.parametrize(
    "place, value, hint",
    [
        (0, 2.0, "np.float32(2.0)"),
        (0, np.float64(2), "np.float32(2.0)"),
        (0, 2, "np.float32(2)"),
        (1, np.float32(2), "np.float64(2.0)"),
        (1, 2, "np.float64(2)"),
        (2, np.int32(100), "np.uint64(100)"),
        (3, np.uint8(7), "np.int32(7)"),
        (4, 1.5, "np.float16(1.5)"),
        (6, (1, 2.0), "pass an array of NumPy with its bytes"),
        (2, np.int64(100), None),
        (3, np.int64(7), None),
        (5, np.bool_(True), None),
    ],
)
def test_what_cupy_would_pass_as_other_bytes(place, value, hint):
    x, args = np.zeros(1, np.float32), [*RIGHT]
    args[place] = value
    launch = simulated(LikeCupy(TRAPS, "f"))
    if hint is None:
        return launch((1,), (1,), (x, *args))
    with pytest.raises(ArgumentError) as caught:
        launch((1,), (1,), (x, *args))
    assert caught.value.hint.removeprefix("write ") == hint and f"argument {place + 2} " in str(
        caught.value
    )
    if place != 6:
        launch((1,), (1,), (x, *RIGHT))
        with pytest.raises(
            LaunchError, match=r"CuPy takes the grid as a tuple, not 4; write \(4,\)"
        ):
            launch(4, (1,), (x, *RIGHT))
    simulated(launch, strict=False)(1, 1, (x, *args))


def test_code_for_nvcc_has_a_host_part():
    code = LikeCupy(
        '#include <vector>\nextern "C" __global__ void f(int* x) { *x = 1; } std::vector<int> v;',
        "f",
    )
    with pytest.raises(KernelError, match="standard library"):
        simulated(code).compile()
    code.backend = "nvcc"
    simulated(code)((1,), (1,), (np.zeros(1, np.int32),))
    RawKernel(TRAPS, "f", translate_cucomplex=True).compile()


def test_cupys_own_kernel():
    cupy = pytest.importorskip("cupy")
    assert simulated(cupy.RawKernel(ADD, "all", ("-DGUARD=",))).name == "all"


def test_nnlibs_own_kernels_and_modules_stay_as_they_are():
    text = (
        "#include <cooperative_groups.h>\n"
        'extern "C" __global__ void f(int* x) { cooperative_groups::this_grid().sync(); x[0] = N; }'
    )
    module = RawModule(text, options=("-DN=5",), enable_cooperative_groups=True)
    for code in (module, module.get_function("f")):
        x = np.zeros(1, np.int32)
        simulated(code)(1, 1, (x,))
        assert x == 5


def test_kernels_of_templates(tmp_path, capsys):
    text = "template <typename T, int N> __global__ void fill(T* x) {\n    x[threadIdx.x] = N;\n}\n"
    x = np.zeros(4)
    simulated(text, "fill<double, 3>")(1, 4, (x,))
    assert (x == 3).all()
    (tmp_path / "fill.cu").write_text(text)
    command = [
        "check",
        str(tmp_path / "fill.cu"),
        "--kernel",
        "fill<float, 2>",
        "--grid",
        "1",
        "--arg",
        "x=float32[8]",
    ]
    assert main([*command, "--block", "8"]) == 0 and main([*command, "--block", "9"]) == 1
    assert "fill.cu:2:6: error: out-of-bounds write to x[8]" in capsys.readouterr().out


@pytest.mark.parametrize(
    "code, words",
    [
        (
            "kernels/nothere.cu",
            "there is no file kernels/nothere.cu in /.*; .*parent / .nothere.cu.",
        ),
        ("include/nothere.cuh", "there is no file include/nothere.cuh"),
        (Path("x.txt"), "there is no file x.txt"),
        (
            SimpleNamespace(name="square", operation="y = x * x"),
            "SimpleNamespace: there is no CUDA C in it to run",
        ),
        (None, "NoneType: there is no CUDA C"),
        (b"text", "bytes: there is no CUDA C"),
    ],
)
def test_what_is_no_kernel(code, words):
    with pytest.raises(KernelError, match=words):
        simulated(code, "f")


def test_options_are_a_tuple():
    with pytest.raises(TypeError, match=r"options is a tuple of strings; write \('-DN=3',\)"):
        simulated('extern "C" __global__ void f() {}', "f", options="-DN=3")


def test_a_fault_ends_at_the_tests_own_line():
    for text, block in (
        ("no CUDA C", 1),
        ('extern "C" __global__ void f(int* x) { x[threadIdx.x] = 1; }', 2),
    ):
        with pytest.raises(KernelError) as caught:
            simulated(text, "f")(1, block, (np.zeros(1, np.int32),))
        assert [entry.path.name for entry in caught.traceback] == ["test_command.py"]


def test_constants_are_filled_through_the_kernels_module():
    y = np.zeros(2, np.float32)
    copy = simulated("""__constant__ float w[2];
        extern "C" __global__ void k(float* y) { y[threadIdx.x] = w[threadIdx.x]; }""")
    copy.module.get_global("w")[:] = 5, 6
    copy(1, 2, (y,))
    assert y.tolist() == [5, 6]


def test_an_endless_loop_ends_where_nobody_can_interrupt_it(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(switches, "UNATTENDED", 40_000)
    text = 'extern "C" __global__ void f(int* x, int n) {\n    for (int i = 1; i < n; i *= 1) atomicAdd(x, 1);\n}'
    x, path = np.zeros(1, np.int32), tmp_path / "f.cu"
    path.write_text(text)
    with switches.unattended():
        with pytest.raises(
            KernelTimeoutError, match=r"(?s)kernel.cu:2:5\n.*after 40,000 loop iterations"
        ):
            simulated(text)(1, 32, (x, 3))
        with pytest.raises(KernelTimeoutError, match="3,000 loop iterations"):
            simulated(text)(1, 32, (x, 3), step_limit=3000)
    assert (
        main(["check", str(path), *"--kernel f --grid 1 --block 64 --arg x=[1] --arg n=3".split()])
        == 1
    )
    assert "f.cu:2:5: error: the kernel does not end" in capsys.readouterr().out


def test_which_kernel_must_be_clear():
    with pytest.raises(KernelError, match="which kernel.* add, all: give its name"):
        simulated("#define GUARD\n" + ADD)
    with pytest.raises(KernelError, match="none that is not a template: .*tile<float, 16>"):
        simulated("template <typename T> __global__ void fill(T* x) {}")
    with pytest.raises(KernelError, match="several kernels that share a name"):
        simulated("__global__ void f(int* x) {} __global__ void f(float* x) {}", "f")(
            (1,), (1,), (0,)
        )


@pytest.mark.parametrize("page", ["TESTING.md", "FROM_NUMBA.md"])
def test_the_pages_tests_in_a_project_of_another(tmp_path, page):
    text = (REPOSITORY / "nnlib/cuda" / page).read_text(encoding="utf-8")
    for name, content in re.findall(r"```cuda\n// (\S+)\n(.*?)```", text, re.DOTALL):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(content)
    tests = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    for number, test in enumerate(tests):
        (tmp_path / f"test_{number}.py").write_text(test)

    def run(*what):
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "nnlib.cuda.pytest_plugin", *what],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={
                **os.environ,
                "PYTHONPATH": str(REPOSITORY),
                "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            },
        )

    ran = run()
    assert ran.returncode == 0 and len(tests) == 3, ran.stdout + ran.stderr
    if page == "TESTING.md":
        path = tmp_path / "kernels" / "vector.cu"
        path.write_text(path.read_text().replace("if (i < n) ", ""))
        ran = run("test_0.py")
        assert ran.returncode == 1 and "at kernels/vector.cu:5:" in ran.stdout, ran.stdout
        assert "_engine/kernel.py" not in ran.stdout  # a fault ends at the test's own line
