"""The report of a failed launch: what happened, the source line with a caret, the thread, what was allowed, a hint."""

from __future__ import annotations

from typing import NoReturn

import numpy as np

from ...limits import SECTOR
from ..errors import Dim3, KernelError, MisalignedAccessError
from ..language import tree
from ..language.layout import path
from .masks import spread


class FaultReport:
    """Words the faults of one launch and raises them."""

    def __init__(self, kernel: str, program: tree.TranslationUnit, block: Dim3, grid: Dim3):
        self.kernel, self.block, self.grid = kernel, block, grid
        self.file, self.lines = program.file, program.text.splitlines()

    def fail(self, rt, error: type[KernelError], site, lanes, what: str, allowed: str, hint: str,
             who: str) -> NoReturn:
        message = [f"{what} (kernel {self.kernel})", *self.source_lines(site)]
        thread = block = None
        if lanes is not None:
            first = np.flatnonzero(lanes)
            thread, block = self.whose(rt, int(first[0]))
            others = f"; {len(first):,} threads in all" if len(first) > 1 else ""
            message.append(f"  {who} thread {_triple(thread)} of block {_triple(block)}{others}")
        if allowed:
            message.append(f"  {allowed}")
        if hint:
            message.append(f"  hint: {hint}")
        raise error("\n".join(message), what=what, hint=hint, file=self.file, line=site.line, column=site.column,
                    kernel=self.kernel, thread=thread, block=block)

    def source_lines(self, site) -> list[str]:
        """The student's line and a caret under the column."""
        line = self.lines[site.line - 1] if 0 < site.line <= len(self.lines) else ""
        number = f"{site.line:5d} | "
        caret = " " * (len(number) + site.column - 1) + "^"
        return [f"  at {self.file}:{site.line}:{site.column}", number + line.replace("\t", " "), caret]

    def whose(self, rt, lane: int) -> tuple[Dim3, Dim3]:
        """Return threadIdx and blockIdx of a lane of the chunk."""
        return self.indices(lane % rt.threads, int(rt.block_numbers[lane // rt.threads]))

    def indices(self, thread: int, block: int) -> tuple[Dim3, Dim3]:
        """Return threadIdx and blockIdx of the thread and the block with these numbers."""
        return _unravel(thread, self.block), _unravel(block, self.grid)

    def element(self, memory, index: int, site, subscripts: tuple[int, ...] | None = None) -> str:
        """`x[128]`, `s[3][32]`, `particles[3].velocity.y`, or the bare name of a scalar."""
        if memory.kind is not None:
            return memory.name + path(memory.kind, index * site.size - memory.lead, site.copied or site.size)
        if subscripts is None and len(memory.dims) > 1 and site.dtype == memory.dtype:
            found: list[int] = []
            rest = index
            for length in memory.dims[:0:-1]:
                found.insert(0, rest % length)
                rest //= length
            subscripts = (rest, *found)
        if subscripts is not None:
            return memory.name + "".join(f"[{k}]" for k in subscripts)
        if not memory.dims and memory.space != "global" and memory.nbytes == site.size:
            return memory.name
        return f"{memory.name}[{(index * site.size - memory.lead) // memory.dtype.itemsize}]"

    def misaligned(self, rt, m, site, pointer, wrong, where) -> None:
        """Raise MisalignedAccessError if any active thread is in `wrong`. Its byte address, in `where`, is not a
        multiple of site.size."""
        lanes = spread(wrong, rt.width) & (True if m is None else m)
        if not lanes.any():
            return
        lane = int(np.flatnonzero(lanes)[0])
        memory = pointer.memory
        byte = int(spread(where, rt.width)[lane]) - memory.lead
        self_element = f"{memory.name}[{byte // memory.element_size}]"
        step = site.size // memory.element_size
        hint = f"start at an index that is a multiple of {step}" if step > 1 else "move by whole elements, not by bytes"
        if memory.lead % site.size:
            hint = f"{memory.name} begins {memory.lead} bytes behind a multiple of {SECTOR}: pass an array of its own"
        rt.fail(MisalignedAccessError, site, lanes,
                f"a{'n' * (site.size == 8)} {site.size}-byte access at {self_element}, byte {byte} of {memory.name}",
                f"its address must be a multiple of {site.size} bytes", hint)


def _unravel(number: int, shape: Dim3) -> Dim3:
    x, y, _ = shape
    return number % x, number // x % y, number // (x * y)


def _triple(index: Dim3) -> str:
    return f"({index[0]},{index[1]},{index[2]})"
