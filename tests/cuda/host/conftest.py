"""Limits of a program small enough to be met, and engines of choice for its loops."""

from collections.abc import Callable

import pytest

from nnlib.cuda._engine.host.loops import code, running
from nnlib.cuda._engine.host.runtime import address_space, files, heap, output
from nnlib.cuda._engine.native import policy

LIMITS = {
    "memory": [(address_space, "LIMIT")],
    "freed": [(address_space, "REMEMBERED"), (heap, "REMEMBERED")],
    "printed": [(output, "MOST_PRINTED")],
    "written": [(files, "MOST")],
    "iterations": [(running, "MOST_ITERATIONS")],
    "iterations_at_once": [(running, "BUDGET")],
    "numbers": [(running, "NUMBERS")],
    "stores": [(code, "LOGGED")],
}


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """limits(memory=1 << 18) gives programs so little of it; LIMITS has the names."""

    def set_limits(**most: int) -> None:
        for name, value in most.items():
            for module, constant in LIMITS[name]:
                monkeypatch.setattr(module, constant, value)

    return set_limits


@pytest.fixture
def loops_on(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """loops_on(engine) runs loops there from their first turn on; None: nowhere but in the interpreter."""

    def choose(engine: object) -> None:
        monkeypatch.setattr(running, "HOT", 0)
        monkeypatch.setattr(policy, "engine", lambda: engine)

    return choose
