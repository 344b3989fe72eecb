"""Mathematical functions that the simulator runs from their CUDA C source (native/headers), on whole arrays.

NumPy lacks some of CUDA's functions, and others round differently from machine to machine. For those the simulator
compiles the source that native code uses, as if it were a kernel: arrays hold one value for each thread.
First used in lesson 03.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..language.cuda_functions import INTRINSICS
from ..native import headers
from .codegen.code import Code, CodeOptions
from .codegen.statements import define_functions
from .functions.mathematics import MATH, RESULTS


def install() -> None:
    """Add to MATH, under its CUDA name, every intrinsic that has a CUDA C source and no NumPy version yet."""
    for name in headers.names() & INTRINSICS.keys() - MATH.keys() - RESULTS.keys():
        MATH[name] = _from_cuda_source(name)


def _from_cuda_source(name: str) -> Callable[..., Any]:
    """Return the function of that name on arrays. Its source is compiled at the first call."""

    @functools.cache
    def compiled() -> Callable[..., Any]:
        program = headers.program(name)
        assert program is not None
        code = Code(program, CodeOptions(checks=False))
        define_functions(code, program.functions.values())
        return code.function(headers.PREFIX + name)

    def rounded(*values: Any) -> Any:
        return compiled()(None, None, *values)  # no machine, no mask: plain arithmetic

    rounded.__name__ = name
    return rounded
