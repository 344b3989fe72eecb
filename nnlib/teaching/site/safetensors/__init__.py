"""Stands in for safetensors where Pyodide has none (0.27): the format in plain Python. Reading.

Eight bytes say how long the JSON header is; then the header, then the arrays' bytes, one after the other
(https://huggingface.co/docs/safetensors, "Format").
"""

import json
from pathlib import Path
from typing import Self

import numpy as np

DTYPES = {
    "F64": "<f8",
    "F32": "<f4",
    "F16": "<f2",
    "I64": "<i8",
    "I32": "<i4",
    "I16": "<i2",
    "I8": "|i1",
    "U64": "<u8",
    "U32": "<u4",
    "U16": "<u2",
    "U8": "|u1",
    "BOOL": "|b1",
}


class SafetensorError(Exception):
    """The file is cut short or damaged."""


class safe_open:  # noqa: N801  (the package's own name)
    """A file's arrays by name."""

    def __init__(self, path: str, framework: str) -> None:
        content = Path(path).read_bytes()
        length = int.from_bytes(content[:8], "little")
        try:
            self.header = json.loads(content[8 : 8 + length])
            self.notes: dict[str, str] | None = self.header.pop("__metadata__", None)
            self.bytes = content[8 + length :]
            ends = [entry["data_offsets"][1] for entry in self.header.values()]
        except (ValueError, AttributeError, KeyError, TypeError) as error:
            raise SafetensorError(f"the header cannot be read: {error}") from None
        if max(ends, default=0) != len(self.bytes):
            raise SafetensorError("the file is cut short or too long")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def metadata(self) -> dict[str, str] | None:
        """The texts saved along, or None."""
        return self.notes

    def keys(self) -> list[str]:
        """The arrays' names."""
        return list(self.header)

    def get_tensor(self, name: str) -> np.ndarray:
        """One array."""
        entry = self.header[name]
        start, end = entry["data_offsets"]
        return (
            np.frombuffer(self.bytes[start:end], DTYPES[entry["dtype"]])
            .reshape(entry["shape"])
            .copy()
        )
