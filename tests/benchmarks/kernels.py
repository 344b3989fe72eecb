"""Kernels whose floor is memory: bytes that must move, per second, beside a plain copy, on the GPU.

    python -m tests.benchmarks.kernels

Every input is read once and every output written once, whatever a kernel really moves. Prints a table and stores it
in results/kernels.json. About a quarter of a minute.

What limits the rows below a copy on an H200: `add` loads one float per array and thread, so that too few bytes are in
flight to cover the memory's latency (`add, float4` has four times as many). Pooling with overlapping windows reads some
inputs twice, from caches. Few classes: the detour through shared memory, and exponentials.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from nnlib import device
from nnlib.ops import kernels as ops
from nnlib.ops.fast.tiling import pooling_cells, window_options

from .timing import interleaved, need_gpu, store

N = 1 << 27  # elements of the element-wise arrays: 512 MiB, ten times the L2 cache of an H200
IMAGES = (512, 64, 56, 56)  # N, C, H, W: 411 MB
Work = tuple[str, int, Callable[[], Any]]  # name, bytes that must move, one call


def vectors(xp: Any) -> Iterator[Work]:
    x, y, out = (xp.random.standard_normal(N, dtype=xp.float32) for _ in range(3))

    def launch(name: str, grid: int, *args: Any) -> Callable[[], None]:
        kernel = ops.kernel("vector", name)
        return lambda: kernel((grid,), (256,), args)

    yield "copy (cudaMemcpy)", 8 * N, lambda: xp.copyto(out, x)
    yield "copy", 8 * N, launch("copy", N // 1024, x, out, N)
    yield "add", 12 * N, launch("add", N // 256, x, y, out, N)
    yield "add, in chunks", 12 * N, launch("add_chunks", N // (8 * 256), x, y, out, N, 8)
    yield "add, grid-stride", 12 * N, launch("add_strided", 132 * 32, x, y, out, N)
    yield "add, float4", 12 * N, launch("add_float4", N // 1024, x, y, out, N)


def activations(xp: Any) -> Iterator[Work]:
    x, dy = (xp.random.standard_normal(N, dtype=xp.float32) for _ in range(2))
    for name in ("relu", "leaky_relu", "sigmoid", "tanh", "gelu"):
        forward, backward = getattr(ops, name), getattr(ops, name + "_backward")
        yield name, 8 * N, lambda forward=forward: forward(x)
        yield name + ", gradient", 12 * N, lambda backward=backward: backward(dy, x)
    mask = ops.dropout(x, 0.5, seed=1)[1]
    yield "dropout", 9 * N, lambda: ops.dropout(x, 0.5, seed=1)
    yield "dropout, gradient", 9 * N, lambda: ops.dropout_backward(dy, mask, 0.5)


def losses(xp: Any) -> Iterator[Work]:
    for classes, file in ((10, "fast/loss_few"), (1000, "loss")):
        rows = N // 2 // classes
        logits = xp.random.standard_normal((rows, classes), dtype=xp.float32)
        labels = xp.random.randint(0, classes, rows, dtype=xp.int32)
        each, gradient = xp.empty(rows, xp.float32), xp.empty_like(logits)
        # The kernel without the check of the labels, which waits for the GPU.
        few = file == "fast/loss_few"
        kernel = ops.kernel(
            file, "softmax_cross_entropy", (f"-DCLASSES={classes}" if few else "-DENTRIES=32",)
        )
        grid, sizes = (-(-rows // 256), (rows,)) if few else (-(-rows // 8), (rows, classes))
        yield f"softmax, {classes} classes", 8 * logits.size, lambda x=logits: ops.softmax(x)
        yield (
            f"softmax cross-entropy, {classes} classes",
            8 * logits.size + 8 * rows,
            lambda kernel=kernel, grid=grid, args=(logits, labels, each, gradient, *sizes): kernel(
                (grid,), (256,), args
            ),
        )


def images(xp: Any) -> Iterator[Work]:
    n, c, h, w = IMAGES
    x = xp.random.standard_normal(IMAGES, dtype=xp.float32)
    for size, stride in ((2, 2), (3, 2)):
        name = f"{size}×{size}, stride {stride}"
        y, argmax = ops.max_pool2d(x, size, stride)
        moved = 4 * x.size + 4 * y.size
        yield (
            f"max pool {name}",
            moved + 4 * y.size,
            lambda s=size, t=stride: ops.max_pool2d(x, s, t),
        )
        yield f"avg pool {name}", moved, lambda s=size, t=stride: ops.avg_pool2d(x, s, t)
        yield (
            f"avg pool {name}, gradient",
            moved,
            lambda dy=y, s=size, t=stride: ops.avg_pool2d_backward(dy, IMAGES, s, t),
        )
        gather = ops.kernel("fast/windows", "max_pool_backward", window_options(h, w, size, stride))
        grid, dx = -(-pooling_cells(n * c, h, w, stride) // 256), xp.empty_like(x)
        yield (
            f"max pool {name}, gradient",
            moved + 4 * y.size,
            lambda gather=gather, grid=grid, args=(y, argmax, dx, n * c): gather(
                (grid,), (256,), args
            ),
        )
    few = x[:64].copy()
    columns = ops.im2col(few, 3, 3, 1, 1)
    yield "im2col 3×3", 4 * few.size + 4 * columns.size, lambda: ops.im2col(few, 3, 3, 1, 1)
    yield (
        "col2im 3×3",
        4 * few.size + 4 * columns.size,
        lambda: ops.col2im(columns, few.shape, 3, 3, 1, 1),
    )


def optimizers(xp: Any) -> Iterator[Work]:
    params, grads, m, v = (xp.random.random(N, dtype=xp.float32) for _ in range(4))
    yield "SGD with momentum", 20 * N, lambda: ops.sgd_step(params, grads, m, 1e-3, 0.9)
    yield "Adam", 28 * N, lambda: ops.adam_step(params, grads, m, v, 1, 1e-3)


def main() -> None:
    need_gpu()
    rows: list[dict[str, Any]] = []
    for group in (vectors, activations, losses, images, optimizers):
        work = list(group(device.xp))
        timings = interleaved({name: call for name, _, call in work}, rounds=11)
        for name, size, _ in work:
            rate = size / timings[name].median
            copy = rows[0]["bytes_per_second"] if rows else rate
            rows.append(
                {
                    "kernel": name,
                    "bytes": size,
                    "seconds": timings[name].median,
                    "spread": timings[name].spread,
                    "bytes_per_second": round(rate),
                    "share": round(rate / copy, 3),
                }
            )
        del work, timings
        device.xp.get_default_memory_pool().free_all_blocks()
    store("kernels", {"rows": rows})


if __name__ == "__main__":
    main()
