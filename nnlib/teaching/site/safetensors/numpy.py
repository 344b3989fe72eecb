"""Stands in for safetensors where Pyodide has none (0.27): the format in plain Python. Writing."""

import json

import numpy as np

from . import DTYPES

NAMES = {np.dtype(text): name for name, text in DTYPES.items()}


def save(tensors: dict[str, np.ndarray], metadata: dict[str, str] | None = None) -> bytes:
    """The content of a file."""
    header: dict[str, object] = {"__metadata__": metadata} if metadata else {}
    parts, position = [], 0
    for name, array in tensors.items():
        parts.append(array.tobytes())
        header[name] = {
            "dtype": NAMES[array.dtype],
            "shape": list(array.shape),
            "data_offsets": [position, position + array.nbytes],
        }
        position += array.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + b"".join(parts)
