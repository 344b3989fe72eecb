"""rand() in advance gives the numbers of rand() one by one, which are those of glibc."""

import pytest

from nnlib.cuda._engine.host.runtime.random_numbers import LENGTH, Random

SEEDS = [0, 1, 7, 2**31 + 5, 2**32 - 1]


def one_by_one(seed, count):
    random = Random()
    random.seed(seed)
    return [random.next() for _ in range(count)]


def test_the_first_numbers_are_those_of_glibc():
    assert one_by_one(1, 5) == [1804289383, 846930886, 1681692777, 1714636915, 1957747793]


@pytest.mark.parametrize("seed", SEEDS)
def test_each_is_the_sum_of_two_before_it(seed):
    """The sum may be one too small, because rand() does not return the lowest bit of its numbers."""
    numbers = one_by_one(seed, 9 * LENGTH)
    for k in range(31, len(numbers)):
        assert (numbers[k] - numbers[k - 3] - numbers[k - 31]) % 2**31 in (0, 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_several_at_once_are_the_same_and_can_be_put_back(seed):
    random, found = Random(), []
    random.seed(seed)
    for count, back in [(1, 0), (300, 17), (LENGTH, LENGTH), (4096, 1), (64, 0), (5000, 4000)]:
        found += random.several(count).tolist()[: count - back]
        random.put_back(back)
        found.append(random.next())
    assert found == one_by_one(seed, len(found))
