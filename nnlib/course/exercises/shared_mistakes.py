"""What comes out where the threads that share a sum of products share it wrongly. Lessons 06 and 08."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nnlib.course.exercises.reduction_mistakes import shuffled_down


def shared_wrongly(summed: Callable[[Any], Any], count: int) -> dict[str, Any]:
    """Hint -> results. summed(times): the results where each of the `count` products is added so many times."""
    number = np.arange(count)
    lane = number % 32
    times = {
        "only the products of one lane arrive: the shuffles add what all 32 lanes have": lane == 0,
        "half of the lanes are missing: the shuffles go over 16, 8, 4, 2 and 1": lane < 16,
        "every second thread is missing: the last step, of the shuffles or of the tree, is 1": lane % 2 == 0,
        "this is what two lanes have: a loop of shuffles goes over 16, 8, 4, 2 and 1": lane % 16 == 0,
        "a shuffle brings the sum of another lane: add it, +=, do not replace yours": lane == 31,
        "all lanes add the same products: lane 5 begins with product 5": (lane == 0) * 32,
        "several lanes add the same product: each takes every 32nd one, += 32": np.minimum(number + 1, 32),
        "two lanes add the same product: each takes every 32nd one, += 32": np.minimum(number // 16 + 1, 2),
        "all 32 lanes add all products: each takes every 32nd one, from its own lane on": 0 * number + 32,
        "twice the sum: the first offset is 16, one of 32 adds a lane's own sum again": 0 * number + 2}
    held = shuffled_down(np.eye(32), np.add)
    for wrong in (1, 31):
        times[f"after __shfl_down_sync lane 0 has the whole sum, lane {wrong} has not"] = held[lane, wrong]
    for threads in (64, 128, 256):
        thread = number % threads
        times |= {
            f"only what one thread has is stored: add up what all {threads} have": thread == 0,
            f"half of the threads are missing: is {threads // 2} among the steps of the tree?": thread < threads // 2,
            f"only the first warp of {threads // 32} is added up: what about the others of the block?": thread < 32,
            f"several threads add the same product: {threads} threads go on by {threads}":
                np.minimum(number // 32 + 1, threads // 32)}
    return {hint: summed(counts) for hint, counts in times.items()}
