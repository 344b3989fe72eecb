"""RawModule: kernels made of templates by their name expressions, and the variables of a module."""

import subprocess
import sys

import numpy as np
import pytest

from nnlib.cuda import (
    KernelError,
    Program,
    RawModule,
    force_simulator,
)

TILE = """template <typename T, int N = 2> __global__ void tile(T* x) { x[threadIdx.x] *= N; }
extern "C" __global__ void plain(int* x) { x[0] = 7; }"""


def test_name_expressions_make_kernels_of_templates():
    module = RawModule(TILE, name_expressions=["tile<float, 16>", "tile< double >", "plain"])
    for name, dtype, factor in (
        ("tile<float, 16>", np.float32, 16),
        ("tile< double >", np.float64, 2),
    ):
        x = np.ones(3, dtype)
        kernel = module.get_function(name)
        kernel(1, 3, (x,))
        assert kernel.name == name and x.tolist() == [factor] * 3
    with force_simulator():
        profile = module.get_function("tile<float, 16>").profile(1, 32, (np.ones(32, np.float32),))
        assert profile.global_load.sectors == 4
        assert "tile<double, 2>" in module.kernels
    x = np.zeros(1, np.int32)
    module.get_function("plain")(1, 1, (x,))
    assert x[0] == 7


NAMED = """template <int N> __host__ __device__ constexpr int twice() { return 2 * N; }
template <class T> struct Width { static const int n = sizeof(T); typedef T type;
    __host__ __device__ static constexpr int three() { return 3; } };
enum Few { TWO = 2 }; struct Many { enum { SIX = 6 }; static const int n = 7; };
namespace own { const int M = 3; enum class Kind { NINE = 9 };
template <typename T, int N> __global__ void put(T* x) { x[0] = N; }
__global__ void five(float* x) { x[0] = 5; } }"""


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("own::put<float, own::M>", 3),
        ("own::put<float, twice<4>()>", 8),
        ("own::put<float, Width<double>::n>", 8),
        ("own::put<float, Width<float>::n * 2 + 1>", 9),
        ("own::put<Width<float>::type, Few::TWO>", 2),
        ("own::five", 5),
        ("own::put<float, Width<int>::three()>", 3),
        ("own::put<float, Width<int>::n ? 1 : 2>", 1),
        ("own::put<float, Many::SIX>", 6),
        ("own::put<float, Many::n>", 7),
        ("::own::put<float, (TWO > 1)>", 1),
        ("own::put<float, static_cast<int>(own::Kind::NINE)>", 9),
    ],
)
def test_name_expressions_say_what_the_text_could_say(name, number):
    x = np.zeros(1, np.float32)
    RawModule(NAMED, name_expressions=(name,)).get_function(name)(1, 1, (x,))
    assert x[0] == number


@pytest.mark.parametrize(
    ("names", "name", "message"),
    [
        ((), "tile<float, 16>", r"name_expressions=\('tile<float, 16>',\)"),
        (("tile<float, 16>",), "tile<float, 17>", "no kernel named 'tile<float, 17>'"),
        (("tile<16>",), "tile<16>", "kernel.cu:1:.*'T' stands for a type"),
        (("tile<float, 1, 2>",), "tile<float, 1, 2>", r"has 2 parameter\(s\), but 3 arguments"),
        (("tyle<float>",), "tyle<float>", "did you mean 'tile'"),
        (("tile<flaot>",), "tile<flaot>", "undeclared type 'flaot'"),
        (("tile",), "tile", "what 'T' of tile is cannot be told"),
        (("tile<float, 3",), "tile<float, 3", "expected '>'"),
        (("tile<float> x",), "tile<float> x", "the end of the name"),
        (("(void(*)(float*))tile",), "(void(*)(float*))tile", "with a cast.*and write tile"),
    ],
)
def test_wrong_name_expressions_are_explained(names, name, message):
    with force_simulator(), pytest.raises(KernelError, match=f"(?s){message}"):
        RawModule(TILE, name_expressions=names).get_function(name)(1, 1, (np.ones(1, np.float32),))


def test_name_expressions_are_a_tuple():
    with pytest.raises(
        TypeError, match=r"name_expressions is a tuple of strings; write \('tile<int>',\)"
    ):
        RawModule(TILE, name_expressions="tile<int>")
    with pytest.raises(ValueError, match="'nvrtc' or 'nvcc'"):
        RawModule(TILE, backend=np.array(["nvrtc", "clang"]))


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: RawModule(b"text"), "code is a string of CUDA C, not b'text'"),
        (lambda: RawModule(7), "code is a string"),
        (lambda: RawModule(TILE, options=(7,)), r"options is .*, not \(7,\)"),
        (lambda: RawModule(TILE, options=None), "options is a tuple of strings, not None"),
        (lambda: RawModule(TILE).get_function(7), "name is a kernel's, a string, not 7"),
        (lambda: RawModule(TILE).get_global([7]), "name is a variable's"),
        (lambda: RawModule(TILE, name_expressions=np.ones(2)), "name_expressions is a tuple"),
        (
            lambda: RawModule(TILE).get_function("tile")(1, 1, (), checks=0),
            "checks is a tuple of strings, not 0",
        ),
        (lambda: Program(7), "a program is a string of CUDA C, not 7"),
        (lambda: Program("int main() {}").run([7]), r"args is a tuple of strings, not \[7\]"),
        (lambda: Program("int main() {}").run("7"), r"args is a tuple of strings; write \('7',\)"),
    ],
)
def test_texts_are_strings(call, words):
    with pytest.raises(TypeError, match=words):
        call()


GLOBALS = """__constant__ float w[2][3] = {1, 2, 3}; __device__ int count; __device__ float4 corner[2];
extern "C" __global__ void k(float* y) {
    atomicAdd(&count, 1);
    if (threadIdx.x < 6) y[threadIdx.x] = w[threadIdx.x / 3][threadIdx.x % 3];
    if (threadIdx.x == 0) corner[1].y = 5;
}"""


def test_module_variables_are_filled_and_read_by_the_host():
    # With variables of its own
    module = RawModule(GLOBALS + f"// {np.random.default_rng().integers(2**60)}")
    w, count = module.get_global("w"), module.get_global("count")
    assert w.shape == (2, 3) and w.dtype == np.float32 and w.tolist() == [[1, 2, 3], [0, 0, 0]]
    w[1] = 7
    count[...] = 10
    y = np.zeros(6, np.float32)
    module.get_function("k")(1, 32, (y,))
    assert y.tolist() == [1, 2, 3, 7, 7, 7]
    assert int(count) == 42 and int(module.get_global("count")) == 42
    assert module.get_global("corner").tolist() == [[0, 0, 0, 0], [0, 5, 0, 0]]
    with pytest.raises(
        KernelError,
        match="no __constant__ or __device__ variable named 'v'; this code has w, count",
    ):
        module.get_global("v")


def test_what_whole_programs_need_is_imported_with_the_first():
    says = (
        "import sys, nnlib.cuda; print('nnlib.cuda._engine.host' in sys.modules); from nnlib.cuda import *; "
        "print(Program('int main() { return 3; }').run() == Run('', 3))"
    )
    assert (
        subprocess.run([sys.executable, "-c", says], capture_output=True, text=True).stdout
        == "False\nTrue\n"
    )
