"""Random programs: the race check against the definition of a race. Longer: tests/cuda/race_oracle.py."""

import numpy as np
import pytest

from tests.cuda import race_oracle
from tests.cuda.race_oracle import WAYS, Step


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("space", ["shared", "global"])
def test_equals_the_definition(space, way):
    rng = np.random.default_rng(len(space + way))
    verdicts = []
    for _ in range(20):
        steps = race_oracle.random_program(rng, space)
        expected, found = race_oracle.judged(steps, space, way)
        assert found == expected, race_oracle.shortened(steps, space, way)
        verdicts.append(expected)
    assert 2 < sum(verdicts) < 19  # both kinds occur


T = np.arange(race_oracle.ALL)
EVERYONE = T >= 0
OWN, OTHERS, FLAG = race_oracle.FLAGS + T, race_oracle.FLAGS + (T ^ 64), T * 0


@pytest.mark.parametrize(
    "between, races",
    [
        ([], True),
        (["flag", "flag"], True),
        (["fence", "flag", "flag"], False),
        (["block fence", "flag", "flag"], True),
        (["flag", "fence"], True),
    ],
)
def test_the_oracle_knows_messages(between, races):
    """What the other block has written, read after an atomic that follows its fence."""
    steps = [Step("write", OWN, T < 64)]
    steps += [Step("atomic" if word == "flag" else word, FLAG, EVERYONE) for word in between]
    steps.append(Step("read", OTHERS, T >= 64))
    assert race_oracle.judged(steps, "global", "one chunk") == (races, races)
