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

_PACKAGE = Path(__file__).parent


@pytest.fixture
def cuda_simulator() -> Iterator[Callable[..., RawKernel]]:
    """`cuda_simulator(code, name)` is a kernel that runs in the simulator, on NumPy arrays, with all checks on.

    code: a RawKernel (its name is known) or RawModule, CuPy's or nnlib's, the path of a .cu file, or CUDA C text.
    name: of the kernel, such as "add" or "tile<float, 16>"; needed where there are several.
    options: as for NVRTC, such as ("-Iinclude",); those of a kernel or module are kept.
    A mistake in the kernel fails the test with one of nnlib.cuda's errors. On a machine with a GPU, too, nothing runs
    there while the test lasts.
    """
    with force_simulator():
        yield simulated


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    """What a test is told of its kernel ends at the test's own line: those of nnlib say nothing of the mistake."""
    if call.excinfo and isinstance(call.excinfo.value, KernelError) and not item.config.getoption("fulltrace") \
            and "cuda_simulator" in getattr(item, "fixturenames", ()):
        frames = [call.excinfo.tb]
        while frames[-1].tb_next:
            frames.append(frames[-1].tb_next)
        own = [frame for frame in frames if not _is_ours(frame.tb_frame.f_code.co_filename)]
        own[-1].tb_next = None


def _is_ours(file: str) -> bool:
    return file.startswith("<") or _PACKAGE in Path(file).parents


def simulated(code: Any, name: str | None = None, options: Sequence[str] = ()) -> RawKernel:
    """The same kernel as one of nnlib's; see `cuda_simulator`."""
    if isinstance(code, RawKernel):
        return code
    module = code if isinstance(code, RawModule) else _module(code, name, options)
    name = name or getattr(code, "name", None)
    if name is None and len(module.kernels) != 1:
        known = ", ".join(module.kernels) or "none that is not a template"
        raise KernelError(f"which kernel? This code has {known}: give its name, such as 'add' or 'tile<float, 16>'")
    return module.get_function(name or module.kernels[0])


def _module(code: Any, name: str | None, options: Sequence[str]) -> RawModule:
    text, path = getattr(code, "code", code), getattr(code, "file_path", None)
    name = name or getattr(code, "name", None)
    build: dict[str, Any] = {
        "options": tuple(getattr(code, "options", options)), "name_expressions": name_expressions(name),
        "enable_cooperative_groups": getattr(code, "enable_cooperative_groups", False)}
    if path or isinstance(text, os.PathLike) or isinstance(text, str) and text.endswith(".cu"):
        return RawModule(path=Path(path or text), **build)
    return RawModule(code=text, **build)
