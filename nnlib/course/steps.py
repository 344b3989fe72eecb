"""The training step on the student's kernels, launch by launch: counted and timed on any machine. Lesson 08."""

from __future__ import annotations

import contextlib
import math
from typing import Any

import numpy as np

from nnlib import device, mine
from nnlib.course.roofs import H200, Roofs
from nnlib.course.timing import measure, recorded, stopwatch
from nnlib.cuda import (
    Profile,
    Replay,
    UnsupportedError,
    can_replay,
    checks,
    native_engine,
    occupancy,
    on_webgpu,
    webgpu_device,
)
from nnlib.losses import CrossEntropyLoss
from nnlib.mine.contract import Piece
from nnlib.mine.stars import counters
from nnlib.model import Sequential
from nnlib.ops.recording import KernelNode
from nnlib.optimizers import SGD
from nnlib.training.steps import MineStep, capture

_REPEATS = 20  # of a launch in the graph that times it
_ENOUGH = 0.02  # seconds that are measured at once through WebGPU
_TRIES = 3  # of a launch without a GPU, behind a first one that compiles; the shortest counts


def plan_of(model: Sequential, batch: int, image: tuple[int, ...] = (1, 28, 28)) -> MineStep:
    """Plan a step of plain SGD on the kernels of the library, with random pixels and labels in its buffers."""
    xp = device.array_module(model.parameters)
    plan = MineStep(
        model, CrossEntropyLoss(), SGD(model, 0.1), image, batch, xp.zeros, (0.13, 0.31)
    )
    rng = np.random.default_rng(8)
    plan.x[...] = xp.asarray(rng.integers(0, 256, plan.x.size).astype(np.uint8))
    plan.labels[...] = xp.asarray(rng.integers(0, plan.classes, batch).astype(np.int32))
    return plan


def launches(plan: MineStep, rate: float = 0.1) -> dict[str, KernelNode]:
    """Return what one step launches, in order, by name: the kernel and, if it occurs several times, its layer."""
    named: dict[str, KernelNode] = {}
    for call in (*plan.launches, plan.update(rate)):
        name, number = label(call), 2
        while name in named:
            name, number = f"{label(call)}, {number}", number + 1
        named[name] = call
    return named


def label(call: KernelNode) -> str:
    """Name a launch: "conv_forward 1→16", "linear_grad_weight 4608→10", "sum_columns of 32", "relu"."""
    piece = mine.PIECES[call.kernel.name]
    sizes = {
        p.name: value
        for p, value in zip(piece.signature, call.args, strict=False)
        if p.name in piece.integers
    }
    for before, after in (("C", "F"), ("inputs", "outputs")):
        if before in sizes:
            return f"{piece.name} {sizes[before]}→{sizes[after]}"
    return f"{piece.name} of {sizes['columns']}" if "columns" in sizes else piece.name


def profiled(calls: dict[str, KernelNode]) -> dict[str, Profile]:
    """Return what the simulator counts in each launch; they run in order, so that each finds what the one before it wrote."""
    return {
        name: call.kernel.profile(call.grid, call.block, call.args, call.shared)
        for name, call in calls.items()
    }


def timed(calls: dict[str, KernelNode]) -> dict[str, float]:
    """Return the seconds of each launch by this machine's `clock`: on a GPU from launches that repeat, else unchecked."""
    if not device.has_gpu():
        with contextlib.suppress(UnsupportedError), on_webgpu() as replay:
            return {name: _replayed(replay, call) for name, call in calls.items()}
        with checks(False):
            return {
                name: min(stopwatch(call) for _ in range(_TRIES + 1))
                for name, call in calls.items()
            }
    for call in calls.values():
        call()
    device.synchronize()
    stream = device.xp.cuda.Stream(non_blocking=True)
    return {name: _graphed(stream, call) / _REPEATS for name, call in calls.items()}


def _replayed(replay: Replay, call: KernelNode) -> float:
    launch = replay.prepare(call.kernel, call.grid, call.block, call.args, call.shared)
    once = replay.seconds([launch], 1)
    times = max(1, min(_REPEATS, round(_ENOUGH / max(once, 1e-9))))
    return min(replay.seconds([launch], times) / times for _ in range(_TRIES))


def clock() -> str:
    """Name whose time `timed` reports; a simulator's and a processor's never look like a GPU's."""
    if device.has_gpu():
        return "On this GPU:"
    if can_replay():
        return f"On {webgpu_device()}:"
    return (
        "On this computer's processor, with compiled kernels (no GPU):"
        if native_engine()
        else "In the simulator, whose times say nothing about a GPU:"
    )


def shown(seconds: float) -> str:
    """Write seconds in µs where a GPU took them, else in ms."""
    if device.has_gpu():
        return f"{1e6 * seconds:,.0f} µs"
    return f"{1e3 * seconds:,.0f} ms" if seconds >= 0.1 else f"{1e3 * seconds:.3g} ms"


def _graphed(stream: Any, call: KernelNode) -> float:
    graph = capture(stream, *[call] * _REPEATS)
    with stream:
        return measure(lambda: graph.launch(stream), repeats=7).median


# --- what must be done ------------------------------------------------------------------------------------------


def costs(profiles: dict[str, Profile]) -> dict[str, int]:
    """Return sectors and shared wavefronts of each launch, which a score is made of."""
    counted = {name: counters(profile, profile) for name, profile in profiles.items()}
    return {
        name: int(found["sectors"] + found["shared wavefronts"]) for name, found in counted.items()
    }


def necessary(call: KernelNode) -> tuple[int, int]:
    """Return (operations, bytes) that any kernel with this contract needs: its products and sums, each array moved once."""
    piece, values = _arguments(call)
    sizes, bytes_moved = {**values, **piece.derived(values)}, sum(moved(call))
    for names in ("N F OH OW C K K", "N inputs outputs"):
        if sizes.keys() >= {*names.split()}:
            return 2 * math.prod(sizes[name] for name in names.split()), bytes_moved
    return 0, bytes_moved  # all others have a few operations per number, and bytes are their limit


def moved(call: KernelNode) -> tuple[int, int]:
    """Return (bytes read, bytes written) when a kernel reads each array of its inputs once and writes each result once."""
    piece, values = _arguments(call)
    sizes = {name: value.nbytes for name, value in values.items() if hasattr(value, "nbytes")}
    return (
        sum(
            size
            for name, size in sizes.items()
            if name not in piece.written or name in piece.updates
        ),
        sum(size for name, size in sizes.items() if name in piece.written),
    )


def _arguments(call: KernelNode) -> tuple[Piece, dict[str, Any]]:
    piece = mine.PIECES[call.kernel.name]
    return piece, dict(zip((p.name for p in piece.signature), call.args, strict=True))


def floor(call: KernelNode, machine: Roofs = H200) -> float:
    """Return the seconds below which no kernel with this contract can be on the machine: arithmetic or bytes, the larger one."""
    flops, moved = necessary(call)
    return max(flops / machine.flops, moved / machine.bandwidth["DRAM"])


# --- beside Nsight Compute --------------------------------------------------------------------------------------


_COUNTERS = {
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum": "global_load.requests",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": "global_load.sectors",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum": "shared_load.wavefronts",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum": "shared_load.bank_conflicts",
    "smsp__thread_inst_executed_per_inst_executed.ratio": "active_lanes",
    "smsp__inst_executed.sum": "instructions",
    "l1tex__t_sector_hit_rate.pct": "hits in L1, %",
    "dram__bytes_read.sum": "bytes read from DRAM",
    "gpu__time_duration.sum": "time, ns",
}


def beside_ncu() -> None:
    """Print what we and ncu count in the three convolutions of lesson 08; the hardware's as recorded on a GPU."""
    stored = recorded("nsight")
    ours, found = stored["ours"], stored.get("ncu", {}).get("found", {})
    print(
        f"{stored['environment']['gpu']}, {stored['ncu']['version']}"
        if found
        else "ncu was not on the machine where this was recorded: only ours are here."
    )
    print(f"{'':27}" + "".join(f"{name:>20}" for name in ours))
    print(f"{'':27}" + f"{'ours':>10}{'ncu':>10}" * len(ours))
    for metric, words in _COUNTERS.items():
        cells = [side.get(name, {}).get(metric) for name in ours for side in (ours, found)]
        if any(value is not None for value in cells):
            print(f"{words:27}" + "".join(f"{_short(value):>10}" for value in cells))


def residents(piece: str) -> None:
    """Print what a block of each recorded version of a kernel, "conv_forward 16→32", takes on an H200, and the time.

    Beside it stands how many warps that leaves room for on a multiprocessor, and how many the grid brings.
    """
    stored = recorded("your_step")
    print(
        f"{piece:24}{'registers':>10}{'shared':>8}{'threads':>9}{'room for':>10}{'grid has':>10}{'time':>12}"
    )
    for words, used in stored["resources"][piece].items():
        found = occupancy(
            used["block"], shared_mem=used["shared"], registers=used["registers"], gpu="H200"
        )
        share = math.prod(used["grid"]) / found.gpu.multiprocessors * found.warps / found.blocks
        print(
            f"{words:24}{used['registers']:>10}{used['shared']:>8}{found.threads:>9}{found.warps:>4} warps"
            f"{min(share, found.warps):>4.0f} warps{1e6 * stored['rungs'][piece][words]:>9,.0f} µs"
        )


def _short(value: float | None) -> str:
    """Format integers in full, other numbers to four digits, None as nothing."""
    return (
        ""
        if value is None
        else f"{value:,.0f}"
        if value >= 1000 or value == int(value)
        else f"{value:.4g}"
    )
