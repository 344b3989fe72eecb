"""The student's own library: kernels written in the lessons, kept as .cu files, on which a network trains. Lesson 01.

    >>> from nnlib import mine, ops
    >>> mine.PIECES["relu"].declaration
    'extern "C" __global__ void relu(const float* x, float* y, int n)'

contract.py, pieces.py, tasks.py: what is asked. launch.py: how a text says its grid and block. judging.py: is it right,
and what does it cost. folder.py: the files. library.py: which text runs. carry.py: the library on one page and in one
file. plain/, best/: the course's own versions.
"""

from nnlib.mine.carry import LibraryFileError, export, load, report
from nnlib.mine.judging import judge
from nnlib.mine.library import (
    forget_launches,
    launch_for,
    launches,
    note_course,
    note_launches,
    progress,
    run,
    save,
    stars,
    whose,
)
from nnlib.mine.pieces import FASTER, PIECES

__all__ = ["FASTER", "PIECES", "LibraryFileError", "export", "forget_launches", "judge", "launch_for", "launches",
           "load", "note_course", "note_launches", "progress", "report", "run", "save", "stars", "whose"]
