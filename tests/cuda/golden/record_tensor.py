"""What tensor cores compute and count, stored for machines without them.

    python -m tests.cuda.golden.record_tensor counters FOLDER   tensor_counters.json, with Nsight Compute (ncu)
    python -m tests.cuda.golden.record_tensor sums FOLDER       tensor_sums.npz: sums of one instruction each

Run on a machine with an NVIDIA GPU of compute capability 9.0; then copy what it wrote into tests/cuda/golden.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from nnlib.cuda import RawModule
from tests.cuda.golden.record import counted, store
from tests.cuda.simulator.tensor_cases import NAMED
from tests.cuda.simulator.tensor_sums import INSTRUCTIONS, REGIMES, TILES, Instruction

METRICS = [
    "sm__inst_executed_pipe_tensor_op_hmma.sum", "sm__inst_executed_pipe_tensor_op_imma.sum",
    "smsp__inst_executed_pipe_tensor.sum", "smsp__inst_executed_op_ldsm.sum", "smsp__sass_inst_executed_op_ldsm.sum",
    "smsp__sass_inst_executed_op_ldgsts.sum",
    "smsp__inst_executed_op_shared_ld.sum", "smsp__inst_executed_op_shared_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
]


def launch_all() -> None:
    for case in NAMED.values():
        RawModule(code=case.text).get_function("k")(1, case.threads, case.arguments())


def record_counters(folder: Path) -> None:
    launches = counted(METRICS, folder / "tensor_ncu.csv", "tests.cuda.golden.record_tensor", "launch")
    store(folder / "tensor_counters.json", dict(zip(NAMED, (values for _, values in launches), strict=True)))
    print(f"counters of {len(launches)} launches")


def sums(instruction: Instruction, regime: str) -> np.ndarray:
    """D of every tile, as this machine computes it."""
    a, b, c = instruction.arguments(regime)
    d = np.zeros_like(c)
    RawModule(code=instruction.text).get_function("k")(TILES, 32, (a, b, c, d))
    return d


def record_sums(folder: Path) -> None:
    found = {f"{instruction.name} {regime}": sums(instruction, regime)
             for instruction in INSTRUCTIONS for regime in REGIMES}
    np.savez_compressed(folder / "tensor_sums.npz", **found)
    print(f"sums of {len(found)} kinds")


if __name__ == "__main__":
    if sys.argv[1] == "launch":
        launch_all()
    else:
        {"counters": record_counters, "sums": record_sums}[sys.argv[1]](Path(sys.argv[2]))
