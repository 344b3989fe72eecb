"""Where students' Python runs: in bubblewrap, or in a container of its own. worker.py has Python's own part.

Bubblewrap (the package `bubblewrap` of Debian and others) gives the worker a system without network, other processes
and files, but for Python and this package without its answers, all of which it cannot write. There is no /proc, through
which root could change the machine's settings. In the container of an
autograder, which holds one student's work only, the worker becomes another user than the judge.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nnlib

# "container": this one holds one student's work; "trust": nothing confines
MARKING = "NNLIB_MARKING"
UNSAFE = (
    "Nothing here confines students' Python: install bubblewrap (apt install bubblewrap), or mark in the "
    "autograder's container. Without either, marks are not safe against the students, and neither are your "
    "files: --trust-students goes on all the same.\n"
)
_PACKAGE = Path(nnlib.__file__).parent
_SYSTEM = ("/usr", "/bin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/alternatives")
# Not to be seen
_ANSWERS = ("course/exercises", "course/clinic", "kernels", "mine/best", "teaching")
_NEEDED = (
    "course/exercises/networks.py",
    "teaching/marking/worker.py",
    "teaching/marking/exchange.py",
)


class UnsafeError(RuntimeError):
    """Nothing confines students' Python on this computer, and nobody said that this is wanted."""


def confined() -> bool:
    """Return whether something keeps students' Python away from judge, files and network."""
    return _bubblewrap_works() or _is_container()


def confinement() -> tuple[str, ...]:
    """Return what to put before a command that runs students' Python; raise UnsafeError where nothing confines."""
    if _bubblewrap_works():
        return bubblewrap()
    if _is_container() or os.environ.get(MARKING) == "trust":
        return ()
    raise UnsafeError(UNSAFE)


@functools.cache
def bubblewrap() -> tuple[str, ...]:
    """Return bubblewrap's part of a command line."""
    parts = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    parts += ["--dev", "/dev", "--tmpfs", "/tmp"]
    for path in _visible():
        parts += ["--ro-bind", path, path]
    for name in _ANSWERS:
        parts += ["--tmpfs", str(_PACKAGE / name)]
    for name in _NEEDED:
        parts += ["--ro-bind", str(_PACKAGE / name), str(_PACKAGE / name)]
    for name in _ANSWERS:
        parts += ["--remount-ro", str(_PACKAGE / name)]
    return tuple(parts)


def _visible() -> Iterator[str]:
    """Yield the folders that Python, NumPy and this package need, each once, the outer ones first."""
    links = [sys.prefix, sys.base_prefix, sys.executable, os.path.realpath(sys.executable)]
    paths = sorted({*links, str(_PACKAGE), *filter(os.path.exists, _SYSTEM)})
    yield from (path for path in paths if not any(path.startswith(f"{one}/") for one in paths))


def _is_container() -> bool:
    return os.environ.get(MARKING) == "container" and hasattr(os, "geteuid") and os.geteuid() == 0


@functools.cache
def _bubblewrap_works() -> bool:
    """Return whether it is installed, and this kernel and container allow it."""
    if sys.platform != "linux" or shutil.which("bwrap") is None:
        return False
    try:
        ran = subprocess.run(
            [*bubblewrap(), sys.executable, "-I", "-c", ""], capture_output=True, timeout=120
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return ran.returncode == 0
