"""What a program finds around it: its GPU's properties, a cell of a notebook, nvcc, the GPU's own text."""

import os
import sys
from types import SimpleNamespace

import pytest

from nnlib.cuda import KernelError, KernelSyntaxError, force_simulator
from nnlib.cuda._engine.host import cell, nvcc
from nnlib.cuda._engine.language.kernel_side import device_text


@pytest.fixture(autouse=True, scope="module")
def simulated():
    """Run in the simulator also where there is a GPU: these messages are the simulator's."""
    with force_simulator():
        yield


# --- a cell of a notebook -----------------------------------------------------------------

CELL = r"""#include <stdio.h>
int main(int argc, char** argv) { printf("%d", N); for (int i = 1; i < argc; i++) printf(" %s", argv[i]);
    if (N == 2) printf("\n"); if (N == 3) new int; return N; }"""


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("-DN=0", "0\n"),
        ("-DN=0 a 'b c' d", "0 a b c d\n"),
        ("-DN=2 x", "2 x\n(exit status 2)\n"),
        (
            "-DN=3",
            "3\n(exit status 3)\nnote: line 4: 4 bytes of memory are never freed; write delete ;\n",
        ),
    ],
)
def test_a_cell(line, printed, capsys):
    found = {}
    shell = SimpleNamespace(
        user_ns={}, register_magic_function=lambda *given: found.update({given[2]: given})
    )
    cell.register(shell)
    function, kind, _ = found["cu"]
    assert kind == "cell" and function.__doc__ == cell.cu_cell.__doc__
    function(line, CELL)
    assert capsys.readouterr().out == printed
    assert shell.user_ns["program"].timeline().rows == ["host"]


def test_a_cell_without_output_and_one_that_cannot_be_read(capsys):
    cell.cu_cell("", "int main() { }", {})
    assert capsys.readouterr().out == ""
    with pytest.raises(
        KernelSyntaxError, match="the options after %%cu cannot be read: No closing quotation"
    ):
        cell.cu_cell("'open", CELL, {})
    with pytest.raises(KernelSyntaxError, match=r"cell\.cu:3:2: "):
        cell.cu_cell("", "int main() {\n}}", {})


SCRIPT = f"#!/bin/sh\n'''exec' '{sys.executable}' \"$0\" \"$@\" #'''\n"  # Python's path may have a space in it
NVCC = (
    SCRIPT
    + """import os, sys
source, target = sys.argv[-1], sys.argv[sys.argv.index("-o") + 1]
text = open(source).read()
if "wrong" in text:
    print("  error: wrong", file=sys.stderr)
    sys.exit(2)
open(target, "w").write(SCRIPT + "import sys\\nprint(" + repr(sys.argv[1:-3]) + ", sys.argv[1:], flush=True)\\n"
                        "print('last', file=sys.stderr)\\nsys.exit(" + str(text.count("x")) + ")\\n")
os.chmod(target, 0o755)
""".replace("SCRIPT", repr(SCRIPT))
)


@pytest.mark.skipif(os.name == "nt", reason="scripts are programs on Unix only")
def test_nvcc_is_asked_for_the_same(tmp_path, capsys, environ):
    """A stand-in for nvcc, which says what it was given."""
    (tmp_path / "nvcc").write_text(NVCC)
    (tmp_path / "nvcc").chmod(0o755)
    environ(PATH=tmp_path)
    assert nvcc.find() == str(tmp_path / "nvcc")
    assert nvcc.run("xx", ["a", "b c"], ["-DN=1"]) == (
        "['-arch=native', '-DN=1'] ['a', 'b c']\nlast\n",
        2,
    )
    assert nvcc.run("")[1] == 0
    with pytest.raises(KernelSyntaxError, match=r"^nvcc refuses the program:\nerror: wrong$"):
        nvcc.run("wrong")
    cell.cu_cell("-DN=4 --nvcc y", "int main(int argc, char** argv) { return 0; }", {})
    assert capsys.readouterr().out == "--- nvcc:\n['-arch=native', '-DN=4'] ['y']\nlast\n"
    cell.cu_cell("--nvcc", "int main() { int x = 0; return x; }", {})
    assert capsys.readouterr().out == "--- nvcc, exit status 2:\n['-arch=native'] []\nlast\n"
    environ(PATH="")
    with pytest.raises(KernelError, match="nvcc is not found on this machine") as caught:
        nvcc.run("")
    assert caught.value.hint == "leave --nvcc out"


# --- the text for NVRTC -------------------------------------------------------------------

MIXED = """#include <stdio.h>
#include <cuda_fp16.h>
# include "mine.h"
#define N 3
#define BOTH __host__ \\
    __device__
using namespace std; using std::cout;
static const int M = 4; int host = 5; constexpr float f(int x) { return x; }
const int table[2] = {1, 2};
struct Pair { int a, b; }; struct Names { std::string a; };
template <typename T = int> struct Few { T a{1}; Few(int n) : a{n} { } __device__ Few() : a{2} { } };
namespace sizes { constexpr int wide{4}; constexpr int high{2}; }
enum Kind { ONE, TWO };
__constant__ float w[3] = {1, 2, 3};
template <typename T> __device__ T twice(T x) { return 2 * x; }
template <typename T> T ours(T x) { return 2 * x; }
BOTH
int half_of(int x) { return x / 2; }
template <int K = (4 > 3), bool B = (K < 9)> int ours_too() { return K; }
typedef float real; typedef cudaStream_t stream;
class Later; struct timeval a, b; template <typename T> struct G;
static void help(int n) { if (n) { n = {1}; } } __global__ void k(real* x) { x[0] = twice(M + sizes::high * ONE * Pair().a); }
float later[2] = {1, 2};
cudaStream_t s;
int main() {
    k<<<1, 1>>>(0);
} __device__ int last;
"""
KEPT = """
#include <cuda_fp16.h>

#define N 3
#define BOTH __host__ \\
    __device__

static const int M = 4;               constexpr float f(int x) { return x; }

struct Pair { int a, b; };
template <typename T = int> struct Few { T a{1};                       __device__ Few() : a{2} { } };
namespace sizes {                        constexpr int high{2}; }
enum Kind { ONE, TWO };
__constant__ float w[3] = {1, 2, 3};
template <typename T> __device__ T twice(T x) { return 2 * x; }

BOTH
int half_of(int x) { return x / 2; }

typedef float real;

                                                __global__ void k(real* x) { x[0] = twice(M + sizes::high * ONE * Pair().a); }




  __device__ int last;
"""


def test_the_text_that_nvrtc_gets():
    text = device_text(MIXED)
    assert [line.rstrip() for line in text.split("\n")] == KEPT.split("\n")
    for ours, line in zip(MIXED.splitlines(), text.splitlines(), strict=True):
        assert len(line) in (len(ours), 0) and all(
            a == b or a == " " for a, b in zip(line, ours, strict=False)
        )


# --- what every call returns --------------------------------------------------------------
