"""A batch in pieces that stay in the cache of a core, on all cores. NumPy lets go of Python's lock while it works."""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import copy_context
from typing import Any, TypeVar

import numpy as np

from nnlib.device import array_module
from nnlib.support import extras

Result = TypeVar("Result")

# Floats of scratch memory per piece: a megabyte, half of a core's second-level cache or less.
PIECE = 2**18
MANY = 2**19  # elements that are worth a second thread: a tenth of a millisecond's work
_turn = threading.Lock()


def over_images(
    work: Callable[[slice], Result], xp: Any, count: int, floats_per_image: int, threaded: bool
) -> list[Result]:
    """Return [work(images) for pieces of the batch], in order; on a GPU the whole batch is one piece.

    Threads hand Python's lock to and fro, which takes longer than a small array operation: only what works for a good
    part of a millisecond is worth a thread, and what needs little memory makes four pieces, not more. The pieces depend
    on the sizes only, not on the number of cores, and so do sums.
    Without threadpoolctl nothing keeps BLAS from starting threads within ours: it alone has them then.
    """
    if xp is not np:
        return [work(slice(0, count))]
    step = max(1, min(PIECE // max(1, floats_per_image), -(-count // 4)))
    pieces = [slice(start, min(start + step, count)) for start in range(0, count, step)]
    if not threaded or len(pieces) == 1 or thread_count() == 1 or _blas() is None:
        return [work(piece) for piece in pieces]
    shares = [pieces[first :: thread_count()] for first in range(min(thread_count(), len(pieces)))]
    results: dict[int, list[Result]] = {}

    def run(number: int) -> None:
        results[number] = [work(piece) for piece in shares[number]]

    with one_blas_thread():
        # Each thread works under the caller's np.errstate, which lives in the context.
        others = [
            _pool().submit(copy_context().run, run, number) for number in range(1, len(shares))
        ]
        try:
            run(0)  # in the calling thread: waking another takes as long as a small array operation
        finally:
            wait(others)
        for other in others:
            other.result()
    return [results[number % len(shares)][number // len(shares)] for number in range(len(pieces))]


def element_by_element(work: Callable[..., Any], *arrays: Any) -> Any:
    """Compute work(*pieces of the arrays, out=piece of the result) for arrays of one shape; the result is like the first."""
    first, xp = arrays[0], array_module(*arrays)
    result = xp.empty_like(first)
    if first.size < MANY:
        work(*arrays, out=result)
    else:
        over_images(
            lambda images: work(*(array[images] for array in arrays), out=result[images]),
            xp,
            len(first),
            2 * first[0].size,
            threaded=True,
        )
    return result


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Keep BLAS in the calling thread: its own threads, once awake, keep the cores from ours.

    Where we have one thread, so has BLAS: nothing is done then, nor may be in marking (Python 3.14 tells of each call).
    """
    with _turn:  # of two at once, the later would take the other's limit for the one to restore
        blas = _blas() if thread_count() > 1 else None
        libraries = [one for one in blas.lib_controllers if one.user_api == "blas"] if blas else []
        before = [library.get_num_threads() for library in libraries]
        for library in libraries:
            library.set_num_threads(1)
        try:
            yield
        finally:
            for library, count in zip(libraries, before, strict=True):
                library.set_num_threads(count)


@functools.cache
def thread_count() -> int:
    """Return one thread per core that this process may use; OMP_NUM_THREADS limits it, as it does BLAS and PyTorch."""
    available = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    # "4,2" means four threads, each of which may start two.
    chosen = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    return int(chosen) if chosen.isdecimal() and int(chosen) else available


@functools.cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(thread_count(), "nnlib")


if hasattr(os, "register_at_fork"):
    # A forked process has none of our threads
    os.register_at_fork(after_in_child=_pool.cache_clear)


@functools.cache
def _blas() -> Any:
    try:
        return extras.load("threadpoolctl", "threads").ThreadpoolController()
    except extras.MissingPackageError:
        return None
