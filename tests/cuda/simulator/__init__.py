"""The simulator alone: checked tree in, results, faults and counters out."""

from __future__ import annotations

from typing import Any

from nnlib.cuda._engine.language import compile_source
from nnlib.cuda._engine.simulator import Compiled, LaunchOptions, launch, sample


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
        Compiled(compile_source(source)), name, args, sizes(grid, block, **options), profile
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
