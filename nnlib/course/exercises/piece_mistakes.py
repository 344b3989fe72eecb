"""The usual mistakes of each piece, as what they would write: hint -> {array: contents}. Lessons 01 to 08.

Computed from the inputs of the case that failed; NaN stands for what no thread has written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nnlib.mine.contract import Case
from nnlib.mine.pieces import PIECES

Mistakes = dict[str, dict[str, Any]]


def _of(output: str, mistakes: dict[str, Any]) -> Mistakes:
    return {hint: {output: value} for hint, value in mistakes.items()}


def _normalise_images(case: Case) -> Mistakes:
    x, mean, std = (case.arguments[name] for name in ("x", "mean", "std"))
    return _of("y", {
        "a pixel runs to 255: divide it by 255 first, mean and std belong to numbers from 0 to 1": (x - mean) / std,
        "255 is white, so divide by 255, not by 256": (x / 256 - mean) / std,
        "subtract the mean, do not add it": (x / 255 + mean) / std,
        "the mean is not subtracted": x / 255 / std,
        "divide by the standard deviation, too": x / 255 - mean,
        "brackets: first subtract the mean, then divide the difference by std": x / 255 - mean / std,
        "divide by std, do not multiply": (x / 255 - mean) * std,
        "two integers divide to an integer: write 255.0f": (x // 255 - mean) / std,
        "brackets: the mean is a mean of pixel / 255": (x - mean) / 255 / std,
        "mean and std are not used yet": x / 255,
        "nothing is computed: this is the pixel itself": x * 1.0,
        "the difference is turned around: pixel minus mean": (mean - x / 255) / std,
        "mean and std are exchanged": (x / 255 - std) / mean})


def _sgd_step(case: Case) -> Mistakes:
    w, g, lr = (case.arguments[name] for name in ("w", "g", "lr"))
    return _of("w", {
        "w stays as it was: store the new value, w[i] -= ...": w,
        "the step goes down the gradient: minus, not plus": w + lr * g,
        "the learning rate lr is missing": w - g,
        "change w by the step, do not replace it: -=": -lr * g,
        "change w by the step, do not replace it: w minus lr times g": lr * g,
        "the gradient is missing: lr times g[i]": w - lr,
        "the step is lr times g[i], of w only the old value is needed": w - lr * w,
        "brackets: only g is multiplied by lr": (w - g) * lr,
        "every element is changed twice: does a thread come by again?": w - 2 * lr * g,
        "multiply by lr, do not divide": w - g / lr,
        "w and g are exchanged": g - lr * w})


def _tile(matrix: Any, axis: int, first: int, count: int) -> Any:
    """The matrix with all but `count` places of the summed axis set to 0."""
    kept = np.zeros_like(matrix)
    part = (slice(None),) * axis + (slice(first, first + count),)
    kept[part] = matrix[part]
    return kept


def _products(output: str, a: Any, b: Any, product: Callable[[Any, Any], Any], axis: int,
              offset: Any = 0.0) -> Mistakes:
    """What goes wrong with the sum of a tiled product over the given axis of `a`."""
    length, right = a.shape[axis], product(a, b)
    found: dict[str, Any] = {}
    for T in (8, 16, 32):
        if length > T:
            found[f"only the first tile is summed: the loop goes on with the next {T}"] = product(
                _tile(a, axis, 0, T), b)
            last = (length - 1) // T * T
            found["only the last tile counts: is sum set to 0 inside the loop over the tiles, or = for +=?"] = product(
                _tile(a, axis, last, T), b)
            if length % T:
                found["the last tile, which is not full, is left out: where does the loop end?"] = product(
                    _tile(a, axis, 0, length // T * T), b)
                found["the first tile is left out: where does the loop over the tiles begin?"] = product(
                    _tile(a, axis, T, length), b)
    found["nothing is left of the sum: +=, not =, and 0 only once, before the loop over the tiles"] = 0 * right
    found["only one product is left of the sum: +=, not ="] = product(_tile(a, axis, length - 1, 1), b)
    found["the sum ends one product too early"] = product(_tile(a, axis, 0, length - 1), b)
    found["the first product is left out"] = product(_tile(a, axis, 1, length - 1), b)
    found["add the products, do not subtract them"] = -right
    found["the mean is not asked for: a sum, not divided"] = right / length
    found = {hint: value + offset for hint, value in found.items()}
    found["each result is written to the transposed place: rows come from y, columns from x"] = (
        right + offset).T.reshape(right.shape)
    return _of(output, found)


def _linear_forward(case: Case) -> Mistakes:
    x, w, b = (case.arguments[name] for name in "xwb")
    N, I, O = (case.sizes[name] for name in "NIO")
    found = _of("y", {
        "the bias b[o] is not added": x @ w.T,
        "every output o has a bias of its own: b[o]": x @ w.T + b[0],
        "w is (O, I): a row of it has I numbers, w[o * I + i]": x @ w.reshape(I, O) + b,
        "add the bias, do not subtract it": x @ w.T - b,
        "the bias is added once, at the end, not for each tile": x @ w.T + b * -(-I // 16),
        "the bias is added once, not for each product": x @ w.T + b * I,
        "the bias is missing, and w is (O, I): w[o * I + i]": x @ w.reshape(I, O),
        "a bias times the sum? Add it": (x @ w.T) * b})
    if N <= O:
        found |= _of("y", {"the bias belongs to the output o, not to the example n": x @ w.T + b[:N, None]})
    swapped = np.zeros((N, O))
    for first in range(0, I, 16):
        tile = np.zeros((-(-O // 16) * 16, 16))
        tile[:O, :len(w[0, first:first + 16])] = w[:, first:first + 16]
        turned = tile.reshape(-1, 16, 16).transpose(0, 2, 1).reshape(-1, 16)[:O]
        swapped += x[:, first:first + 16] @ turned[:, :len(x[0, first:first + 16])].T
    found |= _of("y", {"the tile of w is filled one way and read the other: row and column": swapped + b})
    return found | _products("y", x, w, lambda x, w: x @ w.T, 1, b)


def _linear_grad_input(case: Case) -> Mistakes:
    dy, w = case.arguments["dy"], case.arguments["w"]
    I, O = case.sizes["I"], case.sizes["O"]
    return _of("dx", {
        "w is (O, I): a row of it has I numbers, w[o * I + i]": dy @ w.reshape(I, O).T,
        "divided by the batch? The loss has done that": dy @ w / len(dy)}) | _products(
        "dx", dy, w, lambda dy, w: dy @ w, 1)


def _linear_grad_weight(case: Case) -> Mistakes:
    dy, x = case.arguments["dy"], case.arguments["x"]
    N, I, O = (case.sizes[name] for name in "NIO")
    return _of("dw", {
        "dy is (N, O): a row of it has O numbers, dy[n * O + o]": dy.reshape(O, N) @ x,
        "x is (N, I): a row of it has I numbers, x[n * I + i]": dy.T @ x.reshape(I, N).T,
        "dw has the shape of w, (O, I), and this is xᵀ dy, (I, O)": (x.T @ dy).reshape(O, I)}) | _products(
        "dw", dy, x, lambda dy, x: dy.T @ x, 0)


def _relu(case: Case) -> Mistakes:
    x = case.arguments["x"]
    return _of("y", {
        "this copies x: below zero the result is 0": x, "this keeps the negative ones: max, not min": np.minimum(x, 0),
        "the absolute value is another function: below zero the result is 0": abs(x),
        "below zero the result is 0, not a part of x": np.where(x > 0, x, 0.01 * x),
        "this is the slope, 0 or 1; the value itself is asked for": (x > 0) * 1.0,
        "where x is not positive write 0, too: nobody clears y before": np.where(x > 0, x, np.nan),
        "a positive x stays as it is, without a minus": np.maximum(-x, 0), "that is -relu(x)": -np.maximum(x, 0),
        "0, not 1, below zero": np.maximum(x, 1),
        "negative inputs give 0, positive ones themselves: this is -|x|": -abs(x),
        "positive inputs stay as they are: no upper end": np.clip(x, 0, 1), "all is 0: which ones go through?": 0 * x,
        "x times x? x itself, where it is positive": np.where(x > 0, x * x, 0)})


def _relu_grad(case: Case) -> Mistakes:
    dy, y = case.arguments["dy"], case.arguments["y"]
    return _of("dx", {
        "the mask is missing, or lets zeros through: where y is 0 the gradient is 0": dy,
        "the gradient that arrives is dy: 0 or 1 is only the slope": (y > 0) * 1.0,
        "the slope is 1 where y is positive, not y": dy * y,
        "the mask comes from y, not from dy: the gradient itself may be negative": np.maximum(dy, 0),
        "the mask is the wrong way round": dy * (y <= 0),
        "where y is 0 write 0, too: nobody clears dx before": np.where(y > 0, dy, np.nan),
        "y is what relu gave; its gradient is dy, not y": y, "dy and y are exchanged": np.where(dy > 0, y, 0),
        "the sign of dy stays": -dy * (y > 0), "multiply by 0 where y is 0, do not add": dy + (y > 0),
        "all is 0: where does the gradient go through?": 0 * dy, "where y is 0 the gradient is 0, not -dy":
            np.where(y > 0, dy, -dy), "y > 0, not y > 1": dy * (y > 1),
        "a leak belongs to another function: 0 below zero": np.where(y > 0, dy, 0.01 * dy)})


def _sum_columns(case: Case) -> Mistakes:
    x = case.arguments["x"]
    rows, columns, inner = x.shape
    flat = np.moveaxis(x, 1, 0).reshape(columns, -1)  # what belongs to a column, row by row
    found = {
        "a sum, not a mean": flat.mean(1), "only the first row is summed": x[0].sum(1),
        "the places of a row are left out: k goes from 0 to inner - 1": x[:, :, 0].sum(0),
        "one row too few": x[:-1].sum((0, 2)), "the first row is left out": x[1:].sum((0, 2)),
        "only the last row is left: is sum set to 0 inside the loop?": x[-1].sum(1),
        "sums of absolute values? The numbers themselves": abs(x).sum((0, 2)), "add, do not subtract": -flat.sum(1),
        "this is the largest number, not the sum": flat.max(1)}
    for threads in (32, 64, 128, 256, 512):
        if flat.shape[1] > 1:
            found[f"only what one thread has is stored: add up what all {threads} have"] = flat[:, ::threads].sum(1)
            found[f"each thread takes one number only: loop on by {threads}"] = flat[:, :threads].sum(1)
            starts = range(0, flat.shape[1], threads)
            found[f"only the first warp of {threads // 32} is added up: what about the others of the block?"] = sum(
                flat[:, first:first + 32].sum(1) for first in starts)
            found[f"half of the threads are missing: the tree begins with the step {threads // 2}"] = sum(
                flat[:, first:first + threads // 2].sum(1) for first in starts)
    if columns * inner > 1 and rows > 1:
        found["x is (rows, columns, inner): one row further is columns * inner numbers further"] = np.array(
            [x.ravel()[c:c + rows].sum() if c + rows <= x.size else np.nan for c in range(columns)])
    return _of("sums", found)


def _softmax_cross_entropy(case: Case) -> Mistakes:
    z, labels = case.arguments["logits"], case.arguments["labels"]
    rows, classes = z.shape
    losses, dlogits = (case.expected[name] for name in ("losses", "dlogits"))
    onehot = labels[:, None] == np.arange(classes)
    largest = z.max(1)
    softmax, chosen = dlogits * rows + onehot, z[onehot]
    naive, unsafe = np.exp(z), np.exp(z).sum(1)
    found = _of("dlogits", {
        "the mean over the batch is asked for: divide by rows": dlogits * rows,
        "the label's place is not subtracted yet: - (k == label)": softmax / rows,
        "this is softmax itself; subtract 1 at the label, divide by rows": softmax,
        "subtract 1 at the label, do not add it": (softmax + onehot) / rows,
        "the sign is turned around: softmax minus onehot": -dlogits,
        "only softmax is divided by rows, the 1 at the label must be, too": softmax / rows - onehot,
        "divide by rows, not by classes": dlogits * rows / classes,
        "exp overflows: subtract the row's largest number first": (naive / unsafe[:, None] - onehot) / rows}
        if classes > 1 else {})
    found |= _of("losses", {
        "exp overflows: subtract the row's largest number first": (np.log(unsafe) - chosen).astype(np.float32),
        "exp overflows: the row's largest number is subtracted inside of exp": (
            np.log(unsafe) + largest - chosen).astype(np.float32),
        "the loss is minus a logarithm: turn the sign": -losses,
        "the losses are not divided by rows: the mean is taken later": losses / rows,
        "the largest number was subtracted in the sum; subtract it from z[label], too": losses - largest,
        "subtract z[label]: this is only the logarithm of the sum": losses + chosen - largest,
        "log Σ exp(z) alone: subtract z[label]": losses + chosen,
        "z[label] - largest is subtracted, not added": losses + 2 * (chosen - largest),
        "the loss is the logarithm, this is the probability of the label": np.exp(-losses),
        "1 - p is not the loss: minus the logarithm of p": 1 - np.exp(-losses)})
    if rows > 1:
        found |= _of("losses", {"every row has its label: labels[r], not labels[0]": losses + chosen - z[:, labels[0]]})
    if classes > 32:
        seen = z[:, :32] - z[:, :32].max(1, keepdims=True)
        found = _of("losses", {"a lane takes one number only: loop on, k += 32": (
            np.log(np.exp(seen).sum(1)) - (chosen - z[:, :32].max(1)))}) | found
    return found | _of("losses", {"a block has several warps, each with a row of its own": np.where(
        np.arange(rows) % 4 == 0, losses, np.nan)})


def _with(case: Case, **changes: Any) -> Any:
    """What the contract gives for changed arguments, the first written array."""
    return next(iter(case.piece.results(case.arguments | changes).values()))


def _conv_forward(case: Case) -> Mistakes:
    C, K = case.sizes["C"], case.sizes["K"]
    b = case.arguments["b"]
    bias = b[:, None, None]
    right = case.expected["y"]
    found = {
        "the bias b[f] is not added": right - bias, "every filter f has a bias of its own: b[f]": right - bias + b[0],
        "add the bias, do not subtract it": right - 2 * bias,
        "the bias is added once, not for each channel": right + (C - 1) * bias,
        "the bias is added once, not for each product": right + (C * K * K - 1) * bias}
    return _of("y", found | _windows_mixed_up(case))


def _windows_mixed_up(case: Case) -> dict[str, Any]:
    """What comes out of a convolution whose inputs are read at the wrong places."""
    x, w, C, K = case.arguments["x"], case.arguments["w"], case.sizes["C"], case.sizes["K"]
    found = {
        "only the first channel is summed: c goes from 0 to C - 1": _with(case, x=_only(x, 1, 0)),
        "only the last channel is left: is sum set to 0 inside the loop over c?": _with(case, x=_only(x, 1, C - 1)),
        "the filter is turned around: i goes down with the row, j right with the column": _with(
            case, w=w[:, :, ::-1, ::-1]),
        "rows and columns of the filter are exchanged: i belongs to the row": _with(case, w=w.transpose(0, 1, 3, 2)),
        "all filters are the first one: f must be in the index of w": _with(case, w=w[:1].repeat(len(w), 0)),
        "all images are the first one: n must be in the index of x": _with(case, x=x[:1].repeat(len(x), 0)),
        "every channel has its own part of the filter: c must be in the index of w": _with(
            case, w=w[:, :1].repeat(C, 1)),
        "every channel has its own plane: c must be in the index of x": _with(case, x=x[:, :1].repeat(C, 1)),
        "w is (F, C, K, K): w[((f * C + c) * K + i) * K + j]": _with(
            case, w=w.reshape(C, len(w), K, K).transpose(1, 0, 2, 3))}
    if K > 1:
        found |= {"the window's last row and column are left out: i and j go from 0 to K - 1": _with(
            case, w=_without_last(w)), **_strict("x", x, case),
            "only the first place of the window is summed": _with(case, w=_only_first(w))}
    if case.sizes["pad"]:
        padded = np.pad(x, ((0, 0), (0, 0), (0, 2 * case.sizes["pad"]), (0, 2 * case.sizes["pad"])))
        found["the padding is not subtracted: row = oy * stride + i - pad"] = _with(
            case, x=padded, pad=0, H=padded.shape[2], W=padded.shape[3])
    return found


def _conv_relu(case: Case) -> Mistakes:
    before, bias = _before_relu(case)
    return _of("y", {
        "ReLU is missing: what is below zero becomes 0": before,
        "the bias b[f] is not added": np.maximum(before - bias, 0),
        "ReLU comes last: first add the bias": np.maximum(before - bias, 0) + bias,
        "max, not min": np.minimum(before, 0), "ReLU is no absolute value: below zero it is 0": np.abs(before),
        "this is the slope of ReLU, not ReLU": before > 0, **_windows_mixed_up(case)})


def _before_relu(case: Case) -> tuple[Any, Any]:
    """The outputs of the convolution, and its bias in their shape."""
    inputs = {name: value for name, value in case.arguments.items() if name not in case.piece.written}
    return PIECES["conv_forward"].results(inputs)["y"], case.arguments["b"][:, None, None]


def _conv_relu_pool(case: Case) -> Mistakes:
    before, bias = _before_relu(case)
    OH, OW = before.shape[2:]
    windows = _pairs(before)
    y, argmax = case.expected["y"], case.expected["argmax"]
    row, column = np.arange(OH // 2)[:, None] * 2, np.arange(OW // 2) * 2
    late = np.maximum(windows, 0).argmax(-1)
    return {**_of("y", {
        "ReLU is missing: what is below zero becomes 0": windows.max(-1),
        "the bias b[f] is not added": np.maximum(_pairs(before - bias).max(-1), 0),
        "ReLU comes last: first add the bias": np.maximum(_pairs(before - bias).max(-1), 0) + bias,
        "the largest of four, not their mean": np.maximum(windows, 0).mean(-1),
        "the largest of the window, not its first output": np.maximum(windows[..., 0], 0),
        "the largest, not the smallest": np.maximum(windows.min(-1), 0), **_windows_mixed_up(case)}), **_of("argmax", {
            "where all four are below zero, ReLU makes them equal: compare before ReLU": (
                (row + late // 2) * OW + column + late % 2),
            "argmax is the place in the plane of outputs, not in the window": windows.argmax(-1),
            "a row of the plane has OW numbers, not W": argmax // OW * case.sizes["W"] + argmax % OW,
            "a row of the plane has OW numbers, not OW / 2": argmax // OW * (OW // 2) + argmax % OW,
            "argmax counts in its own plane: it begins at 0 in every image and filter": (
                argmax + np.arange(y.shape[0] * y.shape[1]).reshape(*y.shape[:2], 1, 1) * OH * OW)})}


def _pairs(planes: Any) -> Any:
    """(N, F, OH / 2, OW / 2, 4): the 2 x 2 windows."""
    windows = np.lib.stride_tricks.sliding_window_view(planes, (2, 2), axis=(2, 3))[:, :, ::2, ::2]
    return windows.reshape(*windows.shape[:4], 4)


def _only(array: Any, axis: int, place: int) -> Any:
    return _tile(array, axis, place, 1)


def _without_last(w: Any) -> Any:
    kept = w.copy()
    kept[:, :, -1] = kept[:, :, :, -1] = 0
    return kept


def _strict(name: str, array: Any, case: Case) -> dict[str, Any]:
    """What > 0 for >= 0 leaves out, in rows, columns or both."""
    rows, columns, both = (array.copy() for _ in range(3))
    rows[:, :, 0] = columns[..., 0] = both[:, :, 0] = both[..., 0] = 0
    of = "the image" if name == "x" else "the outputs"
    return {f"row 0 belongs to {of}: >= 0, not > 0": _with(case, **{name: rows}),
            f"column 0 belongs to {of}: >= 0, not > 0": _with(case, **{name: columns}),
            f"row 0 and column 0 belong to {of}: >= 0, not > 0": _with(case, **{name: both})}


def _only_first(w: Any) -> Any:
    kept = np.zeros_like(w)
    kept[:, :, 0, 0] = w[:, :, 0, 0]
    return kept


def _windows(case: Case, x: Any) -> Any:
    size, stride = case.sizes["size"], case.sizes["stride"]
    windows = np.lib.stride_tricks.sliding_window_view(x, (size, size), axis=(1, 2))[:, ::stride, ::stride]
    return windows.reshape(*windows.shape[:3], -1)


def _max_pool(case: Case) -> Mistakes:
    x, right, places = case.arguments["x"], case.expected["y"], case.expected["argmax"]
    planes, H, W = x.shape
    size, stride = case.sizes["size"], case.sizes["stride"]
    windows = _windows(case, x)
    OH, OW = right.shape[1:]
    inside, last = windows.argmax(-1), size * size - 1 - windows[..., ::-1].argmax(-1)
    rows, columns = np.arange(OH)[:, None] * stride, np.arange(OW) * stride
    of_plane = np.arange(planes)[:, None, None] * H * W
    found = _of("argmax", {
        "of equal values the first one wins: > and not >=": (rows + last // size) * W + columns + last % size,
        "argmax counts within its own plane: without the plane's offset": places + of_plane,
        "argmax is a place in the plane, row * W + column, not in the window": inside,
        "a row of the plane has W numbers: row * W + column": places // W * H + places % W,
        "a row of the plane has W numbers, not OW: row * W + column": places // W * OW + places % W,
        "rows come first: row * W + column": places % W * H + places // W,
        "argmax stays at the window's first pixel: note the place with the value": rows * W + columns + 0 * inside,
        "argmax is the place of the largest, not its value": right.astype(np.int32)}) if size > 1 else {}
    return _of("y", {
        "the largest is asked for, not the smallest": windows.min(-1), "the largest, not the mean": windows.mean(-1),
        "the largest, not the sum": windows.sum(-1), "this is the window's first pixel": windows[..., 0],
        "this is the window's last pixel": windows[..., -1],
        "begin with the window's first pixel, not with 0: all may be negative": np.maximum(right, 0),
        "the first plane is taken for all": right[:1].repeat(planes, 0),
        "the window's last row and column are left out": windows.reshape(*right.shape, size, size)[
            ..., :max(1, size - 1), :max(1, size - 1)].max((-1, -2))} if size > 1 else {}) | found


def _max_pool_grad(case: Case) -> Mistakes:
    dy, argmax, right = case.arguments["dy"], case.arguments["argmax"], case.expected["dx"]
    planes, H, W = right.shape
    size, stride = case.sizes["size"], case.sizes["stride"]
    OH, OW = dy.shape[1:]
    covering, last, first, own = (np.zeros((planes, H * W)) for _ in range(4))
    unseen = np.ones((planes, H * W), bool)
    rows, columns = np.indices((H, W)).reshape(2, -1)
    for oy in range(OH):
        for ox in range(OW):
            where = (rows >= oy * stride) & (rows < oy * stride + size) & (columns >= ox * stride) & (
                columns < ox * stride + size)
            covering += where * dy[:, oy, ox, None]
            hit = argmax[:, oy, ox, None] == np.arange(H * W)
            last = np.where(hit, dy[:, oy, ox, None], last)
            first = np.where(hit & unseen, dy[:, oy, ox, None], first)
            own += hit * ((rows // stride == oy) & (columns // stride == ox)) * dy[:, oy, ox, None]
            unseen &= ~hit
    shaped = {
        "windows overlap: a pixel that won several times gets all their gradients, +=": last,
        "a pixel may have won more than once: go on after the first window": first,
        "windows overlap: a pixel lies in more windows than the one at row / stride, column / stride": own,
        "only the pixel that won gets the gradient: compare argmax with it": covering}
    return _of("dx", {hint: value.reshape(right.shape) for hint, value in shaped.items()} | {
        "pixels that won nowhere get 0: write it, nobody clears dx before": np.where(
            unseen.reshape(right.shape), np.nan, right),
        "how often it won is not the gradient: add dy": np.array(
            [np.bincount(places.ravel(), minlength=H * W) for places in argmax]).reshape(right.shape),
        "the gradient keeps its sign": -right, "the first plane is taken for all": right[:1].repeat(planes, 0),
        "the gradient is not shared among the window's pixels": right / size**2})


def _conv_grad_weight(case: Case) -> Mistakes:
    dy, x, right = case.arguments["dy"], case.arguments["x"], case.expected["dw"]
    N, C, F, K = (case.sizes[name] for name in "NCFK")
    found = {
        "a sum over the images, not a mean: the loss has divided": right / N,
        "a sum over the pixels, not a mean": right / dy[0, 0].size,
        "only the first image is summed": _with(case, dy=_only(dy, 0, 0)),
        "only the last image is left: is sum set to 0 inside the loop over n?": _with(case, dy=_only(dy, 0, N - 1)),
        "the last row of dy is left out: oy goes from 0 to OH - 1": _with(case, dy=_tile(dy, 2, 0, dy.shape[2] - 1)),
        "the last column of dy is left out: ox goes from 0 to OW - 1": _with(case, dy=_tile(dy, 3, 0, dy.shape[3] - 1)),
        "the last row and the last column of dy are left out": _with(
            case, dy=_tile(_tile(dy, 2, 0, dy.shape[2] - 1), 3, 0, dy.shape[3] - 1)),
        "only the first pixel is summed": _with(case, dy=_tile(_tile(dy, 2, 0, 1), 3, 0, 1)),
        "the weights come out turned around: i goes down with the row, j right with the column": (
            right[:, :, ::-1, ::-1]),
        "rows and columns of the filter are exchanged: i belongs to the row": right.transpose(0, 1, 3, 2),
        "dw is (F, C, K, K): f is the slowest index": right.transpose(1, 0, 2, 3).reshape(right.shape),
        "dw has a part for each channel: c must be in the index of x": _with(case, x=x[:, :1].repeat(C, 1)),
        "every filter has its own gradient: f must be in the index of dy": _with(case, dy=dy[:, :1].repeat(F, 1)),
        "the image n must be in the index of x": _with(case, x=x[:1].repeat(N, 0)),
        "the image n must be in the index of dy": _with(case, dy=dy[:1].repeat(N, 0)), "the sum keeps its sign": -right}
    if K > 1:
        found |= _strict("x", x, case)
    if case.sizes["pad"]:
        more = 2 * case.sizes["pad"]
        padded = np.pad(x, ((0, 0), (0, 0), (0, more), (0, more)))
        found["the padding is not subtracted: row = oy * stride + i - pad"] = _with(
            case, x=padded, pad=0, H=padded.shape[2], W=padded.shape[3])
    return _of("dw", found)


def _conv_grad_input(case: Case) -> Mistakes:
    dy, w, right = case.arguments["dy"], case.arguments["w"], case.expected["dx"]
    C, F, K = (case.sizes[name] for name in "CFK")
    return _of("dx", {
        "only the first filter is summed: f goes from 0 to F - 1": _with(case, dy=_only(dy, 1, 0)),
        "only the last filter is left: is sum set to 0 inside the loop over f?": _with(case, dy=_only(dy, 1, F - 1)),
        "the filter must not be turned: the output that saw this pixel at (i, j) lies at row + pad - i": _with(
            case, w=w[:, :, ::-1, ::-1]),
        "rows and columns of the filter are exchanged: i belongs to the row": _with(case, w=w.transpose(0, 1, 3, 2)),
        "every channel has its own part of the filter: c must be in the index of w": _with(
            case, w=w[:, :1].repeat(C, 1)),
        "every filter has its own weights: f must be in the index of w": _with(case, w=w[:1].repeat(F, 0)),
        "every filter has its own gradient: f must be in the index of dy": _with(case, dy=dy[:, :1].repeat(F, 1)),
        "the image n must be in the index of dy": _with(case, dy=dy[:1].repeat(len(dy), 0)),
        "w is (F, C, K, K): w[((f * C + c) * K + i) * K + j]": _with(
            case, w=w.reshape(C, F, K, K).transpose(1, 0, 2, 3)),
        **_strict("dy", dy, case),
        "the last row of dy is left out: oy goes from 0 to OH - 1": _with(case, dy=_tile(dy, 2, 0, dy.shape[2] - 1)),
        "the last row and the last column of dy are left out": _with(
            case, dy=_tile(_tile(dy, 2, 0, dy.shape[2] - 1), 3, 0, dy.shape[3] - 1)),
        "the sum keeps its sign": -right,
        "a sum, not a mean over the batch: the loss has divided": right / len(dy)} | ({
            "the window's last row and column are left out: i and j go from 0 to K - 1": _with(
                case, w=_without_last(w)),
            "only the first place of the window is asked": _with(case, w=_only_first(w))} if K > 1 else {}))


def _momentum_step(case: Case) -> Mistakes:
    w, v, g, lr, momentum = (case.arguments[name] for name in ("w", "v", "g", "lr", "momentum"))
    new = momentum * v + g
    found = _of("v", {
        "v stays as it was: store the new velocity, too": v, "the gradient is added to the velocity whole": (
            momentum * v + (1 - momentum) * g), "the old velocity is multiplied by momentum": v + g,
        "the velocity keeps the gradient itself; lr comes in with the step of w": momentum * v + lr * g,
        "the old velocity is missing: momentum * v + g": g, "add the gradient to the velocity, do not subtract": (
            momentum * v - g), "momentum belongs to the old velocity, not to g": v + momentum * g,
        "momentum belongs to the old velocity only": momentum * (v + g), "the gradient is missing": momentum * v})
    return found | _of("w", {
        "w stays as it was: w[i] -= lr * v[i]": w, "the step goes down: minus, not plus": w + lr * new,
        "the new velocity is used: update v first": w - lr * v, "the learning rate lr is missing": w - new,
        "the step follows the velocity, not the gradient": w - lr * g,
        "this looks ahead (Nesterov): w -= lr * v is asked for": w - lr * (g + momentum * new),
        "w is changed by the step, not replaced: -=": -lr * new, "momentum is already in v": w - lr * momentum * new})


MISTAKES: dict[str, Callable[[Case], Mistakes]] = {
    "normalise_images": _normalise_images, "sgd_step": _sgd_step, "linear_forward": _linear_forward,
    "linear_grad_input": _linear_grad_input, "linear_grad_weight": _linear_grad_weight, "relu": _relu,
    "relu_grad": _relu_grad, "sum_columns": _sum_columns, "softmax_cross_entropy": _softmax_cross_entropy,
    "conv_forward": _conv_forward, "max_pool": _max_pool, "max_pool_grad": _max_pool_grad,
    "conv_grad_weight": _conv_grad_weight, "conv_grad_input": _conv_grad_input, "momentum_step": _momentum_step,
    "conv_relu": _conv_relu, "conv_relu_pool": _conv_relu_pool}
