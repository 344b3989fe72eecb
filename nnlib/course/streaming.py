"""Copy the next batch while the GPU computes on this one: pinned buffers, one stream each, a timeline. Lesson 08.

With one buffer copy and computation take turns. With two they overlap; the third lets the host fill a buffer, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nnlib import device


@dataclass(frozen=True)
class Interval:
    """The copy or computation of one batch in one buffer: `kind` "copy" or "compute", in ms since the first copy began."""

    batch: int
    buffer: int
    kind: str
    start: float
    end: float


Work = tuple[str, int, float, float]  # kind, batch, begin, end


def schedule(batches: int, buffers: int, prepare: float, copy: float, compute: float) -> list[Work]:
    """Model the schedule as (kind, batch, begin, end) of all work; a buffer is free again when its batch is computed.

    >>> schedule(2, 1, 2, 2, 2)[-1]
    ('compute', 1, 10.0, 12.0)
    """
    host = engine = gpu = 0.0
    work: list[Work] = []
    done: list[float] = []
    for i in range(batches):
        begin = max(host, done[i - buffers] if i >= buffers else 0)
        host = begin + prepare
        copying = max(host, engine)
        engine = copying + copy
        computing = max(engine, gpu)
        gpu = computing + compute
        done.append(gpu)
        work += [
            ("prepare", i, begin, host),
            ("copy", i, copying, engine),
            ("compute", i, computing, gpu),
        ]
    return work


def streamed(
    batches: Sequence[np.ndarray], compute: Callable[[Any], Any], buffers: int = 3
) -> list[Interval]:
    """Call `compute(x)` for every batch, x on the GPU, with `buffers` batches under way at once.

    Batches have one shape and dtype. `compute` only launches work, in the current stream, and is done with x when that
    work ends. Returns the timeline that CUDA events recorded. Needs a GPU.
    """
    if not device.has_gpu():
        raise RuntimeError(f"streaming needs a GPU, and {device.find().reason}")
    if buffers < 1 or len({(batch.shape, batch.dtype) for batch in batches}) != 1:
        raise ValueError(
            f"streaming needs at least one buffer, got {buffers}, and batches of one shape and dtype"
        )
    import cupyx

    cp, shape, dtype = device.xp, batches[0].shape, batches[0].dtype
    streams = [cp.cuda.Stream(non_blocking=True) for _ in range(buffers)]
    pinned = [cupyx.empty_pinned(shape, dtype) for _ in streams]
    arrays = [cp.empty(shape, dtype) for _ in streams]
    device.synchronize()
    events = []
    for index, batch in enumerate(batches):
        stream, host, x = streams[index % buffers], pinned[index % buffers], arrays[index % buffers]
        stream.synchronize()  # until the batch before this one in the same buffer is through
        np.copyto(host, batch)
        with stream:
            begin = stream.record()
            x.set(host, stream=stream)  # asynchronous, since `host` is pinned
            copied = stream.record()
            compute(x)
            events.append((begin, copied, stream.record()))
    device.synchronize()
    elapsed = cp.cuda.get_elapsed_time
    times = [[elapsed(events[0][0], mark) for mark in marks] for marks in events]
    return [
        Interval(index, index % buffers, kind, marks[place], marks[place + 1])
        for index, marks in enumerate(times)
        for place, kind in enumerate(("copy", "compute"))
    ]
