"""Random kernels, right by construction: the simulator accuses none and computes the H200's bits.

NNLIB_RANDOM_KERNELS=2048 compares all that are stored (minutes) instead of the first hundred.
"""

import json
import os
import zlib
from pathlib import Path

import pytest

from nnlib.cuda import force_simulator
from tests.cuda import random_kernels
from tests.cuda.golden.record import checksum, random_results

RECORDED = json.loads((Path(__file__).parent / "golden" / "random.json").read_text())["data"]
COUNT = int(os.environ.get("NNLIB_RANDOM_KERNELS", "100"))


def test_two_thousand_are_stored():
    assert len(RECORDED) >= 2000


@pytest.mark.parametrize("first", range(0, COUNT, 10))
def test_equals_the_h200(first):
    for seed in range(first, min(first + 10, len(RECORDED))):
        text, result = RECORDED[seed]
        assert zlib.crc32(random_kernels.source([seed]).encode()) == text, (
            "the generator changed: record again"
        )
        with force_simulator():
            assert checksum(*random_results(range(seed, seed + 1))[0]) == result, (
                f"kernel k{seed} differs"
            )


@pytest.mark.gpu
def test_this_gpu():
    for seed, result in enumerate(random_results(range(64))):
        assert checksum(*result) == RECORDED[seed][1], f"kernel k{seed} differs from the H200's"
