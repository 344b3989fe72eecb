"""Marks for handed-in notebooks: answers are taken out and judged anew.

    python -m nnlib.teaching.marking returned/*/03_matmul.ipynb > marks.csv

No cell of the notebook is run. submission.py takes out what answers an exercise: the text of a `%%cuda` cell, a
Python function with what it uses, or the letters of the clinic. judge.py is a process of its own, with limits, that
judges one notebook; a student's function runs in yet another one, worker.py, which the system confines (confinement.py)
and which cannot read the references; the two speak exchange.py. fresh.py has inputs that `check` does not use. marks.py
makes the table.
"""

from nnlib.teaching.marking.marks import Mark, mark, write_table
from nnlib.teaching.options import Limits

__all__ = ["Limits", "Mark", "mark", "write_table"]
