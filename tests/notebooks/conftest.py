"""A browser for what only a browser shows."""

import pytest

from tests.notebooks import slides


@pytest.fixture(scope="module")
def browser():
    if slides.chromium() is None:
        pytest.skip("needs Chromium")
    with slides.chromium_browser() as browser:
        yield browser
