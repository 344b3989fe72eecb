"""Stop a kernel that fails: `fail`, and the checks that generated code makes before it uses a value. Lesson 01."""

from __future__ import annotations

import functools
import operator
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, NoReturn

import numpy as np

from ....limits import WARP
from ...errors import (
    KernelArithmeticError,
    KernelError,
    OutOfBoundsError,
    UninitializedReadError,
    UnsupportedError,
)
from ..machine_protocol import MachineProtocol
from ..masks import Mask, PerThread, at, first_of, spread, without
from ..memory.local_memory import LocalMemory
from ..memory.spaces import READ, Access, Site
from ..observers.checks import Barriers
from ..observers.observer import Hooks
from .launch import Launch

LARGE = 1 << 20  # bytes of a variable in all threads
MAX_STACKS = 1 << 30  # bytes of a variable in all threads, and in all calls of its function


_OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul}


class Faults(MachineProtocol):
    """The part of a machine that reports faults. Whether a memory may be touched, observers say."""

    launch: Launch
    hooks: Hooks

    def fail(
        self,
        error: type[KernelError],
        site: Site,
        lanes: Mask,
        what: str,
        allowed: str = "",
        hint: str = "",
        who: str = "by",
        **fields: Any,
    ) -> NoReturn:
        """Raise `error` for the first of the lanes (a mask; None: no thread in particular). fields: more of it."""
        self.hooks.tell("before_failure")
        self.launch.fault_report.fail(
            self, error, site, lanes, (what, allowed, hint), who, **fields
        )

    def unsupported(self, site: Site, what: str) -> UnsupportedError:
        """Return an error for what the simulator cannot do, and what to do instead."""
        file = self.launch.fault_report.file
        return UnsupportedError(
            f"{file}:{site.line}: not supported by the simulator: {what}", line=site.line
        )

    def torn_barrier(
        self, site: Site, alive: np.ndarray, active: np.ndarray, torn: np.ndarray
    ) -> None:
        """Report that only some threads of a block are at a barrier. A GPU waits for the others to come to any."""
        if not self.launch.barriers_checked:
            self.launch.split_further(WARP)
        expected = int(alive[first_of(torn)].sum())
        absent = expected - int(active[first_of(torn)].sum())
        self.fail(
            Barriers.error,
            site,
            (alive & ~active & torn[:, None]).reshape(-1),
            f"{absent} of {expected} threads of a block do not reach this {site.name}()",
            "every thread of the block must reach the same barrier; the guide leaves undefined what happens "
            "otherwise",
            Barriers.hint,
            "missing:",
        )

    def _where(self, wrong: PerThread, m: Mask) -> Mask:
        """Return the active threads for which something is wrong; False if there is none."""
        if not wrong.any():
            return False
        lanes = spread(wrong, self.width) & spread(m, self.width)
        return lanes if lanes.any() else False

    def check_divisor(self, divisor: PerThread, m: Mask, site: Site) -> None:
        if divisor.all():
            return
        zero = self._where(divisor == 0, m)
        if zero is not False:
            self.fail(
                KernelArithmeticError,
                site,
                zero,
                f"integer {'division' if site.name == '/' else 'remainder'} by zero",
                "a GPU returns a meaningless number here",
                "test the divisor first",
            )

    def shifted(self, left: PerThread, amount: PerThread, m: Mask, site: Site) -> PerThread:
        """Return a << or >> (`site.name`) by at most so many bits as the number has, less one."""
        bits = 8 * site.size
        wrong = self._where((amount < 0) | (amount >= bits), m)
        if wrong is False:
            return left << amount if site.name == "<<" else left >> amount
        self.fail(
            KernelArithmeticError,
            site,
            wrong,
            f"shift by {int(at(amount, first_of(wrong)))} of a number of {bits} bits",
            f"C allows a shift by 0 to {bits - 1}, and leaves undefined what any other gives",
            "test the amount first: what should be left of the number?",
        )

    def exact(self, left: PerThread, right: PerThread, m: Mask, site: Site) -> PerThread:
        """Return the +, - or * (`site.name`) of two numbers of type int, and note where it overflows."""
        result = _OPERATORS[site.name](left, right)
        if site.line not in self.launch.overflows:
            wide = _OPERATORS[site.name](np.asarray(left, np.int64), np.asarray(right, np.int64))
            if self._where(wide != result, m) is not False:
                self.launch.overflows.add(site.line)
        return result

    def check_subscript(self, index: PerThread, length: int, m: Mask, site: Site) -> None:
        """Check the subscript of an array that is a member of a struct: `site.name`."""
        missed = self._where((index < 0) | (index >= length), m)
        if missed is False:
            return
        first = int(at(index, first_of(missed)))
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

    def check_assertion(self, holds: PerThread, m: Mask, site: Site) -> None:
        failed = self._where(np.logical_not(holds), m)
        if failed is not False:
            self.fail(KernelError, site, failed, "assertion failed")

    def trap(self, m: Mask, site: Site) -> None:
        what = "the kernel stops itself: __trap()"
        self.fail(KernelError, site, spread(m, self.width), what)

    def unset_variable(self, written: Mask, m: Mask, site: Site) -> None:
        missing = without(m, written)
        if missing is not False:
            self._fail_unset(site.name, missing, site)

    def no_result(self, m: Mask, site: Site) -> None:
        self.fail(
            UninitializedReadError,
            site,
            spread(m, self.width),
            f"{site.name} ends without returning a value",
            "the caller gets garbage",
            "let every way through the function end with return value;",
            access="read",
        )

    def _fail_unset(
        self, name: str, missing: Mask, site: Site, why: str = "", hint: str = "", **fields: Any
    ) -> NoReturn:
        self.fail(
            UninitializedReadError,
            site,
            spread(missing, self.width),
            f"{name} is read before it has a value",
            why or "a local variable holds garbage until it is assigned",
            hint or f"give it a value where it is declared: {name} = 0",
            **{"element": name, "array": name, "space": "local", "access": "read"} | fields,
        )

    def unset_local(
        self, memory: LocalMemory, start: PerThread, missing: Mask, site: Site, size: int
    ) -> None:
        """Report that active threads read `size` bytes of their own memory, from byte `start` on, that they never wrote."""
        missing = spread(missing, self.width)
        byte = int(at(start, first_of(missing)))
        if memory.dims:
            access = Access(memory, READ, byte // site.size, None, site)
            touched = self.launch.fault_report.touched(access, 0)
            self._fail_unset(
                touched["element"],
                missing,
                site,
                "a local array holds garbage until it is written",
                "initialise it where it is declared, = {0}; or write __shared__ before it, "
                "if the threads of a block share it: without that each thread has an array of its own",
                **touched,
            )
        if memory.kind is None:
            self._fail_unset(memory.name, missing, site)
        name = memory.describe(byte, size)
        why, hint = (
            "members hold garbage until they are assigned",
            f"give it a value first: {name} = {'{}' if site.copied else 0};",
        )
        self._fail_unset(name, missing, site, why, hint, array=memory.name)

    def misaligned(self, m: Mask, site: Site) -> Callable[..., None]:
        """Return what is called with a pointer to a wider type whose address is no multiple of its size."""
        return functools.partial(self.launch.fault_report.misaligned, self, m, site)

    def check_stack(self, size: int) -> None:
        """Check that a variable of a function that calls itself does not take all memory, in all its calls and threads."""
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
