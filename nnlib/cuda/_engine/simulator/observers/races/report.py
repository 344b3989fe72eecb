"""How a race reads. Lesson 03."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from .....limits import WARP
from ...functions.atomics import ATOMICS
from ...masks import spread
from ...memory.spaces import ATOMIC, PEEK, READ, WRITE, Access, SharedMemory, Site
from ..observer import LaunchProtocol

WAITING = re.compile(
    r"\bwhile\s*\([^;{}]*\)\s*(?:;|\{[^;{}]*;?\s*\})"
)  # a loop that does nothing else


def told(
    launch: LaunchProtocol,
    access: Access,
    lanes: np.ndarray,
    other: int | None,
    kind: str,
    earlier: str,
    earlier_site: Site | None,
) -> tuple[tuple[np.ndarray, str, str, str | None], dict[str, Any]]:
    """Tell a race between lanes[0] and the thread number `other` of the launch; None: one of an earlier chunk.

    Returns what `Check.fail` takes: the mask of the lanes, what happened, what would have been allowed, and the hint,
    None for that of every race; and the fields of the error.
    """
    rt, memory, site = launch.machine, access.memory, access.site
    mask = np.zeros(rt.width, bool)
    mask[lanes] = True
    lane = int(lanes[0])
    thread = rt.first * rt.threads + lane
    place = int(spread(access.flat, rt.width)[lane])
    if isinstance(memory, SharedMemory):
        place -= lane // rt.threads * (memory.pitch // site.size)
    touched = launch.fault_report.touched(memory, place, site, kind)
    did = {READ: "reads", PEEK: "reads", WRITE: "writes", ATOMIC: "updates atomically"}
    where = f" in line {earlier_site.line}" if earlier_site is not None else ""
    other_thread = block = None
    if other is None:
        who = "a thread of another block"
    else:
        other_thread, block = launch.thread_and_block(other)
        same_block = other // rt.threads == thread // rt.threads
        owner = "the same block" if same_block else "block ({},{},{})".format(*block)
        who = "thread ({},{},{}) of {}".format(*other_thread, owner)
    what = f"race: {did[kind]} {touched['element']}, which {who} {did[earlier]}{where}"
    one_line = earlier_site is not None and earlier_site.line == site.line
    fields = touched | {
        "other_access": "read" if earlier == PEEK else earlier,
        "other_thread": other_thread,
        "other_block": block,
        "other_line": None if earlier_site is None else earlier_site.line,
    }
    allowed, hint = _advice(
        launch, access, one_line, other, thread, kind, earlier, _runs_alone(access, lane, rt)
    )
    return (mask, what, allowed, hint), fields


def _advice(
    launch: LaunchProtocol,
    access: Access,
    one_line: bool,
    other: int | None,
    thread: int,
    kind: str,
    earlier: str,
    alone: bool,
) -> tuple[str, str | None]:
    """alone: no other warp of the block is active here, so that __syncwarp() may do."""
    threads, heard = launch.threads, ""
    if kind == READ and _waits(launch, access.site):
        return (
            "a compiler may read it once, and the loop would never end",
            "wait by atomics: atomicAdd(address, 0) reads, atomicExch(address, value) sets, after __threadfence()",
        )
    has_flags, by_atomics = (
        launch.compiled.has_flags(launch.name),
        not launch.compiled.calls(launch.name).isdisjoint(ATOMICS),
    )
    if kind == READ and earlier == WRITE and (by_atomics or has_flags):
        heard = "; if a flag or counter tells that the other is done, that one needs __threadfence() before it"
    if other is None or other // threads != thread // threads:
        return (
            "blocks run in any order and at the same time",
            "use an atomic, or let each block write elements of "
            f"its own and combine them in a second kernel{heard}",
        )
    if has_flags and heard:
        return "no barrier orders the two", f"put __syncthreads() between them{heard}"
    if kind == earlier == WRITE:
        return "nothing says which of the two stays", "use an atomic, or let one thread write"
    if one_line and access.memory.space == "global":
        return (
            "no barrier orders the two",
            "if threads share the element use an atomic; if one needs the other's "
            "value put __syncthreads() between",
        )
    one_warp = other % threads // WARP == thread % threads // WARP
    why = (
        "lanes of a warp are not ordered by themselves" if one_warp else "no barrier orders the two"
    )
    barrier = (
        "__syncthreads() (or __syncwarp(), if one warp does both)"
        if one_warp and alone
        else "__syncthreads()"
    )
    if one_line:
        return (
            why,
            f"if one thread needs the other's value put {barrier} between; if they share it use an atomic",
        )
    return why, f"put {barrier} between the two" if one_warp else None


def _runs_alone(access: Access, lane: int, machine: Any) -> bool:
    """Whether the warp of this lane is the only one of its block that is active at the access."""
    first = lane // machine.threads * machine.threads
    active = np.flatnonzero(spread(access.mask, machine.width)[first : first + machine.threads])
    return bool((active // WARP == (lane - first) // WARP).all())


def _waits(launch: LaunchProtocol, site: Site) -> bool:
    """Whether the place stands in the condition of a loop that only waits."""
    text = launch.compiled.program.text
    at = (
        sum(len(line) for line in text.splitlines(keepends=True)[: site.line - 1]) + site.column - 1
    )
    return any(
        loop.start() < at < loop.end() and not text[: loop.start()].rstrip().endswith("}")
        for loop in WAITING.finditer(text)
    )
