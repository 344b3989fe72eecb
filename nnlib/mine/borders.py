"""Sizes that the text of a kernel names itself: beside the numbers it compares them with, and beyond all others.

A kernel that is right up to a border only, `i < 100000`, an array of 4,096, an index of short, has that border in its
text or launch line. So each size is tried beyond the largest number that stands there, and a size that is compared
with a number is tried as that number, and on both sides of it. Lesson 02.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from nnlib.cuda.language import tree, types
from nnlib.cuda.native.lowering.nodes import walk
from nnlib.mine.contract import Piece, Sizes

_MOST_ELEMENTS = 5_000_000  # where n is the only size
_MOST = 60_000  # of any other size: images in MNIST, and what launch lines are judged for
_MOST_TOGETHER = 4_000_000
_MOST_BESIDE = 300_000  # numbers in all arrays, beside a comparison
_OF_A_WINDOW = ("K", "size", "stride", "pad")
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


def beyond(piece: Piece, program: tree.TranslationUnit, tried: Sequence[Sizes]) -> list[Sizes]:
    """Each size alone, then two together, beyond the largest number of the text that no size of those tried reaches."""
    known = sorted(numbers(program))
    long = [name for name in piece.integers if name not in _OF_A_WINDOW]
    most = _MOST_ELEMENTS if len(long) == 1 else _MOST
    found = []
    for name in long:
        reached = max(sizes[name] for sizes in tried)
        if borders := [number for number in known if reached <= number < most]:
            found.append(piece.smallest | {name: min(_past(borders[-1]), most)})
    if len(long) > 1 and (borders := [number for number in known if _MOST <= number < _MOST_TOGETHER]):
        for one, other in itertools.pairwise(long):
            found.append(piece.smallest | {one: _MOST, other: _past(borders[-1]) // _MOST + 1})
    return found


def beside(piece: Piece, program: tree.TranslationUnit, base: Sizes) -> list[Sizes]:
    """`base` with the sizes that the text compares with numbers: as these numbers, one less, and one more."""
    compared = list(dict.fromkeys(_compared(piece, program)))
    together: list[Sizes] = []  # the first number of each size, then the second of those that have several
    for name, number in compared:
        row = next((row for row in together if name not in row), None)
        if row is None:
            together.append(row := {})
        row[name] = number
    several = [row for row in together if len(row) > 1]
    found = [_fitting(base | {name: number + more for name, number in row.items()})
             for row in [*({name: number} for name, number in compared), *several] for more in (-1, 0, 1)]
    return [sizes for sizes in found if _can_be(piece, sizes)]


def numbers(program: tree.TranslationUnit) -> set[int]:
    """Whole numbers in the text, lengths of its arrays, and where its small integer types end."""
    found: set[int] = set()
    for variable, _ in program.globals.values():
        found |= {*_ends(variable.type)}
    for function in program.functions.values():
        for variable in (*function.parameters, *function.shared):
            found |= {*_ends(variable.type)}
        for node in walk(function.body):
            if isinstance(node, tree.Literal) and abs(node.value) < 2**31 and node.value == int(node.value):
                found.add(abs(int(node.value)))
            elif isinstance(node, tree.Declare):
                found |= {*_ends(node.variable.type)}
            elif isinstance(node, tree.Convert):
                found |= {*_ends(node.type)}
    return found


def _ends(kind: Any) -> Iterator[int]:
    """The length of an array, in each direction and in all; the largest number of a type that is smaller than int."""
    length = 1
    while isinstance(kind, types.Array):
        yield kind.length or 1
        length *= kind.length or 1
        kind = kind.element
    yield length
    if isinstance(kind, types.Scalar) and kind.dtype.kind in "iu" and kind.size < 4:
        yield 2 ** (8 * kind.size - (kind.dtype.kind == "i")) - 1


def _past(border: int) -> int:
    """So far that what is rounded up to whole blocks does not reach it."""
    return border + border // 8 + 2


def _compared(piece: Piece, program: tree.TranslationUnit) -> Iterator[tuple[str, int]]:
    """Sizes of the contract, and the numbers that they are compared with."""
    own = {name: name for name in piece.integers}
    for function in program.functions.values():
        if function.kind == "kernel" and len(function.parameters) == len(piece.signature):
            own |= {variable.name: wanted.name
                    for variable, wanted in zip(function.parameters, piece.signature, strict=True)}
    for function in program.functions.values():
        for node in walk(function.body):
            if not isinstance(node, tree.Binary) or node.op not in _COMPARISONS:
                continue
            for one, other in ((node.left, node.right), (node.right, node.left)):
                while isinstance(one, tree.Convert):
                    one = one.operand
                if isinstance(one, tree.Name) and isinstance(other, tree.Literal) and one.variable.name in own:
                    if (name := own[one.variable.name]) in piece.integers:
                        yield name, int(other.value)


def _fitting(sizes: Sizes) -> Sizes:
    """With images no smaller than the window."""
    window = max(sizes.get("K", 1), sizes.get("size", 1))
    return {name: max(value, window) if name in ("H", "W") else value for name, value in sizes.items()}


def _can_be(piece: Piece, sizes: Sizes) -> bool:
    """Are these sizes that a launch can have, and that take no long time?"""
    if any(value < (name != "pad") for name, value in sizes.items()):
        return False
    return (all(value > 0 for value in piece.derived(sizes).values())
            and piece.elements_at(sizes, piece.shapes) <= _MOST_BESIDE)
