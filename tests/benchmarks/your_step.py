"""Lesson 08's path on a GPU: the training step on the student's pieces, the slowest one replaced again and again.

    python -m tests.benchmarks.your_step

Begins with the course's plain text of every piece, as a student who has written the first version that is right; ends
with fused kernels in a CUDA graph. MNIST, the reference network, batch 64, SGD. About three minutes; writes
results/your_step.json, which lesson 08 shows on machines without a GPU.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from nnlib import datasets, device, mine, ops
from nnlib.course.steps import launches, plan_of, slower
from nnlib.losses import CrossEntropyLoss
from nnlib.mine import folder, library
from nnlib.optimizers import SGD
from nnlib.training.eager import EagerSteps, Steps
from nnlib.training.evaluation import evaluate
from nnlib.training.graph import capture
from nnlib.training.graph_plan import Call
from nnlib.training.mine_graph import MineSteps
from nnlib.training.schedules import cosine

from .timeline import host_seconds
from .timing import interleaved, store
from .train import reference_network
from .train_gpu import epochs_of

BATCH, EPOCHS, RATE, FEW = 64, 5, 0.1, 6400
TYPED = Path(__file__).parents[1] / "mine" / "typed"
FUSED = ("conv_relu", "conv_relu_pool")


@contextmanager
def own_folder() -> Iterator[None]:
    """A library that is empty, and forgotten afterwards."""
    before = os.environ.get("NNLIB_MINE")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NNLIB_MINE"] = folder
        for kept in (library._running, library._unsaved, library._launches):
            kept.clear()
        try:
            yield
        finally:
            os.environ.pop("NNLIB_MINE") if before is None else os.environ.update(NNLIB_MINE=before)


def put(name: str, text: str) -> None:
    verdict = mine.judge(mine.PIECES[name], text)
    assert verdict.solved, verdict
    mine.save(name, verdict, text)


def step_calls() -> dict[str, Call]:
    return launches(plan_of(reference_network().to("gpu"), BATCH), rate=0.0)


def stage(replaced: str | None) -> dict[str, Any]:
    """The step as the library has it now: seconds of every launch, of all in a graph, of all launched one by one."""
    calls = step_calls()

    def everything() -> None:
        for call in calls.values():
            call()

    everything()
    times = {name: timing.median for name, timing in interleaved(calls, rounds=5).items()}
    stream = device.xp.cuda.Stream(non_blocking=True)
    ten = capture(stream, lambda: [everything() for _ in range(10)])
    row = {"replaced": replaced, "launches": len(calls), "kernels": times,
           "one_by_one": host_seconds(everything, 50),
           "graph": host_seconds(lambda: ten.launch(stream), 10) / 10}
    print(f"{replaced or 'plain texts':22} {len(calls)} launches, {1e6 * sum(times.values()):9.1f} µs of kernels, "
          f"{1e6 * row['one_by_one']:9.1f} µs one by one, {1e6 * row['graph']:9.1f} µs in a graph", flush=True)
    return row


def slowest(row: dict[str, Any], candidates: list[str]) -> str:
    """The piece among the candidates that takes most of the step, all its launches together."""
    spent: Counter[str] = Counter()
    for name, seconds in row["kernels"].items():
        spent[name.split(" ")[0].strip(",")] += seconds
    return max(candidates, key=lambda name: spent[name])


def path() -> list[dict[str, Any]]:
    """The stages; what made its piece slower is taken back in the next one ("kept" is False)."""
    rows = [stage(None)]
    left = [name for name, piece in mine.PIECES.items() if piece.best != piece.plain and name not in FUSED
            and name != "momentum_step"]
    while left:
        name = slowest(rows[-1], left)
        left.remove(name)
        put(name, mine.PIECES[name].best)
        row = stage(name)
        row["kept"] = name not in slower([rows[-1], row])
        if not row["kept"]:
            print(f"{name} is taken back")
            folder.path(mine.PIECES[name]).unlink()  # the plain text runs again
        rows.append(row)
    for name in FUSED:
        put(name, mine.PIECES[name].best)
        rows.append(stage(name) | {"kept": True})
    return rows


def training(kind: type[EagerSteps] | type[MineSteps], data: datasets.Dataset, whole: bool) -> dict[str, Any]:
    """Five epochs, or from a part of one how long they would take."""
    model = reference_network().to("gpu")
    few = data.train if whole else data.train[:FEW]
    with ops.engine("mine"):
        optimizer = SGD(model, RATE)
        steps: Steps = kind(model, CrossEntropyLoss(), optimizer, few.beside(model.parameters), BATCH)
        if not whole:
            epochs_of(steps, len(few), BATCH, 1, RATE, 0)
            seconds = epochs_of(steps, len(few), BATCH, 3, RATE, 0)
            factor = EPOCHS * len(data.train) / len(few)
            return {"seconds": float(np.median(seconds)) * factor, "scaled_from_examples": len(few)}
        total = sum(epochs_of(steps, len(few), BATCH, EPOCHS, RATE, 0, cosine))
        mine.forget_launches()
        accuracy = evaluate(model, CrossEntropyLoss(), data.test.beside(model.parameters)).accuracy
        return {"seconds": total, "test_accuracy": [round(accuracy, 4)]}


def versions() -> dict[str, dict[str, float]]:
    """The rungs that the lesson shows as text, for the second convolution and a batch of 64, in seconds."""
    def text(name: str) -> str:
        return (TYPED / name).read_text("utf-8")

    forward, weight = mine.PIECES["conv_forward"], mine.PIECES["conv_grad_weight"]
    rungs = {"conv_forward": {"a thread per output": forward.plain,
                              "shared memory": text("08/conv_shared.cu").replace("conv_shared", "conv_forward"),
                              "register tiles": text("08/conv_forward.cu"), "best known": forward.best},
             "conv_grad_weight": {"a thread per weight": weight.plain, "a warp per weight": text("conv_grad_weight.cu"),
                                  "best known": weight.best}}
    rows = {}
    for piece, texts in rungs.items():
        calls = {}
        for name, code in texts.items():
            put(piece, code)
            calls[name] = step_calls()[f"{piece} 16→32"]
        rows[piece] = {name: timing.median for name, timing in interleaved(calls, rounds=9).items()}
        print(piece, {name: f"{1e6 * seconds:.1f} µs" for name, seconds in rows[piece].items()}, flush=True)
    return rows


def blocks() -> dict[str, float]:
    """The plain convolution 16→32 with blocks of 32 to 1024 threads."""
    calls, plain = {}, mine.PIECES["conv_forward"].plain
    for threads in (32, 64, 96, 128, 192, 256, 384, 512, 768, 1024):
        put("conv_forward", plain.replace("+ 255) / 256, 256", f"+ {threads - 1}) / {threads}, {threads}"))
        calls[str(threads)] = step_calls()["conv_forward 16→32"]
    return {name: timing.median for name, timing in interleaved(calls, rounds=9).items()}


def timed(name: str, work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    start = time.perf_counter()
    row = work()
    print(f"{name:28} {row['seconds']:8.3f} s {row.get('test_accuracy', '')}, took "
          f"{time.perf_counter() - start:.0f} s", flush=True)
    return row


def main() -> None:
    if not device.has_gpu():
        raise SystemExit(f"this benchmark needs an NVIDIA GPU: {device.find().reason}")
    data = datasets.load("mnist", download=False).normalised()
    trained = {}
    with own_folder():
        trained["plain texts, step by step"] = timed("plain", lambda: training(EagerSteps, data, False))
        trained["plain texts, CUDA graph"] = timed("plain, graph", lambda: training(MineSteps, data, False))
        rows = path()
        trained["fast texts, step by step"] = timed("fast", lambda: training(EagerSteps, data, False))
        trained["fast texts, fused, CUDA graph"] = timed("fast, graph", lambda: training(MineSteps, data, True))
    with own_folder():
        rungs = versions()
    with own_folder():
        sizes = blocks()
    print({name: f"{1e6 * seconds:.1f} µs" for name, seconds in sizes.items()})
    store("your_step", {"batch": BATCH, "epochs": EPOCHS, "path": rows, "training": trained, "versions": rungs,
                        "blocks": sizes})


if __name__ == "__main__":
    main()
