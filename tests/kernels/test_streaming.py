"""Streaming: nothing is lost, and copies overlap with computation."""

import numpy as np
import pytest

from nnlib import device
from nnlib.training.streaming import modelled, streamed


@pytest.mark.parametrize("buffers, milliseconds", [(1, 4 * 5), (2, 2 + 4 * 3), (3, 2 + 4 * 3)])
def test_modelled_time(buffers, milliseconds):
    spans = modelled(4, copy=2, compute=3, buffers=buffers)
    assert spans[-1].end == milliseconds
    for kind in ("copy", "compute"):
        line = [span for span in spans if span.kind == kind]
        assert all(a.end <= b.start for a, b in zip(line, line[1:], strict=False))


def test_bad_input_is_refused():
    with pytest.raises((RuntimeError, ValueError), match="streaming needs"):
        streamed([np.zeros(3), np.zeros(4)], print)


@pytest.mark.gpu
@pytest.mark.parametrize("buffers", [1, 2, 3])
def test_every_batch_arrives(buffers):
    batches = [np.full((256, 784), index, np.float32) for index in range(9)]
    sums = device.xp.zeros(9)
    counter = iter(range(9))

    def compute(x):
        index = next(counter)
        sums[index:index + 1] = x.sum()

    spans = streamed(batches, compute, buffers)
    np.testing.assert_array_equal(sums.get(), [256 * 784 * index for index in range(9)])
    assert len(spans) == 18 and all(span.end > span.start for span in spans)
