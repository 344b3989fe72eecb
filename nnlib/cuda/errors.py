"""What can go wrong with a kernel, as exceptions that say where and what to do. Lesson 01."""


class KernelError(Exception):
    """Base of all errors that nnlib.cuda raises on purpose."""


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
    """The kernel ran for more steps than any lesson needs."""


class KernelArithmeticError(KernelError):
    """An integer division by zero inside a kernel."""
