"""Atomics take turns in thread order: old values and results against a loop over the threads."""

import numpy as np
import pytest

from . import kernel, run

THREADS, PLACES = 96, 3
AFTER = {
    "atomicAdd": lambda old, v: old + v,
    "atomicSub": lambda old, v: old - v,
    "atomicMin": min,
    "atomicMax": max,
    "atomicAnd": lambda old, v: old & v,
    "atomicOr": lambda old, v: old | v,
    "atomicXor": lambda old, v: old ^ v,
    "atomicExch": lambda old, v: v,
    "atomicInc": lambda old, v: 0 if old >= v else old + 1,
    "atomicDec": lambda old, v: v if old == 0 or old > v else old - 1,
}


def expected(start, operands, after):
    data, old = start.astype(np.int64), []
    for thread in range(THREADS):
        place = thread * thread % PLACES
        old.append(data[place])
        data[place] = after(data[place], *(int(v[thread]) for v in operands)) % 2**32
    return data, old


def launched(start, operands, call):
    data, old = start.copy(), np.zeros(THREADS, np.uint32)
    names = [f"const unsigned* v{k}" for k in range(len(operands))]
    body = f"int t = threadIdx.x; unsigned* place = data + t * t % {PLACES}; old[t] = {call};"
    run(
        kernel(", ".join(["unsigned* data", "unsigned* old", *names]), body),
        [data, old, *operands],
        THREADS,
    )
    return data, old


@pytest.mark.parametrize("name", AFTER)
def test_threads_take_turns(name):
    # Small numbers, so that limits are met from below, exactly, and from above.
    rng = np.random.default_rng(1)
    start, values = rng.integers(0, 9, PLACES, np.uint32), rng.integers(0, 6, THREADS, np.uint32)
    data, old = launched(start, [values], f"{name}(place, v0[t])")
    wanted, wanted_old = expected(start, [values], AFTER[name])
    assert old.tolist() == wanted_old and data.tolist() == wanted.tolist()


def test_compare_and_swap():
    rng = np.random.default_rng(2)
    start = rng.integers(0, 3, PLACES, np.uint32)
    compare, value = rng.integers(0, 3, (2, THREADS), np.uint32)
    data, old = launched(start, [compare, value], "atomicCAS(place, v0[t], v1[t])")
    wanted, wanted_old = expected(start, [compare, value], lambda old, c, v: v if old == c else old)
    assert old.tolist() == wanted_old and data.tolist() == wanted.tolist()
