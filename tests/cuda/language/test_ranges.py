"""What is known of numbers before a launch: intervals hold whatever C's operators give."""

import itertools
import operator

import pytest

from nnlib.cuda._engine.language.normal.intervals import ValueRange, calculated, exactly

OPERATORS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda x, y: abs(x) // abs(y) * (1 if x * y > 0 else -1) if y else None,
    "%": lambda x, y: abs(x) % abs(y) * (1 if x > 0 else -1) if y else None,
    "<<": lambda x, y: x << y if x >= 0 <= y else None,
    ">>": lambda x, y: x >> y if y >= 0 else None,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
INTERVALS = [ValueRange(low, high) for low in range(-4, 5) for high in range(low, 5)]


@pytest.mark.parametrize("op", OPERATORS)
def test_an_interval_holds_all_results_and_a_comparison_nothing_else(op):
    compute = OPERATORS[op]
    for a, b in itertools.product(INTERVALS, INTERVALS):
        numbers = itertools.product(range(a.low, a.high + 1), range(b.low, b.high + 1))
        results = {int(x) for pair in numbers if (x := compute(*pair)) is not None}
        found = calculated(op, a, b)
        assert all(found.low <= x <= found.high and x % found.step == 0 for x in results), (a, b)
        if "=" in op or op in "<>":
            assert {found.low, found.high} == results, (a, b)


@pytest.mark.parametrize("value, step", [(0, 64), (1, 1), (24, 8), (-6, 2), (4096, 64)])
def test_the_step_of_one_number_is_the_power_of_two_that_divides_it(value, step):
    assert exactly(value) == ValueRange(value, value, step)
