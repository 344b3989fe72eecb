"""Functions of numbers that NumPy has not, or not with the same bits on every machine: their CUDA C text, on arrays.

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
    """Make them known under CUDA's names."""
    for name in headers.names() & INTRINSICS.keys() - MATH.keys() - RESULTS.keys():
        MATH[name] = _by_text(name)


def _by_text(name: str) -> Callable[..., Any]:
    @functools.cache
    def compiled() -> Callable[..., Any]:
        program = headers.program(name)
        assert program is not None
        code = Code(program, CodeOptions(checks=False))
        define_functions(code, program.functions.values())
        return code.function(headers.PREFIX + name)

    def rounded(*values: Any) -> Any:
        return compiled()(None, None, *values)

    rounded.__name__ = name
    return rounded
