"""How a kernel says its own launch: a comment above it, in CUDA's words. Lesson 02.

    // <<<dim3((O + 15) / 16, (N + 15) / 16), dim3(16, 16)>>>
    extern "C" __global__ void linear_forward(...)

Grid, block and, where wanted, bytes of dynamic shared memory, from the sizes of the contract and the constants of the
text. Our own simulator computes them, as C would: integers, / cuts off.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

import numpy as np

from nnlib.cuda import KernelError, LaunchError, RawKernel, force_simulator
from nnlib.mine.contract import Piece

Shape = tuple[int, int, int]
_KERNEL = r"__global__\s[^({;]*?(?:__launch_bounds__\s*\([^)]*\)\s*)?\b(\w+)\s*\("
_SHOW = "// <<<(n + 255) / 256, 256>>>"


@dataclass(frozen=True)
class LaunchLine:
    """Grid, block and bytes of shared memory as written, to be computed for sizes."""

    piece: Piece
    text: str
    grid: str
    block: str
    shared: str = "0"

    def at(self, **sizes: int) -> tuple[Shape, Shape, int]:
        """(grid, block, shared bytes) for these sizes; LaunchError where they cannot be computed."""
        return _computed(self, tuple(int(sizes[name]) for name in self.piece.integers))

    @functools.cached_property
    def _kernel(self) -> RawKernel:
        sizes = ", ".join(["int* nnlib_out", *(f"int {name}" for name in self.piece.integers)])
        shapes = [f"dim3 nnlib_{name} = {_as_dim3(text)};" for name, text in (("g", self.grid), ("b", self.block))]
        stores = [f"nnlib_out[{3 * place + axis}] = nnlib_{name}.{letter};" for place, name in enumerate("gb")
                  for axis, letter in enumerate("xyz")]
        body = "\n".join([*shapes, *stores, f"nnlib_out[6] = {self.shared};"])
        code = f'{self.text}\nextern "C" __global__ void nnlib_launch({sizes}) {{\n{body}\n}}\n'
        return RawKernel(code, "nnlib_launch")


def launch_of(piece: Piece, text: str) -> LaunchLine:
    """The launch that stands above the kernel, else the contract's own; LaunchError that says what to write."""
    written = _line_above(piece, text) or piece.launch
    if not written:
        raise LaunchError(f"{piece.name} does not say how it is launched: write grid and block in a comment line above "
                          f"it, for example {_SHOW}")
    parts = _split(piece, written)
    if "//" in written:
        raise LaunchError(f"{piece.name}: <<<{written}>>>: // begins a comment in C; integers are divided by /, for "
                          f"example {_SHOW}")
    if len(parts) not in (2, 3) or not all(parts):
        raise LaunchError(f"{piece.name}: <<<{written}>>> needs a grid and a block, and perhaps bytes of shared "
                          f"memory, for example {_SHOW}")
    return LaunchLine(piece, text, *parts)


def _line_above(piece: Piece, text: str) -> str | None:
    """What stands between <<< and >>> in the last such comment before the kernel and behind the kernel before it."""
    kernels = list(re.finditer(_KERNEL, text))
    own = next((k for k, match in enumerate(kernels) if match[1] == piece.name), None)
    if own is None:
        return None
    above = text[kernels[own - 1].end() if own else 0:kernels[own].start()]
    found = re.findall(r"//[^\n]*?<<<([^\n]*?)>>>", above)
    if not found and "<<<" in above:
        raise LaunchError(f"{piece.name}: the line with <<< is not complete: it ends with >>>, for example {_SHOW}")
    return found[-1] if found else None


def _split(piece: Piece, written: str) -> list[str]:
    """At the commas outside of brackets. LaunchError for Python's (16, 16): in C only its last number would count."""
    parts, unnamed = [""], False
    opened: list[str] = []  # what stands before each bracket that is open
    for letter in written:
        if letter == ")" and not opened or letter in ";{}\"'\\#":
            raise LaunchError(f"{piece.name}: <<<{written}>>> cannot be read: sizes, numbers and operators only, and "
                              "as many ( as )")
        if letter == "," and not opened:
            parts.append("")
            continue
        if letter == "(":
            opened.append(parts[-1].rstrip()[-1:])
        elif letter == ")":
            opened.pop()
        elif letter == ",":
            unnamed |= not re.match(r"\w", opened[-1])
        parts[-1] += letter
    if opened:
        raise LaunchError(f"{piece.name}: <<<{written}>>> has more ( than )")
    if unnamed:
        raise LaunchError(f"{piece.name}: <<<{written}>>>: a grid or block of several numbers needs its name in C, as "
                          "in dim3(16, 16); of (16, 16) C keeps the last number only")
    return [part.strip() for part in parts]


def _as_dim3(text: str) -> str:
    return text if re.match(r"dim3\b", text) else f"dim3({text})"


@functools.lru_cache(maxsize=4096)
def _computed(launch: LaunchLine, sizes: tuple[int, ...]) -> tuple[Shape, Shape, int]:
    out = np.zeros(7, np.int32)
    try:
        with force_simulator():
            launch._kernel(1, 1, (out, *sizes), checks=True)
    except KernelError as error:
        what = re.sub(r"^\S*?:\d+:\d+: ", "", str(error).splitlines()[0])
        names = ", ".join(launch.piece.integers)
        raise LaunchError(f"{launch.piece.name}: <<<{launch.grid}, {launch.block}>>> cannot be computed: {what}. It "
                          f"may use {names} and the #define lines of the text") from None
    gx, gy, gz, bx, by, bz, shared = map(int, out)
    return (gx, gy, gz), (bx, by, bz), shared
