"""Files of words that are answers: JSON here, packed in students' packages, so that nobody reads one by chance.

This keeps nobody from an answer who unpacks the file. What a student's own machine can show, it cannot keep.
"""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path
from typing import Any


def load(file: Path) -> Any:
    """Return what the JSON file holds, or its packed form beside it, or None if neither is there."""
    packed = file.with_suffix(".txt")
    if packed.exists():
        return json.loads(zlib.decompress(base64.b64decode(packed.read_bytes())))
    return json.loads(file.read_text("utf-8")) if file.exists() else None


def pack(file: Path) -> None:
    """Put the packed form in the place of the file."""
    file.with_suffix(".txt").write_bytes(base64.b64encode(zlib.compress(file.read_bytes())))
    file.unlink()
