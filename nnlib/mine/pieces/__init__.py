"""The pieces of the student's library, in the order of the lessons: what is asked of each, and what is right."""

from __future__ import annotations

from dataclasses import replace

from nnlib.mine.contract import Piece
from nnlib.mine.pieces.network import NETWORK
from nnlib.mine.pieces.transformer import TRANSFORMER
from nnlib.mine.trials.tasks import (
    no_atomics,
    reads_per_product,
    shared_among_threads,
    sums_in_registers,
)

PIECES: dict[str, Piece] = {piece.name: piece for piece in (*NETWORK, *TRANSFORMER)}
# The same contracts once more in a later lesson, with more to do.
AGAIN = {
    name: replace(PIECES[name], lesson="08", task=task)
    for name, task in {
        "conv_grad_weight": [no_atomics, shared_among_threads("sum", N=4, H=32, W=32, pad=0)],
        "linear_forward": [no_atomics, shared_among_threads("row", inputs=4096)],
        "conv_grad_input": [no_atomics, sums_in_registers(1.3, *"NFCHWKK")],
        "conv_forward": [no_atomics, reads_per_product(0.8, *"NFCHWKK")],
    }.items()
}
AGAIN["sum_columns"] = replace(
    PIECES["sum_columns"],
    lesson="05",
    first=None,
    task=[*PIECES["sum_columns"].task, shared_among_threads("row of pixels", inner=4096)],
)
# The others do what two or three of these do
NEEDED = [name for name, piece in PIECES.items() if piece.lesson < "08"]
