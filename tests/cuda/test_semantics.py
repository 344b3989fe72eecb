"""C++ as g++ understands it: the same text gives the same bits in the simulator and on a GPU."""

import json

import numpy as np
import pytest

from nnlib.cuda import RawKernel, force_simulator
from tests.cuda.semantics.record import EXPECTED, NAMES, inputs, text

RESULTS = json.loads(EXPECTED.read_text())


def agrees(name):
    x, p = inputs()
    RawKernel(text(name), name, options=("--fmad=false",))(1, 1, (x, p))
    np.testing.assert_array_equal(p, RESULTS[name]["ints"])
    np.testing.assert_array_equal(x.view(np.int32), RESULTS[name]["floats as bits"])


def test_every_kernel_is_recorded():
    assert sorted(RESULTS) == NAMES and len(NAMES) >= 14
    x, p = inputs()
    for result in RESULTS.values():  # each writes something
        assert result != {"floats as bits": x.view(np.int32).tolist(), "ints": p.tolist()}


@pytest.mark.parametrize("name", NAMES)
def test_simulator(name):
    with force_simulator():
        agrees(name)


@pytest.mark.gpu
@pytest.mark.parametrize("name", NAMES)
def test_gpu(name):
    agrees(name)
