"""Every launch of the corpus that native code takes has the simulator's bits; what it refuses is written down."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nnlib.cuda import force_simulator, native_code
from nnlib.cuda._engine.language.refusal import Refusal
from tests.cuda.corpus import CASES, Case
from tests.cuda.native.launching import WAYS, natively, same_bits

REFUSALS = dict(
    line.split(": ", 1)
    for line in (Path(__file__).parent / "refusals.txt").read_text().splitlines()
)


def _arrays(case: Case) -> list:
    return case.arguments()


@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way[0]}-{way[1] or 'lanes'}")
@pytest.mark.parametrize("name", [name for name in CASES if name not in REFUSALS])
def test_a_native_launch_has_the_bits_of_the_simulator(name: str, way: tuple[str, int]) -> None:
    case, native, simulated = CASES[name], _arrays(CASES[name]), _arrays(CASES[name])
    with force_simulator(), native_code(False):
        try:
            assert (
                natively(case.compiled(), case.grid, case.block, native, case.shared_mem, way) == ""
            )
        except Refusal as refusal:
            if way == ("wasm", 1) or str(refusal) != "lanes of 64 bits":
                raise
            pytest.skip("WebAssembly has no such lanes")
        case.compiled()(case.grid, case.block, simulated, case.shared_mem, checks=False)
    for mine, wanted in zip(native, simulated, strict=True):
        if isinstance(mine, np.ndarray):
            assert same_bits(mine, wanted)


@pytest.mark.parametrize("name", [name for name in CASES if name not in REFUSALS])
def test_code_for_every_size_has_the_same_bits(name: str) -> None:
    case, native, simulated = CASES[name], _arrays(CASES[name]), _arrays(CASES[name])
    with force_simulator(), native_code("required"):
        case.compiled()(case.grid, case.block, native, case.shared_mem, checks=False)
    with force_simulator(), native_code(False):
        case.compiled()(case.grid, case.block, simulated, case.shared_mem, checks=False)
    for mine, wanted in zip(native, simulated, strict=True):
        if isinstance(mine, np.ndarray):
            assert same_bits(mine, wanted)


@pytest.mark.parametrize("name", REFUSALS)
def test_a_refusal_names_what_stands_in_the_way(name: str) -> None:
    """A launch that is no longer refused has to leave refusals.txt."""
    case = CASES[name]
    with force_simulator(), pytest.raises(Refusal) as refusal:
        natively(
            case.compiled(), case.grid, case.block, _arrays(case), case.shared_mem, ("wasm", 1)
        )
    assert str(refusal.value) == REFUSALS[name]


def test_at_least_85_percent_of_the_corpus_launches_native() -> None:
    assert len(REFUSALS) <= 0.15 * len(CASES)
