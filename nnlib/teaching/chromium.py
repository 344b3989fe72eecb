"""A Chromium or Chrome without a window: it prints decks."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from typing import Any

from nnlib.support import extras

ARGUMENTS = ["--no-sandbox", "--disable-gpu"]


def chromium() -> str | None:
    """The path of a Chromium or Chrome, or None."""
    return next(
        filter(
            None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))
        ),
        None,
    )


@contextlib.contextmanager
def chromium_browser() -> Iterator[Any]:
    """The browser; SystemExit where there is none."""
    path = chromium()
    if path is None:
        raise SystemExit(
            "PDF is printed by Chromium or Chrome, and there is none in the PATH: install one."
        )
    sync_playwright = extras.load("playwright.sync_api", "PDF files").sync_playwright
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()
