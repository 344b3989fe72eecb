"""What lesson 05 says about time, on the GPU: unfolding in three ways, folding in two, convolving in three.

    python -m tests.benchmarks.convolution

The layer is the second convolution of the reference network, float32 without TF32. Checks every result, prints a table
and stores it in results/convolution.json. About a quarter of a minute.

NumPy unfolds on the host, by its clock; all else runs on the GPU with its arrays there. `col2im_atomic` includes the
zeros that x must hold before. The product is cuBLAS's; it leaves the bias out, which favours the way by columns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nnlib import device, mine
from nnlib.course.timing import Timing, stopwatch
from nnlib.cuda import RawKernel
from nnlib.mine.launch import launch_of
from nnlib.ops import arrays
from nnlib.ops.kernels import kernel
from nnlib.ops.launching import ceil_div

from .timing import interleaved, need_gpu, store

LAYER = {"C": 16, "H": 26, "W": 26, "F": 32, "K": 3}
BATCHES = (32, 64)
Calls = dict[str, Callable[[], Any]]


def im2col_loops(x: Any, K: int) -> Any:
    """Columns (N, C * K * K, OH * OW), place by place, as lesson 05 writes it first."""
    N, C, H, W = x.shape
    OH, OW = H - K + 1, W - K + 1
    columns = np.empty((N, C * K * K, OH * OW), x.dtype)
    for oy in range(OH):
        for ox in range(OW):
            columns[:, :, oy * OW + ox] = x[:, :, oy : oy + K, ox : ox + K].reshape(N, -1)
    return columns


def images(batch: int) -> Any:
    """x (N, C, H, W) on the host."""
    return np.random.default_rng(5).standard_normal(
        (batch, *(LAYER[name] for name in "CHW")), np.float32
    )


def on_host(batch: int) -> dict[str, float]:
    """Seconds of NumPy's two ways: the median of eleven calls."""
    x, K = images(batch), LAYER["K"]
    ways: Calls = {"loops": lambda: im2col_loops(x, K), "strides": lambda: arrays.im2col(x, K, K)}
    assert np.array_equal(ways["loops"](), ways["strides"]())
    return {
        name: float(np.median([stopwatch(call) for _ in range(11)])) for name, call in ways.items()
    }


def columns(batch: int) -> Calls:
    """Unfolding and folding on the GPU, checked."""
    xp, (C, H, W, K) = device.xp, (LAYER[name] for name in "CHWK")
    x = device.to_device(images(batch))
    unfolded = xp.empty((batch, C * K * K, (H - K + 1) * (W - K + 1)), xp.float32)
    folded, atomic = xp.empty_like(x), xp.empty_like(x)

    def launch(name: str, threads: int, source: Any, target: Any) -> None:
        kernel("convolution", name)(
            (ceil_div(threads, 256),), (256,), (source, target, batch * C, H, W, K)
        )

    def scatter() -> None:
        atomic.fill(0)
        launch("col2im_atomic", unfolded.size, unfolded, atomic)

    calls: Calls = {
        "im2col": lambda: launch("im2col", unfolded.size, x, unfolded),
        "col2im_atomic": scatter,
        "col2im": lambda: launch("col2im", x.size, unfolded, folded),
    }
    for call in calls.values():
        call()
    assert xp.array_equal(unfolded, arrays.im2col(x, K, K)) and xp.allclose(
        folded, atomic, atol=1e-4
    )
    return calls


def forward(batch: int) -> Calls:
    """The layer by the first version of the piece, by columns and a product, and by the best version known."""
    xp, (C, H, W, F, K), rng = (
        device.xp,
        (LAYER[name] for name in "CHWFK"),
        np.random.default_rng(6),
    )
    piece, sizes = mine.PIECES["conv_forward"], {"N": batch, **LAYER, "stride": 1, "pad": 0}
    w, b = (
        device.to_device(rng.standard_normal(shape, np.float32)) for shape in ((F, C, K, K), (F,))
    )
    x = device.to_device(images(batch))
    unfolded, product = (
        arrays.im2col(x, K, K),
        xp.empty((batch, F, (H - K + 1) * (W - K + 1)), xp.float32),
    )
    outs = {
        name: xp.empty((batch, F, H - K + 1, W - K + 1), xp.float32)
        for name in ("first version", "best version")
    }

    def direct(text: str, y: Any) -> Callable[[], None]:
        grid, block, shared = launch_of(piece, text).at(**sizes)
        compiled = RawKernel(text, piece.name)
        return lambda: compiled(
            grid, block, (x, w, b, y, *(sizes[name] for name in piece.integers)), shared_mem=shared
        )

    calls: Calls = {
        "first version": direct(piece.plain, outs["first version"]),
        "best version": direct(piece.best, outs["best version"]),
        "product": lambda: xp.matmul(w.reshape(F, -1), unfolded, out=product),
    }
    for call in calls.values():
        call()
    right = product.reshape(outs["first version"].shape) + b[:, None, None]
    assert all(xp.allclose(y, right, atol=1e-3) for y in outs.values())
    return calls


def row(name: str, batch: int, seconds: float, spread: float = 0.0) -> dict[str, Any]:
    return {"kernel": name, "batch": batch, "seconds": seconds, "spread": spread}


def main() -> None:
    need_gpu()
    rows = []
    for batch in BATCHES:
        rows += [row(name, batch, seconds) for name, seconds in on_host(batch).items()]
        timings: dict[str, Timing] = interleaved({**columns(batch), **forward(batch)}, rounds=21)
        rows += [row(name, batch, timing.median, timing.spread) for name, timing in timings.items()]
    store("convolution", {"layer": LAYER, "rows": rows})


if __name__ == "__main__":
    main()
