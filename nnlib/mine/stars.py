"""What a kernel costs, and how many stars that is worth: exact counters, beside the course's own versions.

scores.json holds the counters of the course's first and best version of each piece, and of the lesson's solution;
tests/benchmarks/pieces.py measures them.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nnlib.cuda.limits import WARP

STORED = Path(__file__).with_name("scores.json")
Counters = Mapping[str, float]
_THREE, _TWO = 1.5, 2.5  # times the best known cost
# Times the cost of the lesson's solution, for one that is written a little differently
_ALIKE = 1.1
_WORK = 2.0  # times the operations of the course's versions, for three stars; twice as many for two
WASTE = 16.0  # times as many, of which a kernel wastes most
_SMALL = 128  # threads of a block: smaller ones start no faster, and a kernel that only streams waits for them
# Counter -> the question that leads to fewer of them.
_NEXT = {
    "sectors": "sectors. What do neighbouring lanes read, and what is read or stored again that a lane or a block could keep?",
    "shared wavefronts": "shared wavefronts. What could a thread keep in registers and use several times?",
    "bank conflicts": "bank conflicts. Which lanes meet in one bank?",
    "load requests": "load requests. The sectors cannot get fewer: which load brings a lane four floats at once?",
}


def counters(profile: Any, traffic: Any) -> dict[str, float]:
    """Return the exact counters of a launch, or of one of its lines, that are kept as its score.

    traffic: the same launch or line as a compiler leaves it, which keeps in registers what the text reads twice.
    """
    return {
        "sectors": traffic.global_load.sectors + traffic.global_store.sectors,
        "shared wavefronts": traffic.shared_load.wavefronts + traffic.shared_store.wavefronts,
        "bank conflicts": traffic.shared_load.bank_conflicts + traffic.shared_store.bank_conflicts,
        "load requests": traffic.global_load.requests,
        "atomics": profile.atomics,
        "active lanes": round(profile.active_lanes, 1),
        "flops": profile.flops,
        "operations": profile.thread_instructions,
    }


@functools.cache
def scores() -> dict[str, dict[str, dict[str, float]]]:
    """Read the counters of the course's own versions: piece -> "plain", "lesson", "best" -> counter -> value."""
    found: dict[str, dict[str, dict[str, float]]] = json.loads(STORED.read_text("utf-8"))
    return found


def cost(counted: Counters) -> float:
    """Return what a kernel costs in sectors.

    Sectors and shared wavefronts go through the same pipe of a multiprocessor; an atomic costs as much as 32 of them.
    """
    return counted["sectors"] + counted["shared wavefronts"] + 32 * counted["atomics"]


def work(name: str, counted: Counters) -> float:
    """Return how many times the operations of the course's busiest version a kernel needs; 0 where that version has none."""
    known = [version["operations"] for version in scores().get(name, {}).values()]
    return counted["operations"] / max(known, default=math.inf)


def streams(name: str) -> bool:
    """Return whether nothing but load requests tells the course's best version of a piece from the lesson's solution."""
    lesson, best = scores()[name]["lesson"], scores()[name]["best"]
    return cost(best) == cost(lesson) and best["load requests"] < lesson["load requests"]


def starts_slowly(name: str, counted: Counters, threads: int) -> bool:
    """Return whether a GPU takes longer to hand out blocks of so many threads than they take to stream their numbers."""
    return threads < _SMALL and not _few_requests(name, counted)


def _few_requests(name: str, counted: Counters) -> bool:
    return not streams(name) or (
        counted["load requests"] <= _THREE * scores()[name]["best"]["load requests"]
    )


def awarded(name: str, counted: Counters, threads: int = _SMALL) -> int:
    """Return the stars of a kernel: 3 up to 1.5 times the best known cost, 2 up to 2.5 times, else 1.

    What costs about as much as the lesson's solution has 2 as well. A kernel has fewer for many times the operations of the
    course's versions, and for a block whose threads fill no whole warps. Where a kernel only streams, the third star counts
    load requests, and a small block costs the second. 0 where no best version is known, as for exercises.
    """
    known = scores().get(name, {})
    if "best" not in known:
        return 0
    if starts_slowly(name, counted, threads):
        return 1
    own, best = cost(counted), cost(known["best"])
    whole = threads % WARP == 0 and _few_requests(name, counted)
    if own <= _THREE * best and whole and not _is_busy(name, counted, _WORK):
        return 3
    two = max(_TWO * best, _ALIKE * cost(known["lesson"]))
    return 2 if own <= two and not _is_busy(name, counted, 2 * _WORK) else 1


def _is_busy(name: str, counted: Counters, times: float) -> bool:
    """Return whether the operations cost a star; they cost none where memory is all that a kernel waits for."""
    return not streams(name) and work(name, counted) > times


def shown(count: int) -> str:
    """Draw stars: 2 -> "★★☆"."""
    return "★" * count + "☆" * (3 - count)


def compared(name: str, counted: Counters) -> list[str]:
    """Return a line per counter that compares it with the course's versions.

    The first version is the plain one, or the lesson's solution where that costs more: the sum of a column by one
    thread loads the fewest sectors, and no workshop accepts it.
    """
    plain, lesson, best = (scores()[name][version] for version in ("plain", "lesson", "best"))
    beside, first = (
        ("the lesson's", lesson) if cost(lesson) > cost(plain) else ("the course's plain", plain)
    )
    idle = [] if first["shared wavefronts"] else ["shared wavefronts", "bank conflicts"]
    return [
        f"{counter} {counted[counter]:,} ({beside} version "
        f"{'–' if counter in idle else format(first[counter], ',')}, "
        f"best known {best[counter]:,})"
        for counter in _NEXT
        if (counted[counter] or first[counter] or best[counter])
        and (counter != "load requests" or streams(name))
    ]


def is_record(name: str, counted: Counters) -> bool:
    """Return whether a kernel costs less than every version that the course knows, one that no workshop accepts included."""
    return cost(counted) < min(map(cost, scores()[name].values()))


def question(name: str, counted: Counters) -> str:
    """Return the question that leads to the next star.

    It names the counter that earns a star if it alone drops to the best version's, or to the lesson's solution where that
    decides on the second star. Otherwise it names the operations, if there are too many, or the memory traffic as a whole.
    """
    lesson, best, stars = scores()[name]["lesson"], scores()[name]["best"], awarded(name, counted)
    near = lesson if stars == 1 and cost(lesson) > _TWO * cost(best) else best
    if _is_busy(name, counted, _WORK if stars == 2 else 2 * _WORK):
        return (
            "operations, which are far more than the task needs. What does a thread compute that nobody uses, or "
            "look at that it could skip?"
        )
    enough: dict[str, float] = {}
    for counter in _NEXT:
        alone = {**counted, counter: min(counted[counter], near[counter])}
        if counter == "bank conflicts":  # they are a part of the wavefronts
            alone["shared wavefronts"] -= counted[counter] - alone[counter]
        if awarded(name, alone) > stars:
            enough[counter] = cost(alone)
    if not enough:
        return (
            "memory traffic, in global and shared memory together. What could a block load once, and a thread keep "
            "in registers, so that it serves several products?"
        )
    return _NEXT[
        "bank conflicts" if "bank conflicts" in enough else min(enough, key=enough.__getitem__)
    ]
