"""How many kernels WebGPU takes: translated, compiled by the driver, and right beside the simulator.

    python -m tests.benchmarks.webgpu_coverage [pieces lessons kernels textbook public random=0:3000]

Set NNLIB_WEBGPU=software for a machine without a GPU (apt-get install mesa-vulkan-drivers). Arguments of kernels from
lessons, nnlib/kernels and public code are made up: arrays of 2,048, whole numbers 16, a grid of 2; where the simulator
finds an error in such a launch, nothing is compared. Of random kernels, "rounding" are those that differ only by what a
device may round in its own way; of the others, the text is printed, and where they differ.
"""

from __future__ import annotations

import gzip
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import nnlib
from nnlib import mine
from nnlib.cuda import (
    KernelError,
    RawKernel,
    RawModule,
    UnsupportedError,
    force_simulator,
    native_code,
    webgpu,
    webgpu_device,
)
from nnlib.cuda.text import nodes, tree, types
from nnlib.mine.launch import launch_of
from tests.cuda import random_kernels
from tests.cuda.corpus import CASES
from tests.cuda.random_expressions import VARIABLES

ROOT = Path(nnlib.__file__).parents[1]
PUBLIC = ROOT.parent / "shared" / "corpus"
Sizes = tuple[Any, Any]
Launch = tuple[str, RawKernel, Any, Any, list[Any], int]
STEPS = 20_000


def _made_up(kind: Any, rng: np.random.Generator) -> Any:
    if isinstance(kind, types.Pointer):
        target = kind.target
        base = target.base if isinstance(target, types.Vector) else target
        if not isinstance(base, types.Scalar):
            raise UnsupportedError("a pointer to structs, made up")
        shape = (2048, target.lanes) if isinstance(target, types.Vector) else (2048,)
        if base.dtype.kind in "iub":
            return rng.integers(0, 8, shape).astype(base.dtype)
        return (rng.random(shape) + 0.1).astype(base.dtype)
    if isinstance(kind, types.Scalar):
        return 16 if kind.dtype.kind in "iu" else 0.5
    raise UnsupportedError("a struct, made up")


def _shape(function: tree.Function) -> Sizes:
    """Return a grid and a block along the axes that a kernel names."""
    axes = {(n.name, n.axis) for n in nodes(function.body) if isinstance(n, tree.BuiltinIndex)}
    most = function.max_threads or 1024
    tall = {axis for name, axis in axes if name in ("threadIdx", "blockDim")}
    grid = tuple(2 if axis == "x" or ("blockIdx", axis) in axes else 1 for axis in "xyz")
    if "z" in tall:
        return grid, (8, 4, 2)
    if "y" in tall:
        return grid, (16, 16, 1) if most >= 256 else (8, 8, 1)
    return grid, (min(most, 128), 1, 1)


def _launches(label: str, module: RawModule, names: list[str]) -> Iterator[Launch]:
    for name in names:
        kernel = module.get_function(name)
        function = module.program.functions[module.program.names.get(name, name)]
        rng = np.random.default_rng(1)
        try:
            values = [_made_up(parameter.type, rng) for parameter in function.parameters]
        except UnsupportedError:
            continue
        shared = 8192 if any(variable.dynamic for variable in function.shared) else 0
        yield f"{label} {name}", kernel, *_shape(function), values, shared


def lessons() -> Iterator[Launch]:
    for file in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")):
        for number, cell in enumerate(json.loads(file.read_text("utf-8"))["cells"]):
            first, _, text = "".join(cell["source"]).partition("\n")
            if cell["cell_type"] == "code" and first.startswith("%%cuda"):
                options = tuple(word for word in first.split()[1:] if word.startswith("-D"))
                yield from _of_text(f"{file.name[:2]}:{number}", text, options)


def kernels() -> Iterator[Launch]:
    for file in sorted((ROOT / "nnlib" / "kernels").glob("*.cu")):
        module = RawModule(path=file)
        yield from _launches(file.name, module, module.kernels)


def public() -> Iterator[Launch]:
    for name in ("kernels.json.gz", "kernels_2.json.gz"):
        for one in json.loads(gzip.decompress((PUBLIC / name).read_bytes())):
            label, kernel = f"{one['repo']}/{one['name']}", one.get("instance") or one["name"]
            yield from _of_text(label, one["text"], (), kernel)


def _of_text(label: str, text: str, options: tuple[str, ...], name: str = "") -> Iterator[Launch]:
    try:
        module = RawModule(text, options=options, name_expressions=(name,) if name else None)
        names = [name] if name else module.kernels
        yield from _launches(label, module, names)
    except KernelError:
        return


def _same(got: list[Any], wanted: list[Any], close: float) -> bool:
    for a, b in zip(got, wanted, strict=True):
        if isinstance(b, np.ndarray) and not (
            np.allclose(a, b, rtol=close, atol=close, equal_nan=True)
            if b.dtype.kind == "f"
            else np.array_equal(a, b)
        ):
            return False
    return True


def compared(launches: Iterator[Launch], counts: Counter[str]) -> Iterator[str]:
    """Count what becomes of each launch, and yield a line for each that is refused or wrong."""
    for label, kernel, grid, block, values, shared in launches:
        counts["kernels"] += 1
        copies = [[v.copy() if isinstance(v, np.ndarray) else v for v in values] for _ in range(2)]
        try:
            with webgpu("required"):
                kernel(grid, block, copies[1], shared)
        except UnsupportedError as error:
            counts["refused"] += 1
            yield f"{label}: {error}"
            continue
        except KernelError:
            counts["made-up launch has an error"] += 1
            continue
        try:
            with force_simulator():
                kernel(grid, block, copies[0], shared, step_limit=STEPS)
        except KernelError:
            counts["made-up launch has an error"] += 1
            continue
        right = _same(copies[1], copies[0], 1e-4)
        counts["right" if right else "WRONG"] += 1
        if not right:
            yield f"{label}: WRONG"


def textbook() -> Iterator[Launch]:
    for case in CASES.values():
        values = case.arguments()
        yield case.name, case.compiled(), case.grid, case.block, values, case.shared_mem


def pieces() -> Iterator[Launch]:
    for name, piece in mine.PIECES.items():
        for version in ("plain", "best"):
            text = getattr(piece, version)
            line = launch_of(piece, text)
            for sizes in piece.sizes:
                grid, block, shared = line.at(**sizes)
                values = list(piece.case(sizes).arguments.values())
                yield (
                    f"{name} {version} {sizes}",
                    RawKernel(text, name),
                    grid,
                    block,
                    values,
                    shared,
                )


def _random_kernel(seed: int, rounded: bool) -> tuple[str, list[str]]:
    """Compare a random kernel with native code, which has the simulator's bits. Return what came of it, and details."""
    text = random_kernels.source([seed], rounded)
    kernel = RawModule(text).get_function(f"k{seed}")
    grid, block = random_kernels.launch_shape(seed)
    wanted, got = random_kernels.arguments(seed), random_kernels.arguments(seed)
    with force_simulator(), native_code("required"):
        kernel(grid, block, wanted, checks=False)
    try:
        with webgpu("required"):
            kernel(grid, block, got)
    except UnsupportedError as error:
        return "refused", [str(error)]
    places = [
        f"{name}: thread {thread} has {got[2][thread, at]:#x} instead of {wanted[2][thread, at]:#x}"
        for at, name in enumerate(VARIABLES)
        for thread in np.flatnonzero(got[2][:, at] != wanted[2][:, at])[:2]
    ]
    same = not places and np.array_equal(got[3], wanted[3])
    return ("same", []) if same else ("different", [*places, f"cells: {got[3]}, {wanted[3]}", text])


def random_kernel(seed: int) -> tuple[str, list[str]]:
    """Try a random kernel. What differs by rounding alone has the bits of native code where CUDA's functions that
    round stand in place of operators."""
    result, details = _random_kernel(seed, False)
    if result != "different":
        return result, details
    other, exactly = _random_kernel(seed, True)
    return ("rounding", []) if other == "same" else (other, exactly or details)


def random(first: int, last: int) -> Counter[str]:
    """Try random kernels, and print where one differs, and its text."""
    counts: Counter[str] = Counter()
    for seed in range(first, last):
        result, details = random_kernel(seed)
        counts[result] += 1
        if details:
            print(f"k{seed} {result}:", *details, sep="\n", flush=True)
    return counts


SETS: dict[str, Callable[[], Iterator[Launch]]] = {
    "pieces": pieces,
    "textbook": textbook,
    "lessons": lessons,
    "kernels": kernels,
    "public": public,
}


def main(wanted: list[str]) -> None:
    print(webgpu_device())
    for name in wanted or list(SETS):
        begin = time.perf_counter()
        counts: Counter[str] = Counter()
        if name.startswith("random="):
            counts = random(*map(int, name.removeprefix("random=").split(":")))
        else:
            for line in compared(SETS[name](), counts):
                print(line[:300], flush=True)
        print(f"{name}: {dict(counts)}, {time.perf_counter() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
