"""Tensor cores: results, counters, and what is said of wrong kernels."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from nnlib.cuda import KernelError, RawModule
from nnlib.cuda.simulator.functions.fragments import tile

from .tensor_cases import PTX, WMMA, WRONG, wrong

GOLDEN = Path(__file__).parents[1] / "golden" / "fragments.csv"
USES = {"a": 0, "b": 1, "acc": 2}
PACKED = {"signed char": 4, "precision::tf32": 1}


def launch(case, seed=0, profile=False):
    a, b, c = case.arguments(seed)
    kernel = RawModule(code=case.text).get_function("k")
    run = kernel.profile if profile else kernel
    return a, b, c, run(1, case.threads, (a, b, c))


@pytest.mark.parametrize("row", list(csv.DictReader(GOLDEN.open())), ids=lambda row: "-".join(list(row.values())[:5]))
def test_elements_lie_where_an_h200_has_them(row):
    own = tile(USES[row["use"]], (int(row["m"]), int(row["n"]), int(row["k"])), PACKED.get(row["type"], 2))
    for k, element in enumerate(row["elements"].split()):
        places = [(int(element[i], 32), int(element[i + 1], 32)) for i in range(0, 64, 2)]
        assert places == list(zip(own.rows[k % own.held], own.columns[k % own.held], strict=True))


@pytest.mark.parametrize("case", [*WMMA, *PTX], ids=lambda case: f"{case.types}{case.shape}")
def test_products_are_numpys(case):
    a, b, c, _ = launch(case)
    expected, off = case.expected(a, b)
    assert np.abs(c - expected).max() <= (2e-6 if c.dtype == np.float32 else off)


@pytest.mark.gpu
@pytest.mark.parametrize("case", [*WMMA, *PTX], ids=lambda case: f"{case.types}{case.shape}")
def test_a_gpu_is_no_farther_off_than_we_say(case):
    a, b, c, _ = launch(case)
    expected, off = case.expected(a, b)
    assert np.abs(c - expected).max() <= off


@pytest.mark.parametrize("body, said, threads", WRONG, ids=[said for _, said, _ in WRONG])
def test_wrong_kernels_are_named(body, said, threads):
    error, _, words = said.partition(": ")
    a, b, c = (np.zeros(256, kind) for kind in (np.float16, np.float16, np.float32))
    with pytest.raises(KernelError, match=f"(?s){words}") as caught:
        RawModule(code=wrong(body)).get_function("k")(1, threads, (a, b, c))
    assert type(caught.value).__name__ == error
    assert caught.value.column, str(caught.value)
