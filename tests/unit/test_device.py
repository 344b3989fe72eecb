"""nnlib.device: whatever is missing, the lessons run on the CPU and say what to type for the GPU."""

import sys
import types

import numpy as np
import pytest

import nnlib
from nnlib import device
from nnlib.cuda._engine import device as machine
from nnlib.cuda._engine.device import find_gpu
from nnlib.cuda._engine.native import policy
from nnlib.support import browser


@pytest.fixture(autouse=True)
def look_again(monkeypatch, environ):
    monkeypatch.setattr(device, "find", find_gpu)
    monkeypatch.setattr(machine, "find_gpu", find_gpu)  # which conftest.py hides, as it hides GPUs
    environ(CUDA_VISIBLE_DEVICES=None)
    find_gpu.cache_clear()
    yield
    find_gpu.cache_clear()


def fake_cupy(stand_in, *, available=True, launch_error=None, result=1):
    """A stand-in for CuPy on a machine in a given state."""

    class RawKernel:
        def __init__(self, source, name):
            pass

        def __call__(self, grid, block, args):
            if launch_error:
                raise launch_error
            args[0][0] = result

    runtime = types.SimpleNamespace(
        getDeviceProperties=lambda i: {"name": b"Test GPU"}, runtimeGetVersion=lambda: 12080
    )
    cuda = types.SimpleNamespace(runtime=runtime, Device=lambda: types.SimpleNamespace(id=0))
    cupy = types.SimpleNamespace(
        is_available=lambda: available,
        RawKernel=RawKernel,
        zeros=np.zeros,
        cuda=cuda,
        __version__="14.2.0",
    )
    stand_in("cupy", cupy)


@pytest.fixture
def driver(tmp_path, environ):
    """Makes an nvidia-smi that says this and leaves a file behind; before, there is none."""
    environ(PATH=tmp_path)

    def made(version, status=0):
        program = tmp_path / "nvidia-smi"
        program.write_text(f"#!/bin/sh\n: > {tmp_path}/asked\necho '{version}'\nexit {status}\n")
        program.chmod(0o755)

    return made


def test_a_working_gpu_is_used(driver, capsys, stand_in):
    fake_cupy(stand_in)
    driver("570.1\n570.1")  # of two cards
    assert device.has_gpu()
    assert device.xp.is_available()
    device.report()
    assert (
        "Kernels run on: Test GPU (driver 570.1, CUDA 12.8, CuPy 14.2.0)" in capsys.readouterr().out
    )


@pytest.mark.parametrize(
    ("state", "said", "reason", "remedy"),
    [
        ({"available": False}, (), "no NVIDIA driver", "install its driver"),
        ({"available": False}, ("failed", 9), "no NVIDIA driver", "install its driver"),
        ({"available": False}, ("450.1",), "450.1 is too old", "update the driver"),
        (
            {"launch_error": RuntimeError("libnvrtc.so.12 not found\nmore")},
            ("570.1",),
            "libnvrtc.so.12 not found",
            "cupy-cuda12x[ctk]",
        ),
        ({"result": 0}, ("570.1",), "wrote nothing", "cupy-cuda12x[ctk]"),
    ],
)
def test_a_gpu_that_cannot_be_used_is_explained(
    driver, capsys, state, said, reason, remedy, stand_in
):
    fake_cupy(stand_in, **state)
    if said:
        driver(*said)
    assert not device.has_gpu()
    assert device.xp is np
    device.report()
    out = capsys.readouterr().out
    assert reason in out and remedy in out
    assert len(out.splitlines()) == 3


def test_where_every_gpu_is_hidden_nobody_waits_for_cupy(driver, tmp_path, environ, stand_in):
    driver("570.1")
    environ(CUDA_VISIBLE_DEVICES="")
    stand_in("cupy")  # importing it is an error
    assert device.find().reason == "CUDA_VISIBLE_DEVICES hides every GPU"
    assert not (tmp_path / "asked").exists()


@pytest.mark.parametrize(
    ("version", "system", "reason"),
    [
        ("570.1", "Linux", "driver 570.1 found, but not CuPy"),
        (None, "Linux", "no NVIDIA driver"),
        (None, "Darwin", "macOS"),
    ],
)
def test_without_cupy(monkeypatch, driver, version, system, reason, stand_in):
    stand_in("cupy")
    monkeypatch.setattr("platform.system", lambda: system)
    if version:
        driver(version)
    found = device.find()
    assert found.name is None and reason in found.reason


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("libcudart.so.12: wrong ELF class\nmore", "(libcudart.so.12: wrong ELF class)"),
        ("x" * 121, f"({'x' * 120})"),
        (" \n ", "(OSError)"),
    ],
)
def test_a_broken_cupy_does_not_take_the_lessons_down(monkeypatch, tmp_path, message, said):
    (tmp_path / "cupy.py").write_text(f"raise OSError({message!r})")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "cupy", raising=False)
    assert said in device.find().reason


def test_arrays_travel_unchanged_on_the_cpu(stand_in):
    fake_cupy(stand_in, available=False)
    x = np.arange(6, dtype=np.float32)
    assert device.to_device(x) is x
    assert device.to_host(x) is x
    assert device.array_module(x) is np


def test_where_an_array_is_its_type_tells():
    """CuPy needs longer to describe an array than to launch a kernel; PyTorch's tensors differ, and are asked."""

    class OnTheGPU:
        flags = None

        @property
        def __cuda_array_interface__(self):
            raise AssertionError("asked")

    class TensorOnTheCPU:
        @property
        def __cuda_array_interface__(self):
            raise AttributeError("a CPU tensor has none")

    assert device.is_device_array(OnTheGPU())
    assert not device.is_device_array(TensorOnTheCPU()) and not device.is_device_array(np.zeros(1))


FASTER = "To run faster:  pip install llvmlite"


@pytest.mark.parametrize(
    ("engine", "here", "said"),
    [
        ("LLVM", False, ["Unchecked runs: LLVM"]),
        ("WebAssembly", True, ["Unchecked runs: WebAssembly"]),
        ("WebAssembly (wasmtime)", False, ["Unchecked runs: WebAssembly (wasmtime)", FASTER]),
        ("", False, ["Unchecked runs: the simulator", FASTER]),
    ],
)
def test_without_a_gpu_the_report_says_what_to_type_for_the_fastest_engine(
    monkeypatch, capsys, engine, here, said, stand_in
):
    fake_cupy(stand_in, available=False)
    monkeypatch.setattr(
        policy, "engine", lambda: types.SimpleNamespace(name=engine) if engine else None
    )
    monkeypatch.setattr(browser, "HERE", here)
    nnlib.report()
    assert capsys.readouterr().out.splitlines()[3:] == said


def test_another_gpu_is_named_with_what_reaches_it(monkeypatch, capsys, stand_in):
    fake_cupy(stand_in, available=False)
    monkeypatch.setattr(device, "webgpu_device", lambda: "Apple M2 (WebGPU)")
    device.report()
    said = "Kernels run on: Apple M2 (WebGPU); checked by the simulator first.\n"
    assert capsys.readouterr().out == said
