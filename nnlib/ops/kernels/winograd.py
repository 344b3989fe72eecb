"""3×3 convolutions of stride 1 by Winograd's way, nnlib/kernels/winograd.cu. Lesson 08."""

from __future__ import annotations

from typing import Any

from nnlib.ops import winograd
from nnlib.ops.kernels.launching import empty, run
from nnlib.ops.kernels.linear import sum_parts
from nnlib.ops.tiling import Convolution


def forward(shape: Convolution, x: Any, w: Any, b: Any) -> Any:
    """y (N, F, OH, OW) from x (N, C, H, W), w (F, C, 3, 3), b (F,)."""
    return _convolve(shape, x, w, b)


def backward_input(shape: Convolution, dy: Any, w: Any) -> Any:
    """dx (N, C, H, W) from dy (N, F, OH, OW) and w."""
    return _convolve(winograd.mirrored(shape), dy, w, None)


def backward_weight(shape: Convolution, dy: Any, x: Any, out: Any) -> None:
    """dw (F, C, 3, 3), then db (F), into the flat array `out`, from dy and x."""
    plan = winograd.weight_gradient(shape, x.shape[0])
    du = empty(x, plan.size)
    partials = du if plan.parts == 1 else empty(x, (plan.parts, plan.size))
    run(plan.tiling, dy, x, dy, partials, plan.tiles)
    sum_parts(partials, plan.parts, du)
    run(plan.filters, du, out, shape.F, shape.C)


def _convolve(shape: Convolution, x: Any, w: Any, b: Any) -> Any:
    plan = winograd.convolution(shape, x.shape[0], turned=b is None)
    u, y = empty(w, plan.size), empty(x, (x.shape[0], *shape.output))
    run(plan.filters, w, u, shape.F, shape.C)
    run(plan.tiling, u, x, u if b is None else b, y, plan.tiles)
    return y
