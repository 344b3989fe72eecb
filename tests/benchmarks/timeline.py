"""Where a training step spends its time on the GPU, what launches and copies cost, and how they overlap. Lesson 08.

    python -m tests.benchmarks.timeline

Writes results/timeline.json, from which lesson 08 draws. Random images; about a quarter of a minute.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from nnlib import device, ops
from nnlib.course.streaming import streamed
from nnlib.cuda import RawKernel
from nnlib.losses import CrossEntropyLoss
from nnlib.ops.fast.tiling import Convolution
from nnlib.ops.kernels import kernel
from nnlib.ops.recording import KernelNode
from nnlib.optimizers import SGD
from nnlib.training.replay.captured_step import CapturedStep
from nnlib.training.replay.graph import capture
from nnlib.training.replay.recorded_step import Epoch

from .timing import interleaved, store
from .train import reference_network

BATCH = 64
STEPS = 1 << 18  # of the epoch: timing repeats the step more often than an epoch has steps
LABELS = {
    "conv_forward": ["conv 1→16, ReLU", "conv 16→32, ReLU, pool"],
    "linear_cross_entropy": ["linear, loss"],
    "linear_backward_few": ["linear gradients"],
    "conv_backward_input": ["conv 16→32: dx"],
    "conv_backward_weight": ["conv 16→32: dw", "conv 1→16: dw"],
    "sgd_update": ["SGD"],
}
STREAMED = (2048, 1, 28, 28)  # a batch of the timeline: large, so that copies can be seen


def calls() -> list[KernelNode]:
    """The launches of a step on random images, without the one that fetches the batch; its learning rates are zero."""
    xp, model = device.xp, reference_network().to("gpu")
    epoch = Epoch(BATCH * STEPS, BATCH, xp.zeros)
    step = CapturedStep(
        model, CrossEntropyLoss(), SGD(model, 0.1), (1, 28, 28), BATCH, epoch, xp.zeros
    )
    turn, _ = step.turns
    turn.x[:] = xp.random.random(turn.x.size, dtype=xp.float32)
    turn.labels[:], epoch.clock[3] = xp.arange(BATCH) % 10, BATCH
    launches = [*turn.forward, *turn.backward]
    for call in launches:
        call()
    return launches


def step_times(step: list[KernelNode]) -> list[dict[str, Any]]:
    labels = {name: list(known) for name, known in LABELS.items()}
    named = {labels[call.kernel.name].pop(0): call for call in step}
    timings = interleaved(named, rounds=21)
    return [
        {
            "label": label,
            "kernel": call.kernel.name,
            "seconds": timings[label].median,
            "spread": timings[label].spread,
        }
        for label, call in named.items()
    ]


def host_seconds(work: Callable[[], Any], rounds: int) -> float:
    """Seconds of one call, host and GPU together, from many calls in a row."""
    work()
    device.synchronize()
    start = time.perf_counter()
    for _ in range(rounds):
        work()
    device.synchronize()
    return (time.perf_counter() - start) / rounds


def launch_costs(step: list[KernelNode]) -> dict[str, float]:
    empty = RawKernel('extern "C" __global__ void empty(int n) { }', "empty")
    stream = device.xp.cuda.Stream(non_blocking=True)

    def launch() -> None:
        empty((1,), (32,), (0,))

    def whole_step() -> None:
        for call in step:
            call()

    launch()
    many = capture(stream, lambda: [launch() for _ in range(200)])
    steps = capture(stream, lambda: [whole_step() for _ in range(50)])
    for graph in (many, steps):
        graph.upload(stream)
        graph.launch(stream)
    return {
        "python": host_seconds(launch, 5000),
        "graph": host_seconds(lambda: many.launch(stream), 100) / 200,
        "step_python": host_seconds(whole_step, 1000),
        "step_graph": host_seconds(lambda: steps.launch(stream), 40) / 50,
    }


def versions() -> tuple[list[dict[str, Any]], dict[str, float]]:
    """First kernels beside fast ones for the second convolution, and the ways to its weight gradient, in seconds."""
    xp, c = device.xp, Convolution(16, 26, 26, 32, 3, 3, 1, 1, 0, 0)
    x, w, dy = (
        xp.random.standard_normal(s, dtype=xp.float32)
        for s in [(BATCH, 16, 26, 26), (32, 16, 3, 3), (BATCH, 32, 24, 24)]
    )
    b, y, dx, dw = w[:, 0, 0, 0].copy(), xp.empty_like(dy), xp.empty_like(x), xp.zeros_like(w)
    sizes = (BATCH, c.C, c.H, c.W, c.F, c.OH, c.OW, 3, 3, 1, 1, 0, 0)

    def first(name: str, threads: int, *arrays: Any) -> Callable[[], None]:
        function = kernel("convolution", name)
        return lambda: function((-(-threads // 256),), (256,), (*arrays, *sizes))

    def gradients(needs_dx: bool) -> Callable[[], Any]:
        return lambda: ops.conv2d_backward(dy, x, w, needs_dx=needs_dx)

    work = {
        "forward naive": first("conv_forward_naive", y.size, x, w, b, y),
        "forward": lambda: ops.conv2d(x, w, b),
        "dx naive": first("conv_backward_input_naive", dx.size, dy, w, dx),
        "naive": first("conv_backward_weight_naive", dw.size, dy, x, dw),
        "atomic": first("conv_backward_weight_atomic", BATCH * dw.size, dy, x, dw),
        "warp": first("conv_backward_weight_warp", 32 * dw.size, dy, x, dw),
        "two stages": gradients(False),
        "dx and dw": gradients(True),
    }
    with ops.engine("kernels"):
        seconds = {name: timing.median for name, timing in interleaved(work, rounds=9).items()}
    rows = [
        {
            "what": "convolution, forward",
            "naive": seconds["forward naive"],
            "optimised": seconds["forward"],
        },
        {
            "what": "convolution, all gradients",
            "naive": seconds["dx naive"] + seconds["naive"],
            "optimised": seconds["dx and dw"],
        },
    ]
    return rows, {name: seconds[name] for name in ("naive", "atomic", "warp", "two stages")}


def copy_rates() -> dict[str, float]:
    """Bytes per second from the host to the GPU."""
    import cupyx

    size = 1 << 26
    target, pageable = device.xp.empty(size, np.uint8), np.ones(size, np.uint8)
    pinned = cupyx.empty_pinned(size, np.uint8)
    pinned[:] = 1
    return {
        name: size / host_seconds(lambda source=source: target.set(source), 10)
        for name, source in (("pageable", pageable), ("pinned", pinned))
    }


def streaming() -> list[dict[str, Any]]:
    """Timelines of the forward pass over batches from host memory, with one, two and three buffers."""
    model, rows = reference_network().to("gpu"), []
    batches = list(np.random.default_rng(0).random((8, *STREAMED), dtype=np.float32))
    with ops.engine("kernels"):
        streamed(batches, model.__call__, buffers=3)
        for buffers in (1, 2, 3):
            spans = streamed(batches, model.__call__, buffers)
            rows.append(
                {
                    "buffers": buffers,
                    "batches": len(batches),
                    "images": STREAMED[0],
                    "work": [[s.kind, s.batch, round(s.start, 4), round(s.end, 4)] for s in spans],
                }
            )
    return rows


def main() -> None:
    if not device.has_gpu():
        raise SystemExit(f"this benchmark needs an NVIDIA GPU: {device.find().reason}")
    step = calls()
    rows, weight_gradient = versions()
    results = {
        "batch": BATCH,
        "step": step_times(step),
        "launch": launch_costs(step),
        "versions": rows,
        "weight_gradient": weight_gradient,
        "copy": copy_rates(),
        "streaming": streaming(),
    }
    for row in results["step"]:
        print(f"{row['label']:24} {1e6 * row['seconds']:7.2f} µs ± {1e6 * row['spread']:.2f}")
    for name in ("launch", "versions", "weight_gradient", "copy"):
        print(name, results[name])
    for row in results["streaming"]:
        print(f"{row['buffers']} buffers: {row['work'][-1][3]:.2f} ms for {row['batches']} batches")
    store("timeline", results)


if __name__ == "__main__":
    main()
