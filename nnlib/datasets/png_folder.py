"""Images as PNG files in folders named after their class: `train/0…9/*.png`, `test/0…9/*.png`. Lesson 07."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

import numpy as np

from nnlib.datasets.examples import Dataset, DatasetError, Examples
from nnlib.support import extras, files

CACHE = ".nnlib-cache.npz"


def load_png_folder(folder: files.StrPath, size: tuple[int, int] = (28, 28)) -> Dataset:
    """Return grey images of `size` (rows, columns) as a Dataset; the folders in `train/` name the classes.

    Decoded images are kept in one .npz file in the folder and decoded again when a file was added, removed or
    changed. A folder that cannot be written to works without. Raises DatasetError.
    """
    folder = Path(folder)
    classes = _class_names(folder / "train")
    parts = {part: _list_images(folder / part, classes) for part in ("train", "test")}
    for label, name in enumerate(classes):
        if label not in parts["train"][1]:
            raise DatasetError(
                f"{folder / 'train' / name}: no PNG files in it; put some in, or remove the folder"
            )
    fingerprint = _fingerprint(
        folder, size, [path for paths, _ in parts.values() for path in paths]
    )
    pixels = _read_cache(folder / CACHE, fingerprint)
    if pixels is None:
        pixels = {
            part: np.stack([_read_png(path, size) for path in paths])
            for part, (paths, _) in parts.items()
        }
        _write_cache(folder / CACHE, fingerprint, pixels)
    train, test = (
        Examples(pixels[part][:, None], np.array(labels, np.int32), classes)
        for part, (_, labels) in parts.items()
    )
    return Dataset(folder.name, train, test)


def _class_names(folder: Path) -> tuple[str, ...]:
    if not folder.is_dir():
        raise DatasetError(
            f"{folder}: no such folder; expected {folder}/<class>/*.png, for example {folder}/0/1.png"
        )
    names = _folders(folder)
    if not names:
        raise DatasetError(
            f"{folder}: holds no folders; expected one per class, for example {folder}/0/"
        )
    return tuple(
        sorted(
            names,
            key=lambda name: (not name.isdecimal(), int(name) if name.isdecimal() else 0, name),
        )
    )


def _folders(folder: Path) -> list[str]:
    """Return the entries of a folder without hidden ones, such as .ipynb_checkpoints."""
    return [
        entry.name
        for entry in folder.iterdir()
        if entry.is_dir() and not entry.name.startswith(".")
    ]


def _list_images(folder: Path, classes: tuple[str, ...]) -> tuple[list[Path], list[int]]:
    if not folder.is_dir():
        raise DatasetError(f"{folder}: no such folder; expected {folder}/<class>/*.png")
    unknown = sorted(set(_folders(folder)) - set(classes))
    if unknown:
        raise DatasetError(
            f"{folder / unknown[0]}: the training part has no class {unknown[0]!r}, "
            f"only {', '.join(classes)}"
        )
    paths, labels = [], []
    for label, name in enumerate(classes):
        found = sorted(path for path in (folder / name).glob("*") if path.suffix.lower() == ".png")
        paths += found
        labels += [label] * len(found)
    if not paths:
        raise DatasetError(f"{folder}: no PNG files in it; expected {folder}/<class>/*.png")
    return paths, labels


def _read_png(path: Path, size: tuple[int, int]) -> np.ndarray:
    Image = extras.load("PIL.Image", "PNG files")
    try:
        with Image.open(path) as image:
            if image.mode.startswith("I"):  # 16 bits: Pillow's own conversion would clip at 255
                pixels = (np.asarray(image) // 257).astype(np.uint8)
            else:
                pixels = np.asarray(image.convert("L"))
    except (
        OSError,
        SyntaxError,
        ValueError,
        Image.DecompressionBombError,
    ) as error:  # Pillow's words for damage
        raise DatasetError(f"{path}: not a readable PNG image; replace or remove it") from error
    if pixels.shape != tuple(size):
        raise DatasetError(
            f"{path}: {pixels.shape[0]} x {pixels.shape[1]} pixels, expected {size[0]} x {size[1]}; "
            "scale or remove it, or pass size=(rows, columns) if all images have that size"
        )
    return pixels


def _fingerprint(folder: Path, size: tuple[int, int], paths: list[Path]) -> str:
    """Return a fingerprint that changes when a file is added, removed, renamed or written to."""
    digest = hashlib.sha256(repr(tuple(size)).encode())
    for path in paths:
        status = path.stat()
        digest.update(
            f"{path.relative_to(folder)} {status.st_size} {status.st_mtime_ns}\n".encode()
        )
    return digest.hexdigest()


def _read_cache(path: Path, fingerprint: str) -> dict[str, np.ndarray] | None:
    try:
        with np.load(path, allow_pickle=False) as stored:
            if str(stored["fingerprint"]) == fingerprint:
                return {part: stored[part] for part in ("train", "test")}
    except Exception:  # NumPy raises many kinds for a damaged file
        pass  # absent or damaged: decode again
    return None


def _write_cache(path: Path, fingerprint: str, pixels: dict[str, np.ndarray]) -> None:
    with suppress(OSError), files.replacing(path) as temporary, temporary.open("wb") as file:
        np.savez_compressed(
            file, fingerprint=fingerprint, train=pixels["train"], test=pixels["test"]
        )
