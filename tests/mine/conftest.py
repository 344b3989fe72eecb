"""Every test has a folder of its own, empty at first."""

import pytest

from nnlib.mine import library


@pytest.fixture(autouse=True)
def own_folder(tmp_path, environ):
    environ(NNLIB_MINE=tmp_path / "mine")
    for kept in (library._running, library._unsaved, library._told, library._launches):
        kept.clear()
    return tmp_path / "mine"
