"""How fast the student's kernels train without a GPU, by each engine, how well, and what compiling them costs.

    python -m tests.benchmarks.native

A step of lesson 07's networks, batch 64, on the plain and the best version of every piece; each engine and number of
cores in a process of its own, beside PyTorch where that is installed. Then every piece is compiled as an exercise
launches it, and each network trains for an epoch of MNIST (NNLIB_DATA may name its folder). Processor time is given,
too, as it hardly depends on what else the machine does. Stores results/native.json. About ten minutes.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from typing import Any

import numpy as np

from nnlib import datasets, mine, ops, training
from nnlib.cuda import RawKernel, checks, force_simulator
from nnlib.cuda._engine.native import policy
from nnlib.layers import Conv2d, Flatten, Linear, MaxPool2d, ReLU
from nnlib.losses import CrossEntropyLoss
from nnlib.mine.launch import launch_of
from nnlib.model import Sequential
from nnlib.optimizers import SGD
from tests.benchmarks.timing import reference_network, store
from tests.benchmarks.train import pytorch_step
from tests.benchmarks.your_step import own_folder, put
from tests.cuda.native.launching import known

BATCH, RATE, STEPS, MANY = 64, 0.01, 7, 500
EPOCH_RATE, MOMENTUM = 0.05, 0.9
VERSIONS = ("plain", "best")
ENGINES = {
    "LLVM": {},
    "WebAssembly": {"llvmlite": None},
    "simulator": {"llvmlite": None, "wasmtime": None},
}


def small_network() -> Sequential:
    return Sequential(Conv2d(1, 8, 5, stride=2), ReLU(), MaxPool2d(2), Flatten(), Linear(288, 10))


NETWORKS = {"small": small_network, "reference": reference_network}


def milliseconds(step: Any, steps: int) -> dict[str, float]:
    """The fastest of so many, after two in which kernels are checked and compiled."""
    step()
    step()
    wall, processor = [], []
    for _ in range(steps):
        start, used = time.perf_counter(), time.process_time()
        step()
        wall.append(time.perf_counter() - start)
        processor.append(time.process_time() - used)
    return {"wall": round(1e3 * min(wall), 2), "processor": round(1e3 * min(processor), 2)}


def own_step(network: str) -> Any:
    model, loss, rng = NETWORKS[network]().to("cpu"), CrossEntropyLoss(), np.random.default_rng(0)
    optimizer = SGD(model, RATE)
    x, labels = rng.random((BATCH, 1, 28, 28), np.float32), rng.integers(0, 10, BATCH)

    def step() -> None:
        with ops.engine("mine"):
            loss(model(x), labels)
            model.backward(loss.backward())
            optimizer.step()

    return step


def put_all(version: str) -> None:
    for name, piece in mine.PIECES.items():
        if version == "best" and name not in ("conv_relu", "conv_relu_pool"):
            put(name, piece.best)
        elif version == "plain" and name in mine.pieces.NEEDED:
            put(name, piece.plain)


def epoch_here(network: str, version: str) -> dict[str, Any]:
    """Train an epoch of MNIST as lesson 07 does, from an empty folder; return its time and the accuracy on 10,000 test images."""
    data, model, loss = (
        datasets.load("mnist").normalised(),
        NETWORKS[network]().to("cpu"),
        CrossEntropyLoss(),
    )
    train, valid = data.train.split(len(data.train) // 10)
    optimizer = SGD(model, EPOCH_RATE, momentum=MOMENTUM)
    with own_folder(), force_simulator():
        put_all(version)
        start, used = time.perf_counter(), time.process_time()
        with ops.engine("mine"):
            training.fit(
                model,
                loss,
                optimizer,
                train,
                valid,
                1,
                BATCH,
                progress=None,
                schedule=training.schedules.one_cycle,
            )
            seconds = {"wall": time.perf_counter() - start, "processor": time.process_time() - used}
            accuracy = training.evaluate(model, loss, data.test).accuracy
        launches = {whose: sum(counts.values()) for whose, counts in mine.launches().items()}
    return seconds | {
        "network": network,
        "version": version,
        "accuracy": accuracy,
        "launches": launches,
    }


def steps_here(simulator: bool) -> list[dict[str, Any]]:
    """Rows of the engine that this process has."""
    rows = []
    for version in VERSIONS:
        with own_folder(), force_simulator():
            put_all(version)
            for network in NETWORKS:
                if simulator and network == "reference":
                    continue  # minutes for each step
                with checks(not simulator):
                    times = milliseconds(own_step(network), 2 if simulator else STEPS)
                rows.append({"network": network, "version": version} | times)
    return rows


def compiled_here() -> list[dict[str, Any]]:
    """Each piece as its exercise launches it: seconds of the processor and bytes of code."""
    rows = []
    for name, piece in mine.PIECES.items():
        for version in VERSIONS:
            text = getattr(piece, version)
            kernel, line = RawKernel(text, name), launch_of(piece, text)
            grid, block, shared = line.at(**piece.ruler)
            values = list(piece.case(piece.ruler).arguments.values())
            _, native = known(kernel)
            launch = policy._launch(native, grid, block, values, shared)
            assert launch is not None and not native.refused, (name, native.refused)
            start = time.process_time()
            size = policy.compile_kernel(native, launch, policy.engine()).size
            used = {"seconds": time.process_time() - start, "bytes": size}
            rows.append({"kernel": name, "version": version} | used)
    return rows


def memory_of_many_here() -> float:
    """MiB that a process takes more after MANY launches of different sizes."""
    kernel = RawKernel(
        'extern "C" __global__ void twice(float* x, int n) { int i = blockIdx.x * blockDim.x + '
        "threadIdx.x; if (i < n) x[i] *= 2.0f; }",
        "twice",
    )
    before = 0
    with force_simulator(), checks(False):
        for n in range(MANY + 10):
            x = np.ones(1000 + n, np.float32)
            for _ in range(2):
                kernel((8,), (256,), (x, np.int32(len(x))))
            if n == 9:
                before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


def pytorch_here() -> dict[str, Any] | None:
    step = pytorch_step()
    if step is None:
        return None
    return milliseconds(step, 10 * STEPS) | {"version": sys.modules["torch"].__version__}


def in_process(what: str, engine: str, cores: int) -> Any:
    """The result of a function of this file in a process with this engine and so many cores."""
    command = [
        sys.executable,
        "-m",
        __spec__.name,
        "--what",
        what,
        "--engine",
        engine,
        "--cores",
        str(cores),
    ]
    environment = os.environ | {"OMP_NUM_THREADS": str(cores)}
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment)
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--what")
    parser.add_argument("--engine", choices=ENGINES)
    parser.add_argument("--cores", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.what:
        sys.modules.update(ENGINES[arguments.engine])  # type: ignore[arg-type]  # None: as if not installed
        os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[: arguments.cores]))
        policy.llvm.Llvm.threads = arguments.cores
        here = {
            "steps": lambda: steps_here(arguments.engine == "simulator"),
            "compiled": compiled_here,
            "memory": memory_of_many_here,
            "pytorch": pytorch_here,
        }
        here |= {
            f"{network} {version}": lambda which=(network, version): epoch_here(*which)
            for network in NETWORKS
            for version in VERSIONS
        }
        print(json.dumps(here[arguments.what]()))
        return
    rows = []
    for engine, cores in (("LLVM", 1), ("LLVM", 2), ("WebAssembly", 1), ("simulator", 1)):
        rows += [
            {"engine": engine, "cores": cores} | row for row in in_process("steps", engine, cores)
        ]
    compiled = {engine: in_process("compiled", engine, 1) for engine in ("LLVM", "WebAssembly")}
    memory = {engine: in_process("memory", engine, 1) for engine in ("LLVM", "WebAssembly")}
    pytorch = {str(cores): in_process("pytorch", "LLVM", cores) for cores in (1, 2)}
    # The others take many minutes
    epochs = [
        {"engine": engine, "cores": cores} | in_process(f"{network} {version}", engine, cores)
        for network in NETWORKS
        for version in VERSIONS
        for engine, cores in (("LLVM", 2), ("WebAssembly", 1))
        if engine == "LLVM" or network == "small"
    ]
    store(
        "native",
        {
            "batch": BATCH,
            "steps": rows,
            "epochs": epochs,
            "compiled": compiled,
            "memory_mib": memory,
            "launches": MANY,
            "pytorch": pytorch,
            "versions": {"torch": pytorch["1"]["version"]} if pytorch["1"] else {},
        },
    )


if __name__ == "__main__":
    main()
