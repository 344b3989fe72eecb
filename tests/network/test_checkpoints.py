"""Checkpoints: what is saved comes back; a bad file changes nothing."""

import errno
import os
import pickle

import numpy as np
import pytest
from safetensors.numpy import save_file

from nnlib.layers import Dropout, Linear, ReLU
from nnlib.model import Sequential
from nnlib.optimizers import SGD, Adam
from nnlib.support import files
from nnlib.training import checkpoints
from nnlib.training.checkpoints import CheckpointError
from tests.network.trainings import assert_same_state


def network(hidden: int = 5, seed: int = 0) -> Sequential:
    return Sequential(Linear(4, hidden), ReLU(), Dropout(0.5), Linear(hidden, 3), seed=seed)


def trained(model: Sequential, optimizer: Adam, steps: int = 3) -> None:
    x = np.random.default_rng(0).standard_normal((8, 4)).astype(np.float32)
    for _ in range(steps):
        model.backward(model.forward(x))
        optimizer.step()


@pytest.fixture
def saved(tmp_path):
    model = network()
    optimizer = Adam(model, lr=0.01)
    trained(model, optimizer)
    path = tmp_path / "a.safetensors"
    checkpoints.save(
        path, model, optimizer, {"epoch": 3, "loss": [0.1, 1 / 3]}, {"extra": np.arange(3)}
    )
    return path, model, optimizer


def test_everything_comes_back(saved):
    path, model, optimizer = saved
    other = network(seed=7)
    adam = Adam(other, lr=0.5)
    notes, arrays = checkpoints.load(path, other, adam)
    assert notes == {"epoch": 3, "loss": [0.1, 1 / 3]} and arrays["extra"].tolist() == [0, 1, 2]
    assert_same_state(other.state_dict(), model.state_dict())
    assert_same_state(adam.state_dict(), optimizer.state_dict())
    trained(model, optimizer)
    trained(other, adam)
    assert_same_state(other.state_dict(), model.state_dict())


def test_model_alone(saved):
    other = network(seed=7)
    checkpoints.load(saved[0], other)
    assert_same_state(other.state_dict(), saved[1].state_dict())


def spoilt(path, content: bytes):
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda path: spoilt(path, path.read_bytes()[:-1]), "cut short"),
        (lambda path: spoilt(path, path.read_bytes()[:200]), "cut short"),
        (lambda path: spoilt(path, path.read_bytes()[:5]), "not a checkpoint"),
        (lambda path: spoilt(path, b""), "not a checkpoint"),
        (lambda path: spoilt(path, pickle.dumps({"model": 1})), "not a checkpoint"),
        (lambda path: spoilt(path, b"PK\x03\x04" * 50), "not a checkpoint"),
        (
            lambda path: spoilt(
                path, path.read_bytes().replace(b'"dtype":"F32"', b'"dtype":"X32"')
            ),
            "damaged",
        ),
        (
            lambda path: save_file({"w": np.zeros(3)}, path),
            "not one that nnlib.training.checkpoints saved",
        ),
        (
            lambda path: spoilt(
                path,
                b"\x3a"
                + bytes(7)
                + b'{"w":{"dtype":"BF16","shape":[1],"data_offsets":[0,2]}}   \0\0',
            ),
            "not one that nnlib.training.checkpoints saved",
        ),
        (
            lambda path: spoilt(
                path, path.read_bytes().replace(b'optimizer\\":', b'optimizes\\":')
            ),
            "not one that nnlib.training.checkpoints saved",
        ),
        (
            lambda path: checkpoints.save(path, network(6), Adam(network(6))),
            r"layer 0 is Linear\(4, 6\), here it is Linear\(4, 5\)",
        ),
        (
            lambda path: checkpoints.save(path, Sequential(Linear(4, 5)), None),
            "layer 1 is no layer, here it is ReLU",
        ),
        (
            lambda path: checkpoints.save(path, network(), SGD(network())),
            "saved with SGD, not with Adam",
        ),
        (lambda path: checkpoints.save(path, network()), "saved with no optimizer"),
    ],
)
def test_bad_file_is_named_and_nothing_changes(saved, spoil, message):
    path, model, optimizer = saved
    spoil(path)
    content, before = path.read_bytes(), (model.state_dict(), optimizer.state_dict())
    with pytest.raises(CheckpointError, match=f"a.safetensors.*{message}"):
        checkpoints.load(path, model, optimizer)
    assert_same_state(model.state_dict(), before[0])
    assert_same_state(optimizer.state_dict(), before[1])
    assert path.read_bytes() == content


def test_each_flipped_byte_is_noticed(saved):
    path, model, optimizer = saved
    content, before = path.read_bytes(), (model.state_dict(), optimizer.state_dict())
    for place in range(0, len(content), 7):
        for bit in (1, 64):
            path.write_bytes(content[:place] + bytes([content[place] ^ bit]) + content[place + 1 :])
            with pytest.raises(CheckpointError, match="a.safetensors"):
                checkpoints.load(path, model, optimizer)
    assert_same_state(model.state_dict(), before[0])
    assert_same_state(optimizer.state_dict(), before[1])


def test_notes_with_numbers_as_names_and_tuples(saved):
    path, model, _ = saved
    checkpoints.save(path, model, notes={9: (1, 2), 10: None})
    assert checkpoints.read(path)[0] == {"9": [1, 2], "10": None}


def test_state_that_does_not_fit_is_rolled_back(saved):
    path, model, optimizer = saved

    class Picky(Sequential):
        def load_state_dict(self, state):
            if not np.array_equal(state["0.weight"], mine["0.weight"]):
                raise ValueError("no room")
            super().load_state_dict(state)

    other = Picky(*network(seed=7).layers, seed=None)
    adam = Adam(other, lr=0.5)
    mine, before = other.state_dict(), adam.state_dict()
    with pytest.raises(CheckpointError, match="does not fit this model: no room"):
        checkpoints.load(path, other, adam)
    assert_same_state(adam.state_dict(), before)


def test_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="nothere"):
        checkpoints.load(tmp_path / "nothere", network())


@pytest.mark.parametrize("place", ["replace", "fsync"])
def test_failed_write_leaves_the_old_file(saved, monkeypatch, place):
    path, model, optimizer = saved
    before = path.read_bytes()

    def fail(*args):
        raise OSError("disk full")

    monkeypatch.setattr(os, place, fail)
    with pytest.raises(OSError, match="disk full"):
        checkpoints.save(path, network(6))
    assert [file.name for file in path.parent.iterdir()] == [
        path.name
    ] and path.read_bytes() == before


@pytest.mark.parametrize("mistake", [errno.ENOSPC, errno.EACCES])
def test_a_failed_write_names_the_file_that_was_asked_for(tmp_path, mistake):
    def fails(path):
        with files.replacing(path) as temporary:
            temporary.write_text("half")
            raise OSError(
                mistake, os.strerror(mistake), None if mistake == errno.ENOSPC else str(temporary)
            )

    (tmp_path / "folder").mkdir()
    for path, write in (
        (tmp_path / "absent" / "a", lambda path: checkpoints.save(path, network())),
        (tmp_path / "folder", lambda path: checkpoints.save(path, network())),
        (tmp_path / "a", fails),
    ):
        with pytest.raises(OSError) as caught:
            write(path)
        assert str(caught.value).endswith(f": '{path}'")
    with pytest.raises(OSError, match=r"^timed out$"), files.replacing(tmp_path / "a"):
        raise OSError("timed out")  # of a download


def test_two_that_write_at_once_do_not_share_a_temporary_file(tmp_path):
    with files.replacing(tmp_path / "a") as first, files.replacing(tmp_path / "a") as second:
        first.write_text("first")
        second.write_text("second")
    assert (tmp_path / "a").read_text() == "first" and len(list(tmp_path.iterdir())) == 1


def test_notes_that_json_cannot_hold_leave_no_file(tmp_path):
    with pytest.raises(TypeError):
        checkpoints.save(tmp_path / "b", network(), notes={"bad": object()})
    assert not list(tmp_path.iterdir())
