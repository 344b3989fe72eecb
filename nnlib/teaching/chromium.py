"""A Chromium or Chrome without a window: it prints decks, and tests look at pages in it."""

from __future__ import annotations

import shutil

ARGUMENTS = ["--no-sandbox", "--disable-gpu"]


def chromium() -> str | None:
    """Return the path of a Chromium or Chrome, or None."""
    return next(
        filter(
            None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))
        ),
        None,
    )
