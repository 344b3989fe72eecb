"""Kernels on an NVIDIA GPU, the CuPy way: NVRTC compiles, the driver launches. Lesson 01.

CuPy is imported when first used, so that everything else works without it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...limits import STATIC_SHARED
from .. import PACKAGE
from ..errors import KernelError, LaunchError
from ..language import tree
from ..language.preprocessing import headers

# Driver and runtime share these numbers; after them every further call fails, too.
_FAULTS = {
    700: "touched memory that is not its own",
    702: "ran too long for a GPU that also drives a screen",
    710: "failed an assert",
    714: "broke the hardware stack",
    715: "executed an illegal instruction",
    716: "made a misaligned access",
    717: "used a pointer of another memory space",
    718: "jumped to an invalid address",
    719: "crashed",
}

_TENSOR_CORES = re.compile(r"#\s*include\s*[<\"]mma\.h")


@dataclass(frozen=True)
class BuildOptions:
    """How to compile a source, in CuPy's terms; see RawModule. is_file: its host part is left out."""

    options: tuple[str, ...] = ()
    backend: str = "nvrtc"
    enable_cooperative_groups: bool = False
    name_expressions: tuple[str, ...] = ()
    jitify: bool = False
    translate_cucomplex: bool = False
    is_file: bool = False


class CompileError(Exception):
    """NVRTC's complaint: where in the user's text (None: nowhere in particular), and what."""

    def __init__(self, at: tree.Position | None, message: str) -> None:
        super().__init__(message)
        self.at, self.message = at, message


def compile_module(text: str, build: BuildOptions) -> Any:
    """Return the text as a cupy.RawModule, compiled now. Raises CompileError."""
    import cupy

    jitify = {"jitify": True} if build.jitify else {}  # a later CuPy has no such argument
    options = (*build.options, *_tensor_headers(text))
    module = cupy.RawModule(
        code=headers.nvrtc_text(text),
        options=options,
        backend=build.backend,
        **jitify,
        enable_cooperative_groups=build.enable_cooperative_groups,
        translate_cucomplex=build.translate_cucomplex,
        name_expressions=build.name_expressions or None,
    )
    try:
        module.compile()
    except cupy.cuda.compiler.CompileException as error:
        raise explain(text, error.get_message()) from None
    except cupy.cuda.driver.CUDADriverError as error:
        raise _translate("", error) from None
    return module


def _tensor_headers(text: str) -> tuple[str, ...]:
    """Return options for mma.h, which includes crt/mma.h: CuPy's wheel lacks that file, and NVIDIA's compiler brings it."""
    folder = _compiler_headers() if _TENSOR_CORES.search(text) else None
    return (f"-I{folder}",) if folder else ()


@functools.cache
def _compiler_headers() -> str | None:
    from cuda.pathfinder import find_nvidia_header_directory  # CuPy finds its own headers with it

    folders = (find_nvidia_header_directory("nvcc"), "/usr/local/cuda/include")
    return next(
        (folder for folder in folders if folder and Path(folder, "crt/mma.h").exists()), None
    )


def explain(text: str, log: str) -> CompileError:
    """Return NVRTC's first error, at the user's own line."""
    found = re.search(r"\((\d+)\): (?:catastrophic )?error: (.*)(?:\n(.*)\n( *)\^)?", log)
    if found is None:
        return CompileError(None, log.strip())
    line, message = int(found[1]), found[2]
    if "crt/mma.h" in message:
        return CompileError(
            None,
            "mma.h needs the headers of NVIDIA's compiler, which are not installed here: "
            "pip install nvidia-cuda-nvcc-cu12 (with CUDA 13: nvidia-cuda-crt)",
        )
    lines = text.splitlines()
    column = 1
    if found[3] and line <= len(lines):  # NVRTC shows the line without its indentation
        shown, own = found[3].lstrip(), lines[line - 1]
        column = 1 + len(own) - len(own.lstrip()) + len(found[4]) - (len(found[3]) - len(shown))
    return CompileError(tree.Position(line, column), message)


def get_global(module: Any, name: str, shape: tuple[int, ...], dtype: Any) -> Any:
    """Return a module variable as a CuPy array on its own memory."""
    import cupy

    return cupy.ndarray(shape, dtype, module.get_global(name))


def get_function(module: Any, name: str) -> Any:
    """Return the cupy kernel, or None if the module has none under this plain (extern "C") name."""
    import cupy

    try:
        function = module.get_function(name)
        function.compile()
        return function
    except cupy.cuda.driver.CUDADriverError as error:
        if error.status == 500:  # CUDA_ERROR_NOT_FOUND
            return None
        raise _translate(name, error) from None


def launch(
    name: str,
    function: Any,
    grid: tuple[int, ...],
    block: tuple[int, ...],
    values: Sequence[Any],
    shared_mem: int,
) -> None:
    """Start the kernel; returns before it ends, as every CUDA launch does."""
    try:
        allow_shared(name, function, shared_mem)
        if np.void in map(type, values):  # CuPy takes structs as arrays
            values = [np.array([value]) if type(value) is np.void else value for value in values]
        function(grid, block, tuple(values), shared_mem=shared_mem)
    except (
        RuntimeError
    ) as error:  # CuPy's CUDADriverError and CUDARuntimeError are: no import in every launch
        if not hasattr(error, "status"):
            raise
        threads = block[0] * block[1] * block[2]
        if error.status in (1, 701) and threads > function.max_threads_per_block:
            raise LaunchError(
                f"{name}: {threads} threads per block; its {function.num_regs} registers per thread "
                f"leave room for {function.max_threads_per_block}",
                kernel=name,
            ) from None
        raise _translate(name, error) from None


@functools.cache
def shared_limit() -> int:
    """Return the most shared memory, in bytes, that a block may have on this GPU."""
    import cupy

    return int(cupy.cuda.Device().attributes["MaxSharedMemoryPerBlockOptin"])


def allow_shared(name: str, function: Any, shared_mem: int) -> None:
    """Let launches ask for so many bytes per block; the first 48 KB need no leave. LaunchError if the GPU has less."""
    if not shared_mem or shared_mem + function.shared_size_bytes <= STATIC_SHARED:
        return
    limit = shared_limit()
    if shared_mem + function.shared_size_bytes > limit:
        raise LaunchError(
            f"{name}: {shared_mem + function.shared_size_bytes} bytes of shared memory per block "
            f"({function.shared_size_bytes} declared, {shared_mem} asked for by shared_mem); "
            f"this GPU has {limit}",
            kernel=name,
        )
    if function.max_dynamic_shared_size_bytes < shared_mem:
        function.max_dynamic_shared_size_bytes = shared_mem


@contextmanager
def translated(name: str) -> Iterator[None]:
    """Wait for this kernel in here: what CuPy says of it then is said in our words."""
    try:
        yield
    except RuntimeError as error:
        if not hasattr(error, "status"):
            raise
        raise _translate(name, error) from None


def _translate(name: str, error: Any) -> KernelError:
    if error.status in _FAULTS:
        return KernelError(
            f"{name}: this kernel, or one launched before it, {_FAULTS[error.status]}. The GPU has "
            "given up this Python process: restart it (Jupyter: Kernel > Restart), then launch in `with "
            f"{PACKAGE}.force_simulator():`, which says which thread did what. [{error}]",
            kernel=name or None,
        )
    return LaunchError(f"{name}: the GPU refused: {error}", kernel=name or None)
