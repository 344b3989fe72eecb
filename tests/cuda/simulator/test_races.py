"""Races by CUDA's rules: pairs of a wrong kernel and its repair."""

from contextlib import nullcontext

import numpy as np
import pytest

from nnlib.cuda import RaceError
from nnlib.cuda._engine.simulator.observers.races import judge
from nnlib.cuda._engine.simulator.observers.races import observer as races

from . import kernel, run


def launch(body, before="", block=64, grid=2, **options):
    """Kernel with a global array o of 128 elements."""
    o = np.arange(128, dtype=np.float32)
    return run(kernel("float* o", body, before), [o], block, grid, **options), o


def accused(wrong, words):
    """A launch is accused of a race in these words, or, if nothing is wrong, of nothing."""
    return pytest.raises(RaceError, match=words) if wrong else nullcontext()


@pytest.mark.parametrize(
    "kind, same, other",
    [
        ("float", "1", "2"),
        ("float2", "make_float2(3, 1)", "make_float2(3, 2)"),
        ("int", "1", "-1"),
        ("float2", "make_float2(3, 1)", "make_float2(1, 1)"),
        ("float", "NAN", "1"),
        ("float4", "make_float4(1, 1, 1, 1)", "make_float4(1, 1, 1, 2)"),
    ],
)
def test_a_store_that_changes_nothing_is_a_note(kind, same, other):
    """Of whole vectors: in each part."""
    body = f"{kind}* p = ({kind}*)o; int t = threadIdx.x;\nif (t == 0) p[5] = {same};\nif (t == 40) p[5] = %s;"
    launch(body % same, grid=1)
    with pytest.raises(RaceError, match=r"o\[\d+\]"):
        launch(body % other, grid=1)


@pytest.mark.parametrize(
    "order", ["", "__syncwarp();", "__threadfence();"]
)  # the last two: pair by pair
@pytest.mark.parametrize("grid, block", [(2, 64), (100, 512)])
def test_same_value_is_a_note(grid, block, order):
    profile, _ = launch(f"{order} o[3] = 1.0f;", "", block, grid, profile=True)
    assert len(profile.warnings) >= 1 and "same value" in profile.warnings[0]


def test_long_logs_are_folded(monkeypatch):
    folds, remembered = [], judge.remembered
    monkeypatch.setattr(races, "LOG_LIMIT", 1000)
    monkeypatch.setattr(
        judge, "remembered", lambda record: folds.append(record) or remembered(record)
    )
    body = "int i = blockIdx.x * 64 + threadIdx.x; for (int k = 0; k < 20; k++) o[i ^ k ^ k] += o[i] * k;"
    launch(body)
    assert len(folds) > 1
    with pytest.raises(RaceError):
        launch(body + "\no[127 - i] = 1;")
