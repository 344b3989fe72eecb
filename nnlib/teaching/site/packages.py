"""Which packages the lessons load in a browser, by exact version, and where Pyodide lies."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import nnlib
from nnlib.teaching.checkout import cache

NNLIB = Path(nnlib.__file__).parent  # the package that the site brings along
BUILD = cache() / "site"

# What builds the site, in an environment of its own: JupyterLite, and the widgets' parts that run in the page.
TOOLS = [
    "jupyterlite-core==0.8.6",
    "jupyterlite-pyodide-kernel==0.8.6",
    "jupyter_server==2.21.1",
    "jupyterlab_widgets==3.0.17",
    "anywidget==0.11.0",
]

# Where Pyodide has a micropip before 0.10, the kernel's piplite is taken out of this one.
OLDER_KERNEL = "jupyterlite-pyodide-kernel==0.6.1"

# Of Pyodide's own distribution, by the names of its lock file; what these depend on comes along.
OF_PYODIDE = ["numpy", "matplotlib", "pillow", "ipython", "jedi", "micropip"]
# What they name and lessons do without: time zones, PDF, and a way to draw that only a page has, not a worker.
LEFT_OUT = {"pytz", "fonttools", "matplotlib-pyodide"}

# The Pyodide that a site without its own asks the CDN for; its lock file comes from npm.
CDN_VERSION = "314.0.7"
CDN = f"https://cdn.jsdelivr.net/pyodide/v{CDN_VERSION}/full/"


@dataclass(frozen=True)
class Wheel:
    """A package in pure Python from PyPI. depends: as far as lessons need them."""

    version: str
    depends: tuple[str, ...] = ()


FROM_PYPI = {
    "anywidget": Wheel("0.11.0", ("ipywidgets", "psygnal", "typing-extensions")),
    "comm": Wheel("0.2.3"),
    "ipywidgets": Wheel("8.1.9", ("comm", "ipython", "traitlets")),
    "psygnal": Wheel("0.16.1"),
    "tqdm": Wheel("4.70.1"),
    "traitlets": Wheel("5.16.1"),
    "typing-extensions": Wheel("4.16.0"),
}


def pyodide() -> Path | None:
    """Return the folder of a whole Pyodide, $NNLIB_PYODIDE; None where it is not set. SystemExit where it has none."""
    chosen = os.environ.get("NNLIB_PYODIDE")
    if not chosen:
        return None
    if not (Path(chosen) / "pyodide-lock.json").is_file():
        raise SystemExit(
            f"NNLIB_PYODIDE is {chosen}, and there is no Pyodide: unpack a pyodide-*.tar.bz2 of "
            "https://github.com/pyodide/pyodide/releases there, or take the CDN's with --cdn"
        )
    return Path(chosen).resolve()
