"""What a program finds around it: its GPU's properties, a cell of a notebook, nvcc, the GPU's own text."""

import os
import sys
from types import SimpleNamespace

import pytest

from nnlib.cuda import KernelError, KernelSyntaxError, Program, force_simulator
from nnlib.cuda._engine.host import cell, nvcc
from nnlib.cuda._engine.language.kernel_side import device_text


@pytest.fixture(autouse=True, scope="module")
def simulated():
    """What is told here is the simulator's, also where there is a GPU."""
    with force_simulator():
        yield


ERRORS = (
    "0 cudaSuccess: no error|1 cudaErrorInvalidValue: invalid argument|2 cudaErrorMemoryAllocation: out of memory|"
    "3 cudaErrorInitializationError: initialization error|"
    "9 cudaErrorInvalidConfiguration: invalid configuration argument|"
    "13 cudaErrorInvalidSymbol: invalid device symbol|17 cudaErrorInvalidDevicePointer: invalid device pointer|"
    "21 cudaErrorInvalidMemcpyDirection: invalid copy direction for memcpy|"
    "100 cudaErrorNoDevice: no CUDA-capable device is detected|101 cudaErrorInvalidDevice: invalid device ordinal|"
    "400 cudaErrorInvalidResourceHandle: invalid resource handle|600 cudaErrorNotReady: device not ready|"
    "700 cudaErrorIllegalAddress: an illegal memory access was encountered|"
    "701 cudaErrorLaunchOutOfResources: too many resources requested for launch|"
    "702 cudaErrorLaunchTimeout: the launch timed out and was terminated|"
    "710 cudaErrorAssert: device-side assert triggered|719 cudaErrorLaunchFailure: unspecified launch failure|"
    "720 cudaErrorCooperativeLaunchTooLarge: too many blocks in cooperative launch|"
    "801 cudaErrorNotSupported: operation not supported|999 cudaErrorUnknown: unknown error|"
)
DEVICE = [  # statements, what they print
    (
        'cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); printf("%s|%zu %zu %zu %zu %zu %zu", p.name, '
        "p.totalGlobalMem >> 20, p.sharedMemPerBlock, p.memPitch, p.totalConstMem, p.textureAlignment, "
        "p.sharedMemPerMultiprocessor);",
        "Tesla T4 (simulated)|15360 49152 2147483647 65536 512 65536",
    ),
    (
        'cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); printf("%d %d %d %d %d %d %d %d %d", p.regsPerBlock, '
        "p.warpSize, p.maxThreadsPerBlock, p.maxThreadsDim[0], p.maxThreadsDim[2], p.maxGridSize[0], p.maxGridSize[2], "
        "p.clockRate, p.regsPerMultiprocessor);",
        "65536 32 1024 1024 64 2147483647 65535 1590000 65536",
    ),
    (
        'cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); printf("%d.%d %d %d %d %d %d %d %d %d %d", p.major, p.minor, '
        "p.deviceOverlap, p.multiProcessorCount, p.kernelExecTimeoutEnabled, p.canMapHostMemory, p.concurrentKernels, "
        "p.ECCEnabled, p.pciBusID, p.asyncEngineCount, p.unifiedAddressing);",
        "7.5 1 40 0 1 1 0 0 3 1",
    ),
    (
        'cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); printf("%d %d %d %d %d %d %d %d %d %d", p.memoryClockRate, '
        "p.memoryBusWidth, p.l2CacheSize, p.maxThreadsPerMultiProcessor, p.streamPrioritiesSupported, "
        "p.globalL1CacheSupported, p.localL1CacheSupported, p.managedMemory, p.concurrentManagedAccess, "
        "p.cooperativeLaunch);",
        "5001000 256 4194304 1024 1 1 1 1 1 1",
    ),
    (
        'cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); printf("%d %d %d %d %d %d %d %d %d %zu", '
        "p.maxBlocksPerMultiProcessor, p.maxTexture1D, p.maxTexture2D[0], p.maxTexture2D[1], p.maxTexture3D[2], "
        "p.maxTexture1DLayered[0], p.maxTexture1DLayered[1], p.maxTexture2DLayered[1], p.maxTexture2DLayered[2], "
        "p.sharedMemPerBlockOptin);",
        "16 131072 131072 65536 16384 32768 2048 32768 2048 65536",
    ),
    (
        'cudaDeviceProp p; int n = 7, d = 7; printf("%d ", cudaGetDeviceProperties(&p, 1)); printf("%d ", '
        'cudaGetLastError()); cudaGetDeviceCount(&n); cudaGetDevice(&d); printf("%d %d ", n, d); d = 7; '
        'cudaChooseDevice(&d, &p); printf("%d ", d); printf("%d ", cudaSetDevice(0)); printf("%d ", cudaSetDevice(1)); '
        'printf("%d ", cudaPeekAtLastError()); printf("%d %d", cudaGetLastError(), cudaGetLastError());',
        "101 101 1 0 0 0 101 101 101 0",
    ),
    (
        "int v[8]; cudaDeviceGetAttribute(v, cudaDevAttrMaxThreadsPerBlock, 0); cudaDeviceGetAttribute(v + 1, "
        "cudaDevAttrMaxSharedMemoryPerBlock, 0); cudaDeviceGetAttribute(v + 2, cudaDevAttrWarpSize, 0); "
        "cudaDeviceGetAttribute(v + 3, cudaDevAttrClockRate, 0); cudaDeviceGetAttribute(v + 4, "
        "cudaDevAttrMultiProcessorCount, 0); cudaDeviceGetAttribute(v + 5, cudaDevAttrComputeCapabilityMajor, 0); "
        "cudaDeviceGetAttribute(v + 6, cudaDevAttrComputeCapabilityMinor, 0); cudaDeviceGetAttribute(v + 7, "
        'cudaDevAttrConcurrentManagedAccess, 0); for (int i = 0; i < 8; i++) printf("%d ", v[i]);',
        "1024 49152 32 1590000 40 7 5 1 ",
    ),
    (
        'int a, b; cudaDriverGetVersion(&a); cudaRuntimeGetVersion(&b); printf("%d %d %d", a, b, CUDART_VERSION);',
        "12000 12000 12000",
    ),
    ('int a, b; cudaDeviceGetStreamPriorityRange(&a, &b); printf("%d %d", a, b);', "0 -5"),
    (
        'cudaFuncAttributes a; cudaFuncGetAttributes(&a, tile); printf("%zu %zu %d %d %d %d %d", a.sharedSizeBytes, '
        "a.localSizeBytes, a.maxThreadsPerBlock, a.numRegs, a.ptxVersion, a.binaryVersion, "
        "a.maxDynamicSharedSizeBytes);",
        "4128 0 1024 32 75 75 0",
    ),
    (
        "int n; for (int t = 0; t < 1100; t += 256) { cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, tile, t, 0); "
        'printf("%d ", n); } cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, tile, 1, 0); printf("%d ", n); '
        'cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, tile, 64, 20000); printf("%d", n); '
        'cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, tile, 64, 65536); printf(" %d", n); '
        'cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, tile, 64, 65537); printf(" %d", n);',
        "0 4 2 1 1 16 3 1 0",
    ),
    (
        'int g, b; cudaOccupancyMaxPotentialBlockSize(&g, &b, tile, 0, 0); printf("%d %d ", g, b); '
        'cudaOccupancyMaxPotentialBlockSize(&g, &b, tile, 0, 300); printf("%d %d ", g, b); '
        'cudaOccupancyMaxPotentialBlockSize(&g, &b, tile, 40000, 0); printf("%d %d ", g, b); '
        'cudaOccupancyMaxPotentialBlockSize(&g, &b, tile, 0, 20); printf("%d %d ", g, b); '
        'cudaOccupancyMaxPotentialBlockSize(&g, &b, tile, 65537, 0); printf("%d %d", g, b);',
        "40 1024 160 256 40 1024 640 20 0 0",
    ),
    (
        'size_t f, t; float* d; cudaMalloc(&d, 4096); cudaMemGetInfo(&f, &t); printf("%zu %zu ", f, t); cudaFree(d); '
        'cudaMemGetInfo(&f, &t); printf("%d", f == t);',
        "16106123264 16106127360 1",
    ),
    (
        'float* d; size_t p; for (int w = 1; w < 1100; w += 511) { cudaMallocPitch(&d, &p, w, 3); printf("%zu ", p); '
        "cudaFree(d); }",
        "512 512 1024 ",
    ),
    (
        'for (int e = 0; e < 1000; e++) if (strcmp(cudaGetErrorName((cudaError_t)e), "unrecognized error code")) '
        'printf("%d %s: %s|", e, cudaGetErrorName((cudaError_t)e), cudaGetErrorString((cudaError_t)e));',
        ERRORS,
    ),
    (
        'printf("%d %d %d %d %d %d %d %d %d %d ", cudaSuccess, cudaErrorInvalidValue, cudaErrorMemoryAllocation, '
        "cudaErrorInitializationError, cudaErrorInvalidConfiguration, cudaErrorInvalidSymbol, "
        "cudaErrorInvalidDevicePointer, cudaErrorInvalidMemcpyDirection, cudaErrorNoDevice, cudaErrorInvalidDevice); "
        'printf("%d %d %d %d %d %d %d %d %d", cudaErrorInvalidResourceHandle, cudaErrorNotReady, cudaErrorIllegalAddress, '
        "cudaErrorLaunchOutOfResources, cudaErrorLaunchTimeout, cudaErrorAssert, cudaErrorLaunchFailure, "
        "cudaErrorNotSupported, cudaErrorUnknown);",
        "0 1 2 3 9 13 17 21 100 101 400 600 700 701 702 710 719 801 999",
    ),
    (
        "for (int i = 0, v; i < 130; i++) { cudaDeviceGetAttribute(&v, (cudaDeviceAttr)i, 0); "
        'if (v) printf("%d:%d ", i, v); }',
        "1:1024 2:1024 3:1024 4:64 5:2147483647 6:65535 7:65535 8:49152 9:65536 10:32 12:65536 "
        "13:1590000 16:40 19:1 31:1 36:5001000 37:256 38:4194304 39:1024 40:3 41:1 75:7 76:5 "
        "81:65536 82:65536 83:1 89:1 95:1 97:65536 115:1 ",
    ),
    (
        'printf("%s|%s", cudaGetErrorName((cudaError_t)12345), cudaGetErrorString((cudaError_t)12345));',
        "unrecognized error code|unrecognized error code",
    ),
    (
        "int* h = (int*)malloc(8); int *d, x; cudaHostRegister(h, 8, 0); h[0] = 3; cudaHostGetDevicePointer(&d, h, 0); "
        'first<<<1, 1>>>(d); cudaDeviceSynchronize(); printf("%d %d ", h[0], h == d); cudaHostUnregister(h); free(h); '
        'cudaHostAlloc(&h, 8, cudaHostAllocMapped); h[0] = 1; first<<<1, 1>>>(h); cudaDeviceSynchronize(); printf("%d", '
        "h[0]); cudaFreeHost(h); cudaFree(NULL); free(NULL); cudaFreeHost(NULL);",
        "4 1 2",
    ),
    (
        "int *h = (int*)calloc(3, 4), s = 0; h = (int*)realloc(h, 2); h = (int*)realloc(h, 20); unsigned char* c = "
        '(unsigned char*)h; for (int i = 0; i < 2; i++) s += c[i]; printf("%d", s); free(h);',
        "0",
    ),
    (
        'int v = 5, n = 1, *d; cudaMalloc(&d, 4); void* a[] = {&d, &v}; printf("%d ", cudaLaunchKernel((void*)put, '
        'dim3(1), dim3(1), a, 0, 0)); cudaMemcpy(&n, d, 4, cudaMemcpyDeviceToHost); printf("%d ", n); printf("%d ", '
        'cudaLaunchKernel((void*)put, dim3(1), dim3(2000), a, 0, 0)); printf("%d", cudaGetLastError()); cudaFree(d);',
        "0 5 9 9",
    ),
    (
        "int v[2] = {1, 2}, *d; cudaMalloc(&d, 8); cudaMemcpy(d, v, 8, cudaMemcpyHostToDevice); Two t = {7, 0.5f}; "
        "given<<<1, 1>>>(d, NULL, t, make_float2(1, 2), true, -3); cudaMemcpy(v, d, 8, cudaMemcpyDeviceToHost); "
        'printf("%d %d", v[0], v[1]); cudaFree(d);',
        "1 -692",
    ),
    (
        "int v[2] = {1, 2}, *d, *none = NULL; cudaMalloc(&d, 8); Two t = {7, 0.5f}; float2 w = make_float2(1, 2); "
        "bool b = true; short s = -3; void* a[] = {&d, &none, &t, &w, &b, &s}; "
        "cudaLaunchKernel((void*)given, dim3(1), dim3(1), a, 0, 0); "
        'cudaMemcpy(v, d, 8, cudaMemcpyDeviceToHost); printf("%d %d", v[0], v[1]); cudaFree(d);',
        "1 -692",
    ),
    (
        "int v = 5, n = 1, *d; cudaMalloc(&d, 4); void* a[] = {&d, &v}; cudaLaunchKernel((void*)put, 1, 1, a); "
        'cudaMemcpy(&n, d, 4, cudaMemcpyDeviceToHost); dim3 two; two = 2; printf("%d %d %d", n, two.x, two.y); '
        "cudaFree(d);",
        "5 2 1",
    ),
    (
        "none<<<1, 1024>>>(); none<<<1, dim3(1, 1024)>>>(); none<<<1, dim3(2, 1, 64)>>>(); "
        'none<<<dim3(1, 1, 65535), 1>>>(); printf("%d", cudaGetLastError()); '
        'none<<<1, dim3(1, 1, 65)>>>(); printf(" %d", cudaGetLastError()); '
        'none<<<1, dim3(512, 3)>>>(); printf(" %d", cudaGetLastError());',
        "0 9 9",
    ),
]
KERNELS = r"""struct Two { int a; float b; };
__global__ void tile(int* x) {
    __shared__ float s[32][32]; __shared__ double t[4]; extern __shared__ char u[]; x[0] = 1;
}
__global__ void first(int* x) { x[0]++; }
__global__ void none() { }
__global__ void put(int* x, int v) { x[0] = v; }
__global__ void given(int* x, int* none, Two t, float2 v, bool b, short s) {
    x[0] = none == NULL;
    x[1] = -t.a * 100 + t.b * 2 + v.x + v.y * 4 + b + s;
}
"""


@pytest.fixture(scope="module")
def lines():
    body = "".join(f'{{ {statements} }} printf("~");\n' for statements, _ in DEVICE)
    run = Program(f"{KERNELS}int main() {{\n{body}}}").run()
    assert run.notes == []
    return run.output.split("~")[:-1]


@pytest.mark.parametrize("k", range(len(DEVICE)))
def test_what_the_device_says(k, lines):
    assert lines[k] == DEVICE[k][1], DEVICE[k][0]


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
def test_nvcc_is_asked_for_the_same(tmp_path, monkeypatch, capsys):
    """A stand-in for nvcc, which says what it was given."""
    (tmp_path / "nvcc").write_text(NVCC)
    (tmp_path / "nvcc").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
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
    monkeypatch.setenv("PATH", "")
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

CALLS = """cudaMalloc(&d, 64); cudaMallocHost(&p, 64); cudaMallocManaged(&m, 64); cudaMallocPitch(&q, &pitch, 9, 2);
cudaHostAlloc(&o, 64, 0); cudaMallocAsync(&a, 64, 0); cudaFreeAsync(a, 0); cudaHostRegister(h, 64, 0);
cudaHostGetDevicePointer(&g, p, 0); cudaHostUnregister(h); cudaMemset(d, 0, 64); cudaMemsetAsync(d, 0, 64);
cudaMemset2D(q, pitch, 0, 9, 2); cudaMemcpy(d, h, 64, cudaMemcpyHostToDevice);
cudaMemcpy(d, h, 0, cudaMemcpyHostToDevice);
cudaMemcpyAsync(d, p, 64, cudaMemcpyHostToDevice); cudaMemcpy2D(q, pitch, h, 9, 9, 2, cudaMemcpyHostToDevice);
cudaMemcpyToSymbol(symbol, h, 8); cudaMemcpyFromSymbol(h, symbol, 8); cudaGetSymbolAddress(&g, symbol);
cudaMemGetInfo(&pitch, &total); cudaMemPrefetchAsync(m, 64, 0); cudaMemAdvise(m, 64, 1, 0); cudaStreamCreate(&s);
cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking); cudaStreamCreateWithPriority(&u, 0, -1);
cudaDeviceGetStreamPriorityRange(&x, &y); cudaStreamQuery(s); cudaStreamSynchronize(s); cudaEventCreate(&e);
cudaEventCreateWithFlags(&f, 2); cudaEventRecord(e, s); cudaEventRecord(f); cudaStreamWaitEvent(t, e);
cudaEventSynchronize(e); cudaEventSynchronize(f); cudaEventQuery(e); cudaEventElapsedTime(&ms, e, f);
cudaGetDeviceCount(&x); cudaGetDevice(&x); cudaGetDeviceProperties(&properties, 0); cudaChooseDevice(&x, &properties);
cudaFuncGetAttributes(&attributes, put); cudaSetDevice(0); cudaSetDeviceFlags(0); cudaDeviceGetAttribute(&x,
cudaDevAttrWarpSize, 0); cudaDeviceSetCacheConfig(cudaFuncCachePreferL1); cudaDeviceSetLimit(0, 1);
cudaDriverGetVersion(&x); cudaRuntimeGetVersion(&x); cudaFuncSetCacheConfig(put, cudaFuncCachePreferL1);
cudaFuncSetAttribute(put, cudaFuncAttributeMaxDynamicSharedMemorySize, 1); cudaProfilerStart(); cudaProfilerStop();
cudaOccupancyMaxActiveBlocksPerMultiprocessor(&x, put, 64, 0); cudaOccupancyMaxPotentialBlockSize(&x, &y, put, 0, 0);
cudaLaunchKernel((void*)put, dim3(1), dim3(1), given, 0, 0); cudaPeekAtLastError(); cudaGetLastError(); usleep(1);
cudaEventDestroy(e); cudaEventDestroy(f); cudaStreamDestroy(s); cudaStreamDestroy(t); cudaStreamDestroy(u);
cudaDeviceSynchronize(); cudaThreadSynchronize(); cudaFree(d); cudaFree(m); cudaFree(q); cudaFreeHost(p);
cudaFreeHost(o);
cudaFree(NULL); cudaFreeHost(NULL); cudaDeviceReset();"""


def test_every_call_that_succeeds_returns_0():
    calls = [call.strip() for call in CALLS.split(";") if call.strip()]
    body = "".join(f'if ({call}) printf("{call.partition("(")[0]} ");\n' for call in calls)
    run = Program(
        """__device__ float symbol[2]; __global__ void put(int* x, int v) { x[0] = v; }
        int main() { float *d, *p, *m, *q, *o, *a, *h = (float*)calloc(16, 4); void *g, *given[] = {&d, &h}; int x, y;
        size_t pitch, total; cudaStream_t s, t, u; cudaEvent_t e, f; float ms; cudaDeviceProp properties;
        cudaFuncAttributes attributes;"""
        + body
        + "free(h); }"
    ).run()
    assert (run.output, run.status, run.notes) == ("", 0, [])


def test_file_is_the_name_of_the_program():
    assert (
        Program('int main() { printf("%s", __FILE__); }', name="main.cu").run().output == "main.cu"
    )


def test_a_size_outside_of_functions_may_be_computed():
    text = 'int N = 1 << 10;\ndim3 grid(N / 256, 1, 1);\nint main() { printf("%d", (int)grid.x); }'
    assert Program(text).run().output == "4"


def test_a_kernel_that_no_file_defines_is_named():
    with pytest.raises(KernelSyntaxError, match="'k' is declared but has no body"):
        Program("__global__ void k(int* x);\nint main() { k<<<1, 1>>>(NULL); }")
