"""Our counters beside Nsight's: the convolutions of lesson 08 under ncu, twenty training steps under nsys.

    python -m tests.benchmarks.nsight

Needs an NVIDIA GPU with Nsight Compute (ncu), its counters permitted, or Nsight Systems (nsys) on the PATH; what is not
there is left out and said. Writes results/nsight.json.
"""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from nnlib import datasets, device, mine, ops
from nnlib.cuda import Profile, RawKernel
from nnlib.losses import CrossEntropyLoss
from nnlib.mine.launch import launch_of
from nnlib.optimizers import SGD
from nnlib.training.eager import EagerSteps

from .timing import store
from .train import reference_network

TYPED = Path(__file__).parents[1] / "mine" / "typed" / "08"
METRICS = ["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
           "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
           "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "smsp__inst_executed.sum",
           "smsp__thread_inst_executed_per_inst_executed.ratio", "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
           "l1tex__t_sector_hit_rate.pct", "dram__bytes_read.sum", "gpu__time_duration.sum"]
PIECE = mine.PIECES["conv_forward"]


def texts() -> dict[str, str]:
    shared = (TYPED / "conv_shared.cu").read_text("utf-8").replace("conv_shared", "conv_forward")
    return {"a thread per output": PIECE.plain, "shared memory": shared,
            "register tiles": (TYPED / "conv_forward.cu").read_text("utf-8")}


def run(text: str, profile: bool) -> Profile | None:
    """One launch at the size at which the piece is scored."""
    kernel, (grid, block, shared) = RawKernel(text, PIECE.name), launch_of(PIECE, text).at(**PIECE.ruler)
    arguments = tuple(PIECE.case(PIECE.ruler).arguments.values())
    if profile:
        return kernel.profile(grid, block, arguments, shared)
    on_device = tuple(device.to_device(a) if isinstance(a, np.ndarray) else a for a in arguments)
    kernel(grid, block, on_device, shared)
    device.synchronize()
    return None


def ours(p: Profile) -> dict[str, float]:
    """What the simulator counts, under the names of Nsight Compute where they mean the same."""
    counted = dict(zip(METRICS, [p.global_load.requests, p.global_load.sectors, p.global_store.sectors,
                                 p.shared_load.wavefronts, p.shared_load.bank_conflicts, p.instructions,
                                 round(p.active_lanes, 2)], strict=False))
    return {**counted, METRICS[7]: p.flops // 2}


def compute() -> dict[str, dict[str, float]]:
    known = subprocess.run(["ncu", "--query-metrics"], capture_output=True, text=True).stdout
    metrics = [metric for metric in METRICS if metric.partition(".")[0] in known] or METRICS
    command = ["ncu", "--clock-control", "none", "--csv", "--print-units", "base", "--kernel-name", PIECE.name,
               "--metrics", ",".join(metrics), sys.executable, "-m", "tests.benchmarks.nsight", "launch"]
    text = subprocess.run(command, capture_output=True, text=True).stdout
    if '"ID"' not in text:
        raise SystemExit(f"ncu gave no table:\n{text[-2000:]}")
    found: dict[int, dict[str, float]] = {}
    for row in csv.DictReader(io.StringIO(text[text.index('"ID"'):])):
        found.setdefault(int(row["ID"]), {})[row["Metric Name"]] = float(row["Metric Value"].replace(",", ""))
    return dict(zip(texts(), (found[key] for key in sorted(found)), strict=True))


def systems() -> list[dict[str, Any]]:
    """The table cuda_gpu_kern_sum: which kernels the time of the GPU went to."""
    with tempfile.TemporaryDirectory() as folder:
        report = f"{folder}/steps"
        subprocess.run(["nsys", "profile", "--trace", "cuda", "--output", report, sys.executable, "-m",
                        "tests.benchmarks.nsight", "steps"], check=True, capture_output=True)
        command = ["nsys", "stats", "--report", "cuda_gpu_kern_sum", "--format", "csv", f"{report}.nsys-rep"]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rows = list(csv.DictReader(io.StringIO(text[text.index("Time (%)"):])))
    return [{"kernel": row["Name"].split("(")[0], "percent": float(row["Time (%)"]), "launches": int(row["Instances"]),
             "average_ns": float(row["Avg (ns)"])} for row in rows]


def steps() -> None:
    """Twenty steps on the plain texts, launched one by one."""
    model = reference_network().to("gpu")
    data = datasets.load("digits").normalised().train[:20 * 64].beside(model.parameters)
    with ops.engine("mine"):
        EagerSteps(model, CrossEntropyLoss(), SGD(model, 0.1), data, 64).run(np.arange(len(data)), [0.1] * 20,
                                                                           lambda n: None)
    device.synchronize()


def main() -> None:
    if not device.has_gpu():
        raise SystemExit(f"this benchmark needs an NVIDIA GPU: {device.find().reason}")
    results: dict[str, Any] = {"size": PIECE.ruler, "ours": {}}
    for name, text in texts().items():
        profile = run(text, True)
        assert profile is not None
        results["ours"][name] = ours(profile)
    for tool, work in (("ncu", compute), ("nsys", systems)):
        if shutil.which(tool) is None:
            print(f"{tool} is not on the PATH: left out")
            continue
        version = subprocess.run([tool, "--version"], capture_output=True, text=True).stdout.strip().splitlines()[-1]
        results[tool] = {"version": version, "found": work()}
        print(tool, results[tool])
    store("nsight", results)


if __name__ == "__main__":
    if sys.argv[1:] == ["launch"]:
        for each in texts().values():
            run(each, False)
    elif sys.argv[1:] == ["steps"]:
        steps()
    else:
        main()
