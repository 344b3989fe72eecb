"""Textbook kernels have the bits of an H200 in the simulator and on any GPU.

The simulator runs with every check on: a right kernel that were accused of something would fail here.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from nnlib.cuda import force_simulator
from tests.cuda.corpus import CASES
from tests.cuda.golden.record import checksum, corpus_results, launch

RECORDED = json.loads((Path(__file__).parent / "golden" / "corpus.json").read_text())["data"]
UNKNOWN = (
    "what a GPU made of these is not in tests/cuda/golden; see UNRECORDED in tests/cuda/corpus"
)
ALL = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def ulps_apart(one, other):
    """The largest distance of two lists of float bits, counted in representable numbers."""
    ordered = [
        np.where(bits < 0, -(2**31) - bits, bits) for bits in (np.array(one), np.array(other))
    ]
    return np.abs(ordered[0] - ordered[1]).max()


def test_there_are_many():
    assert len({case.kernel for case in CASES.values()}) >= 90


def test_what_a_gpu_made_of_every_recorded_topic_is_known():
    assert not {name for name, case in CASES.items() if case.recorded} - RECORDED.keys(), UNKNOWN


def agrees_with_the_h200(case, arguments):
    found = corpus_results(case, arguments)
    for at, wanted in RECORDED[case.name].items() if case.recorded else ():
        message = f"argument {at} differs from the H200's"
        if isinstance(wanted, list):
            assert ulps_apart(found[at], wanted) <= case.ulps, message
        else:
            assert found[at] == wanted, message


@ALL
def test_simulator(case):
    with force_simulator():
        arguments = launch(case)
    agrees_with_the_h200(case, arguments)


@ALL
def test_simulator_without_checks(case):
    arguments = case.arguments()
    with force_simulator():
        case.compiled()(case.grid, case.block, arguments, shared_mem=case.shared_mem, checks=False)
    agrees_with_the_h200(case, arguments)


@pytest.mark.gpu
@ALL
def test_gpu(case):
    agrees_with_the_h200(case, launch(case))


def test_the_comparison_can_fail():
    a = np.float32([1, -1, 0]).view(np.int32)
    assert ulps_apart(a, a) == 0 and ulps_apart(a, a + np.array([0, 3, 0])) == 3
    assert ulps_apart(np.float32([0.0]).view(np.int32), np.float32([-0.0]).view(np.int32)) == 0
    assert checksum(np.zeros(3)) != checksum(np.float64([0, 0, 1e-300]))
