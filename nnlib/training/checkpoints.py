"""Save a model with its optimizer and history, and go on from there. Lesson 07.

One safetensors file: arrays and a JSON header, read without executing anything.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from itertools import zip_longest
from typing import Any, Protocol

import numpy as np

from nnlib.support import extras, files

_FORMAT = "nnlib checkpoint 2"
_HEADER = {"format", "layers", "optimizer", "notes", "sha256"}
_INSTEAD = "use an earlier checkpoint, or train again"


class CheckpointError(Exception):
    """A file is not a checkpoint, is damaged, or belongs to another model."""


class Stateful(Protocol):
    """Anything whose state a checkpoint stores, such as a model or an optimizer."""

    def state_dict(self) -> dict[str, np.ndarray]:
        """Return everything that is saved, as NumPy arrays."""

    def load_state_dict(self, state: dict[str, np.ndarray]) -> None:
        """Take over what `state_dict` returned; raise, and change nothing, where it does not fit."""


class Model(Stateful, Protocol):
    """What is saved of a model, with the names of its layers."""

    layers: list[Any]


def save(
    path: files.StrPath,
    model: Model,
    optimizer: Stateful | None = None,
    notes: Mapping[str, Any] | None = None,
    arrays: Mapping[str, np.ndarray] | None = None,
) -> None:
    """Write all states to `path` at once; a file that was there stays if anything goes wrong.

    notes: what JSON can hold (history, epoch, seed); arrays: further NumPy arrays. `load` returns both.
    """
    to_bytes = extras.load("safetensors.numpy", "checkpoints").save
    groups = {
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict() if optimizer else {},
        "extra": arrays or {},
    }
    tensors = {
        f"{group}/{name}": np.asarray(array, order="C")
        for group, state in groups.items()
        for name, array in state.items()
    }
    header = {
        "format": _FORMAT,
        "layers": [repr(layer) for layer in model.layers],
        "optimizer": type(optimizer).__name__ if optimizer else "",
        "notes": dict(notes or {}),
    }
    header["sha256"] = _checksum(header, tensors)
    content = to_bytes(tensors, {"nnlib": json.dumps(header)})
    with files.replacing(path) as temporary:
        temporary.write_bytes(content)


def load(
    path: files.StrPath, model: Model, optimizer: Stateful | None = None
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Put the states of `path` into `model` (and `optimizer`) and return the notes and the further arrays.

    Raises FileNotFoundError, or CheckpointError; model and optimizer are then as they were.
    """
    header, tensors = _read(path)
    _compare_layers(path, header["layers"], [repr(layer) for layer in model.layers])
    if optimizer is not None and header["optimizer"] != type(optimizer).__name__:
        raise CheckpointError(
            f"{path}: was saved with {header['optimizer'] or 'no optimizer'}, "
            f"not with {type(optimizer).__name__}"
        )
    states = [
        (part, _group(tensors, name))
        for name, part in (("optimizer", optimizer), ("model", model))
        if part
    ]
    before = [(part, part.state_dict()) for part, _ in states]
    try:
        for part, state in states:
            part.load_state_dict(state)
    except Exception as error:
        for part, state in before:
            part.load_state_dict(state)
        raise CheckpointError(f"{path}: does not fit this model: {error}") from error
    return header["notes"], _group(tensors, "extra")


def read(path: files.StrPath) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Read the notes and the further arrays alone, without changing a model. Raises as `load`."""
    header, tensors = _read(path)
    return header["notes"], _group(tensors, "extra")


def _read(path: files.StrPath) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    safetensors = extras.load("safetensors", "checkpoints")
    with open(path, "rb") as file:  # noqa: PTH123  a plain FileNotFoundError or PermissionError, naming the file
        if file.read(9)[8:] != b"{":
            raise CheckpointError(f"{path}: not a checkpoint (not a safetensors file)")
    try:
        with safetensors.safe_open(path, framework="numpy") as stored:
            header = json.loads((stored.metadata() or {}).get("nnlib", "{}"))
            # Before types that NumPy does not know
            if set(header) != _HEADER or header["format"] != _FORMAT:
                raise CheckpointError(
                    f"{path}: a safetensors file, but not one that nnlib.training.checkpoints saved"
                )
            tensors = {name: stored.get_tensor(name) for name in stored.keys()}  # noqa: SIM118  it is no mapping
        if header.pop("sha256") != _checksum(header, tensors):
            raise CheckpointError(f"{path}: damaged, its checksum is another; {_INSTEAD}")
    except (safetensors.SafetensorError, json.JSONDecodeError) as error:
        raise CheckpointError(f"{path}: cut short or damaged ({error}); {_INSTEAD}") from error
    return header, tensors


def _checksum(header: Mapping[str, Any], tensors: Mapping[str, np.ndarray]) -> str:
    """Return the checksum of all that is saved."""
    as_read = json.loads(json.dumps(header))
    found = hashlib.sha256(json.dumps(as_read, sort_keys=True).encode())
    for name in sorted(tensors):
        array = tensors[name]
        found.update(f"{name} {array.dtype.str} {array.shape}".encode())
        found.update(np.ascontiguousarray(array).data)
    return found.hexdigest()


def _compare_layers(path: files.StrPath, saved: list[str], here: list[str]) -> None:
    for index, (there, ours) in enumerate(zip_longest(saved, here, fillvalue="no layer")):
        if there != ours:
            raise CheckpointError(
                f"{path}: a checkpoint of another model: its layer {index} is {there}, "
                f"here it is {ours}"
            )


def _group(tensors: dict[str, np.ndarray], group: str) -> dict[str, np.ndarray]:
    return {
        name.removeprefix(f"{group}/"): array
        for name, array in tensors.items()
        if name.startswith(f"{group}/")
    }
