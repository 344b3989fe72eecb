"""Without the packages of an extra nnlib runs, or says what to type."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from nnlib import datasets
from nnlib.datasets import idx
from nnlib.model import Sequential
from nnlib.support import extras
from nnlib.training import checkpoints
from nnlib.training.progress import Progress


def test_what_is_missing_is_named_with_what_to_type(without):
    without("PIL")
    with pytest.raises(
        extras.MissingPackageError,
        match=r"PNG files need pillow, which is not installed\. "
        "Type: pip install pillow$",
    ) as error:
        extras.load("PIL.Image", "PNG files")
    assert error.value.name == "PIL" and isinstance(error.value, ImportError)


def test_all_that_is_missing_is_named_at_once(without):
    extras.require("lessons", "numpy", "pytest")
    without("IPython", "matplotlib")
    with pytest.raises(
        extras.MissingPackageError,
        match="lessons need ipython, matplotlib, which are not installed. "
        "Type: pip install ipython matplotlib",
    ):
        extras.require("lessons", "numpy", "IPython", "matplotlib")


def test_a_package_that_lacks_something_itself_says_so(tmp_path, monkeypatch):
    (tmp_path / "halfway_there.py").write_text("import what_it_lacks")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="what_it_lacks") as error:
        extras.load("halfway_there", "tests")
    assert not isinstance(error.value, extras.MissingPackageError)


def test_checkpoints_without_safetensors(without, tmp_path):
    without("safetensors")
    with pytest.raises(
        extras.MissingPackageError, match="checkpoints need safetensors.*pip install safetensors"
    ):
        checkpoints.save(tmp_path / "run", Sequential())


def test_downloads_without_pooch_fall_back(without, tmp_path, monkeypatch, capsys, environ):
    without("pooch")
    monkeypatch.setattr(datasets, "_data_folders", list)
    environ(XDG_CACHE_HOME=tmp_path)
    with pytest.raises(
        idx.UnavailableError, match="mnist: .* is not on this machine, .*pip install pooch"
    ):
        datasets.load("mnist")
    assert datasets.load("mnist", fallback="digits").name == "digits"
    assert "using 'digits' instead" in capsys.readouterr().out


def test_progress_without_tqdm(without, monkeypatch, capsys):
    without("tqdm")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("nnlib.training.progress.find_spec", lambda name: None)
    with Progress("auto", 3) as progress:
        progress(1)
        progress.report("epoch 1")
    assert capsys.readouterr().out == "epoch 1\n"
    with pytest.raises(extras.MissingPackageError, match="progress bars need tqdm"):
        Progress("bar", 3)


def printed(code):
    """Return what a process prints in which no optional package is found, and nothing was imported before."""
    without = "from nnlib.support import extras\nextras.find_spec = lambda name: None\n"
    command = [sys.executable, "-c", without + code]
    two_cores = {**os.environ, "OMP_NUM_THREADS": "2"}
    return subprocess.run(command, capture_output=True, text=True, env=two_cores).stdout


def test_without_threadpoolctl_only_blas_has_threads():
    said = printed(
        "import threading\nimport numpy as np\nfrom nnlib import ops\n"
        "x, w = np.ones((64, 4, 28, 28), np.float32), np.ones((8, 4, 3, 3), np.float32)\n"
        "y = ops.conv2d(x, w, np.zeros(8, np.float32))\nprint(y.min(), y.max(), threading.active_count())"
    )
    assert said == "36.0 36.0 1\n"


def test_the_course_says_what_it_needs():
    said = printed(
        "try:\n    import nnlib.course\nexcept extras.MissingPackageError as error:\n    print(error)"
    )
    assert said.startswith(
        "lessons need anywidget, ipywidgets, ipython, matplotlib, which are not installed."
    )


@pytest.mark.parametrize("theirs_came_last", [False, True])
def test_another_package_of_the_same_name_is_explained(theirs_came_last, tmp_path):
    """As pip leaves the folder: one of the two `__init__.py`, and both lists of files."""
    shutil.copytree(
        Path(extras.__file__).parents[1],
        tmp_path / "nnlib",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    (tmp_path / "nnlib-0.2.dist-info").mkdir()
    if theirs_came_last:
        (tmp_path / "nnlib" / "__init__.py").write_text("", "utf-8")
    for words in (["-m", "nnlib", "--help"], ["-c", "import nnlib.ops"]):
        ran = subprocess.run([sys.executable, *words], cwd=tmp_path, capture_output=True, text=True)
        assert ran.returncode == 0 and "nnlib-0.2, is installed in the same folder" in ran.stderr
        assert ran.stderr.count("pip uninstall nnlib, then install") == 1


def test_alone_it_complains_of_nothing(tmp_path):
    (tmp_path / "cuda_from_scratch-1.0.0.dist-info").mkdir()
    assert extras.namesake(tmp_path) == extras.namesake() == ""
