"""The simulator alone: checked tree in, results, faults and counters out."""

from __future__ import annotations

from typing import Any

import numpy as np

from nnlib.cuda._engine.language import compile_source
from nnlib.cuda._engine.simulator import LaunchOptions, compile_program, launch, sample


def run(
    source: str,
    args: list[Any],
    block: Any = 32,
    grid: Any = 1,
    name: str = "k",
    profile: bool = False,
    **options: Any,
) -> Any:
    """Launch kernel `name` of the text; sizes as ints or tuples. Returns the profile, if one is asked for."""
    return launch(
        compile_program(compile_source(source)), name, args, sizes(grid, block, **options), profile
    )


def sizes(grid: Any, block: Any, max_blocks: int | None = None, **options: Any) -> LaunchOptions:
    """The options of a launch with these sizes, ints or tuples."""
    return LaunchOptions(
        shape(grid), shape(block), blocks=sample(shape(grid), max_blocks), **options
    )


def shape(size: Any) -> tuple[int, int, int]:
    return (*(size if isinstance(size, tuple) else (size,)), 1, 1)[:3]


def kernel(parameters: str, body: str, before: str = "") -> str:
    """A text with the kernel k. The body starts in line 2."""
    return f'{before}extern "C" __global__ void k({parameters}) {{\n{body}\n}}\n'


def compute(expression: str, result: type, *inputs: Any, before: str = "") -> Any:
    """Value of a C expression in t (threadIdx.x), a, b, c; the inputs give their values and C types."""
    names = {
        "float32": "float",
        "float64": "double",
        "int32": "int",
        "uint32": "unsigned int",
        "int64": "long long",
        "uint64": "unsigned long long",
        "int8": "signed char",
        "uint8": "unsigned char",
        "int16": "short",
        "uint16": "unsigned short",
        "bool": "bool",
    }
    columns = [np.atleast_1d(np.asarray(value)) for value in inputs]
    parameters = [f"const {names[column.dtype.name]}* p{i}" for i, column in enumerate(columns)]
    width = max([len(column) for column in columns], default=1)
    out = np.zeros(width, result)
    declared = "".join(
        f"{names[column.dtype.name]} {'abc'[i]} = p{i}[t]; " for i, column in enumerate(columns)
    )
    text = kernel(
        ", ".join([f"{names[out.dtype.name]}* out", *parameters]),
        f"int t = threadIdx.x; {declared} out[t] = {expression};",
        before,
    )
    run(text, [out, *(np.resize(column, width) for column in columns)], block=width)
    return out if width > 1 else out[0]
