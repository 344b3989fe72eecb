"""A browser for what only a browser shows."""

import pytest

from tests.notebooks import slides


@pytest.fixture(scope="module")
def browser():
    if slides.chromium() is None:
        pytest.skip("needs Chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=slides.chromium(), args=slides.CHROMIUM_ARGUMENTS)
        yield browser
        browser.close()
