"""Train a network: `fit`, and what it is made of. Lesson 07.

`loop` runs epochs; `steps` does them one by one, `graph` all in one CUDA graph that `plan` lays out; `evaluation`
judges, `history` remembers, `checks` refuses what cannot work, `progress` shows; `streaming` copies while it computes.
"""

from nnlib.training.eager import NonFiniteError
from nnlib.training.evaluation import Evaluation, classify, evaluate, predict
from nnlib.training.history import History
from nnlib.training.loop import TrainingError, fit

__all__ = ["Evaluation", "History", "NonFiniteError", "TrainingError", "classify", "evaluate", "fit", "predict"]
