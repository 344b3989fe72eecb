"""What the tests of networks share."""

from collections.abc import Callable, Iterator

import pytest

from nnlib.support.threads import thread_count


@pytest.fixture
def cores(environ) -> Iterator[Callable[[object], None]]:
    """Sets how many threads a batch may use, as a user does."""

    def limit(count: object) -> None:
        environ(OMP_NUM_THREADS=count)
        thread_count.cache_clear()

    yield limit
    thread_count.cache_clear()
