"""Train a network: `fit`, and what it is made of. Lesson 07.

`loop` runs epochs, by the steps of `eager`, one operation after another, or of `graph` (on the student's kernels
`mine_graph`): one eager step is recorded, `recorded_step`, and its launches are fused, `captured_step` and `mine_step`;
`evaluation` judges, `history` tells, `run` remembers and goes on from `checkpoints`, `preconditions` refuses
what cannot work, `parallel` joins several processes, `progress` shows, `schedules` set learning rates, `metrics` count.
"""

from nnlib.training import schedules
from nnlib.training.eager import NonFiniteError
from nnlib.training.evaluation import Evaluation, classify, evaluate, predict
from nnlib.training.history import History
from nnlib.training.loop import fit
from nnlib.training.preconditions import TrainingError

__all__ = [
    "Evaluation",
    "History",
    "NonFiniteError",
    "TrainingError",
    "classify",
    "evaluate",
    "fit",
    "predict",
    "schedules",
]
