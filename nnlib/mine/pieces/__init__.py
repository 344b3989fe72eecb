"""The pieces of the student's library, in the order of the lessons: what is asked of each, and what is right."""

from __future__ import annotations

from dataclasses import replace

from nnlib.mine.contract import Piece
from nnlib.mine.pieces.network import NETWORK
from nnlib.mine.pieces.transformer import TRANSFORMER
from nnlib.mine.trials.tasks import (
    SharedAmongThreads,
    Task,
    no_atomics,
    reads_per_product,
    sums_in_registers,
)

PIECES: dict[str, Piece] = {piece.name: piece for piece in (*NETWORK, *TRANSFORMER)}
# The same contracts once more in a later lesson, with more to do.
_FASTER: dict[str, Task] = {
    "conv_grad_weight": SharedAmongThreads("sum", N=4, H=32, W=32, pad=0),
    "linear_forward": SharedAmongThreads("row", inputs=4096),
    "conv_grad_input": sums_in_registers(1.3, *"NFCHWKK"),
    "conv_forward": reads_per_product(0.8, *"NFCHWKK"),
}
AGAIN = {
    name: replace(PIECES[name], lesson="08", task=[no_atomics, task])
    for name, task in _FASTER.items()
}
AGAIN["sum_columns"] = replace(
    PIECES["sum_columns"],
    lesson="05",
    first=None,
    task=[*PIECES["sum_columns"].task, SharedAmongThreads("row of pixels", inner=4096)],
)
# The others do what two or three of these do
NEEDED = [name for name, piece in PIECES.items() if piece.lesson < "08"]
