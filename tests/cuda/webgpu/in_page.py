"""Runs in a page and, for comparison, outside of one: prints the losses of a small network, and a fault's report."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from nnlib import ops
from nnlib.cuda import KernelError, RawKernel, webgpu
from nnlib.cuda._engine.webgpu import page_target, policy
from nnlib.cuda._engine.webgpu.session import Session
from nnlib.datasets import Examples
from nnlib.layers import Conv2d, Flatten, Linear, MaxPool2d, ReLU
from nnlib.losses import CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.optimizers import SGD
from nnlib.training import fit

WIDE = """extern "C" __global__ void f(float* x, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    x[i] += 1;
}"""


def losses() -> list[float]:
    """Train two epochs of five full batches and a smaller one; the first of each size is checked in the simulator."""
    rng = np.random.default_rng(0)
    data = Examples(
        rng.integers(0, 256, (84, 1, 8, 8), np.uint8),
        rng.integers(0, 4, 84).astype(np.uint8),
        mean=0.5,
        std=0.25,
    )
    model = Sequential(Conv2d(1, 3, 3), ReLU(), MaxPool2d(2), Flatten(), Linear(27, 4))
    model.parameters[...] = np.random.default_rng(1).normal(0, 0.1, model.parameters.size)
    with ops.engine("mine"):
        loss, optimizer = CrossEntropyLoss(), SGD(model, 0.1)
        history = fit(model, loss, optimizer, data, epochs=2, batch_size=16, progress=None)
    return list(map(float, history.train_loss))


def report() -> str:
    """Return what is said of a thread that writes behind an array, and whether the array is as it was."""
    x = np.zeros(100, np.float32)
    try:
        with webgpu("required"):
            RawKernel(WIDE, "f")(2, 64, (x, 100))
    except KernelError as error:
        return f"{error} {x.sum():g}"
    return ""


def found() -> dict[str, Any]:
    """Return the losses, how many steps went to the GPU, and the report."""
    submit, steps = Session.submit, []

    def counted(session: Session) -> None:
        steps.append(session)
        submit(session)

    Session.submit = counted  # type: ignore[method-assign, assignment]
    try:
        trained = losses()
    finally:
        Session.submit = submit  # type: ignore[method-assign]
    return {"losses": trained, "steps": len(steps), "report": report()}


async def as_a_task() -> str:
    """Return the same as `text`, as JupyterLite runs a cell: in a task, and nobody opened the page's GPU before."""
    page_target._opened.clear()
    policy._device.cache_clear()
    return text()


def text() -> str:
    """Return what was found as JSON."""
    return json.dumps(found())
