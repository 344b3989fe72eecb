"""Profile: the counters of a launch, in total and per source line, as attributes, text and HTML.

Names and definitions are Nsight Compute's where they mean the same. Nothing here is a time, and nothing
says what a cache did.

Accesses are counted twice: as the text is written, and as a compiler leaves it that keeps values in registers. The
second is what Nsight Compute sees; codegen/registers.py says what is foreseen, and what is not. Lesson 02.
"""

from __future__ import annotations

import html
import math
from dataclasses import dataclass, field

import numpy as np

from ...limits import BANK, BANKS, SECTOR, WARP
from .memory.spaces import ATOMIC, READ
from .observers.counters import Counters
from .observers.observer import LaunchProtocol
from .traffic import Traffic

TRAFFIC = ("global_load", "global_store", "shared_load", "shared_store")


@dataclass
class Counts:
    """Counters of one source line, or of the whole launch.

    instructions: operations times warps that ran them, a stand-in for the machine's own instructions.
    flops: + - * / and functions of real numbers count 1, a fused multiply-add 2, in every active thread.
    tensor_instructions: of warps, HMMA and IMMA; ncu calls them sm__inst_executed_pipe_tensor_op_*.
    """

    global_load: Traffic = field(default_factory=Traffic)
    global_store: Traffic = field(default_factory=Traffic)
    global_atomic: Traffic = field(default_factory=Traffic)
    shared_load: Traffic = field(default_factory=Traffic)
    shared_store: Traffic = field(default_factory=Traffic)
    shared_atomic: Traffic = field(default_factory=Traffic)
    branches: int = 0
    divergent_branches: int = 0
    instructions: int = 0
    thread_instructions: int = 0
    flops: int = 0
    tensor_instructions: int = 0

    @property
    def active_lanes(self) -> float:
        """Mean active threads per warp instruction, 0 to 32."""
        return self.thread_instructions / self.instructions if self.instructions else 0.0

    @property
    def atomics(self) -> int:
        """Requests of atomics, global and shared."""
        return self.global_atomic.requests + self.shared_atomic.requests

    @property
    def bytes_requested(self) -> int:
        """Return how many bytes the threads requested from global memory, without atomics."""
        return self.global_load.bytes + self.global_store.bytes

    @property
    def bytes_moved(self) -> int:
        """Return how many bytes moved between the multiprocessors and memory or its caches, in sectors of 32 bytes."""
        return SECTOR * (self.global_load.sectors + self.global_store.sectors)

    @property
    def arithmetic_intensity(self) -> float:
        """Floating-point operations per byte moved."""
        return self.flops / self.bytes_moved if self.bytes_moved else 0.0


@dataclass(frozen=True)
class LaneAccess:
    """The access of one lane of a warp to element `index` of `name`. address: in bytes, from a boundary of sectors on."""

    lane: int
    name: str
    index: int
    address: int

    @property
    def sector(self) -> int:
        """Global memory: number of the 32-byte sector."""
        return self.address // SECTOR

    @property
    def bank(self) -> int:
        """Shared memory: number of the bank, 0 to 31."""
        return self.address // BANK % BANKS


@dataclass
class CountsByLine(Counts):
    """Counters of a whole launch; `lines` has the same per source line."""

    lines: dict[int, Counts] = field(default_factory=dict)

    def line(self, number: int) -> Counts:
        return self.lines.setdefault(number, Counts())


class Profile(CountsByLine):
    """Counters of a whole launch as its text is written; `lines` has the same per source line.

    as_compiled: the traffic that is left where a compiler keeps values in registers; in total, and by line. Nothing
    else in it is counted. overflows: lines in which an int overflows. late_barriers: barriers that some threads of a
    block do not reach because they have returned, for which the hardware does not wait. repeated_stores: line -> the
    array in which several threads store the same value to one element there.
    """

    def __init__(self, launch: LaunchProtocol, counters: Counters) -> None:
        super().__init__()
        self.as_compiled = CountsByLine()
        self.kernel, self.grid, self.block = launch.name, launch.grid, launch.fault_report.block
        self.blocks_sampled = len(launch.blocks)
        self.blocks_total = math.prod(launch.grid)
        self.source = launch.compiled.program.text
        self.overflows = sorted(launch.overflows)
        self.repeated_stores = launch.repeated_stores
        self.late_barriers = len(launch.late_barriers)
        self.warnings = [message for _, message in sorted(set(launch.warnings))]
        self.warnings += [
            f"line {line}: an int overflows; C leaves undefined what that gives. Let numbers that are to "
            "wrap around be unsigned"
            for line in self.overflows
        ]
        self._counters, self._sites = counters, launch.code.sites
        self._sum_up(launch.code.segments)

    def _sum_up(self, segments: list[dict[int, list[int]]]) -> None:
        for (number, space), tally in self._counters.tallies.items():
            verb = "load" if tally.kind == READ else "atomic" if tally.kind == ATOMIC else "store"
            line, compiled = self._sites[number].line, self.as_compiled
            for counts in (self, self.line(line), compiled, compiled.line(line)):
                getattr(counts, f"{space}_{verb}").add(tally.total)
            for counts in (compiled, compiled.line(line)):
                getattr(counts, f"{space}_{verb}").add(tally.saved, -1)
        for line, (branches, divergent) in self._counters.branches.items():
            for counts in (self, self.line(line)):
                counts.branches += branches
                counts.divergent_branches += divergent
        counted = zip(
            segments, self._counters.segment_warps, self._counters.segment_lanes, strict=True
        )
        for segment, warps, lanes in counted:
            for line, (instructions, flops, tensor) in segment.items():
                for counts in (self, self.line(line)) if warps else ():
                    counts.instructions += instructions * warps
                    counts.thread_instructions += instructions * lanes
                    counts.flops += flops * lanes
                    counts.tensor_instructions += tensor * warps
        self.lines = dict(sorted(self.lines.items()))

    @property
    def serial_loads(self) -> int:
        """Return how many numbers of 4 bytes are loaded one after the other from one array, at most.

        What several threads load at once counts once. Blocks of a large grid that do not run together are added up.
        """
        return max(self._counters.serial_loads.values(), default=0)

    @property
    def kept(self) -> list[str]:
        """Return what a compiler keeps in registers, line by line, in words."""
        return [
            f"line {line}: the compiler keeps this in a register: {written.requests:,} {kind.replace('_', ' ')} "
            f"requests as written, {compiled.requests:,} as compiled"
            for line, counts in self.lines.items()
            for kind in TRAFFIC
            if (compiled := getattr(self.as_compiled.line(line), kind))
            != (written := getattr(counts, kind))
        ]

    # --- for pictures -------------------------------------------------------------------

    def accesses(self, line: int, warp: int = 0, block: int = 0, time: int = 0) -> list[LaneAccess]:
        """Return what each active lane of a warp touched in a source line, the `time`-th time it ran.

        warp: number in its block. block: number in the grid, x fastest; only the first blocks are kept.
        Several accesses of one line follow each other.
        """
        found = []
        for (number, _), tally in self._counters.tallies.items():
            if self._sites[number].line != line or time >= len(tally.kept):
                continue
            memory, addresses, active = tally.kept[time]
            threads = int(np.prod(self.block))
            start = block * threads + warp * WARP
            stop = min(start + WARP, (block + 1) * threads)
            if start >= len(addresses):
                raise ValueError(
                    f"accesses are kept for the first {len(addresses) // threads} blocks, not for {block}"
                )
            size = memory.dtype.itemsize
            found += [
                LaneAccess(k - start, memory.name, (address - memory.lead) // size, address)
                for k in range(start, stop)
                if active[k]
                for address in (int(addresses[k]),)
            ]
        return found

    def touched(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Return how often each element of an array argument was read and written, flat."""
        if name not in self._counters.touched:
            known = ", ".join(self._counters.touched) or "none"
            raise KeyError(f"{name!r} was not touched; global arrays that were: {known}")
        return self._counters.touched[name]

    @property
    def bytes_once(self) -> int:
        """The least that DRAM must move: each sector of global memory that is read, and each that is written, once."""
        return SECTOR * sum(
            len(np.unique(np.flatnonzero(counts) * self._counters.itemsize[name] // SECTOR))
            for name, both in self._counters.touched.items()
            for counts in both
        )

    # --- as text ------------------------------------------------------------------------

    def totals(self) -> list[tuple[str, str]]:
        """Return the table of totals: what, how much."""
        rows: list[tuple[object, str, str]] = []
        for name in TRAFFIC:
            written, compiled = getattr(self, name), getattr(self.as_compiled, name)
            rows.append((written.requests, name, _told(name, written)))
            rows.append((compiled != written, "  as compiled", _told(name, compiled)))
        for name in ("global_atomic", "shared_atomic"):
            requests = getattr(self, name).requests
            rows.append((requests, name, f"{requests:,} requests"))
        moved = f"{self.bytes_requested:,} asked for, {self.bytes_moved:,} moved"
        each = f" ({self.arithmetic_intensity:.2f} per byte moved)" if self.bytes_moved else ""
        diverging = f"{self.branches:,}, of which {self.divergent_branches:,} diverge"
        rows += [
            (self.bytes_moved, "bytes", moved),
            (self.flops, "flops", f"{self.flops:,}{each}"),
            (
                self.tensor_instructions,
                "tensor cores",
                f"{self.tensor_instructions:,} instructions",
            ),
            (self.branches, "branches", diverging),
            (True, "active lanes", f"{self.active_lanes:.1f} of 32"),
        ]
        return [(name, text) for is_shown, name, text in rows if is_shown]

    def title(self) -> str:
        """Return the launch in one line: kernel, grid, block, and how many of its blocks were counted."""
        grid, block = (" x ".join(map(str, sizes)) for sizes in (self.grid, self.block))
        sample = (
            f"; counted on {self.blocks_sampled:,} of {self.blocks_total:,} blocks"
            if self.blocks_sampled < self.blocks_total
            else ""
        )
        return f"{self.kernel}: grid {grid}, block {block}{sample}"

    def _table(self) -> tuple[list[str], list[tuple[int, float, list[str], str]]]:
        """Return the columns with counters, and per line: number, active lanes, columns, source text."""
        used = [name for name, total in _columns(self).items() if total]
        text = [*self.source.splitlines(), ""]
        rows = [
            (
                line,
                counts.active_lanes,
                [f"{_columns(counts)[name]:,}".removeprefix("0") for name in used],
                text[min(line, len(text)) - 1].strip(),
            )
            for line, counts in self.lines.items()
        ]
        return used, rows

    def __str__(self) -> str:
        used, rows = self._table()
        out = [self.title(), *(f"  {name:<14}{value}" for name, value in self.totals()), ""]
        rows_of_text = [
            (f"{line:5d} {lanes:5.1f}", cells, text) for line, lanes, cells, text in rows
        ]
        for start, cells, text in [(f"{'line':>5} {'lanes':>5}", used, "source"), *rows_of_text]:
            out.append(f"{start} {' '.join(f'{cell:>12}' for cell in cells)}  {text}")
        out += [f"note: {message}" for message in [*self.kept, *self.warnings]]
        return "\n".join(out)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        left = "style='text-align:left'"
        used, rows = self._table()
        totals = "".join(
            f"<tr><th {left}>{name}</th><td {left}>{value}</td></tr>"
            for name, value in self.totals()
        )
        head = "".join(f"<th>{name}</th>" for name in ("line", "lanes", *used))
        body = ""
        for line, lanes, cells, text in rows:
            numbers = "".join(f"<td>{cell}</td>" for cell in (line, f"{lanes:.1f}", *cells))
            body += f"<tr>{numbers}<td {left}><code>{html.escape(text)}</code></td></tr>"
        notes = "".join(
            f"<p>Note: {html.escape(message)}</p>" for message in [*self.kept, *self.warnings]
        )
        return (
            f"<div><b>{html.escape(self.title())}</b><table>{totals}</table>"
            f"<table><thead><tr>{head}<th {left}>source</th></tr></thead>"
            f"<tbody>{body}</tbody></table>{notes}</div>"
        )


def _columns(counts: Counts) -> dict[str, int]:
    """Return the counters in a table, by heading."""
    found = {}
    for kind in TRAFFIC:
        space, verb = kind.split("_")
        traffic: Traffic = getattr(counts, kind)
        found[f"{space[0]}.{verb} req"] = traffic.requests
        if space == "global":
            found[f"g.{verb} sect"] = traffic.sectors
        else:
            found[f"s.{verb} confl"] = traffic.bank_conflicts
    return found | {"flops": counts.flops}


def _told(name: str, traffic: Traffic) -> str:
    """Describe traffic in words: sectors of global memory, wavefronts of shared memory."""
    if name.startswith("global"):
        detail = f"{traffic.sectors:,} sectors ({traffic.sectors_per_request:.2f} per request)"
    else:
        detail = f"{traffic.wavefronts:,} wavefronts, {traffic.bank_conflicts:,} bank conflicts"
    return f"{traffic.requests:,} requests, {detail}"
