"""Tensor cores: results, counters, and what is said of wrong kernels."""

from __future__ import annotations

import csv
import functools
import json
from pathlib import Path

import numpy as np
import pytest

from nnlib.cuda import RawModule, force_simulator
from nnlib.cuda._engine.simulator.functions.aligned_sum import aligned_sum
from nnlib.cuda._engine.simulator.functions.fragments import tile
from tests.cuda.golden.record import checksum

from .tensor_cases import PTX, WMMA
from .tensor_launches import LAUNCHES
from .tensor_sums import INSTRUCTIONS, REGIMES

GOLDEN = Path(__file__).parents[1] / "golden"
USES = {"a": 0, "b": 1, "acc": 2}
PACKED = {"signed char": 4, "precision::tf32": 1}


def launch(case, seed=0, profile=False):
    a, b, c = case.arguments(seed)
    kernel = RawModule(code=case.text).get_function("k")
    run = kernel.profile if profile else kernel
    return a, b, c, run(1, case.threads, (a, b, c))


FRAGMENTS = list(csv.DictReader((GOLDEN / "fragments.csv").open()))


@pytest.mark.parametrize("row", FRAGMENTS, ids=lambda row: "-".join(list(row.values())[:5]))
def test_elements_lie_where_an_h200_has_them(row):
    own = tile(
        USES[row["use"]], (int(row["m"]), int(row["n"]), int(row["k"])), PACKED.get(row["type"], 2)
    )
    for k, element in enumerate(row["elements"].split()):
        places = [(int(element[i], 32), int(element[i + 1], 32)) for i in range(0, 64, 2)]
        assert places == list(
            zip(
                own.rows[k % own.lane_elements],
                own.columns[k % own.lane_elements],
                strict=True,
            )
        )


@pytest.mark.parametrize("case", [*WMMA, *PTX], ids=lambda case: f"{case.types}{case.shape}")
def test_products_are_numpys(case):
    a, b, c, _ = launch(case)
    expected, off = case.expected(a, b)
    assert np.abs(c - expected).max() <= off


SUMS = json.loads((GOLDEN / "tensor_sums.json").read_text())["data"]
COUNTERS = json.loads((GOLDEN / "tensor_counters.json").read_text())["data"]
COPIES = "smsp__sass_inst_executed_op_ldgsts.sum"  # which ncu counts by themselves, the simulator with the stores
COMPARED = {
    ("tensor_instructions",): ["smsp__inst_executed_pipe_tensor.sum"],
    ("shared_load", "wavefronts"): ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"],
    ("shared_load", "bank_conflicts"): ["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"],
    ("shared_store", "wavefronts"): ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"],
    ("shared_store", "bank_conflicts"): [
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
        "smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts.sum",
    ],
    ("global_load", "requests"): ["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"],
    ("global_load", "sectors"): ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"],
    ("global_store", "requests"): ["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"],
    ("global_store", "sectors"): ["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"],
}


def test_all_that_was_recorded_is_compared():
    assert LAUNCHES.keys() == COUNTERS.keys() < SUMS.keys()
    assert len(SUMS) - len(LAUNCHES) == len(INSTRUCTIONS) * len(REGIMES) == 56


@pytest.mark.parametrize("name", LAUNCHES)
def test_counters_and_results_equal_an_h100s(name):
    """Tensor instructions, wavefronts and conflicts of shared memory, requests and sectors of global; and every bit.

    How many wavefronts asynchronous copies take depends on when their data come: there, their number is compared.
    """
    counted, profile = COUNTERS[name], LAUNCHES[name].profile()
    ours = {
        key: functools.reduce(getattr, key, profile if len(key) == 1 else profile.as_compiled)
        for key in COMPARED
    }
    if COPIES in counted:
        del ours["shared_store", "wavefronts"]
        assert profile.shared_store.requests == counted[COPIES]
    assert ours == {key: sum(counted.get(metric, 0) for metric in COMPARED[key]) for key in ours}
    assert checksum(LAUNCHES[name].arguments[2]) == SUMS[name]


@pytest.mark.parametrize("regime", REGIMES)
@pytest.mark.parametrize("instruction", INSTRUCTIONS, ids=lambda instruction: instruction.name)
def test_sums_are_an_h100s_bit_for_bit(instruction, regime):
    """8,192 sums of each instruction, with terms of like and of very different magnitude, cancelling, tiny and huge."""
    assert checksum(instruction.result(regime)) == SUMS[f"{instruction.name} {regime}"]


@pytest.mark.parametrize("start", [1, -1, 2])
def test_terms_below_the_adder_are_lost_even_if_they_would_add_up(start):
    row = np.full((1, 16), 2.0**-13)
    assert aligned_sum(row, row.T, np.full((1, 1), start, np.float32)) == start


def test_how_far_such_sums_are_from_exact_ones():
    """In units of 2**-23 of the largest term, as the README states it."""
    worst = max(
        instruction.deviation(regime)
        for instruction in INSTRUCTIONS
        if instruction.total == "f32"
        for regime in REGIMES
        if regime != "tiny"
    )
    assert 4.9 < worst < 5.0


@pytest.mark.gpu
@pytest.mark.parametrize("name", LAUNCHES)
def test_this_gpu_is_no_farther_off_than_an_h100(name):
    launch = LAUNCHES[name]
    with force_simulator():
        ours = launch.result().astype(np.float64)
        relative = 2.0**-9 if launch.arguments[2].dtype == np.float16 else 1e-5
    off = np.abs(launch.result().astype(np.float64) - ours).max()
    assert off <= relative * np.abs(ours).max()
