"""Programs of random_programs.py print what they print when g++ has compiled them, also where loops are native code."""

import shutil

import pytest

from nnlib.cuda import Program
from nnlib.cuda._engine.switches import native_code
from tests.cuda.host.random_programs import compiled, program
from tests.cuda.native.launching import target


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ says what is right")
@pytest.mark.parametrize("first", range(0, 200, 20))
def test_they_print_what_g_plus_plus_makes_them_print(first, loops_on):
    loops_on(target("llvm" if first < 40 else "wasm"))
    texts = [program(seed) for seed in range(first, first + 20)]
    for seed, (text, expected) in enumerate(zip(texts, compiled(texts), strict=True), first):
        assert Program(text).run().output == expected, f"seed {seed}"
        with native_code(False):
            assert seed % 4 or Program(text).run().output == expected, f"seed {seed}, interpreted"
