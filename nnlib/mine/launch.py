"""Read a kernel's own launch from a comment above it, in CUDA's words.

    // <<<dim3((outputs + 15) / 16, (N + 15) / 16), dim3(16, 16)>>>
    extern "C" __global__ void linear_forward(...)

Grid, block and, where wanted, bytes of dynamic shared memory, from the sizes of the contract, as the kernel or the
contract calls them, and the constants of the text. Our own simulator computes them, as C would: integers, / cuts off.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from nnlib.cuda import (
    KernelError,
    KernelSyntaxError,
    LaunchError,
    RawKernel,
    RawModule,
    force_simulator,
)
from nnlib.cuda.text import declared_parameters, kernel_name, tokens, types
from nnlib.mine.contract import Piece, Sizes

Shape = tuple[int, int, int]
_KERNEL = r"\b__global__\s[^({;]*\("
_COMMENTS = re.compile(
    r"""
    "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | /\*.*?\*/ | //(?P<comment>(?:\\\r?\n|[^\n])*)
    """,
    re.DOTALL | re.VERBOSE,
)
_MARK = "nnlib_marked_"
_IN_KERNEL = re.compile(r"\b(blockDim|blockIdx|threadIdx|gridDim)\b")
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
        """Return (grid, block, shared bytes) for these sizes. Raise LaunchError where they cannot be computed."""
        wanted = self._values(sizes)
        if wanted not in self._known:
            try:
                self._compute([wanted])
            except KernelError as error:
                names = ", ".join(self.piece.integers)
                round_up = "ceil(" in self.grid + self.block
                raise LaunchError(
                    f"{self.piece.name}: <<<{self.grid}, {self.block}>>> cannot be computed: "
                    + (
                        "between integers / drops the remainder before ceil sees it. Round up by "
                        "(n + 255) / 256"
                        if round_up
                        else f"{error.what}. It may use {names} and the #define lines of the source"
                    )
                ) from None
        return self._known[wanted]

    def foresee(self, several: Sequence[Sizes]) -> None:
        """Compute `at` for several sizes at once."""
        with contextlib.suppress(KernelError):  # `at` tells for which
            self._compute([self._values(sizes) for sizes in several])

    def same_at(self, several: Sequence[Sizes]) -> bool:
        """Return whether the grid is the same at all these sizes."""
        return len({self.at(**sizes)[0] for sizes in several}) == 1

    @property
    def module(self) -> RawModule:
        """The text with this line as a kernel of its own."""
        return self._kernel.module

    def _values(self, sizes: Sizes) -> tuple[int, ...]:
        return tuple(int(sizes[name]) for name in self.piece.integers)

    @functools.cached_property
    def _known(self) -> dict[tuple[int, ...], tuple[Shape, Shape, int]]:
        return {}

    def _compute(self, wanted: list[tuple[int, ...]]) -> None:
        """Compute the launch for each tuple of sizes, one simulated thread per tuple."""
        out = np.zeros((len(wanted), 7), np.int32)
        with force_simulator():
            self._kernel(1, len(wanted), (out, np.array(wanted, np.int32)))
        for values, (gx, gy, gz, bx, by, bz, shared) in zip(wanted, out.tolist(), strict=True):
            self._known[values] = (gx, gy, gz), (bx, by, bz), shared

    @functools.cached_property
    def _own(self) -> list[str]:
        """Return what the kernel calls the sizes of the contract."""
        declared = declared_parameters(self.text, self.piece.name) or ()
        return [p.name for p in declared if p.type == types.INT][: len(self.piece.integers)]

    @functools.cached_property
    def _kernel(self) -> RawKernel:
        places = dict(zip(self.piece.integers, itertools.count())) | dict(
            zip(self._own, itertools.count())
        )
        count = len(self.piece.integers)
        sizes = [
            f"int {name} = nnlib_sizes[{count} * threadIdx.x + {k}];" for name, k in places.items()
        ]
        shapes = [
            f"dim3 nnlib_{name} = {_as_dim3(text)};"
            for name, text in (("g", self.grid), ("b", self.block))
        ]
        stores = [
            f"nnlib_out[{3 * place + axis}] = nnlib_{name}.{letter};"
            for place, name in enumerate("gb")
            for axis, letter in enumerate("xyz")
        ]
        body = "\n".join(
            [
                "nnlib_out += 7 * threadIdx.x;",
                *sizes,
                *shapes,
                *stores,
                f"nnlib_out[6] = {self.shared};",
            ]
        )
        code = (
            f'{self.text}\nextern "C" __global__ void nnlib_launch(int* nnlib_out, const int* nnlib_sizes) '
            f"{{\n{body}\n}}\n"
        )
        return RawKernel(code, "nnlib_launch")


@dataclass(frozen=True)
class GivenLaunch:
    """A launch that the lesson chooses: `chosen` returns grid and block for the sizes."""

    module: RawModule
    chosen: Callable[..., tuple[int | Sequence[int], int | Sequence[int]]]

    def at(self, **sizes: int) -> tuple[Shape, Shape, int]:
        """Return (grid, block, shared bytes) for these sizes."""
        grid, block = self.chosen(**sizes)
        return _three(grid), _three(block), 0

    def foresee(self, several: Sequence[Sizes]) -> None:
        """Do nothing: `at` is fast."""


def _three(sides: int | Sequence[int]) -> Shape:
    x, y, z = (*([sides] if isinstance(sides, int) else sides), 1, 1)[:3]
    return x, y, z


def launch_of(piece: Piece, text: str) -> LaunchLine:
    """Return the launch that is written above the kernel. Raise LaunchError, which says what to write, where there is none."""
    written = _line_above(piece, text)
    if not written:
        raise LaunchError(
            f"{piece.name} does not say how it is launched: write grid and block in a comment line above "
            f"it, for example {_SHOW}"
        )
    if known := _IN_KERNEL.search(written):
        raise LaunchError(
            f"{piece.name}: <<<{written}>>>: {known[1]} is known inside the kernel only. The line is "
            f"computed before it starts, from {', '.join(piece.integers)}: write the numbers themselves, "
            f"as in {_SHOW}"
        )
    parts = _split(piece, written)
    if "//" in written:
        raise LaunchError(
            f"{piece.name}: <<<{written}>>>: // begins a comment in C; integers are divided by /, for "
            f"example {_SHOW}"
        )
    if len(parts) not in (2, 3) or not all(parts):
        raise LaunchError(
            f"{piece.name}: <<<{written}>>> needs a grid and a block, and perhaps bytes of shared "
            f"memory, for example {_SHOW}"
        )
    return LaunchLine(piece, text, *parts)


def _line_above(piece: Piece, text: str) -> str | None:
    """Return what is between <<< and >>> in the last comment between the previous kernel and this one.

    The preprocessor decides which comments count: each one that does becomes a word of its own, on a line of its own.
    """
    marked: list[str] = []  # what stands between <<< and >>>; "" for a kernel that is commented out

    def marks(match: re.Match[str]) -> str:
        comment = match["comment"]
        if comment is None:
            return str(match[0])
        # The first of each line; the rest may explain it
        lines = re.findall(r"<<<(.*?)>>>.*", comment)
        if not lines and "<<<" in comment:
            lines = [None]
        lines += [""] * bool(re.search(_KERNEL, comment))
        marked.extend(lines)
        return "".join(f"\n{_MARK}{k}\n" for k in range(len(marked) - len(lines), len(marked)))

    try:
        words = tokens(_COMMENTS.sub(marks, text))
    except KernelSyntaxError:
        return None
    above: list[str | None] = []
    for at, token in enumerate(words):
        if token.text.startswith(_MARK):
            written = marked[int(token.text.removeprefix(_MARK))]
            if written != "":
                above.append(written)
            elif len(above) > 1:
                above.pop()  # it launched the kernel that is commented out
        elif token.text == "__global__":
            if kernel_name(words, at + 1) == piece.name:
                break
            above.clear()
    else:
        return None
    if above and above[-1] is None:
        raise LaunchError(
            f"{piece.name}: the line with <<< is not complete: it ends with >>>, for example {_SHOW}"
        )
    return above[-1] if above else None


def _split(piece: Piece, written: str) -> list[str]:
    """Split at commas outside of brackets. Raise LaunchError for Python's (16, 16): in C only its last number would count."""
    parts, unnamed = [""], False
    opened: list[str] = []  # what stands before each bracket that is open
    for letter in written:
        if (letter == ")" and not opened) or letter in ";{}\"'\\#":
            raise LaunchError(
                f"{piece.name}: <<<{written}>>> cannot be read: sizes, numbers and operators only, and "
                "as many ( as )"
            )
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
        raise LaunchError(
            f"{piece.name}: <<<{written}>>>: a grid or block of several numbers needs its name in C, as "
            "in dim3(16, 16); of (16, 16) C keeps the last number only"
        )
    return [part.strip() for part in parts]


def _as_dim3(text: str) -> str:
    return text if re.match(r"dim3\b", text) else f"dim3({text})"
