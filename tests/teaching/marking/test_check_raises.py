"""One switch in the environment lets `check` raise."""

import pytest

from nnlib.course.notebook import NotSolvedError, check


def test_an_unsolved_check_raises_where_it_is_asked_to(capsys, environ):
    check("03.intensity", lambda bm, bn: 1)
    environ(NNLIB_CHECK_RAISES="1")
    with pytest.raises(NotSolvedError, match="✗ 03.intensity, called with"):
        check("03.intensity", lambda bm, bn: 1)
    check("03.intensity", lambda bm, bn: bm * bn / (2 * (bm + bn)))
    assert capsys.readouterr().out.splitlines()[-1].startswith("✓")
