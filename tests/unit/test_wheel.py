"""The wheel is whole: beside NumPy alone it runs kernels and trains, with what lessons need it runs lessons."""

import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import nbformat
import pytest

from nnlib.teaching.execution import started
from tests.wheels import REPOSITORY, built, clean, environment, pip, tracked

# Runs in the new environment, in an empty folder.
BESIDE_NUMPY_ALONE = """
import importlib, pkgutil, sys
from importlib.metadata import distributions
assert {found.name for found in distributions()} == {"numpy", "cuda-from-scratch"}
import nnlib
assert nnlib.__file__.startswith(sys.prefix), nnlib.__file__
for module in pkgutil.walk_packages(nnlib.__path__, "nnlib.", onerror=lambda name: None):
    if not (module.name.startswith(("nnlib.course", "nnlib.teaching"))
            or module.name.endswith(("__main__", "pytest_plugin"))):
        importlib.import_module(module.name)
try:
    import nnlib.course
except ImportError as missing:
    assert str(missing).startswith("lessons need ") and "matplotlib" in str(missing), missing
else:
    raise AssertionError("nnlib.course found its packages")

from nnlib import cuda, datasets, layers, losses, model, optimizers, training
try:
    exec(compile(sys.argv[1], "README.md", "exec"))
except cuda.OutOfBoundsError as error:
    assert (error.thread, error.block) == ((4, 0, 0), (3, 0, 0))
else:
    raise AssertionError("README's example found nothing")

data = datasets.load("mnist", fallback="digits", download=False)
assert data.name == "digits"
network = model.Sequential(layers.Conv2d(1, 4, 3), layers.ReLU(), layers.MaxPool2d(2), layers.Flatten(),
                           layers.Linear(4 * 13 * 13, 10))
history = training.fit(network, losses.CrossEntropyLoss(), optimizers.Adam(network, lr=0.01), data.train, data.test,
                       epochs=2, batch_size=50)
print(history.valid_accuracy[-1])
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return built(
        tmp_path_factory.mktemp("wheel"),
        "nnlib",
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "notebooks",
        "data",
    )


def test_the_wheel_holds_what_the_package_holds(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    shared = {name.split("/", 2)[2] for name in names if ".data/data/" in name}
    # Of the simulator alone
    package = {
        name
        for name in tracked("nnlib")
        # Read in the repository
        if (name.startswith("nnlib/teaching/") or not name.endswith(".md"))
        and name not in ("nnlib/cuda/pyproject.toml", "nnlib/cuda/LICENSE")
    }
    texts = [
        (REPOSITORY / name).read_text("utf-8")
        for name in tracked("notebooks/*.ipynb", "nnlib/course/*.py")
    ]
    shown = {
        file
        for text in texts
        for file in re.findall(r'(?:recorded|_stored)\(\\?"(\w+)\\?"\)', text)
    }
    package -= {name for name in tracked("nnlib/course/results") if Path(name).stem not in shown}
    assert {name for name in names if ".dist-info/" not in name and ".data/" not in name} == package
    extensions, lessons = (
        tracked("nnlib/course/labextensions"),
        tracked("notebooks/*.ipynb", "notebooks/GLOSSARY.md"),
    )
    assert shared == {name.replace("nnlib/course", "share/jupyter") for name in extensions} | {
        name.replace("notebooks", "share/nnlib/lessons") for name in lessons
    }
    # The code's, the text's, the digits'
    for licence in ("LICENSE", "notebooks/LICENSE", "data/README.md"):
        assert any(name.endswith(f"/licenses/{licence}") for name in names)


@pytest.fixture(scope="module")
def beside_numpy(wheel, tmp_path_factory):
    """The Python of an environment that holds NumPy, as it is installed here, and the wheel."""
    return environment(tmp_path_factory.mktemp("beside_numpy") / "venv", wheel)


@pytest.fixture
def in_empty_folder(beside_numpy, tmp_path):
    """Runs that Python with these words, where nothing else is."""

    def run(*words):
        return subprocess.run(
            [beside_numpy, "-I", "-W", "error", *words],
            cwd=tmp_path,
            env=clean(),
            capture_output=True,
            text=True,
        )

    return run


def test_numpy_is_enough_for_kernels_and_training(in_empty_folder):
    example = re.search(
        r"```python\n(.*?)```", (REPOSITORY / "README.md").read_text(encoding="utf-8"), re.DOTALL
    )[1]
    ran = in_empty_folder("-c", BESIDE_NUMPY_ALONE, example)
    assert ran.returncode == 0, ran.stderr
    assert float(ran.stdout.split()[-1]) > 0.8


def test_numpy_is_enough_for_the_demo(in_empty_folder, wheel):
    ran = in_empty_folder("-m", "nnlib", "demo")
    assert (
        ran.returncode == 0
        and "out-of-bounds read of x[100]" in ran.stdout
        and "Right: 100" in ran.stdout
    )
    assert wheel.stat().st_size < 8e6  # of 30 MB; NumPy takes up to 20


def test_lessons_come_with_the_wheel_and_jupyterlab_is_asked_for(in_empty_folder, tmp_path):
    ran = in_empty_folder("-m", "nnlib", "lessons")
    assert ran.returncode == 1 and "pip install 'cuda-from-scratch[course]'" in ran.stderr
    for file in [
        *(REPOSITORY / "notebooks").glob("*.ipynb"),
        REPOSITORY / "notebooks" / "GLOSSARY.md",
    ]:
        assert (tmp_path / "lessons" / file.name).read_bytes() == file.read_bytes()


def test_a_lesson_runs_in_an_empty_folder_on_the_installed_package(wheel, tmp_path):
    pip("install", "--target", tmp_path / "packages", wheel)
    empty = tmp_path / "empty"
    empty.mkdir()
    lesson = shutil.copy(REPOSITORY / "notebooks" / "01_cuda_basics.ipynb", empty)
    notebook = nbformat.read(lesson, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell("import nnlib; print(nnlib.__file__)"))
    with started(notebook, str(empty), PYTHONPATH=str(tmp_path / "packages")) as kernel:
        kernel.execute(cleanup_kc=False)
    assert notebook.cells[-1].outputs[0].text.strip() == str(
        tmp_path / "packages" / "nnlib" / "__init__.py"
    )
