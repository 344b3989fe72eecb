"""The same text through nvcc, on a machine that has it: a real program, with all that a real program may do."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ..errors import KernelError, KernelSyntaxError


def find() -> str | None:
    """Return the path of nvcc, or None."""
    return shutil.which("nvcc")


def run(text: str, args: Sequence[str] = (), options: Sequence[str] = ()) -> tuple[str, int]:
    """Compile and run a program with nvcc; return what it prints and its exit status.

    Raises KernelSyntaxError for what nvcc refuses, KernelError where there is no nvcc.
    """
    nvcc = find()
    if nvcc is None:
        raise KernelError("nvcc is not found on this machine", hint="leave --nvcc out")
    with tempfile.TemporaryDirectory(prefix="nvcc-") as folder:
        source, target = Path(folder) / "program.cu", Path(folder) / "program"
        source.write_text(text, encoding="utf-8")
        libraries = [f"-l{name}" for name in ("cublas", "curand") if f"<{name}" in text]
        built = subprocess.run(
            [nvcc, "-arch=native", *options, "-o", str(target), str(source), *libraries],
            capture_output=True,
            text=True,
            check=False,
        )
        if built.returncode:
            raise KernelSyntaxError(
                f"nvcc refuses the program:\n{built.stderr.strip()}", file="program.cu"
            )
        done = subprocess.run(
            [str(target), *args], capture_output=True, text=True, check=False, cwd=folder
        )
        return done.stdout + done.stderr, done.returncode
