"""Write the report of a race. Lesson 03."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

from .....limits import WARP
from ...functions.atomics import ATOMICS
from ...memory.spaces import ATOMIC, PEEK, READ, WRITE, Access, Site
from ..observer import LaunchProtocol

# A loop that does nothing but wait.
WAITING = re.compile(r"\bwhile\s*\([^;{}]*\)\s*(?:;|\{[^;{}]*;?\s*\})")
_DOES = {READ: "reads", PEEK: "reads", WRITE: "writes", ATOMIC: "updates atomically"}


class UnorderedPair(NamedTuple):
    """Two accesses that race. kind: of the later one; lanes: its threads, of which the first is reported.

    earlier: kind of the other one; other: its thread, counted through the launch, or None for one of an earlier chunk.
    site: of the other one, where it is known.
    """

    access: Access
    lanes: np.ndarray
    kind: str
    earlier: str
    other: int | None = None
    site: Site | None = None

    @property
    def is_one_line(self) -> bool:
        """Return whether both accesses are in one line."""
        return self.site is not None and self.site.line == self.access.site.line


def told(
    launch: LaunchProtocol, pair: UnorderedPair
) -> tuple[tuple[np.ndarray, str, str, str | None], dict[str, Any]]:
    """Return what `Check.fail` takes, and the fields of the error.

    That is the mask of the lanes, what happened, what would have been allowed, and the hint, None for that of every
    race.
    """
    rt, site, lane = launch.machine, pair.site, int(pair.lanes[0])
    mask = np.zeros(rt.width, bool)
    mask[pair.lanes] = True
    thread = rt.first * rt.threads + lane
    touched = launch.fault_report.touched(pair.access, lane, pair.kind)
    where = f" in line {site.line}" if site is not None else ""
    other_thread = block = None
    if pair.other is None:
        who = "a thread of another block"
    else:
        number = launch.blocks[pair.other // rt.threads]
        other_thread, block = launch.fault_report.indices(pair.other % rt.threads, number)
        same_block = pair.other // rt.threads == thread // rt.threads
        owner = "the same block" if same_block else "block ({},{},{})".format(*block)
        who = "thread ({},{},{}) of {}".format(*other_thread, owner)
    element = touched["element"]
    what = f"race: {_DOES[pair.kind]} {element}, which {who} {_DOES[pair.earlier]}{where}"
    fields = touched | {
        "other_access": "read" if pair.earlier == PEEK else pair.earlier,
        "other_thread": other_thread,
        "other_block": block,
        "other_line": None if site is None else site.line,
    }
    return (mask, what, *_advice(launch, pair, thread)), fields


def _advice(launch: LaunchProtocol, pair: UnorderedPair, thread: int) -> tuple[str, str | None]:
    """Return what would have been allowed, and the hint. thread: the later one, counted through the launch."""
    threads, heard, other = launch.threads, "", pair.other
    if pair.kind == READ and _waits(launch, pair.access.site):
        return (
            "a compiler may read it once, and the loop would never end",
            "wait by atomics: atomicAdd(address, 0) reads, atomicExch(address, value) sets, after __threadfence()",
        )
    has_flags = launch.compiled.has_flags(launch.name)
    by_atomics = not launch.compiled.calls(launch.name).isdisjoint(ATOMICS)
    if pair.kind == READ and pair.earlier == WRITE and (by_atomics or has_flags):
        heard = "; if a flag or counter tells that the other is done, that one needs __threadfence() before it"
    if other is None or other // threads != thread // threads:
        return (
            "blocks run in any order and at the same time",
            (
                "use an atomic, or let each block write elements of "
                f"its own and combine them in a second kernel{heard}"
            ),
        )
    if has_flags and heard:
        return "no barrier orders the two", f"put __syncthreads() between them{heard}"
    if pair.kind == pair.earlier == WRITE:
        return "nothing says which of the two stays", "use an atomic, or let one thread write"
    if pair.is_one_line and pair.access.memory.space == "global":
        return (
            "no barrier orders the two",
            (
                "if threads share the element use an atomic; if one needs the other's "
                "value put __syncthreads() between"
            ),
        )
    one_warp = other % threads // WARP == thread % threads // WARP
    why = (
        "lanes of a warp are not ordered by themselves" if one_warp else "no barrier orders the two"
    )
    barrier = (
        "__syncthreads() (or __syncwarp(), if one warp does both)"
        if one_warp and _runs_alone(launch, pair)
        else "__syncthreads()"
    )
    if pair.is_one_line:
        return (
            why,
            f"if one thread needs the other's value put {barrier} between; if they share it use an atomic",
        )
    return why, f"put {barrier} between the two" if one_warp else None


def _runs_alone(launch: LaunchProtocol, pair: UnorderedPair) -> bool:
    """Return whether no other warp of the block is active at the access, so that __syncwarp() may do."""
    threads, lane = launch.threads, int(pair.lanes[0])
    first = lane // threads * threads
    active = launch.machine.spread(pair.access.mask)[first : first + threads]
    return bool((np.flatnonzero(active) // WARP == (lane - first) // WARP).all())


def _waits(launch: LaunchProtocol, site: Site) -> bool:
    """Return whether the place stands in the condition of a loop that only waits."""
    text = launch.compiled.program.text
    before = text.splitlines(keepends=True)[: site.line - 1]
    at = sum(map(len, before)) + site.column - 1
    return any(
        loop.start() < at < loop.end() and not text[: loop.start()].rstrip().endswith("}")
        for loop in WAITING.finditer(text)
    )
