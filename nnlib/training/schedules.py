"""Learning-rate schedules: the factor on the base rate at `progress`, the share of steps that are done. Lesson 07.

optimizer.lr = base_lr * cosine(step / total_steps)
"""

from __future__ import annotations

import math


def constant(progress: float) -> float:
    """Return 1 for every step."""
    return 1.0


def cosine(progress: float) -> float:
    """Fall from 1 to 0 along half a cosine. Loshchilov and Hutter 2016, arXiv:1608.03983.

    >>> [round(cosine(progress), 3) for progress in (0, 0.25, 0.5, 1)]
    [1.0, 0.854, 0.5, 0.0]
    """
    return 0.5 * (1 + math.cos(math.pi * progress))


def one_cycle(
    progress: float, warmup: float = 0.3, first: float = 1 / 25, last: float = 4e-6
) -> float:
    """Rise from `first` to 1 during `warmup`, then fall to `last`, both along a cosine. Smith 2018, arXiv:1803.09820.

    >>> [round(one_cycle(progress), 3) for progress in (0, 0.3, 0.65, 1)]
    [0.04, 1.0, 0.5, 0.0]
    """
    if progress < warmup:
        return 1 - (1 - first) * cosine(progress / warmup)
    return last + (1 - last) * cosine((progress - warmup) / (1 - warmup))
