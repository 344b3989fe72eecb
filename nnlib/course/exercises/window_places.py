"""Windows that look at the wrong places, and results that are numbered wrongly. Lessons 05, 06 and 08."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from nnlib.mine.contract import Case

# Where place i of window o lies, if it is not at o * stride + i - pad: the hint, and the place.
_FORWARD: dict[str, Callable[..., Any]] = {
    "the padding is not subtracted: row = oy * stride + i - pad": lambda o, i, stride, pad: o * stride + i,
    "the padding is subtracted, not added": lambda o, i, stride, pad: o * stride + i + pad,
    "windows are stride apart: row = oy * stride + i - pad": lambda o, i, stride, pad: o + i - pad,
    "stride and pad are missing in the index: row = oy * stride + i - pad": lambda o, i, stride, pad: o + i,
    "the padding is counted in pixels: oy * stride - pad, not (oy - pad) * stride":
        lambda o, i, stride, pad: (o - pad) * stride + i,
    "the window begins at oy * stride, and i goes on by 1: not oy + i * stride":
        lambda o, i, stride, pad: o + i * stride - pad}
# stride times the output that has seen pixel p at place i, if it is not p + pad - i.
_BACK: dict[str, Callable[..., Any]] = {
    "the padding is missing: oy * stride = row + pad - i": lambda p, i, pad: p - i,
    "the padding changes its sign on the way back: oy * stride = row + pad - i": lambda p, i, pad: p - pad - i,
    "i changes its sign on the way back: oy * stride = row + pad - i": lambda p, i, pad: p + pad + i,
    "pad and i change their signs on the way back: oy * stride = row + pad - i": lambda p, i, pad: p - pad + i}


def misread(case: Case, combine: Callable[[Any], Any]) -> Iterator[tuple[str, Any]]:
    """(hint, what comes out) where pixels are read at wrong places. combine: of the pixels (N, C, OH, OW, K, K)."""
    x, stride, pad, K = case.arguments["x"], *(case.sizes[name] for name in ("stride", "pad", "K"))
    H, W = x.shape[2:]
    OH, OW = ((size + 2 * pad - K) // stride + 1 for size in (H, W))
    i = np.arange(K)

    def pixels(rows: Any, columns: Any) -> Any:
        inside = ((rows >= 0) & (rows < H))[:, None, :, None] & ((columns >= 0) & (columns < W))[:, None, :]
        return x[:, :, np.clip(rows, 0, H - 1)[:, None, :, None], np.clip(columns, 0, W - 1)[:, None, :]] * inside

    def right(o: Any) -> Any:
        return o * stride + i - pad

    down, across = np.arange(OH)[:, None], np.arange(OW)[:, None]
    for hint, place in _FORWARD.items():
        wrong_rows, wrong_columns = (place(o, i, stride, pad) for o in (down, across))
        if not np.array_equal(wrong_rows, right(down)):
            yield hint, combine(pixels(wrong_rows, wrong_columns))
            yield f"{hint} (look at the row)", combine(pixels(wrong_rows, right(across)))
            yield f"{hint} (look at the column)", combine(pixels(right(down), wrong_columns))
    yield "a row is below H, a column below W: are H and W exchanged in the guard?", combine(pixels(
        np.where(right(down) < W, right(down), -1), np.where(right(across) < H, right(across), -1)))
    yield "the row of a pixel ends at H - 1, not at K - 1", combine(pixels(
        np.where(right(down) < K, right(down), -1), right(across)))
    flat = (right(across)[None, :, None, :] * W + right(down)[:, None, :, None]).astype(int)  # in its plane
    inside = ((right(down) >= 0) & (right(down) < H))[:, None, :, None] & (
        (right(across) >= 0) & (right(across) < W))[:, None, :]
    if flat[inside].size and flat[inside].max() < H * W:
        yield "a row of the picture has W pixels: row * W + column, not column * W + row", combine(
            x.reshape(*x.shape[:2], -1)[:, :, np.where(inside, flat, 0)] * inside)


def misfetched(case: Case) -> Iterator[tuple[str, Any]]:
    """(hint, dx) where a pixel asks the wrong outputs."""
    dy, w = case.arguments["dy"], case.arguments["w"]
    H, W, stride, pad, K = (case.sizes[name] for name in ("H", "W", "stride", "pad", "K"))
    OH, OW = dy.shape[2:]
    i = np.arange(K)

    def right(p: Any) -> Any:
        return p + pad - i

    def met(at: Any, outputs: int, step: int) -> tuple[Any, Any]:
        """Number of the output, and whether there is one."""
        return np.clip(at // step, 0, outputs - 1), (at >= 0) & (at % step == 0) & (at // step < outputs)

    def result(rows: Any, columns: Any, step: int = stride, goes_on: bool = True) -> Any:
        (oy, above), (ox, beside) = met(rows, OH, step), met(columns, OW, step)
        if not goes_on:
            beside = np.logical_and.accumulate(beside, -1)
        seen = dy[:, :, oy[:, None, :, None], ox[:, None, :]] * (above[:, None, :, None] & beside[:, None, :])
        return np.einsum("nfhwij,fcij->nchw", seen, w)

    down, across = np.arange(H)[:, None], np.arange(W)[:, None]
    for hint, place in _BACK.items():
        yield hint, result(place(down, i, pad), place(across, i, pad))
    yield "output oy begins at oy * stride: divide by stride, where nothing remains", result(
        right(down), right(across), 1)
    yield "an output that there is not is skipped, and the loop goes on: continue, not break", result(
        right(down), right(across), goes_on=False)


def missed(case: Case) -> Iterator[tuple[str, Any]]:
    """(hint, dx) where a pixel asks outputs that have not met it, or leaves some out."""
    def met(at: Any, outputs: int, stride: int) -> Any:
        return (at >= 0) & (at % stride == 0) & (at // stride < outputs)

    def nearly(at: Any, outputs: int, stride: int) -> Any:
        return (at >= 0) & (at // stride < outputs)

    def undivided(at: Any, outputs: int, stride: int) -> Any:
        return (at >= 0) & (at % stride == 0) & (at < outputs)

    hint = "where something remains, no output has met the pixel: row + pad - i must be a multiple of stride"
    yield hint, _fetched(case, nearly, nearly)
    yield f"{hint} (look at the row)", _fetched(case, nearly, met)
    yield f"{hint} (look at the column)", _fetched(case, met, nearly)
    yield "the output has the number (row + pad - i) / stride: is that below OH?", _fetched(case, undivided, undivided)
    yield "only the last product is left: the sum grows by +=", _fetched(case, met, met, last=True)
    right = case.expected["dx"]
    yield "a pixel that no output has met gets 0: write that, too, nobody clears dx before", np.where(
        right == 0, np.nan, right)


def _fetched(case: Case, rows: Callable[..., Any], columns: Callable[..., Any], last: bool = False) -> Any:
    """dx where rows and columns say which outputs have met a pixel; with only the last product of each, if asked."""
    dy, w, dx = case.arguments["dy"], case.arguments["w"], np.zeros_like(case.expected["dx"])
    stride, pad = case.sizes["stride"], case.sizes["pad"]
    for i, j in np.ndindex(*w.shape[2:]):
        down, across = (np.arange(size) + pad - at for size, at in zip(dx.shape[2:], (i, j), strict=True))
        y, x = (np.flatnonzero(met(at, outputs, stride))
                for met, at, outputs in zip((rows, columns), (down, across), dy.shape[2:], strict=True))
        seen = dy[:, :, down[y, None] // stride, across[x] // stride]
        if last:
            dx[:, :, y[:, None], x] = np.einsum("nhw,c->nchw", seen[:, -1], w[-1, :, i, j])
        else:
            dx[:, :, y[:, None], x] += np.einsum("nfhw,fc->nchw", seen, w[:, :, i, j])
    return dx


def misnumbered(right: Any, row: str, rows: str, columns: str, beyond: Any = None) -> dict[str, Any]:
    """Hint -> the results where a thread takes its number apart wrongly. right: (…, rows, columns).

    row, rows, columns: what they are called. beyond: the same with more rows, as far as they can be computed.
    """
    R, C = right.shape[-2:]
    wider = right if beyond is None else beyond
    at = np.arange(right.size)
    found = {}
    ways = {f"at / {rows}": (at // R % C, at % C), f"at / {rows} % {rows}": (at // R % R, at % C),
            f"at / {columns} % {columns}": (at // C % C, at % C), f"at % {rows}": (at // R % C, at % R),
            "% of another size": (at // C % wider.shape[-2], at % C)}
    for way, (y, x) in ways.items():
        if y.max() < wider.shape[-2] and x.max() < C:
            planes = wider.reshape(-1, *wider.shape[-2:])
            found[f"a result's number is taken apart wrongly ({way}?): behind each {row} stand {columns} places, and "
                  f"there are {rows} such {row}"] = planes[at // (R * C), y, x].reshape(right.shape)
    return found
