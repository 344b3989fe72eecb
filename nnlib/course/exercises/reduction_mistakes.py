"""The usual mistakes of the pieces whose threads share a sum: of columns, and of the loss. Lesson 04."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from nnlib.course.exercises.mistaken import Mistakes, wrote
from nnlib.mine.contract import Case


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
            found[f"half of the threads are missing: is {threads // 2} among the steps of the tree?"] = sum(
                flat[:, first:first + threads // 2].sum(1) for first in starts)
            found[f"this is {threads} times what one thread has: does thread t begin with number t, and does a shuffle "
                  "bring what another lane has?"] = (
                threads * flat[:, ::threads].sum(1))
    found |= _by_shuffles(flat)
    if columns * inner > 1 and rows > 1:
        found["x is (rows, columns, inner): one row further is columns * inner numbers further"] = np.array(
            [x.ravel()[c:c + rows].sum() if c + rows <= x.size else np.nan for c in range(columns)])
    r, c, k = np.indices(x.shape)
    number = r * inner + k  # within its column
    for hint, index in {
        "r and k of a number are mixed up: in a row, inner numbers of a column lie side by side": (
            (number % inner * columns + c) * inner + number // inner),
        "k is not used yet: of every row a column has inner numbers": r * columns + c,
        "of number i in a column, r is i / inner and k is i % inner": (
            (number // columns * columns + c) * inner + number % columns),
        "x is (rows, columns, inner): k is the fastest index, then c, then r": (r * inner + k) * columns + c,
        "x is (rows, columns, inner): c lies between r and k": (c * rows + r) * inner + k,
    }.items():
        if index.max() < x.size and not np.array_equal(index.ravel(), np.arange(x.size)):
            found[hint] = x.ravel()[index].sum((0, 2))
    return wrote("sums", found | {hint: sums for hint, sums in _wrong_steps(x).items() if hint not in found})


def _wrong_steps(x: Any) -> dict[str, Any]:
    """Sums in which one row, column or place further is so many numbers further."""
    rows, columns, inner = x.shape
    found = {}
    names = {0: "0", rows: "rows", columns: "columns", 1: "1", columns * inner: "columns * inner", inner: "inner"}
    for steps in itertools.product(*[dict.fromkeys((columns * inner, columns, inner, rows, 1))] * 2,
                                   dict.fromkeys((1, 0, inner, columns, columns * inner))):
        for places in dict.fromkeys((inner, 1)):
            index = sum(step * at for step, at in zip(steps, np.indices((rows, columns, places)), strict=True))
            wrong = [f"one {which} further is {right} further, not {names[step]}" for which, right, step, is_step in (
                ("row", "columns * inner numbers", steps[0], columns * inner),
                ("column", "inner numbers", steps[1], inner), ("place k", "1 number", steps[2], 1)) if step != is_step]
            if wrong and index.max() < x.size and (places > 1 or inner == 1 or steps[2] == 1):
                less = "" if places == inner else "; and of every row a column has inner numbers"
                found[f"x is (rows, columns, inner): {'; '.join(wrong)}{less}"] = x.ravel()[index].sum((0, 2))
    return found


def _by_shuffles(flat: Any) -> dict[str, Any]:
    """A warp for each column, and shuffles that go wrong. flat: (columns, numbers)."""
    lanes = np.stack([flat[:, lane::32].sum(1) for lane in range(32)], 1)
    pairs, last = lanes[:, 0] + lanes[:, 16], lanes
    for step in (16, 8, 4, 2, 1):
        last = last[:, np.arange(32) ^ step]
    return {"this is what two lanes have: a loop of shuffles goes over 16, 8, 4, 2 and 1": pairs,
            "a shuffle brings the sum of another lane: add it, +=, do not replace yours": last[:, 0],
            "this is what two neighbouring lanes have: a loop of shuffles goes over 16, 8, 4, 2 and 1":
                lanes[:, 0] + lanes[:, 1]}


def shuffled_down(lanes: Any, join: Any) -> Any:
    """What each of 32 lanes (the last axis) has after five steps of __shfl_down_sync."""
    for step in (16, 8, 4, 2, 1):
        other = np.arange(32) + step
        lanes = join(lanes, lanes[..., np.where(other < 32, other, np.arange(32))])
    return lanes


def _softmax_cross_entropy(case: Case) -> Mistakes:
    z, labels = case.arguments["logits"], case.arguments["labels"]
    rows, classes = z.shape
    losses, dlogits = (case.expected[name] for name in ("losses", "dlogits"))
    onehot = labels[:, None] == np.arange(classes)
    largest = z.max(1)
    softmax, chosen = dlogits * rows + onehot, z[onehot]
    naive, unsafe, own = np.exp(z), np.exp(z).sum(1), np.exp(z - largest[:, None])
    found = wrote("dlogits", {
        "the mean over the batch is asked for: divide by rows": dlogits * rows,
        "the label's place is not subtracted yet: - (k == label)": softmax / rows,
        "this is softmax itself; subtract 1 at the label, divide by rows": softmax,
        "subtract 1 at the label, do not add it": (softmax + onehot) / rows,
        "the sign is turned around: softmax minus onehot": -dlogits,
        "only softmax is divided by rows, the 1 at the label must be, too": softmax / rows - onehot,
        "divide by rows, not by classes": dlogits * rows / classes,
        "all is 0: between integers 1 / rows is 0; divide the float by rows": 0 * dlogits,
        "every class has a gradient: where k is not the label it is softmax / rows": dlogits * onehot,
        "divide by the sum, too: softmax is exp(z - largest) / sum": (own - onehot) / rows,
        "here, too, the largest is subtracted before exp": (
            naive / own.sum(1, keepdims=True) - onehot) / rows,
        "after __shfl_down_sync only lane 0 has the sum, and all lanes need it: __shfl_xor_sync": (
            own / _of_lanes(shuffled_down(_lanes(own, 0.0, np.sum), np.add), classes) - onehot) / rows,
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
    found |= wrote("losses", _wrong_losses(z, labels, losses))
    if rows > 1:
        found |= wrote("losses", {
            "every row has its label: labels[r], not labels[0]": losses + chosen - z[:, labels[0]]})
    if classes > 32:
        seen = z[:, :32] - z[:, :32].max(1, keepdims=True)
        found = wrote("losses", {"a lane takes one number only: loop on, k += 32": (
            np.log(np.exp(seen).sum(1)) - (chosen - z[:, :32].max(1)))}) | found
    return found | wrote("losses", {"a block has several warps, each with a row of its own": np.where(
        np.arange(rows) % 4 == 0, losses, np.nan)})


def _wrong_losses(z: Any, labels: Any, losses: Any) -> dict[str, Any]:
    """hint -> losses, computed as float32 does where something vanishes."""
    rows, classes = z.shape
    largest, chosen = z.max(1), z[np.arange(rows), labels]
    log_sum = losses + chosen - largest
    lanes = [z[:, lane::32] for lane in range(min(classes, 32))]
    own = np.stack([lanes[k % 32].max(1) for k in range(classes)], 1)
    exponentials, label = np.exp(z - largest[:, None]), np.exp(chosen - largest)

    def with_largest(m: Any) -> Any:
        return np.log(np.exp(z - m[:, None]).sum(1)) - (chosen - m)

    down = _of_lanes(shuffled_down(_lanes(z, -np.inf, np.max), np.maximum), classes)
    shifted = z.ravel()[np.arange(rows)[:, None] + np.arange(classes)]
    its_largest = shifted.max(1)
    few = {"the largest is that of the first 32 numbers only: loop on, k += 32": with_largest(z[:, :32].max(1))}
    return (few if classes > 32 else {}) | {
        "brackets: z[label] - largest is subtracted as a whole": losses - 2 * largest,
        "logf is the natural logarithm, log2f another one": log_sum / np.log(2) - (chosen - largest),
        "logf is the natural logarithm, log10f another one": log_sum / np.log(10) - (chosen - largest),
        "each lane has its own largest: the warp needs the largest of all 32, by shuffles, before exp": (
            np.log(np.exp(z - own).sum(1)) - (chosen - own[:, 0])),
        "after __shfl_down_sync only lane 0 has the largest, and all lanes need it: __shfl_xor_sync": (
            np.log(np.exp(z - down).sum(1)) - (chosen - largest)),
        "row r begins at r * classes": np.log(np.exp(shifted - its_largest[:, None]).sum(1)) + its_largest - shifted[
            np.arange(rows), labels],
        "the label may be 32 or more, and no lane has that number: which lane stores the loss?": np.where(
            labels < 32, losses, np.nan),
        "several lanes add the same number: each takes every 32nd one, k += 32": np.log(
            (exponentials * np.minimum(np.arange(classes) + 1, 32)).sum(1)) - (chosen - largest),
        "a lane keeps the larger one of what it has and what it sees: fmaxf, not =": with_largest(
            np.max([lane[:, -1] for lane in lanes], 0)),
        "this is the sum of one lane: add up what all 32 have, by shuffles": (
            np.log(exponentials[:, ::32].sum(1)) - (chosen - largest)),
        "the search for the largest begins at -INFINITY, not at 0: all logits of a row may be negative":
            with_largest(np.maximum(largest, 0)),
        "the probability of the label has become 0, and its logarithm infinite: take the logarithm of the sum, and "
        "subtract the rest, as the formula does": -np.log(label / exponentials.sum(1))}


def _lanes(numbers: Any, nothing: float, join: Any) -> Any:
    """(rows, 32): what each lane of a warp has collected of its row, every 32nd number."""
    rows, count = numbers.shape
    padded = np.full((rows, -(-count // 32) * 32), nothing)
    padded[:, :count] = numbers
    return join(padded.reshape(rows, -1, 32), axis=1)


def _of_lanes(lanes: Any, count: int) -> Any:
    """For each of `count` numbers what the lane has that takes it."""
    return lanes[:, np.arange(count) % 32]


REDUCTION_MISTAKES: dict[str, Callable[[Case], Mistakes]] = {
    "sum_columns": _sum_columns, "softmax_cross_entropy": _softmax_cross_entropy}
