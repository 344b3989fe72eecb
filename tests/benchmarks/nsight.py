"""Our counters beside Nsight's: the convolutions of lesson 08 under ncu, and a step in CUPTI's log.

    python -m tests.benchmarks.nsight

Needs an NVIDIA GPU. Nsight Compute (ncu) must be on the PATH, with its counters permitted; without it, its numbers stay as
recorded. CUPTI is the library of the driver that nsys asks as well; PyTorch's profiler writes its log down, where PyTorch
is installed. Writes results/nsight.json.
"""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from nnlib import device, mine
from nnlib.course.timing import recorded
from nnlib.cuda import RawKernel
from nnlib.mine.launch import launch_of
from nnlib.training.replay.graph import capture

from .timing import need_gpu, store, stored_at
from .your_step import FUSED, own_folder, put, rungs, step_calls

METRICS = """
    l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
    l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
    l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
    l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
    l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum smsp__inst_executed.sum
    smsp__thread_inst_executed_per_inst_executed.ratio
    smsp__sass_thread_inst_executed_op_ffma_pred_on.sum l1tex__t_sector_hit_rate.pct
    dram__bytes_read.sum gpu__time_duration.sum
    sm__warps_active.avg.pct_of_peak_sustained_active launch__registers_per_thread
    """.split()
_TIMES = 4  # a step is run in the log
PIECE = mine.PIECES["conv_forward"]
SIZES = {
    "found": PIECE.ruler,
    "64 images": {"N": 64, "C": 16, "H": 26, "W": 26, "F": 32, "K": 3, "stride": 1, "pad": 0},
}


def texts() -> dict[str, str]:
    versions = rungs()[PIECE.name]
    shown = {name: versions[name] for name in ("shared memory", "register tiles")}
    return {"a thread per output": PIECE.plain, **shown}


def launch_at(text: str, sizes: dict[str, int]) -> tuple[RawKernel, tuple[Any, ...]]:
    """Return the kernel, and its launch with arguments on the device."""
    (grid, block, shared), arguments = (
        launch_of(PIECE, text).at(**sizes),
        PIECE.case(sizes).arguments,
    )
    there = (device.to_device(a) if isinstance(a, np.ndarray) else a for a in arguments.values())
    return RawKernel(text, PIECE.name), (grid, block, tuple(there), shared)


def ours(text: str) -> dict[str, float]:
    """Return what the simulator counts, under the names of Nsight Compute where they mean the same."""
    kernel, launch = launch_at(text, PIECE.ruler)
    p = kernel.profile(*launch)
    counts = (
        p.global_load.requests,
        p.global_load.sectors,
        p.global_store.sectors,
        p.shared_load.wavefronts,
        p.shared_load.bank_conflicts,
        p.instructions,
        round(p.active_lanes, 2),
        p.flops // 2,
    )
    return dict(zip(METRICS, counts, strict=False))


def compute() -> dict[str, Any]:
    """ "found", at the small size of ours, and "64 images": text -> metric of ncu -> value."""
    known = subprocess.run(["ncu", "--query-metrics"], capture_output=True, text=True).stdout
    metrics = [
        metric
        for metric in METRICS
        if metric.startswith("launch__") or metric.partition(".")[0] in known
    ]
    command = [
        "ncu",
        "--clock-control",
        "none",
        "--csv",
        "--print-units",
        "base",
        "--kernel-name",
        PIECE.name,
        "--metrics",
        ",".join(metrics),
        sys.executable,
        "-m",
        "tests.benchmarks.nsight",
        "launch",
    ]
    text = subprocess.run(command, capture_output=True, text=True).stdout
    if '"ID"' not in text:
        raise SystemExit(f"ncu gave no table:\n{text[-2000:]}")
    found: dict[int, dict[str, float]] = {}
    for row in csv.DictReader(io.StringIO(text[text.index('"ID"') :])):
        found.setdefault(int(row["ID"]), {})[row["Metric Name"]] = float(
            row["Metric Value"].replace(",", "")
        )
    rows = iter(found[key] for key in sorted(found))
    return {size: {name: next(rows) for name in texts()} for size in SIZES}


def activities() -> dict[str, list[list[Any]]]:
    """Return [what, name, start, end] in µs of one step on the fastest kernels, launched one by one and as a graph."""
    import torch
    from torch.profiler import ProfilerActivity, profile

    found = {}
    with own_folder():
        for name, words in (
            ("conv_grad_weight", "a block per weight"),
            ("sum_columns", "best known"),
            ("linear_forward", "a warp per result"),
        ):
            put(name, rungs()[name][words])
        for name in FUSED:
            put(name, mine.PIECES[name].best)
        calls = list(step_calls().values())
        for call in calls:
            call()  # loads the kernel, which a recording may not do
        stream = device.xp.cuda.Stream(non_blocking=True)
        graph = capture(stream, *calls)
        torch.zeros(1, device="cuda")  # the profiler listens once PyTorch has begun
        ways = {
            "one by one": lambda: [call() for call in calls],
            "as a graph": lambda: graph.launch(stream),
        }
        for way, work in ways.items():
            with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as log:
                for _ in range(_TIMES):
                    work()
                    device.synchronize()
            found[way] = _events(log)
    return found


def _events(log: Any) -> list[list[Any]]:
    """Launches on the host and kernels on the GPU, as the log has them; times from the first on."""
    with tempfile.TemporaryDirectory() as folder:
        log.export_chrome_trace(f"{folder}/trace.json")
        events = json.loads(Path(folder, "trace.json").read_text("utf-8"))["traceEvents"]
    wanted = [
        (("kernel" if event["cat"] == "kernel" else "launch"), event)
        for event in events
        if event.get("cat") == "kernel"
        or (event.get("cat") in ("cuda_driver", "cuda_runtime") and "Launch" in event["name"])
    ]
    wanted.sort(key=lambda pair: float(pair[1]["ts"]))
    last = len(wanted) // _TIMES * (_TIMES - 1)  # the first steps wait for the profiler
    wanted = wanted[last:]
    begin = float(wanted[0][1]["ts"]) if wanted else 0.0
    return [
        [
            what,
            event["name"].split("(")[0],
            round(float(event["ts"]) - begin, 2),
            round(float(event["ts"]) - begin + float(event["dur"]), 2),
        ]
        for what, event in wanted
    ]


def main() -> None:
    need_gpu()
    before = recorded("nsight") if stored_at("nsight").exists() else {}
    results: dict[str, Any] = {tool: before[tool] for tool in ("ncu", "cupti") if tool in before}
    results["ours"] = {name: ours(text) for name, text in texts().items()}
    if shutil.which("ncu"):
        told = subprocess.run(["ncu", "--version"], capture_output=True, text=True).stdout
        results["ncu"] = {"version": told.strip().splitlines()[-1], **compute()}
    else:
        print("ncu is not on the PATH: left out")
    try:
        results["cupti"] = activities()
    except Exception as reason:  # of a tool that may be missing, or not allowed to listen
        print(f"no log of CUPTI: {type(reason).__name__}: {reason}")
    store("nsight", results)


if __name__ == "__main__":
    if sys.argv[1:] == ["launch"]:
        for sizes in SIZES.values():
            for each in texts().values():
                kernel, launch = launch_at(each, sizes)
                kernel(*launch)
                device.synchronize()
    else:
        main()
