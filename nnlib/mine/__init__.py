"""The student's own library: kernels written in the lessons, kept as .cu files, on which a network trains. Lesson 01.

    >>> from nnlib import mine, ops
    >>> mine.PIECES["relu"].declaration
    'extern "C" __global__ void relu(const float* x, float* y, int n)'

contract.py, pieces/, tasks.py: what is asked. launch.py: how a text says its grid and block.
judging.py: is it right; trials/: how that is found out; judgement.py: how it is told. stars.py: what it costs, and the
stars. folder.py: the files. library.py: which text runs. carry.py: the library on one page and in one file. plain/,
best/: the course's own versions.
"""

from nnlib.mine.carry import LibraryFileError, export, load, report
from nnlib.mine.fusion import is_used, unused
from nnlib.mine.judging import judge
from nnlib.mine.library import (
    best_versions,
    forget_launches,
    is_solution,
    launch_for,
    launches,
    note_course,
    note_launches,
    plain_versions,
    progress,
    run,
    save,
    saved,
    stars,
    take_back,
    whose,
)
from nnlib.mine.pieces import AGAIN, PIECES

__all__ = [
    "AGAIN",
    "PIECES",
    "LibraryFileError",
    "best_versions",
    "export",
    "forget_launches",
    "is_solution",
    "is_used",
    "judge",
    "launch_for",
    "launches",
    "load",
    "note_course",
    "note_launches",
    "plain_versions",
    "progress",
    "report",
    "run",
    "save",
    "saved",
    "stars",
    "take_back",
    "unused",
    "whose",
]
