"""rand() and drand48() with the numbers that the C library of Linux gives."""

from __future__ import annotations

import functools

import numpy as np

WORDS = 31  # of the state
LENGTH, MOST = 256, 256  # numbers of a row, and rows that are computed side by side


class Random:
    """rand: each number is the sum of those 3 and 31 before it, as in glibc. drand48: POSIX's linear congruence."""

    def __init__(self) -> None:
        self.seed(1)
        self._state48 = 0

    def seed(self, seed: int) -> None:
        """Do what srand(seed) does."""
        seed &= 0xFFFFFFFF
        word = (seed or 1) - (1 << 32 if seed >> 31 else 0)
        words = [word]
        for _ in range(30):
            high = int(word / 127773)
            low = word - high * 127773
            word = 16807 * low - 2836 * high
            word += 2147483647 * (word < 0)
            words.append(word)
        state = np.array([one & 0xFFFFFFFF for one in words + words[:3]][3:], np.uint32)
        self._words, self._used, self._rows = _continued(state, 310)[-WORDS:], WORDS, 1

    def next(self) -> int:
        """Return what rand() returns."""
        if self._used == len(self._words):
            self._more()
        self._used += 1
        return int(self._words.item(self._used - 1)) >> 1

    def several(self, count: int) -> np.ndarray:
        """Return what `count` calls of rand() return."""
        while self._used + count > len(self._words):
            self._more()
        begin, self._used = self._used, self._used + count
        return self._words[begin : self._used] >> 1

    def put_back(self, count: int) -> None:
        """Put back the last numbers of `several`, which were not needed."""
        self._used -= count

    def _more(self) -> None:
        """Compute numbers in advance, each time twice as many: rows that begin where the one before ends."""
        states = np.empty((WORDS, self._rows), np.uint32)
        states[:, 0] = self._words[-WORDS:]
        for k in range(1, self._rows):
            states[:, k] = _leap() @ states[:, k - 1]
        begin = min(self._used, len(self._words) - WORDS)
        self._words = np.concatenate(
            [self._words[begin:], _continued(states, LENGTH)[WORDS:].T.reshape(-1)]
        )
        self._used, self._rows = self._used - begin, min(2 * self._rows, MOST)

    def seed48(self, seed: int) -> None:
        """Do what srand48(seed) does."""
        self._state48 = (seed & 0xFFFFFFFF) << 16 | 0x330E

    def real(self) -> float:
        """Return what drand48() returns."""
        self._state48 = (0x5DEECE66D * self._state48 + 0xB) & (1 << 48) - 1
        return self._state48 / (1 << 48)


def _continued(state: np.ndarray, count: int) -> np.ndarray:
    """Return the words of a state, or of several side by side, and those that come next."""
    words = np.empty((WORDS + count, *state.shape[1:]), np.uint32)
    words[:WORDS] = state
    for k in range(WORDS, len(words)):
        np.add(words[k - 3], words[k - WORDS], out=words[k : k + 1])
    return words


@functools.cache
def _leap() -> np.ndarray:
    """Return the matrix that maps a state to the one LENGTH numbers later."""
    return _continued(np.eye(WORDS, dtype=np.uint32), LENGTH)[-WORDS:]
