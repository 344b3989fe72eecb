"""The data of the lessons: MNIST, Fashion-MNIST, a small set that is always there, points in a plane. Lesson 07.

Also `load_png_folder` for images of your own, and `idx.read` for IDX files.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import numpy as np

from nnlib.datasets import idx
from nnlib.datasets.examples import Dataset, DatasetError, Examples, shuffled
from nnlib.datasets.idx import UnavailableError
from nnlib.datasets.png_folder import load_png_folder
from nnlib.datasets.text import decode, encode, load_text, names
from nnlib.support import browser, files

__all__ = [
    "Dataset",
    "DatasetError",
    "Examples",
    "UnavailableError",
    "decode",
    "encode",
    "load",
    "load_png_folder",
    "load_text",
    "names",
    "quadrants",
    "shuffled",
]

DIGITS = Path(__file__).with_name("digits.npz")
_DIGITS = tuple("0123456789")
_CLOTHES = (
    "T-shirt",
    "trousers",
    "pullover",
    "dress",
    "coat",
    "sandal",
    "shirt",
    "sneaker",
    "bag",
    "ankle boot",
)


def load(name: str, fallback: str | None = None, download: bool = True) -> Dataset:
    """Return the data set of that name.

    `"mnist"`, `"fashion"` (60,000 + 10,000 images), `"digits"` (1,500 + 297), `"quadrants"` (2,000 + 100 points)
    or `"names"` (windows of 16 characters; `names` has other lengths).

    Images are uint8 (N, 1, 28, 28), labels int32 (N,). Files are looked for in `NNLIB_DATA`, in `data/`, in the
    user's cache, then downloaded. With `fallback`, a set that is not to be had is replaced by that one, and
    a printed line says so. Raises DatasetError (UnavailableError when the set is not to be had).

        >>> print(load("digits"))
        digits: 1,500 training and 297 test examples of 1 x 28 x 28, 10 classes
    """
    loaders = {
        "mnist": lambda: _load_idx("mnist", _DIGITS, download),
        "fashion": lambda: _load_idx("fashion", _CLOTHES, download),
        "digits": _load_digits,
        "quadrants": quadrants,
        "names": names,
    }
    for wanted in (name, fallback):
        if wanted is not None and wanted not in loaders:
            raise DatasetError(
                f"unknown data set {wanted!r}; there are {', '.join(map(repr, loaders))}"
            )
    try:
        return loaders[name]()
    except UnavailableError:
        if fallback is None or fallback == name:
            raise
    dataset = load(fallback, download=download)
    print(
        f"{name!r} is not on this machine and could not be downloaded: using {fallback!r} instead."
    )
    return dataset


def quadrants() -> Dataset:
    """Return 2,100 points in the square [-1, 1]²: class 1 where x·y > 0, else 0; the last 100 are the test part.

    Inputs are float32 (N, 2), labels float32 (N, 1), as binary cross-entropy takes them. Lesson 06.
    """
    points = np.random.default_rng(0).uniform(-1, 1, (2100, 2)).astype(np.float32)
    labels = (points[:, :1] * points[:, 1:] > 0).astype(np.float32)
    examples = Examples(points, labels, ("x·y ≤ 0", "x·y > 0"))
    return Dataset("quadrants", examples[:-100], examples[-100:])


def _load_idx(name: str, classes: tuple[str, ...], download: bool) -> Dataset:
    train, test = idx.load(name, _data_folders(), _user_cache, download)
    return Dataset(name, *(Examples(*part, classes)[: browser.EXAMPLES] for part in (train, test)))


def _load_digits() -> Dataset:
    try:
        with np.load(DIGITS, allow_pickle=False) as stored:
            images, labels, count = (
                stored["images"][:, None],
                stored["labels"].astype(np.int32),
                int(stored["train"]),
            )
    except Exception as error:  # NumPy raises many kinds for a damaged file
        raise DatasetError(
            f"{DIGITS}: missing or damaged; it is part of nnlib: install it again, or in a clone of the "
            "repository: git checkout nnlib/datasets/digits.npz"
        ) from error
    examples = Examples(images, labels, _DIGITS)
    return Dataset("digits", examples[:count], examples[count:])


def _data_folders() -> list[Path]:
    """Return the folders where files may lie, in order. The current folder serves an nnlib installed away from its repository."""
    here = files.here()
    chosen = os.environ.get("NNLIB_DATA")
    # Path.expanduser() raises for a user that is not there
    named = [Path(os.path.expanduser(chosen))] if chosen else []  # noqa: PTH111
    found = [Path(__file__).parents[2] / "data", here / "data", here.parent / "data"]
    return list(dict.fromkeys(named + found))


def _user_cache() -> Path:
    """Return a folder for downloads that can be written to: the user's cache, else a temporary one."""
    try:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "nnlib"
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except (OSError, RuntimeError, KeyError):  # no home, or one that is read-only
        folder = Path(tempfile.gettempdir()) / "nnlib"
        folder.mkdir(exist_ok=True)
        return folder
