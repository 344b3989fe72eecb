"""What a program asks of CuPy, told by a stand-in: memory, copies, kernels. On a GPU: test_programs.py."""

import ctypes
import os
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from nnlib.cuda import KernelError, Program
from nnlib.cuda._engine.gpu import cupy_module
from nnlib.cuda._engine.host.runtime.address_space import AddressSpace, Allocation
from nnlib.cuda._engine.host.runtime.gpu_device import GpuDevice
from nnlib.cuda._engine.simulator import LaunchOptions

ONE = LaunchOptions((1, 1, 1), (1, 1, 1))
TEXT = r"""struct Pair { float a; int* p; int b; };
__global__ void first(int* x) { x[0]++; }
__global__ void first(float x) { }
extern "C" __global__ void said(int n) { printf("%d\n", n); }
template <class T> __global__ void of(T* x) { *x = 0; }
__global__ void pair(Pair p) { p.p[0] = 1; }
__global__ void deep(int** x) { }
__device__ float weights[3];
int main() { first<<<1, 1>>>(2.0f); WAY; }
"""


class Bytes:
    """A stand-in for cupy.ndarray."""

    def __init__(self, content):
        self.content, self.data = content, SimpleNamespace(ptr=content.ctypes.data)

    def __getitem__(self, part):
        return Bytes(self.content[part])

    def __setitem__(self, part, value):
        self.content[part] = value.content

    def copy(self):
        return Bytes(self.content.copy())

    def get(self):
        return self.content.copy()

    def set(self, values):
        assert values.flags.c_contiguous
        self.content[:] = values


@pytest.fixture
def device(stand_in):
    asked, events = [], []

    def memory(kind):
        def make(size):
            asked.append((kind, size))
            made = np.full(size, 7, np.uint8)
            return SimpleNamespace(ptr=made.ctypes.data, made=made)

        return make

    class Event:
        def record(self):
            events.append("record")

        def synchronize(self):
            events.append("wait")

    cuda = SimpleNamespace(
        Device=lambda: SimpleNamespace(synchronize=lambda: events.append("wait for all")),
        malloc_managed=memory("managed"),
        alloc_pinned_memory=memory("pinned"),
        Event=Event,
        get_elapsed_time=lambda begin, end: 4.0,
        runtime=SimpleNamespace(
            getDeviceProperties=lambda number: {
                "name": b"GPU",
                "uuid": b"\x9e\xff",
                "major": 9,
                "number": number,
            }
        ),
    )
    stand_in(
        "cupy",
        SimpleNamespace(
            cuda=cuda, uint8=np.uint8, zeros=lambda size, dtype: Bytes(np.zeros(size, dtype))
        ),
    )
    made = device_of()
    made.asked, made.events = asked, events
    return made


def device_of(
    way="cudaLaunchKernel((void*)said, dim3(1), dim3(1), NULL, 0, 0)", options=("-DN=1",)
):
    made = GpuDevice(Program(TEXT.replace("WAY", way))._program, options)
    made.connect(AddressSpace(), SimpleNamespace(unseen=[]), False)
    return made


PAIR = np.dtype(
    {"names": ["a", "p", "b"], "formats": ["f4", "i8", "i4"], "offsets": [0, 8, 16], "itemsize": 24}
)


@pytest.fixture
def compiled(monkeypatch):
    """compiled(compile) is called in the place of NVRTC."""

    def through(compile_module):
        monkeypatch.setattr(cupy_module, "compile_module", compile_module)

    return through


@pytest.fixture
def asked(compiled):
    """What NVRTC and the driver are asked for; each kernel prints 4, the one with printf by the C library."""
    asked = []

    class Function:
        shared_size_bytes = 0

        def __init__(self, name):
            self.name = name

        def __call__(self, grid, block, values, shared_mem):
            asked.append((self.name, grid, block, values, shared_mem))
            print_four = ctypes.CDLL(None).printf if self.name == "said" else partial(os.write, 1)
            print_four(b"4\n")

    compiled(
        lambda text, build: asked.append((text, build)) or SimpleNamespace(get_function=Function)
    )
    return asked


def test_each_kind_of_memory(device):
    for side in ("managed", "pinned"):
        for size in (5, 1, 0):
            data = device.allocate(side, size)
            assert (
                isinstance(data, np.ndarray)
                and data.dtype == np.uint8
                and data.tolist() == [0] * size
            )
            assert device._kept[-1].made[:size].tolist() == data.tolist()
        assert device.asked[-3:] == [(side, 5), (side, 1), (side, 1)]
    assert device.allocate("device", 3).content.tolist() == [0, 0, 0] and len(device.asked) == 6


def test_what_a_gpu_says_of_a_kernel_only_when_it_is_waited_for_is_told_in_our_words(
    device, compiled, monkeypatch, capfd
):
    def fail(work):
        raise failed

    failed = RuntimeError("cudaErrorAssert")
    failed.status = 710
    compiled(lambda text, build: SimpleNamespace(get_function=lambda name: 0))
    monkeypatch.setattr(device, "timed", fail)
    with pytest.raises(KernelError, match="first: .* failed an assert.* restart it") as caught:
        device.launch(device.program.functions["first"], ONE, [None])
    assert caught.value.kernel == "first"
    os.write(1, b"after")
    assert capfd.readouterr().out == "after"


@pytest.mark.parametrize("from_gpu", [False, True])
@pytest.mark.parametrize("to_gpu", [False, True])
def test_copies_between_host_and_gpu(device, to_gpu, from_gpu):
    source, target = np.arange(10, 16, dtype=np.uint8), np.zeros(5, np.uint8)
    device.copy(Bytes(target) if to_gpu else target, 1, Bytes(source) if from_gpu else source, 2, 3)
    assert target.tolist() == [0, 12, 13, 14, 0]
    if to_gpu == from_gpu:
        both = Bytes(source) if to_gpu else source
        device.copy(both, 1, both, 0, 4)
        assert source.tolist() == [10, 10, 11, 12, 13, 15]


@pytest.mark.skipif(os.name == "nt", reason="the C library of the process is asked")
def test_what_nvrtc_and_the_driver_are_asked_for(device, asked, compiled, capfd):
    kernels = device.program.functions
    data = np.zeros(8, np.uint8)
    one = Allocation(16, "x", "managed", 8, data, 1, written=np.zeros(8, bool))
    assert (
        device.launch(kernels["first"], LaunchOptions((2, 1, 1), (32, 1, 1), 8), [(one, 4)])
        == 0.004
    )
    assert one.written is None and device.events == ["record", "record", "wait"]
    assert asked[1] == ("(void (*)(int*))first", (2, 1, 1), (32, 1, 1), (data.ctypes.data + 4,), 8)
    device.launch(kernels["first#2"], ONE, [2.5])
    assert asked[2] == ("(void (*)(float))first", (1, 1, 1), (1, 1, 1), (2.5,), 0)
    assert (device.output.unseen, capfd.readouterr().out) == ([], "4\n4\n")
    device.launch(kernels["said"], ONE, [4])
    os.write(1, b"after\n")  # printf of kernels went to the program, what follows goes where it did
    assert (device.output.unseen, capfd.readouterr().out) == (["4\n"], "after\n")
    held = device.heap.allocate("y", 8, "managed", 1, data)
    pair = np.array(
        (1.5, held.address, 3),
        PAIR,
    )
    held.written = np.zeros(8, bool)
    device.launch(kernels["pair"], ONE, [pair])
    assert held.written is None  # through the pointer in the struct
    text, build = asked[0]
    assert len(asked) == 5 and "main" not in text and "void said(int n)" in text
    assert build.options == ("-DN=1",) and not build.enable_cooperative_groups
    assert set(build.name_expressions) >= {
        "(void (*)(int*))first",
        "(void (*)(float))first",
        "pair",
    }
    assert not {"said", "main"} & set(build.name_expressions)
    assert device_of(
        "cudaLaunchCooperativeKernel((void*)said, dim3(1), dim3(1), NULL, 0, 0)"
    ).module
    assert asked[-1][1].enable_cooperative_groups

    def refuses(text, build):
        raise cupy_module.CompileError(None, "out of memory")

    compiled(refuses)
    with pytest.raises(KernelError, match=r"^NVRTC refuses the program's kernels: out of memory$"):
        device_of().module  # noqa: B018


def test_variables_and_properties(device, compiled, monkeypatch):
    compiled(lambda text, build: "module")
    monkeypatch.setattr(cupy_module, "get_global", lambda *given: given)
    assert device.variable("weights") == ("module", "weights", (12,), np.dtype(np.uint8))
    assert device.properties() == {"name": "GPU", "uuid": b"\x9e\xff", "major": 9, "number": 0}
    device.synchronize()
    assert device.events == ["wait for all"]


def test_pointers_are_addresses_for_a_gpu(device, asked):
    """A null pointer is 0, any other one its place, also in a struct."""

    def passed(kernel, argument):
        device.launch(device.program.functions[kernel], ONE, [argument])
        return asked[-1][3][0]

    data = np.zeros(8, np.uint8)
    one = Allocation(16, "x", "managed", 8, data, 1, written=np.zeros(8, bool))
    null = passed("first", None)
    assert null == 0 and type(null) is np.uint64
    held = Allocation(17, "y", "device", 8, Bytes(data), 1)
    assert passed("first", (held, 3)) == data.ctypes.data + 3
    with pytest.raises(
        KernelError, match="x leads to pointers that are kept in memory of the GPU"
    ) as caught:
        passed("deep", (one, 0))
    assert "force_simulator" in caught.value.hint
    memory = device.heap
    for side, known in (("managed", True), ("malloc", False), ("pinned", False)):
        one = memory.allocate("x", 8, side, 1, data)
        one.written = np.zeros(8, bool)
        if side == "pinned":
            memory.release(one, 1)
        value = passed("pair", np.array((1.5, one.address + 4, 3), PAIR))
        place = data.ctypes.data + 4 if known else one.address + 4
        assert (value["a"], value["b"], value["p"]) == (1.5, 3, place)
    assert passed("pair", np.array((1.5, 99, 3), PAIR))["p"] == 99
