"""Launches of a program as native code: those that repeat a checked one, and the long ones. Lesson 07.

A launch is checked in the simulator when its kernel has not been launched at these sizes before. One that would take
the simulator longer than LONG seconds is checked on some blocks. Whatever native code meets, the memory is put back
and the simulator runs the launch, for its report.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nnlib.cuda import native, switches
from nnlib.cuda.errors import KernelTimeoutError
from nnlib.cuda.host.runtime.address_space import Allocation
from nnlib.cuda.language import tree
from nnlib.cuda.simulator import Compiled, LaunchOptions, launch
from nnlib.cuda.simulator.running.binding import Placed
from nnlib.cuda.simulator.running.options import sample

WORTH, LONG = 0.02, 3.0  # seconds in the simulator
CHECKED_THREADS, CHECKED_STEPS = 4_096, 4_096  # of a long launch: threads, and iterations of each


class NativeLaunches:
    """What one run has launched. compiled: the program's kernels."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        self._checked: set[Any] = set()
        self._unfit: set[Any] = set()

    def run(self, kernel: tree.Function, options: LaunchOptions, values: Sequence[Any],
            owners: Sequence[Allocation]) -> bool:
        """Whether it has run. owners: of the memory that the arguments lead to, each once."""
        arguments = [_from_its_start(value) for value in values]
        offsets = tuple(value.ctypes.data % 16 for value in arguments if isinstance(value, np.ndarray))
        key = kernel, options.grid, options.block, options.shared_mem, offsets
        if not switches.native_allowed() or key in self._unfit or any(one.garbage for one in owners):
            return False
        sizes = options.grid, options.block, arguments, options.shared_mem
        seconds = native.simulated_seconds(self._compiled.program, kernel.name, *sizes)
        if seconds is None or seconds < WORTH:
            return False
        if key not in self._checked:
            self._checked.add(key)
            if seconds < LONG:
                return False
            self._check_some(kernel, options, values)
        done = _Unwritten(owners).run(lambda: native.run(
            self._compiled.program, kernel.name, *sizes, self._compiled.written(kernel.name),
            self._compiled.variable) is native.Outcome.DONE)
        if not done:
            self._unfit.add(key)
        return done

    def _check_some(self, kernel: tree.Function, options: LaunchOptions, values: Sequence[Any]) -> None:
        """Some blocks, in the simulator; the memory stays as it is. Raises what they do wrong."""
        threads = int(np.prod(options.block))
        blocks = sample(options.grid, max(1, CHECKED_THREADS // threads)) or range(int(np.prod(options.grid)))
        try:
            launch(self._compiled, kernel.name, values,
                   replace(options, blocks=blocks, step_limit=CHECKED_STEPS * max(1, threads // 1024)))
        except KernelTimeoutError:
            return


class _Unwritten:
    """Finds out what a launch makes of bytes that nobody has written: it runs twice, with other bytes there. What
    stays is unwritten still; where anything else differs, it has read them."""

    def __init__(self, owners: Sequence[Allocation]) -> None:
        self._owners = owners
        self._missing = {one: ~one.written for one in owners if one.written is not None and not one.complete}

    def run(self, once: Callable[[], bool]) -> bool:
        """Run the launch. Whether it came to its end and has not used what nobody has written; if not, the memory is
        as before."""
        if not self._missing:
            return once()
        before = {one: one.data.copy() for one in self._owners}
        rng = np.random.default_rng(0)
        noise = {one: rng.integers(0, 256, int(missing.sum()), np.uint8) for one, missing in self._missing.items()}
        found = []
        for flip in (0, 255):
            for one in self._owners:
                one.data[:] = before[one]
                if one in noise:
                    one.data[self._missing[one]] = noise[one] ^ flip
            if not once():
                break
            found.append({one: one.data.copy() for one in self._owners})
        if len(found) == 2 and self._same(found, noise):
            return True
        for one in self._owners:
            one.data[:] = before[one]
        return False

    def _same(self, found: Sequence[dict[Allocation, np.ndarray]], noise: dict[Allocation, np.ndarray]) -> bool:
        """Are both results the same where something was written? Marks what was."""
        first, second = found
        untouched = {one: (first[one][missing] == noise[one]) & (second[one][missing] == noise[one] ^ 255)
                     for one, missing in self._missing.items()}
        for one in self._owners:
            differs = first[one] != second[one]
            if one in untouched:
                differs[self._missing[one]] &= ~untouched[one]
            if differs.any():
                return False
        for one, missing in self._missing.items():
            places = np.flatnonzero(missing)
            one.data[places[untouched[one]]] = 0
            one.written[places[~untouched[one]]] = True  # type: ignore[index]
            one.complete = bool(one.written.all())  # type: ignore[union-attr]
        return True


def _from_its_start(value: Any) -> Any:
    """What a pointer leads to, as an array of its own."""
    return value.array[value.offset // value.array.itemsize:] if isinstance(value, Placed) else value
