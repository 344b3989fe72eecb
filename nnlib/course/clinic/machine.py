"""The machine under a patient's program: a file, a launch and a pointer that complain as little as a GPU does."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from nnlib.cuda.limits import MAX_THREADS
from nnlib.datasets import Dataset, load

COUNT = 1280  # training images: 20 batches of 64
INVALID_CONFIGURATION = 9  # cudaErrorInvalidConfiguration


@cache
def digits() -> Dataset:
    """Return a copy of the small real digits, so that no program changes them for the next one."""
    dataset = load("digits")
    for part in (dataset.train, dataset.test):
        part.inputs.setflags(write=False)
        part.labels.setflags(write=False)
    return dataset


@cache
def label_file() -> np.ndarray:
    """Return a label file in IDX format: 8 bytes of header, of which the last four are the count, then a byte per image."""
    header = np.frombuffer(bytes([0, 0, 8, 1]) + COUNT.to_bytes(4, "big"), np.uint8)
    file = np.concatenate([header, digits().train.labels[:COUNT].astype(np.uint8)])
    file.setflags(write=False)
    return file


def as_floats(x: np.ndarray) -> np.ndarray:
    """Return the first x.size numbers that a `const float*` would read at x's address, whatever its dtype."""
    return np.ascontiguousarray(x).reshape(-1).view(np.float32)[: x.size].reshape(x.shape)


def launch(
    grid: tuple[int, ...], block: tuple[int, ...], dy: np.ndarray, x: np.ndarray, dw: np.ndarray
) -> int:
    """Compute dw = dyᵀ x for dy (N, O), x (N, I), dw (O, I), with the failures of a launch from CUDA C++.

    Too large a block does nothing, and only the returned code says so. With too few blocks, or too small ones, each
    thread still computes one number. NumPy does the work, as it is faster.
    """
    if math.prod(block) > MAX_THREADS:
        return INVALID_CONFIGURATION
    columns, rows = (
        blocks * threads for blocks, threads in zip((*grid, 1)[:2], (*block, 1)[:2], strict=True)
    )
    dw[:rows, :columns] = (dy.T @ x)[:rows, :columns]
    return 0
