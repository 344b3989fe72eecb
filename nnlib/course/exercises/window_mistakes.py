"""The usual mistakes of the pieces that look through windows: convolution and pooling. Lessons 05, 06 and 08."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nnlib.course.exercises.mistaken import Mistakes, given, slab, wrote
from nnlib.course.exercises.shared_mistakes import shared_wrongly
from nnlib.course.exercises.window_places import misfetched, misnumbered, misread, missed
from nnlib.mine.contract import Case
from nnlib.mine.pieces import PIECES, sliding_windows


def _conv_forward(case: Case) -> Mistakes:
    x, w, b, C = *(case.arguments[name] for name in "xwb"), case.sizes["C"]
    bias = b[:, None, None]
    right = case.expected["y"]
    products = given(case, x=np.ones_like(x), w=np.ones_like(w), b=0 * b)  # how many do not meet padding
    found = {
        "the bias b[f] is not added": right - bias, "every filter f has a bias of its own: b[f]": right - bias + b[0],
        "add the bias, do not subtract it": right - 2 * bias,
        "the bias is added once, not for each channel": right + (C - 1) * bias,
        "the bias is added once, not for each product": right + (products - 1) * bias,
        "sums below zero are right here: ReLU is another kernel": np.maximum(right, 0)}
    if case.sizes["pad"]:
        beside = np.arange(right.shape[3]) * case.sizes["stride"] < case.sizes["pad"]
        found["a pixel outside is skipped, and the window goes on: continue, not break"] = np.where(beside, bias, right)
        found["a pixel outside is skipped, and the window goes on: continue, not return"] = np.where(
            products < products.max(), np.nan, right)
    found |= {"the last index is the fastest: first ox = at % OW, then oy": _numbered(right, (0, 1, 3, 2)),
              "the last index is the fastest: f comes before n when at is taken apart": _numbered(right, (1, 0, 2, 3)),
              **misnumbered(right, "oy", "OH", "OW", _lower(case))}
    return wrote("y", found | _windows_mixed_up(case))


def _numbered(right: Any, order: tuple[int, ...]) -> Any:
    """The right results, stored as if the indices came in another order."""
    return right.transpose(order).reshape(right.shape)


def _lower(case: Case) -> Any:
    """The outputs, and those that windows below the picture would have: H rows, if there are fewer outputs."""
    x, sizes = case.arguments["x"], case.sizes
    more = sizes["H"] * sizes["stride"]
    seen = given(case, x=np.pad(x, ((0, 0), (0, 0), (0, more), (0, 0))), H=sizes["H"] + more)
    return seen[:, :, :max(sizes["H"], case.expected["y"].shape[2])]


def _windows_mixed_up(case: Case) -> dict[str, Any]:
    """What comes out of a convolution whose inputs are read at the wrong places."""
    x, w, C, K = case.arguments["x"], case.arguments["w"], case.sizes["C"], case.sizes["K"]
    found = {
        "only the first channel is summed: c goes from 0 to C - 1": given(case, x=_only(x, 1, 0)),
        "only the last channel is left: is sum set to 0 inside the loop over c?": given(case, x=_only(x, 1, C - 1)),
        "the filter is turned around: i goes down with the row, j right with the column": given(
            case, w=w[:, :, ::-1, ::-1]),
        "rows and columns of the filter are exchanged: i belongs to the row": given(case, w=w.transpose(0, 1, 3, 2)),
        "all filters are the first one: f must be in the index of w": given(case, w=w[:1].repeat(len(w), 0)),
        "all images are the first one: n must be in the index of x": given(case, x=x[:1].repeat(len(x), 0)),
        "every channel has its own part of the filter: c and C belong into the index of w": given(
            case, w=w[:, :1].repeat(C, 1)),
        "every channel has its own plane: c and C belong into the index of x": given(case, x=x[:, :1].repeat(C, 1)),
        "w is (F, C, K, K): w[((f * C + c) * K + i) * K + j]": given(
            case, w=w.reshape(C, len(w), K, K).transpose(1, 0, 2, 3))}
    if K > 1:
        found |= {"the window's last row and column are left out: i and j go from 0 to K - 1": given(
            case, w=_without(w, -1)), **_strict("x", x, case),
            "the window's first row and column are left out: i and j begin at 0": given(case, w=_without(w, 0)),
            "only the first place of the window is summed": given(case, w=_only_at(w, 0)),
            "only the last product is left: the sum grows by +=": given(case, x=_only(x, 1, C - 1), w=_only_at(w, -1)),
            "only the last product is left: the sum begins with the bias, and grows by +=": given(
                case, x=_only(x, 1, C - 1), w=_only_at(w, -1), b=0 * case.arguments["b"])}
    bias = case.arguments["b"][:, None, None]

    def convolved(pixels: Any) -> Any:
        sums = np.einsum("ncyxij,fcij->nfyx", pixels, w) + bias
        if case.piece.name == "conv_relu_pool":
            sums = _pairs(sums).max(-1)
        return sums if case.piece.name == "conv_forward" else np.maximum(sums, 0)

    return found | dict(misread(case, convolved))


def _conv_relu(case: Case) -> Mistakes:
    before, bias = _before_relu(case)
    return wrote("y", {
        "ReLU is missing: what is below zero becomes 0": before,
        "the bias b[f] is not added": np.maximum(before - bias, 0),
        "ReLU comes last: first add the bias": np.maximum(before - bias, 0) + bias,
        "max, not min": np.minimum(before, 0), "ReLU is no absolute value: below zero it is 0": np.abs(before),
        "this is the slope of ReLU, not ReLU": before > 0, **_too_early(case, bias),
        "where the output is not above 0 write 0, too: nobody clears y before": np.where(before > 0, before, np.nan),
        "below zero ReLU gives 0, not a part of the number": np.where(before > 0, before, 0.01 * before),
        "add the bias, do not subtract it": np.maximum(before - 2 * bias, 0),
        **misnumbered(case.expected["y"], "oy", "OH", "OW"), **_windows_mixed_up(case)})


def _too_early(case: Case, bias: Any) -> dict[str, Any]:
    """ReLU inside of the loop over the channels."""
    x = case.arguments["x"]
    inputs = {name: value for name, value in case.arguments.items() if name not in case.piece.written}
    parts = [PIECES["conv_forward"].results(inputs | {"x": _only(x, 1, c)})["y"] - bias for c in range(x.shape[1])]
    sum_, behind = bias, 0 * parts[0] + bias
    for part in parts:
        sum_, behind = np.maximum(sum_ + part, 0), behind + np.maximum(part, 0)
    hint = "a sum is complete after the last channel: ReLU comes behind all loops"
    right, large = (PIECES["conv_forward"].results(inputs | more)["y"] - bias for more in (
        {}, {"x": abs(x), "w": abs(inputs["w"])}))
    products = (right + large) / 2 + bias  # of all products those above 0
    return {hint: sum_, f"{hint}, and once": np.maximum(behind, 0), f"{hint}, and takes the whole sum": products,
            f"{hint}: the products keep their signs": np.maximum(products, 0)}


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
    late, last = np.maximum(windows, 0).argmax(-1), 3 - windows[..., ::-1].argmax(-1)
    return {**wrote("y", {
        "ReLU is missing: what is below zero becomes 0": windows.max(-1),
        "the bias b[f] is not added": np.maximum(_pairs(before - bias).max(-1), 0),
        "ReLU comes last: first add the bias": np.maximum(_pairs(before - bias).max(-1), 0) + bias,
        "the largest of four, not their mean": np.maximum(windows, 0).mean(-1),
        "the largest of the four, not their mean": np.maximum(windows.mean(-1), 0),
        "where the largest is not above 0 write 0, too: nobody clears y before": np.where(
            windows.max(-1) > 0, windows.max(-1), np.nan),
        "windows of the pooling stand 2 apart: rows 2 · py and 2 · py + 1": np.maximum(
            _pairs(before, 1)[:, :, :OH // 2, :OW // 2].max(-1), 0),
        "the largest of the window, not its first output": np.maximum(windows[..., 0], 0),
        "the largest, not the smallest": np.maximum(windows.min(-1), 0),
        **_windows_mixed_up(case)}), **wrote("argmax", {
            "where all four are below zero, ReLU makes them equal: compare before ReLU": (
                (row + late // 2) * OW + column + late % 2),
            "of equal outputs the first one wins: > and not >=": (
                (row + last // 2) * OW + column + last % 2),
            "where no output is above 0, no place is noted: begin with -INFINITY, or with the window's first output; "
            "ReLU comes afterwards": np.where(windows.max(-1) > 0, argmax, 0),
            "argmax is the place of the largest where ReLU gives 0, too": np.where(windows.max(-1) > 0, argmax, -1),
            "argmax is the place of the largest, not its value": windows.max(-1).astype(np.int32),
            "rows come first: row * OW + column": argmax % OW * OH + argmax // OW,
            "argmax is the place in the plane of outputs, not in the window": windows.argmax(-1),
            "a row of the plane has OW numbers, not W": argmax // OW * case.sizes["W"] + argmax % OW,
            "a row of the plane has OW numbers, not OW / 2": argmax // OW * (OW // 2) + argmax % OW,
            "argmax counts in its own plane: it begins at 0 in every image and filter": (
                argmax + np.arange(y.shape[0] * y.shape[1]).reshape(*y.shape[:2], 1, 1) * OH * OW)})}


def _pairs(planes: Any, stride: int = 2) -> Any:
    """(N, F, OH / 2, OW / 2, 4): the 2 x 2 windows."""
    windows = sliding_windows(planes, 2, (2, 3))[:, :, ::stride, ::stride]
    return windows.reshape(*windows.shape[:4], 4)


def _only(array: Any, axis: int, place: int) -> Any:
    return slab(array, axis, place, 1)


def _without(w: Any, place: int) -> Any:
    """Without this row and this column."""
    kept = w.copy()
    kept[:, :, place] = kept[:, :, :, place] = 0
    return kept


def _strict(name: str, array: Any, case: Case) -> dict[str, Any]:
    """What > 0 for >= 0 leaves out, in rows, columns or both."""
    rows, columns, both = (array.copy() for _ in range(3))
    rows[:, :, 0] = columns[..., 0] = both[:, :, 0] = both[..., 0] = 0
    of = "the image" if name == "x" else "the outputs"
    return {f"row 0 belongs to {of}: >= 0, not > 0": given(case, **{name: rows}),
            f"column 0 belongs to {of}: >= 0, not > 0": given(case, **{name: columns}),
            f"row 0 and column 0 belong to {of}: >= 0, not > 0": given(case, **{name: both})}


def _only_at(w: Any, place: int) -> Any:
    kept = np.zeros_like(w)
    kept[:, :, place, place] = w[:, :, place, place]
    return kept


def _windows(case: Case, x: Any, stride: int) -> Any:
    size = case.sizes["size"]
    windows = sliding_windows(x, size, (1, 2))[:, ::stride, ::stride]
    return windows.reshape(*windows.shape[:3], -1)


def _max_pool(case: Case) -> Mistakes:
    x, right, places = case.arguments["x"], case.expected["y"], case.expected["argmax"]
    planes, H, W = x.shape
    size, stride = case.sizes["size"], case.sizes["stride"]
    windows = _windows(case, x, stride)
    OH, OW = right.shape[1:]
    inside, last = windows.argmax(-1), size * size - 1 - windows[..., ::-1].argmax(-1)
    rows, columns = np.arange(OH)[:, None] * stride, np.arange(OW) * stride
    of_plane = np.arange(planes)[:, None, None] * H * W
    found = wrote("argmax", {
        "of equal values the first one wins: > and not >=": (rows + last // size) * W + columns + last % size,
        "argmax counts within its own plane: without the plane's offset": places + of_plane,
        "argmax is a place in the plane, row * W + column, not in the window": inside,
        "a row of the plane has W numbers: row * W + column": places // W * H + places % W,
        "a row of the plane has W numbers, not OW: row * W + column": places // W * OW + places % W,
        "rows come first: row * W + column": places % W * H + places // W,
        "argmax stays at the window's first pixel: note the place with the value": rows * W + columns + 0 * inside,
        "argmax is the place of the largest, not its value": right.astype(np.int32),
        "the place is noted with the value: only where the number is larger": (
            rows + size - 1) * W + columns + size - 1 + 0 * inside}) if size > 1 else {}
    for hint, wrong in list(found.items()):  # the same, in a kernel that begins with the right place of the first pixel
        found[f"{hint}, each time"] = {"argmax": np.where(inside == 0, places, wrong["argmax"])}
    return wrote("y", {
        "the largest is asked for, not the smallest": windows.min(-1), "the largest, not the mean": windows.mean(-1),
        "the largest, not the sum": windows.sum(-1), "this is the window's first pixel": windows[..., 0],
        "this is the window's last pixel": windows[..., -1],
        "begin with the window's first pixel, not with 0: all may be negative": np.maximum(right, 0),
        "begin with the window's first pixel, not with -1: all may be smaller": np.maximum(right, -1),
        "y is the largest value, argmax its place": places,
        "an int drops what is behind the point: keep the largest as a float": np.trunc(right),
        **misnumbered(right, "oy", "OH", "OW"),
        "the first plane is taken for all": right[:1].repeat(planes, 0),
        "windows are stride apart: row = oy * stride + i": _windows(case, x, 1)[:, :OH, :OW].max(-1),
        "the last index is the fastest: first ox = at % OW, then oy": _numbered(right, (0, 2, 1)),
        "the window's last row and column are left out": windows.reshape(*right.shape, size, size)[
            ..., :max(1, size - 1), :max(1, size - 1)].max((-1, -2))} if size > 1 else {}) | found


def _max_pool_grad(case: Case) -> Mistakes:
    dy, argmax, right = case.arguments["dy"], case.arguments["argmax"], case.expected["dx"]
    planes, H, W = right.shape
    size, stride = case.sizes["size"], case.sizes["stride"]
    OH, OW = dy.shape[1:]
    covering, last, first, own, two = (np.zeros((planes, H * W)) for _ in range(5))
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
            two += hit * (rows // stride - oy < 2) * (columns // stride - ox < 2) * dy[:, oy, ox, None]
            unseen &= ~hit
    shaped = {
        "windows overlap: a pixel that won several times gets all their gradients, +=": last,
        "a pixel may have won more than once: go on after the first window": first,
        "windows overlap: a pixel lies in more windows than the one at row / stride, column / stride": own,
        "only the pixel that won gets the gradient: compare argmax with it": covering,
        **_other_planes(dy, argmax, H * W),
        "a pixel may lie in more than two windows of a direction: from which one on?": two}
    return wrote("dx", {hint: value.reshape(right.shape) for hint, value in shaped.items()} | {
        "pixels that won nowhere get 0: write it, nobody clears dx before": np.where(
            unseen.reshape(right.shape), np.nan, right),
        "pixels that won nowhere get 0: write it, nobody clears dx before; and others may have won several times":
            np.where(unseen, np.nan, last).reshape(right.shape),
        "how often it won is not the gradient: add dy": np.array(
            [np.bincount(places.ravel(), minlength=H * W) for places in argmax]).reshape(right.shape),
        "argmax counts within its own plane: compare it with row * W + column, not with the thread's number": np.where(
            np.arange(planes)[:, None, None] == 0, right, 0),
        "the gradient keeps its sign": -right, "the first plane is taken for all": right[:1].repeat(planes, 0),
        "the gradient is not shared among the window's pixels": right / size**2})


def _other_planes(dy: Any, argmax: Any, pixels: int) -> dict[str, Any]:
    """Hint -> (planes, pixels): gradients that come from windows of other planes."""
    def of(plane: int, gradients: Any) -> Any:
        return np.bincount(argmax[plane].ravel(), gradients.ravel(), minlength=pixels)

    every = range(len(dy))
    return {"a pixel asks the windows of its own plane only: they begin at plane * OH * OW": np.stack(
                [sum(of(plane, dy[plane]) for plane in every)] * len(dy)),
            "argmax, too, has a part for each plane: plane * OH * OW in its index": np.stack(
                [of(0, dy[plane]) for plane in every]),
            "dy, too, has a part for each plane: plane * OH * OW in its index": np.stack(
                [of(plane, dy[0]) for plane in every])}


def _conv_grad_weight(case: Case) -> Mistakes:
    dy, x, right = case.arguments["dy"], case.arguments["x"], case.expected["dw"]
    N, C, F, K = (case.sizes[name] for name in "NCFK")
    OH, OW = dy.shape[2:]
    found = {
        "a sum over the images, not a mean: the loss has divided": right / N,
        "a sum over the pixels, not a mean": right / dy[0, 0].size,
        "only the first image is summed": given(case, dy=_only(dy, 0, 0)),
        "only the last image is left: is sum set to 0 inside the loop over n?": given(case, dy=_only(dy, 0, N - 1)),
        "the last row of dy is left out: oy goes from 0 to OH - 1": given(case, dy=slab(dy, 2, 0, dy.shape[2] - 1)),
        "the last column of dy is left out: ox goes from 0 to OW - 1": given(case, dy=slab(dy, 3, 0, dy.shape[3] - 1)),
        "the last row and the last column of dy are left out": given(
            case, dy=slab(slab(dy, 2, 0, dy.shape[2] - 1), 3, 0, dy.shape[3] - 1)),
        "only the first product arrives: does the loop go on, and are the parts of all threads added up?": given(
            case, dy=slab(slab(_only(dy, 0, 0), 2, 0, 1), 3, 0, 1)),
        "only the last product is left: the sum grows by +=": given(
            case, dy=slab(slab(_only(dy, 0, N - 1), 2, OH - 1, 1), 3, OW - 1, 1)),
        "the first row and the first column of dy are left out: oy and ox begin at 0": given(
            case, dy=slab(slab(dy, 2, 1, OH - 1), 3, 1, OW - 1)),
        "the weights come out turned around: i goes down with the row, j right with the column": (
            right[:, :, ::-1, ::-1]),
        "rows and columns of the filter are exchanged: i belongs to the row": right.transpose(0, 1, 3, 2),
        "dw is (F, C, K, K): f is the slowest index": right.transpose(1, 0, 2, 3).reshape(right.shape),
        "dw has a part for each channel: c and C belong into the index of x": given(case, x=x[:, :1].repeat(C, 1)),
        "every filter has its own gradient: f and F belong into the index of dy": given(
            case, dy=dy[:, :1].repeat(F, 1)),
        "the image n must be in the index of x": given(case, x=x[:1].repeat(N, 0)),
        "the image n must be in the index of dy": given(case, dy=dy[:1].repeat(N, 0)), "the sum keeps its sign": -right}
    for name, of, planes, wrong in (("dy", "f", F, C), ("x", "c", C, F)):
        array = case.arguments[name]
        which = np.add.outer(np.arange(N) * wrong, np.arange(planes))
        if which.max() < N * planes:
            found[f"{name} has {'F' if of == 'f' else 'C'} planes for each image: n * {of.upper()} + {of}"] = given(
                case, **{name: array.reshape(-1, *array.shape[2:])[which]})
    found |= shared_wrongly(lambda times: given(case, dy=dy * times.reshape(N, 1, OH, OW)), N * OH * OW)
    if K > 1:
        found |= _strict("x", x, case)
    found |= dict(misread(case, lambda pixels: np.einsum("nfyx,ncyxij->fcij", dy, pixels)))
    if case.sizes["pad"]:
        found["a pixel outside is skipped, and the sum goes on: continue, not break"] = np.where(
            np.arange(K) < case.sizes["pad"], 0, right)
    return wrote("dw", found)


def _conv_grad_input(case: Case) -> Mistakes:
    dy, w, right = case.arguments["dy"], case.arguments["w"], case.expected["dx"]
    C, F, K = (case.sizes[name] for name in "CFK")
    planes = np.add.outer(np.arange(len(dy)) * C, np.arange(F))
    return wrote("dx", dict(misfetched(case)) | dict(missed(case)) | misnumbered(right, "row", "H", "W") | ({
        "dy has F planes for each image: n * F + f": given(case, dy=dy.reshape(-1, *dy.shape[2:])[planes])}
        if planes.max() < len(dy) * F else {}) | {
        "the last index is the fastest: c comes before n when at is taken apart": _numbered(right, (1, 0, 2, 3)),
        "the last index is the fastest: first column = at % W, then row": _numbered(right, (0, 1, 3, 2)),
        "only the first filter is summed: f goes from 0 to F - 1": given(case, dy=_only(dy, 1, 0)),
        "only the last filter is left: is sum set to 0 inside the loop over f?": given(case, dy=_only(dy, 1, F - 1)),
        "the filter must not be turned: the output that saw this pixel at (i, j) lies at row + pad - i": given(
            case, w=w[:, :, ::-1, ::-1]),
        "rows and columns of the filter are exchanged: i belongs to the row": given(case, w=w.transpose(0, 1, 3, 2)),
        "every channel has its own part of the filter: c must be in the index of w": given(
            case, w=w[:, :1].repeat(C, 1)),
        "every filter has its own weights: f must be in the index of w": given(case, w=w[:1].repeat(F, 0)),
        "every filter has its own gradient: f must be in the index of dy": given(case, dy=dy[:, :1].repeat(F, 1)),
        "the image n must be in the index of dy": given(case, dy=dy[:1].repeat(len(dy), 0)),
        "w is (F, C, K, K): w[((f * C + c) * K + i) * K + j]": given(
            case, w=w.reshape(C, F, K, K).transpose(1, 0, 2, 3)),
        **_strict("dy", dy, case),
        "the last row of dy is left out: oy goes from 0 to OH - 1": given(case, dy=slab(dy, 2, 0, dy.shape[2] - 1)),
        "the last row and the last column of dy are left out": given(
            case, dy=slab(slab(dy, 2, 0, dy.shape[2] - 1), 3, 0, dy.shape[3] - 1)),
        "the sum keeps its sign": -right,
        "a sum, not a mean over the batch: the loss has divided": right / len(dy)} | ({
            "the window's last row and column are left out: i and j go from 0 to K - 1": given(
                case, w=_without(w, -1)),
            "the window's first row and column are left out: i and j begin at 0": given(case, w=_without(w, 0)),
            "only the first place of the window is asked": given(case, w=_only_at(w, 0))} if K > 1 else {}))


WINDOW_MISTAKES: dict[str, Callable[[Case], Mistakes]] = {
    "conv_forward": _conv_forward, "max_pool": _max_pool, "max_pool_grad": _max_pool_grad,
    "conv_grad_weight": _conv_grad_weight, "conv_grad_input": _conv_grad_input,
    "conv_relu": _conv_relu, "conv_relu_pool": _conv_relu_pool}
