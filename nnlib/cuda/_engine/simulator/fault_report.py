"""The report of a failed launch: what happened, the source line with a caret, the thread, what was allowed, a hint."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any, NoReturn

import numpy as np

from ...limits import SECTOR
from ..errors import BarrierError, Dim3, KernelError, MisalignedAccessError
from ..language import diagnostics, tree
from ..language.layout import path
from . import guards
from .machine_protocol import MachineProtocol
from .masks import Mask, PerThread, at, first_of
from .memory.pointers import PointerValue
from .memory.spaces import PEEK, Access, Memory, Site


class FaultReport:
    """Words the faults of one launch and raises them."""

    def __init__(self, kernel: str, program: tree.TranslationUnit, block: Dim3, grid: Dim3):
        self.kernel, self.program, self.block, self.grid = kernel, program, block, grid
        self.file, self.lines = program.file, program.text.splitlines()

    def fail(
        self,
        rt: MachineProtocol,
        error: type[KernelError],
        site: Site,
        lanes: Mask,
        said: tuple[str, str, str],
        who: str = "by",
        **fields: Any,
    ) -> NoReturn:
        """Raise `error` for the first of the lanes (a mask; None: no thread in particular).

        said: what is wrong, what is allowed, and the hint. fields: more of the error's.
        """
        what, allowed, hint = said
        source = diagnostics.excerpt(self.file, self.lines, site.line, site.column)
        message = [f"{what} (kernel {self.kernel})", *source]
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
        if issubclass(error, BarrierError):
            fields["call"] = site.name or None
        raise error(
            "\n".join(message),
            what=what,
            hint=hint,
            file=self.file,
            line=site.line,
            column=site.column,
            kernel=self.kernel,
            thread=thread,
            block=block,
            **fields,
        )

    def whose(self, rt: MachineProtocol, lane: int) -> tuple[Dim3, Dim3]:
        """Return threadIdx and blockIdx of a lane of the chunk."""
        return self.indices(lane % rt.threads, int(rt.block_numbers[lane // rt.threads]))

    def indices(self, thread: int, block: int) -> tuple[Dim3, Dim3]:
        """Return threadIdx and blockIdx of the thread and the block with these numbers."""
        return _unravel(thread, self.block), _unravel(block, self.grid)

    def touched(
        self,
        access: Access,
        lane: int,
        kind: str = "",
    ) -> dict[str, Any]:
        """Return the fields of an error that say which element a lane reads, writes or updates.

        It is the first of those that the access takes, or the first one outside the array. kind: in place of that of the
        access.
        """
        memory, site, kind = access.memory, access.site, kind or access.kind
        byte = access.byte_at(lane)
        if 0 <= byte < memory.nbytes < byte + site.size:
            byte = memory.nbytes
        subscripts = access.subscripts and tuple(int(at(k, lane)) for k in access.subscripts)
        if (
            subscripts is None
            and memory.kind is None
            and len(memory.dims) > 1
            and site.dtype == memory.dtype
        ):
            found: list[int] = []
            rest = byte // memory.element_size
            for length in memory.dims[:0:-1]:
                found.insert(0, rest % length)
                rest //= length
            subscripts = (rest, *found)
        return {
            "element": self._element(memory, byte, site, subscripts),
            "array": memory.name,
            "space": memory.space,
            "access": "read" if kind == PEEK else kind,
            "index": byte // memory.element_size,
            "limit": memory.nbytes // memory.element_size,
            "subscripts": subscripts,
            "shape": tuple(memory.dims) if len(memory.dims) > 1 else None,
            "dynamic": memory.is_dynamic,
        }

    @staticmethod
    def _element(memory: Memory, byte: int, site: Site, subscripts: tuple[int, ...] | None) -> str:
        """Name an element: `x[128]`, `s[3][32]`, `particles[3].velocity.y`, or the bare name of a scalar."""
        if memory.kind is not None:
            return memory.name + path(memory.kind, byte, site.copied or site.size)
        if subscripts is not None:
            return memory.name + "".join(f"[{k}]" for k in subscripts)
        if not memory.dims and memory.space != "global" and memory.nbytes == site.size:
            return memory.name
        return f"{memory.name}[{byte // memory.dtype.itemsize}]"

    def guards(
        self, rt: MachineProtocol, lane: int, site: Site, index: int, limit: int
    ) -> guards.GuardFinding:
        """Find why no condition has kept a lane from element `index` of an array of `limit`; empty where that is unknown."""
        found = guards.access_at(self.program, site.line, site.column)
        if found is None:
            return guards.GuardFinding("")
        thread, block = self.whose(rt, lane)
        built_in = {
            "threadIdx": thread,
            "blockIdx": block,
            "blockDim": self.block,
            "gridDim": self.grid,
        }
        numbers = {
            f"{name}.{axis}": numbers[k]
            for name, numbers in built_in.items()
            for k, axis in enumerate("xyz")
        }
        return guards.GuardReader(*found, numbers | _variables(rt, lane)).find(index, limit)

    def misaligned(
        self,
        rt: MachineProtocol,
        m: Mask,
        site: Site,
        pointer: PointerValue,
        wrong: Mask,
        where: PerThread,
    ) -> None:
        """Raise MisalignedAccessError if any active thread is in `wrong`.

        where: its byte address, which is not a multiple of site.size.
        """
        lanes = rt.spread(wrong) & rt.spread(m)
        if not lanes.any():
            return
        memory = pointer.memory
        byte = int(at(where, first_of(lanes))) - memory.lead
        index = byte // memory.element_size
        element = f"{memory.name}[{index}]"
        step = site.size // memory.element_size
        hint = (
            f"start at an index that is a multiple of {step}"
            if step > 1
            else "move by whole elements, not by bytes"
        )
        if memory.lead % site.size:
            hint = f"{memory.name} begins {memory.lead} bytes behind a multiple of {SECTOR}: pass an array of its own"
        rt.fail(
            MisalignedAccessError,
            site,
            lanes,
            f"a{'n' * (site.size == 8)} {site.size}-byte access at {element}, byte {byte} of {memory.name}",
            f"its address must be a multiple of {site.size} bytes",
            hint,
            array=memory.name,
            space=memory.space,
            element=element,
            index=index,
            limit=memory.nbytes // memory.element_size,
        )


def _variables(rt: MachineProtocol, lane: int) -> dict[str, int]:
    """Return the integers that one lane has in the innermost generated function that runs, by their names there."""
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_globals is not rt.namespace:
        frame = frame.f_back
    held = {} if frame is None else frame.f_locals
    mine = {
        name: value[lane] if isinstance(value, np.ndarray) and value.shape == (rt.width,) else value
        for name, value in held.items()
    }
    return {name: int(value) for name, value in mine.items() if isinstance(value, np.integer | int)}


def _unravel(number: int, shape: Dim3) -> Dim3:
    x, y, _ = shape
    return number % x, number // x % y, number // (x * y)


def _triple(index: Dim3) -> str:
    return f"({index[0]},{index[1]},{index[2]})"
