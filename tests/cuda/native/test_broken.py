"""Wrong kernels: native code stops where the simulator does, or the mistake is of a kind that only checks look for."""

from __future__ import annotations

import os

import pytest

from nnlib.cuda._engine.native.lowering import control
from tests.cuda.native.wrong_kernels import FILE, Wrong, wrong_kernels

# Mistakes that native code finds itself; the other kinds are the first, checked launch's.
FOUND = {
    "OutOfBoundsError": "bounds",
    "KernelArithmeticError": "division by zero",
    "MisalignedAccessError": "misaligned",
}
WRONG = list(wrong_kernels())
ASKED = WRONG if os.environ.get("NNLIB_NIGHTLY") else WRONG[::4]
LISTED = {
    name: (error, met)
    for name, error, met in (line.split("\t") for line in FILE.read_text().splitlines())
}


def test_every_wrong_kernel_is_listed() -> None:
    assert set(LISTED) == {wrong.name for wrong in WRONG}, (
        "run python -m tests.cuda.native.wrong_kernels"
    )
    assert len(WRONG) >= 130


@pytest.mark.parametrize("name", [name for name, (error, _) in LISTED.items() if error in FOUND])
def test_what_native_code_can_find_it_finds(name: str) -> None:
    error, met = LISTED[name]
    assert met == FOUND[error] or met.startswith("refused: ")


@pytest.mark.parametrize("wrong", ASKED, ids=lambda wrong: wrong.name)
def test_native_code_meets_what_is_listed(wrong: Wrong, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "BUDGET", 100_000)
    assert wrong.native() == LISTED[wrong.name][1]
