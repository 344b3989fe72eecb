"""The GPT of lesson 10: its loss beside PyTorch's, its step on whatever is here, and attention beside PyTorch's.

    python -m tests.benchmarks.gpt [losses|steps|attention …] [--torch PYTHON]

losses: ten epochs of names, ours and PyTorch's from the same weights in the same order, on the CPU. steps: milliseconds
of one training step, a row for each way that works here; rows of other machines stay. attention: the forward pass beside
scaled_dot_product_attention on a GPU. --torch: an interpreter with PyTorch, if this one has none. Stores
results/gpt.json. A few minutes.
"""

from __future__ import annotations

import argparse
import functools
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from nnlib import datasets, device, mine, ops
from nnlib.course.timing import RESULTS, recorded
from nnlib.cuda import can_replay, webgpu, webgpu_device
from nnlib.layers import (
    GELU,
    CausalSelfAttention,
    Embedding,
    Linear,
    PositionalEmbedding,
    Residual,
    RMSNorm,
)
from nnlib.losses import CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.optimizers import AdamW
from nnlib.training import fit

from .timing import environment, interleaved, store

EPOCHS, BATCH, RATE = 10, 32, 3e-3
E, HEADS, T = 32, 4, 16
STEPS = 8  # of an epoch that is timed
LENGTHS, HEAD = (1024, 2048), 64


def network(V: int) -> Sequential:
    """Return the lesson's GPT of one block."""
    return Sequential(
        Embedding(V, E),
        PositionalEmbedding(T, E),
        Residual(RMSNorm(E), CausalSelfAttention(E, HEADS)),
        Residual(RMSNorm(E), Linear(E, 4 * E), GELU(), Linear(4 * E, E)),
        RMSNorm(E),
        Linear(E, V),
    )


def trained(epochs: int, examples: int = 0, graph: bool = False) -> Any:
    """Train with the current engine, perhaps as a CUDA graph; return the history."""
    data = datasets.load("names")
    model = network(len(data.classes)).to("gpu" if device.has_gpu() else "cpu")
    train, valid = (data.train[:examples], data.test[:1]) if examples else (data.train, data.test)
    return fit(
        model,
        CrossEntropyLoss(),
        AdamW(model, lr=RATE),
        train,
        valid,
        epochs=epochs,
        batch_size=BATCH,
        graph=graph,
        progress=None,
    )


def losses(torch: str) -> dict[str, Any]:
    """Return the loss on the test part behind every epoch, ours and PyTorch's, and how many steps these were."""
    data = datasets.load("names")
    V = len(data.classes)
    orders = [datasets.shuffled(len(data.train), 0, epoch) for epoch in range(EPOCHS)]
    with tempfile.TemporaryDirectory() as folder:
        start = Path(folder) / "start.npz"
        np.savez(
            start,
            parameters=device.to_host(network(V).parameters),
            x=data.train.inputs,
            y=data.train.labels,
            test_x=data.test.inputs,
            test_y=data.test.labels,
            orders=orders,
        )
        script = Path(__file__).with_name("pytorch_gpt.py")
        told = subprocess.run(
            [torch, script, start, str(BATCH), str(RATE)],
            check=True,
            capture_output=True,
            text=True,
        )
    with ops.engine("arrays"):
        history = trained(EPOCHS)
    found = {"nnlib": history.valid_loss, **json.loads(told.stdout)}
    print({name: found[name][-1] for name in ("nnlib", "pytorch")})
    return {
        "validation": {
            name: [round(loss, 4) for loss in found[name]] for name in ("nnlib", "pytorch")
        },
        "optimizer_steps": EPOCHS * -(-len(data.train) // BATCH),
        "torch": found["torch"],
    }


def ways() -> Iterator[tuple[str, AbstractContextManager[Any], str, bool]]:
    """Yield each way to train on this machine: name, versions of the library's kernels, engine, whether as a graph."""
    where = environment()
    if device.has_gpu():
        gpu = where["gpu"]
        yield f"plain kernels on an {gpu}", mine.plain_versions(), "mine", False
        yield f"best kernels on an {gpu}", mine.best_versions(), "mine", False
        yield f"plain kernels as a graph on an {gpu}", mine.plain_versions(), "mine", True
        yield f"best kernels as a graph on an {gpu}", mine.best_versions(), "mine", True
        return
    yield "NumPy on the CPU", nullcontext(), "arrays", False
    yield "plain kernels as native code on the CPU", mine.plain_versions(), "mine", False
    if can_replay():
        name = f"plain kernels through WebGPU on {webgpu_device()}"
        yield name, mine.plain_versions(), "mine", True


def steps() -> list[dict[str, Any]]:
    """Return the milliseconds of a step in the fastest epoch, in which nothing is compiled or recorded any more."""
    rows = []
    for name, versions, engine, graph in ways():
        with webgpu("WebGPU" in name), versions, ops.engine(engine):
            seconds = min(trained(EPOCHS, STEPS * BATCH, graph).seconds)
        rows.append({"where": name, "milliseconds": round(1e3 * seconds / STEPS, 3), **_machine()})
        print(rows[-1], flush=True)
    return rows


def _machine() -> dict[str, str]:
    told = environment()
    return {key: told[key] for key in ("date", "gpu", "cpu") if key in told}


def attention() -> list[dict[str, Any]]:
    """Return the milliseconds of the forward pass, ours and PyTorch's in float32 without TF32, N = 8 and 12 heads."""
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    torch.backends.cuda.matmul.allow_tf32 = False
    rows = []
    for length in LENGTHS:
        shape = 8, length, 3 * 12 * HEAD
        qkv = device.xp.random.default_rng(0).standard_normal(shape, dtype=np.float32)
        parts = torch.from_dlpack(qkv).view(8, length, 3, 12, HEAD).permute(2, 0, 3, 1, 4)
        q, k, v = (part.contiguous() for part in parts)
        calls: dict[str, Callable[[], Any]] = {
            "nnlib": functools.partial(ops.attention, qkv, 12),
            "pytorch": functools.partial(scaled_dot_product_attention, q, k, v, is_causal=True),
        }
        stream = device.xp.cuda.Stream(non_blocking=True)  # the same for both, as events see one
        device.synchronize()
        with (
            stream,
            torch.cuda.stream(torch.cuda.ExternalStream(stream.ptr)),
            ops.engine("kernels"),
        ):
            ours = calls["nnlib"]()[0].reshape(8, length, 12, HEAD)
            theirs = device.xp.from_dlpack(calls["pytorch"]().transpose(1, 2).contiguous())
            found = interleaved(calls)
        row = {name: round(1e3 * timing.median, 4) for name, timing in found.items()}
        error = float(abs(ours - theirs).max())
        rows.append({"T": length, "D": HEAD, "error": error, "milliseconds": row, **_machine()})
        print(rows[-1], flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", choices=["losses", "steps", "attention", []])
    parser.add_argument("--torch", default=sys.executable, metavar="PYTHON")
    arguments = parser.parse_args()
    parts = arguments.parts or ["losses", "steps"]
    kept: dict[str, Any] = recorded("gpt") if (RESULTS / "gpt.json").exists() else {"steps": []}
    kept.pop("environment", None)
    if "losses" in parts:
        kept |= losses(arguments.torch)
    if "steps" in parts:
        new = steps()
        names = {row["where"] for row in new}
        kept["steps"] = [row for row in kept["steps"] if row["where"] not in names] + new
    if "attention" in parts:
        kept["attention"] = attention()
    store("gpt", kept)


if __name__ == "__main__":
    main()
