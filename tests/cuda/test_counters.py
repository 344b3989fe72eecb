"""The simulator's counters against Nsight Compute's on an H200, over the corpus.

Exactly equal as compiled, except where the compiler did what is not foreseen; each such case is listed with what
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
    ("global_atomic", "requests"): [
        "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
        "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
    ],
    ("shared_load", "wavefronts"): ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"],
    ("shared_load", "bank_conflicts"): ["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"],
    ("shared_store", "wavefronts"): ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"],
    ("shared_store", "bank_conflicts"): [
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"
    ],
}
CASES = {name: case for name, case in corpus.CASES.items() if case.recorded}
# case: (kinds of access that differ as compiled, what the compiler did)
WIDER = "neighbours in shared memory become one wider access, in loops when they are unrolled"
CHANGED = {
    "short_circuit": (
        "global_load",
        "x[i] is read under two conditions, loaded once where both hold",
    ),
    "half_warp_sum": ("global_load", "the load is moved into the branch that uses it"),
    "reduce_shared_atomic": (
        "shared_load",
        "a float atomicAdd on shared memory is a loop of loads and atomicCAS",
    ),
    "grid_reversed": (
        "global_load global_atomic",
        "grid.sync() itself loads, and counts with an atomic",
    ),
    "advance": (
        "global_load global_store",
        "of a struct that is copied, what nobody uses or changes stays",
    ),
    "heaviest": (
        "shared_load shared_store",
        "of a struct that is copied, what nobody uses or changes stays",
    ),
    "scan_blelloch": ("shared_load shared_store", WIDER),
    **dict.fromkeys(
        [
            "matmul_tiled_unrolled",
            "k_means_assign",
            "block_sum",
            "tile_sums<float, 16>",
            "tile_sums<double>",
            "tile_sums<int, 1 << 5>",
        ],
        ("shared_load", WIDER),
    ),
    **dict.fromkeys(
        ["mapped_struct<float>", "mapped_struct<int>"],
        ("global_store", "a function is called twice: what it stores first is overwritten"),
    ),
}

# Floating-point operations that differ, by what the machine does instead.
SEVERAL = "a division, a root or another function takes several additions and multiplications"
NONE = "a minimum, a maximum or a rounding is no addition and no multiplication"
LAST = "the last addition of a shuffle is left to the lanes whose result is used"
TWICE = "what is computed twice, in functions or operators, is computed once"
FLOPS = {
    **dict.fromkeys(
        """
        activations black_scholes softmax_rows layer_norm_warp average_pool cross_entropy
        newton_sqrt mixed_precision n_body_forces transcendental mean_and_variance
        box_blur_tiled
        """.split(),
        SEVERAL,
    ),
    **dict.fromkeys(["maximum_by_cas", "pointers_to_locals"], NONE),
    **dict.fromkeys(["matvec_warp", "reduce_shuffle", "scan_warps", "block_sum"], LAST),
    **dict.fromkeys(
        ["advance", "mandelbrot_class", "mapped_struct<float>", "mapped<square, float>"], TWICE
    ),
    "rounding": "both: roundings are free, the remainder is a division",
    "mandelbrot": "x * x and y * y are computed twice, multiplied once; divisions take several",
    "julia_double": "a division takes several",
    "reduce_shared_atomic": "a float atomicAdd on shared memory is a loop of additions and atomicCAS",
}


def measured(name, metrics):
    return sum(RECORDED[name].get(metric, 0) for metric in metrics)


def test_few_are_changed():
    assert len(RECORDED) == len(CASES) >= 150 and len(CHANGED) <= len(CASES) // 10


def test_most_are_what_is_written():
    """Where no value is kept in a register, the text as written is what the machine does."""
    assert sum(not profiled(name).kept for name in CASES) >= 0.9 * len(CASES)


@functools.cache
def profiled(name):
    case = CASES[name]
    arguments = case.arguments()
    kernel = case.compiled()
    return kernel.profile(case.grid, case.block, arguments, shared_mem=case.shared_mem)


def test_active_lanes_are_close():
    """Operations of the text stand in for the machine's instructions: nine in ten cases are within 3 lanes of 32."""
    lanes = [
        (
            profiled(name).active_lanes,
            measured(name, ["smsp__thread_inst_executed_per_inst_executed.ratio"]),
        )
        for name in CASES
    ]
    distances = [abs(ours - gpu) for ours, gpu in lanes]
    assert statistics.median(distances) < 0.25 and statistics.quantiles(distances, n=10)[-1] < 3


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_equals_nsight_compute(case):
    profile = profiled(case.name)
    flops = sum(
        factor
        * measured(case.name, [f"smsp__sass_thread_inst_executed_op_{kind}{operation}_pred_on.sum"])
        for kind in "fd"
        for operation, factor in (("add", 1), ("mul", 1), ("fma", 2))
    )
    assert (profile.flops == flops) == (case.name not in FLOPS), (profile.flops, flops)
    counted = {key: getattr(getattr(profile.as_compiled, key[0]), key[1]) for key in COMPARED}
    differing = {
        key[0] for key, metrics in COMPARED.items() if counted[key] != measured(case.name, metrics)
    }
    expected = set(CHANGED.get(case.name, ("",))[0].split())
    assert differing == expected, {
        key: (counted[key], measured(case.name, metrics))
        for key, metrics in COMPARED.items()
        if key[0] in differing | expected
    }
