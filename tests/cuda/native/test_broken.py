"""Wrong kernels: native code stops where the simulator does, or the mistake is of a kind that only checks look for."""

from __future__ import annotations

import pytest

from nnlib.cuda import KernelError, RawModule, force_simulator
from nnlib.cuda.native.lowering import control
from nnlib.cuda.native.refusal import Refusal
from tests.cuda.native.launching import natively
from tests.cuda.test_broken import BROKEN, NAMES, Broken

# Mistakes that native code finds itself; the other kinds are the first, checked launch's.
FOUND = {"OutOfBoundsError": "bounds", "KernelArithmeticError": "division by zero", "KernelTimeoutError": "endless"}


@pytest.mark.parametrize("broken", [one for one in BROKEN if one.error in FOUND], ids=lambda broken: broken.kernel)
def test_native_code_stops_at_the_mistake(broken: Broken, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "BUDGET", 100_000)
    given = eval(f"({broken.launch},)", dict(NAMES))
    with force_simulator():
        kernel = RawModule(broken.text).get_function(broken.kernel)
        try:
            met = natively(kernel, *given, way=("wasm", 1))
        except Refusal:
            pytest.skip("refused")
        except KernelError as error:
            assert type(error).__name__ == broken.error
            return
    assert met == FOUND[broken.error]
