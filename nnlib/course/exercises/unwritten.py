"""Why has nobody written some results of a workshop? Told from which they are, and from the launch."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np

from nnlib.mine.launch import Shape

_WARP = 32
_GUARD = re.compile(
    r"\bif\s*\(\s*((?:(\d+)\s*\*\s*)?\w+(?:\s*\*\s*(\d+))?\s*<\s*\w+(?:\s*/\s*(\d+))?)\s*\)"
)
_DIVIDED_ALONE = r"blockDim\.x\s*\+\s*threadIdx\.x\s*/\s*32\b"
_CUT_OFF = r"= *(([A-Z]) */ *(\d)) *[;,]"  # groups = C / 4
# groups = (C + 3) / 4 and, behind it, a number that is taken apart with C instead
_OLD_SIZE = (
    r"(?s)(\w+) *= *(\(([A-Z]) *\+ *\d\) */ *\d).*?[\w)] *([/%] *(\([^()]*\b\3\b[^()]*\)|\3\b))"
)


def why_unwritten(
    name: str,
    letters: Sequence[str],
    nobody: np.ndarray,
    launched: tuple[Shape, Shape] | None,
    text: str = "",
) -> str | None:
    """Explain why a kernel leaves results unwritten; return None where it writes them all.

    nobody: the elements that no thread has written. letters: the array's sizes, such as "N" and "O".
    """
    missing = np.flatnonzero(nobody)
    if not missing.size:
        return None
    if missing.size == nobody.size:
        if cut := re.search(_CUT_OFF, text):
            return (
                f"{cut[1]} is 0 where {cut[2]} is smaller than {cut[3]}, since a division cuts off: round up, for the last "
                "group may have fewer"
            )
        return (
            f"does any thread store a result in {name}?"
            + " += and atomicAdd only add to what was there before: garbage"
            * only_added(name, text)
        )
    if re.search(_DIVIDED_ALONE, text):
        return (
            "the end is missing: in blockDim.x + threadIdx.x / 32 only threadIdx.x is divided. The number of the "
            "warp is (blockIdx.x * blockDim.x + threadIdx.x) / 32"
        )
    if old := re.search(_OLD_SIZE, text):
        return (
            f"the threads are counted with {old[1]}, that is {old[2]}, and {old[4]} takes a thread's number apart with "
            f"{old[3]}: write {old[1]} there, too"
        )
    grid, block = launched or ((1, 1, 1), (1, 1, 1))
    if block[0] > _WARP and re.search(r"\blane *= *threadIdx\.x *[;,]", text):
        return f"lane goes up to {block[0] - 1} here, and lanes of a warp from 0 to 31: write lane = threadIdx.x % 32"
    workers = math.prod((*grid, *block))
    found = _groups_overlap(letters, nobody, text) or _too_few_rows(
        letters, nobody.shape, missing, workers, by_warps(text)
    )
    if found is None and nobody.ndim > 1 and (block[1] > 1 or grid[1] > 1):
        found = _in_a_plane(name, letters, nobody, text)
    if found is None:
        found = _in_a_row(
            name, nobody.size, missing, math.prod(grid), math.prod(block), by_warps(text)
        )
    if found:
        return found
    if by_warps(text):  # each of them has a row
        workers = workers // _WARP * nobody.shape[-1]
    if workers >= nobody.size and re.search(r"\breturn\b", text):
        return (
            f"there is a thread for this element of {name}, and it stores nothing: does it return before its end, "
            "where it should only go on? Or does a condition keep it from its store?"
        )
    return f"which thread should write that element of {name}? Work out its index, and follow it down to its store"


def why_unwritten_here(
    name: str,
    letters: Sequence[str],
    nobody: np.ndarray,
    launched: tuple[Shape, Shape] | None,
    text: str,
) -> str | None:
    """Return the same where the lesson has chosen the launch."""
    missing = np.flatnonzero(nobody)
    if launched is None or not missing.size or missing.size == nobody.size:
        return why_unwritten(name, (), nobody, None, text)
    grid, block = launched
    if missing.size == nobody.size - missing[0] and grid[0] > 1 == block[1]:
        if missing[0] == block[0]:
            return f"only the first {block[0]} are written, as many as a block has threads: is blockIdx in the index?"
        if missing[0] == grid[0] + block[0] - 1:
            return (
                f"only the first {missing[0]:,} are written, as far as {grid[0]} blocks of {block[0]} threads come that "
                "begin one apart: block b begins at b * blockDim.x"
            )
    axes = "xy"[: 1 + (block[1] > 1)]
    used = all(f"{index}.{axis}" in text for index in ("blockIdx", "threadIdx") for axis in axes)
    if missing.size == nobody.size - missing[0]:
        first = int(missing[0])
        for guard in _GUARD.finditer(text):
            share = math.prod(int(factor) for factor in guard.groups()[1:] if factor)
            if share > 1 and first in (nobody.size // share, -(-nobody.size // share)):
                return (
                    f"the guard {guard[1]} stops thread {first:,}, and all after it. How many elements of {name} are "
                    "there, and how many does a thread have?"
                )
    if missing.size == nobody.size - missing[0] and used:
        return (
            f"the end is missing, all of it from number {missing[0]:,} on: which thread should write that one, which "
            f"index does it compute in blocks of {' × '.join(map(str, block[: len(axes)]))} threads, and does a guard "
            "stop it?"
        )
    plane = " for x and for y, do rows come from .y, columns from .x," if len(axes) > 1 else ""
    return (
        f"which thread should write that element of {name}? Work out its index: is blockIdx in it,{plane} and is the "
        "guard right? In a loop over several elements: does it go on until the last one?"
    )


def only_added(name: str, text: str) -> bool:
    """Return whether a kernel adds to this array, by +=, y[i] = y[i] … or an atomic, instead of storing into it."""
    added = rf"\b{name}\b\s*(\[[^;=]*\]\s*)?\+=|\batomicAdd\s*\(\s*&?\s*{name}\b"
    return bool(re.search(rf"{added}|\b{name}(\[[^;=]*\])\s*=[^;=]*\b{name}\2", text))


def _groups_overlap(letters: Sequence[str], nobody: np.ndarray, text: str) -> str | None:
    """Explain results that are missing from some index of one size on because groups begin one element apart.

    Groups of g elements should begin g apart. If they begin one apart, n groups reach only the first n + g - 1 elements.
    """
    for axis, (letter, count) in enumerate(zip(letters, nobody.shape, strict=True)):
        missing = np.asarray(nobody.all(tuple(k for k in range(nobody.ndim) if k != axis)))
        first = int(np.append(missing, True).argmax())
        if nobody.sum() * count != (count - first) * nobody.size or not missing[first:].all():
            continue
        for each in sorted({int(divisor) for divisor in re.findall(r"/\s*(\d+)\b", text)}):
            groups = -(-count // each) if each else 0
            if 1 < each < first < count and groups + each - 1 == first:
                return (
                    f"of {count} ({letter}) the first {first} are written, as far as {groups} groups of {each} come "
                    f"that begin one apart. A group begins at {each} times its number: is the index of its first one "
                    f"multiplied by {each}?"
                )
    return None


def _in_a_plane(name: str, letters: Sequence[str], nobody: np.ndarray, text: str) -> str | None:
    """Explain results of two-dimensional blocks that are missing from some row, some column, or both on."""
    plane = nobody.reshape(-1, nobody.shape[-1])
    row, column = (int(np.append(plane.all(axis), True).argmax()) for axis in (1, 0))
    rest = plane.copy()
    rest[row:], rest[:, column:] = False, False
    sides = {
        last: f"{which} {first} on, and there are {count} ({' · '.join([*sizes, last])})"
        for which, first, count, (*sizes, last) in (
            ("row", row, len(plane), letters[:-1]),
            ("column", column, plane.shape[1], letters[-1:]),
        )
        if 0 < first < count
    }
    if rest.any() or not sides:
        return None
    guards = re.findall(rf"[\w.]+ [-+*] [^&|()<;]*?<\s*(?:{'|'.join(sides)})\b", text)
    return (
        f"{name} is missing from {', and from '.join(sides.values())}: either the grid is too small that way (which size "
        "stands in the launch line for x, which for y, and is each rounded up?), or the index lacks blockIdx, or a "
        "thread stores only some of several results"
        + (
            f", or the guard {guards[0]} compares another index than the one that is stored"
            if guards
            else ""
        )
    )


def by_warps(text: str) -> bool:
    """Return whether a kernel divides its thread's number in the grid by 32, so that a warp works on each result."""
    return bool(re.search(r"threadIdx\.x\s*\)\s*(/\s*32|>>\s*5)\b", text))


def _too_few_rows(
    letters: Sequence[str],
    shape: Sequence[int],
    missing: np.ndarray,
    threads: int,
    warps: bool,
) -> str | None:
    """Explain rows that are left over although each thread, or each warp, has written one."""
    workers = threads // _WARP if warps else threads
    first = int(missing[0])
    if missing.size != math.prod(shape) - first or first % workers:
        return None
    for axis in range(1, len(shape)):
        rows = math.prod(shape[:axis])
        if workers < rows and first // workers == math.prod(shape[axis:]) > 1:
            # A size that is 1 here, as heads may be, belongs to the launch, too
            while shape[axis] == 1:
                axis += 1
            return (
                f"the end is missing: the launch has {workers:,} {'warps' if warps else 'threads'}, and "
                f"{' * '.join(letters[:axis])} = {rows:,} are needed: is a size missing in the launch line, or does a "
                "division take too many of them into a block?"
            )
    return None


def _in_a_row(
    name: str, results: int, missing: np.ndarray, blocks: int, block: int, warps: bool
) -> str | None:
    """Explain results of one-dimensional blocks: the end is missing, or block and thread are exchanged in the index.

    warps: a warp works on each result.
    """
    first, threads = int(missing[0]), blocks * block
    if missing[-1] != results - 1 or missing[-1] - first + 1 != missing.size:
        return _exchanged(results, missing, blocks, block)
    only = f"the end is missing, only {'the first is' if first == 1 else f'the first {first:,} are'} written"
    if first == blocks < results <= threads // _WARP and warps:
        return (
            f"{only}, as many as the grid has blocks, and there is a warp for each: let lane 0 of each warp store "
            "its result, where the lane is threadIdx.x % 32"
        )
    few_warps = first == threads // _WARP and (
        f"the end is missing: the launch has {threads:,} threads, that is {first:,} warp{'s' * (first > 1)}. Where a "
        "warp works for each result, it needs 32 times as many threads as results, in whole blocks"
    )
    if few_warps and warps:
        return few_warps
    if first == blocks < results and block > 1:
        return (
            f"{only}, as many as the grid has blocks. If a block works for each result, the grid needs a block for "
            "each; if a thread or a warp does, its number must be in the index"
        )
    if few_warps:
        return few_warps
    if first == block < threads:
        return f"{only}, as many as a block has threads: is blockIdx in the index?"
    if threads >= results:
        return (
            f"{only}, and the launch has threads for all {results:,}: a guard that is too strict (is a size "
            "missing in it?), or an index that never comes so far?"
        )
    if first <= missing.size:  # more than a division that cuts off can leave
        return f"{only}: does the grid in the launch line grow with the sizes of {name}, and is blockIdx in the index?"
    if first == threads:
        return (
            f"{only}, as many as the launch has threads: does the grid grow with the sizes of {name}? Or is it a "
            "division in the launch that cuts off, n / 256 for (n + 255) / 256?"
        )
    return (
        "the end is missing: a division in the launch that cuts off, n / 256 for (n + 255) / 256, or a grid made "
        "of other sizes? A guard that is too strict, or an index without blockIdx?"
    )


def _exchanged(results: int, missing: np.ndarray, blocks: int, block: int) -> str | None:
    written = (np.arange(blocks)[:, None] + np.arange(block) * block).ravel()
    there = np.setdiff1d(np.arange(results), missing)
    if blocks == 1 or not np.array_equal(there, np.unique(written[written < results])):
        return None
    return (
        "some are written, with gaps between them: block and thread are exchanged in the index, the number of the "
        "block is multiplied by the threads of a block"
    )
