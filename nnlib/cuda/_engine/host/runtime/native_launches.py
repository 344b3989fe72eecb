"""Launches of a program as native code: those that repeat a checked one, and the very long ones.

routes.py says which. Whatever native code meets, the memory is put back and the simulator runs the launch, for its
report. What runs natively is the same on every computer, since sums of floats by atomics show it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

import numpy as np

from ... import native, routes, switches
from ...errors import KernelTimeoutError
from ...language import tree
from ...routes import LaunchFacts, Route, decide
from ...simulator import Compiled, LaunchOptions, launch
from ...simulator.running.binding import Placed
from ...simulator.running.options import sample
from .address_space import Allocation

PART = 262_147  # bytes that are looked at together; no multiple of what a kernel goes by, as their noise repeats


class NativeLaunches:
    """The launches of one run. compiled: the program's kernels."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        self._took: dict[Any, list[float]] = {}  # work of simulated launches, by kernel and sizes

    def run(
        self,
        kernel: tree.Function,
        options: LaunchOptions,
        values: Sequence[Any],
        owners: Mapping[str, Allocation],
        simulate: Callable[[], float],
        known: Hashable = None,
    ) -> bool:
        """Launch natively or by `simulate`, which returns its work; return whether it ran natively.

        owners: the memory that the parameters lead to. known: a key of launches that the simulator judges alike, if it has
        judged one.
        """
        if not switches.native_allowed() or any(one.garbage for one in owners.values()):
            simulate()
            return False
        arguments = [_from_its_start(value) for value in values]
        offsets = tuple(
            value.ctypes.data % 16 for value in arguments if isinstance(value, np.ndarray)
        )
        prospect = native.Prospect(
            self._compiled, kernel.name, options.grid, options.block, arguments, options.shared_mem
        )
        took = self._took.setdefault((kernel, options, offsets, known), [])
        route = decide(LaunchFacts(lambda: prospect, earlier=took, repeats=known is not None))
        if route is Route.SOME_BLOCKS:
            self._check_some(kernel, options, values)
            took.append(math.inf)
        if route is not Route.SIMULATOR:
            if self._unwritten(kernel, owners).run(lambda: prospect.run() is native.Outcome.DONE):
                return True
            took.append(0)  # it is not tried again
        took.append(simulate())
        return False

    def _unwritten(self, kernel: tree.Function, owners: Mapping[str, Allocation]) -> _Unwritten:
        written = self._compiled.written(kernel.name)
        concerned = dict.fromkeys(
            one for name, one in owners.items() if name in written or one.written is not None
        )
        variables = [
            self._compiled.variable(name).reshape(-1).view(np.uint8)
            for name, (variable, _) in self._compiled.program.globals.items()
            if variable.space == "global"
        ]
        return _Unwritten(list(concerned), variables)

    def _check_some(
        self, kernel: tree.Function, options: LaunchOptions, values: Sequence[Any]
    ) -> None:
        """Simulate some blocks, which leave the memory as it is; raise what they do wrong."""
        threads = int(np.prod(options.block))
        blocks = sample(options.grid, max(1, routes.CHECKED_THREADS // threads)) or range(
            int(np.prod(options.grid))
        )
        try:
            launch(
                self._compiled,
                kernel.name,
                values,
                replace(
                    options,
                    blocks=blocks,
                    step_limit=routes.CHECKED_STEPS * max(1, threads // 1024),
                ),
            )
        except KernelTimeoutError:
            return


class _Unwritten:
    """Runs a launch natively and finds out whether it uses bytes that are unwritten.

    The launch runs twice, with different noise in the unwritten bytes. Bytes that keep their noise are still unwritten. If
    anything else differs between the runs, the launch has read unwritten bytes.
    owners: allocations that the launch may change, or that have unwritten bytes. variables: bytes of module variables.
    """

    def __init__(self, owners: Sequence[Allocation], variables: Sequence[np.ndarray]) -> None:
        self._owners = owners
        self._missing = {one: ~one.written for one in owners if one.written is not None}
        self._arrays = [*(one.data for one in owners), *variables]
        rng = np.random.default_rng(0)
        self._noise = {one: rng.integers(0, 256, PART, np.uint8) for one in self._missing}

    def run(self, once: Callable[[], bool]) -> bool:
        """Run the launch; return whether it finished without using unwritten bytes. If not, the memory is as before."""
        if not self._missing:
            return once()
        blank = {one for one, missing in self._missing.items() if missing.all()}
        before = [None if one in blank else array.copy() for one, array in self._named()]
        self._fill(before, self._noise)
        if once():
            first = [array.copy() for array in self._arrays]
            self._fill(before, {one: ~noise for one, noise in self._noise.items()})
            if once() and self._same(first):
                return True
        self._fill(before, {one: np.zeros_like(noise) for one, noise in self._noise.items()})
        return False

    def _named(self) -> Iterator[tuple[Allocation | None, np.ndarray]]:
        return zip_longest(self._owners, self._arrays)

    def _fill(
        self, before: Sequence[np.ndarray | None], noise: Mapping[Allocation, np.ndarray]
    ) -> None:
        """Restore the memory, with this noise in the unwritten bytes."""
        for (one, array), values in zip(self._named(), before, strict=True):
            if values is not None:
                array[:] = values
            if one is not None and one in self._missing:
                for part in _parts(one.size):
                    np.copyto(
                        array[part], noise[one][: array[part].size], where=self._missing[one][part]
                    )

    def _same(self, first: Sequence[np.ndarray]) -> bool:
        """Return whether the second run has the results of the first, where they are written; mark what was written."""
        results = dict(zip(self._owners, first, strict=False))

        def untouched(one: Allocation, part: slice) -> Any:
            noise = self._noise[one][: one.data[part].size]
            return (
                self._missing[one][part]
                & (results[one][part] == noise)
                & (one.data[part] == ~noise)
            )

        for (one, array), values in zip(self._named(), first, strict=True):
            for part in _parts(array.size):
                differs = values[part] != array[part]
                if differs.any() and (
                    one not in self._missing or (differs & ~untouched(one, part)).any()
                ):
                    return False
        for one, missing in self._missing.items():
            for part in _parts(one.size):
                still = untouched(one, part)
                np.copyto(one.data[part], 0, where=still)
                one.written[part] |= missing[part] & ~still  # type: ignore[index]
            one.settle()
        return True


def _parts(size: int) -> Iterator[slice]:
    """Divide `size` bytes into parts that fit in a cache."""
    return (slice(start, start + PART) for start in range(0, size, PART))


def _from_its_start(value: Any) -> Any:
    """Return what a pointer leads to, as an array of its own."""
    return (
        value.array[value.offset // value.array.itemsize :] if isinstance(value, Placed) else value
    )
