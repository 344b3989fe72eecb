"""A pytest fixture for projects with CUDA kernels: their tests run without a GPU. Comes with the installed package.

    def test_add(cuda_simulator):
        x, out = np.ones(100, np.float32), np.empty(100, np.float32)
        cuda_simulator("kernels/vector.cu", "add")((4,), (32,), (x, x, out, 100))
        assert (out == 2).all()
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from nnlib.cuda.errors import KernelError
from nnlib.cuda.kernel import RawKernel, RawModule, name_expressions
from nnlib.cuda.switches import force_simulator


@pytest.fixture
def cuda_simulator() -> Iterator[Callable[..., RawKernel]]:
    """`cuda_simulator(code, name)` is a kernel that runs in the simulator, on NumPy arrays, with all checks on.

    code: a cupy.RawKernel (its name is known), a cupy.RawModule, the path of a .cu file, or CUDA C text.
    name: of the kernel, such as "add" or "tile<float, 16>"; needed where there are several.
    options: as for NVRTC; those of a CuPy kernel are kept.
    A mistake in the kernel fails the test with one of nnlib.cuda's errors. On a machine with a GPU, too, nothing runs
    there while the test lasts.
    """
    with force_simulator():
        yield simulated


def simulated(code: Any, name: str | None = None, options: Sequence[str] = ()) -> RawKernel:
    """The same kernel as one of nnlib's; see `cuda_simulator`."""
    text, path = getattr(code, "code", code), getattr(code, "file_path", None)
    name = name or getattr(code, "name", None)
    build: dict[str, Any] = {
        "options": tuple(getattr(code, "options", options)), "name_expressions": name_expressions(name),
        "enable_cooperative_groups": getattr(code, "enable_cooperative_groups", False)}
    if path or isinstance(text, os.PathLike) or isinstance(text, str) and text.endswith(".cu"):
        module = RawModule(path=Path(path or text), **build)
    else:
        module = RawModule(code=text, **build)
    if name is None and len(module.kernels) != 1:
        raise KernelError(f"which kernel? This code has {', '.join(module.kernels) or 'none'}: give its name")
    return module.get_function(name or module.kernels[0])
