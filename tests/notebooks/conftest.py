"""A browser for what only a browser shows."""

import pytest

from nnlib.teaching.chromium import chromium, chromium_browser


@pytest.fixture(scope="module")
def browser():
    if chromium() is None:
        pytest.skip("needs Chromium")
    with chromium_browser() as browser:
        yield browser
