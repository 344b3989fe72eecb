"""The exceptions for all that can go wrong with a kernel. They say where, and what to do.

`str(error)` is for people. Its fields are for programs, so that no program has to read our sentences.
"""

from __future__ import annotations

import contextlib
from typing import Any

Dim3 = tuple[int, int, int]


class KernelError(Exception):
    """Base of all errors that this package raises on purpose. A field that does not apply is None.

    Every error:
        what: the mistake in one line. hint: what to write instead. file, line, column: where in the CUDA C source,
        counted from 1. kernel: its name. thread, block: (x, y, z) of the first thread at fault.
    An access to memory:
        access: "read", "write" or "atomic". space: "global", "constant", "shared" or "local". array: the name of the
        array or variable. element: the element as the message names it, "tile[3][9]". index: its number, counted from
        the beginning of the array. limit: how many elements the array has. subscripts, shape: the same for each pair
        of brackets of an array that is declared with several. dynamic: whether the launch gives the array its size.
        guard, condition, variable: what is wrong with the conditions on the way to it, see `simulator/guards.py`: the
        answer, the condition as written, and the variable or expression that it is about. conditions: all
        comparisons that hold there, "i < n". loop: the line of the innermost loop around it, or of the loop that does
        not end.
    A race:
        other_access, other_thread, other_block, other_line: the access that nothing orders with this one.
    A barrier or a warp-wide function:
        call: the name of the function. mask: the lanes that it names, one bit each, where these are wrong.
    A launch that is refused:
        setting: "grid.x" or what else is out of range. value: what it is. limit: the most that a GPU takes.
    A whole program:
        output: what it had printed until then.
    """

    what: str
    hint: str | None
    file: str | None
    line: int | None
    column: int | None
    kernel: str | None
    thread: Dim3 | None
    block: Dim3 | None
    access: str | None
    space: str | None
    array: str | None
    element: str | None
    index: int | None
    limit: int | None
    subscripts: tuple[int, ...] | None
    shape: tuple[int, ...] | None
    dynamic: bool | None
    guard: str | None
    condition: str | None
    variable: str | None
    conditions: tuple[str, ...] | None
    loop: int | None
    other_access: str | None
    other_thread: Dim3 | None
    other_block: Dim3 | None
    other_line: int | None
    call: str | None
    mask: int | None
    setting: str | None
    value: int | None
    output = ""

    def __init__(self, message: str, **fields: Any) -> None:
        super().__init__(message)
        if unknown := fields.keys() - _FIELDS.keys():
            raise TypeError(f"{type(self).__name__} has no field {', '.join(sorted(unknown))}")
        vars(self).update(_FIELDS | fields)
        self.what = self.what or message.partition("\n")[0]
        self.hint = self.hint or None

    @property
    def finding(self) -> str:
        """The whole message without its hint."""
        return "\n".join(
            line for line in str(self).splitlines() if line.strip() != f"hint: {self.hint}"
        )

    def as_dict(self) -> dict[str, Any]:
        """Return all fields, the kind of error and the whole message, in types that JSON knows.

        >>> OutOfBoundsError("out-of-bounds read of x[4]", line=3, thread=(4, 0, 0)).as_dict()["thread"]
        [4, 0, 0]
        """
        fields = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in vars(self).items()
        }
        return {"error": type(self).__name__, **fields, "message": str(self)}


_FIELDS: dict[str, Any] = dict.fromkeys(KernelError.__annotations__)


class CutTraceback(contextlib.ContextDecorator):
    """Make the traceback of a KernelError end at the caller's line: the frames below it say nothing of the kernel."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, KernelError):
            error.__traceback__ = None


class HostError(KernelError):
    """A mistake on the host's side of a program: in its use of memory, of the CUDA runtime, or in plain C."""


class KernelSyntaxError(KernelError):
    """The CUDA C text is not a kernel: line, column, what was expected."""


class UnsupportedError(KernelSyntaxError):
    """Right CUDA C++ that runs on a GPU, but that the simulator does not know; says what to write instead."""


class ArgumentError(KernelError):
    """An argument does not fit the kernel's signature; names the parameter."""


class LaunchError(KernelError):
    """A grid, block or shared memory size that the GPU would refuse."""


class OutOfBoundsError(KernelError):
    """A thread touched an element outside of its array."""


class RaceError(KernelError):
    """Two threads touch the same element, one writes, nothing orders them."""


class BarrierError(KernelError):
    """A barrier or warp-wide exchange that not all threads reach."""


class UninitializedReadError(KernelError):
    """A thread read a shared or local value that nobody wrote."""


class MisalignedAccessError(KernelError):
    """A vector access at an address that is no multiple of its size."""


class KernelTimeoutError(KernelError):
    """The kernel does not end, or ran for more steps than it may.

    may_end: it was stopped for taking long, and not because a loop changes nothing any more.
    """

    def __init__(self, message: str, may_end: bool = False, **fields: Any) -> None:
        super().__init__(message, **fields)
        self.may_end = may_end


class KernelArithmeticError(KernelError):
    """An integer division by zero inside a kernel."""
