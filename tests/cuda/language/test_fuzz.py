"""No text makes the front end do anything but compile or raise KernelSyntaxError, soon."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nnlib.cuda import RawModule
from nnlib.cuda._engine.errors import KernelSyntaxError
from nnlib.cuda._engine.language import compile_source

from .cases import RIGHT
from .texts import KERNEL

KERNELS = sorted(Path(__file__).parents[1].glob("corpus/*.cu"))
TEXTS = [path.read_text() for path in KERNELS] + RIGHT
WORDS = """int float double unsigned char long bool void const float4 auto static extern typedef using enum struct
    __global__ __device__ __shared__ __constant__ __restrict__ __launch_bounds__ if else for while do switch case
    default break
    continue return sizeof static_cast reinterpret_cast threadIdx blockIdx warpSize true nullptr x y n f atomicAdd
    sqrtf max __shfl_sync make_float4 printf static_assert template typename T asm goto operator new
    0 1 2.0f 1.5 0xff 1u 'a' "s"
    + - * / % = == != < > <= >= << >> && || & | ^ ! ~ ? : ; , . -> ++ -- += ( ) [ ] { } :: ... # ## \\ @ /* */ //
    #define #undef #if #ifdef #else #elif #endif #include #pragma #error defined F(a) F __VA_ARGS__ _Pragma""".split()

# Of Python functions for one text: seconds; the largest here takes 1,105,119
MOST_CALLS = 5_000_000
bounded = settings(
    max_examples=100, deadline=None, suppress_health_check=list(HealthCheck), database=None
)


def counted(work: Callable[[str], Any], text: str) -> tuple[Any, int]:
    """The result, and how many calls of Python functions it takes: the same on every computer."""
    calls = 0

    def see(frame: Any, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(see)
    try:
        return work(text), calls
    finally:
        sys.setprofile(before)


def verdict(text: str, options: tuple[str, ...] = ()) -> str:
    """The complaint, or nothing."""
    try:
        compile_source(text, options)
    except KernelSyntaxError as error:
        return str(error)
    return ""


@bounded
@given(st.text(max_size=300))
def test_any_text(text):
    verdict(text)
    verdict(KERNEL % text)


@bounded
@given(st.lists(st.sampled_from(WORDS), max_size=80), st.sampled_from([" ", "\n"]))
def test_any_soup_of_tokens(words, between):
    verdict(between.join(words))
    verdict(KERNEL % between.join(words))


@bounded
@given(st.sampled_from(TEXTS), st.data())
def test_any_mutation_of_a_right_program(text, data):
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 12)))
        text = text[:start] + data.draw(st.sampled_from([*WORDS, "", " "])) + text[end:]
    verdict(text)


@bounded
@given(st.sampled_from(TEXTS), st.floats(0, 1))
def test_any_truncation_of_a_right_program(text, share):
    verdict(text[: int(share * len(text))])


@bounded
@given(st.text(max_size=20), st.text(max_size=20))
def test_any_option(name, value):
    verdict("", (f"-D{name}={value}",))
    verdict("", (name,))


NESTED = {
    "brackets": ("(", "1", ")"),
    "indices": ("x[", "0", "]"),
    "calls": ("sqrtf(", "1.0f", ")"),
    "casts": ("(int)", "1", ""),
    "minus": ("- ", "1", ""),
    "not": ("!", "1", ""),
    "ternary": ("1 ? ", "1", " : 2"),
    "ternary, right": ("1 ? 2 : ", "1", ""),
    "assignment": ("n = ", "1", ""),
    "sum": ("1 + ", "1", ""),
    "sum of products": ("n * 2 + ", "1", ""),
    "comma": ("1, ", "1", ""),
    "every level": ("1 || 1 && 1 | 1 ^ 1 & 1 == 1 < 1 << 1 + 1 * (", "1", ")"),
    "dots": ("", "v[0]", ".x"),
    "sizeof": ("sizeof ", "n", ""),
    "dereference": ("*", "x", ""),
}
BLOCKS = {
    "blocks": ("{", "", "}"),
    "if": ("if (n) ", ";", ""),
    "else if": ("if (n) n = 1; else ", ";", ""),
    "for": ("for (;;) ", ";", ""),
    "do": ("do ", ";", " while (n);"),
    "switch": ("switch (n) { case 1: ", ";", "}"),
    "array": ("", "int a", "[2]"),
    "pointer": ("int ", "a;", ""),
    "braces": ("int a[1] = {", "1", "};"),
}


@pytest.mark.parametrize("depth", [40, 300, 10_000])
@pytest.mark.parametrize("kind", [*NESTED, *BLOCKS])
def test_deep_nesting_is_refused_and_does_no_harm(kind, depth):
    before, middle, after = NESTED.get(kind) or BLOCKS[kind]
    message, calls = counted(verdict, KERNEL % f"{before * depth}{middle}{after * depth};")
    assert calls < MOST_CALLS
    if depth == 10_000:
        assert message


@pytest.mark.parametrize(
    "text",
    [
        "#define A0 x x\n"
        + "".join(f"#define A{i} A{i - 1} A{i - 1}\n" for i in range(1, 60))
        + "A59",
        "#define F(x) x x x x\n" + "F(" * 40 + "1" + ")" * 40,
        "#define F(x) x\n" + "F(" * 5000 + "1" + ")" * 5000,
        "#define F(x) F(x) F(x)\n#define G(x) F(F(x))\n" + "G(" * 30 + "1" + ")" * 30,
        "".join(f"#define A{i} A{i + 1}\n" for i in range(3000)) + "A0",
        "#if 1\n" * 5000,
        "#if " + "(" * 5000 + "1\n#endif",
        "/*" * 50_000,
        '"' * 50_001,
        "\\\n" * 20_000 + "x",
        "x " * 30_000,
        "int a" + "[1]" * 5000 + ";",
        "1" * 100_000,
        "#define A0(x) x\n"
        + "".join(f"#define A{i}(x) A{i - 1}(x##x)\n" for i in range(1, 40))
        + "A39(abc)",
        "#define P(x) x##x\n" + "P(" * 40 + "a" + ")" * 40,
        "x[0] = 1;" * 150_000,
        "__device__ int a[] = {" + "1," * 1_000_000 + "};",
        "__global__ void k() { float a[1000000][1000000][1000000]; }",
        "__device__ int a[2147483647] = {1};",
        "__device__ int a[1000][1000][1000] = {1};",
    ],
)
def test_huge_things_are_bounded(text):
    message, calls = counted(verdict, text)
    assert (message or "__device__ int a" in text) and calls < MOST_CALLS


@pytest.mark.parametrize("text", ['printf("\udc80");', "/* \udfff */", "int \ud800;"])
def test_half_a_character_is_named(text):
    assert "kernel.cu:2:" in verdict(f"\n{text}") and "save the file as UTF-8" in verdict(text)


def test_a_file_that_is_not_utf_8_is_read_as_far_as_it_is(tmp_path):
    file = tmp_path / "latin.cu"
    file.write_bytes("// größer\n__global__ void k(int* x) { x[0] = 1; }".encode("latin-1"))
    assert RawModule(path=file).kernels == ["k"]
    file.write_text("__global__ void k() { }", encoding="utf-16")
    with pytest.raises(KernelSyntaxError, match="save the file as UTF-8"):
        RawModule(path=file).compile()


def test_a_usual_file_takes_milliseconds():
    text = max((path.read_text() for path in KERNELS), key=len)
    compile_source(text)
    # 220; about 0.1 ms per line
    assert counted(compile_source, text)[1] < 500 * len(text.splitlines())
