"""Streaming: nothing is lost, and copies overlap with computation."""

from types import SimpleNamespace

import numpy as np
import pytest

from nnlib import device
from nnlib.course.streaming import Interval, schedule, streamed


def test_bad_input_is_refused():
    with pytest.raises((RuntimeError, ValueError), match="streaming needs"):
        streamed([np.zeros(3), np.zeros(4)], print)


@pytest.mark.parametrize(
    ("batches", "buffers"),
    [
        ([np.zeros(3)], 0),
        ([np.zeros(3)], -1),
        ([], 1),
        ([np.zeros(3), np.zeros(4)], 2),
        ([np.zeros(3), np.zeros(3, np.float32)], 2),
    ],
)
def test_batches_and_buffers_are_looked_at_first(batches, buffers, gpu):
    gpu()
    with pytest.raises(
        ValueError, match=f"at least one buffer, got {buffers}, and batches of one shape and dtype"
    ):
        streamed(batches, print, buffers)


@pytest.mark.parametrize(
    ("buffers", "begins"),
    [
        (1, [(0, 1, 3), (6, 7, 9), (12, 13, 15), (18, 19, 21)]),
        (2, [(0, 1, 3), (1, 3, 6), (6, 7, 9), (9, 10, 12)]),
        (3, [(0, 1, 3), (1, 3, 6), (2, 5, 9), (6, 7, 12)]),
        (9, [(0, 1, 3), (1, 3, 6), (2, 5, 9), (3, 7, 12)]),
    ],
)
def test_the_model_of_a_stream(buffers, begins):
    """1 ms to fill a buffer, 2 ms to copy, 3 ms to compute: who waits for whom."""
    assert schedule(4, buffers, 1, 2, 3) == [
        (kind, batch, start, start + length)
        for batch, starts in enumerate(begins)
        for kind, start, length in zip(
            ("prepare", "copy", "compute"), starts, (1, 2, 3), strict=True
        )
    ]


class Stream:
    """Stands for a stream of CuPy's: each event is a millisecond after the one before."""

    made, events = 0, 0

    def __init__(self, non_blocking):
        assert non_blocking
        self.number, Stream.made = Stream.made, Stream.made + 1

    def __enter__(self):
        LOG.append(("into", self.number))

    def __exit__(self, *error):
        LOG.append("out")

    def record(self):
        Stream.events += 1
        return Stream.events - 1

    def synchronize(self):
        LOG.append(("waits", self.number))


class Buffer(np.ndarray):
    def set(self, host, stream):
        self[...] = host
        LOG.append(("copies", stream.number))


LOG: list = []


def test_each_buffer_waits_for_its_own_stream(gpu, stand_in):
    LOG.clear()
    Stream.made = Stream.events = 0
    cuda = SimpleNamespace(Stream=Stream, get_elapsed_time=lambda begin, end: end - begin)
    xp = SimpleNamespace(cuda=cuda, empty=lambda *of: np.empty(*of).view(Buffer))
    gpu(xp, lambda: LOG.append("all wait"))
    stand_in("cupyx", SimpleNamespace(empty_pinned=np.empty))
    batches, seen = [np.full(3, number, np.float32) for number in range(5)], []
    spans = streamed(batches, lambda x: seen.append((x.dtype, x.tolist())), 2)
    assert seen == [(np.float32, [number] * 3) for number in range(5)] and Stream.made == 2
    assert spans == [
        Interval(batch, batch % 2, kind, 3 * batch + place, 3 * batch + place + 1)
        for batch in range(5)
        for place, kind in enumerate(("copy", "compute"))
    ]
    assert [
        "all wait",
        *(
            done
            for batch in range(5)
            for done in (("waits", batch % 2), ("into", batch % 2), ("copies", batch % 2), "out")
        ),
        "all wait",
    ] == LOG
    assert len(streamed(batches[:1], seen.append)) == 2 and len(seen) == 6


@pytest.mark.gpu
@pytest.mark.parametrize("buffers", [1, 2, 3])
def test_every_batch_arrives(buffers):
    batches = [np.full((256, 784), index, np.float32) for index in range(9)]
    sums = device.xp.zeros(9)
    counter = iter(range(9))

    def compute(x):
        index = next(counter)
        sums[index : index + 1] = x.sum()

    spans = streamed(batches, compute, buffers)
    np.testing.assert_array_equal(sums.get(), [256 * 784 * index for index in range(9)])
    assert len(spans) == 18 and all(span.end > span.start for span in spans)
