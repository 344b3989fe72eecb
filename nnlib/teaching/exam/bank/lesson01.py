"""Questions on lesson 01: threads, indices, guards, warps, races."""

from __future__ import annotations

from random import Random

import numpy as np

from nnlib.cuda import Program, RawKernel
from nnlib.teaching.exam.question import Item, code, counted, floats, profiled, question, rows


@question("01.threads", 4)
def threads(rng: Random) -> Item:
    """Blocks, threads, and threads without an element."""
    block, n = rng.choice([64, 128, 256]), rng.randrange(500, 3000)
    blocks = -(-n // block)
    n -= n == blocks * block

    def run() -> tuple:
        counts = np.zeros(2, np.int32)
        profiled(
            "__global__ void f(int* c, int n) { atomicAdd(&c[blockIdx.x * blockDim.x + threadIdx.x >= n], 1); }",
            blocks,
            block,
            counts,
            n,
        )
        return blocks, int(counts.sum()), int(counts[1])

    return Item(
        f"A kernel handles one element per thread. It is launched for n = {n} elements with blocks of {block} "
        "threads. How many blocks must the grid have, how many threads start, and how many of them have no "
        "element?",
        [
            f"{n} / {block}, rounded up: {blocks} blocks",
            f"{blocks} · {block} = {blocks * block} threads",
            f"{blocks * block} − {n} = {counted(blocks * block - n, 'thread')} without an element",
        ],
        (blocks, blocks * block, blocks * block - n),
        run,
    )


@question("01.index", 4)
def index(rng: Random) -> Item:
    """The element of one thread of a two-dimensional launch."""
    width, bx, by = rng.randrange(40, 90), rng.choice([8, 16]), rng.choice([4, 8])
    block, thread = (
        (rng.randrange(1, 3), rng.randrange(1, 4)),
        (rng.randrange(bx), rng.randrange(by)),
    )
    x, y = block[0] * bx + thread[0], block[1] * by + thread[1]
    text = """
        __global__ void mark(int* out, int width, int bx, int by, int tx, int ty) {
            int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
            if (blockIdx.x == bx && blockIdx.y == by && threadIdx.x == tx && threadIdx.y == ty) {
                out[0] = x; out[1] = y; out[2] = y * width + x;
            }
        }"""

    def run() -> tuple:
        out = np.zeros(3, np.int32)
        profiled(text, (3, 4), (bx, by), out, width, *block, *thread)
        return tuple(map(int, out))

    return Item(
        f"An image with {width} columns is stored row by row. Blocks have the size ({bx}, {by}). Which column "
        f"and which row does thread {thread} of block {block} handle, and at which index does this pixel lie?",
        [
            f"x = {block[0]} · {bx} + {thread[0]} = {x}",
            f"y = {block[1]} · {by} + {thread[1]} = {y}",
            f"index {y} · {width} + {x} = {y * width + x}",
        ],
        (x, y, y * width + x),
        run,
    )


@question("01.guard", 4)
def guard(rng: Random) -> Item:
    """What a launch without a guard writes behind its array."""
    block = rng.choice([4, 8, 16])
    n = block * rng.randrange(2, 6) + rng.randrange(1, block - 1)
    total = -(-n // block) * block
    text = """
        __global__ void fill(int* row) {
            row[blockIdx.x * blockDim.x + threadIdx.x] = 1;
        }"""

    def run() -> tuple:
        memory = np.zeros(2 * total, np.int32)
        profiled(text, -(-n // block), block, memory)
        behind = np.flatnonzero(memory[n:]) + n
        return len(behind), int(behind[0]), int(behind[-1])

    return Item(
        f"{code(text)}\n\n`row` has {n} elements, and the program launches enough blocks of {block} threads "
        "for all of them. How many addresses behind the row are overwritten, and which indices do they have? "
        "Write the line that prevents it (the kernel gets a parameter `n`).",
        [
            f"{total} threads start, so {total - n} write behind the row",
            f"indices {n} to {total - 1}",
            "`if (i < n)` in front of the write, with i the index",
        ],
        (total - n, n, total - 1),
        run,
    )


@question("01.divergence", 5)
def divergence(rng: Random) -> Item:
    """How many warps of a block diverge at a comparison with a threshold."""
    warps = rng.choice([4, 6, 8])
    limit = 32 * rng.randrange(1, warps - 1) + rng.randrange(3, 30)
    text = f"""
        __global__ void f(float* x) {{
            if (threadIdx.x < {limit}) x[threadIdx.x] = 1.0f;
            else x[threadIdx.x] = 2.0f;
        }}"""

    def run() -> tuple:
        x = floats(32 * warps)
        counts = profiled(text, 1, 32 * warps, x)
        mixed = [part for part in x.reshape(warps, 32) if len(set(part)) == 2]
        return counts.branches, counts.divergent_branches, int((mixed[0] == 1).sum())

    return Item(
        f"{code(text)}\n\nA block has {32 * warps} threads. How many warps reach the branch, how many of them "
        "diverge, and with how many active lanes do these run the first side?",
        [
            f"{32 * warps} / 32 = {warps} warps",
            f"1 diverges: the warp of thread {limit}",
            f"{limit} − {limit // 32 * 32} = {limit % 32} lanes",
        ],
        (warps, 1, limit % 32),
        run,
    )


@question("01.race", 5)
def race(rng: Random) -> Item:
    """The smallest and the largest result of an addition that races."""
    adders, value, start = rng.choice([3, 4, 5]), rng.randrange(2, 9), rng.randrange(10, 40)
    text = f"""
        __global__ void add(int* sum) {{
            sum[0] = sum[0] + {value};
        }}"""

    def run() -> tuple:
        kernel = RawKernel(f'extern "C" {text}', "add")
        found = {
            int(
                kernel.interleave(adders, 1, (np.array([start], np.int32),), order=order).results[
                    "sum"
                ][0]
            )
            for order in range(120)
        }
        return min(found), max(found)

    return Item(
        f"{code(text)}\n\n`sum[0]` is {start}, and the kernel is launched as `add<<<{adders}, 1>>>(sum)`. What "
        "is the smallest and what is the largest value that it can leave behind? How do you repair it?",
        [
            f"smallest {start + value}: all threads read before the first one writes",
            f"largest {start} + {adders} · {value} = {start + adders * value}: one thread after the other",
            f"`atomicAdd(&sum[0], {value})`",
        ],
        (start + value, start + adders * value),
        run,
    )


@question("01.grid", 5)
def grid(rng: Random) -> Item:
    """A two-dimensional grid, and the threads outside of the image."""
    width, height, bx, by = (
        rng.randrange(100, 200),
        rng.randrange(50, 99),
        *rng.choice([(16, 16), (32, 8), (32, 4)]),
    )
    gx, gy = -(-width // bx), -(-height // by)
    outside = gx * bx * gy * by - width * height
    text = """
        __global__ void f(int* c, int w, int h) {
            int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
            if (x >= w || y >= h) atomicAdd(c, 1);
        }"""

    def run() -> tuple:
        count = np.zeros(1, np.int32)
        profiled(text, (gx, gy), (bx, by), count, width, height)
        return gx, gy, int(count[0])

    return Item(
        f"An image has {width} columns and {height} rows, and blocks have the size ({bx}, {by}). How many "
        "blocks does the grid have in x and in y, and how many threads have no pixel? Write the guard.",
        [
            f"x: {width} / {bx}, rounded up, is {gx}; y: {height} / {by}, rounded up, is {gy}",
            f"{gx * bx} · {gy * by} − {width} · {height} = {outside} threads",
            "`if (x < width && y < height)`, or a return with both conditions",
        ],
        (gx, gy, outside),
        run,
    )


@question("01.reverse", 4)
def reverse(rng: Random) -> Item:
    """What a short kernel leaves in an array."""
    n, step = rng.choice([5, 6, 7]), rng.randrange(2, 5)
    x = np.array([rng.randrange(1, 9) for _ in range(n)], np.int32)
    hand = (x + step * np.arange(n, dtype=np.int32))[::-1].copy()
    text = f"""
        __global__ void f(const int* x, int* y, int n) {{
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) y[n - 1 - i] = x[i] + {step} * i;
        }}"""

    def run() -> tuple:
        y = np.zeros(n, np.int32)
        profiled(text, 2, 4, x, y, n)
        return (y,)

    return Item(
        f"{code(text)}\n\nx = {rows(x)}, n = {n}, and the launch is `f<<<2, 4>>>(x, y, n)`. What is in y "
        "afterwards, and which indices i fail the guard?",
        [
            f"thread i adds {step} · i to x[i]",
            f"in reverse order: y = {rows(hand)}",
            f"i = {n}" + (" to 7" if n < 7 else ""),
        ],
        (hand,),
        run,
    )


@question("01.program", 5)
def program(rng: Random) -> Item:
    """What a program prints whose launch is refused."""
    block, n, start = rng.choice([1056, 1200, 2048]), rng.randrange(3, 9), rng.randrange(5, 60)
    text = f"""\
__global__ void twice(int* x) {{ x[threadIdx.x] *= 2; }}

int main() {{
    int x[{n}], *dev_x;
    for (int i = 0; i < {n}; i++) x[i] = {start} + i;
    cudaMalloc(&dev_x, sizeof(x));
    cudaMemcpy(dev_x, x, sizeof(x), cudaMemcpyHostToDevice);
    twice<<<1, {block}>>>(dev_x);
    printf("%d ", cudaGetLastError() == cudaSuccess);
    cudaMemcpy(x, dev_x, sizeof(x), cudaMemcpyDeviceToHost);
    printf("%d", x[{n - 1}]);
    cudaFree(dev_x);
}}"""
    return Item(
        f"{code(text)}\n\nWhat does this program print? How many bytes does each copy move, and what would it "
        f"print with `twice<<<1, {n}>>>(dev_x)`?",
        [
            f"`0 {start + n - 1}`: a block of {block} threads is refused, and no thread runs",
            f"{n} · 4 = {4 * n} bytes",
            f"`1 {2 * (start + n - 1)}`",
        ],
        (f"0 {start + n - 1}", f"1 {2 * (start + n - 1)}"),
        lambda: (
            Program(text).run().output,
            Program(text.replace(f"1, {block}", f"1, {n}")).run().output,
        ),
    )
