"""Every test has a folder of its own, empty at first."""

import pytest

from tests.mine.answers import forget


@pytest.fixture(autouse=True)
def own_folder(tmp_path, environ):
    environ(NNLIB_MINE=tmp_path / "mine")
    forget()
    return tmp_path / "mine"
