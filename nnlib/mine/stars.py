"""What a kernel costs, and how many stars that is worth: exact counters, beside the course's own versions.

scores.json holds the counters of the course's first and best version of each piece, and of the lesson's solution;
tests/benchmarks/pieces.py measures them.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

STORED = Path(__file__).with_name("scores.json")
Counters = Mapping[str, float]
_TOO_MANY = 1.5  # times the sectors of the lesson's solution
# Counter -> the question that leads to fewer of them.
_NEXT = {"sectors": "sectors. What do neighbouring lanes read, and what is read again that a block could keep?",
         "shared wavefronts": "shared wavefronts. What could a thread keep in registers and use several times?",
         "bank conflicts": "bank conflicts. Which lanes meet in one bank?"}


def counters(profile: Any) -> dict[str, float]:
    """The exact counters of a launch (or of one of its lines) that are kept as its score."""
    return {"sectors": profile.global_load.sectors + profile.global_store.sectors,
            "shared wavefronts": profile.shared_load.wavefronts + profile.shared_store.wavefronts,
            "bank conflicts": profile.shared_load.bank_conflicts + profile.shared_store.bank_conflicts,
            "atomics": profile.atomics, "active lanes": round(profile.active_lanes, 1), "flops": profile.flops}


@functools.cache
def scores() -> dict[str, dict[str, dict[str, float]]]:
    """name -> "plain", "lesson" and "best" -> counters of the course's own versions."""
    return json.loads(STORED.read_text("utf-8"))


def cost(counted: Counters) -> float:
    """Sectors and shared wavefronts go through the same pipe of a multiprocessor; an atomic is 32 of them."""
    return counted["sectors"] + counted["shared wavefronts"] + 32 * counted["atomics"]


def awarded(name: str, counted: Counters) -> int:
    """3 up to 1.5 times the best known cost, 2 up to 2.5 times, else 1."""
    own, best = cost(counted), cost(scores()[name]["best"])
    return 3 if own <= 1.5 * best else 2 if own <= 2.5 * best else 1


def shown(count: int) -> str:
    """2 -> "★★☆"."""
    return "★" * count + "☆" * (3 - count)


def compared(name: str, counted: Counters) -> list[str]:
    """The counters beside those of the course, a line each."""
    first, best = scores()[name]["plain"], scores()[name]["best"]
    return [f"{counter} {counted[counter]:,} (a first version {first[counter]:,}, best known {best[counter]:,})"
            for counter in _NEXT if counted[counter] or first[counter] or best[counter]]


def question(name: str, counted: Counters) -> str:
    """Where the next star is: the sectors, where they are far more than those of the lesson's solution, else the
    counter that differs most from the best version's."""
    best, lesson = scores()[name]["best"], scores()[name]["lesson"]
    if counted["sectors"] > _TOO_MANY * lesson["sectors"]:
        return _NEXT["sectors"]
    more = {counter: counted[counter] - best[counter] for counter in _NEXT}
    if 2 * more["bank conflicts"] > more["shared wavefronts"]:  # they are a part of them
        more["shared wavefronts"] = 0
    else:
        more["bank conflicts"] = 0
    return _NEXT[max(more, key=lambda counter: more[counter])]
