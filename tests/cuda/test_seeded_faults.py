"""Careless edits of textbook kernels: each that is a fault is named.

Every tenth edit here, all with NNLIB_NIGHTLY=1. One that nobody names must be one that breaks no rule of CUDA: it makes
no difference, or another computation of allowed accesses.
"""

import os

import pytest

from nnlib.cuda import KernelError, force_simulator
from tests.cuda.seeded_faults import seeded

MUTANTS = list(seeded())
ASKED = MUTANTS if os.environ.get("NNLIB_NIGHTLY") else MUTANTS[::10]
ANOTHER_COMPUTATION = {
    "copy_offset: guard off by one 1",
    "copy_offset: guard missing 1",
    "take_tickets: guard off by one 1",
    "take_tickets: guard missing 1",
    "is_prime: guard off by one 1",
    "is_prime: guard missing 1",
    "col2im: guard off by one 1",
    "k_means_assign: guard missing 1",
    "scan_warps: neighbour's element 1",
    "binary_search: guard missing 1",
}


def test_there_are_many():
    assert len(MUTANTS) >= 300 and len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)


@pytest.mark.parametrize("mutant", ASKED, ids=lambda mutant: mutant.name)
def test_a_fault_is_named(mutant):
    with force_simulator():
        try:
            arguments = mutant.launch()
        except KernelError as error:
            assert error.what and error.kernel == mutant.case.kernel
        else:
            assert mutant.is_wrong(arguments) == (mutant.name in ANOTHER_COMPUTATION)
