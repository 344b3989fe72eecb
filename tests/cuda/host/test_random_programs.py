"""Programs of random_programs.py print what they print when g++ has compiled them."""

import shutil

import pytest

from nnlib.cuda import Program
from tests.cuda.host.random_programs import compiled, program


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ says what is right")
@pytest.mark.parametrize("first", range(0, 200, 20))
def test_they_print_what_g_plus_plus_makes_them_print(first):
    for seed in range(first, first + 20):
        text = program(seed)
        assert Program(text).run().output == compiled(text), f"seed {seed}"
