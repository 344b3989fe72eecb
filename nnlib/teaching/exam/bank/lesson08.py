"""Questions on lesson 08: Amdahl's law, tiles, registers, fusion, graphs, streams, roofs, fair comparisons."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np

from nnlib.cuda import GPUS, occupancy
from nnlib.teaching.exam.question import Item, floats, profiled, question


@question("08.amdahl", 5)
def amdahl(rng: Random) -> Item:
    """Which of two repairs is better."""
    times = sorted((rng.randrange(2, 9) * 5 for _ in range(2)), reverse=True)
    times = [times[0] + 20, *times]
    factor, total = rng.choice([4, 5]), sum(times)
    first, others = (
        Fraction(times[0], 2) + sum(times[1:]),
        times[0] + Fraction(sum(times[1:]), factor),
    )

    def run() -> tuple:
        changed = [[times[0] / 2, *times[1:]], [times[0], *(time / factor for time in times[1:])]]
        return tuple(total / sum(step) for step in changed) + (total / sum(times[1:]),)

    best = Fraction(total, sum(times[1:]))
    return Item(
        f"A step has kernels of {times[0]}, {times[1]} and {times[2]} µs. You can make the first one twice as "
        f"fast, or both others {factor} times as fast. What is the speed-up of the step in each case, and "
        "what is the most that any work on the first kernel can bring?",
        [
            f"{total} / {float(first):g} = {float(total / first):.2f}",
            f"{total} / {float(others):g} = {float(total / others):.2f}",
            f"{total} / {sum(times[1:])} = {float(best):.2f}: as if it took no time",
        ],
        (float(total / first), float(total / others), float(best)),
        run,
    )


@question("08.halo", 5)
def halo(rng: Random) -> Item:
    """Reads of a tile with its halo."""
    side, window = rng.choice([8, 16, 32]), rng.choice([3, 5])
    alone, tile = side**2 * window**2, (side + window - 1) ** 2

    def run() -> tuple:
        seen = [
            (r + i, c + j)
            for r in range(side)
            for c in range(side)
            for i in range(window)
            for j in range(window)
        ]
        return len(seen), len(set(seen))

    return Item(
        f"A block computes {side} × {side} results of a {window} × {window} convolution. How many pixels do "
        "its threads read from global memory if each reads its own window? How many if they load a tile with "
        "its halo into shared memory first, and how many times fewer is that?",
        [
            f"{side}² · {window}² = {alone:,}",
            f"({side} + {window} − 1)² = {tile:,}",
            f"{alone / tile:.1f} times",
        ],
        (alone, tile),
        run,
    )


@question("08.registers", 5)
def registers(rng: Random) -> Item:
    """Numbers read for each product, for a tile of sums in registers."""
    a, b = rng.choice([(2, 4), (2, 8), (4, 4), (4, 8), (1, 8)])
    text = f"""
        __global__ void f(const float* x, const float* w, float* y) {{
            float u[{a}], v[{b}];
            for (int i = 0; i < {a}; i++) u[i] = x[i];
            for (int j = 0; j < {b}; j++) v[j] = w[j];
            for (int i = 0; i < {a}; i++)
                for (int j = 0; j < {b}; j++) y[i * {b} + j] = u[i] * v[j];
        }}"""

    def run() -> tuple:
        counts = profiled(text, 1, 1, floats(a), floats(b), floats(a * b))
        return counts.global_load.bytes // 4, counts.flops

    return Item(
        f"In each step a thread reads {a} input{'s' * (a > 1)} and {b} weights into registers, and adds their "
        "products to as many sums. How many numbers does it read and how many products does it make per step, "
        f"how many numbers per product is that, and which shape with {a * b} sums needs the fewest?",
        [
            f"{a + b} numbers, {a * b} products",
            f"{(a + b) / (a * b):g} per product",
            {8: "2 × 4", 16: "4 × 4", 32: "4 × 8"}[a * b] + ": the shape nearest to a square",
        ],
        (a + b, a * b),
        run,
    )


def _finished(batches: int, buffers: int, copy: int, compute: int) -> int:
    """When the last of the batches is computed."""
    copied: list[int] = []
    computed: list[int] = []
    for batch in range(batches):
        free = computed[batch - buffers] if batch >= buffers else 0
        copied.append(max(copied[-1] if copied else 0, free) + copy)
        computed.append(max(copied[-1], computed[-1] if computed else 0) + compute)
    return computed[-1]


@question("08.buffers", 5)
def buffers(rng: Random) -> Item:
    """Copying and computing with one and with two buffers."""
    batches, copy = rng.choice([5, 8, 10]), rng.randrange(2, 7)
    compute = rng.choice([time for time in range(2, 8) if time != copy])
    slower, faster = max(copy, compute), min(copy, compute)
    one, two = batches * (copy + compute), batches * slower + faster

    def run() -> tuple:
        return tuple(_finished(batches, count, copy, compute) for count in (1, 2, 3))

    return Item(
        f"Copying a batch takes {copy} ms, and computing with it {compute} ms. How long do {batches} batches "
        "take with one buffer, with two, and with three?",
        [
            f"one: {batches} · {copy + compute} = {one} ms",
            f"two: {batches} · {slower} + {faster} = {two} ms",
            f"three: {two} ms again, since {'copying' if copy > compute else 'computing'} never pauses",
        ],
        (one, two, two),
        run,
    )


@question("08.long_sums", 5)
def long_sums(rng: Random) -> Item:
    """A thread for each sum beside a warp for each sum."""
    sums, length = 32, rng.choice([64, 128, 256])
    text = f"""
        __global__ void f(const float* a, float* out) {{
            float sum = 0.0f;
            for (int k = 0; k < {length}; k++) sum += a[threadIdx.x * {length} + k];
            out[threadIdx.x] = sum;
        }}"""
    shared = f"""
        __global__ void f(const float* a, float* out) {{
            int row = threadIdx.x / 32, lane = threadIdx.x % 32;
            float sum = 0.0f;
            for (int k = lane; k < {length}; k += 32) sum += a[row * {length} + k];
            for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
            if (lane == 0) out[row] = sum;
        }}"""

    def run() -> tuple:
        a, out = floats(sums, length), floats(sums)
        return (
            profiled(text, 1, 32, a, out).global_load.sectors,
            profiled(shared, 1, 32 * sums, a, out).global_load.sectors,
        )

    return Item(
        f"{sums} rows of {length} floats are added up, first with one thread for each row, then with one warp "
        "for each row, whose lanes read side by side. How many sectors do all loads fetch in each version, and "
        "how many threads are at work?",
        [
            f"a sector for each lane and each step: {length} · 32 = {32 * length:,}",
            f"each sector once: {sums} · {length} / 8 = {sums * length // 8:,}",
            f"32 and {32 * sums:,} threads",
        ],
        (32 * length, sums * length // 8),
        run,
    )


@question("08.graph", 5)
def graph(rng: Random) -> Item:
    """A CUDA graph that ignores the schedule of the learning rate."""
    w, gradient, rate = rng.randrange(3, 9), rng.randrange(1, 4), Fraction(1, rng.choice([2, 4]))
    rates = [rate, rate / 2, rate / 4]
    text = "__global__ void f(float* w, float g, float lr) { w[0] -= lr * g; }"

    def run() -> tuple:
        found = []
        for schedule in (rates, [rate] * 3):
            value = np.array([w], np.float32)
            for lr in schedule:
                profiled(text, 1, 1, value, gradient, float(lr))
            found.append(float(value[0]))
        return tuple(found)

    wanted, frozen = w - sum(rates) * gradient, w - 3 * rate * gradient
    return Item(
        f"A step `w -= lr * g` is recorded in a CUDA graph and replayed three times. The schedule says lr = "
        f"{', '.join(f'{float(lr):g}' for lr in rates)}, w begins at {w}, and g is {gradient} each time. Which "
        "w is wanted, and which w comes out if lr is an argument of the recorded launch? What is the repair?",
        [
            f"{float(wanted):g}",
            f"{float(frozen):g}: the recorded number stays {float(rate):g}",
            "keep lr in device memory, or update the launch's argument in the graph",
        ],
        (float(wanted), float(frozen)),
        run,
    )


@question("08.fused", 5)
def fused(rng: Random) -> Item:
    """Bytes of a convolution's ReLU, apart and fused."""
    filters, side = rng.choice([8, 16, 32]), rng.choice([12, 14, 26])
    n = filters * side**2
    apart = """
        __global__ void f(const float* y, float* out, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) out[i] = fmaxf(y[i], 0.0f);
        }"""

    def run() -> tuple:
        counts = profiled(apart, -(-n // 256), 256, floats(n), floats(n), n)
        return (counts.bytes_requested,)

    return Item(
        f"A convolution writes {filters} × {side} × {side} floats for an image, and a second kernel applies "
        "ReLU to them. How many bytes does the second kernel read and write, how many of the bytes of both "
        "kernels does a fused kernel save, and does the backward pass still work?",
        [
            f"8 · {n} = {8 * n:,} bytes",
            f"those {8 * n:,}: the fused kernel only writes the result once",
            "yes: the result is positive exactly where the input of ReLU was",
        ],
        (8 * n,),
        run,
    )


@question("08.roof", 5)
def roof(rng: Random) -> Item:
    """The limits of two kernels on a card."""
    peak, band = rng.choice([20, 40, 60]), rng.choice([1, 2, 4])
    few, many = rng.choice([2, 4]), rng.choice([400, 800])
    text = """
        __global__ void f(const float* x, float* y) {
            float v = x[threadIdx.x], sum = 0.0f;
            for (int k = 0; k < TIMES; k++) sum = sum + v;
            y[threadIdx.x] = sum;
        }"""

    def run() -> tuple:
        counts = [
            profiled(text.replace("TIMES", str(times)), 1, 32, floats(32), floats(32))
            for times in (few, many)
        ]
        return tuple(count.flops / count.bytes_requested for count in counts)

    limits = [min(Fraction(peak), Fraction(times, 8) * band) for times in (few, many)]
    return Item(
        f"A card does {peak} TFLOP/s and moves {band} TB/s. Two kernels read and write one float per element, "
        f"and do {few} and {many} FLOP in between. What is the intensity of each, and what is the highest "
        "rate in TFLOP/s that each can reach? Where is the ridge?",
        [
            f"{few / 8:g} and {many / 8:g} FLOP per byte",
            f"{float(limits[0]):g} and {float(limits[1]):g} TFLOP/s",
            f"{peak} / {band} = {peak / band:g} FLOP per byte",
        ],
        (few / 8, many / 8),
        run,
    )


@question("08.shared", 5)
def shared_memory(rng: Random) -> Item:
    """Occupancy with tiles in shared memory."""
    card = GPUS["H200"]
    block, kib = rng.choice([128, 256]), rng.choice([20, 30, 40, 50, 70])
    by_shared, by_warps = (card.shared >> 10) // (kib + 1), card.warps * 32 // block
    blocks = min(by_shared, by_warps)

    def run() -> tuple:
        found = occupancy(block, shared_mem=kib << 10, gpu=card.name)
        return found.blocks, found.warps

    return Item(
        f"A multiprocessor has {card.shared >> 10} KiB of shared memory and holds {card.warps} warps. CUDA "
        f"itself takes 1 KiB per block. A kernel has blocks of {block} threads with tiles of {kib} KiB. How "
        "many blocks are resident, how many warps is that, and is the kernel necessarily slow if these are "
        "few?",
        [
            f"{card.shared >> 10} / {kib + 1}, rounded down: {by_shared}; warps allow {by_warps}: {blocks} "
            f"block{'s' * (blocks > 1)}",
            f"{blocks * block // 32} of {card.warps} warps",
            "no: many independent sums in a thread hide the waiting, too",
        ],
        (blocks, blocks * block // 32),
        run,
    )
