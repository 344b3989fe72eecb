"""nnlib/cuda installed alone, as cudasim: beside NumPy it runs, checks and counts, and knows its own name."""

import re
import subprocess
import zipfile

import pytest

import nnlib
from tests.wheels import REPOSITORY, built, clean, environment, tracked

HERE = REPOSITORY / "nnlib" / "cuda"
PYTEST = ("pytest", "pluggy", "iniconfig", "packaging", "pygments")
KERNEL = """extern "C" __global__ void fill(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i;
}
"""
PROGRAM = (
    KERNEL
    + """#include <stdio.h>
int main(int count, char** words) {
    float *x, last;
    cudaMalloc(&x, 40);
    fill<<<1, 32>>>(x, 10);
    cudaMemcpy(&last, x + 9, 4, cudaMemcpyDeviceToHost);
    printf("%s %g\\n", words[1], last);
    cudaFree(x);
    return 3;
}
"""
)
LAUNCH = "--kernel fill --grid 2 --block 8 --arg x=[12] --arg n=12".split()
TESTS = """
import cudasim, numpy as np, pytest
TEXT = '''KERNEL'''

def test_right(cuda_simulator):
    x = np.zeros(10, np.float32)
    cuda_simulator(TEXT, "fill")(1, 32, (x, 10))
    assert (x == np.arange(10)).all()

def test_wrong(cuda_simulator):
    with pytest.raises(cudasim.OutOfBoundsError, match=r"x\\[9\\]"):
        cuda_simulator(TEXT, "fill")(1, 32, (np.zeros(9, np.float32), 10))
""".replace("KERNEL", KERNEL)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return built(tmp_path_factory.mktemp("alone"), "nnlib/cuda", project="nnlib/cuda")


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    return environment(tmp_path_factory.mktemp("alone") / "venv", wheel, beside=("numpy", *PYTEST))


@pytest.fixture
def call(python, tmp_path):
    """Runs a script of that environment with these words, in an empty folder."""

    def run(script, *words):
        return subprocess.run(
            [python.with_name(script), *words],
            cwd=tmp_path,
            env=clean(),
            capture_output=True,
            text=True,
        )

    return run


def test_the_wheel_holds_the_folder_and_is_small(wheel):
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    beside = {"pyproject.toml", "LICENSE"}
    assert names == {
        name.replace("nnlib/cuda", "cudasim")
        for name in tracked("nnlib/cuda")
        if not name.endswith(".md") and name.removeprefix("nnlib/cuda/") not in beside
    }
    assert wheel.stat().st_size < 1e6


def test_its_licence_and_version_are_those_of_the_course():
    project = (HERE / "pyproject.toml").read_text("utf-8")
    assert (
        f'\nversion = "{nnlib.__version__}"\n' in project
        and '\ndependencies = ["numpy>=2.0,<3"]\n' in project
    )
    assert (HERE / "LICENSE").read_text("utf-8") == (REPOSITORY / "LICENSE").read_text("utf-8")


def test_the_command_shows_a_report(call):
    ran = call("cudasim", "demo")
    assert (
        ran.returncode == 0
        and "out-of-bounds read of x[100]" in ran.stdout
        and "Right: 100" in ran.stdout
    )


def test_the_command_checks_runs_and_profiles_a_kernel(call, tmp_path):
    (tmp_path / "fill.cu").write_text(KERNEL)
    assert call("cudasim", "check", "fill.cu", *LAUNCH).stdout == "no errors\n"
    assert call("cudasim", "run", "fill.cu", *LAUNCH).stdout.split()[-1] == "11.]"
    assert (
        "global_store  2 requests, 2 sectors"
        in call("cudasim", "profile", "fill.cu", *LAUNCH).stdout
    )
    wrong = call("cudasim", "run", "fill.cu", *LAUNCH[:-1], "n=13")
    assert wrong.returncode == 1 and wrong.stderr.startswith(
        "OutOfBoundsError: out-of-bounds write to x[12]"
    )


def test_the_command_runs_and_profiles_a_program(call, tmp_path):
    (tmp_path / "program.cu").write_text(PROGRAM)
    ran = call("cudasim", "run", "program.cu", "last:")
    assert (ran.stdout, ran.returncode) == ("last: 9\n", 3), ran.stderr
    assert "fill: grid 1 x 1 x 1" in call("cudasim", "profile", "program.cu", "last:").stdout


def test_its_help_names_it_as_it_is_installed(call):
    for words in ([], ["check"], ["run"]):
        said = call("cudasim", *words, "--help").stdout
        assert "cudasim" in said and "nnlib" not in said


def test_messages_name_the_package_as_it_is_imported(call):
    says = (
        "import cudasim; from cudasim._engine.gpu import cupy_module; from types import SimpleNamespace; "
        "print(cudasim.RaceError, cupy_module._translate('k', SimpleNamespace(status=700)))"
    )
    assert re.search(
        "class 'cudasim.RaceError'.*`with cudasim.force_simulator",
        call("python", "-c", says).stdout,
    )


def test_the_fixture_passes_a_test(call, tmp_path):
    (tmp_path / "test_kernels.py").write_text(TESTS)
    ran = call("python", "-m", "pytest", "-q")
    assert ran.returncode == 0 and "2 passed" in ran.stdout, ran.stdout


def test_beside_the_course_it_brings_the_fixture(wheel, tmp_path):
    """As it does wherever it is installed, so that its errors are those that the fixture raises."""
    course = built(
        tmp_path,
        "nnlib/__init__.py",
        "nnlib/cuda",
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "data",
        "notebooks/LICENSE",
        "notebooks/GLOSSARY.md",
        "nnlib/course/labextensions",
    )
    python = environment(tmp_path / "venv", wheel, course, beside=("numpy", *PYTEST))
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_kernels.py").write_text(TESTS)
    ran = subprocess.run(
        [python, "-m", "pytest", "-q"],
        cwd=tmp_path / "tests",
        env=clean(),
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0 and "2 passed" in ran.stdout, ran.stdout + ran.stderr
