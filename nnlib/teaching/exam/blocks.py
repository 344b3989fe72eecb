"""NAMES: what the Python blocks of exam questions may call, beside Python."""

from __future__ import annotations

import math
import random
import re
import textwrap
from typing import Any

import numpy as np

from nnlib.cuda import KernelError, Profile, Program, RawKernel, force_simulator

COLUMNS = 84  # of code on a printed page


def counted(number: int, noun: str) -> str:
    """Return number and noun, as in "1 block", "2 blocks"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def profiled(text: str, grid: Any, block: Any, *args: Any) -> Profile:
    """Launch the kernel of a text in the simulator: arrays change in place, counters come back."""
    name = re.search(r"__global__ void (\w+)", text)
    assert name
    with force_simulator():
        return RawKernel(text.replace("__global__", 'extern "C" __global__'), name[1]).profile(
            grid, block, args
        )


def failure(text: str, grid: Any, block: Any, *args: Any) -> str:
    """Return the report of a launch that fails, without its hint: that is for the student to find."""
    try:
        profiled(text, grid, block, *args)
    except KernelError as error:
        said = re.sub(r"(?s)\n +hint: .*|extern \"C\" ", "", str(error))
        return "\n".join(
            textwrap.fill(line, COLUMNS, subsequent_indent=4 * " ", drop_whitespace=False)
            for line in said.split("\n")
        )
    raise AssertionError("nothing is reported")


def rows(array: Any) -> str:
    r"""Return a small array as LaTeX, `$\begin{pmatrix}1 & 2\\3 & 4\end{pmatrix}$`."""
    lines = np.atleast_2d(array).tolist()
    inside = r" \\ ".join(" & ".join(f"{value:g}" for value in line) for line in lines)
    return rf"$\begin{{pmatrix}} {inside} \end{{pmatrix}}$"


def floats(*shape: int) -> np.ndarray:
    """Return zeros of float32."""
    return np.zeros(shape, np.float32)


def drawn(rng: random.Random, low: int, high: int, *shape: int) -> np.ndarray:
    """Return small integers, low to high, as float32."""
    values = [rng.randint(low, high) for _ in range(math.prod(shape))]
    return np.array(values, np.float32).reshape(shape)


def same(hand: Any, ran: Any) -> bool:
    """Return whether two answers agree: integers and words exactly, fractions up to their last digits."""
    a, b = np.asarray(hand), np.asarray(ran)
    if "f" not in a.dtype.kind + b.dtype.kind:
        return np.array_equal(a, b)
    return a.shape == b.shape and np.allclose(a, b, rtol=1e-5, atol=1e-7, equal_nan=True)


NAMES: dict[str, Any] = {"math": math, "np": np} | {
    one.__name__: one
    for one in (Program, RawKernel, counted, drawn, failure, floats, profiled, rows)
}
