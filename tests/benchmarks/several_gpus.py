"""One GPU and several of the same machine: all-reduce by size, steps and epochs of two networks.

    python -m tests.benchmarks.several_gpus [all_reduce_perf]      all GPUs of this machine; about four minutes on two

One, two, four, … GPUs are measured in the same run. Seconds of a step: the median of several epochs, order of the
examples and learning rates included. all_reduce_perf: that program of NVIDIA's nccl-tests, measured beside ours.
Writes results/several_gpus.json; without a GPU, results/mpi.json: processes that MPI connects.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from nnlib import datasets, device
from nnlib.losses import CrossEntropyLoss
from nnlib.optimizers import SGD
from nnlib.support.processes import start
from nnlib.train import build
from nnlib.training import evaluate, fit, schedules
from nnlib.training.eager import EagerSteps
from nnlib.training.parallel import Team, checksum, connect
from nnlib.training.replay.graph import GraphSteps, capture

SIZES = [2**k for k in range(2, 29, 2)]  # bytes: 4 B to 256 MiB
# Batch sizes, of all GPUs together: the same batch per GPU is one further on for each doubling
STEPS = {"reference": (64, 128, 256, 512, 1024), "wide": (64, 256, 1024, 2048, 4096, 8192)}
MPI = "train --data digits --network small --epochs 2"


def all_reduce(team: Team) -> list[dict[str, float]]:
    """Microseconds of an all-reduce of each size: launched from Python, and inside a CUDA graph of twenty."""
    cp, rows = device.xp, []
    stream = cp.cuda.Stream(non_blocking=True)
    for size in SIZES:
        array, repeats = cp.zeros(size // 4, np.float32), 20 if size < 2**24 else 4
        graph = None
        for name in ("launched", "captured"):
            if name == "captured":
                graph = capture(stream, *[lambda array=array: team.all_reduce(array)] * repeats)
            times = []
            for _ in range(7):
                cp.cuda.Device().synchronize()
                team.gather(0)
                begin, end = cp.cuda.Event(), cp.cuda.Event()
                with stream:
                    team.all_reduce(array)  # both GPUs are here when the clock starts
                    begin.record()
                    if graph is not None:
                        graph.launch(stream)
                    else:
                        for _ in range(repeats):
                            team.all_reduce(array)
                    end.record()
                end.synchronize()
                times.append(1e3 * cp.cuda.get_elapsed_time(begin, end) / repeats)
            rows.append(
                {"bytes": size, "how": name, "microseconds": round(float(np.median(times[2:])), 2)}
            )
    return rows


def steps(team: Team, data: datasets.Dataset) -> list[dict[str, Any]]:
    """Microseconds of a step of both networks, step by step and as a CUDA graph, at several sizes of the batch."""
    rows = []
    for network, batches in STEPS.items():
        for batch in batches:
            for name, kind in (("captured", GraphSteps), ("step by step", EagerSteps)):
                count = min(
                    60_000, batch * (400 if name == "captured" and network == "reference" else 40)
                )
                model = build(network, data)
                train = data.train[:count].beside(model.parameters)
                run = kind(model, CrossEntropyLoss(), SGD(model, 0.01), train, batch, team)
                per_epoch, times = -(-count // batch), []
                for epoch in range(6):
                    team.gather(0)
                    begin = time.perf_counter()
                    run.run(
                        datasets.shuffled(count, 0, epoch), [0.01] * per_epoch, lambda done: None
                    )
                    device.synchronize()
                    times.append(1e6 * (time.perf_counter() - begin) / per_epoch)
                same = len(set(team.gather(checksum(model.parameters)))) == 1
                rows.append(
                    {
                        "network": network,
                        "batch": batch,
                        "how": name,
                        "same bits": same,
                        "microseconds": round(float(np.median(times[2:])), 1),
                    }
                )
                del run, model, train
                device.xp.get_default_memory_pool().free_all_blocks()
    return rows


def epochs(team: Team, data: datasets.Dataset) -> list[dict[str, Any]]:
    """Five epochs of both networks by `fit`, twice: the first training also compiles."""
    rows = []
    for network, batch, rate in (("reference", 64, 0.1), ("wide", 1024, 0.05)):
        for _ in range(2):
            model = build(network, data)
            begin = time.perf_counter()
            history = fit(
                model,
                CrossEntropyLoss(),
                SGD(model, rate, momentum=0.0 if network == "reference" else 0.9),
                data.train,
                None,
                5,
                batch,
                schedule=schedules.cosine,
                progress=None,
                team=team,
            )
            whole = time.perf_counter() - begin
            sums = team.gather(checksum(model.parameters))
        tested = evaluate(model, CrossEntropyLoss(), data.test, team=team)
        rows.append(
            {
                "network": network,
                "batch": batch,
                "parameters": model.parameters.size,
                "seconds": [round(seconds, 4) for seconds in history.seconds],
                "whole": round(whole, 3),
                "loss": round(history.train_loss[-1], 5),
                "accuracy": tested.accuracy,
                "same bits": len(set(sums)) == 1,
            }
        )
    return rows


class Idle(Team):
    """A team of two ranks whose sums cost nothing: what is left is the step itself."""

    rank, size = 0, 2

    def gather(self, value: Any) -> list[Any]:
        """Return the value as that of both ranks."""
        return [value, value]


def where_time_goes(batch: int, team: Team) -> float:
    """Microseconds of a captured step of the reference network on one GPU."""
    data, times = datasets.load("mnist").normalised(), []
    model = build("reference", data)
    train = data.train[: 400 * batch].beside(model.parameters)
    run = GraphSteps(model, CrossEntropyLoss(), SGD(model, 0.01), train, batch, team)
    for epoch in range(7):
        begin = time.perf_counter()
        run.run(datasets.shuffled(len(train), 0, epoch), [0.01] * run.steps, lambda done: None)
        times.append(1e6 * (time.perf_counter() - begin) / run.steps)
    return round(float(np.median(times[2:])), 1)


def measure(folder: Path) -> None:
    """Measure as one rank; rank 0 leaves its numbers in the folder."""
    team = connect(120)
    data = datasets.load("mnist").normalised()
    found: dict[str, Any] = {
        "gpus": team.size,
        "through": team.through,
        "device": device.find().name,
    }
    with team.together():
        for name, part in (
            ("epochs", lambda: epochs(team, data)),
            ("all_reduce", lambda: all_reduce(team) if team.size > 1 else []),
            ("steps", lambda: steps(team, data)),
        ):
            begin = time.perf_counter()
            found[name] = part()
            if team.rank == 0:
                print(
                    team.size,
                    name,
                    f"{time.perf_counter() - begin:.0f} s",
                    json.dumps(found[name]),
                    flush=True,
                )
                (folder / f"{team.size}.json").write_text(json.dumps(found))


def nccl_tests(program: str, gpus: int) -> list[dict[str, float]]:
    """Microseconds of an all-reduce of each size by NVIDIA's own test, in a CUDA graph."""
    sizes = ["-b", str(SIZES[0]), "-e", str(SIZES[-1]), "-f", "4"]
    command = [program, "-g", str(gpus), *sizes, "-w", "5", "-n", "20", "-G", "5"]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rows = [line.split() for line in told.splitlines() if line.strip()[:1].isdigit()]
    return [{"bytes": int(row[0]), "microseconds": float(row[5])} for row in rows]


def main(gpus: int, *programs: str) -> dict[str, Any]:
    """Measure on 1, 2, 4, … GPUs, and NVIDIA's test if its program is given."""
    counts = [2**k for k in range(gpus.bit_length())]
    with tempfile.TemporaryDirectory() as name:
        for count in counts:
            command = ["tests.benchmarks.several_gpus", "--rank", name]
            if count == 1:
                subprocess.run([sys.executable, "-m", *command], check=True)
            elif status := start(count, command):
                sys.exit(status)
        rows = [json.loads((Path(name) / f"{count}.json").read_text()) for count in counts]
    alone = {
        "one GPU, batch of 64": (64, Team()),
        "one GPU, batch of 32": (32, Team()),
        "half of 64 and two more launches, without the sum": (64, Idle()),
    }
    from cupy.cuda import nccl  # no attribute of cupy.cuda before somebody imports it

    return {
        "nccl": nccl.get_version(),
        "runs": rows,
        "nccl_tests": {str(n): nccl_tests(it, n) for it in programs for n in counts[1:]},
        "reference_step": {name: where_time_goes(*options) for name, options in alone.items()},
    }


if __name__ == "__main__":
    if sys.argv[1:2] == ["--rank"]:
        measure(Path(sys.argv[2]))
    else:
        from nnlib.course.timing import run_ranks  # needs the packages of the lessons; ranks do not

        from .timing import store

        if device.has_gpu():
            store("several_gpus", main(device.xp.cuda.runtime.getDeviceCount(), *sys.argv[1:]))
        else:
            store("mpi", {str(count): run_ranks(count, MPI) for count in (1, 2, 4, 8)})
