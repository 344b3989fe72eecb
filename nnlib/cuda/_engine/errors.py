"""What can go wrong with a kernel, as exceptions that say where and what to do. Lesson 01."""

from __future__ import annotations

from typing import Any

Dim3 = tuple[int, int, int]


class KernelError(Exception):
    """Base of all errors that this package raises on purpose. `str(error)` is for people; its fields are for programs.

    what: the mistake in one line. hint: what to write instead. file, line, column: where in the CUDA C text, counted
    from 1. kernel: its name. thread, block: (x, y, z) of the first one at fault. A field that does not apply is None.
    output: what a whole program had printed until then.
    """

    output = ""

    def __init__(self, message: str, *, what: str | None = None, hint: str | None = None, file: str | None = None,
                 line: int | None = None, column: int | None = None, kernel: str | None = None,
                 thread: Dim3 | None = None, block: Dim3 | None = None) -> None:
        super().__init__(message)
        self.what = what or message.partition("\n")[0]
        self.hint = hint or None
        self.file, self.line, self.column = file, line, column
        self.kernel, self.thread, self.block = kernel, thread, block

    def as_dict(self) -> dict[str, Any]:
        """All fields, the kind of error and the whole message, in types that JSON knows.

        >>> OutOfBoundsError("out-of-bounds read of x[4]", line=3, thread=(4, 0, 0)).as_dict()["thread"]
        [4, 0, 0]
        """
        fields = {name: list(value) if isinstance(value, tuple) else value for name, value in vars(self).items()}
        return {"error": type(self).__name__, **fields, "message": str(self)}


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

    def __init__(self, message: str, **fields: Any) -> None:
        super().__init__(message, **fields)
        self.may_end = self.what.endswith("it is here, in a loop")


class KernelArithmeticError(KernelError):
    """An integer division by zero inside a kernel."""
