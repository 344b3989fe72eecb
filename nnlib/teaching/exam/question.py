"""What the bank of exam questions is made of: a text with drawn numbers, and its answer, found in two ways.

One way is the one that the solution shows: arithmetic. The other runs the kernel of the question in the simulator, or
does in Python what is counted. A question whose two answers differ is never printed.
"""

from __future__ import annotations

import math
import random
import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nnlib.cuda import Profile, RawKernel, force_simulator


class WrongAnswerError(AssertionError):
    """The answer that the solution works out is not the one that the run gives."""


@dataclass(frozen=True)
class Item:
    """A question with its numbers.

    text: what students read, Markdown. marks: what earns a point each, with the numbers of the answer. by_hand: those
    numbers, as the solution works them out; by_running: the same numbers, from a run.
    """

    text: str
    marks: Sequence[str]
    by_hand: tuple[Any, ...]
    by_running: Callable[[], tuple[Any, ...]]

    def verify(self, name: str) -> None:
        """WrongAnswerError where the run gives other numbers."""
        ran = self.by_running()
        if len(ran) != len(self.by_hand) or not all(map(_same, self.by_hand, ran)):
            raise WrongAnswerError(f"{name}: worked out {self.by_hand}, run {ran}")


@dataclass(frozen=True)
class ExamQuestion:
    """One of the bank. name: lesson and topic, as in "02.stride". minutes: to plan for it. draw: gives it numbers."""

    name: str
    minutes: int
    draw: Callable[[random.Random], Item]

    @property
    def lesson(self) -> str:
        """Two digits."""
        return self.name[:2]

    def item(self, seed: object) -> Item:
        """The question with the numbers of this seed, verified."""
        item = self.draw(random.Random(f"{seed} {self.name}"))
        item.verify(self.name)
        return item


BANK: dict[str, ExamQuestion] = {}


def question(name: str, minutes: int) -> Callable[[Callable[[random.Random], Item]], Callable]:
    """Put a function that draws an Item into the bank."""

    def keep(draw: Callable[[random.Random], Item]) -> Callable:
        BANK[name] = ExamQuestion(name, minutes, draw)
        return draw

    return keep


def counted(number: int, noun: str) -> str:
    """As in "1 block", "2 blocks"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def profiled(text: str, grid: Any, block: Any, *args: Any) -> Profile:
    """Launch the kernel of a question in the simulator: arrays change in place, counters come back."""
    name = re.search(r"__global__ void (\w+)", text)
    assert name
    with force_simulator():
        return RawKernel(text.replace("__global__", 'extern "C" __global__'), name[1]).profile(
            grid, block, args
        )


def code(text: str) -> str:
    """CUDA C as a block of Markdown."""
    return f"```cuda\n{textwrap.dedent(text).strip()}\n```"


def rows(array: Any) -> str:
    """A small array in a line: rows are separated by slashes."""
    array = np.atleast_2d(array)
    return " / ".join(" ".join(f"{value:g}" for value in row) for row in array.tolist())


def floats(*shape: int) -> np.ndarray:
    """Zeros of float32."""
    return np.zeros(shape, np.float32)


def drawn(rng: random.Random, low: int, high: int, *shape: int) -> np.ndarray:
    """Small integers, low to high, as float32."""
    return np.array([rng.randint(low, high) for _ in range(math.prod(shape))], np.float32).reshape(
        shape
    )


def _same(hand: Any, ran: Any) -> bool:
    if (
        isinstance(hand, str)
        or np.asarray(hand).dtype.kind in "biu"
        and np.asarray(ran).dtype.kind in "biu"
    ):
        return bool(np.array_equal(hand, ran))
    a, b = np.asarray(hand, np.float64), np.asarray(ran, np.float64)
    return a.shape == b.shape and bool(np.allclose(a, b, rtol=1e-5, atol=1e-7, equal_nan=True))
