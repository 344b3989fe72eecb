"""What the tests of networks share."""

from collections.abc import Callable, Iterator

import pytest

from nnlib import device
from nnlib.support.threads import thread_count


@pytest.fixture
def on_the_cpu(monkeypatch):
    """New layers live on the CPU also where there is a GPU, beside the NumPy arrays of a test."""
    monkeypatch.setattr(device, "has_gpu", lambda: False)


@pytest.fixture
def cores(monkeypatch) -> Iterator[Callable[[object], None]]:
    """Sets how many threads a batch may use, as a user does."""

    def limit(count: object) -> None:
        monkeypatch.setenv("OMP_NUM_THREADS", str(count))
        thread_count.cache_clear()

    yield limit
    thread_count.cache_clear()
