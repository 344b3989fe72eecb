"""Ways out of the worker, each tried in a worker as it runs: none reaches anything, and none gives a mark."""

import re
import shutil

import pytest
from numpy.linalg import _umath_linalg

from nnlib.course.exercises import lesson03
from nnlib.teaching.marking.confinement import confined
from tests.teaching.marking.breakouts import BREAKOUTS, INSIDE, answer, tried_all
from tests.teaching.marking.conftest import judge

pytestmark = pytest.mark.skipif(not confined(), reason="needs bubblewrap")


@pytest.fixture
def named(tmp_path):
    """What a body names: native code beside the notebook, which is one of NumPy's modules, and the references."""
    return {
        "EXTENSION": shutil.copy(_umath_linalg.__file__, tmp_path / "evil.so"),
        "MODULE": "_umath_linalg",
        "FOLDER": tmp_path,
        "REFERENCES": lesson03.__file__,
    }


@pytest.mark.parametrize("name", BREAKOUTS)
def test_no_way_out_gives_a_mark(hand_in, named, name):
    body, said = BREAKOUTS[name]
    verdict = judge(hand_in(answer(body, **named)), "03.intensity")
    assert not verdict.solved
    assert re.search(said, verdict.text), verdict.text
    if name not in INSIDE:
        assert "escaped" not in verdict.text


def test_no_quiet_way_succeeds(hand_in, named):
    assert "returned nothing" in judge(hand_in(tried_all(**named)), "03.intensity").text
