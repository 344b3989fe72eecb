"""Operations that change nothing: a benchmark launches a kernel on the same memory again and again. Lesson 08."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .address_space import Allocation

MOST = 256  # operations that are remembered


@dataclass
class _Repeat:
    """runs: since it last changed nothing; then: the state of memory that it left as it was; result: of that run."""

    runs: int = 0
    then: Any = None
    result: Any = None


class Repeats:
    """Leaves out what would change nothing, since it changed nothing when memory was the same."""

    def __init__(self) -> None:
        self._known: dict[Hashable, _Repeat] = {}

    def run(
        self,
        key: Hashable,
        uses: Sequence[Allocation],
        targets: Sequence[Allocation],
        work: Callable[[], Any],
    ) -> Any:
        """Return what `work` returns, without running it where an equal run has changed nothing.

        key: what it does. uses: all memory that it touches, which the host cannot reach. targets: what it may change; whether it
        has is checked in its second run, the fourth, the eighth, …
        """
        if len(self._known) > MOST:
            self._known.clear()
        repeat = self._known.setdefault(key, _Repeat())
        if repeat.then == _state(uses):
            return repeat.result
        repeat.runs += 1
        looks = repeat.runs > 1 and repeat.runs & repeat.runs - 1 == 0
        before = [_content(one) for one in targets] if looks else []
        result = work()
        if looks and all(map(_is_content, targets, before)):
            repeat.runs, repeat.then, repeat.result = 1, _state(uses), result
        else:
            for one in targets:
                one.changes += 1
        return result


def _state(uses: Sequence[Allocation]) -> list[tuple[int, bool]]:
    return [(one.changes, one.garbage is None) for one in uses]


def _content(one: Allocation) -> list[np.ndarray]:
    """Return the bytes of an allocation, and which of them have a value."""
    return [one.data.copy(), *([] if one.written is None else [one.written.copy()])]


def _is_content(one: Allocation, before: list[np.ndarray]) -> bool:
    return all(map(np.array_equal, (one.data, one.written), before))
