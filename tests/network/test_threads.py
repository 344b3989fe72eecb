"""A batch in pieces: which ones, on which threads, and what of the caller's comes along."""

import os
import threading
import time
from contextvars import ContextVar

import numpy as np
import pytest

from nnlib.support.threads import MANY, PIECE, element_by_element, over_images, thread_count

WHO = ContextVar("WHO", default="nobody")


def pieces(count, floats, xp=np):
    return over_images(
        lambda images: (images.start, images.stop), xp, count, floats, threaded=False
    )


@pytest.mark.parametrize(
    ("count", "floats", "cut"),
    [
        (16, 1, [(0, 4), (4, 8), (8, 12), (12, 16)]),
        (17, 1, [(0, 5), (5, 10), (10, 15), (15, 17)]),
        (3, 1, [(0, 1), (1, 2), (2, 3)]),
        (3, 10**9, [(0, 1), (1, 2), (2, 3)]),
        (0, 1, []),
        (8, 0, [(0, 2), (2, 4), (4, 6), (6, 8)]),
        (40, PIECE // 3, [(k, min(k + 3, 40)) for k in range(0, 40, 3)]),
        (40, PIECE, [(k, k + 1) for k in range(40)]),
    ],
)
def test_pieces_depend_on_sizes_only(count, floats, cut, cores):
    for available in (1, 7):
        cores(available)
        assert pieces(count, floats) == cut
    assert pieces(count, floats, xp=object()) == [(0, count)]


@pytest.fixture
def three(cores):
    pytest.importorskip("threadpoolctl", reason="without it the threads are those of BLAS")
    cores(3)


def test_threads_take_turns_and_results_come_in_order(three):
    gate, seen = threading.Barrier(3, timeout=600), {}

    def work(images):
        if len(seen.setdefault(threading.get_ident(), [])) == 0:
            gate.wait()  # three at once, or nobody goes on
        seen[threading.get_ident()].append(images.start)
        return images.start, WHO.get()

    WHO.set("the caller")
    assert over_images(work, np, 16, PIECE // 2, threaded=True) == [
        (start, "the caller") for start in range(0, 16, 2)
    ]
    assert sorted(seen.values()) == [[0, 6, 12], [2, 8, 14], [4, 10]] and seen[
        threading.get_ident()
    ] == [0, 6, 12]


@pytest.mark.parametrize("bad", [0, 2])
def test_an_error_in_a_thread_arrives(three, bad):
    def work(images):
        return 1 // (images.start != bad)

    with pytest.raises(ZeroDivisionError):
        over_images(work, np, 16, PIECE // 2, threaded=True)


def test_an_error_waits_for_the_other_threads(three):
    """The threads write into the caller's arrays, which are its own again after the call."""
    failed, done = threading.Event(), []

    def work(images):
        if images.start == 0:
            failed.set()
            raise ZeroDivisionError
        failed.wait(600)
        time.sleep(0.01)
        done.append(images.start)

    with pytest.raises(ZeroDivisionError):
        over_images(work, np, 16, PIECE // 2, threaded=True)
    assert sorted(done) == [2, 4, 8, 10, 14]


@pytest.mark.parametrize(
    ("chosen", "count"),
    [("4", 4), ("4,2", 4), (" 3 ", 3), ("0", None), ("", None), ("many", None), ("-1", None)],
)
def test_how_many_threads(chosen, count, monkeypatch, cores):
    there = 11
    monkeypatch.setattr(os, "cpu_count", lambda: there)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {1, 2, 5}, raising=False)
    cores(chosen)
    assert thread_count() == (count or 3)
    monkeypatch.delattr(os, "sched_getaffinity")
    cores("")
    assert thread_count() == 11
    there = None
    cores("")
    assert thread_count() == 1


@pytest.mark.parametrize("size", [MANY - 1, MANY, MANY + 7])
def test_many_elements_are_all_worked_on(size):
    x, calls = np.arange(size, dtype=np.float32).reshape(-1, 1), []

    def work(a, b, out):
        calls.append(len(a))
        np.add(a, b, out=out)

    assert np.array_equal(element_by_element(work, x, x), 2 * x)
    assert sum(calls) == size and (len(calls) > 1) == (size >= MANY)
