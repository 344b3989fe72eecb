"""Wrong kernels: native code stops where the simulator does, or the mistake is of a kind that only checks look for."""

from __future__ import annotations

import os

import pytest

from nnlib.cuda._engine.native.lowering import control
from tests.cuda.native.wrong_kernels import LISTED, met, wrong_launches

# Mistakes that native code finds itself; the other kinds are the first, checked launch's.
FOUND = {
    "OutOfBoundsError": "bounds",
    "KernelArithmeticError": "division by zero",
    "MisalignedAccessError": "misaligned",
}
WRONG = wrong_launches()


def test_every_wrong_kernel_is_listed_and_what_native_code_can_find_it_finds() -> None:
    assert set(LISTED) == set(WRONG), "run python -m tests.cuda.native.wrong_kernels"
    assert len(WRONG) >= 130
    for error, found in LISTED.values():
        assert error not in FOUND or found == FOUND[error] or found.startswith("refused: ")


@pytest.mark.parametrize("name", list(WRONG)[:: 1 if os.environ.get("NNLIB_NIGHTLY") else 4])
def test_native_code_meets_what_is_listed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "BUDGET", 100_000)
    assert met(WRONG[name]) == LISTED[name][1]
