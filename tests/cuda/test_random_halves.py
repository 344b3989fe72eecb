"""Random kernels of halves compute what exact fractions say, in the simulator and on a GPU."""

import os

import pytest

from nnlib.cuda import RawKernel, force_simulator

from .random_halves import Kernel, value

SEEDS = range(400 if os.environ.get("NNLIB_NIGHTLY") else 12)


def run(kernel):
    arguments = kernel.arguments()
    RawKernel(kernel.text, "k", options=("--fmad=false",))(1, 32, tuple(arguments))
    return [[value(bits, kernel.kind) for bits in row] for row in arguments[1].view("u2")]


@pytest.mark.parametrize("seed", SEEDS)
def test_simulator(seed):
    kernel = Kernel(seed)
    with force_simulator():
        assert run(kernel) == kernel.wanted(), kernel.text


@pytest.mark.gpu
@pytest.mark.parametrize("seed", range(40))
def test_gpu(seed):
    kernel = Kernel(seed)
    assert run(kernel) == kernel.wanted(), kernel.text
