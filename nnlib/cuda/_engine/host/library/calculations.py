"""Functions of CUDA's libraries that compute on arrays in GPU memory, with what they leave behind. Lesson 02."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..runtime.address_space import Allocation
from ..runtime.schedule import Operation, kernel_seconds
from ..runtime.stream_races import READ, WRITE
from .operands import LibraryArguments, Operand
from .registry import LibraryPart


class Calculator(LibraryPart):
    """Runs what a call of a library asks for, as a kernel would run."""

    def calculate(
        self,
        call: LibraryArguments,
        sources: Sequence[Operand],
        targets: Sequence[Operand],
        formula: Callable[..., Sequence[Any]],
        flops: int = 0,
    ) -> Operation:
        """Compute targets = formula(sources) in the stream of the handle, which is the call's first argument."""
        fault = self._unwritten(call, sources)
        if fault is not None and not targets:
            raise fault
        arrays = [
            self._device.strided(o.one, o.start, o.dtype, o.shape, o.strides)
            for o in (*sources, *targets)
        ]

        def work() -> None:
            with np.errstate(all="ignore"):
                for array, value in zip(
                    arrays[len(sources) :], formula(*arrays[: len(sources)]), strict=True
                ):
                    array[...] = value

        stream = self._streams.stream(call.field("stream"))
        seconds = self._device.timed(work)
        size = sum(operand.nbytes for operand in (*sources, *targets))
        seconds = kernel_seconds(size, flops) if seconds is None else seconds
        operation = self._submit(("kernel", call.site.called), stream, size, seconds)
        for operand in targets:
            operand.written()
            operand.one.garbage = fault
        self._leave_behind(
            [*((o, READ) for o in sources), *((o, WRITE) for o in targets)], operation
        )
        return operation

    def _leave_behind(self, uses: Sequence[tuple[Operand, int]], operation: Operation) -> None:
        """Note what other streams and the host must not touch until the operation is done."""
        touched: dict[Allocation, np.ndarray] = {}
        for operand, use in uses:
            if self._run.races.has_streams:
                touched[operand.one] = touched.get(operand.one, 0) | operand.uses(use)
            self._heap.in_use(operand.one, 0, operand.one.size, operation, use == WRITE)
        for one, found in touched.items():
            self._run.races.see_uses(one, found, operation)

    def _unwritten(self, call: LibraryArguments, sources: Sequence[Operand]) -> Any:
        """Return the mistake of reading what nobody has written, which is reported once the result is used; else None."""
        for operand in sources:
            if operand.lacks_values():
                one, name = operand.one, operand.name.partition(" ")[0]
                return call.mistake(
                    name,
                    f"{operand.name} is read, but nobody has written it everywhere",
                    f"copy something to {one.name or 'it'} first, or cudaMemset it to 0",
                    f"{one.maker} in line {one.made} leaves it with whatever was there before",
                )
        return next((operand.one.garbage for operand in sources if operand.one.garbage), None)
