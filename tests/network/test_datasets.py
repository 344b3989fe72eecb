"""Data sets: what is good is read right; what is bad gets one clear error and leaves nothing behind."""

import errno
import functools
import gzip
import hashlib
import os
import shutil
import struct
import threading
import zlib
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from nnlib import datasets
from nnlib.datasets import (
    DatasetError,
    Examples,
    UnavailableError,
    idx,
    load,
    load_png_folder,
    quadrants,
    shuffled,
)


def idx_bytes(array: np.ndarray) -> bytes:
    return bytes([0, 0, 8, array.ndim]) + np.array(array.shape, ">u4").tobytes() + array.tobytes()


@pytest.fixture
def four_files() -> list[bytes]:
    """The content of a tiny MNIST: 6 training and 3 test images of 28 x 28."""
    rng = np.random.default_rng(0)
    return [
        content
        for count in (6, 3)
        for content in (
            idx_bytes(rng.integers(0, 256, (count, 28, 28), np.uint8)),
            idx_bytes(np.arange(count, dtype=np.uint8)),
        )
    ]


@pytest.fixture
def world(tmp_path, monkeypatch, four_files, environ):
    """A data folder, a cache, and two mirrors that a server hands out, all of them empty."""
    folders = [tmp_path / name for name in ("data", "cache", "first", "second")]
    for folder in folders:
        folder.mkdir()
    hashes = tuple(hashlib.sha256(content).hexdigest() for content in four_files)
    monkeypatch.setitem(idx.SHA256, "mnist", hashes)
    environ(NO_PROXY="*")
    handler = functools.partial(Silent, directory=tmp_path)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        mirrors = [f"http://127.0.0.1:{server.server_port}/{name}/" for name in ("first", "second")]
        monkeypatch.setitem(idx.MIRRORS, "mnist", mirrors)
        yield folders
        server.shutdown()


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, *words) -> None:
        pass


def found(world, **options):
    """Return what the data folder, the cache and the mirrors give: images and labels, of the training and of the test part."""
    data, cache, *_ = world
    return idx.load("mnist", [data], lambda: cache, **{"download": True, **options})


def put(folder: Path, four_files: list[bytes], packed: bool = False) -> None:
    folder.mkdir(exist_ok=True)
    for name, content in zip(idx.FILES, four_files, strict=True):
        path = folder / (name + ".gz" * packed)
        path.write_bytes(gzip.compress(content) if packed else content)


def tree(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("packed", [False, True])
def test_files_in_the_data_folder_are_used(world, four_files, packed, environ):
    put(world[0] / "mnist", four_files, packed)
    environ(NNLIB_DATA=world[0])
    data = load("mnist")
    assert data.train.inputs.shape == (6, 1, 28, 28) and data.train.inputs.dtype == np.uint8
    assert data.train.inputs.tobytes() == four_files[0][16:]
    assert data.test.labels.tolist() == [0, 1, 2] and data.test.labels.dtype == np.int32
    assert data.classes == tuple("0123456789")


def test_download_fills_the_cache_and_is_not_repeated(world, four_files):
    _, cache, first, _ = world
    put(first, four_files, packed=True)
    (images, _), _ = found(world)
    shutil.rmtree(first)
    assert np.array_equal(found(world)[0][0], images)
    assert sorted(tree(cache)) == sorted(f"mnist/{name}.gz" for name in idx.FILES)


def test_second_mirror_serves_when_the_first_delivers_another_file(world, four_files):
    put(world[2], [b"<html>blocked</html>"] * 4, packed=True)
    put(world[3], four_files, packed=True)
    assert len(found(world)[0][0]) == 6


def test_mirrors_that_do_not_help_are_named_with_what_to_do_and_leave_nothing(world):
    put(world[2], [b"<html>blocked</html>"] * 4, packed=True)
    first, second = idx.MIRRORS["mnist"]
    with pytest.raises(UnavailableError) as caught:
        found(world)
    words = f"downloaded: {first} delivered a damaged or another file; {second} (HTTPError). "
    assert words in str(caught.value) and "set NNLIB_DATA" in str(caught.value)
    assert str(caught.value).startswith("mnist: train-images") and tree(world[1]) == {}


def test_a_full_disk_is_named(world, monkeypatch):
    def full(url: str, path: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(idx, "_fetch", full)
    with pytest.raises(UnavailableError, match="No space left on device"):
        found(world)


def test_without_download_nothing_is_fetched(world, four_files):
    put(world[2], four_files, packed=True)
    with pytest.raises(UnavailableError, match="mnist: train-images.* was not found in .*cache"):
        found(world, download=False)


@pytest.mark.parametrize("number", range(4))
def test_every_file_is_compared_with_the_published_one(world, four_files, number):
    content = four_files[number]
    four_files[number] = content[:-1] + bytes([content[-1] ^ 1])
    put(world[0] / "mnist", four_files)
    with pytest.raises(
        DatasetError, match=f"{idx.FILES[number]}: the content is not the published one"
    ):
        found(world)


def test_the_named_folder_comes_first(tmp_path, environ):
    environ(HOME=tmp_path)
    environ(NNLIB_DATA="~/sets")
    assert datasets._data_folders()[0] == tmp_path / "sets" and len(datasets._data_folders()) > 1


def test_fallback_says_which_set_it_returned(tmp_path, monkeypatch, capsys, environ):
    monkeypatch.setattr(datasets, "_data_folders", lambda: [tmp_path / "data"])
    environ(XDG_CACHE_HOME=tmp_path)
    assert load("mnist", fallback="digits", download=False).name == "digits"
    assert "using 'digits' instead" in capsys.readouterr().out
    with pytest.raises(UnavailableError, match="fashion: train-images"):
        load("mnist", fallback="fashion", download=False)


def test_fallback_does_not_hide_a_bad_file(world, four_files, environ):
    environ(NNLIB_DATA=world[0])
    put(world[0] / "mnist", [four_files[0][:-1], *four_files[1:]])
    with pytest.raises(DatasetError, match="cut short"):
        load("mnist", fallback="digits")


def test_bad_file_in_the_cache_is_replaced_only_by_a_good_one(world, four_files):
    _, cache, first, _ = world
    put(cache / "mnist", four_files, packed=True)
    bad = cache / "mnist" / f"{idx.FILES[0]}.gz"
    bad.write_bytes(bad.read_bytes()[:100])
    before = tree(cache)
    with pytest.raises(UnavailableError):
        found(world)
    assert tree(cache) == before
    put(first, four_files, packed=True)
    assert len(found(world)[0][0]) == 6


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda b: b[:-10], "cut short"),
        (lambda b: b[:9], "cut short"),
        (lambda b: b[:2], "too few"),
        (lambda b: b"", "too few"),
        (lambda b: b + b"x", "too long"),
        (lambda b: b"\0\0\x0d" + b[3:], "not an IDX file"),
        (lambda b: b"<html>" + b, "not an IDX file"),
        (lambda b: b[:-1] + bytes([b[-1] ^ 1]), "SHA-256"),
        (lambda b: gzip.compress(b)[:-20], "cut short or damaged"),
        (
            lambda b: gzip.compress(b)[:30] + b"\xff\xff" + gzip.compress(b)[32:],
            "damaged|cannot be read",
        ),
    ],
)
def test_damaged_file_is_named_and_stays(world, four_files, damage, message):
    put(world[0] / "mnist", [damage(four_files[0]), *four_files[1:]])
    before = tree(world[0])
    with pytest.raises(DatasetError, match=f"{idx.FILES[0]}.*({message})"):
        found(world)
    assert tree(world[0]) == before


def test_labels_and_images_of_different_length(tmp_path):
    images, labels = tmp_path / "images", tmp_path / "labels"
    images.write_bytes(idx_bytes(np.zeros((5, 28, 28), np.uint8)))
    labels.write_bytes(idx_bytes(np.zeros(4, np.uint8)))
    with pytest.raises(DatasetError, match="images has 5 images, but .*labels has 4 labels"):
        idx.read_pair(images, labels)
    with pytest.raises(DatasetError, match="images: has 3 dimensions, expected 1"):
        idx.read_pair(images, images)
    with pytest.raises(DatasetError, match="expected 3"):
        idx.read_pair(labels, labels)


def test_missing_file_and_unknown_set_are_named(tmp_path):
    with pytest.raises(DatasetError, match="nothere: cannot be read"):
        idx.read(tmp_path / "nothere")
    with pytest.raises(
        DatasetError, match="unknown data set 'minst'; there are 'mnist', 'fashion'"
    ):
        load("minst")
    with pytest.raises(DatasetError, match="'letters'"):
        load("digits", fallback="letters")


def test_cache_without_a_home_is_a_temporary_folder(tmp_path, monkeypatch, environ):
    environ(XDG_CACHE_HOME=tmp_path / "home")
    assert datasets._user_cache() == tmp_path / "home" / "nnlib"
    (tmp_path / "file").write_text("")
    environ(XDG_CACHE_HOME=tmp_path / "file" / "cache")
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    assert datasets._user_cache() == tmp_path / "nnlib"


def test_a_folder_where_nobody_may_look_is_passed_over(tmp_path, environ):
    environ(NNLIB_DATA=f"~no such user/{'x' * 300}")  # too long a name: an OSError for root, too
    with pytest.raises(UnavailableError):
        idx.load("mnist", datasets._data_folders()[:1], lambda: tmp_path, download=False)


def test_digits_are_there_and_real():
    data = load("digits")
    assert (len(data.train), len(data.test)) == (1500, 297)
    assert data.train.inputs.shape[1:] == (1, 28, 28) and data.train.inputs.max() == 255
    assert np.bincount(data.train.labels).min() > 140
    # Means of the classes tell the digits apart: the images and labels belong together.
    means = np.stack(
        [data.train.inputs[data.train.labels == k].mean(axis=0).ravel() for k in range(10)]
    )
    distances = ((data.test.inputs.reshape(-1, 1, 784) - means) ** 2).sum(axis=2)
    assert (distances.argmin(axis=1) == data.test.labels).mean() > 0.8


def test_damaged_digits_name_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(datasets, "DIGITS", tmp_path / "digits.npz")
    datasets.DIGITS.write_bytes(b"PK\x03\x04 cut")
    with pytest.raises(DatasetError, match=r"digits\.npz: missing or damaged"):
        load("digits")


def test_quadrants():
    data = quadrants()
    assert data.train.inputs.shape == (2000, 2) and data.test.labels.shape == (100, 1)
    assert np.array_equal(data.train.labels[:, 0] == 1, data.train.inputs.prod(axis=1) > 0)
    assert np.array_equal(data.train.inputs, quadrants().train.inputs)


# Examples: normalisation, order, batches


def test_shuffled_is_the_same_everywhere():
    assert shuffled(10, seed=3, epoch=2).tolist() == [7, 4, 1, 8, 6, 0, 2, 9, 3, 5]
    assert not np.array_equal(shuffled(100, 0, 0), shuffled(100, 0, 1))


@pytest.mark.parametrize("together", [1, 2, 5])
def test_batches_are_normalised_in_order_and_complete(monkeypatch, together):
    # On a GPU more than one
    monkeypatch.setattr(Examples, "_batches_together", lambda self, batch_size: together)
    inputs = np.arange(7 * 4, dtype=np.uint8).reshape(7, 1, 2, 2) * 9
    examples = Examples(inputs, np.arange(7, dtype=np.int32)).normalised()
    order = shuffled(7, 0)
    batches = list(examples.batches(3, order))
    assert [len(y) for _, y in batches] == [3, 3, 1]
    assert np.concatenate([y for _, y in batches]).tolist() == order.tolist()
    x = np.concatenate([x for x, _ in batches])
    assert x.dtype == np.float32
    assert np.allclose(
        x, (inputs[order] / 255 - (inputs / 255).mean()) / (inputs / 255).std(), atol=1e-6
    )


def test_floats_are_normalised_too_and_the_test_part_like_the_training_part():
    values = np.array([[1.0], [2], [3], [6]])
    part = Examples(values[:3], np.arange(3), ("a",)).normalised()
    assert (
        part.mean == 2
        and part.std == pytest.approx(np.sqrt(2 / 3))
        and part[1:].prepare(values) == pytest.approx((values - 2) / np.sqrt(2 / 3))
    )
    data = datasets.Dataset("set", part, Examples(values[3:], np.arange(1))).normalised()
    assert (data.test.mean, data.test.std) == (part.mean, part.std) and part[0].classes == ("a",)


def test_split_is_complete_and_seeded():
    examples = Examples(np.arange(20), np.arange(20))
    rest, aside = examples.split(5, seed=1)
    assert (len(rest), len(aside)) == (15, 5)
    assert sorted([*rest.labels, *aside.labels]) == list(range(20))
    assert np.array_equal(examples.split(5, seed=1)[1].labels, aside.labels)
    for count in (0, 20):
        with pytest.raises(DatasetError, match=f"cannot set {count} of 20"):
            examples.split(count)


def test_moved_copies_hold_every_place_once_and_keep_their_labels():
    image = np.zeros((1, 1, 7, 7), np.uint8)
    image[0, 0, 3, 3] = 9
    two = Examples(np.concatenate([image, 2 * image]), np.array([4, 5]), ("a",), mean=0.1, std=0.2)
    copies = two.moved(2)
    assert len(copies) == 2 * 25 and (copies.classes, copies.mean, copies.std) == (("a",), 0.1, 0.2)
    places = {
        (int(label), *map(int, np.argwhere(image[0])[0]))
        for image, label in zip(copies.inputs, copies.labels, strict=True)
    }
    assert places == {
        (label, row, column) for label in (4, 5) for row in range(1, 6) for column in range(1, 6)
    }
    assert set(copies[copies.labels == 5].inputs.max((1, 2, 3)).tolist()) == {18}
    assert np.array_equal(two.moved(0).inputs, two.inputs)


def test_examples_check_lengths_and_std():
    with pytest.raises(DatasetError, match="5 inputs, but 4 labels"):
        Examples(np.zeros(5), np.zeros(4))
    with pytest.raises(DatasetError, match="standard deviation 0.0"):
        Examples(np.zeros((5, 2), np.float32), np.zeros(5)).normalised()


def test_one_example_keeps_its_axis():
    examples = Examples(np.zeros((5, 1, 28, 28), np.uint8), np.arange(5))
    assert examples[-1].inputs.shape == (1, 1, 28, 28) and examples[-1].labels.tolist() == [4]


def test_a_loop_over_examples_ends():
    examples = Examples(np.zeros((5, 2)), np.arange(5))
    assert [int(one.labels[0]) for one, _ in zip(examples, range(9), strict=False)] == [
        0,
        1,
        2,
        3,
        4,
    ]
    for index in (5, -6):
        with pytest.raises(IndexError):
            examples[index]


@pytest.mark.parametrize("size", [0, -2])
def test_batches_have_examples(size):
    with pytest.raises(ValueError, match=f"batch_size is {size}"):
        next(Examples(np.zeros((5, 2)), np.arange(5)).batches(size))


# PNG folders


@pytest.fixture
def pngs(tmp_path) -> Path:
    rng = np.random.default_rng(0)
    for part, count in (("train", 3), ("test", 2)):
        for name in ("0", "2", "10"):
            for i in range(count):
                path = tmp_path / "letters" / part / name / f"{i}.png"
                path.parent.mkdir(parents=True, exist_ok=True)
                # Equal sizes
                Image.fromarray(rng.integers(0, 256, (28, 28), np.uint8)).save(
                    path, compress_level=0
                )
    return tmp_path / "letters"


def test_png_folder_and_its_cache(pngs):
    data = load_png_folder(pngs)
    assert data.classes == ("0", "2", "10")
    assert (
        data.train.inputs.shape == (9, 1, 28, 28)
        and data.train.labels.tolist() == [0] * 3 + [1] * 3 + [2] * 3
    )
    assert np.array_equal(
        data.test.inputs[3, 0], np.asarray(Image.open(pngs / "test" / "2" / "1.png"))
    )
    path = pngs / "train" / "2" / "1.png"
    known = path.stat()
    Image.fromarray(np.full((28, 28), 77, np.uint8)).save(path, compress_level=0)
    os.utime(path, ns=(known.st_atime_ns, known.st_mtime_ns))  # nothing tells that it has changed
    assert np.array_equal(load_png_folder(pngs).train.inputs, data.train.inputs)


@pytest.mark.parametrize("change", ["changed", "added", "removed"])
def test_png_cache_notices(pngs, change):
    before = load_png_folder(pngs)
    path = pngs / "train" / "2" / "1.png"
    if change == "removed":
        path.unlink()
    else:
        target = path if change == "changed" else path.with_name("7.png")
        Image.fromarray(np.full((28, 28), 77, np.uint8)).save(target, compress_level=0)
        os.utime(target, ns=(1, 1))
    after = load_png_folder(pngs)
    assert len(after.train) - len(before.train) == {"changed": 0, "added": 1, "removed": -1}[change]
    assert (after.train.inputs == 77).all(axis=(1, 2, 3)).any() == (change != "removed")


def test_png_cache_notices_another_class_and_another_size(pngs):
    for path in pngs.rglob("*.png"):
        os.utime(path, ns=(1, 1))
    load_png_folder(pngs)
    (pngs / "train" / "0" / "0.png").rename(pngs / "train" / "10" / "9.PNG")
    moved = load_png_folder(pngs)
    (pngs / ".nnlib-cache.npz").unlink()
    assert np.array_equal(moved.train.inputs, load_png_folder(pngs).train.inputs)
    assert moved.train.labels.tolist() == [0] * 2 + [1] * 3 + [2] * 4
    with pytest.raises(DatasetError, match="28 x 28 pixels, expected 14 x 14"):
        load_png_folder(pngs, size=(14, 14))


def test_png_damaged_cache_is_made_again(pngs):
    first = load_png_folder(pngs)
    cache = pngs / ".nnlib-cache.npz"
    whole = cache.read_bytes()
    start = whole.index(b"train.npy") + len("train.npy")
    scrambled = whole[:start] + b"\xff" * 60 + whole[start + 60 :]  # zlib's own error
    for content in (whole[: len(whole) // 2], b"nonsense", b"", scrambled):
        cache.write_bytes(content)
        assert np.array_equal(load_png_folder(pngs).train.inputs, first.train.inputs)
        assert cache.read_bytes() == whole or np.load(cache)["train"].shape == (9, 28, 28)


def test_png_folder_that_cannot_be_written(pngs, monkeypatch):
    def refuse(*args):
        raise PermissionError("read-only")

    monkeypatch.setattr(os, "replace", refuse)
    assert len(load_png_folder(pngs).train) == 9
    assert not list(pngs.glob(".*"))


def test_png_kinds_of_pixels(pngs):
    # 200 * 257
    Image.fromarray(np.full((28, 28), 51400, np.uint16)).save(pngs / "train" / "0" / "0.png")
    Image.new("RGBA", (28, 28), (90, 90, 90, 255)).save(pngs / "train" / "0" / "1.png")
    Image.new("1", (28, 28), 1).save(pngs / "train" / "0" / "2.png")
    assert [int(image.mean()) for image in load_png_folder(pngs).train.inputs[:3]] == [200, 90, 255]


def test_png_hidden_folders_are_no_classes(pngs):
    for part in ("train", "test"):
        (pngs / part / ".ipynb_checkpoints").mkdir()
    assert load_png_folder(pngs).classes == ("0", "2", "10")


def png_header(width: int, height: int) -> bytes:
    chunk = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + struct.pack(">I", 13)
        + chunk
        + struct.pack(">I", zlib.crc32(chunk))
        + b"\0\0\0\0IDAT"
    )


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (
            lambda f: Image.new("L", (30, 28)).save(f / "test" / "0" / "0.png"),
            r"test/0/0\.png: 28 x 30 pixels, expected 28 x 28",
        ),
        (
            lambda f: (f / "train" / "2" / "0.png").write_bytes(b"\x89PNG\r\n"),
            r"train/2/0\.png: not a readable PNG",
        ),
        (
            lambda f: (f / "train" / "2" / "0.png").write_bytes(
                (f / "train" / "2" / "0.png").read_bytes()[:200]
            ),
            r"train/2/0\.png: not a readable PNG",
        ),
        (
            lambda f: (f / "train" / "2" / "0.png").write_bytes(png_header(10**6, 10**6)),
            r"train/2/0\.png: not a readable",
        ),
        (lambda f: (f / "test" / "7").mkdir(), r"test/7: the training part has no class '7'"),
        (
            lambda f: (f / "train" / "7").mkdir(),
            r"train/7: no PNG files in it; put some in, or remove",
        ),
        (lambda f: shutil.rmtree(f / "test"), r"test: no such folder"),
        (lambda f: shutil.rmtree(f / "train"), r"train: no such folder"),
        (lambda f: [path.unlink() for path in (f / "test").rglob("*.png")], r"test: no PNG files"),
    ],
)
def test_png_folder_errors_name_the_file(pngs, spoil, message):
    spoil(pngs)
    with pytest.raises(DatasetError, match=message):
        load_png_folder(pngs)
    assert not list(pngs.glob(".*"))
