"""Questions on lesson 02: sectors, grid-stride loops, vector loads, occupancy, bandwidth."""

from __future__ import annotations

from random import Random

import numpy as np

from nnlib.cuda import GPUS, occupancy
from nnlib.teaching.exam.question import Item, code, counted, floats, profiled, question


def _spread(stride: int, offset: int) -> int:
    """Sectors of 8 floats that 32 lanes touch."""
    return len({(stride * lane + offset) // 8 for lane in range(32)})


@question("02.stride", 5)
def stride(rng: Random) -> Item:
    """Sectors of a strided load, and the share of bytes that is used."""
    step, offset = rng.choice([2, 3, 4, 5, 6]), rng.randrange(0, 4)
    text = f"""
        __global__ void f(const float* x, float* y) {{
            y[threadIdx.x] = x[{step} * threadIdx.x + {offset}];
        }}"""
    sectors = _spread(step, offset)

    def run() -> tuple:
        counts = profiled(text, 1, 32, floats(32 * step + offset), floats(32))
        return counts.global_load.sectors, counts.global_load.bytes / (
            32 * counts.global_load.sectors
        )

    return Item(
        f"{code(text)}\n\nx begins at a sector boundary. Which floats does the warp span, how many sectors "
        "does its load fetch, and what share of the fetched bytes is used?",
        [
            f"floats {offset} to {31 * step + offset}",
            f"{sectors} sectors of 8 floats",
            f"128 / ({sectors} · 32) = {128 / (32 * sectors):.1%}",
        ],
        (sectors, 128 / (32 * sectors)),
        run,
    )


@question("02.offset", 4)
def offset(rng: Random) -> Item:
    """Sectors of a shifted load."""
    shift, warps = rng.choice([1, 2, 3, 5, 6, 7]), rng.choice([4, 8])
    text = f"""
        __global__ void f(const float* x, float* y) {{
            y[threadIdx.x] = x[threadIdx.x + {shift}];
        }}"""

    def run() -> tuple:
        counts = profiled(text, 1, 32 * warps, floats(32 * warps + shift), floats(32 * warps))
        return counts.global_load.sectors, counts.global_store.sectors

    return Item(
        f"{code(text)}\n\nBoth arrays begin at a sector boundary, and the block has {32 * warps} threads. How "
        "many sectors do all its loads fetch, how many do its stores write, and is an offset as bad as a "
        "stride of 2?",
        [
            f"5 for each of {warps} warps: {5 * warps}",
            f"4 for each of {warps} warps: {4 * warps}",
            "no: a stride of 2 needs 8 for each warp, an offset one more than the best",
        ],
        (5 * warps, 4 * warps),
        run,
    )


@question("02.bandwidth", 5)
def bandwidth(rng: Random) -> Item:
    """Bytes, the time at the limit, and the share that was reached."""
    reads, peak, n = rng.choice([2, 3, 4]), rng.choice([2, 3, 4]), rng.choice([1, 2, 5]) * 10**8
    least = 4 * (reads + 1) * n / (peak * 1e12)
    taken = round(least * rng.choice([1.5, 2, 2.5, 4]) * 1e3, 2)
    names = "abcd"[:reads]
    text = (
        f"__global__ void add({', '.join(f'const float* {name}' for name in names)},\n"
        "                    float* y, int n) {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        f"    if (i < n) y[i] = {' + '.join(f'{name}[i]' for name in names)};\n}}"
    )

    def run() -> tuple:
        counts = profiled(text, 4, 256, *(floats(1024) for _ in names), floats(1024), 1024)
        per = counts.bytes_requested // 1024
        return per, per * n / (peak * 1e12), per * n / (taken * 1e-3) / (peak * 1e12)

    share = least * 1e3 / taken
    return Item(
        f"{code(text)}\n\nn is {n:,}. On a card that moves {peak} TB/s the kernel takes {taken} ms. How many "
        "bytes does one element cost, how long would the kernel take at the card's limit, and what share of "
        "the bandwidth does it reach?",
        [
            f"{reads} reads and one write of 4 bytes: {4 * (reads + 1)} bytes",
            f"{4 * (reads + 1)} · {n:,} / {peak}·10¹² = {least * 1e3:.3g} ms",
            f"{share:.0%}",
        ],
        (4 * (reads + 1), least, share),
        run,
    )


@question("02.grid_stride", 5)
def grid_stride(rng: Random) -> Item:
    """Elements of one thread in a grid-stride loop."""
    blocks, block = rng.choice([2, 3]), rng.choice([32, 64])
    threads = blocks * block
    n, which = threads * rng.randrange(3, 7) + rng.randrange(5, threads - 5), rng.randrange(threads)
    elements = range(which, n, threads)
    text = """
        __global__ void f(int* times, int* last, int n) {
            int first = blockIdx.x * blockDim.x + threadIdx.x;
            for (int i = first; i < n; i += gridDim.x * blockDim.x) {
                times[first]++;
                last[first] = i;
            }
        }"""

    def run() -> tuple:
        times, last = np.zeros(threads, np.int32), np.zeros(threads, np.int32)
        profiled(text, blocks, block, times, last, n)
        return int(times[which]), int(last[which]), int(times.min())

    return Item(
        f"A grid-stride loop runs over n = {n} elements with {blocks} blocks of {block} threads. How many "
        f"elements does the thread with the global index {which} handle, which one is its last, and how many "
        "does the thread with the fewest handle?",
        [
            f"every {threads}th element from {which} on: {len(elements)}",
            f"the last is {elements[-1]}",
            f"{n} / {threads}, rounded down: {n // threads}",
        ],
        (len(elements), elements[-1], n // threads),
        run,
    )


@question("02.chunks", 5)
def chunks(rng: Random) -> Item:
    """Consecutive elements per thread beside a grid-stride loop."""
    each, warps = rng.choice([2, 4, 8, 16]), rng.choice([1, 2, 4])
    text = f"""
        __global__ void f(const float* x, float* y) {{
            int t = threadIdx.x;
            float sum = 0.0f;
            for (int k = 0; k < {each}; k++) sum += x[{each} * t + k];
            y[t] = sum;
        }}"""
    one = min(32, 4 * each)

    def run() -> tuple:
        x, y, block = floats(32 * warps * each), floats(32 * warps), 32 * warps
        chunked = profiled(text, 1, block, x, y).global_load
        strided = profiled(
            text.replace(f"{each} * t + k", f"{block} * k + t"), 1, block, x, y
        ).global_load
        return chunked.sectors_per_request, chunked.sectors, strided.sectors

    return Item(
        f"{code(text)}\n\nThe block has {32 * warps} threads. How many sectors does one request fetch, how "
        "many do all loads of the block fetch together, and how many would a loop fetch in which lanes read "
        "side by side?",
        [
            f"lanes lie {4 * each} bytes apart: {one} sectors",
            f"{each} · {warps} · {one} = {each * warps * one}",
            f"4 for each request: {each * warps * 4}",
        ],
        (one, each * warps * one, each * warps * 4),
        run,
    )


@question("02.float4", 4)
def float4(rng: Random) -> Item:
    """Requests and sectors of a copy with float4."""
    warps = rng.choice([2, 4, 6, 8])
    n = 128 * warps
    text = """
        __global__ void copy4(const float4* x, float4* y) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            y[i] = x[i];
        }"""

    def run() -> tuple:
        load = profiled(text, warps, 32, floats(n), floats(n)).global_load
        single = profiled(
            text.replace("float4*", "float*"), 4 * warps, 32, floats(n), floats(n)
        ).global_load
        return load.requests, load.sectors, single.requests, single.sectors

    return Item(
        f"{code(text)}\n\nThe kernel copies {n} floats. How many load requests do its warps make, and how many "
        "sectors do they fetch? What are both numbers for a copy that loads one float per thread?",
        [
            f"{n} / 128 = {warps} requests",
            f"{n} / 8 = {n // 8} sectors",
            f"{4 * warps} requests, and {n // 8} sectors again: the bytes are the same",
        ],
        (warps, n // 8, 4 * warps, n // 8),
        run,
    )


@question("02.lanes", 4)
def lanes(rng: Random) -> Item:
    """Warps of blocks that are no multiple of 32."""
    block, blocks = rng.choice([33, 40, 48, 72, 80, 100]), rng.choice([4, 6, 10])
    warps = -(-block // 32)
    text = "__global__ void f(float* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f; }"

    def run() -> tuple:
        counts = profiled(text, blocks, block, floats(blocks * block))
        return counts.global_store.requests, counts.active_lanes

    return Item(
        f"A kernel is launched with {blocks} blocks of {block} threads. How many warps are there in all, how "
        "many lanes does the last warp of a block use, and how many lanes are active on average?",
        [
            f"{blocks} · {warps} = {blocks * warps}: a warp never spans two blocks",
            f"{block} − {32 * (warps - 1)} = {block - 32 * (warps - 1)}",
            f"{block} / {warps} = {block / warps:.1f} of 32",
        ],
        (blocks * warps, block / warps),
        run,
    )


@question("02.occupancy", 6)
def resident(rng: Random) -> Item:
    """Blocks that fit on a multiprocessor, and what stops more."""
    card = GPUS["A100"]
    block, registers = rng.choice([128, 256, 512]), rng.choice([40, 48, 64, 80, 96])
    by_warps, by_registers = card.warps * 32 // block, card.registers // (registers * block)
    blocks = min(by_warps, by_registers)

    def run() -> tuple:
        found = occupancy(block, registers=registers, gpu=card.name)
        return found.blocks, found.warps, "registers" in found.limited_by

    return Item(
        f"A multiprocessor holds at most {card.warps} warps, {card.blocks} blocks and {card.registers} "
        f"registers. A kernel needs {registers} registers per thread, no shared memory, and is launched with "
        f"blocks of {block} threads. How many blocks are resident, which limit decides, and what is the "
        "occupancy?",
        [
            f"warps allow {by_warps} blocks, registers {card.registers} / ({registers} · {block}), rounded down: "
            f"{by_registers}",
            ("registers" if by_registers <= by_warps else "warps")
            + f" decide: {counted(blocks, 'block')}",
            f"{blocks * block // 32} of {card.warps} warps: {100 * blocks * block / 32 / card.warps:g}%",
        ],
        (blocks, blocks * block // 32, by_registers <= by_warps),
        run,
    )
