"""A batch in pieces that stay in the cache of a core, on all cores. NumPy lets go of Python's lock while it works."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from contextvars import copy_context
from typing import Any, TypeVar

import numpy as np
from threadpoolctl import ThreadpoolController

Result = TypeVar("Result")

# Floats of scratch memory per piece: a megabyte, half of a core's second-level cache or less.
PIECE = 2**18


def over_images(work: Callable[[slice], Result], xp: Any, count: int, floats_per_image: int,
                threaded: bool) -> list[Result]:
    """[work(images) for pieces of the batch], in order; on a GPU the whole batch is one piece.

    Threads hand Python's lock to and fro, which takes longer than a small array operation: only pieces that work for
    milliseconds are worth a thread. The pieces depend on the sizes only, not on the number of cores, and so do sums.
    """
    if xp is not np:
        return [work(slice(0, count))]
    step = max(1, min(PIECE // max(1, floats_per_image), -(-count // 8)))
    pieces = [slice(start, min(start + step, count)) for start in range(0, count, step)]
    if not threaded or len(pieces) == 1 or thread_count() == 1:
        return [work(piece) for piece in pieces]
    with one_blas_thread():
        # Each thread works under the caller's np.errstate, which lives in the context.
        return list(_pool().map(lambda piece, context: context.run(work, piece),
                                pieces, [copy_context() for _ in pieces]))


def one_blas_thread() -> AbstractContextManager[Any]:
    """While it is open, BLAS stays in the calling thread: its own threads, once awake, keep the cores from ours."""
    return _blas().limit(limits=1, user_api="blas")


@functools.cache
def thread_count() -> int:
    """One per core that this process may use; OMP_NUM_THREADS limits it, as it does BLAS and PyTorch."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return int(os.environ.get("OMP_NUM_THREADS") or available)


@functools.cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(thread_count(), "nnlib")


@functools.cache
def _blas() -> ThreadpoolController:
    return ThreadpoolController()
