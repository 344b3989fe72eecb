"""What the launches of a training step cost, and how copies overlap with kernels, on a GPU. Lesson 08.

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
from nnlib.ops.recording import KernelNode
from nnlib.optimizers import SGD
from nnlib.training.replay.captured_step import CapturedStep
from nnlib.training.replay.graph import capture
from nnlib.training.replay.recorded_step import Epoch

from .timing import need_gpu, reference_network, store

BATCH = 64
STEPS = 1 << 18  # of the epoch: timing repeats the step more often than an epoch has steps
STREAMED = (2048, 1, 28, 28)  # a batch of the timeline: large, so that copies can be seen


def calls() -> list[KernelNode]:
    """The launches of a step on random images, without the one that fetches the batch; its learning rates are zero."""
    xp, model = device.xp, reference_network().to("gpu")
    epoch = Epoch(BATCH * STEPS, BATCH, xp.zeros)
    step = CapturedStep(
        model, CrossEntropyLoss(), SGD(model, 0.1), (1, 28, 28), BATCH, epoch, xp.zeros
    )
    phase, _ = step.phases
    phase.x[:] = xp.random.random(phase.x.size, dtype=xp.float32)
    phase.labels[:], epoch.clock[3] = xp.arange(BATCH) % 10, BATCH
    launches = [*phase.forward, *phase.backward]
    for call in launches:
        call()
    return launches


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
    need_gpu()
    step = calls()
    results = {"batch": BATCH, "launch": launch_costs(step), "streaming": streaming()}
    print(results["launch"])
    for row in results["streaming"]:
        print(f"{row['buffers']} buffers: {row['work'][-1][3]:.2f} ms for {row['batches']} batches")
    store("timeline", results)


if __name__ == "__main__":
    main()
