"""Record the results and counters of tensor cores, for tests on machines without them.

    python -m tests.cuda.golden.record_tensor counters FOLDER   tensor_counters.json, with Nsight Compute (ncu)
    python -m tests.cuda.golden.record_tensor sums FOLDER       tensor_sums.json: checksums of what they compute

Run on a machine with an NVIDIA GPU of compute capability 9.0; then copy the .json files into tests/cuda/golden.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.cuda.golden.record import checksum, counted, store
from tests.cuda.simulator.tensor_launches import LAUNCHES
from tests.cuda.simulator.tensor_sums import INSTRUCTIONS, REGIMES

METRICS = """
    smsp__inst_executed_pipe_tensor.sum sm__inst_executed_pipe_tensor_op_hmma.sum
    sm__inst_executed_pipe_tensor_op_imma.sum smsp__inst_executed_op_ldsm.sum
    smsp__sass_inst_executed_op_ldgsts.sum
    smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm.sum
    smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ldsm.sum
    smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum
    smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts.sum
    l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
    l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum
    l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum
    l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum
    l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
    l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
    l1tex__t_requests_pipe_lsu_mem_global_op_st.sum
    l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
    """.split()


def record_counters(folder: Path) -> None:
    launches = counted(
        METRICS, folder / "tensor_ncu.csv", "tests.cuda.golden.record_tensor", "launch"
    )
    store(
        folder / "tensor_counters.json",
        dict(zip(LAUNCHES, (values for _, values in launches), strict=True)),
    )
    print(f"counters of {len(launches)} launches")


def record_sums(folder: Path) -> None:
    found = {name: checksum(launch.result()) for name, launch in LAUNCHES.items()}
    found |= {
        f"{instruction.name} {regime}": checksum(instruction.result(regime))
        for instruction in INSTRUCTIONS
        for regime in REGIMES
    }
    store(folder / "tensor_sums.json", found)
    print(f"checksums of {len(found)} results")


if __name__ == "__main__":
    if sys.argv[1] == "launch":
        for each in LAUNCHES.values():
            each.result()
    else:
        {"counters": record_counters, "sums": record_sums}[sys.argv[1]](Path(sys.argv[2]))
