"""Linear layers and convolutions of many shapes beside PyTorch (cuBLAS, cuDNN), float32 without TF32, on the GPU.

    python -m tests.benchmarks.shapes

Checks every result against PyTorch's, prints a table and stores it in results/shapes.json. About two minutes.

cuDNN and kernels/fast/winograd.cu compute many 3×3 convolutions of stride 1 with fewer multiplications than the
definition has (Winograd: Lavin and Gray, 2016): their rows may show more TFLOP/s than the GPU's 67.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch.nn import functional

from nnlib import device
from nnlib.ops import kernels

from .timing import interleaved, store

LINEAR = [
    (4096, 4096, 4096),
    (2048, 2048, 2048),
    (1536, 1536, 1536),
    (1024, 1024, 1024),
    (512, 512, 512),
    (1000, 777, 1333),
    (60000, 784, 10),
    (64, 784, 256),
    (128, 3136, 512),
]  # N, inputs, outputs
CONVOLUTIONS = [  # images, channels, pixels, filters, window, stride, padding
    (64, 16, 26, 32, 3, 1, 0),
    (16, 3, 224, 64, 3, 1, 1),
    (8, 64, 224, 64, 3, 1, 1),
    (32, 3, 224, 64, 7, 2, 3),
    (64, 64, 56, 64, 3, 1, 1),
    (64, 256, 56, 64, 1, 1, 0),
    (64, 64, 56, 128, 3, 2, 1),
    (64, 128, 28, 128, 3, 1, 1),
    (256, 128, 28, 128, 3, 1, 1),
    (64, 256, 14, 256, 3, 1, 1),
    (1, 256, 14, 256, 3, 1, 1),
    (64, 512, 7, 512, 3, 1, 1),
]
Case = tuple[
    str, str, int, Callable[[], Any], Callable[[], Any]
]  # shape, direction, FLOP, ours, PyTorch's


def linear_cases(
    random: Any, sizes: Sequence[tuple[int, int, int]] = LINEAR, ops: Any = kernels
) -> Iterator[Case]:
    for N, I, O in sizes:
        x, w, b, dy = (random.standard_normal(s, dtype="f") for s in ((N, I), (O, I), O, (N, O)))
        tx, tw, tb, tdy = map(torch.from_dlpack, (x, w, b, dy))
        name, flop = f"linear {N}×{I} → {O}", 2 * N * I * O
        yield (
            name,
            "forward",
            flop,
            lambda x=x, w=w, b=b: ops.linear(x, w, b),
            lambda x=tx, w=tw, b=tb: functional.linear(x, w, b),
        )
        yield (
            name,
            "backward",
            2 * flop,
            lambda dy=dy, x=x, w=w: ops.linear_backward(dy, x, w),
            lambda dy=tdy, x=tx, w=tw: (dy @ w, dy.T @ x, dy.sum(0)),
        )


def convolution_cases(
    random: Any,
    sizes: Sequence[tuple[int, int, int, int, int, int, int]] = CONVOLUTIONS,
    ops: Any = kernels,
    images_need_gradients: bool = False,
) -> Iterator[Case]:
    for N, C, size, F, K, stride, padding in sizes:
        out = (size + 2 * padding - K) // stride + 1
        x, w, b, dy = (
            random.standard_normal(s, dtype="f")
            for s in ((N, C, size, size), (F, C, K, K), F, (N, F, out, out))
        )
        tx, tw, tb, tdy = map(torch.from_dlpack, (x, w, b, dy))
        name = f"conv {N}×{C}×{size}² → {F}, {K}×{K}" + (f", stride {stride}" if stride > 1 else "")
        flop, at = 2 * N * F * out * out * C * K * K, (stride, padding)
        first = C == 3 and not images_need_gradients
        yield (
            name,
            "forward",
            flop,
            lambda x=x, w=w, b=b, at=at: ops.conv2d(x, w, b, *at),
            lambda x=tx, w=tw, b=tb, at=at: functional.conv2d(x, w, b, *at),
        )
        yield (
            name,
            "backward",
            flop if first else 2 * flop,
            lambda dy=dy, x=x, w=w, at=at, dx=not first: ops.conv2d_backward(
                dy, x, w, *at, needs_dx=dx
            ),
            lambda dy=tdy, x=tx, w=tw, F=F, s=stride, p=padding, dx=not first: (
                torch.ops.aten.convolution_backward(
                    dy, x, w, [F], [s, s], [p, p], [1, 1], False, [0, 0], 1, [dx, True, True]
                )
            ),
        )


def difference(ours: Any, theirs: Any) -> float:
    """The largest relative difference of any result, in the 2-norm."""
    mine = ours if isinstance(ours, tuple) else (ours,)
    other = theirs if isinstance(theirs, tuple) else (theirs,)
    pairs = [(torch.from_dlpack(a), b) for a, b in zip(mine, other, strict=True) if a is not None]
    return max(float((a - b.reshape(a.shape)).norm() / b.norm()) for a, b in pairs)


def row(case: Case) -> dict[str, Any]:
    name, direction, flop, ours, theirs = case
    error = difference(ours(), theirs())
    if not error < 1e-4:
        raise SystemExit(f"{name}, {direction}: differs from PyTorch's by {error:.1e}")
    times = interleaved({"ours": ours, "torch": theirs}, rounds=11)
    mine, other = times["ours"], times["torch"]
    print(
        f"{name:40s} {direction:9s} {mine.median * 1e6:9.1f} us {other.median * 1e6:9.1f} us   "
        f"{other.median / mine.median:5.2f}   {error:.0e}",
        flush=True,
    )
    return {
        "shape": name,
        "direction": direction,
        "seconds": mine.median,
        "spread": mine.spread,
        "torch": other.median,
        "torch_spread": other.spread,
        "tflops": round(flop / mine.median / 1e12, 1),
        "torch_tflops": round(flop / other.median / 1e12, 1),
        "share": round(other.median / mine.median, 2),
        "difference": float(f"{error:.0e}"),
    }


def pytorch_in_float32() -> dict[str, str]:
    """Let PyTorch compute in float32 with the algorithms that cuDNN finds fastest; the versions of both."""
    if not device.has_gpu():
        raise SystemExit(f"this benchmark needs an NVIDIA GPU: {device.find().reason}")
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    return {"torch": torch.__version__, "cuDNN": str(torch.backends.cudnn.version())}


def main() -> None:
    versions = pytorch_in_float32()
    random = device.xp.random.default_rng(0)
    rows = [row(case) for cases in (linear_cases, convolution_cases) for case in cases(random)]
    store("shapes", {"rows": rows, "versions": versions})


if __name__ == "__main__":
    main()
