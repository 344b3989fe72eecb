"""In a page, Pyodide's dlopen loads our WebAssembly. Needs Node and a whole Pyodide."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from nnlib.teaching.site import bundle, packages

HERE = Path(__file__).parent


@pytest.mark.skipif(
    packages.pyodide() is None or shutil.which("node") is None, reason="needs Node and Pyodide"
)
def test_native_code_runs_in_pyodide_with_the_bits_of_the_simulator() -> None:
    command = [
        "node",
        bundle.HERE / "node.mjs",
        packages.pyodide(),
        "numpy",
        HERE / "in_pyodide.py",
        HERE.parents[2],
    ]
    ran = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    assert "WebAssembly 1 module\nloops alike" in ran.stdout, ran.stdout + ran.stderr
