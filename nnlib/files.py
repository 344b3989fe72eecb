"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: str | os.PathLike) -> Iterator[Path]:
    """A temporary path in the same folder that takes the place of `path` if the `with` block ends well.

    If it does not, the temporary file is removed and a file at `path` stays as it was.
    """
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.part")
    try:
        yield temporary
        with open(temporary, "rb+") as file:
            os.fsync(file.fileno())  # else a power cut may leave a renamed but empty file
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
