"""What stops a kernel: `fail`, and what generated code asks before it uses a value. Lesson 01."""

from __future__ import annotations

import operator
import sys
from types import FrameType
from typing import Any, NoReturn

import numpy as np

from ....limits import WARP
from ...errors import KernelArithmeticError, KernelError, OutOfBoundsError, UninitializedReadError
from ..masks import first_of, ndarray, spread, union, without
from ..memory.spaces import READ, Site
from ..observers.checks import Barriers
from ..observers.observer import Hooks, tell
from .launch import Launch

LARGE = 1 << 20  # bytes of a variable in all threads
MAX_STACKS = 1 << 30  # bytes of a variable in all threads, and in all calls of its function


_OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul}


class Faults:
    """The part of a machine that reports faults. Whether a memory may be touched, observers say."""

    launch: Launch
    hooks: Hooks
    width: int

    def fail(
        self,
        error: type[KernelError],
        site: Site,
        lanes: Any,
        what: str,
        allowed: str = "",
        hint: str = "",
        who: str = "by",
        **fields: Any,
    ) -> NoReturn:
        """Raise `error` for the first of the lanes (a mask; None: no thread in particular). fields: more of it."""
        tell(self.hooks.before_failure)
        self.launch.fault_report.fail(
            self, error, site, lanes, (what, allowed, hint), who, **fields
        )

    def torn_barrier(self, site, alive, active, torn) -> None:
        """Only some threads of a block are at a barrier. A GPU waits for the others to come to any."""
        if not self.launch.barriers_checked:
            self.launch.split_further(WARP)
        present, expected = active.sum(1), alive.sum(1)
        missing = (alive & ~active & torn[:, None]).reshape(-1)
        block = first_of(torn)
        self.fail(
            Barriers.error,
            site,
            missing,
            f"{int(expected[block] - present[block])} of {int(expected[block])} threads of a block do "
            f"not reach this {site.name}()",
            "every thread of the block must reach the same barrier; the guide leaves undefined what happens "
            "otherwise",
            Barriers.hint,
            "missing:",
        )

    def check_divisor(self, divisor, m, site) -> None:
        if divisor.__class__ is ndarray:
            if divisor.all():
                return
            zero = divisor == 0 if m is None else (divisor == 0) & m
            if not zero.any():
                return
        elif divisor != 0:
            return
        else:
            zero = spread(m, self.width)
        what = "division" if site.name == "/" else "remainder"
        self.fail(
            KernelArithmeticError,
            site,
            zero,
            f"integer {what} by zero",
            "a GPU returns a meaningless number here",
            "test the divisor first",
        )

    def shifted(self, left, amount, m, site):
        """Return a << or >> (`site.name`) by at most so many bits as the number has, less one."""
        bits = 8 * site.size
        wrong = (amount < 0) | (amount >= bits)
        if wrong.any() and m is not None:
            wrong = wrong & m
        if not wrong.any():
            return left << amount if site.name == "<<" else left >> amount
        wrong = spread(wrong, self.width)
        first = int(spread(amount, self.width)[first_of(wrong)])
        self.fail(
            KernelArithmeticError,
            site,
            wrong,
            f"shift by {first} of a number of {bits} bits",
            f"C allows a shift by 0 to {bits - 1}, and leaves undefined what any other gives",
            "test the amount first: what should be left of the number?",
        )

    def exact(self, left, right, m, site):
        """Return the +, - or * (`site.name`) of two numbers of type int, and note where it overflows."""
        result = _OPERATORS[site.name](left, right)
        if site.line not in self.launch.overflows:
            wide = _OPERATORS[site.name](np.asarray(left, np.int64), np.asarray(right, np.int64))
            wrong = wide != result
            if wrong.any() and (m is None or (wrong & m).any()):
                self.launch.overflows.add(site.line)
        return result

    def check_subscript(self, index, length: int, m, site) -> None:
        """Of an array that is a member of a struct: `site.name`."""
        if index.__class__ is ndarray and index.min() >= 0 and index.max() < length:
            return
        outside = (index < 0) | (index >= length)
        missed = without(m, union(False, spread(~np.asarray(outside), self.width)))
        if missed is False:
            return
        missed = spread(missed, self.width)
        first = int(spread(index, self.width)[first_of(missed)])
        self.fail(
            OutOfBoundsError,
            site,
            missed,
            f"subscript {first} is outside of {site.name}",
            f"{site.name} has {length} elements, [0] to [{length - 1}]; behind it are other members",
            "compare the index with the declared size, or enlarge the array",
            element=f"{site.name}[{first}]",
            array=site.name,
            index=first,
            limit=length,
        )

    def check_assertion(self, holds, m, site) -> None:
        failed = without(m, union(False, spread(holds, self.width)))
        if failed is not False:
            self.fail(
                KernelError,
                site,
                spread(failed, self.width),
                "assertion failed",
            )

    def trap(self, m, site) -> None:
        self.fail(
            KernelError,
            site,
            spread(m, self.width),
            "the kernel stops itself: __trap()",
        )

    def unset_variable(self, written, m, site) -> None:
        missing = without(m, written)
        if missing is not False:
            self._fail_unset(site.name, missing, site)

    def no_result(self, m, site) -> None:
        self.fail(
            UninitializedReadError,
            site,
            spread(m, self.width),
            f"{site.name} ends without returning a value",
            "the caller gets garbage",
            "let every way through the function end with return value;",
            access="read",
        )

    def _fail_unset(self, name: str, missing, site) -> None:
        self.fail(
            UninitializedReadError,
            site,
            spread(missing, self.width),
            f"{name} is read before it has a value",
            "a local variable holds garbage until it is assigned",
            f"give it a value where it is declared: {name} = 0",
            element=name,
            array=name,
            space="local",
            access="read",
        )

    def _unset_local(self, memory, index, missing, site) -> None:
        if not memory.dims:
            self._fail_unset(memory.name, missing, site)
        missing = spread(missing, self.width)
        lane = first_of(missing)
        touched = self.launch.fault_report.touched(
            memory, int(spread(index, self.width)[lane]), site, READ
        )
        self.fail(
            UninitializedReadError,
            site,
            missing,
            f"{touched['element']} is read before it has a value",
            "a local array holds garbage until it is written",
            "initialise it where it is declared, = {0}; or write __shared__ before it, "
            "if the threads of a block share it: without that each thread has an array of its own",
            **touched,
        )

    def _unset_member(self, memory, byte, missing, site, size) -> None:
        missing = spread(missing, self.width)
        name = memory.describe(byte, size)
        self.fail(
            UninitializedReadError,
            site,
            missing,
            f"{name} is read before it has a value",
            "members hold garbage until they are assigned",
            f"give it a value first: {name} = 0;",
            element=name,
            array=memory.name,
            space="local",
            access="read",
        )

    def misaligned(self, m, site):
        """Handler for a pointer cast to a wider type at an address that is no multiple of its size."""

        def handler(pointer, wrong, where):
            self.launch.fault_report.misaligned(self, m, site, pointer, wrong, where)

        return handler

    def check_stack(self, size: int) -> None:
        """Would a variable of a function that calls itself take all memory, in all its calls and threads?"""
        if size * self.width < LARGE:
            return
        frame: FrameType | None = sys._getframe(2)
        code, calls = sys._getframe(2).f_code, 0
        while frame is not None:
            calls += frame.f_code is code
            frame = frame.f_back
        if calls > 1 and calls * size * self.width > MAX_STACKS:
            name = self.launch.name
            raise KernelError(
                f"kernel {name}: a __device__ function is {calls} calls deep in itself, and a variable "
                f"of {size:,} bytes takes {calls * size:,} bytes of each thread's stack; a GPU gives it "
                "1,024. Does the recursion end? If so, write a loop",
                kernel=name,
            )
