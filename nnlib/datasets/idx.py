"""The IDX files of MNIST and Fashion-MNIST: read, checked, found, downloaded. Lesson 07.

Format: two zero bytes, 0x08 for unsigned bytes, the number of dimensions, each dimension as a big-endian
int32, then the bytes (Y. LeCun, C. Cortes, C. Burges, "The MNIST database of handwritten digits").
"""

from __future__ import annotations

import gzip
import hashlib
import os
import zlib
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from nnlib.datasets.examples import DatasetError
from nnlib.support import browser, extras, files

FILES = (
    "train-images-idx3-ubyte",
    "train-labels-idx1-ubyte",
    "t10k-images-idx3-ubyte",
    "t10k-labels-idx1-ubyte",
)

# SHA-256 of the decompressed files: mirrors compress differently, the content is the same.
SHA256 = {
    "mnist": (
        "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
        "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
        "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
        "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
    ),
    "fashion": (
        "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888",
        "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9",
        "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b",
        "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34",
    ),
}

MIRRORS = {
    "mnist": (
        "https://ossci-datasets.s3.amazonaws.com/mnist/",
        "https://storage.googleapis.com/cvdf-datasets/mnist/",
    ),
    "fashion": (
        "https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion/",
        "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
    ),
}

_REMEDY = "Delete the file and load again: it is then downloaded."


class UnavailableError(DatasetError):
    """The set is not on this machine and could not be downloaded."""


def read(path: files.StrPath, sha256: str | None = None) -> np.ndarray:
    """Read the uint8 array of an IDX file, plain or gzip; `sha256` is that of the decompressed content.

    Raises DatasetError for a file that cannot be read, is not IDX, is cut short or too long, or has another hash.
    """
    path = Path(path)
    try:
        content = path.read_bytes()
        if content.startswith(b"\x1f\x8b"):
            content = gzip.decompress(content)
    except OSError as error:  # also gzip.BadGzipFile
        raise DatasetError(f"{path}: cannot be read ({error.strerror or error})") from error
    except (EOFError, zlib.error) as error:
        raise DatasetError(
            f"{path}: the compressed file is cut short or damaged. {_REMEDY}"
        ) from error
    array = _parse(path, content)
    if sha256 and hashlib.sha256(content).hexdigest() != sha256:
        raise DatasetError(
            f"{path}: the content is not the published one (its SHA-256 differs). {_REMEDY}"
        )
    return array


def _parse(path: Path, content: bytes) -> np.ndarray:
    if len(content) < 4:
        raise DatasetError(f"{path}: {len(content)} bytes are too few for an IDX file. {_REMEDY}")
    if content[:3] != b"\0\0\x08" or not 1 <= content[3] <= 8:
        raise DatasetError(
            f"{path}: not an IDX file of unsigned bytes: it starts with {content[:4].hex(' ')}, "
            f"expected 00 00 08 and the number of dimensions. {_REMEDY}"
        )
    start = 4 + 4 * content[3]
    shape = (
        tuple(int(n) for n in np.frombuffer(content[4:start], ">u4"))
        if len(content) >= start
        else ()
    )
    expected = start + int(np.prod(shape, dtype=object))
    if not shape or len(content) != expected:
        raise DatasetError(
            f"{path}: {len(content)} bytes, but the header announces {expected}: the file is "
            f"{'too long' if len(content) > expected else 'cut short'}. {_REMEDY}"
        )
    return np.frombuffer(content, np.uint8, offset=start).reshape(shape)


def read_pair(
    images: files.StrPath,
    labels: files.StrPath,
    hashes: tuple[str | None, str | None] = (None, None),
) -> tuple[np.ndarray, np.ndarray]:
    """Return images (N, 1, H, W) uint8 and labels (N,) int32 of two IDX files that belong together."""
    pixels, targets = read(images, hashes[0]), read(labels, hashes[1])
    if pixels.ndim != 3:
        raise DatasetError(
            f"{images}: has {pixels.ndim} dimension(s), expected 3 (images, rows, columns)"
        )
    if targets.ndim != 1:
        raise DatasetError(f"{labels}: has {targets.ndim} dimensions, expected 1 (labels)")
    if len(pixels) != len(targets):
        raise DatasetError(
            f"{images} has {len(pixels)} images, but {labels} has {len(targets)} labels: "
            "take both files from the same set"
        )
    return pixels[:, None], targets.astype(np.int32)


def load(
    name: str, folders: list[Path], cache: Callable[[], Path], download: bool
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return (images, labels) of the training and of the test part of `name`, from the first folder that has each file.

    A file that is nowhere is downloaded into `cache()`. A bad file in `folders` is an error; one in the cache
    is replaced, once a good one has arrived.
    """
    hashes = SHA256[name]
    paths = [
        _locate(name, file, sha256, folders, cache, download)
        for file, sha256 in zip(FILES, hashes, strict=True)
    ]
    return [read_pair(paths[0], paths[1], hashes[:2]), read_pair(paths[2], paths[3], hashes[2:])]


def _locate(
    name: str,
    file: str,
    sha256: str,
    folders: list[Path],
    cache: Callable[[], Path],
    download: bool,
) -> Path:
    for folder in folders:
        for path in (folder / name / file, folder / name / (file + ".gz")):
            if os.path.isfile(path):  # noqa: PTH113  Path.is_file() raises where it may not look
                return path
    target = cache() / name / (file + ".gz")
    if target.is_file():
        try:
            read(target, sha256)
            return target
        except DatasetError:
            pass  # ours, and damaged: fetch it again
    if not download:
        raise UnavailableError(
            f"{name}: {file} was not found in {', '.join(map(str, folders))} or {target.parent}"
        )
    _download(name, file, sha256, target)
    return target


def _download(name: str, file: str, sha256: str, target: Path) -> None:
    """Fetch from the first mirror that delivers the right content; `target` appears whole or not at all."""
    failures = []
    for mirror in (f"data/{name}/",) if browser.HERE else MIRRORS[name]:
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with files.replacing(target) as temporary:
                _fetch(mirror + file + ".gz", temporary)
                read(temporary, sha256)
            return
        except extras.MissingPackageError as missing:
            raise UnavailableError(
                f"{name}: {file} is not on this machine, and {missing}"
            ) from None
        except DatasetError:
            failures.append(f"{mirror} delivered a damaged or another file")
        except OSError as error:  # requests' errors are OSErrors
            failures.append(f"{mirror} ({error.strerror or type(error).__name__})")
    raise UnavailableError(
        f"{name}: {file} is not on this machine and could not be downloaded: {'; '.join(failures)}. Connect to the "
        f"network, or put the four files {', '.join(FILES)} (plain or .gz) into a folder {name}/ and set NNLIB_DATA "
        f"to the folder that contains {name}/."
    )


def _fetch(url: str, path: Path) -> None:
    if browser.HERE:
        browser.fetch(url, path)
        return
    # Without tqdm pooch refuses to show a bar.
    pooch = extras.load("pooch", "downloads")
    pooch.HTTPDownloader(progressbar=bool(find_spec("tqdm")), timeout=120)(url, str(path), None)
