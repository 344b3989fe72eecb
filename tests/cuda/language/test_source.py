"""The preprocessor: which tokens come out, and where they say they come from."""

import numpy as np
import pytest

from nnlib.cuda import KernelError, RawModule, force_simulator
from nnlib.cuda._engine.errors import KernelSyntaxError
from nnlib.cuda._engine.language import compile_source
from nnlib.cuda._engine.language.kernel_names import kernel_names
from nnlib.cuda._engine.language.preprocessing.directives import preprocess
from nnlib.cuda._engine.language.preprocessing.headers import nvrtc_text


def words(text, *options):
    return " ".join(token.text for token in preprocess(text, options)[:-1])


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("a // b\nc /* d\n e */ f", "a c f"),
        ('"// no comment" x', '"// no comment" x'),
        ("a \\\n b", "a b"),
        ("#define N 3\nN + N", "3 + 3"),
        ("#define N 3\n#undef N\nN", "N"),
        ("#define N M\n#define M 4\nN", "4"),
        ("#define N N + 1\nN", "N + 1"),
        ("#define A B\n#define B A\nA B", "A B"),
        ("#define F(x) (x * x)\nF(1 + 2)", "( 1 + 2 * 1 + 2 )"),
        ("#define F(x) x\nF (3) F", "3 F"),
        ("#define F (x)\nF(3)", "( x ) ( 3 )"),
        ("#define F(x, y) x - y\nF((1, 2), F(3, 4))", "( 1 , 2 ) - 3 - 4"),
        ("#define F() 7\nF()", "7"),
        ("#define F(x, ...) f(x, ##__VA_ARGS__)\nF(1) F(1, 2, 3)", "f ( 1 ) f ( 1 , 2 , 3 )"),
        ("#define F(x) [x]\nF()", "[ ]"),
        ("#define F(x) x x\n#define G F(1)\nG", "1 1"),
        ("#define F(x) #x\nF(a  +  1)", '"a + 1"'),
        ("#define F(a, b) a##b\nF(x, 1) F(, y)", "x1 y"),
        ("#define F(...) g(__VA_ARGS__)\nF(1, 2) F()", "g ( 1 , 2 ) g ( )"),
        ("#define F(x) x\nF(\n1\n)", "1"),
        ("#if 1\na\n#else\nb\n#endif", "a"),
        ("#if 0\na\n#elif 2 > 1\nb\n#elif 1\nc\n#endif", "b"),
        ("#if 0\n#if 1\na\n#else\nb\n#endif\n#else\nc\n#endif", "c"),
        ("#ifdef X\na\n#endif\n#ifndef X\nb\n#endif", "b"),
        ("#define X\n#if defined(X) && !defined Y\na\n#endif", "a"),
        ("#define N 16\n#if N * 2 == 32 && (N >> 2) % 3 == 1\na\n#endif", "a"),
        ("#if 0\nisn't \"code @\n#endif\na", "a"),
        ("#pragma unroll 4\na", "a"),
        ('_Pragma("unroll") a', "a"),
        ("#\na", "a"),
    ],
)
def test_directives_and_macros(text, result):
    assert words(text) == result


def test_options_define_macros():
    assert words("A B C(2)", "-DA", "-DB=x+1", "-DC(n)=n*n") == "1 x + 1 2 * 2"
    assert words("A", "-DA=1", "-UA") == "A"
    assert words("A B", "-D", "A=2", "--define-macro=B=3") == "2 3"
    assert words("#ifndef TILE\n#define TILE 16\n#endif\nTILE", "-DTILE=32") == "32"


def test_options_of_code_generation_change_nothing():
    assert (
        words(
            "a",
            "--use_fast_math",
            "--fmad=false",
            "-std=c++17",
            "-I/include",
            "-I",
            "dir",
            "-lineinfo",
        )
        == "a"
    )


def test_an_unknown_option_is_named():
    with pytest.raises(
        KernelSyntaxError,
        match="unknown compiler option '-DD1-wrong'|unknown compiler option '-foo'",
    ):
        compile_source("", ("-foo",))


def test_a_function_is_meant_rather_than_what_a_template_would_make():
    text = (
        "template <class T> __device__ int f(float a, T* b) { return 1; } __device__ int f(float a, int* b) "
        '{ return 2; } extern "C" __global__ void k(int* x) { x[0] = f(1, x); }'
    )
    found = np.zeros(1, np.int32)
    with force_simulator():
        RawModule(code=text).get_function("k")((1,), (1,), (found,))
    assert found[0] == 2


def test_macros_of_the_text_hold_in_name_expressions():
    text = "#define N 3\ntemplate <int K> __global__ void f(float* x) { x[0] = K; }"
    assert compile_source(text, name_expressions=("f<N + 1>",)).names == {"f<N + 1>": "f<4>"}


def test_lines_behind_a_line_directive_are_those_that_it_names():
    text = '#line 7 "a.cu"\nextern "C" __global__ void k(int* x) {\n    x[2] = 0;\n}'
    with force_simulator(), pytest.raises(KernelError, match="at a.cu:8:6\n    8 |"):
        RawModule(code=text).get_function("k")((1,), (1,), (np.zeros(2, np.int32),))


def test_tokens_keep_their_place():
    tokens = preprocess("a\n  b /* x\n */ c\n#define N 1 + 2\n   N d")
    places = [(token.text, token.at.line, token.at.column) for token in tokens]
    assert places == [
        ("a", 1, 1),
        ("b", 2, 3),
        ("c", 3, 5),
        ("1", 5, 4),
        ("+", 5, 4),
        ("2", 5, 4),
        ("d", 5, 6),
        ("", 5, 7),
    ]


def test_nvrtc_gets_the_names_of_c_headers_and_keeps_its_lines():
    text = "#include <stdint.h>\nuint8_t a = INT_MAX;"
    given = nvrtc_text(text)
    assert "typedef unsigned char uint8_t;" in given and "#define INT_MAX 2147483647" in given
    assert given.endswith('#line 1 "kernel.cu"\n\nuint8_t a = INT_MAX;')
    assert nvrtc_text("int a;") == "int a;"
    assert nvrtc_text("#include <cub/cub.cuh>\nuint8_t a;") == "#include <cub/cub.cuh>\nuint8_t a;"
    assert "cuda_pipeline.h" in nvrtc_text("#include <cuda_pipeline.h>\n")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("__global__ void f(/*", "f"),
        ("__global__ void f(\n/* x */ int y, /* x", "f"),
        ("__global__ {", ""),
        ("", ""),
        ("__global__; void f() {}", ""),
        ("__global__ } void f() {}", ""),
        ('__global__ void g(int* x) { x[0] = 1;\n}\n__global__ void h(int y) {} "abc', "g h"),
        ("__global__", ""),
        (
            "__global__ __launch_bounds__(32) void k(int);__global__ void k(int x) {} int __global__; static __global__ void "
            "last(float(*f)(int)) {",
            "k last",
        ),
        ("#define K __global__ void\nK f() {}", "f"),
        ("#if 0\n__global__ void f() {}\n#endif\n__global__ void g();", "g"),
        ("#include <nowhere.h>\n__global__ void f(int a) {}", "f"),
        ("#if N\n__global__ void f() {}\n#endif", "f"),
    ],
)
def test_kernels_of_a_text_that_may_be_wrong(text, names):
    assert kernel_names(text, ["-DN=1"]) == names.split()
