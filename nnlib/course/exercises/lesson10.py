"""Lesson 10's Python exercises, each with its solution, its inputs and what the usual mistakes compute.

10.online is one step of the online softmax that attention runs along a row of scores (Milakov and Gimelshein 2018,
arXiv:1805.02867). 10.scores_grad is the backward pass of a row's softmax.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nnlib.course.exercises.checking import FunctionExercise

State = tuple[float, float, np.ndarray]  # largest score, sum of the exponentials, weighted values


def _online(
    largest: float, total: float, result: np.ndarray, score: float, value: np.ndarray
) -> State:
    """Take one score with its value into the state, and return the new state."""
    new = max(largest, score)
    rescale, weight = np.exp(largest - new), np.exp(score - new)
    return new, rescale * total + weight, rescale * result + weight * value


def _states(rng: np.random.Generator, scores: tuple[float, ...]) -> list[tuple[Any, ...]]:
    """Return the arguments of each step through a row of scores, with values of three numbers."""
    values, steps = np.round(rng.standard_normal((len(scores), 3)), 2), list[tuple[Any, ...]]()
    for k, score in enumerate(scores):
        largest = max(scores[:k], default=-np.inf)
        weights = np.exp(np.array(scores[:k]) - largest)
        steps.append((largest, float(weights.sum()), weights @ values[:k], score, values[k]))
    return steps


def online_inputs(rng: np.random.Generator) -> list[tuple[Any, ...]]:
    """Draw rows that begin, rise, fall and repeat a score; some scores are so large that exp overflows."""
    low, high = np.round(np.sort(rng.uniform(-2, 3, 2)), 2).tolist()
    rows = (low, high, low), (high, low, low), (900.0 + low, 900.0, 901.0 + high), (-950.0, -948.5)
    steps = [_states(rng, row) for row in rows]
    return [step for row in steps for step in row[1:]] + [row[0] for row in steps]


def _online_mistakes(
    largest: float, total: float, result: Any, score: float, value: Any
) -> dict[str, State]:
    """Return what each usual mistake computes, under its hint."""
    new, new_total, new_result = _online(largest, total, result, score, value)
    rescale, weight = np.exp(largest - new), np.exp(score - new)
    weight_by_old_largest, unshifted_weight = np.exp(score - largest), np.exp(score)

    def state(factor: float, weight: float, top: float = new) -> State:
        return top, factor * total + weight, factor * result + weight * value

    return {
        "the result was added up with the old largest score: it shrinks by the same factor as total": (
            new,
            new_total,
            result + weight * value,
        ),
        "the total was added up with the old largest score: it shrinks by the same factor as result": (
            new,
            total + weight,
            new_result,
        ),
        "what was added up before belongs to the old largest score: multiply total and result by exp(largest - new)": state(
            1, weight
        ),
        "the factor is exp(largest - new), which is at most 1: yours makes the old parts grow": state(
            np.exp(new - largest), weight
        ),
        "the new weight is exp(score - new): the largest score so far may be the new one itself": state(
            1, weight_by_old_largest
        ),
        "subtract the new largest score, as for the first factor: the new weight is exp(score - new)": state(
            rescale, weight_by_old_largest
        ),
        "the factor belongs to what was added up before: multiply by it first, then add the new weight": state(
            rescale, rescale * weight
        ),
        "the new score is not always the largest: its weight is exp(score - new)": state(
            rescale, 1
        ),
        "subtract the largest score first, as in lesson 04: exp(900) is infinite": state(
            1, unshifted_weight
        ),
        "the new value's weight overflows: it is exp(score - new), not exp(score)": state(
            rescale, unshifted_weight
        ),
        "the new largest score is the larger of the two: max(largest, score)": state(
            np.exp(largest - score), 1, score
        ),
        "the value is multiplied by its weight, too": (new, new_total, rescale * result + value),
        "the value is missing: add the weight times the value to result": (
            new,
            new_total,
            rescale * result + weight,
        ),
        "on paper 2 stood for e: here write np.exp": state(
            2.0 ** (largest - new), 2.0 ** (score - new)
        ),
        "divide only once, behind the last score: a divided result can no longer be added to": (
            new,
            new_total,
            new_result / new_total,
        ),
        "the largest score is a part of the state: return the new one": state(
            rescale, weight, largest
        ),
    }


FunctionExercise(
    "10.online",
    reference=_online,
    inputs=online_inputs(np.random.default_rng(10)),
    mistakes=_online_mistakes,
)


def _scores_grad(p: Any, dp: Any) -> Any:
    """Return the gradient of the scores of each row, given its softmax weights p and their gradient dp."""
    return p * (dp - (p * dp).sum(axis=-1, keepdims=True))


def weights_inputs(rng: np.random.Generator) -> list[tuple[np.ndarray, np.ndarray]]:
    """Draw causal weights of square tables, with the gradient of each weight."""
    cases = []
    for T in (3, 5, 1, 4):
        p = np.exp(rng.standard_normal((T, T))) * np.tri(T)
        cases.append((p / p.sum(axis=1, keepdims=True), rng.standard_normal((T, T))))
    return cases


def _scores_grad_mistakes(p: Any, dp: Any) -> dict[str, Any]:
    """Return what each usual mistake computes, under its hint."""
    weighted = p * dp
    delta, unweighted = (each.sum(axis=-1, keepdims=True) for each in (weighted, dp))
    return {
        "a score moves all weights of its row, not only its own: subtract the row's mean of dp, weighted by p": weighted,
        "this is p (1 - p) dp, the part of a score's own weight: it moves the others of its row as well": (
            p * (1 - p) * dp
        ),
        "the mean of a row is weighted by p: sum p * dp": (
            p * (dp - dp.mean(axis=-1, keepdims=True))
        ),
        "the sum lacks its weights: it is the sum of p * dp": p * (dp - unweighted),
        "inside of the sum each dp has its own weight: (p * dp).sum(axis=-1, keepdims=True), not p * dp.sum(…)": (
            p * (dp - p * unweighted)
        ),
        "inside of the sum each dp has its own weight, and each row has its own sum: (p * dp).sum(axis=-1, keepdims=True)": (
            p * (dp - p * dp.sum())
        ),
        "p * dp is summed up, not averaged: the weights of a row already add up to 1": (
            p * (dp - weighted.mean(axis=-1, keepdims=True))
        ),
        "a sum for each row, not for each column: axis=-1": p * (dp - weighted.sum(axis=0)),
        "one sum for each row, not one for the table: axis=-1, keepdims=True": (
            p * (dp - weighted.sum())
        ),
        "each row's sum belongs to its own row: keepdims=True": p * (dp - weighted.sum(axis=-1)),
        "the factor p is missing: a weight that is 0 lets no gradient through": dp - delta,
        "the sum is subtracted from dp, before p is multiplied": weighted - delta,
        "the row's mean is subtracted from dp, not added: dp - the sum of p * dp": (
            p * (dp + delta)
        ),
        "the sign: a score whose weight pays more than the row's mean has a positive gradient": (
            -_scores_grad(p, dp)
        ),
    }


FunctionExercise(
    "10.scores_grad",
    reference=_scores_grad,
    inputs=weights_inputs(np.random.default_rng(10)),
    formula=True,
    mistakes=_scores_grad_mistakes,
)
