"""Whole programs print what they print on a GPU, and what is wrong with them is told."""

import re

import pytest

from nnlib.cuda import (
    KernelError,
    Program,
    UnsupportedError,
    force_simulator,
)
from nnlib.cuda._engine.host import nvcc
from nnlib.cuda._engine.host.headers import headers
from nnlib.cuda._engine.host.runtime.gpu_device import GpuDevice
from nnlib.cuda._engine.language import compile_source
from nnlib.cuda._engine.language.kernel_side import device_text
from tests.cuda.host.programs import PROGRAMS
from tests.jupyter import html

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


def test_kernels_alone_are_told_that_main_is_for_programs():
    with pytest.raises(UnsupportedError, match="main"):
        from nnlib.cuda import RawModule

        RawModule("int main() { }").compile()


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
    assert html(timeline).startswith(
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
    assert "never freed: d, 12 bytes of line 3" in str(owners) and "<table>" in html(owners)


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
