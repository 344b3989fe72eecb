"""The chain that measures latency visits every line once and ends where it began."""

import pytest

from tests.benchmarks.patterns import LINE, chain


@pytest.mark.parametrize("size", [LINE, 1 << 13, 1 << 15])
def test_a_chain_is_one_ring_through_all_lines(size):
    following, at, seen = chain(size), 0, []
    for _ in range(size // LINE):
        seen.append(at)
        at = int(following[at])
    assert at == 0
    assert sorted(seen) == list(range(0, size // 4, LINE // 4))
