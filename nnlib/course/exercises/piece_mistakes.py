"""The usual mistakes of each piece, as what they would write: hint -> {array: contents}. Lessons 01 to 08.

Computed from the inputs of the case that failed; NaN stands for what no thread has written.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nnlib.course.exercises.mistaken import Mistakes, wrote
from nnlib.course.exercises.reduction_mistakes import REDUCTION_MISTAKES
from nnlib.course.exercises.shared_mistakes import shared_wrongly
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
        "mean and std are exchanged": (x / 255 - std) / mean,
        "subtract the mean, divide by std: here std does both": (x / 255 - std) / std,
        "all results are the same: between integers 1 / 255 is 0": (0 * x - mean) / std,
        "std is the standard deviation itself: no root": (x / 255 - mean) / np.sqrt(std),
        "std is the standard deviation itself: no square": (x / 255 - mean) / std**2})


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
        "lr times g[i] whole: the loss has divided by its batch": w - lr * g / len(w),
        "brackets: lr times g[i] first, then subtract": (w - lr) * g,
        "the difference is turned around: w minus the step": lr * g - w,
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
        "sums below zero are right here: ReLU is another kernel": np.maximum(x @ w.T + b, 0),
        "a bias times the sum? Add it": (x @ w.T) * b})
    if N <= O:
        found |= wrote("y", {"the bias belongs to the output o, not to the example n": x @ w.T + b[:N, None]})
    if case.piece.lesson == "03":
        return found | product_mistakes(case, b)
    return found | wrote("y", shared_wrongly(lambda times: (times * x) @ w.T + b, I) | {
        "the bias is added once, not by each of the 32 lanes": x @ w.T + 32 * b}) | product_mistakes(case, b)


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
        "an int drops what is behind the point: keep the number a float": np.trunc(np.maximum(x, 0)),
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
        "an int drops what is behind the point: y is a float, and the mask 0 or 1": dy * np.trunc(y),
        "a leak belongs to another function: 0 below zero": np.where(y > 0, dy, 0.01 * dy)})


def _momentum_step(case: Case) -> Mistakes:
    w, v, g, lr, momentum = (case.arguments[name] for name in ("w", "v", "g", "lr", "momentum"))
    new = momentum * v + g
    found = wrote("v", {
        "v stays as it was: store the new velocity, too": v, "the gradient is added to the velocity whole": (
            momentum * v + (1 - momentum) * g), "the old velocity is multiplied by momentum": v + g,
        "the velocity keeps the gradient itself; lr comes in with the step of w": momentum * v + lr * g,
        "the velocity adds the gradient itself; lr and the minus come in with the step of w": momentum * v - lr * g,
        "momentum replaces the old velocity, it does not come on top: v = momentum * v + g": v + momentum * v + g,
        "momentum and lr are exchanged": lr * v + g, "the old velocity is missing: momentum * v + g": g,
        "add the gradient to the velocity, do not subtract": (
            momentum * v - g), "momentum belongs to the old velocity, not to g": v + momentum * g,
        "momentum belongs to the old velocity only": momentum * (v + g), "the gradient is missing": momentum * v})
    return found | wrote("w", {
        "w stays as it was: w[i] -= lr * v[i]": w, "the step is minus lr times v": w + new,
        "w goes lr times the new velocity: momentum is in it, and lr belongs to all of it": w - lr * g - momentum * v,
        "w goes lr times the velocity, in which momentum is already": w - (lr * g + momentum * new),
        "the step goes down: minus, not plus": w + lr * new,
        "the new velocity is used: update v first": w - lr * v, "the learning rate lr is missing": w - new,
        "the step follows the velocity, not the gradient": w - lr * g,
        "this looks ahead (Nesterov): w -= lr * v is asked for": w - lr * (g + momentum * new),
        "w is changed by the step, not replaced: -=": -lr * new, "momentum is already in v": w - lr * momentum * new})


MISTAKES: dict[str, Callable[[Case], Mistakes]] = {
    "normalise_images": _normalise_images, "sgd_step": _sgd_step, "linear_forward": _linear_forward,
    "linear_grad_input": _linear_grad_input, "linear_grad_weight": _linear_grad_weight, "relu": _relu,
    "relu_grad": _relu_grad, "momentum_step": _momentum_step, **REDUCTION_MISTAKES, **WINDOW_MISTAKES}
