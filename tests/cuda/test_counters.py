"""The simulator's counters against Nsight Compute's on an H200, over the corpus.

Exactly equal, except where the compiler changed what the text asks for; each such case is listed with what
it did. The GPU counts instructions on shared memory also where no lane is active (a predicate instead of a
branch), so there wavefronts and conflicts are compared, not instructions. Floating-point operations of the GPU are
its additions, its multiplications and twice its fused multiply-adds.
"""

import functools
import json
import statistics
from pathlib import Path

import pytest

from tests.cuda import corpus

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
CASES = {name: case for name, case in corpus.CASES.items() if case.recorded}
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

# Floating-point operations that differ, by what the machine does instead.
SEVERAL = "a division, a root or another function takes several additions and multiplications"
NONE = "a minimum, a maximum or a rounding is no addition and no multiplication"
LAST = "the last addition of a shuffle is left to the lanes whose result is used"
FLOPS = {
    **dict.fromkeys(["activations", "black_scholes", "softmax_rows", "layer_norm_warp", "average_pool", "cross_entropy",
                     "newton_sqrt", "mixed_precision", "n_body_forces", "transcendental", "mean_and_variance",
                     "box_blur_tiled"], SEVERAL),
    **dict.fromkeys(["maximum_by_cas", "pointers_to_locals"], NONE),
    **dict.fromkeys(["matvec_warp", "reduce_shuffle", "scan_warps"], LAST),
    "rounding": "both: roundings are free, the remainder is a division",
    "mandelbrot": "x * x and y * y are computed twice, multiplied once; divisions take several",
    "julia_double": "a division takes several",
    "reduce_shared_atomic": "a float atomicAdd on shared memory is a loop of additions and atomicCAS",
}


def measured(name, metrics):
    return sum(RECORDED[name].get(metric, 0) for metric in metrics)


def test_few_are_changed():
    assert len(RECORDED) == len(CASES) >= 130 and len(CHANGED) <= len(CASES) // 10


@functools.cache
def profiled(name):
    case = CASES[name]
    arguments, _ = case.arguments()
    kernel = case.compiled()
    return kernel.profile(case.grid, case.block, arguments, shared_mem=case.shared_mem)


def test_active_lanes_are_close():
    """Operations of the text stand in for the machine's instructions: nine in ten cases are within 2.5 lanes of 32."""
    lanes = [(profiled(name).active_lanes, measured(name, ["smsp__thread_inst_executed_per_inst_executed.ratio"]))
             for name in CASES]
    distances = [abs(ours - gpu) for ours, gpu in lanes]
    assert statistics.median(distances) < 0.25 and statistics.quantiles(distances, n=10)[-1] < 2.5


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_equals_nsight_compute(case):
    profile = profiled(case.name)
    flops = sum(factor * measured(case.name, [f"smsp__sass_thread_inst_executed_op_{kind}{operation}_pred_on.sum"])
                for kind in "fd" for operation, factor in (("add", 1), ("mul", 1), ("fma", 2)))
    assert (profile.flops == flops) == (case.name not in FLOPS), (profile.flops, flops)
    counted = {key: getattr(getattr(profile, key[0]), key[1]) for key in COMPARED}
    differing = {key[0] for key, metrics in COMPARED.items() if counted[key] != measured(case.name, metrics)}
    expected = set(CHANGED.get(case.name, ("",))[0].split())
    assert differing == expected, {key: (counted[key], measured(case.name, metrics))
                                   for key, metrics in COMPARED.items() if key[0] in differing | expected}
