"""Races by CUDA's rules: pairs of a wrong kernel and its repair."""

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
