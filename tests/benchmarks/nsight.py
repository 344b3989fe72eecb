"""Our counters beside Nsight's: the convolutions of lesson 08 under ncu, steps under nsys, a step in CUPTI's log.

    python -m tests.benchmarks.nsight

Needs an NVIDIA GPU with Nsight Compute (ncu), its counters permitted, or Nsight Systems (nsys) on the PATH; what is not
there is left out and said. CUPTI is the library of the driver that nsys asks as well; PyTorch's profiler writes its log
down, where PyTorch is installed. Writes results/nsight.json; what was recorded before and is not there now, stays.
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

from nnlib import datasets, device, mine, ops
from nnlib.course.timing import recorded
from nnlib.cuda import Profile, RawKernel
from nnlib.losses import CrossEntropyLoss
from nnlib.mine.launch import launch_of
from nnlib.optimizers import SGD
from nnlib.training.eager import EagerSteps
from nnlib.training.replay.graph import capture

from .timing import store
from .train import reference_network
from .your_step import FUSED, own_folder, put, rungs, step_calls

TYPED = Path(__file__).parents[1] / "mine" / "typed" / "08"
METRICS = [
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "smsp__inst_executed.sum",
    "smsp__thread_inst_executed_per_inst_executed.ratio",
    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
    "l1tex__t_sector_hit_rate.pct",
    "dram__bytes_read.sum",
    "gpu__time_duration.sum",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "launch__registers_per_thread",
]
_TIMES = 4  # a step is run in the log
PIECE = mine.PIECES["conv_forward"]
SIZES = {
    "found": PIECE.ruler,
    "64 images": {"N": 64, "C": 16, "H": 26, "W": 26, "F": 32, "K": 3, "stride": 1, "pad": 0},
}


def texts() -> dict[str, str]:
    shared = (TYPED / "conv_shared.cu").read_text("utf-8").replace("conv_shared", "conv_forward")
    return {
        "a thread per output": PIECE.plain,
        "shared memory": shared,
        "register tiles": (TYPED / "conv_forward.cu").read_text("utf-8"),
    }


def run(text: str, profile: bool, sizes: dict[str, int] = PIECE.ruler) -> Profile | None:
    """One launch at these sizes; without others, at those at which the piece is scored."""
    kernel, (grid, block, shared) = RawKernel(text, PIECE.name), launch_of(PIECE, text).at(**sizes)
    arguments = tuple(PIECE.case(sizes).arguments.values())
    if profile:
        return kernel.profile(grid, block, arguments, shared)
    on_device = tuple(device.to_device(a) if isinstance(a, np.ndarray) else a for a in arguments)
    kernel(grid, block, on_device, shared)
    device.synchronize()
    return None


def ours(p: Profile) -> dict[str, float]:
    """What the simulator counts, under the names of Nsight Compute where they mean the same."""
    counted = dict(
        zip(
            METRICS,
            [
                p.global_load.requests,
                p.global_load.sectors,
                p.global_store.sectors,
                p.shared_load.wavefronts,
                p.shared_load.bank_conflicts,
                p.instructions,
                round(p.active_lanes, 2),
            ],
            strict=False,
        )
    )
    return {**counted, METRICS[7]: p.flops // 2}


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


def systems() -> dict[str, Any]:
    """ "found": the table cuda_gpu_kern_sum, which kernels the time of the GPU went to."""
    with tempfile.TemporaryDirectory() as folder:
        report = f"{folder}/steps"
        subprocess.run(
            [
                "nsys",
                "profile",
                "--trace",
                "cuda",
                "--output",
                report,
                sys.executable,
                "-m",
                "tests.benchmarks.nsight",
                "steps",
            ],
            check=True,
            capture_output=True,
        )
        command = [
            "nsys",
            "stats",
            "--report",
            "cuda_gpu_kern_sum",
            "--format",
            "csv",
            f"{report}.nsys-rep",
        ]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rows = list(csv.DictReader(io.StringIO(text[text.index("Time (%)") :])))
    return {
        "found": [
            {
                "kernel": row["Name"].split("(")[0],
                "percent": float(row["Time (%)"]),
                "launches": int(row["Instances"]),
                "average_ns": float(row["Avg (ns)"]),
            }
            for row in rows
        ]
    }


def steps() -> None:
    """Twenty steps on the plain versions, launched one by one."""
    model = reference_network().to("gpu")
    data = datasets.load("digits").normalised().train[: 20 * 64].beside(model.parameters)
    with ops.engine("mine"):
        EagerSteps(model, CrossEntropyLoss(), SGD(model, 0.1), data, 64).run(
            np.arange(len(data)), [0.1] * 20, lambda n: None
        )
    device.synchronize()


def activities() -> dict[str, list[list[Any]]]:
    """One step on the fastest texts, launched one by one and as a graph: [what, name, start, end] in µs."""
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
            print(way, len(found[way]), found[way][:3], flush=True)
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
    wanted = wanted[
        len(wanted) // _TIMES * (_TIMES - 1) :
    ]  # the last step: the first ones wait for the profiler
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
    if not device.has_gpu():
        raise SystemExit(f"this benchmark needs an NVIDIA GPU: {device.find().reason}")
    try:
        before = {
            tool: recorded("nsight")[tool]
            for tool in ("ncu", "nsys", "cupti")
            if tool in recorded("nsight")
        }
    except FileNotFoundError:
        before = {}
    results: dict[str, Any] = {"size": PIECE.ruler, "ours": {}, **before}
    for name, text in texts().items():
        profile = run(text, True)
        assert profile is not None
        results["ours"][name] = ours(profile)
    for tool, work in (("ncu", compute), ("nsys", systems)):
        if shutil.which(tool) is None:
            print(f"{tool} is not on the PATH: left out")
            continue
        version = (
            subprocess.run([tool, "--version"], capture_output=True, text=True)
            .stdout.strip()
            .splitlines()[-1]
        )
        results[tool] = {"version": version, **work()}
        print(tool, results[tool])
    try:
        results["cupti"] = activities()
    except Exception as reason:  # of a tool that may be missing, or not allowed to listen
        print(f"no log of CUPTI: {type(reason).__name__}: {reason}")
    store("nsight", results)


if __name__ == "__main__":
    if sys.argv[1:] == ["launch"]:
        for sizes in SIZES.values():
            for each in texts().values():
                run(each, False, sizes)
    elif sys.argv[1:] == ["steps"]:
        steps()
    else:
        main()
