"""The usual mistakes of each piece, as what they would write: hint -> {array: contents}. Lessons 01 to 08.

Computed from the inputs of the case that failed; NaN stands for what no thread has written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nnlib.course.exercises.mistaken import Mistakes, wrote
from nnlib.course.exercises.tile_mistakes import product_mistakes
from nnlib.course.exercises.window_mistakes import WINDOW_MISTAKES
from nnlib.mine.contract import Case


def _normalise_images(case: Case) -> Mistakes:
    x, mean, std = (case.arguments[name] for name in ("x", "mean", "std"))
    return wrote("y", {
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
    return wrote("w", {
        "w stays as it was: is the new value stored, w[i] -= ..., and does the loop run at all?": w,
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


def _linear_forward(case: Case) -> Mistakes:
    x, w, b = (case.arguments[name] for name in "xwb")
    N, I, O = (case.sizes[name] for name in "NIO")
    found = wrote("y", {
        "the bias b[o] is not added": x @ w.T,
        "every output o has a bias of its own: b[o]": x @ w.T + b[0],
        "add the bias, do not subtract it": x @ w.T - b,
        "the bias is added once, at the end, not for each tile": x @ w.T + b * -(-I // 16),
        "the bias is added once, not for each product": x @ w.T + b * I,
        "the bias is missing, and w is (O, I): w[o * I + i]": x @ w.reshape(I, O),
        "a bias times the sum? Add it": (x @ w.T) * b})
    if N <= O:
        found |= wrote("y", {"the bias belongs to the output o, not to the example n": x @ w.T + b[:N, None]})
    return found | product_mistakes(case, b)


def _linear_grad_input(case: Case) -> Mistakes:
    dy, w = case.arguments["dy"], case.arguments["w"]
    return wrote("dx", {"divided by the batch? The loss has done that": dy @ w / len(dy)}) | product_mistakes(case)


def _linear_grad_weight(case: Case) -> Mistakes:
    dy, x = case.arguments["dy"], case.arguments["x"]
    return wrote("dw", {"dw has the shape of w, (O, I), and this is xᵀ dy, (I, O)": (x.T @ dy).reshape(
        case.sizes["O"], case.sizes["I"])}) | product_mistakes(case)


def _relu(case: Case) -> Mistakes:
    x = case.arguments["x"]
    return wrote("y", {
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
    return wrote("dx", {
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
    if flat.shape[1] > 1:
        found["the last step of the tree is missing: it goes on while the step is greater than 0"] = flat[:, ::2].sum(1)
    if rows < flat.shape[1]:
        found["a column has rows * inner numbers, and only the first rows of them are summed"] = flat[:, :rows].sum(1)
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
    r, c, k = np.indices(x.shape)
    number = r * inner + k  # within its column
    for hint, index in {
        "r and k of a number are mixed up: in a row, inner numbers of a column lie side by side": (
            (number % inner * columns + c) * inner + number // inner),
        "k is not used yet: of every row a column has inner numbers": r * columns + c,
        "x is (rows, columns, inner): k is the fastest index, then c, then r": (r * inner + k) * columns + c,
        "x is (rows, columns, inner): c lies between r and k": (c * rows + r) * inner + k,
    }.items():
        if index.max() < x.size and not np.array_equal(index.ravel(), np.arange(x.size)):
            found[hint] = x.ravel()[index].sum((0, 2))
    return wrote("sums", found)


def _softmax_cross_entropy(case: Case) -> Mistakes:
    z, labels = case.arguments["logits"], case.arguments["labels"]
    rows, classes = z.shape
    losses, dlogits = (case.expected[name] for name in ("losses", "dlogits"))
    onehot = labels[:, None] == np.arange(classes)
    largest = z.max(1)
    softmax, chosen = dlogits * rows + onehot, z[onehot]
    naive, unsafe = np.exp(z), np.exp(z).sum(1)
    found = wrote("dlogits", {
        "the mean over the batch is asked for: divide by rows": dlogits * rows,
        "the label's place is not subtracted yet: - (k == label)": softmax / rows,
        "this is softmax itself; subtract 1 at the label, divide by rows": softmax,
        "subtract 1 at the label, do not add it": (softmax + onehot) / rows,
        "the sign is turned around: softmax minus onehot": -dlogits,
        "only softmax is divided by rows, the 1 at the label must be, too": softmax / rows - onehot,
        "divide by rows, not by classes": dlogits * rows / classes,
        "exp overflows: subtract the row's largest number first": (naive / unsafe[:, None] - onehot) / rows}
        if classes > 1 else {})
    found |= wrote("losses", {
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
    found |= wrote("losses", _wrong_losses(z, chosen, losses))
    if rows > 1:
        found |= wrote("losses", {
            "every row has its label: labels[r], not labels[0]": losses + chosen - z[:, labels[0]]})
    if classes > 32:
        seen = z[:, :32] - z[:, :32].max(1, keepdims=True)
        found = wrote("losses", {"a lane takes one number only: loop on, k += 32": (
            np.log(np.exp(seen).sum(1)) - (chosen - z[:, :32].max(1)))}) | found
    return found | wrote("losses", {"a block has several warps, each with a row of its own": np.where(
        np.arange(rows) % 4 == 0, losses, np.nan)})


def _wrong_losses(z: Any, chosen: Any, losses: Any) -> dict[str, Any]:
    """hint -> losses, computed as float32 does where something vanishes. chosen: z[label] of each row."""
    rows, classes = z.shape
    largest = z.max(1)
    log_sum = losses + chosen - largest
    lanes = [z[:, lane::32] for lane in range(min(classes, 32))]
    own = np.stack([lanes[k % 32].max(1) for k in range(classes)], 1)
    exponentials, label = np.exp(z - largest[:, None]), np.exp(chosen - largest)

    def with_largest(m: Any) -> Any:
        return np.log(np.exp(z - m[:, None]).sum(1)) - (chosen - m)

    few = {"the largest is that of the first 32 numbers only: loop on, k += 32": with_largest(z[:, :32].max(1))}
    return (few if classes > 32 else {}) | {
        "brackets: z[label] - largest is subtracted as a whole": losses - 2 * largest,
        "logf is the natural logarithm, log2f another one": log_sum / np.log(2) - (chosen - largest),
        "logf is the natural logarithm, log10f another one": log_sum / np.log(10) - (chosen - largest),
        "each lane has its own largest: the warp needs the largest of all 32, by shuffles, before exp": (
            np.log(np.exp(z - own).sum(1)) - (chosen - own[:, 0])),
        "a lane keeps the larger one of what it has and what it sees: fmaxf, not =": with_largest(
            np.max([lane[:, -1] for lane in lanes], 0)),
        "this is the sum of one lane: add up what all 32 have, by shuffles": (
            np.log(exponentials[:, ::32].sum(1)) - (chosen - largest)),
        "the search for the largest begins at -INFINITY, not at 0: all logits of a row may be negative":
            with_largest(np.maximum(largest, 0)),
        "the probability of the label has become 0, and its logarithm infinite: take the logarithm of the sum, and "
        "subtract the rest, as the formula does": -np.log(label / exponentials.sum(1))}


def _momentum_step(case: Case) -> Mistakes:
    w, v, g, lr, momentum = (case.arguments[name] for name in ("w", "v", "g", "lr", "momentum"))
    new = momentum * v + g
    found = wrote("v", {
        "v stays as it was: store the new velocity, too": v, "the gradient is added to the velocity whole": (
            momentum * v + (1 - momentum) * g), "the old velocity is multiplied by momentum": v + g,
        "the velocity keeps the gradient itself; lr comes in with the step of w": momentum * v + lr * g,
        "the velocity adds the gradient itself; lr and the minus come in with the step of w": momentum * v - lr * g,
        "the old velocity is missing: momentum * v + g": g, "add the gradient to the velocity, do not subtract": (
            momentum * v - g), "momentum belongs to the old velocity, not to g": v + momentum * g,
        "momentum belongs to the old velocity only": momentum * (v + g), "the gradient is missing": momentum * v})
    return found | wrote("w", {
        "w stays as it was: w[i] -= lr * v[i]": w, "the step goes down: minus, not plus": w + lr * new,
        "the new velocity is used: update v first": w - lr * v, "the learning rate lr is missing": w - new,
        "the step follows the velocity, not the gradient": w - lr * g,
        "this looks ahead (Nesterov): w -= lr * v is asked for": w - lr * (g + momentum * new),
        "w is changed by the step, not replaced: -=": -lr * new, "momentum is already in v": w - lr * momentum * new})


MISTAKES: dict[str, Callable[[Case], Mistakes]] = {
    "normalise_images": _normalise_images, "sgd_step": _sgd_step, "linear_forward": _linear_forward,
    "linear_grad_input": _linear_grad_input, "linear_grad_weight": _linear_grad_weight, "relu": _relu,
    "relu_grad": _relu_grad, "sum_columns": _sum_columns, "softmax_cross_entropy": _softmax_cross_entropy,
    "momentum_step": _momentum_step, **WINDOW_MISTAKES}
