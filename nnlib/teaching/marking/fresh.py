"""Inputs of functions that `check` does not use: an answer that only knows those of `check` fails on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy.random import Generator

from nnlib.course.exercises.lesson06 import ROWS, row_input
from nnlib.course.exercises.lesson07 import clear
from nnlib.course.exercises.lesson10 import online_inputs, weights_inputs


def _numbers(rng: Generator, low: int, high: int, count: int) -> list[int]:
    return list(map(int, rng.integers(low, high, count)))


def _sectors_of(rng: Generator) -> tuple[Any, ...]:
    return tuple(_numbers(rng, 1, 12, 1) + _numbers(rng, 0, 40, 1))


def _limit(rng: Generator) -> tuple[Any, ...]:
    return tuple(_numbers(rng, 1, 17, 2))


def _intensity(rng: Generator) -> tuple[Any, ...]:
    return tuple(_numbers(rng, 1, 300, 2))


def _field(rng: Generator) -> tuple[Any, ...]:
    layers = int(rng.integers(1, 6))
    return (list(zip(_numbers(rng, 1, 8, layers), _numbers(rng, 1, 4, layers), strict=True)),)


def _backwards(rng: Generator) -> tuple[Any, ...]:
    return row_input(
        rng, str(rng.choice(list(ROWS))), int(rng.integers(1, 5)), 2 * int(rng.integers(2, 5))
    )


def _layer_norm_back(rng: Generator) -> tuple[Any, ...]:
    return tuple(rng.standard_normal((2, int(rng.integers(2, 6)), int(rng.integers(3, 8)))))


def _slopes(rng: Generator) -> tuple[Any, ...]:
    """Each value comes from up to two of those before it, or from one of them twice."""
    return (
        [
            [
                (int(rng.integers(k)), float(rng.integers(-3, 4)))
                for _ in range(int(rng.integers(3)))
            ]
            if k
            else []
            for k in range(int(rng.integers(4, 10)))
        ],
    )


def _loop(rng: Generator) -> str:
    dropout = "a network with dropout, " if rng.random() < 0.5 else ""
    images, batch, epochs = (
        int(rng.integers(40, 90)),
        int(rng.integers(15, 35)),
        int(rng.integers(2, 4)),
    )
    return f"{dropout}{images} images in batches of {batch}, {epochs} epochs"


def _audit(rng: Generator) -> str:
    cases = (f"a network drawn by {number}" for number in rng.integers(10**6, size=100))
    return next(case for case in cases if clear(case))


def _patience(rng: Generator) -> tuple[Any, ...]:
    return (rng.integers(20, 60, int(rng.integers(4, 12))) / 50).tolist(), int(rng.integers(1, 4))


def _loss_scale(rng: Generator) -> tuple[Any, ...]:
    return (rng.uniform(-1, 1, int(rng.integers(2, 20))) * 10.0 ** rng.uniform(-6, 8),)


def _speedup(rng: Generator) -> tuple[Any, ...]:
    parts = int(rng.integers(2, 6))
    times = tuple(rng.integers(1, 20, parts).astype(float).tolist())
    return times, int(rng.integers(parts)), float(rng.integers(2, 50))


def _finish(rng: Generator) -> tuple[Any, ...]:
    return tuple(_numbers(rng, 1, 9, 4))


def _online(rng: Generator) -> tuple[Any, ...]:
    steps = online_inputs(rng)
    return tuple(steps[int(rng.integers(len(steps)))])


def _weights(rng: Generator) -> tuple[Any, ...]:
    return weights_inputs(rng)[int(rng.integers(4))]


def _parts(rng: Generator) -> tuple[Any, ...]:
    counts = _numbers(rng, 1, 40, int(rng.integers(2, 7)))
    return [rng.standard_normal(4) for _ in counts], counts


def _ring(rng: Generator) -> tuple[Any, ...]:
    return int(rng.integers(2, 9)), int(rng.integers(1, 60))


FRESH: dict[str, Callable[[Generator], Any]] = {
    "02.sectors_of": _sectors_of,
    "03.limit": _limit,
    "03.intensity": _intensity,
    "05.field": _field,
    "06.backwards": _backwards,
    "06.layer_norm_back": _layer_norm_back,
    "06.slopes": _slopes,
    "07.loop": _loop,
    "07.audit": _audit,
    "07.patience": _patience,
    "08.speedup": _speedup,
    "08.finish": _finish,
    "09.loss_scale": _loss_scale,
    "10.online": _online,
    "10.scores_grad": _weights,
    "11.whole_gradient": _parts,
    "11.ring": _ring,
}
COUNT = {"07.loop": 2, "07.audit": 3}  # else 6


def fresh(exercise: str, rng: Generator) -> list[Any]:
    """Some more inputs, as the exercise has them; none for an exercise without such inputs."""
    draw = FRESH.get(exercise)
    return [draw(rng) for _ in range(COUNT.get(exercise, 6))] if draw else []
