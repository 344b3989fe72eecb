"""Inputs of functions that `check` does not use: an answer that only knows those of `check` fails on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from numpy.random import Generator

from nnlib.course.exercises.lesson06 import ROWS, row_input
from nnlib.course.exercises.lesson07 import clear
from nnlib.course.exercises.lesson10 import online_inputs, weights_inputs


def _int(rng: Generator, low: int, high: int) -> int:
    return int(rng.integers(low, high))


def _ints(rng: Generator, low: int, high: int, count: int) -> list[int]:
    return list(map(int, rng.integers(low, high, count)))


def _one(rng: Generator, things: Sequence[Any]) -> Any:
    return things[_int(rng, 0, len(things))]


def _field(rng: Generator) -> tuple[Any, ...]:
    layers = _int(rng, 1, 6)
    return (list(zip(_ints(rng, 1, 8, layers), _ints(rng, 1, 4, layers), strict=True)),)


def _slopes(rng: Generator) -> tuple[Any, ...]:
    """Draw a tape in which each value comes from up to two of those before it, or from one of them twice."""
    counts = [_int(rng, 0, 3) if k else 0 for k in range(_int(rng, 4, 10))]
    return (
        [
            [(_int(rng, 0, k), float(_int(rng, -3, 4))) for _ in range(count)]
            for k, count in enumerate(counts)
        ],
    )


def _loop(rng: Generator) -> str:
    dropout = "a network with dropout, " if rng.random() < 0.5 else ""
    images, batch, epochs = _int(rng, 40, 90), _int(rng, 15, 35), _int(rng, 2, 4)
    return f"{dropout}{images} images in batches of {batch}, {epochs} epochs"


def _audit(rng: Generator) -> str:
    cases = (f"a network drawn by {number}" for number in rng.integers(10**6, size=100))
    return next(case for case in cases if clear(case))


def _speedup(rng: Generator) -> tuple[Any, ...]:
    times = tuple(map(float, _ints(rng, 1, 20, _int(rng, 2, 6))))
    return times, _int(rng, 0, len(times)), float(_int(rng, 2, 50))


def _parts(rng: Generator) -> tuple[Any, ...]:
    counts = _ints(rng, 1, 40, _int(rng, 2, 7))
    return [rng.standard_normal(4) for _ in counts], counts


FRESH: dict[str, Callable[[Generator], Any]] = {
    "02.sectors_of": lambda rng: (_int(rng, 1, 12), _int(rng, 0, 40)),
    "03.limit": lambda rng: tuple(_ints(rng, 1, 17, 2)),
    "03.intensity": lambda rng: tuple(_ints(rng, 1, 300, 2)),
    "05.field": _field,
    "06.backwards": lambda rng: row_input(
        rng, _one(rng, list(ROWS)), _int(rng, 1, 5), 2 * _int(rng, 2, 5)
    ),
    "06.layer_norm_back": lambda rng: tuple(
        rng.standard_normal((2, _int(rng, 2, 6), _int(rng, 3, 8)))
    ),
    "06.slopes": _slopes,
    "07.loop": _loop,
    "07.audit": _audit,
    "07.patience": lambda rng: (
        (rng.integers(20, 60, _int(rng, 4, 12)) / 50).tolist(),
        _int(rng, 1, 4),
    ),
    "08.speedup": _speedup,
    "08.finish": lambda rng: tuple(_ints(rng, 1, 9, 4)),
    "09.loss_scale": lambda rng: (
        rng.uniform(-1, 1, _int(rng, 2, 20)) * 10.0 ** rng.uniform(-6, 8),
    ),
    "10.online": lambda rng: _one(rng, online_inputs(rng)),
    "10.scores_grad": lambda rng: _one(rng, weights_inputs(rng)),
    "11.whole_gradient": _parts,
    "11.ring": lambda rng: (_int(rng, 2, 9), _int(rng, 1, 60)),
}
COUNT = {"07.loop": 2, "07.audit": 3}  # else 6


def fresh(exercise: str, rng: Generator) -> list[Any]:
    """Draw some more inputs in the form that the exercise has; none for an exercise without such inputs."""
    draw = FRESH.get(exercise)
    return [draw(rng) for _ in range(COUNT.get(exercise, 6))] if draw else []
