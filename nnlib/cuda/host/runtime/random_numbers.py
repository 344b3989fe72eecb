"""rand() and drand48() with the numbers that the C library of Linux gives."""

from __future__ import annotations

import numpy as np


class Random:
    """rand: each number is the sum of those 3 and 31 before it, as in glibc. drand48: POSIX's linear congruence."""

    def __init__(self) -> None:
        self.seed(1)
        self._state48 = 0

    def seed(self, seed: int) -> None:
        """srand(seed)"""
        seed &= 0xFFFFFFFF
        word = (seed or 1) - (1 << 32 if seed >> 31 else 0)
        words = [word]
        for _ in range(30):
            high, low = int(word / 127773), 0
            low = word - high * 127773
            word = 16807 * low - 2836 * high
            word += 2147483647 * (word < 0)
            words.append(word)
        self._words = [one & 0xFFFFFFFF for one in words]
        self._words += self._words[:3]
        self._words = self._words[3:34]
        for _ in range(310):
            self.next()

    def next(self) -> int:
        """rand()"""
        words = self._words
        words.append(words[0] + words[28] & 0xFFFFFFFF)
        del words[0]
        return words[-1] >> 1

    def several(self, count: int) -> np.ndarray:
        """As many calls of rand()."""
        words = self._words
        for k in range(count):
            words.append(words[k] + words[k + 28] & 0xFFFFFFFF)
        self._undone, self._words = words[:count], words[count:]
        return np.array(words[31:], np.uint32) >> 1

    def put_back(self, count: int) -> None:
        """The last numbers of `several` were not needed."""
        if count:
            self._words = (self._undone + self._words)[-31 - count:][:31]

    def seed48(self, seed: int) -> None:
        """srand48(seed)"""
        self._state48 = (seed & 0xFFFFFFFF) << 16 | 0x330E

    def real(self) -> float:
        """drand48()"""
        self._state48 = (0x5DEECE66D * self._state48 + 0xB) & (1 << 48) - 1
        return self._state48 / (1 << 48)
