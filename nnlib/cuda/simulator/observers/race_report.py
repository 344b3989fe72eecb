"""How a race reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nnlib.cuda.errors import RaceError
from nnlib.cuda.limits import WARP
from nnlib.cuda.simulator.masks import spread
from nnlib.cuda.simulator.memory import ATOMIC, READ, WRITE, Memory, Site

if TYPE_CHECKING:
    from nnlib.cuda.simulator.launching import Launch


def report_race(launch: Launch, memory: Any, site: Site, flat: Any, lanes: Any, other: int | None, kind: str,
                earlier: str, earlier_site: Site | None) -> None:
    """Raise for a race between lanes[0] and the thread number `other` of the launch; None: one of an earlier chunk."""
    rt = launch.machine
    mask = np.zeros(rt.width, bool)
    mask[lanes] = True
    lane = int(lanes[0])
    thread = rt.first * rt.threads + lane
    place = int(spread(flat, rt.width)[lane])
    if memory.space == "shared":
        place -= lane // rt.threads * (memory.pitch // site.size)
    element = launch.fault_report.element(memory, place, site)
    did = {READ: "reads", WRITE: "writes", ATOMIC: "updates atomically"}
    where = f" in line {earlier_site.line}" if earlier_site is not None else ""
    if other is None:
        who = "a thread of another block"
    else:
        other_thread, block = launch.thread_and_block(other)
        same_block = other // rt.threads == thread // rt.threads
        owner = "the same block" if same_block else "block ({},{},{})".format(*block)
        who = "thread ({},{},{}) of {}".format(*other_thread, owner)
    what = f"race: {did[kind]} {element}, which {who} {did[earlier]}{where}"
    one_line = earlier_site is not None and earlier_site.line == site.line
    rt.fail(RaceError, site, mask, what, *_advice(memory, one_line, other, thread, rt.threads, kind, earlier))


def _advice(memory: Memory, one_line: bool, other: int | None, thread: int, threads: int, kind: str,
            earlier: str) -> tuple[str, str]:
    if other is None or other // threads != thread // threads:
        return ("blocks run in any order and at the same time",
                "use an atomic, or let each block write elements of its own and combine them in a second kernel")
    if kind == earlier == WRITE:
        return "nothing says which of the two stays", "use an atomic, or let one thread write"
    if one_line and memory.space == "global":
        return ("no barrier orders the two", "if threads share the element use an atomic; if one needs the other's "
                "value put __syncthreads() between")
    one_warp = other % threads // WARP == thread % threads // WARP
    why = "lanes of a warp are not ordered by themselves" if one_warp else "no barrier orders the two"
    barrier = "__syncthreads() (or __syncwarp() within a warp)" if one_warp else "__syncthreads()"
    if one_line:
        return why, f"if one thread needs the other's value put {barrier} between; if they share it use an atomic"
    return why, f"put {barrier} between {'the two' if one_warp else 'them'}"
