"""The numbers of cuRAND's default generator: XORWOW in 4,096 subsequences, which take turns. Lesson 08.

Number n is from subsequence n mod 4096 (cuRAND's documentation, "Generator Options"); a normal number comes of two of
the same subsequence, as do the uniform ones of double precision.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...simulator.functions.random_sequences import stepped, xorwow_skip

LANES, WEYL = 4096, 362437  # subsequences, and what the counter of each goes up by


class Xorwow:
    """cuRAND's XORWOW generator.

    words: the counter and the five words of the state from which subsequence 0 starts. offset: numbers to leave out.
    """

    def __init__(self, words: np.ndarray, offset: int) -> None:
        rounds, self._next = divmod(offset, LANES)
        lanes = np.arange(LANES, dtype=np.uint64)
        steps = rounds + (lanes < self._next).astype(np.uint64)
        counter, *state = words
        self._counters = (int(counter) + steps * WEYL).astype(np.uint32)
        self._states = np.stack(xorwow_skip(*state, lanes, steps), 1)

    def _draw(self, count: int, each: int) -> np.ndarray:
        """Return `each` numbers of a subsequence, `count` times."""
        result = np.empty((each, count), np.uint32)
        done = 0
        while done < count:
            turn = slice(self._next, self._next + min(count - done, LANES - self._next))
            size = turn.stop - turn.start
            for k in range(each):
                self._states[turn] = stepped(self._states[turn])
                self._counters[turn] += np.uint32(WEYL)
                result[k, done : done + size] = self._states[turn, 4] + self._counters[turn]
            done, self._next = done + size, turn.stop % LANES
        return result

    def numbers(self, kind: str, count: int, mean: float = 0.0, stddev: float = 1.0) -> Any:
        """Return the next numbers. kind: what stands behind curandGenerate in the name of the function."""
        shape = kind.removesuffix("Double")
        double = shape != kind
        if shape == "":
            return self._draw(count, 1)[0]
        if shape == "Uniform":
            return _uniform(self._draw(count, 1 + double))
        normal = _normals(self._draw(count // 2, 2 + 2 * double))
        scaled = normal * normal.dtype.type(stddev) + normal.dtype.type(mean)
        return np.exp(scaled) if shape == "LogNormal" else scaled


def _uniform(drawn: np.ndarray) -> Any:
    """Map numbers to (0, 1]: to a float from one number each, to a double from two."""
    if len(drawn) == 1:
        return (drawn[0].astype(np.float32) * 2.0**-32 + 2.0**-33).astype(np.float32)
    return (drawn[0] ^ drawn[1].astype(np.uint64) << np.uint64(21)) * 2.0**-53 + 2.0**-54


def _normals(drawn: np.ndarray) -> np.ndarray:
    """Return pairs of normal numbers (Box and Muller, 1958)."""
    half = len(drawn) // 2
    size = np.sqrt(-2 * np.log(_uniform(drawn[:half])))
    turn = (2 * np.pi * _uniform(drawn[half:])).astype(size.dtype)
    return np.stack([np.sin(turn) * size, np.cos(turn) * size], 1).ravel()
