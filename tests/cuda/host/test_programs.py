"""Whole programs print what they print on a GPU, and what is wrong with them is told."""

import re

import pytest

from nnlib.cuda import (
    HostError,
    KernelError,
    KernelSyntaxError,
    OutOfBoundsError,
    Program,
    UnsupportedError,
    force_simulator,
)
from nnlib.cuda._engine.host import nvcc
from nnlib.cuda._engine.host.headers import headers, of_kernels
from nnlib.cuda._engine.host.runtime.gpu_device import GpuDevice
from nnlib.cuda._engine.language import compile_source
from nnlib.cuda._engine.language.kernel_side import device_text
from tests.cuda.host.programs import PROGRAMS

STREAMS, VECTOR_ADD = (PROGRAMS[name].text for name in ("streams", "vector add"))


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_prints_what_it_should(name):
    text, args, output, status = PROGRAMS[name]
    run = Program(text).run(args)
    assert (run.output, run.status, run.notes) == (output, status, [])


@pytest.mark.gpu
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_same_through_nvcc(name):
    if nvcc.find() is None:
        pytest.skip("no nvcc on this machine")
    text, args, output, status = PROGRAMS[name]
    assert nvcc.run(text, args) == (output, status)


def test_a_program_without_kernels_through_nvcc():
    if nvcc.find() is None:
        pytest.skip("no nvcc on this machine")
    text, args, output, status = PROGRAMS["C"]
    assert nvcc.run(text, args) == (output, status)


def test_new_has_a_first_value():
    text = """#include <cstdio>
        int main() { int* p = new int(7); double* q = new double[2](); printf("%d %g", *p, q[1]); delete p;
                     delete[] q; }"""
    assert Program(text).run().output == "7 0"


@pytest.mark.parametrize(
    "body, words",
    [
        ("scale = 3;", "'scale' is a variable of the GPU"),
        ("scale++;", "'scale' is a variable of the GPU"),
        ("k<<<1, 1>>>();", None),
    ],
)
def test_variables_of_the_other_side(body, words):
    text = (
        f"__device__ int scale = 2; __global__ void k() {{ scale += 1; }} int main() {{ {body} }}"
    )
    if words is None:
        Program(text).run()
        return
    with pytest.raises(KernelSyntaxError, match=words):
        Program(text)


def test_older_forms_of_c():
    text = r"""template <class T> void run(int n);
        void note(char* text) { printf("%s ", text); }
        int main() {
            run<float>(3); note("hi");
            char x[] = {"a" "b"}; char* y = "c"; printf("%s %s", x, y);
            int* p = 0; *p;
        }
        template <class T> void run(int n) { printf("%d %d ", n, (int)sizeof(T)); }"""
    assert Program(text).run().output == "3 4 hi ab c"


def test_names_of_functions_without_a_pointer():
    text = """int f(int a) { return a + 1; } int g(int a) { return 2 * a; }
        int main() {
            int n = 3, (*p)(int) = n < 2 ? f : g;
            printf("%d %d %d %d ", f == g, f == f, f != g, (n > 2 ? f : g)(5));
            printf("%d %d %d %d", p(5), (n ? p : f)(1), (*p == f) + 2 * (p == &g), (n ? f : p)(1));
        }"""
    assert Program(text).run().output == "0 1 1 6 10 2 2 2"


def test_a_lambda_runs_where_the_function_around_it_runs():
    text = """__host__ __device__ int both(int a) { auto add = [=](int b) { return a + b; }; return add(2); }
        __device__ int only(int a) {
            auto add = [=](int b) { auto c = [&]() { return a; }; return c() + b; }; return add(4);
        }
        __global__ void k(int* x) { auto times = [=](int a) { return 2 * a; }; x[0] = both(1) + times(only(1)); }
        int main() {
            int* x; cudaMallocManaged(&x, 4); k<<<1, 1>>>(x); cudaDeviceSynchronize();
            auto print = [&](int n) { printf("%d %d", x[0], n); }; print(both(5)); cudaFree(x);
        }"""
    assert Program(text).run().output == "13 7"


def test_headers_in_folders_of_samples():
    text = """#include <sys/time.h>
        #include <sys/mman.h>
        #include "../common/book.h"
        #include "../../common/common.h"
        #include "../../nowhere/common.h"
        int main() { HANDLE_ERROR(cudaDeviceSynchronize()); CHECK(cudaGetLastError()); printf("%d", PROT_READ); }"""
    assert Program(text).run().output == "1"


@pytest.mark.parametrize(
    ("body", "part"),
    [
        ("int (*f)(int) = NULL; f(1);", "a function is called through a null pointer"),
        (
            "void (*k)(int*) = NULL; k<<<1, 1>>>(NULL);",
            "a kernel is launched through a null pointer",
        ),
        ("void (*k)(int*) = kernel; k(NULL);", "leads to a kernel, which is launched, not called"),
        ("void (*f)(int*) = plain; f<<<1, 1>>>(NULL);", "a pointer that leads to none"),
    ],
)
def test_pointers_to_functions_that_lead_elsewhere(body, part):
    with pytest.raises(HostError, match=part) as caught:
        Program(
            f"__global__ void kernel(int* x) {{ }}\nvoid plain(int* x) {{ }}\nint main() {{ {body} }}"
        ).run()
    assert caught.value.line == 3 and caught.value.hint


@pytest.mark.parametrize(
    "body",
    [
        "int x = f == mul;",
        "f = &mul == f ? f : 0;",
        "f = true ? mul : f;",
        "auto g = mul;",
        "bool x = f && mul;",
    ],
)
def test_a_name_of_several_functions_as_one(body):
    text = (
        "int mul(int a, int b) { return a * b; }\nfloat mul(float a, float b) { return a * b; }\n"
    )
    with pytest.raises(KernelSyntaxError, match="several functions are named 'mul'"):
        Program(f"{text}int main() {{ int (*f)(int, int) = (int (*)(int, int))mul; {body} }}")


def test_kernels_as_nvrtc_is_told_of_them():
    program = compile_source(
        """struct S { int a; };
        __global__ void k(int* x) { } __global__ void k(const S* s, S t) { } __global__ void one() { }
        template <class T> __global__ void set(T* x) { } __global__ void set(float4 x) { }
        int main() { int* x = 0; set<<<1, 1>>>(x); }""",
        headers=headers(),
    )
    device = GpuDevice(program, ())
    assert sorted(device.name(f) for f in program.functions.values() if f.kind == "kernel") == [
        "(void (*)(const S*, S))k",
        "(void (*)(float4))set",
        "(void (*)(int*))k",
        "(void (*)(int*))set<int>",
        "one",
    ]


def test_helper_math_on_both_sides():
    text = """#include <helper_math.h>
    __global__ void k(float3* p) { *p += make_float3(2.0f); *p = cross(*p + *p, make_float3(1, 2, 3)); }
    int main() {
        float3 *d, a = make_float3(1.5f);
        a += a;
        cudaMallocManaged(&d, sizeof(float3));
        *d = a;
        k<<<1, 1>>>(d);
        cudaDeviceSynchronize();
        float4 v = clamp(make_float4(make_float3(1, 2, 3), 9.0f), 0.0f, 2.5f), w = -v;
        int2 i = make_int2(make_float2(1.7f, 2.2f));
        i *= 3;
        printf("%g %g %g %g %d %d %g", d->z, v.x, v.w, w.y, i.x, i.y, length(make_float2(3, 4)));
        cudaFree(d);
    }"""
    assert Program(text).run().output == "10 1 2.5 -2 3 6 5"
    device = device_text(text, of_kernels)
    assert (
        "float3 cross(" in device
        and device.partition("#line 2\n")[2].splitlines()[0] == text.splitlines()[1]
    )


def test_dynamic_shared_memory_that_a_kernel_only_declares():
    text = "__global__ void k(int* x) { extern __shared__ int s[]; x[0] = 1; } int main() { int* x; cudaMalloc(&x, 4); "
    assert Program(text + "k<<<1, 1>>>(x); cudaFree(x); }").run().status == 0


def test_occupancy_of_a_block_that_no_gpu_takes():
    text = "__global__ void k() {} int main() { int g, b, n; "
    text += "cudaOccupancyMaxPotentialBlockSize(&g, &b, k, 0, 1000000); "
    text += 'cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k, 2000, 0); printf("%d %d", b <= 1024, n); }'
    assert Program(text).run().output == "1 0"


def test_memory_that_a_kernel_finds_by_a_pointer_in_memory_has_its_name():
    text = """struct List { int n; float* data; };
        __global__ void k(List* l) { l->data[threadIdx.x] = 1; }
        int main() {
            List h = {3}, *d;
            float* numbers;
            cudaMalloc(&numbers, 12); cudaMalloc(&d, sizeof(h));
            h.data = numbers;
            cudaMemcpy(d, &h, sizeof(h), cudaMemcpyHostToDevice);
            k<<<1, 3>>>(d);
            k<<<1, 4>>>(d);
        }"""
    said = r"write to numbers\[3\](?s:.)*numbers has 3 elements, numbers\[0\] to numbers\[2\]"
    with force_simulator(), pytest.raises(OutOfBoundsError, match=said):
        Program(text).run()


def test_a_mistake_in_a_kernel_is_the_kernels():
    text = VECTOR_ADD.replace("if (i < n) ", "")
    with pytest.raises(OutOfBoundsError, match=r"program.cu:17:") as caught:
        Program(text).run()
    assert caught.value.kernel == "add"


@pytest.mark.parametrize(
    ("text", "part", "place"),
    [
        ("int main() { int x = 1 }", "expected ';'", "1:23"),
        ("int main() { undefined(); }", "undeclared function 'undefined'", "1:14"),
        (
            "__device__ int f() { return 1; } int main() { return f(); }",
            "'f' is a __device__ function",
            "1:54",
        ),
        (
            "int f() { return 1; } __global__ void k(int* x) { x[0] = f(); } int main() { }",
            "'f' is a function of the host",
            "1:58",
        ),
        (
            "int n; __global__ void k(int* x) { x[0] = n; } int main() { }",
            "'n' is a variable of the host",
            "1:43",
        ),
        ("__device__ int n; int main() { return n; }", "'n' is a variable of the GPU", "1:39"),
        ("__global__ void k() { } int main() { k(); }", "it is launched, not called", "1:38"),
        ("__global__ void k() { } int main() { k<<<1>>>(); }", "takes grid and block", "1:38"),
        ("int main() { return threadIdx.x; }", "threadIdx is only known in kernels", "1:21"),
        ("int main() { __syncthreads(); }", "'__syncthreads' is for kernels", "1:14"),
        (
            "__global__ void k() { cudaDeviceSynchronize(); } int main() { }",
            "CUDA's library for the host",
            "1:23",
        ),
        (
            "#include <thrust/sort.h>\nint main() { int x[2]; thrust::sort(x, x + 2); }",
            "CUDA's C++ libraries",
            "2:24",
        ),
        ("#include <cub/cub.cuh>\nint main() { cub::DeviceReduce::Sum(); }", "part of CUB", "2:14"),
        (
            "int f(int x) { return x; } int main() { int (*g)(int, int) = f; }",
            "cannot convert 'f' to 'int (*)(int, int)'",
            "1:62",
        ),
        (
            "__global__ void k(float (*f)(float)) { } int main() { }",
            "pointers to functions",
            "1:27",
        ),
        (
            "int main() { } int main(int argc, char** argv) { }",
            "'main' is already declared",
            "1:20",
        ),
        (
            "template <class T> void f(T x); int main() { f(1); }",
            "'f' is declared but has no body",
            "1:46",
        ),
    ],
)
def test_what_is_not_understood_is_refused_before_anything_runs(text, part, place):
    with pytest.raises(KernelSyntaxError) as caught:
        Program(text)
    assert (
        part in str(caught.value)
        and f"program.cu:{place}: " in str(caught.value)
        and caught.value.hint
    )


def test_a_program_needs_main():
    with pytest.raises(KernelSyntaxError, match="begins in main"):
        Program("__global__ void k() { }")


def test_kernels_alone_are_told_that_main_is_for_programs():
    with pytest.raises(UnsupportedError, match="main"):
        from nnlib.cuda import RawModule

        RawModule("int main() { }").compile()


def test_a_cooperative_launch_lets_blocks_wait_for_each_other():
    text = """#include <cooperative_groups.h>
    namespace cg = cooperative_groups;
    __global__ void k(int* x) {
        x[blockIdx.x] = blockIdx.x + 1;
        cg::this_grid().sync();
        if (blockIdx.x == 0) x[0] += x[1];
    }
    int main() {
        int* x;
        cudaMallocManaged(&x, 8);
        void* arguments[] = {&x};
        cudaLaunchCooperativeKernel((void*)k, dim3(2), dim3(1), arguments);
        cudaDeviceSynchronize();
        printf("%d", x[0]);
        cudaFree(x);
    }"""
    assert Program(text).run().output == "3"


def test_a_cooperative_launch_of_too_many_blocks_has_its_status():
    text = r"""__global__ void k() { }
    int main() {
        cudaError_t status = cudaLaunchCooperativeKernel((void*)k, dim3(1 << 20), dim3(1024), NULL);
        printf("%s, %s", cudaGetErrorName(status), cudaGetErrorName(cudaGetLastError()));
    }"""
    assert Program(text).run().output == ", ".join(2 * ["cudaErrorCooperativeLaunchTooLarge"])


def test_times_of_chrono():
    text = """#include <chrono>
    #include <iostream>
    int main() {
        auto a = std::chrono::high_resolution_clock::now();
        std::chrono::steady_clock::time_point none;
        sleep(2);
        auto b = std::chrono::high_resolution_clock::now();
        std::chrono::duration<double, std::milli> ms = b - a;
        using namespace std::chrono;
        std::cout << duration_cast<seconds>(b - a).count() << (ms.count() >= 2000) << (ms.count() < 2900)
                  << (duration_cast<microseconds>(b - a).count() >= 2000000) << (duration<float>(b - a).count() > 1.9f);
    }"""
    assert Program(text).run().output == "21111"


def test_errors_have_their_names():
    run = Program(r"""__global__ void k() { } int main() {
        k<<<0, 1>>>();
        cudaError_t error = cudaPeekAtLastError();
        printf("%s: %s\n", cudaGetErrorName(error), cudaGetErrorString(error));
        return cudaGetLastError();
    }""").run()
    assert (run.output, run.status) == (
        "cudaErrorInvalidConfiguration: invalid configuration argument\n",
        9,
    )


@pytest.mark.parametrize(
    "text",
    [
        "int main(float x) { }",
        "float main() { return 1; }",
        "int main(int a, int b) { }",
        "int main(char** argv, int argc) { }",
        "int main(int a, char** b, char** c) { }",
    ],
)
def test_what_main_may_be(text):
    with pytest.raises(KernelSyntaxError, match="main takes nothing, or int argc and char"):
        Program(text)
    assert Program("void main(int argc, const char* argv[]) { }").run().status == 0


def test_the_timeline_overlaps_streams():
    program = Program(STREAMS)
    program.run()
    timeline = program.timeline()
    assert timeline.rows == ["host", "stream 1", "stream 2", "stream 3", "stream 4"]
    kinds = [one.kind for one in timeline.operations]
    assert kinds == ["copy", "kernel", "copy"] * 4
    first, second = timeline.operations[:3], timeline.operations[3:6]
    assert second[0].start < first[2].end  # the next stream copies before the first is done
    assert all(
        after.start >= before.end
        for one in (first, second)
        for before, after in zip(one, one[1:], strict=False)
    )
    assert "modelled" in str(timeline) and "(waits for 1)" in str(timeline)
    assert timeline._repr_html_().startswith(
        "<svg role='img' aria-label='Timeline of 12 operations in 4 streams"
    )


def test_profile_counts_each_launch():
    profiles = Program(STREAMS).profile()
    assert list(profiles) == ["increment"] and len(profiles["increment"]) == 4
    assert profiles["increment"][0].global_load.sectors == 256 * 4 // 32


def test_memory_says_who_owns_what():
    program = Program(
        "int main() {\n  float *h = (float*)malloc(8), *d;\n  cudaMalloc(&d, 12);\n  free(h);\n}"
    )
    owners = program.memory()
    assert [(e.line, e.what, e.name, e.side, e.host, e.device) for e in owners.events] == [
        (2, "made", "h", "host", 8, 0),
        (3, "made", "d", "GPU", 8, 12),
        (4, "freed", "h", "host", 0, 12),
    ]
    assert "never freed: d, 12 bytes of line 3" in str(owners) and "<table>" in owners._repr_html_()


def test_a_gpu_is_given_structs_without_the_functions_of_the_host():
    words = set(re.findall(r"n = N|Words;|\w+", device_text(PROGRAMS["classes of the host"].text)))
    assert {"count", "operator", "fill", "Words;", "N", "n = N", "private"} <= words
    assert not {"printf", "cudaMalloc", "title", "size_of", "get"} & words


def test_the_side_of_the_gpu_keeps_its_lines():
    text = device_text(VECTOR_ADD)
    assert text.count("\n") == VECTOR_ADD.count("\n")
    assert "main" not in text and "#include" not in text
    assert text.splitlines()[16] == VECTOR_ADD.splitlines()[16] and "__global__ void add" in text


@pytest.mark.gpu
def test_pointers_that_only_the_simulator_can_follow_are_refused_on_a_gpu():
    with pytest.raises(KernelError, match="only the simulator can follow"):
        Program(PROGRAMS["pointers in memory"][0]).run()


@pytest.mark.gpu
@pytest.mark.parametrize("name", sorted(PROGRAMS.keys() - {"pointers in memory"}))
def test_the_same_in_the_simulator_and_on_a_gpu(name):
    from nnlib.cuda import force_simulator

    text, args, output, status = PROGRAMS[name]
    with force_simulator():
        simulated = Program(text).run(args)
    real = Program(text).run(args)
    assert (real.output, real.status) == (simulated.output, simulated.status) == (output, status)


@pytest.mark.gpu
def test_a_gpu_says_itself_how_many_blocks_it_holds():
    import cupy

    kernel = "__global__ void k(float* x) { __shared__ float s[99]; s[threadIdx.x] = x[0]; x[1] = sinf(s[1]) / x[2]; }"
    run = Program(f"""{kernel}
int main() {{
    int n, g, b; cudaFuncAttributes a; cudaFuncGetAttributes(&a, k); printf("%d %zu ", a.numRegs, a.sharedSizeBytes);
    for (int t = 64; t <= 1024; t *= 4) {{
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k, t, 60000); printf("%d ", n);
    }}
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k, 2000, 0); printf("%d ", n);
    cudaOccupancyMaxPotentialBlockSize(&g, &b, k, 0, 0); printf("%d", g * b);
}}""").run()
    right = cupy.RawModule(code=kernel, name_expressions=["k"]).get_function("k")
    right.max_dynamic_shared_size_bytes = 60000
    properties = cupy.cuda.runtime.getDeviceProperties(0)
    held = [
        cupy.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(right.kernel.ptr, threads, 60000)
        for threads in (64, 256, 1024)
    ]
    all_threads = properties["multiProcessorCount"] * properties["maxThreadsPerMultiProcessor"]
    assert run.output == f"{right.num_regs} 396 {' '.join(map(str, held))} 0 {all_threads}"


@pytest.mark.gpu
def test_a_mistake_of_the_host_is_named_on_a_gpu_too():
    with pytest.raises(KernelError, match="is memory of the GPU"):
        Program("int main() { int* d; cudaMalloc(&d, 4); return *d; }").run()
