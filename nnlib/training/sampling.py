"""Let a language model go on with a text, character by character."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nnlib import device
from nnlib.model import Sequential
from nnlib.training.evaluation import evaluating


def sample(
    model: Sequential,
    tokens: Sequence[int],
    count: int,
    context: int,
    temperature: float = 1.0,
    seed: int = 0,
) -> list[int]:
    """Return `tokens` and `count` more, each drawn from softmax(logits / temperature) of the last `context` before it.

    Temperature 0 takes the likeliest. The same seed draws the same tokens on every engine, but for rounding.
    """
    if temperature < 0 or not len(tokens):
        raise ValueError("the temperature is at least 0, and there is a token to begin with")
    rng, text = np.random.default_rng(seed), list(map(int, tokens))
    with evaluating(model):
        for _ in range(count):
            window = device.array_module(model.parameters).asarray([text[-context:]], np.int32)
            logits = device.to_host(model.forward(window))[0, -1].astype(np.float64)
            text.append(_draw(logits, temperature, rng))
    return text


def _draw(logits: np.ndarray, temperature: float, rng: np.random.Generator) -> int:
    if temperature == 0:
        return int(logits.argmax())
    p = np.exp((logits - logits.max()) / temperature)
    return int(rng.choice(len(p), p=p / p.sum()))
