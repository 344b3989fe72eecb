"""Python in a browser (Pyodide on the lessons' web site): everything that is different there.

A page has one thread and no sockets. It loads what lies beside it on its own site, and keeps files in the browser's
storage, which JupyterLite shows as the folder /drive.
"""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path

HERE = sys.platform == "emscripten"
# Of MNIST: a page computes several times slower than NumPy elsewhere
EXAMPLES = 1500 if HERE else None
_STORAGE = Path("/drive")
if HERE:  # without threads matplotlib cannot wait whether its list of fonts takes long, and would warn each time
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)


def page() -> str:
    """Return the site's address where a page runs cells without Jupyter, else nothing."""
    return os.environ.get("NNLIB_PAGE", "")


def storage() -> Path | None:
    """Return the folder whose files outlive a reload of the page, or None."""
    return _STORAGE if _STORAGE.is_dir() else None


def fetch(file: str, path: Path) -> None:
    """Write a file of the page's own site (data/mnist/…) to the path; OSError when it cannot be had."""
    import js  # Pyodide's

    try:
        request = js.XMLHttpRequest.new()
        site = page() or js.location.href.partition("/extensions/")[0] + "/"
        request.open("GET", site + file, False)
        request.responseType = "arraybuffer"
        request.send()
    except (
        Exception
    ) as error:  # JavaScript's: a blocked or broken connection, or Pyodide without a page
        raise ConnectionError(str(error)) from None
    if request.status != 200:
        raise ConnectionError(f"the site answers {request.status}")
    path.write_bytes(request.response.to_bytes())


def words() -> str:
    """Return what a student should know about JupyterLite; empty elsewhere, and in a page that says it itself."""
    if not HERE or page():
        return ""
    kept = (
        "Your kernels and your progress are kept in this browser; a private window forgets them when you close it."
        if storage()
        else "This window keeps nothing: after a reload your kernels and your progress are gone. (Is it a private "
        "window, or is the browser's storage switched off?)"
    )
    return (
        "You are in a browser: one core, no GPU, NumPy is slower here. All cells of a lesson together compute for "
        "a minute or two, those of lesson 07 for six or more.\nAn open lesson takes up to 1 GB of memory: close "
        f'the tab of the one before.\n{kept} mine.export("library.json") makes a file to take along.\n'
        "To stop a cell that takes too long: Kernel > Restart Kernel, then run the cells above again."
    )
