"""Measure the course's own versions of the student's pieces: `python tests/benchmarks/pieces.py` writes scores.json.

Exact counters of the simulator: the same on every machine.
"""

import json

from nnlib.cuda import force_simulator
from nnlib.mine import judging
from nnlib.mine.pieces import PIECES


def measure() -> dict[str, dict[str, dict[str, float]]]:
    """name -> "plain" and "best" -> counters."""
    with force_simulator():
        return {name: {"plain": judging.measured(piece, piece.plain), "best": judging.measured(piece, piece.best)}
                for name, piece in PIECES.items()}


if __name__ == "__main__":
    judging._STORED.write_text(json.dumps(measure(), indent=1) + "\n", "utf-8")
