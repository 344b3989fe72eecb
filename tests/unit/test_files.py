"""Files of the student: whole or not at all, nothing lost, and errors that name the student's own file."""

import errno
import json
import multiprocessing
import os
import tempfile
from pathlib import Path

import pytest

from nnlib import datasets
from nnlib.course import solved
from nnlib.course.exercises import everything
from nnlib.mine import folder
from nnlib.mine.folder import Saved
from nnlib.mine.pieces import PIECES
from nnlib.support import files

PIECE = PIECES["sgd_step"]


@pytest.fixture
def mine(tmp_path, environ):
    environ(NNLIB_MINE=tmp_path)
    return tmp_path


@pytest.fixture
def progress(tmp_path, environ):
    environ(NNLIB_PROGRESS=tmp_path / "progress.json")
    return tmp_path / "progress.json"


def test_a_user_without_a_home_has_a_temporary_one(monkeypatch, environ, stand_in):
    """As in a container, whose user is not in its list of users."""
    environ(HOME=None)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    stand_in("jupyter_core.paths")
    assert files.home() == Path(tempfile.gettempdir())


def test_a_link_stays_a_link(tmp_path):
    """As into a folder that is shared between computers."""
    (tmp_path / "shared").mkdir()
    link, file = tmp_path / "progress.json", tmp_path / "shared" / "progress.json"
    link.symlink_to(file)
    for text in ("old", "new"):
        with files.replacing(link) as fresh:
            fresh.write_text(text)
        assert link.is_symlink() and file.read_text() == text
    assert sorted(path.name for path in tmp_path.rglob("*")) == [
        "progress.json",
        "progress.json",
        "shared",
    ]


def test_on_a_disk_that_cannot_be_written_the_error_names_the_file(tmp_path, monkeypatch):
    def refuse(path, *more, **options):
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    monkeypatch.setattr(Path, "write_text", refuse)
    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(OSError) as error, files.replacing(tmp_path / "net.npz") as fresh:
        fresh.write_text("text")
    assert error.value.filename == str(tmp_path / "net.npz")


def test_a_device_is_written_and_not_replaced(environ, monkeypatch, capsys):
    """Root can replace even /dev/null."""
    environ(NNLIB_PROGRESS=os.devnull)
    monkeypatch.delattr(Path, "replace")
    solved.save("exercises", "01_rotate", True)
    solved.progress()
    assert "cannot be read" not in capsys.readouterr().out


def test_where_nobody_may_look_progress_is_empty(tmp_path, environ, capsys):
    environ(NNLIB_PROGRESS=tmp_path / ("x" * 300))  # an OSError for root, too
    solved.progress()
    assert "cannot be read" in capsys.readouterr().out


def test_a_current_folder_that_was_deleted(tmp_path, environ, monkeypatch):
    environ(NNLIB_MINE=None, CI=None, PYTEST_VERSION=None)
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert folder.folder().parent == files.home()
    assert datasets.load("mnist", "digits", download=False)


@pytest.mark.parametrize(
    "content", ["", "{", '{"exercises": 3}', '{"exercises": [1]}', "[" * 100_000, "\xff"]
)
def test_damaged_progress_is_kept_aside(content, progress):
    progress.write_text(content, "latin-1")
    assert solved.load() == {"exercises": {}, "predictions": {}}
    solved.save("exercises", "01_rotate", True)
    solved.save("exercises", "01_bright", False)
    assert json.loads(progress.read_text())["exercises"] == {"01_rotate": True, "01_bright": False}
    assert progress.with_name("progress.json.damaged").read_text("latin-1") == content


def test_progress_names_the_file_that_cannot_be_read(progress, capsys):
    solved.progress()
    assert "cannot be read" not in capsys.readouterr().out
    progress.write_text("{")
    solved.progress()
    assert f"cannot be read: {progress}." in capsys.readouterr().out
    solved.save("exercises", "01_rotate", True)
    solved.progress()
    assert f"cannot be read: {progress}.damaged." in capsys.readouterr().out


def test_progress_that_is_empty_is_not_damaged(progress):
    progress.write_text('{"exercises": {}}')
    solved.save("exercises", "01_rotate", True)
    assert solved.load()["exercises"] == {"01_rotate": True} and list(
        progress.parent.iterdir()
    ) == [progress]


def test_progress_that_somebody_has_edited_is_shown(progress, capsys):
    name = everything("01")[0].name
    progress.write_text(json.dumps({"exercises": {name: "yes"}, "predictions": {"x": "right"}}))
    solved.progress()
    assert f"✓ {name[3:]}" in capsys.readouterr().out


def saves(who):
    for k in range(40):
        solved.save("exercises", f"{who} {k}", True)
        folder.write(PIECES["sgd_step"], Saved(f"{who} {k}", True, 1, 1), "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="two processes that have loaded everything")
def test_two_notebooks_at_once_lose_nothing(mine, progress):
    start = multiprocessing.get_context("fork").Process
    both = [start(target=saves, args=(who,)) for who in ("ann", "ben")]
    for process in both:
        process.start()
    for process in both:
        process.join()
    assert [process.exitcode for process in both] == [0, 0]
    saved = {f"{who} {k}" for who in ("ann", "ben") for k in range(40)}
    assert set(json.loads(progress.read_text())["exercises"]) == saved
    assert {folder.parse(file.read_text()).body for file in mine.rglob("*.cu")} == saved
    assert not list(mine.rglob(".*"))


def test_a_lock_is_waited_for_and_taken_from_an_owner_who_has_died(tmp_path, monkeypatch):
    file, lock = tmp_path / "progress.json", tmp_path / ".progress.json.lock"
    fcntl = pytest.importorskip("fcntl")
    held = os.open(lock, os.O_CREAT | os.O_RDWR)
    fcntl.flock(held, fcntl.LOCK_EX)
    monkeypatch.setattr(files, "_PATIENCE", 0.2)
    with files.alone(file):  # the other may be stopped for good
        assert lock.exists()
    monkeypatch.setattr(files, "_PATIENCE", 1e9)
    # As the system does when its process ends
    monkeypatch.setattr(files.time, "sleep", lambda seconds: os.close(held))
    assert lock.exists()
    with files.alone(file):
        assert lock.exists()
    assert not lock.exists()


def test_in_a_browser_nobody_takes_a_lock(tmp_path, monkeypatch):
    monkeypatch.setattr(files.browser, "HERE", True)
    file, lock = tmp_path / "progress.json", tmp_path / ".progress.json.lock"
    lock.touch()  # of another page
    with files.alone(file):
        file.touch()
    assert file.exists() and lock.exists()


def test_a_folder_in_place_of_a_piece_leaves_nothing_behind(mine):
    (mine / "sgd_step.cu").mkdir()
    with pytest.raises(OSError):
        folder.write(PIECE, Saved("text", True, 1, 1), "")
    assert [path.name for path in mine.rglob("*")] == ["sgd_step.cu"]


def test_an_older_text_that_there_is_no_room_for_is_not_half_kept(mine, monkeypatch):
    folder.write(PIECE, Saved("first", True, 1, 1), "")
    kept, real = (mine / "sgd_step.cu").read_text(), Path.open

    def full(file, *more, **options):
        opened = real(file, *more, **options)
        if file.parent.name == "older":
            opened.close()
            return _Full(file)
        return opened

    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(OSError):
        folder.write(PIECE, Saved("second", True, 1, 1), "")
    assert (mine / "sgd_step.cu").read_text() == kept and not list(mine.glob("older/*"))


class _Full:
    def __init__(self, name: os.PathLike) -> None:
        self.name = str(name)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def write(self, content):
        raise OSError(errno.ENOSPC, "No space left on device")
