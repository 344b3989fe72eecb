"""Generated Python under file names of its own, so that tracebacks and pdb show its lines."""

from __future__ import annotations

import itertools
import linecache
import weakref
from contextlib import suppress

_numbers = itertools.count()
# A finalizer may run while linecache walks over its entries, and must not take one away.
_gone: list[str] = []


def file_of(text: str, name: str, owner: object) -> str:
    r"""Return a file name under which linecache finds this text, until the next one is made after `owner` is gone.

    >>> import linecache
    >>> class Code: pass
    >>> linecache.getline(file_of("pass\n", "add, simulated", owner := Code()), 1)
    'pass\n'
    """
    with suppress(IndexError):  # empty, perhaps because another thread has taken the last one
        while True:
            linecache.cache.pop(_gone.pop(), None)
    file = f"<{name}, {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    weakref.finalize(owner, _gone.append, file).atexit = False
    return file
