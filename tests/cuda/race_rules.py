"""Each rule of order in the race check, weakened: does a short run of the oracle notice?

    python -m tests.cuda.race_rules [SECONDS]     prints after how many programs, and renews race_rules.json

A rule is weakened in the text of its function. The first program for which the verdict is no longer the oracle's is
kept, as its name in MADE or the seed that makes it; test_race_oracle.py asks these again.
"""

from __future__ import annotations

import inspect
import itertools
import json
import sys
import textwrap
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from nnlib.cuda._engine.simulator.observers import async_copies
from nnlib.cuda._engine.simulator.observers.races import judge as race_judge
from nnlib.cuda._engine.simulator.observers.races import log as race_log
from nnlib.cuda._engine.simulator.observers.races import observer as races
from nnlib.cuda._engine.simulator.observers.races import order as race_order
from tests.cuda.race_oracle import ALL, FLAGS, WAYS, Step, judged, random_program, simulate, ways_of

FOUND = Path(__file__).with_suffix(".json")
SPACES = ("shared", "global")
Order, Races, Copies = race_order.Order, races.Races, async_copies.AsyncCopies

# What is believed then: where, what stands there, what stands there instead.
RULES: dict[str, tuple[Any, str, str, str]] = {
    "barriers order nothing": (
        Order,
        "barrier",
        "rt, vector = self.machine, self.vector",
        "return",
    ),
    "a barrier orders other blocks": (
        race_judge,
        "_ordered",
        "one // threads == two // threads",
        "one >= 0",
    ),
    "only blocks of one epoch meet": (race_judge, "_contested", "groups.append(", "("),
    "only threads of one epoch meet": (race_judge, "_contested", "[*epochs.values()]", "[]"),
    "what reads or writes before a write is forgotten": (
        race_judge,
        "_chains",
        "& first & last",
        "| True",
    ),
    "a barrier tells nothing heard": (
        race_order.VectorClocks,
        "joined",
        "heard, heard_by_block = dict",
        "return self; heard, heard_by_block = dict",
    ),
    "grid.sync orders nothing": (
        Races,
        "grid_barrier",
        "self._close(list(self.records.values()))",
        "return self.barrier(None)",
    ),
    "__syncwarp orders nothing": (
        Order,
        "warp_sync",
        "rt, vector = self.machine, self.vector",
        "return",
    ),
    "__syncwarp(mask) orders the whole warp": (
        Order,
        "warp_sync",
        "int(named) == 2**WARP - 1",
        "True",
    ),
    "__syncwarp orders the block": (
        race_judge,
        "_ordered",
        "same_block & (one % threads // WARP == two % threads // WARP)",
        "same_block",
    ),
    "lanes do not tell what they knew of lanes": (
        Order,
        "_lanes_after",
        "known[member] = together[rt.warp[member]]",
        "known[member] = np.maximum(before[member], np.where(together == clock, clock, 0)[rt.warp[member]])",
    ),
    "lanes of other warps meet, too": (
        Order,
        "_lanes_after",
        "active & (named == bits) &",
        "(named == bits) &",
    ),
    "lanes that meet forget the others": (
        Order,
        "_lanes_after",
        "np.maximum.at(together, rt.warp[member], before[member])",
        "pass",
    ),
    "lanes forget what they knew of lanes": (
        Order,
        "_lanes_after",
        "self.vector.lanes.copy()",
        "np.zeros((rt.width, WARP), np.int64)",
    ),
    "lanes know nothing of parts": (
        race_judge,
        "_ordered",
        "if vector.lanes is not None",
        "if False",
    ),
    "lanes that met tell nothing heard": (
        Order,
        "warp_sync",
        "vector.joined(dict(enumerate(groups)), by_block=False)",
        "vector",
    ),
    "a fence covers the block's writes": (
        Order,
        "fence",
        "self.fences.append",
        "active = np.repeat(active.reshape(-1, self.machine.threads).any(1), self.machine.threads)\n"
        "    self.fences.append",
    ),
    "fences order nothing": (Order, "fence", "active = ", "return; active = "),
    "other blocks see a fence of the block": (Order, "fence", "if wide:", "if True:"),
    "other blocks see no fence": (Order, "fence", "if wide:", "if False:"),
    "a fence covers what comes after it": (
        race_order,
        "_publish",
        "vector, clock = order.fences[last[lane]]",
        "vector, clock = order.vector, done[1]",
    ),
    "an atomic needs no fence": (
        race_order,
        "_publish",
        "if last[lane] >= 0:\n        vector, clock = order.fences[last[lane]]",
        "if True:\n        vector, clock = order.vector, done[1]",
    ),
    "a failed swap publishes": (
        Races,
        "_exchanged",
        "yield lane, place * size + at, reads, writes",
        "yield lane, place * size + at, reads, True",
    ),
    "an atomic learns nothing": (race_order.Messages, "exchange", "if reads:", "if False:"),
    "an atomic wipes what stood there": (
        race_order,
        "_publish",
        "messages.get(key) if keeps else None",
        "None",
    ),
    "who has met does not publish their fences": (
        race_order,
        "_publish",
        "None, shared)",
        "None, None)",
    ),
    "fences are not shared at barriers": (Order, "barrier", "self._share(", "("),
    "fences are not shared by lanes": (Order, "warp_sync", "self._share(", "("),
    "what lanes share is not shared at barriers": (
        Order,
        "_share",
        "self.unshared.update",
        "self.unshared.difference_update",
    ),
    "fences shared before are forgotten": (
        Order,
        "_share",
        "Knowledge(tuple(before.values()), ",
        "Knowledge((), ",
    ),
    "a fence does not cover what a barrier ordered": (
        race_order,
        "_add",
        "_at(vector.block_sync, lane)",
        "0",
    ),
    "a fence does not cover what __syncwarp ordered": (
        race_order,
        "_add",
        "_at(vector.warp_sync, lane)",
        "0",
    ),
    "a fence does not cover what lanes knew": (
        race_order,
        "_add",
        "if vector.lanes is not None",
        "if False",
    ),
    "a fence does not cover what was heard": (
        race_order,
        "_add",
        "return [heard] if heard is not None else []",
        "return []",
    ),
    "atomics are not behind those before them": (
        race_order,
        "_publish",
        "parents, [(vector, lane, clock)], done",
        "parents, [(vector, lane, clock)], None",
    ),
    "what is heard of atomics holds for all": (
        race_judge,
        "_ordered",
        "accesses.kind[earlier[pair]] == BIT[ATOMIC]",
        "True",
    ),
    "a volatile read hears nothing": (Races, "load", "if is_flag:", "if False:"),
    "a volatile write tells nothing": (
        Races,
        "store",
        "self.atomic(access, reads=False)",
        "self._log(self._record(access), access, ATOMIC)",
    ),
    "a volatile write adds to what stood there": (Races, "store", "reads=False", "reads=True"),
    "volatile reads race with atomics": (
        Races,
        "load",
        "kind = PEEK if is_flag or access.site.is_guess else READ",
        "kind = READ",
    ),
    "aliases are memories of their own": (Races, "_record", "memory.home", "memory"),
    "aliases begin where their home begins": (race_log, "units", "memory.at // unit", "0"),
    "a copy has arrived when it starts": (Races, "copy_arrived", "self._log(", "("),
    "what a copy writes may be read": (Copies, "load", "self._check(access, WRITE)", "pass"),
    "what a copy writes may be written": (Copies, "store", "self._check(access, WRITE)", "pass"),
    "what a copy reads may be written": (Copies, "store", "self._check(access, READ)", "pass"),
    "copies never arrive": (Copies, "copy_arrived", "end = ", "return; end = "),
    "atomics order all": (
        Races,
        "_is_harmless",
        "not record.kinds & ~(",
        "record.kinds & (",
    ),
    "earlier blocks are forgotten": (Races, "_check_earlier_chunks", "bad.any()", "False"),
    "earlier blocks' reads are forgotten": (
        Races,
        "_flag",
        "BIT[entry.kind]",
        "BIT[entry.kind] & 6",
    ),
    "a read again after a fence is the same read": (
        Races,
        "_known",
        "entry.clock == self.clock",
        "True",
    ),
    "only the last thread at a place counts": (
        race_judge,
        "remembered",
        "accesses.thread << 4 | ",
        "",
    ),
    "only the last kind at a place counts": (race_judge, "remembered", "| accesses.kind", ""),
}


EVERYONE = range(ALL)
OTHER = 64  # a thread of the other block


def by(
    threads: int | Iterable[int],
    what: str,
    place: int | None = None,
    name: str = "x",
    number: int = 0,
) -> Step:
    """These threads touch that element; without a place, each its own."""
    active = np.isin(np.arange(ALL), [threads] if isinstance(threads, int) else [*threads])
    return Step(
        what, FLAGS + np.arange(ALL) if place is None else np.full(ALL, place), active, name, number
    )


def part(mask: int) -> Step:
    """__syncwarp of the lanes of the mask, in all warps."""
    return by(EVERYONE, "part", number=mask)


def told(teller: int, hearer: int = OTHER) -> list[Step]:
    """What the teller's fences cover, the hearer knows then."""
    return [by(teller, "atomic", 0), by(hearer, "atomic", 0)]


WRITE, FENCE, BARRIER, WARP = (
    by(0, "write"),
    by(0, "fence"),
    by(EVERYONE, "barrier"),
    by(EVERYONE, "syncwarp"),
)
READ = by(OTHER, "read", FLAGS)  # of what WRITE wrote
AT = FLAGS + 70

# Short programs for what random ones seldom reach.
MADE = {
    "heard, then a barrier": [WRITE, FENCE, *told(0), BARRIER, by(OTHER + 1, "read", FLAGS)],
    "heard, then __syncwarp": [WRITE, FENCE, *told(0), WARP, by(OTHER + 1, "read", FLAGS)],
    "a part, and one outside of it": [by(5, "write"), part(0b11), by(0, "read", FLAGS + 5)],
    "two parts in a row": [WRITE, part(0b11), part(0b110), by(2, "read", FLAGS)],
    "a fence, a barrier, another tells": [WRITE, FENCE, BARRIER, *told(40), READ],
    "a fence, __syncwarp, a barrier, another tells": [WRITE, FENCE, WARP, BARRIER, *told(40), READ],
    "a fence, a part, a part, another tells": [
        WRITE,
        FENCE,
        part(0b11),
        part(0b110),
        *told(2),
        READ,
    ],
    "a barrier, then another's fence": [
        by(40, "write"),
        BARRIER,
        FENCE,
        *told(0),
        by(OTHER, "read", FLAGS + 40),
    ],
    "__syncwarp, then another's fence": [
        by(1, "write"),
        WARP,
        FENCE,
        *told(0),
        by(OTHER, "read", FLAGS + 1),
    ],
    "a part, then another's fence": [
        by(1, "write"),
        part(0b11),
        FENCE,
        *told(0),
        by(OTHER, "read", FLAGS + 1),
    ],
    "heard, fenced and told on": [
        by(OTHER, "write"),
        by(OTHER, "fence"),
        *told(OTHER, 0),
        FENCE,
        by(0, "atomic", 1),
        by(1, "atomic", 1),
        by(1, "read", FLAGS + OTHER),
    ],
    "the last resets the counter": [FENCE, *told(0), by(OTHER, "write", 0)],
    "a volatile flag": [WRITE, FENCE, by(0, "post", 0), by(OTHER, "peek", 0), READ],
    "neighbours through two names": [WRITE, by(1, "read", FLAGS + 8, "y")],
    "a barrier while a copy is under way": [
        by(0, "copy"),
        BARRIER,
        by(EVERYONE, "wait"),
        by(1, "read", 0, "copied"),
    ],
    "a read, then a write elsewhere": [by(0, "read", AT), by(70, "write", AT)],
    "a read before a fence and one after it": [
        by(EVERYONE, "read"),
        by(EVERYONE, "fence"),
        by(EVERYONE, "read"),
        by(EVERYONE, "atomic", 0),
        by(OTHER, "write", FLAGS),
    ],
    "two read, one of them writes": [by(0, "read", AT), by(1, "read", AT), by(1, "write", AT)],
    "two read, one of them writes; with a fence": [
        FENCE,
        by(0, "read", AT),
        by(1, "read", AT),
        by(1, "write", AT),
    ],
    "one writes and reads, another reads": [
        FENCE,
        by(0, "write", AT),
        by(0, "read", AT),
        by(1, "read", AT),
    ],
}
Program = int | str  # a seed, or a name in MADE


@contextmanager
def weakened(owner: Any, name: str, old: str, new: str) -> Iterator[None]:
    """The function of the class or module with the other text in it, every time that it stands there."""
    function: Callable = vars(owner)[name]
    text = textwrap.dedent(inspect.getsource(function))
    if old not in text:
        raise LookupError(f"{name} has no {old!r} any more")
    names: dict[str, Any] = {}
    exec(
        compile(text.replace(old, new), f"<weakened {name}>", "exec", dont_inherit=True),
        function.__globals__,
        names,
    )
    setattr(owner, name, names[name])
    try:
        yield
    finally:
        setattr(owner, name, function)


def kind_of(rule: str) -> str:
    """The programs that the rule matters for."""
    words = {
        "messages": ("fence", "atomic", "swap", "heard", "volatile", "published", "publish"),
        "copies": ("copy", "copies"),
        "parts": ("lanes", "__syncwarp"),
        "grid": ("grid",),
    }
    return next(
        (kind for kind, said in words.items() if any(word in rule for word in said)), "plain"
    )


def search(rules: list[str], kind: str, seconds: float) -> dict[str, tuple[Program, str, str]]:
    """For each rule the first program, space and way that notice; a rule that is missing was not noticed in time."""
    found: dict[str, tuple[Program, str, str]] = {}
    end = time.process_time() + seconds
    for program in itertools.chain(MADE, itertools.count(1)):
        if len(found) == len(rules) or time.process_time() > end:
            break
        spaces = ["global"] if program in MADE else SPACES
        for space, way in itertools.product(spaces, WAYS):
            for rule in noticed(
                program, kind, space, way, [rule for rule in rules if rule not in found]
            ):
                found[rule] = program, space, way
                print(f"{rule}: {found[rule]}", flush=True)
    return found


def noticed(program: Program, kind: str, space: str, way: str, rules: Iterable[str]) -> list[str]:
    """The rules without which this program is judged wrongly."""
    steps = (
        MADE[program]
        if isinstance(program, str)
        else random_program(np.random.default_rng(program), space, kind)
    )
    expected, found = judged(steps, space, way)
    if found != expected:
        raise AssertionError(
            f"program {program}, {space}, {way}: the verdicts differ before any rule is weakened"
        )
    return [rule for rule in rules if judged_without(rule, steps, space, way) != expected]


def judged_without(rule: str, steps: list[Step], space: str, way: str) -> bool:
    with ways_of(way), weakened(*RULES[rule]):
        return simulate(steps, space)


def main(seconds: float) -> None:
    kinds = {rule: kind_of(rule) for rule in RULES}
    found: dict[str, tuple[int, str, str]] = {}
    for kind in dict.fromkeys(kinds.values()):
        rules = [rule for rule in RULES if kinds[rule] == kind]
        found |= search(rules, kind, seconds * len(rules) / len(RULES))
    print("not noticed:", ", ".join(RULES.keys() - found) or "none")
    rows = [f"{json.dumps(rule)}: {json.dumps(found.get(rule))}" for rule in RULES]
    FOUND.write_text("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 300)
