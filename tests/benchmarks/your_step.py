"""Lesson 08's path on a GPU: the training step on the student's pieces, the slowest one replaced again and again.

    python -m tests.benchmarks.your_step

Begins with the course's plain text of every piece, as a student who has written the first version that is right. Then
the slowest piece gets its next text: first that of the lesson's workshop, then the best one known; what makes it slower
is taken back. Ends with fused kernels in a CUDA graph. MNIST, the reference network, batch 64, SGD. About two minutes;
writes results/your_step.json, which lesson 08 shows on machines without a GPU.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from nnlib import datasets, device, mine, ops
from nnlib.course.exercises.mistakes import usual_text
from nnlib.course.steps import launches, plan_of
from nnlib.losses import CrossEntropyLoss
from nnlib.mine import folder, library
from nnlib.ops.recording import KernelNode
from nnlib.optimizers import SGD
from nnlib.training.eager import EagerSteps, Steps
from nnlib.training.evaluation import evaluate
from nnlib.training.replay.graph import capture
from nnlib.training.replay.mine_graph import MineSteps
from nnlib.training.schedules import cosine
from tests.mine.answers import forget

from .pieces import solutions
from .timeline import host_seconds
from .timing import interleaved, need_gpu, reference_network, store
from .train_gpu import epochs_of

BATCH, EPOCHS, RATE, FEW = 64, 5, 0.1, 6400
TYPED = Path(__file__).parents[1] / "mine" / "typed"
FUSED = ("conv_relu", "conv_relu_pool")
SMALL = 0.02  # of the step: a piece that takes less than this is left as it is


@contextmanager
def own_folder() -> Iterator[None]:
    """A library that is empty, and forgotten afterwards."""
    before = os.environ.get("NNLIB_MINE")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NNLIB_MINE"] = folder
        forget()
        try:
            yield
        finally:
            os.environ.pop("NNLIB_MINE") if before is None else os.environ.update(NNLIB_MINE=before)


def put(name: str, text: str) -> None:
    verdict = library.judged(name, text)
    assert verdict.right, verdict  # a plain text need not do what the lesson asks for
    folder.path(mine.PIECES[name]).unlink(missing_ok=True)  # a solution replaces nobody's own
    mine.save(name, verdict, text)


def typed(name: str) -> str:
    return (TYPED / name).read_text("utf-8")


def rungs() -> dict[str, dict[str, str]]:
    """Piece -> its texts from the plain one on, as the lessons' workshops come to them; "best known" last."""
    best = {name: piece.best for name, piece in mine.PIECES.items()}
    own = {
        "conv_grad_weight": {
            "a warp per weight": usual_text(mine.PIECES["conv_grad_weight"]),
            "four filters per warp": solutions()["conv_grad_weight"][-1],
            "a block per weight": typed("08/conv_grad_weight.cu"),
        },
        "sum_columns": {"a block per column": usual_text(mine.PIECES["sum_columns"])},
        "linear_forward": {
            "tiles of 64 × 64": best["linear_forward"],
            "a warp per result": typed("08/linear_forward.cu"),
        },
        "conv_forward": {
            "shared memory": typed("08/conv_shared.cu").replace("conv_shared", "conv_forward"),
            "register tiles": typed("08/conv_forward.cu"),
        },
        "conv_grad_input": {
            "8 × 4 sums per thread": best["conv_grad_input"],
            "4 × 2 sums per thread": best["conv_grad_input"]
            .replace("#define ROWS 4", "#define ROWS 2")
            .replace("#define CHANNELS 8", "#define CHANNELS 4"),
        },
    }
    found = {}
    for name, piece in mine.PIECES.items():
        if name not in FUSED:
            found[name] = {"plain": piece.plain, **own.get(name, {})}
            if piece.best not in found[name].values():
                found[name]["best known"] = piece.best
    return found


def step_calls() -> dict[str, KernelNode]:
    return launches(plan_of(reference_network().to("gpu"), BATCH), rate=0.0)


def medians(calls: dict[str, KernelNode], rounds: int = 9) -> dict[str, float]:
    return {name: timing.median for name, timing in interleaved(calls, rounds=rounds).items()}


def stage(piece: str | None, text: str = "plain") -> dict[str, Any]:
    """The step as the library has it now: seconds of every launch, of all in a graph, of all launched one by one."""
    calls = step_calls()

    def everything() -> None:
        for call in calls.values():
            call()

    everything()
    times = medians(calls, 5)
    stream = device.xp.cuda.Stream(non_blocking=True)
    ten = capture(stream, lambda: [everything() for _ in range(10)])
    return {
        "replaced": piece,
        "text": text,
        "launches": len(calls),
        "kernels": times,
        "one_by_one": host_seconds(everything, 50),
        "graph": host_seconds(lambda: ten.launch(stream), 10) / 10,
    }


def spent(row: dict[str, Any]) -> Counter[str]:
    """Seconds of each piece, all its launches together."""
    found: Counter[str] = Counter()
    for name, seconds in row["kernels"].items():
        found[name.split()[0].strip(",")] += seconds
    return found


def kept(before: dict[str, Any], row: dict[str, Any]) -> bool:
    """Is the piece (for a fused one: the step) not slower than before, but for what one measurement differs?"""
    old, new = spent(before), spent(row)
    name = row["replaced"]
    return new[name] <= 1.02 * old[name] if name in old else new.total() <= 1.02 * old.total()


def path(data: datasets.Dataset) -> list[dict[str, Any]]:
    """The stages, each with the seconds of five epochs; what made its piece slower is taken back in the next one."""
    rows = [stage(None)]
    left = {name: list(texts.items())[1:] for name, texts in rungs().items()}
    current = {name: piece.plain for name, piece in mine.PIECES.items()}
    left |= {name: [("best known", mine.PIECES[name].best)] for name in FUSED}
    rows[0] |= {"kept": True, "five_epochs": training(MineSteps, data, False)["seconds"]}
    before = rows[0]
    while name := next_piece(before, left):
        words, text = left[name].pop(0)
        put(name, text)
        row = stage(name, words)
        row |= {
            "kept": kept(before, row),
            "five_epochs": training(MineSteps, data, False)["seconds"],
        }
        rows.append(row)
        if row["kept"]:
            before, current[name] = row, text
            continue
        put(name, current[name])
    return rows


def next_piece(row: dict[str, Any], left: dict[str, list[Any]]) -> str | None:
    """The slowest piece that has a text left and is worth it; at the end those that fuse; None when all is done."""
    times = spent(row)
    worth = [name for name, texts in left.items() if texts and times[name] >= SMALL * times.total()]
    fused = [name for name in FUSED if left[name]]
    return max(worth, key=times.__getitem__) if worth else fused[0] if fused else None


def training(
    kind: type[EagerSteps] | type[MineSteps], data: datasets.Dataset, whole: bool
) -> dict[str, Any]:
    """Five epochs, or from a part of one how long they would take."""
    model = reference_network().to("gpu")
    few = data.train if whole else data.train[:FEW]
    with ops.engine("mine"):
        optimizer = SGD(model, RATE)
        steps: Steps = kind(
            model, CrossEntropyLoss(), optimizer, few.beside(model.parameters), BATCH
        )
        if not whole:
            epochs_of(steps, len(few), BATCH, 1, RATE, 0)
            seconds = epochs_of(steps, len(few), BATCH, 3, RATE, 0)
            factor = EPOCHS * len(data.train) / len(few)
            return {"seconds": float(np.median(seconds)) * factor, "scaled_from_examples": len(few)}
        total = sum(epochs_of(steps, len(few), BATCH, EPOCHS, RATE, 0, cosine))
        mine.forget_launches()
        accuracy = evaluate(model, CrossEntropyLoss(), data.test.beside(model.parameters)).accuracy
        return {"seconds": total, "test_accuracy": [round(accuracy, 4)]}


def versions() -> tuple[dict[str, dict[str, float]], dict[str, dict[str, dict[str, Any]]]]:
    """Every text of the pieces that the lesson makes faster, for a batch of 64: seconds, and what a launch takes.

    The layer is the larger one: 16→32 of the convolutions. Of a launch: grid, block, registers per thread, and bytes
    of shared memory per block.
    """
    times, taken = {}, {}
    for names in (
        ("conv_forward 16→32",),
        ("conv_grad_weight 16→32", "conv_grad_weight 1→16"),
        ("conv_grad_input 16→32",),
        ("linear_forward 4608→10",),
    ):
        piece = names[0].split()[0]
        calls: dict[str, dict[str, KernelNode]] = {name: {} for name in names}
        texts = rungs()[piece]
        # The first sitting's, with which a path on a GPU does not begin
        if piece.startswith("conv"):
            texts["four sums per thread"] = solutions()[piece][1]
        if piece == "conv_forward":  # a stage on the way to tiles, which the path leaves out
            texts["four filters per block"] = typed("08/conv_filters.cu").replace(
                "conv_filters", piece
            )
        for words, text in texts.items():
            if words != "plain":  # that is the course's, which runs where nothing is written
                put(piece, text)
            step = step_calls()
            for name in names:
                calls[name][words] = step[name]
        for name, each in calls.items():
            times[name] = medians(each)
            taken[name] = {words: resources(call) for words, call in each.items()}
    return times, taken


def resources(call: KernelNode) -> dict[str, Any]:
    made = call.kernel.attributes
    return {
        "grid": list(call.grid),
        "block": list(call.block),
        "registers": int(made["num_regs"]),
        "shared": int(made["shared_size_bytes"]) + call.shared,
    }


def blocks() -> dict[str, float]:
    """The plain convolution 16→32 with blocks of 32 to 1024 threads."""
    calls, plain = {}, mine.PIECES["conv_forward"].plain
    for threads in (32, 64, 96, 128, 192, 256, 384, 512, 768, 1024):
        put(
            "conv_forward",
            plain.replace("+ 255) / 256, 256", f"+ {threads - 1}) / {threads}, {threads}"),
        )
        calls[str(threads)] = step_calls()["conv_forward 16→32"]
    return medians(calls)


def main() -> None:
    need_gpu()
    data = datasets.load("mnist", download=False).normalised()
    trained = {}
    with own_folder():
        trained["plain versions, step by step"] = training(EagerSteps, data, False)
        trained["plain versions, CUDA graph"] = training(MineSteps, data, False)
        rows = path(data)
        trained["fast versions, step by step"] = training(EagerSteps, data, False)
        trained["fast versions, fused, CUDA graph"] = training(MineSteps, data, True)
    with own_folder():
        times, taken = versions()
    with own_folder():
        sizes = blocks()
    store(
        "your_step",
        {
            "batch": BATCH,
            "epochs": EPOCHS,
            "path": rows,
            "training": trained,
            "rungs": times,
            "resources": taken,
            "blocks": sizes,
        },
    )


if __name__ == "__main__":
    main()
