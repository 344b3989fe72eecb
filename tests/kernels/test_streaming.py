"""Streaming: nothing is lost, and copies overlap with computation."""

import numpy as np
import pytest

from nnlib import device
from nnlib.course.streaming import streamed


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
