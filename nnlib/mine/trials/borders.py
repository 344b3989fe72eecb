"""Sizes that the text of a kernel names itself: beyond the numbers that stand in it, and beside those it compares.

A kernel that is right up to a border only, `i < 100000`, an array of 4,096, an index of short, has that border in its
text or launch line. So each size is tried beyond the largest of these numbers, and a size that is compared with a
number is tried as that number, and on both sides of it.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from nnlib.cuda.text import nodes, tree, types
from nnlib.mine.contract import Piece, Sizes

_MOST_ELEMENTS = 4_200_000  # where there is one size only
_MOST = 70_000  # of any other: beyond all images of MNIST, and beyond what an unsigned short holds
_MOST_BESIDE = 300_000  # numbers in all arrays, beside a comparison
_A_BLOCK = 320  # elements for a number that may count blocks, or float4s
_OF_A_WINDOW = ("K", "size", "stride", "pad")
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


def named(piece: Piece, program: tree.TranslationUnit, drawn: Sequence[Sizes]) -> list[Sizes]:
    """Return sizes that the text of a kernel suggests, besides the contract's and those drawn."""
    tried = [*piece.sizes, piece.ruler, *drawn]
    long = [name for name in piece.integers if name not in _OF_A_WINDOW]
    found = _beside(piece, program, drawn[0])
    if len(long) == 1:
        return found + beyond(program, tried, {long[0]: _MOST_ELEMENTS}, _A_BLOCK)
    found += beyond(program, tried, {name: piece.most.get(name, _MOST) for name in long})
    return found


def beyond(
    program: tree.TranslationUnit, tried: Sequence[Sizes], most: Mapping[str, int], each: int = 1
) -> list[Sizes]:
    """Return sizes beyond the numbers in the program: for each size in `most`, past the largest number not tried so far.

    A size stays within `most`, and the other sizes are about as small as any that was tried. each: how many elements a
    number may stand for.
    """
    known = _numbers(program)
    found = []
    for name, limit in most.items():
        reached = max(sizes[name] for sizes in tried)
        if borders := [number for number in known if reached <= number * each and number < limit]:
            others = {
                other: max(small, 2) if other in most else small
                for other, small in smallest(tried).items()
            }
            found.append(others | {name: min(_past(max(borders) * each), limit)})
    return found


def smallest(tried: Sequence[Sizes]) -> Sizes:
    """Return sizes about as small as any that was tried, but with windows of two rows and images that fit two windows."""
    least = {"K": 2, "size": 2} | dict.fromkeys("HW", 3 if {"K", "size"} & tried[0].keys() else 0)
    return {name: max(min(sizes[name] for sizes in tried), least.get(name, 0)) for name in tried[0]}


def _past(border: int) -> int:
    """Go so far past a number that rounding it up to whole blocks does not reach the result."""
    return border + border // 8 + 2


def _numbers(program: tree.TranslationUnit) -> set[int]:
    """Collect the integers in the text, the lengths of its arrays, and the limits of its small integer types."""
    found = parts(program)
    variables = [variable for variable, _ in program.globals.values()]
    for function in program.functions.values():
        variables += (*function.parameters, *function.shared)
    kinds = [variable.type for variable in variables]
    kinds += [
        node.variable.type if isinstance(node, tree.Declare) else node.type
        for node in found
        if isinstance(node, tree.Declare | tree.Convert)
    ]
    written = {abs(node.value) for node in found if isinstance(node, tree.Literal)}
    whole = {int(number) for number in written if number < 2**31 and number == int(number)}
    return whole.union(*map(_ends, set(kinds)))


def parts(program: tree.TranslationUnit) -> list[Any]:
    """Return all nodes of a program's functions."""
    return [*nodes([function.body for function in program.functions.values()])]


def _beside_numbers(
    parts: Iterable[Any], operators: Collection[str]
) -> Iterator[tuple[tree.Expr, tree.Literal]]:
    """Find each number that is an operand of these operations, or of min or max; yield the other operand and the number."""
    for node in parts:
        sides: list[Any] = []
        if isinstance(node, tree.Binary) and node.op in operators:
            sides = [node.left, node.right]
        elif isinstance(node, tree.IntrinsicCall) and node.name in ("min", "max"):
            sides = node.arguments
        yield from (
            (one, other)
            for one, other in itertools.permutations(sides, 2)
            if isinstance(other, tree.Literal)
        )


def _ends(kind: Any) -> Iterator[int]:
    """Yield the lengths of an array, per dimension and in all, and the largest value of a type smaller than int."""
    length = 1
    while isinstance(kind, types.Array):
        yield kind.length or 1
        length *= kind.length or 1
        kind = kind.element
    yield length
    if isinstance(kind, types.Scalar) and kind.dtype.kind in "iu" and kind.size < 4:
        yield 2 ** (8 * kind.size - (kind.dtype.kind == "i")) - 1


def _beside(piece: Piece, program: tree.TranslationUnit, base: Sizes) -> list[Sizes]:
    """Return `base` with the sizes that the kernel compares with numbers set to these numbers, one less, and one more."""
    alone = [{name: number} for name, number in dict.fromkeys(_compared(piece, program))]
    together: list[
        Sizes
    ] = []  # the first number of each size, then the second of those that have several
    for one in alone:
        row = next((row for row in together if not row.keys() & one), None)
        if row is None:
            together.append(row := {})
        row.update(one)
    found = [
        _fitting(base | {name: number + more for name, number in row.items()})
        for row in alone + [row for row in together if len(row) > 1]
        for more in (-1, 0, 1)
    ]
    return [sizes for sizes in found if _can_be(piece, sizes)]


def _compared(piece: Piece, program: tree.TranslationUnit) -> Iterator[tuple[str, int]]:
    """Yield sizes of the contract with the numbers that the kernel compares them with."""
    own = {name: name for name in piece.integers}
    for function in program.functions.values():
        if function.kind == "kernel" and len(function.parameters) == len(piece.signature):
            own |= {
                variable.name: wanted.name
                for variable, wanted in zip(function.parameters, piece.signature, strict=True)
            }
    for one, other in _beside_numbers(parts(program), COMPARISONS):
        while isinstance(one, tree.Convert):
            one = one.operand
        name = own.get(one.variable.name) if isinstance(one, tree.Name) else None
        if name in piece.integers:
            yield name, int(other.value)


def _fitting(sizes: Sizes) -> Sizes:
    """Enlarge images until a window has several positions in them."""
    window = max(sizes.get("K", 1), sizes.get("size", 1))
    least = window + min(window, 20)
    return {
        name: max(value, least) if name in ("H", "W") else value for name, value in sizes.items()
    }


def _can_be(piece: Piece, sizes: Sizes) -> bool:
    """Return whether a launch can have these sizes and ends quickly with them."""
    if any(
        not (name != "pad") <= value <= piece.most.get(name, value) for name, value in sizes.items()
    ):
        return False
    return (
        all(value > 0 for value in piece.derived(sizes).values())
        and piece.elements_at(sizes, piece.shapes) <= _MOST_BESIDE
    )
