"""What a real GPU computes and counts for the corpus and for random kernels, stored for machines without one.

    python -m tests.cuda.golden.record results FOLDER     corpus.json, random.json, occupancy.json (and all outputs)
    python -m tests.cuda.golden.record counters FOLDER    counters.json, with Nsight Compute (ncu) on the PATH
    python -m tests.cuda.golden.record sanitizer FOLDER   sanitizer.json: what compute-sanitizer says of broken kernels

Run on a machine with an NVIDIA GPU; then copy the .json files into tests/cuda/golden.
"""

from __future__ import annotations

import csv
import datetime
import io
import json
import re
import subprocess
import sys
import zlib
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from nnlib import device
from nnlib.cuda import RawModule
from tests.cuda import random_kernels
from tests.cuda.corpus import CASES, OPTIONS, Case
from tests.cuda.seeded_faults import seeded
from tests.cuda.test_broken import BROKEN

SEEDS = 2048
BATCH = 32
TOOLS = ["memcheck", "racecheck", "initcheck", "synccheck"]
WRONG_RESULT = "the result differs from the simulator's"
FAULTS = [
    "OutOfBoundsError",
    "RaceError",
    "BarrierError",
    "UninitializedReadError",
    "MisalignedAccessError",
    "KernelArithmeticError",
]
METRICS = """
    l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
    l1tex__t_requests_pipe_lsu_mem_global_op_st.sum
    l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
    l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
    l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
    l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum
    l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum
    l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum
    smsp__inst_executed_op_shared_ld.sum smsp__inst_executed_op_shared_st.sum
    smsp__inst_executed_op_global_ld.sum smsp__inst_executed_op_global_st.sum
    smsp__inst_executed_op_global_red.sum l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum
    l1tex__t_requests_pipe_lsu_mem_global_op_red.sum
    l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum
    l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum
    l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum
    l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum
    smsp__thread_inst_executed_per_inst_executed.ratio smsp__inst_executed.sum
    smsp__sass_branch_targets_threads_divergent.sum
    smsp__sass_thread_inst_executed_op_fadd_pred_on.sum
    smsp__sass_thread_inst_executed_op_fmul_pred_on.sum
    smsp__sass_thread_inst_executed_op_ffma_pred_on.sum
    smsp__sass_thread_inst_executed_op_dadd_pred_on.sum
    smsp__sass_thread_inst_executed_op_dmul_pred_on.sum
    smsp__sass_thread_inst_executed_op_dfma_pred_on.sum
    """.split()


def checksum(*arrays: np.ndarray) -> int:
    """CRC-32 of the bytes of all arrays."""
    total = 0
    for array in arrays:
        total = zlib.crc32(array.tobytes(), total)
    return total


def launch(case: Case) -> list[Any]:
    """Run the case where kernels run on this machine; returns its arguments afterwards."""
    arguments = case.arguments()
    case.compiled()(case.grid, case.block, arguments, shared_mem=case.shared_mem)
    return arguments


def corpus_results(case: Case, arguments: list[Any]) -> dict[str, Any]:
    """Per array its checksum or, where a few ulps are allowed, its bits."""
    return {
        str(at): arguments[at].view(np.int32).ravel().tolist()
        if case.ulps and arguments[at].dtype.kind == "f"
        else checksum(arguments[at])
        for at, made in enumerate(arguments)
        if isinstance(made, np.ndarray)
    }


def random_results(seeds: range) -> list[list[np.ndarray]]:
    """`out` and `cells` of each kernel."""
    module = RawModule(random_kernels.source(seeds), options=OPTIONS)
    results = []
    for seed in seeds:
        arguments = random_kernels.arguments(seed)
        module.get_function(f"k{seed}")(*random_kernels.launch_shape(seed), arguments)
        results.append(arguments[2:])
    return results


def record_results(folder: Path) -> None:
    corpus, wrong = {}, []
    for case in CASES.values():
        arguments = launch(case)
        corpus[case.name] = corpus_results(case, arguments)
        if case.differing(arguments):
            wrong.append(case.name)
    print(f"{len(corpus)} corpus cases, differing from the simulator: {wrong or 'none'}")
    store(folder / "corpus.json", corpus)

    batches = [range(first, first + BATCH) for first in range(0, SEEDS, BATCH)]
    with ProcessPoolExecutor(12, get_context("spawn")) as pool:
        results = [result for batch in pool.map(random_results, batches) for result in batch]
    np.savez_compressed(
        folder / "random.npz",
        out=np.stack([out for out, _ in results]),
        cells=np.stack([cells for _, cells in results]),
    )
    store(
        folder / "random.json",
        [
            [zlib.crc32(random_kernels.source([seed]).encode()), checksum(*result)]
            for seed, result in enumerate(results)
        ],
    )
    store(folder / "occupancy.json", occupancies())
    print(f"{len(results)} random kernels")


def record_sanitizer(folder: Path) -> None:
    """Record what the tools say of wrong kernels: those of test_broken.py, every fourth of seeded_faults.py. There "result"
    stands beside the tools if it differs from the simulator's. First, by tool, the right kernels it accuses.
    About four minutes on 16 cores; what is known is written after each kernel."""
    wrong = [each.kernel for each in BROKEN if each.error in FAULTS] + [
        each.name for each in list(seeded())[::4]
    ]
    kernels = {case.kernel.partition("<")[0] for case in CASES.values()}
    said: dict[str, list[str]] = {}
    with ThreadPoolExecutor(14) as pool:
        accused = list(pool.map(lambda tool: sanitized(tool, 120, "launch"), TOOLS))
        for tool, output in zip(TOOLS, accused, strict=True):
            names = kernels & set(re.findall(r"\w+", output)) if complains(output) else set()
            said[f"right, {tool}"] = sorted(names) if "SUMMARY" in output else ["it did not end"]
            print(
                f"{tool} accuses {said[f'right, {tool}'] or 'none'} of {len(kernels)} right kernels",
                flush=True,
            )
        outputs = [
            (name, [pool.submit(sanitized, tool, 40, "broken", name) for tool in TOOLS])
            for name in wrong
        ]
        for name, by_tool in outputs:
            found = [output.result() for output in by_tool]
            said[name] = [
                tool for tool, output in zip(TOOLS, found, strict=True) if complains(output)
            ]
            said[name] += ["result"] * any(WRONG_RESULT in output for output in found)
            store(folder / "sanitizer.json", said)
    found_ones = sum(not set(TOOLS).isdisjoint(said[name]) for name in wrong)
    print(f"compute-sanitizer complains about {found_ones} of {len(wrong)} wrong kernels")


def sanitized(tool: str, seconds: int, *work: str) -> str:
    """Return what a tool prints of this module's `work`; nothing if it does not end."""
    command = [
        "compute-sanitizer",
        "--tool",
        tool,
        "--report-api-errors",
        "no",
        sys.executable,
        "-m",
        "tests.cuda.golden.record",
        *work,
    ]
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=seconds).stdout
    except subprocess.TimeoutExpired:
        return ""


def complains(output: str) -> bool:
    summary = re.search(r"SUMMARY: (\d+) (?:error|hazard)", output)
    return summary is not None and int(summary[1]) > 0


def run_broken(name: str) -> None:
    """Launch one broken kernel; each array is an allocation of its own, so that memcheck knows its end."""
    import cupy

    cupy.cuda.set_allocator(None)
    for each in BROKEN:
        if each.kernel == name:
            each.run()
    for mutant in seeded():
        if mutant.name == name and mutant.is_wrong(mutant.launch()):
            print(WRONG_RESULT)
    cupy.cuda.Device().synchronize()


def occupancies() -> list[list[int]]:
    """Rows of threads, dynamic shared bytes, declared shared bytes, registers, resident blocks: the driver's word."""
    import cupy

    rows = []
    for case in [case for case in CASES.values() if "<" not in case.kernel][::4]:
        function = cupy.RawModule(code=case.text, options=case.options).get_function(case.kernel)
        for shared in (0, 1000, 10_000, 40_000, 100_000, 200_000):
            function.max_dynamic_shared_size_bytes = shared
            for threads in (32, 96, 128, 256, 500, 512, 768, 1024):
                if threads <= function.max_threads_per_block:
                    blocks = cupy.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(
                        function.kernel.ptr, threads, shared
                    )
                    rows.append(
                        [threads, shared, function.shared_size_bytes, function.num_regs, blocks]
                    )
    return [list(row) for row in sorted(set(map(tuple, rows)))]


def record_counters(folder: Path) -> None:
    launches = counted(METRICS, folder / "ncu.csv", "tests.cuda.golden.record", "launch")
    order = [case.name for case in CASES.values()]
    expected = [CASES[name].kernel.partition("<")[0] for name in order]
    assert [kernel for kernel, _ in launches] == expected, "a launch is missing"
    store(
        folder / "counters.json", dict(zip(order, (values for _, values in launches), strict=True))
    )
    print(f"counters of {len(launches)} launches")


def counted(wanted: list[str], raw: Path, *work: str) -> list[tuple[str, dict[str, float]]]:
    """Kernel and counters of each launch of `python -m work`, by ncu. raw: where its table is kept."""
    known = subprocess.run(
        ["ncu", "--query-metrics"], capture_output=True, text=True, check=True
    ).stdout
    metrics = [metric for metric in wanted if metric.partition(".")[0] in known]
    print("not known to this ncu:", sorted(set(wanted) - set(metrics)) or "none")
    command = [
        "ncu",
        "--clock-control",
        "none",
        "--csv",
        "--print-units",
        "base",
        "--metrics",
        ",".join(metrics),
        sys.executable,
        "-m",
        *work,
    ]
    raw.write_text(subprocess.run(command, capture_output=True, text=True).stdout)
    return launches_of(raw.read_text())


def launches_of(table: str) -> list[tuple[str, dict[str, float]]]:
    """Return what ncu's table says of each launch; zeros go without saying."""
    launches: dict[int, tuple[str, dict[str, float]]] = {}
    for row in csv.DictReader(io.StringIO(table[table.index('"ID"') :])):
        if row["Kernel Name"].startswith("probe"):  # of nnlib.device
            continue
        name = re.split("[<(]", row["Kernel Name"].removeprefix("void "))[0]
        _, values = launches.setdefault(int(row["ID"]), (name, {}))
        if value := float(row["Metric Value"].replace(",", "")):
            values[row["Metric Name"]] = int(value) if value.is_integer() else value
    return [launches[number] for number in sorted(launches)]


def store(path: Path, data: Any) -> None:
    """JSON with where and when it was recorded; one line per entry, so that differences can be read."""
    import cupy

    about = {
        "gpu": device.find().name,
        "nvrtc": ".".join(map(str, cupy.cuda.nvrtc.getVersion())),
        "date": datetime.date.today().isoformat(),
        "options": list(OPTIONS),
    }
    if isinstance(data, dict):
        entries = ",\n".join(
            f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in data.items()
        )
        entries = "{\n" + entries + "\n}"
    else:
        entries = "[\n" + ",\n".join(f"  {json.dumps(row)}" for row in data) + "\n]"
    path.write_text(f'{{\n"about": {json.dumps(about)},\n"data": {entries}\n}}\n')


if __name__ == "__main__":
    task = sys.argv[1]
    if task == "launch":
        for each in CASES.values():
            launch(each)
    elif task == "broken":
        run_broken(sys.argv[2])
    else:
        {"results": record_results, "counters": record_counters, "sanitizer": record_sanitizer}[
            task
        ](Path(sys.argv[2]))
