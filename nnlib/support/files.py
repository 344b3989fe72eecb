"""Files that appear whole or not at all, and where a student's files are kept."""

from __future__ import annotations

import errno
import os
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from nnlib.support import browser

StrPath = str | os.PathLike[str]
_FULL = errno.ENOSPC, errno.EDQUOT
_PATIENCE = 120  # seconds to wait for another process, which may be stopped


def home() -> Path:
    """Return the folder of this student's files.

    It lies in the browser's storage, else in Jupyter's data folder, else in the home; a user without one gets a
    temporary folder.
    """
    if stored := browser.storage():
        return stored
    try:
        from jupyter_core.paths import jupyter_data_dir
    except ImportError:  # beside NumPy alone, or in a browser
        known = os.path.expanduser("~")  # noqa: PTH111  Path.home() raises without one
        return Path(tempfile.gettempdir() if known == "~" else known)
    return Path(jupyter_data_dir())


def here() -> Path:
    """Return the current folder, or the student's home where the current folder was deleted."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return home()


@contextmanager
def naming(path: Path, temporary: Path | None = None) -> Iterator[None]:
    """Let an OSError of the `with` block name `path`, also if the disk is full or `temporary` stands for it."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL or (temporary is not None and error.filename == str(temporary)):
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise


@contextmanager
def replacing(path: StrPath) -> Iterator[Path]:
    """Yield a temporary path in the same folder that replaces `path` if the `with` block succeeds.

    If it does not, the temporary file is removed and a file at `path` stays as it was. A link at `path` stays a link,
    and what it leads to is replaced. A device, such as /dev/null, is yielded itself: for root it would be replaced, too.
    """
    given, path = Path(path), Path(os.path.realpath(path))
    if given.exists() and not given.is_file():
        yield given
        return
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.part")
    try:
        with naming(given, temporary):
            yield temporary
            with temporary.open("rb+") as file:
                os.fsync(file.fileno())  # else a power cut may leave a renamed but empty file
            temporary.replace(path)
    finally:
        with suppress(OSError):  # where nothing could be written nothing can be removed
            temporary.unlink()


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Keep other processes out of the `with` block for this path: what is read in it still holds when it is written.

    Where that cannot be had, as in a folder that cannot be written, the block runs all the same. In a browser nothing
    is locked: Python in one page hangs for good when it looks at a file that another page has just removed.
    """
    lock = path.with_name(f".{path.name}.lock")
    held = None if browser.HERE else _locked(lock)
    try:
        yield
    finally:
        if held is not None:
            with suppress(OSError):
                lock.unlink()
            os.close(held)


def _locked(lock: Path) -> int | None:
    """Lock this file, which is created if needed, and return its descriptor, or None if that is not possible.

    The system takes the lock from a process that has died.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        return None
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        try:
            file = os.open(lock, os.O_CREAT | os.O_RDWR)
        except OSError:
            return None
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(file), lock.stat()):
                return file
        except (BlockingIOError, FileNotFoundError):  # another has it, or has removed it meanwhile
            pass
        except OSError:
            end = 0.0
        os.close(file)
        time.sleep(0.005)
    return None
