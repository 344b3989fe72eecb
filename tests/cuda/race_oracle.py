"""Random programs of accesses and of what orders them, judged by definition: the oracle of the race check.

    python -m tests.cuda.race_oracle SECONDS [SEED]     programs without end, in three ways each; prints what differs

A program is a list of steps that two blocks of 64 threads run in step: reads, writes and atomics of random places by
random threads, through one name or an alias of it; barriers of a block and of the grid, __syncwarp of whole and of
parts of warps, tiles of cooperative groups, fences of the block and of the GPU, swaps that fail, volatile flags;
asynchronous copies, waits, and accesses of both ends of a copy.

The oracle keeps a vector clock per thread: entry j of thread i is the last step of thread j that happens before thread
i's next access. A barrier merges its threads' clocks. A fence saves its thread's clock. An atomic releases, at its
address, the clocks saved by its thread and by threads that it has synchronized with since; a later atomic there acquires
them and is ordered after it. Two accesses of one element race if one of them writes, they are not both atomics, and
neither happens before the other.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from nnlib.cuda import RaceError
from nnlib.cuda._engine.language import compile_source
from nnlib.cuda._engine.simulator import Compiled, LaunchOptions, launch
from nnlib.cuda._engine.simulator.observers.races import observer as races
from nnlib.cuda._engine.simulator.running import launching
from tests.cuda.simulator import kernel

# Of a block; of the alias, which begins in another sector, and not at its beginning
THREADS, SHIFT = (64, 13)
ALL = 2 * THREADS
FLAGS = 16  # elements in front that all use
CELLS = FLAGS + ALL  # and one for each thread
WAYS = {
    "one chunk": {},
    "a chunk per block": {(launching, "CHUNK_THREADS"): THREADS},
    "folded logs": {(races, "LOG_LIMIT"): 1},
}
# peek, post: of a volatile flag
TOUCHES = ("read", "write", "atomic", "failed swap", "peek", "post")
WORDS = {
    "plain": ["barrier", "syncwarp"],
    "parts": ["barrier", "part", "tile"],
    "messages": ["barrier", "fence", "block fence", "flag"],
    "copies": ["barrier", "copy", "copy", "wait", "wait"],
    "grid": ["barrier", "grid", "tile"],
    "all": [
        "barrier",
        "syncwarp",
        "part",
        "tile",
        "fence",
        "block fence",
        "flag",
        "failed swap",
        "peek",
        "post",
        "copy",
        "wait",
    ],
}
# Of what stands between two touches, each of these lines is a likely order.
IN_ORDER = {
    "messages": [
        ["fence", "block fence"],
        ["fence", "block fence"],
        ["barrier", "barrier", "part", "tile", "syncwarp"],
        ["flag", "flag", "post", "failed swap"],
        ["barrier", "part", "syncwarp"],
        ["flag", "flag", "peek"],
        ["barrier", "part", "syncwarp"],
    ],
    "copies": [["copy"], ["wait"], ["barrier", "syncwarp"]],
}


@dataclass
class Step:
    """what: one of TOUCHES or a word of WORDS. places, active: per thread. name: of the array: x; y, which is x under
    another name; or an end of the copies, "source" or "copied". number: of lanes in a tile, or the bits of a part of
    the warp."""

    what: str
    places: np.ndarray
    active: np.ndarray
    name: str = "x"
    number: int = 0


def random_program(rng: np.random.Generator, space: str, kind: str = "") -> list[Step]:
    """Threads write their own elements, something orders them or not, and they touch elements of others: near to the
    line between right and wrong. Now and then anything. kind: a key of WORDS, or any."""
    kind = kind or rng.choice(list(WORDS))
    if rng.random() < 0.15:
        return [
            _random_step(rng, space, [*WORDS[kind], "read", "write", "atomic"])
            for _ in range(rng.integers(2, 8))
        ]
    others = [1, 2, 4, 8, 16, 32]
    if space == "global" and kind != "copies":
        others += [64] * (1 if kind in ("plain", "parts") else 4)
    steps = [_touch(rng, space, "write", 0, kind)]
    for _ in range(rng.integers(1, 3)):
        for words in IN_ORDER.get(kind) or [WORDS[kind]] * int(rng.integers(1, 5)):
            if rng.random() < 0.8:
                steps.append(_random_step(rng, space, words))
        steps.append(
            _touch(
                rng,
                space,
                str(rng.choice(["read", "write", "atomic"], p=[0.6, 0.3, 0.1])),
                int(rng.choice(others)),
                kind,
            )
        )
    return steps


def _touch(rng: np.random.Generator, space: str, what: str, other: int, kind: str) -> Step:
    """The element of the thread with the number t ^ other."""
    name = _name(rng, space)
    if kind == "copies" and rng.random() < 0.8:
        name = str(rng.choice(["copied", "source"]))
    own_block = name == "copied" or space == "shared" and name == "x"
    places = np.arange(ALL) % (THREADS if own_block else ALL) ^ other
    return Step(what, places + FLAGS * (name in "xy"), _some(rng), name)


def _name(rng: np.random.Generator, space: str) -> str:
    return "y" if space == "global" and rng.random() < 0.3 else "x"


def _some(rng: np.random.Generator) -> np.ndarray:
    """All threads, one of each block, one, or about half."""
    thread, kind = np.arange(ALL), rng.choice(4, p=[0.45, 0.25, 0.15, 0.15])
    return [
        thread >= 0,
        thread % THREADS == rng.integers(THREADS),
        thread == rng.integers(ALL),
        rng.random(ALL) < 0.7,
    ][kind]


def _random_step(rng: np.random.Generator, space: str, words: list[str]) -> Step:
    what, thread = str(rng.choice(words)), np.arange(ALL)
    if what in ("flag", "failed swap", "peek", "post"):
        return Step("atomic" if what == "flag" else what, thread % rng.integers(1, 3), _some(rng))
    if what in TOUCHES:
        places = [thread, thread + rng.integers(1, 40), rng.integers(0, ALL, ALL)][
            rng.integers(3)
        ] % ALL
        return Step(what, FLAGS + places, _some(rng), _name(rng, space))
    number = {
        "tile": rng.choice([4, 8, 16]),
        "part": rng.choice([0xFFFF, 0x00FF00FF, 0x1, 0xFFFFFFF0]),
    }.get(what, 0)
    active = _some(rng)
    if what in ("part", "tile", "syncwarp"):  # all warps, or some
        active = np.repeat(rng.random(ALL // 32) < rng.choice([1, 1, 0.5]), 32)
    return Step(what, thread % THREADS, active, number=int(number))


# --- by definition --------------------------------------------------------------------------


@dataclass
class Seen:
    """An access: as what, who, when, and what its thread knew then."""

    kind: str
    thread: int
    step: int
    known: np.ndarray
    atomics: np.ndarray


# Kinds of accesses that do not race with each other
PEACEFUL = ({"read", "peek"}, {"atomic", "peek"})


class Oracle:
    """Runs a program for some blocks after the other."""

    def __init__(self, space: str) -> None:
        self.space = space
        # Until which step thread j's accesses are known to thread i
        self.known = np.zeros((ALL, ALL), int)
        self.atomics = np.zeros((ALL, ALL), int)  # the same of its atomics alone
        self.noted = {wide: [np.zeros((ALL, ALL), int) for _ in range(2)] for wide in (False, True)}
        self.fenced = {wide: np.zeros(ALL, bool) for wide in (False, True)}
        self.messages: dict[tuple, list[np.ndarray]] = {}
        self.seen: dict[tuple, list[Seen]] = {}  # by place
        self.under_way: list[tuple[int, tuple, tuple]] = []  # thread, target, source
        self.race = False

    def run(self, steps: list[Step], threads: range) -> None:
        for number, step in enumerate(steps, 1):
            self.step(number, step, threads)

    def step(self, now: int, step: Step, threads: range) -> None:
        active = [thread for thread in threads if step.active[thread]]
        if step.what in TOUCHES:
            for thread in active:
                self.access(step.what, thread, self.place(step, thread), now)
        elif step.what == "copy":
            for thread in active:
                target, source = ("copied", thread // THREADS, thread % THREADS), ("source", thread)
                self.access("write", thread, target, now)
                self.access("read", thread, source, now)
                self.under_way.append((thread, target, source))
        elif step.what == "wait":
            for copy in [copy for copy in self.under_way if copy[0] in threads]:
                self.under_way.remove(copy)
                self.access("write", copy[0], copy[1], now)
                self.access("read", copy[0], copy[2], now)
        elif step.what in ("fence", "block fence"):
            for thread in active:
                self.fence(thread, step.what == "fence", now)
        else:
            for group in groups(step, threads):
                self.meet(group, now)

    def place(self, step: Step, thread: int) -> tuple:
        place, block = int(step.places[thread]), thread // THREADS
        if step.name == "source":
            return ("source", place)
        if step.name == "copied":
            return ("copied", block, place)
        return (self.space, block if self.space == "shared" else 0, place)

    def access(self, kind: str, thread: int, place: tuple, now: int) -> None:
        if kind not in ("read", "write"):
            self.exchange(kind, thread, place, now)
            kind = "peek" if kind == "peek" else "atomic"
        for _, target, source in self.under_way:
            self.race |= place == target or place == source and kind != "read"
        seen = self.seen.setdefault(place, [])
        for first in seen:
            if first.thread != thread and not any(
                {first.kind, kind} <= peaceful for peaceful in PEACEFUL
            ):
                known = self.atomics[thread] if first.kind == "atomic" else self.known[thread]
                self.race |= max(known[first.thread], self.known[thread][first.thread]) < first.step
        seen.append(Seen(kind, thread, now, self.known[thread], self.atomics[thread]))

    def exchange(self, kind: str, thread: int, place: tuple, now: int) -> None:
        for wide in (False, True) if kind != "post" else ():
            key = (place, wide, 0 if wide else thread // THREADS)
            message = self.messages.get(key)
            if message is not None:
                self.known[thread] = np.maximum(self.known[thread], message[0])
                self.atomics[thread] = np.maximum(self.atomics[thread], message[1])
        for wide in (False, True) if kind in ("atomic", "post") else ():
            key = (place, wide, 0 if wide else thread // THREADS)
            if kind == "post":
                self.messages.pop(key, None)
            message = self.messages.get(key)
            if message is None and not self.fenced[wide][thread]:
                continue
            old = message or [np.zeros(ALL, int), np.zeros(ALL, int)]
            new = [
                np.maximum(a, noted[thread]) for a, noted in zip(old, self.noted[wide], strict=True)
            ]
            new[1][thread] = max(new[1][thread], now)
            self.messages[key] = new

    def fence(self, thread: int, wide: bool, now: int) -> None:
        for each in (False, True) if wide else (False,):
            known, atomics = self.noted[each]
            known[thread] = np.maximum(known[thread], self.known[thread])
            known[thread, thread] = now
            atomics[thread] = np.maximum(atomics[thread], self.atomics[thread])
            self.fenced[each][thread] = True

    def meet(self, group: list[int], now: int) -> None:
        for table in (self.known, self.atomics, *self.noted[False], *self.noted[True]):
            together = table[group].max(0)
            if table is self.known:
                together[group] = now
            table[group] = together
        for fenced in self.fenced.values():
            fenced[group] = fenced[group].any()


def groups(step: Step, threads: range) -> Iterator[list[int]]:
    """Yield the threads that take part in one barrier or collective together."""
    if step.what == "grid":
        yield list(threads)
        return
    if step.what == "barrier":
        for block in range(threads.start, threads.stop, THREADS):
            yield list(range(block, block + THREADS))
        return
    for warp in [warp for warp in range(threads.start, threads.stop, 32) if step.active[warp]]:
        lanes = list(range(warp, warp + 32))
        if step.what == "tile":
            for first in range(0, 32, step.number):
                yield lanes[first : first + step.number]
        else:
            yield [lane for lane in lanes if (step.number or 2**32 - 1) >> lane % 32 & 1]


def is_cooperative(steps: list[Step]) -> bool:
    """Return whether all blocks run together."""
    return any(step.what == "grid" for step in steps)


def has_race(steps: list[Step], space: str, way: str) -> bool:
    oracle = Oracle(space)
    apart = way == "a chunk per block" and not is_cooperative(steps)
    chunks = [range(THREADS), range(THREADS, ALL)] if apart else [range(ALL)]
    for threads in chunks:
        oracle.run(steps, threads)
    return bool(oracle.race)


# --- by the simulator -----------------------------------------------------------------------


@lru_cache(maxsize=32)
def _compiled(text: str) -> Compiled:
    return Compiled(compile_source(text))


def simulate(steps: list[Step], space: str) -> bool:
    """Does the simulator report a race?"""
    lines = [
        "int t = blockIdx.x * 64 + threadIdx.x; float v = 0;",
        "__shared__ float copied[64]; copied[threadIdx.x] = 0; __syncthreads();",
    ]
    if space == "shared":
        lines.append(
            f"__shared__ float x[{CELLS}]; for (int i = threadIdx.x; i < {CELLS}; i += 64) x[i] = 0; "
            "__syncthreads();"
        )
    if any(step.what in ("peek", "post") for step in steps):
        lines.append("const volatile int* flag = place; while (*flag < 0) break;")
    for number, step in enumerate(steps):
        before = f"-{SHIFT} + " if step.name == "y" else ""
        place, guard = (
            f"{step.name}[{before}place[{number * ALL} + t]]",
            f"if (active[{number * ALL} + t]) ",
        )
        lines.append(
            {
                "read": f"{guard}v += {place};",
                "write": f"{guard}{place} = {number * 1000} + t;",
                "atomic": f"{guard}atomicAdd(&{place}, 1.5f);",
                "failed swap": f"{guard}atomicCAS((int*)&{place}, -1, 1);",
                "peek": f"{guard}v += *(volatile float*)&{place};",
                "post": f"{guard}*(volatile float*)&{place} = {number * 1000} + t;",
                "grid": "cg::this_grid().sync();",
                "barrier": "__syncthreads();",
                "syncwarp": f"{guard}__syncwarp();",
                "part": f"{guard}if ({step.number}u >> threadIdx.x % 32 & 1) __syncwarp({step.number}u);",
                "tile": f"{guard}cg::tiled_partition<{step.number}>(cg::this_thread_block()).sync();",
                "fence": f"{guard}__threadfence();",
                "block fence": f"{guard}__threadfence_block();",
                "copy": f"{guard}__pipeline_memcpy_async(&copied[threadIdx.x], source + t, 4); __pipeline_commit();",
                "wait": "__pipeline_wait_prior(0);",
            }[step.what]
        )
    lines.append("out[t] = v;")
    parameters = "const int* place, const int* active, float* out, float* source"
    arrays: list[Any] = [
        np.concatenate([getattr(step, part) for step in steps]).astype(np.int32)
        for part in ("places", "active")
    ]
    arrays += [np.zeros(ALL, np.float32), np.zeros(ALL, np.float32)]
    if space == "global":
        parameters += ", float* x, float* y"
        memory = np.zeros(CELLS + SHIFT, np.float32)
        arrays += [memory[:-SHIFT], memory[SHIFT:]]
    includes = (
        "#include <cooperative_groups.h>\n#include <cuda_pipeline.h>\n"
        "namespace cg = cooperative_groups;\n"
    )
    try:
        launch(
            _compiled(kernel(parameters, "\n".join(lines), includes)),
            "k",
            arrays,
            LaunchOptions((2, 1, 1), (THREADS, 1, 1), cooperative=is_cooperative(steps)),
        )
    except RaceError:
        return True
    return False


@contextmanager
def ways_of(way: str) -> Iterator[None]:
    """Chunks and logs as the way has them."""
    before = {place: getattr(*place) for place in WAYS[way]}
    try:
        for place, value in WAYS[way].items():
            setattr(*place, value)
        yield
    finally:
        for place, value in before.items():
            setattr(*place, value)


def judged(steps: list[Step], space: str, way: str) -> tuple[bool, bool]:
    """Return whether there is a race, and whether the simulator reports one."""
    with ways_of(way):
        return has_race(steps, space, way), simulate(steps, space)


def shortened(steps: list[Step], space: str, way: str) -> list[Step]:
    """Drop steps one at a time for as long as oracle and simulator still disagree; return what is left."""
    k = 0
    while k < len(steps):
        fewer = steps[:k] + steps[k + 1 :]
        if fewer and len(set(judged(fewer, space, way))) == 2:
            steps = fewer
        else:
            k += 1
    return steps


def main(seconds: float, seed: int) -> None:
    rng, end, count, racing, differing = np.random.default_rng(seed), time.time() + seconds, 0, 0, 0
    while time.time() < end:
        for space in ("shared", "global"):
            steps = random_program(rng, space)
            for way in WAYS:
                expected, found = judged(steps, space, way)
                count, racing = count + 1, racing + expected
                if expected != found:
                    differing += 1
                    print(f"{space}, {way}: {'missed' if expected else 'accused'}", flush=True)
                    for step in shortened(steps, space, way):
                        print(
                            "   ",
                            step.what,
                            step.number,
                            step.name,
                            step.places[step.active][:6],
                            np.flatnonzero(step.active)[:6],
                            flush=True,
                        )
    print(f"seed {seed}: {count} verdicts, {racing} races, {differing} differ")


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
