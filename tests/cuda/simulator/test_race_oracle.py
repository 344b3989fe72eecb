"""Random access patterns: the race check against all pairs of accesses, one by one."""

from itertools import combinations

import numpy as np
import pytest

from nnlib.cuda import RaceError
from nnlib.cuda.simulator import launching
from nnlib.cuda.simulator.observers import races

from . import kernel, run

THREADS, CELLS = 64, 48


def random_program(rng):
    """A list of (what, places per thread or None, active per thread)."""
    steps = []
    for _ in range(rng.integers(2, 7)):
        what = rng.choice(["read", "write", "atomic", "barrier", "syncwarp"], p=[0.3, 0.25, 0.1, 0.25, 0.1])
        spread = rng.choice(["own", "shifted", "few", "random"], p=[0.5, 0.3, 0.1, 0.1])
        thread = np.arange(2 * THREADS)
        places = {"own": thread, "shifted": thread + rng.integers(1, 40), "few": thread % rng.integers(1, 4),
                  "random": rng.integers(0, 2 * CELLS, 2 * THREADS)}[spread] % (2 * CELLS)
        active = np.ones(2 * THREADS, bool) if rng.random() < 0.4 else rng.random(2 * THREADS) < rng.choice([0.05, 0.6])
        steps.append((str(what), places, active))
    return steps


def has_race(steps, space):
    """By definition: two accesses, different threads, one element, one writes, nothing between them."""
    accesses, barriers, warp_syncs = [], 0, 0
    for number, (what, places, active) in enumerate(steps):
        barriers += what == "barrier"
        warp_syncs += what in ("barrier", "syncwarp")
        if what in ("read", "write", "atomic"):
            accesses += [(what, number, thread, (thread // THREADS if space == "shared" else 0, places[thread]),
                          barriers, warp_syncs) for thread in np.flatnonzero(active)]
    by_element = {}
    for access in accesses:
        by_element.setdefault(access[3], []).append(access)
    return any(_conflict(a, b) for group in by_element.values() for a, b in combinations(group, 2))


def _conflict(a, b):
    (kind_a, _, thread_a, _, barriers_a, syncs_a), (kind_b, _, thread_b, _, barriers_b, syncs_b) = a, b
    if thread_a == thread_b or kind_a == kind_b != "write":
        return False
    if thread_a // THREADS != thread_b // THREADS:
        return True
    if thread_a // 32 == thread_b // 32:
        return syncs_a == syncs_b
    return barriers_a == barriers_b


def simulate(steps, space):
    lines = ["int t = blockIdx.x * 64 + threadIdx.x; float v = 0;"]
    if space == "shared":
        lines.append(f"__shared__ float x[{2 * CELLS}]; for (int i = threadIdx.x; i < {2 * CELLS}; i += 64) x[i] = 0; "
                     "__syncthreads();")
    for number, (what, _, _) in enumerate(steps):
        place, guard = f"x[place[{number * 128} + t]]", f"if (active[{number * 128} + t]) "
        lines.append({"read": f"{guard}v += {place};", "write": f"{guard}{place} = {number * 1000} + t;",
                      "atomic": f"{guard}atomicAdd(&{place}, 1.5f);", "barrier": "__syncthreads();",
                      "syncwarp": "__syncwarp();"}[what])
    lines.append("out[t] = v;")
    parameters = "const int* place, const int* active, float* out" + (", float* x" if space == "global" else "")
    arrays = [np.concatenate([part[k] for part in steps]).astype(np.int32) for k in (1, 2)]
    arrays += [np.zeros(2 * THREADS, np.float32)] + [np.zeros(2 * CELLS, np.float32)] * (space == "global")
    try:
        run(kernel(parameters, "\n".join(lines)), arrays, THREADS, 2)
    except RaceError:
        return True
    return False


@pytest.mark.parametrize("variant", ["one chunk", "a chunk per block", "folded logs"])
@pytest.mark.parametrize("space", ["shared", "global"])
def test_against_all_pairs(space, variant, monkeypatch):
    if variant == "a chunk per block":
        monkeypatch.setattr(launching, "CHUNK_THREADS", THREADS)
    if variant == "folded logs":
        monkeypatch.setattr(races, "LOG_LIMIT", 1)
    rng = np.random.default_rng(len(space + variant))
    verdicts = []
    for case in range(60):
        steps = random_program(rng)
        expected = has_race(steps, space)
        assert simulate(steps, space) == expected, (case, [what for what, _, _ in steps])
        verdicts.append(expected)
    assert 10 < sum(verdicts) < 58  # both kinds occur
