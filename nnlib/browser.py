"""Python in a browser (Pyodide on the lessons' web site): everything that is different there. Lesson 01.

A page has one thread and no sockets. It loads what lies beside it on its own site, and keeps files in the browser's
storage, which JupyterLite shows as the folder /drive.
"""

from __future__ import annotations

import logging
import sys
import time
from pathlib import Path

HERE = sys.platform == "emscripten"
EXAMPLES = 1500 if HERE else None  # of MNIST: a page computes several times slower than NumPy elsewhere
_STORAGE = Path("/drive")
_SILENCE = 8  # seconds of a cell after which it says that it goes on, then twice as many, …
_cell = {"began": 0.0, "says": 0.0}
if HERE:  # without threads matplotlib cannot wait whether its list of fonts takes long, and would warn each time
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)


def storage() -> Path | None:
    """Where files outlive a reload of the page; None where the page has no such place."""
    return _STORAGE if _STORAGE.is_dir() else None


def fetch(file: str, path: Path) -> None:
    """Write a file of the page's own site (data/mnist/…) to the path; OSError when it cannot be had."""
    import js  # type: ignore[import-not-found]  # Pyodide's
    try:
        request = js.XMLHttpRequest.new()
        request.open("GET", js.location.href.partition("/extensions/")[0] + "/" + file, False)
        request.responseType = "arraybuffer"
        request.send()
    except Exception as error:  # JavaScript's: a blocked or broken connection, or Pyodide without a page
        raise ConnectionError(str(error)) from None
    if request.status != 200:
        raise ConnectionError(f"the site answers {request.status}")
    path.write_bytes(request.response.to_bytes())


def begin_cell(*_: object) -> None:
    """A cell begins: what `still_computing` counts from."""
    _cell.update(began=time.monotonic(), says=_SILENCE)


def still_computing() -> None:
    """Asked after each simulated launch: says on stderr, ever more rarely, that a cell of a page goes on."""
    seconds = time.monotonic() - _cell["began"]
    if HERE and _cell["says"] and seconds > _cell["says"]:
        _cell["says"] *= 2
        print(f"This cell has been computing for {seconds:.0f} s and goes on: a page has one slow core.",
              file=sys.stderr, flush=True)


def words() -> str:
    """What a student should know about a lesson in the browser; empty elsewhere."""
    if not HERE:
        return ""
    kept = ("Your kernels and your progress are kept in this browser; a private window forgets them when you close it."
            if storage() else
            "This window keeps nothing: after a reload your kernels and your progress are gone. (Is it a private "
            "window, or is the browser's storage switched off?)")
    return ("You are in a browser: one core, no GPU, NumPy is slower here. The longest cells take a minute or more, "
            f"a lesson up to 1 GB of memory.\n{kept} mine.export(\"library.json\") makes a file to take along.\n"
            "To stop a cell that takes too long: Kernel > Restart Kernel, then run the cells above again.")
