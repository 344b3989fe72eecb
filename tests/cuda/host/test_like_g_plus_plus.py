"""C++ programs of the host print what they print when g++ has compiled them: the language, and its standard library."""

import shutil
import subprocess
from pathlib import Path

import pytest

from nnlib.cuda import Program

PROGRAMS = sorted(Path(__file__).with_name("cpp").glob("*.cpp"))
# Since GCC 16, libstdc++ draws real numbers in another way
OPTIONS = (
    "-std=c++17",
    "-w",
    "-fwrapv",
    "-ffp-contract=off",
    "-D_GLIBCXX_USE_OLD_GENERATE_CANONICAL",
)
INPUT = "12 -7\n3.5 word  x\n8 9 10"


@pytest.mark.filterwarnings("error")  # a division by 0.0 is no matter of Python's
@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ says what is right")
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_it_prints_the_same(path, tmp_path):
    compiled, arguments = tmp_path / "program", ["-n", "12", "in.txt"]
    subprocess.run(["g++", *OPTIONS, "-o", compiled, path], check=True)
    (tmp_path / "in.txt").write_text(INPUT)
    right = subprocess.run(
        [compiled, *arguments], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    run = Program(path.read_text()).run(arguments, files={"in.txt": INPUT})
    assert (run.output, run.notes) == (right.stdout, [])
