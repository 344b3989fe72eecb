"""A pytest fixture for projects with CUDA kernels: their tests run without a GPU. Comes with the installed package.

def test_add(cuda_simulator):
    x, out = np.ones(100, np.float32), np.empty(100, np.float32)
    cuda_simulator("kernels/vector.cu", "add")((4,), (32,), (x, x, out, 100))
    assert (out == 2).all()
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from ._engine.errors import CutTraceback, KernelError
from ._engine.kernel import RawKernel, RawModule, name_expressions
from ._engine.switches import unattended

ALONE = "cudasim"  # the name of this package where it is installed alone
_SUFFIXES = (".cu", ".cuh", ".h", ".hpp")  # of paths: no text ends so


def cuda_simulator() -> Iterator[Callable[..., RawKernel]]:
    """Make kernels that run in the simulator, on NumPy arrays, with all checks on: `cuda_simulator(code, name)`.

    code: a RawKernel (its name is known) or RawModule, CuPy's or ours, the path of a .cu file, or CUDA C text.
    name: of the kernel, such as "add" or "tile<float, 16>"; needed where there are several.
    options: as for NVRTC, such as ("-Iinclude",); those of a kernel or module are kept.
    strict: refuse what CuPy would pass as other bytes than the kernel reads, such as a Python float for a `float`;
    on where `code` is CuPy's own kernel or module.
    `__constant__` memory is filled by `kernel.module.get_global("w")[:] = ...`.
    A mistake in the kernel fails the test with a KernelError, and so does a launch that takes more than 5,000,000 loop
    iterations, unless its step_limit allows more. On a machine with a GPU, too, nothing runs there while the test
    lasts.
    """
    with unattended():
        yield simulated


# Where both are installed, one of them brings the fixture
if __package__ == ALONE or find_spec(ALONE) is None:
    cuda_simulator = pytest.fixture(cuda_simulator)


@CutTraceback()
def simulated(
    code: Any, name: str | None = None, options: Sequence[str] = (), strict: bool | None = None
) -> RawKernel:
    """Return the same kernel as a RawKernel; see `cuda_simulator`."""
    kernel = code if isinstance(code, RawKernel) else _kernel(code, name, options)
    if strict is None:
        strict = kernel.strict or not isinstance(code, str | os.PathLike | RawModule | RawKernel)
    kernel.strict = strict
    return kernel


def _kernel(code: Any, name: str | None, options: Sequence[str]) -> RawKernel:
    if not isinstance(code, os.PathLike):
        name = name or getattr(code, "name", None)
    module = code if isinstance(code, RawModule) else _module(code, name, options)
    if name is None and len(module.kernels) != 1:
        known = ", ".join(module.kernels) or "none that is not a template"
        raise KernelError(
            f"which kernel? This code has {known}: give its name, such as 'add' or 'tile<float, 16>'"
        )
    return module.get_function(name or module.kernels[0])


def _module(code: Any, name: str | None, options: Sequence[str]) -> RawModule:
    text, path = getattr(code, "code", code), getattr(code, "file_path", None)
    if isinstance(text, os.PathLike) or (isinstance(text, str) and text.endswith(_SUFFIXES)):
        path = text
    if path is not None and not Path(path).is_file():
        raise KernelError(
            f"there is no file {path} in {Path.cwd()}; from the test's own folder it is "
            f'Path(__file__).parent / "{Path(path).name}"'
        )
    if path is None and not isinstance(text, str):
        raise KernelError(
            f"{type(code).__name__}: there is no CUDA C in it to run; cuda_simulator takes a RawKernel, "
            "a RawModule, the path of a .cu file, or CUDA C text"
        )
    build: dict[str, Any] = {
        "options": getattr(code, "options", options),
        "name_expressions": name_expressions(name),
        "enable_cooperative_groups": getattr(code, "enable_cooperative_groups", False),
        "backend": getattr(code, "backend", "nvrtc"),
    }
    return RawModule(text, **build) if path is None else RawModule(path=path, **build)
