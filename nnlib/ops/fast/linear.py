"""The linear layer's three matrix products: kernels/fast/product.cu; for few outputs kernels/linear.cu."""

from collections.abc import Sequence

from nnlib.device import Array
from nnlib.ops.fast import product
from nnlib.ops.fast.prepared import prepared
from nnlib.ops.fast.product import Product
from nnlib.ops.launching import BLOCK, Tiling, ceil_div, contiguous, dense, each, empty, run
from nnlib.ops.mixed_precision import current_precision
from nnlib.ops.shapes import require_matrices, require_shape, split_gradients

FEW_OUTPUTS = 16  # sums that a thread keeps in registers
_FEW_ROWS = 1024  # rows of a batch that one block reads one after the other


@prepared
def linear(x: Array, w: Array, b: Array) -> Array:
    """Return y (N, OUT) = x wᵀ + b, by tiles; few outputs by one warp each. Large products need copies of x and w."""
    require_matrices(x, w)
    require_shape("b", b, (w.shape[0],))
    (x, w), b = contiguous(x, w), dense(b)
    y = empty(x, (x.shape[0], w.shape[0]))
    linear_into(x, w, b, y)
    return y


def linear_into(x: Array, w: Array, b: Array, y: Array, relu: bool = False) -> None:
    """Compute y (N, OUT) = x wᵀ + b, or max(that, 0), in place."""
    (N, I), O = x.shape, w.shape[0]
    if N * O <= 4096 and not current_precision().narrow:  # a warp for each output
        few = Tiling("linear", "linear_forward_warp", (), (ceil_div(N * O, 8),), (256,))
        run(few, x, w, b, y, N, I, O, int(relu))
        return
    whole = product.linear_forward(N, I, O, relu, True, current_precision())
    multiply([whole], x, w, b, out=y)
    if relu and whole.parts > 1:  # the sign is known once the parts are added
        each(
            "activation",
            "activate",
            ceil_div(y.size, 4),
            y,
            y,
            y.size,
            options=("-DACTIVATION=relu",),
        )


@prepared
def linear_backward(
    dy: Array, x: Array, w: Array, needs_dx: bool = True, out: Array = None
) -> tuple[Array, Array, Array]:
    """Return (dx, dw, db) from dy (N, OUT); long sums of few results are cut into parts, of 64 MiB in all at the most.

    Large products need a copy of dy, too.
    """
    require_matrices(x, w)
    require_shape("dy", dy, (x.shape[0], w.shape[0]))
    dy, x, w = contiguous(dy, x, w)
    (N, I), O = x.shape, w.shape[0]
    sums = empty(x, w.size + O) if out is None else out
    dw, db = split_gradients(sums, w)
    if 0 < O <= FEW_OUTPUTS and I > 0 and N <= _FEW_ROWS and not current_precision().narrow:
        options, grid = (f"-DOUT={O}", f"-DIN={I}"), (ceil_div(I, 32),)
        few = Tiling("fast/training", "linear_backward_few", options, grid, (256,))
        dx = empty(x, x.shape)
        run(few, dy, x, w, dx, dw, db, N)
        return dx if needs_dx else None, dw, db
    weights = product.linear_backward_weight(N, I, O, current_precision())
    multiply([weights], dy, x, out=sums if weights.size == sums.size else dw)
    if weights.size < sums.size:
        _sum_rows(dy, db)
    if not needs_dx:
        return None, dw, db
    whole = product.linear_backward_input(N, I, O, True, current_precision())
    return multiply([whole], dy, w).reshape(x.shape), dw, db


def _sum_rows(dy: Array, db: Array) -> None:
    """Compute db, the rows of dy cut into as many parts as the grid has along y."""
    (N, O), across = dy.shape, ceil_div(dy.shape[1], 32)
    parts = max(1, min(N // 512, 1024 // max(1, across)))
    partials = db if parts == 1 else empty(dy, (parts, O))
    run(Tiling("linear", "linear_backward_bias", (), (across, parts), (BLOCK,)), dy, partials, N, O)
    sum_parts(partials, parts, db)


def multiply(
    products: Sequence[Product], a: Array, b: Array, bias: Array = None, out: Array = None
) -> Array:
    """Return the results of all products, in `out` or in a new flat array: each fills its share of it."""
    parts = products[0].parts
    sums = empty(a, products[0].size) if out is None else out
    partials = sums if parts == 1 else empty(a, (parts, products[0].size))
    a, b = (
        transposed(x) if turn else x for x, turn in zip((a, b), products[0].turned, strict=True)
    )
    for one in products:
        run(one.tiling, *one.arguments(a, b, a if bias is None else bias, partials))
    sum_parts(partials, parts, sums)
    return sums


def transposed(x: Array) -> Array:
    """Return a copy of xᵀ whose rows are padded with zeros to a multiple of four."""
    R, C = x.shape
    y = empty(x, (C, ceil_div(R, 4) * 4))
    run(
        Tiling("transpose", "transpose", (), (ceil_div(R, 32) * ceil_div(C, 32),), (32, 8)),
        x,
        y,
        R,
        C,
        y.shape[1],
    )
    return y


def sum_parts(partials: Array, parts: int, sums: Array) -> None:
    """Compute sums = partials.sum(axis=0) in a fixed order; a single part is there already."""
    if parts > 1:
        each("linear", "sum_parts", sums.size, partials, sums, parts, sums.size)
