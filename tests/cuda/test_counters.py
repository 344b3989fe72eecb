"""The simulator's counters against Nsight Compute's on an H200, over the corpus.

Exactly equal, except where the compiler changed what the text asks for; each such case is listed with what
it did. The GPU counts instructions on shared memory also where no lane is active (a predicate instead of a
branch), so there wavefronts and conflicts are compared, not instructions.
"""

import json
from pathlib import Path

import pytest

from nnlib.cuda import RawModule
from tests.cuda.corpus import CASES

RECORDED = json.loads((Path(__file__).parent / "golden" / "counters.json").read_text())["data"]
COMPARED = {
    ("global_load", "requests"): ["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"],
    ("global_load", "sectors"): ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"],
    ("global_store", "requests"): ["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"],
    ("global_store", "sectors"): ["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"],
    ("global_atomic", "requests"): ["l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
                                    "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"],
    ("shared_load", "wavefronts"): ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"],
    ("shared_load", "bank_conflicts"): ["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"],
    ("shared_store", "wavefronts"): ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"],
    ("shared_store", "bank_conflicts"): ["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"],
}
# case: (kinds of access that differ, what the compiler did)
CHANGED = {
    "odd_even_branches": ("global_load", "both branches read x[i]: loaded once, before the branch"),
    "mixed_signs": ("global_load", "a[i] and b[i] are read several times, loaded fewer times"),
    "short_circuit": ("global_load", "x[i] is read twice, loaded once"),
    "morton": ("global_load", "x[i] and y[i] do not change in the loop: loaded before it"),
    "sobel": ("global_load", "neighbours in both gradients are read twice, loaded once"),
    "half_warp_sum": ("global_load", "the load is moved into the branch that uses it"),
    "matmul_tiled_unrolled": ("shared_load", "four neighbours in a row of the tile become one 16-byte load"),
    "k_means_assign": ("shared_load", "pairs, and after unrolling fours, become 8- and 16-byte loads"),
    "scan_blelloch": ("shared_load shared_store", "s[2 * t] and s[2 * t + 1] become one 8-byte access"),
    "reduce_shared_atomic": ("shared_load", "a float atomicAdd on shared memory is a loop of loads and atomicCAS"),
}


def measured(name, metrics):
    return sum(RECORDED[name].get(metric, 0) for metric in metrics)


def test_few_are_changed():
    assert len(RECORDED) == len(CASES) >= 130 and len(CHANGED) <= len(CASES) // 10


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_equals_nsight_compute(case):
    arguments, _ = case.arguments()
    kernel = RawModule(case.text, options=case.options).get_function(case.kernel)
    profile = kernel.profile(case.grid, case.block, arguments, shared_mem=case.shared_mem)
    counted = {key: getattr(getattr(profile, key[0]), key[1]) for key in COMPARED}
    differing = {key[0] for key, metrics in COMPARED.items() if counted[key] != measured(case.name, metrics)}
    expected = set(CHANGED.get(case.name, ("",))[0].split())
    assert differing == expected, {key: (counted[key], measured(case.name, metrics))
                                   for key, metrics in COMPARED.items() if key[0] in differing | expected}
