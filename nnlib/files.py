"""Files that appear whole or not at all, and where a student's files are kept."""

from __future__ import annotations

import errno
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from nnlib import browser

_FULL = errno.ENOSPC, errno.EDQUOT


def home() -> Path:
    """The folder for what is this student's: in the browser's storage, else Jupyter's data folder, else the home."""
    if stored := browser.storage():
        return stored
    try:
        from jupyter_core.paths import jupyter_data_dir
    except ImportError:  # beside NumPy alone, or in a browser
        return Path.home()
    return Path(jupyter_data_dir())


@contextmanager
def naming(path: Path, temporary: Path | None = None) -> Iterator[None]:
    """An OSError of the `with` block names `path`, also where the disk is full, or where `temporary` stands for it."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL or temporary is not None and error.filename == str(temporary):
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise


@contextmanager
def replacing(path: str | os.PathLike) -> Iterator[Path]:
    """A temporary path in the same folder that takes the place of `path` if the `with` block ends well.

    If it does not, the temporary file is removed and a file at `path` stays as it was. A link at `path` stays a link,
    and what it leads to is replaced.
    """
    given, path = Path(path), Path(os.path.realpath(path))
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.part")
    try:
        with naming(given, temporary):
            yield temporary
            with open(temporary, "rb+") as file:
                os.fsync(file.fileno())  # else a power cut may leave a renamed but empty file
            os.replace(temporary, path)
    finally:
        with suppress(OSError):  # where nothing could be written nothing can be removed
            temporary.unlink(missing_ok=True)
