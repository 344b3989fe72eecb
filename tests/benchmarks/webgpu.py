"""The same CUDA C through NVRTC and through WebGPU, on one NVIDIA card, from one run.

    python -m tests.benchmarks.webgpu [size …]

Needs a driver with Vulkan, `pip install wgpu`, and on a machine without a display Vulkan's loader and the libraries of X
that it asks for: libvulkan1 libx11-6 libxext6 libxcb1 libxau6 libxdmcp6. Stores results/webgpu.json. A few minutes.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np

import nnlib
from nnlib import device, mine
from nnlib.cuda import RawKernel, UnsupportedError, measure, on_webgpu, webgpu, webgpu_device
from nnlib.layers import Linear
from nnlib.losses import CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.optimizers import SGD
from nnlib.train import NETWORKS
from nnlib.training.replay import MineStep, capture

from .timing import store

KERNELS = Path(nnlib.__file__).with_name("kernels")
SIZES = (1024, 2048)
N = 2**25
PRODUCTS = [  # file, kernel, options, side of a block's tile, threads of a block
    ("matmul.cu", "matmul_strided", ("-DTILE=32",), 32, (32, 32)),
    ("matmul.cu", "matmul_naive", ("-DTILE=16",), 16, (16, 16)),
    ("matmul.cu", "matmul_naive", ("-DTILE=32",), 32, (32, 32)),
    ("matmul.cu", "matmul_tiled", ("-DTILE=16",), 16, (16, 16)),
    ("matmul.cu", "matmul_tiled", ("-DTILE=32",), 32, (32, 32)),
    ("matmul_registers.cu", "matmul_registers_2d", (), 128, 256),
    ("matmul_registers.cu", "matmul_float4", (), 128, 256),
]
VERSIONS: dict[str, Any] = {"plain": mine.plain_versions, "best": mine.best_versions}


def launches(sizes: list[int]) -> Iterator[tuple[str, int, RawKernel, Any, Any, tuple[Any, ...]]]:
    """Yield name, operations (or bytes), kernel, grid, block and arguments of each kernel to compare."""
    rng = np.random.default_rng(0)
    for size in sizes:
        a, b = (rng.random((size, size), np.float32) for _ in range(2))
        for file, name, options, tile, block in PRODUCTS:
            kernel = RawKernel((KERNELS / file).read_text("utf-8"), name, options)
            grid = (-(-size // tile),) * 2
            arguments = (a, b, np.zeros_like(a), size, size, size)
            yield f"{name} {tile} at {size}", 2 * size**3, kernel, grid, block, arguments
    x, y = (rng.random(N, np.float32) for _ in range(2))
    for name, blocks, more in (
        ("add", N // 256, ()),
        ("add_strided", 1024, ()),
        ("add_float4", N // 1024, ()),
    ):
        kernel = RawKernel((KERNELS / "vector.cu").read_text("utf-8"), name)
        yield name, 12 * N, kernel, blocks, 256, (x, y, np.zeros_like(x), N, *more)


def compare(sizes: list[int]) -> list[dict[str, Any]]:
    """Return a row for each kernel: what it reaches on both sides, per nanosecond, and the share of CUDA."""
    rows = []
    for name, work, kernel, grid, block, arguments in launches(sizes):
        cuda = measure(kernel, grid, block, arguments)
        with webgpu("required"):
            other = measure(kernel, grid, block, arguments)
            kernel(grid, block, arguments)
        result = arguments[2].copy()
        kernel(grid, block, arguments)
        row = {
            "kernel": name,
            "cuda": round(work / cuda.median / 1e9, 1),
            "webgpu": round(work / other.median / 1e9, 1),
            "share": round(cuda.median / other.median, 3),
            "spread": [round(t.spread / t.median, 3) for t in (cuda, other)],
            "error": float(np.abs(result - arguments[2]).max() / np.abs(arguments[2]).max()),
        }
        print(row, flush=True)
        rows.append(row)
    return rows


def _step(network: str, xp: Any, batch: int = 64) -> MineStep:
    layers = NETWORKS[network]()
    shape: tuple[int, ...] = (1, 28, 28)
    for layer in layers:
        shape = layer.output_shape(shape)
    model = Sequential(*layers, Linear(shape[0], 10)).to("cpu" if xp is np else "gpu")
    rng = np.random.default_rng(0)
    model.parameters[...] = xp.asarray(rng.normal(0, 0.05, model.parameters.size), np.float32)
    step = MineStep(
        model, CrossEntropyLoss(), SGD(model, 0.01), (1, 28, 28), batch, xp.zeros, (0.5, 0.25)
    )
    step.x[...] = xp.asarray(rng.integers(0, 256, step.x.shape), np.uint8)
    step.labels[...] = xp.asarray(rng.integers(0, 10, batch), np.int32)
    return step


def _cuda_step(network: str) -> dict[str, float]:
    """Return milliseconds of a step launched kernel by kernel, and as a CUDA graph; and its loss."""
    cupy = device.xp
    step = _step(network, cupy)
    nodes = [*step.launches, step.update(0.0)]
    for node in nodes:
        node()
    loss = float(step.losses.get().mean())
    stream = cupy.cuda.Stream(non_blocking=True)
    graph = capture(stream, *nodes)
    graph.upload(stream)

    def queued(start: Any, times: int) -> float:
        stream.synchronize()
        begin = time.perf_counter()
        for _ in range(times):
            start()
        cupy.cuda.Device().synchronize()
        return 1e3 * (time.perf_counter() - begin) / times

    def by_kernel() -> None:
        for node in nodes:
            node()

    found = {}
    for name, start in (("kernels", by_kernel), ("graph", lambda: graph.launch(stream))):
        queued(start, 3)
        found[name] = float(np.median([queued(start, 20) for _ in range(7)]))
    return {**found, "loss": loss}


def _webgpu_step(network: str) -> dict[str, float]:
    """Return milliseconds of a step, of preparing the first, and its loss."""
    step = _step(network, np)
    begin = time.perf_counter()
    with on_webgpu() as replay:
        nodes = [*step.launches, step.update(0.0)]
        ready = [replay.prepare(n.kernel, n.grid, n.block, n.args, n.shared) for n in nodes]
        first = time.perf_counter() - begin
        replay.seconds(ready, 3)
        device_times = [1e3 * replay.seconds(ready, 20) / 20 for _ in range(7)]
    return {
        "ms": float(np.median(device_times)),
        "first_s": first,
        "loss": float(step.losses.mean()),
    }


def steps(networks: tuple[str, ...] = ("small", "reference")) -> list[dict[str, Any]]:
    """Return a row for a training step of each network on plain and best kernels."""
    rows = []
    for network in networks:
        for version, chosen in VERSIONS.items():
            context: AbstractContextManager[None] = chosen()
            with context:
                row: dict[str, Any] = {"network": network, "version": version}
                try:
                    row |= {"cuda": _cuda_step(network), "webgpu": _webgpu_step(network)}
                    row["times"] = round(row["webgpu"]["ms"] / row["cuda"]["kernels"], 3)
                except UnsupportedError as error:
                    row["refused"] = str(error)
            print(row, flush=True)
            rows.append(row)
    return rows


def main(sizes: list[int]) -> None:
    if not device.has_gpu():
        raise SystemExit(f"needs an NVIDIA GPU: {device.find().reason}")
    if webgpu_device() is None:
        raise SystemExit("needs WebGPU: pip install wgpu, and a driver with Vulkan")
    print(f"{device.find().name} beside {webgpu_device()}")
    store("webgpu", {"kernels": compare(sizes or list(SIZES)), "steps": steps()})


if __name__ == "__main__":
    main(list(map(int, sys.argv[1:])))
