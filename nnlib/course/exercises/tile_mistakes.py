"""The usual mistakes of a tiled product of two matrices, as what they would write. Lesson 03.

Every product is result[p, q] = Σ over k of a[p, k] · b[q, k], whichever way its matrices lie in memory; which index is
p, q or k is read from the shapes of the contract.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from nnlib.course.exercises.mistaken import Mistakes, slab, wrote
from nnlib.mine.contract import Case

TILES = 16, 32, 8  # what is tried first is named, where several explain it


@dataclass(frozen=True)
class Factor:
    """One of the two matrices: as it lies in memory, the letters of its rows and columns, and the summed letter."""

    name: str
    stored: np.ndarray
    letters: tuple[str, str]
    summed: str

    def seen(self, stored: Any) -> Any:
        """With the summed index last."""
        return stored if self.letters[1] == self.summed else stored.T


def product_mistakes(case: Case, offset: Any = 0.0) -> Mistakes:
    """What goes wrong with tiles, with the places they are loaded from, and with the sum. offset: added at the end."""
    first, second = _factors(case)
    a, b = first.seen(first.stored), second.seen(second.stored)
    found = _wrong_sums(a, b, first.summed, case.sizes)
    for tile in TILES:
        found |= _wrong_tiles(first, b, tile)
        found |= {hint: value.T for hint, value in _wrong_tiles(second, a, tile).items()}
        found |= _both_wrong(a, b, tile)
    for hint, seen in _wrong_rows(first, case.sizes):
        found[hint] = seen @ b.T
    for hint, seen in _wrong_rows(second, case.sizes):
        found[hint] = a @ seen.T
    found = {hint: value + offset for hint, value in found.items()}
    right = a @ b.T + offset
    found["each result is written to the transposed place: rows come from y, columns from x"] = right.T.reshape(
        right.shape)
    return wrote(case.piece.written[0], found)


def _factors(case: Case) -> tuple[Factor, Factor]:
    """The factor with the rows of the result, and the one with its columns."""
    shapes = {name: tuple(text.split()) for name, text in case.piece.shapes.items()}
    result = shapes.pop(case.piece.written[0])

    def factor(letter: str) -> Factor:
        name, (rows, columns) = next((name, letters) for name, letters in shapes.items()
                                     if len(letters) == 2 and letter in letters)
        return Factor(name, case.arguments[name], (rows, columns), columns if rows == letter else rows)

    return factor(result[0]), factor(result[1])


def _wrong_sums(a: Any, b: Any, summed: str, sizes: dict[str, int]) -> dict[str, Any]:
    """Products that are left out, or counted in another way."""
    length, right = a.shape[1], a @ b.T

    def part(first: int, count: int) -> Any:
        return slab(a, 1, first, count) @ b.T

    found = {}
    for tile in TILES:
        if length > tile:
            last = (length - 1) // tile * tile
            found[f"only the first tile is summed: does the loop go on with the next {tile}, up to {summed}?"] = part(
                0, tile)
            found[f"only the last tile of {tile} counts: is sum set to 0 inside the loop over the tiles, or = for +=?"
                  ] = part(last, tile)
            tiles = -(-length // tile)
            found[f"the tiles overlap: each begins {tile} numbers behind the one before"] = sum(
                part(start, tile) for start in range(length))
            found |= {f"the tiles overlap: tile number t begins at t * {tile}" + more: sum(
                part(start, tile) for start in range(count))
                for count, more in ((tiles, ""), (length // tile, f", and the last of {length % tile} is a tile, too"))}
            if length % tile:
                found[f"the last tile of {tile}, which is not full, is left out: where does the loop end?"] = part(
                    0, last)
                found[f"the first tile of {tile} is left out: where does the loop over the tiles begin?"] = part(
                    tile, length)
    found |= {
        "nothing is left of the sum: +=, not =, and 0 only once, before the loop over the tiles": 0 * right,
        "only one product is left of the sum: +=, not =": part(length - 1, 1),
        "the sum ends one product too early": part(0, length - 1),
        "the first product is left out": part(1, length - 1),
        "add the products, do not subtract them": -right,
        "the mean is not asked for: a sum, not divided": right / length}
    for other in set(sizes.values()):
        if 1 < other < length:
            found[f"only the first {other} products are summed: the loop and the guards along the sum go up to {summed}"
                  ] = part(0, other)
    return found


def _wrong_tiles(factor: Factor, other: Any, tile: int) -> dict[str, Any]:
    """The product with tiles of this factor that are loaded, or read, at a wrong place."""
    seen = factor.seen(factor.stored)
    side = -(-max(*seen.shape, *other.shape) // tile) * tile
    padded, partner = (_padded(matrix, side) for matrix in (seen, other))
    r, k = np.indices(padded.shape)
    block, step = r // tile * tile, k // tile * tile
    summed = factor.summed
    own = next(letter for letter in factor.letters if letter != summed)
    of = f"the {tile} × {tile} tile of {factor.name}"
    one_index = "come from one thread index: one is threadIdx.x, the other threadIdx.y"

    def product(rows: Any, columns: Any) -> Any:
        return (padded[rows, columns] @ partner.T)[:len(seen), :len(other)]

    p, q = np.indices((len(seen), len(other)))
    other_row = np.einsum("pqk,qk->pq", padded[p // tile * tile + q % tile], partner[:len(other)])
    other_block = np.einsum("pqk,qk->pq", padded[q // tile * tile + p % tile], partner[:len(other)])
    return {
        f"{of} is filled one way and read the other: row and column": product(block + k % tile, step + r % tile),
        f"{of} does not walk along {summed}: every step loads the same numbers": product(r, k % tile),
        f"{of} does not walk along {summed}: there it begins at the step of the loop, not at the block": product(
            r, np.minimum(block + k % tile, side - 1)),
        f"{of}: {own.lower()} and {summed.lower()} {one_index}": product(block + k % tile, k),
        f"{of}: {summed.lower()} and {own.lower()} {one_index}": product(r, step + r % tile),
        f"{of}: a thread reads the row that belongs to its own {own.lower()}, not to the other index of its result":
            other_row,
        f"{of} is that of another block: is it blockIdx.x or blockIdx.y that counts {own.lower()}?": other_block}


def _both_wrong(a: Any, b: Any, tile: int) -> dict[str, Any]:
    """The product where the same is wrong with the tiles of both factors."""
    side = -(-max(*a.shape, *b.shape) // tile) * tile

    def places(seen: Any, mixed: Any) -> Any:
        r, k = np.indices((side, side))
        return _padded(seen, side)[mixed(r // tile * tile, k // tile * tile, r % tile, k % tile)][:len(seen)]

    of = f"both tiles, {tile} × {tile}"
    return {hint: places(a, mixed) @ places(b, mixed).T for hint, mixed in {
        f"{of}, are filled one way and read the other: row and column": lambda block, step, r, k: (block + k, step + r),
        f"{of}: the two indices of a load come from one thread index: one is threadIdx.x, the other threadIdx.y":
            lambda block, step, r, k: (block + k, step + k)}.items()}


def _wrong_rows(factor: Factor, sizes: dict[str, int]) -> Iterator[tuple[str, Any]]:
    """(hint, the factor as a wrong index reads it), for all wrong indices that stay inside of the array."""
    rows, columns = factor.letters
    r, c = np.indices(factor.stored.shape)
    flat, name = factor.stored.ravel(), factor.name
    right = f"{name}[{rows.lower()} * {columns} + {columns.lower()}]"
    for letter, size in sizes.items():
        for index, text in ((r * size + c, f"{rows.lower()} * {letter} + {columns.lower()}"),
                            (c * size + r, f"{columns.lower()} * {letter} + {rows.lower()}")):
            if index.max() < flat.size and not np.array_equal(index.ravel(), np.arange(flat.size)):
                yield (f"{name} is ({rows}, {columns}): a row of it has {columns} numbers, {right}, not {name}[{text}]",
                       factor.seen(flat[index]))


def _padded(matrix: Any, side: int) -> Any:
    """With zeros, as tiles are outside of the matrix: (side, side)."""
    return np.pad(matrix, [(0, side - size) for size in matrix.shape])
