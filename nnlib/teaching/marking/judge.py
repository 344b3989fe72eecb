"""The process that judges one notebook: a sealed verdict per line, for the exercises that it is told.

    python -m nnlib.teaching.marking.judge NOTEBOOK SEED SECONDS MEMORY-IN-MB PARTS 03.transpose 03.intensity

PARTS is "parts" where kernels that are right in part are to be told from others, else "whole".
The key of the seals is the one line that it reads, in hexadecimal digits.
No Python of the student runs here but the repaired lines of the clinic's letters, which are plain arithmetic. CUDA C
does, in the simulator: what it prints goes nowhere.
"""

from __future__ import annotations

import os
import resource
import sys
from typing import Any

import numpy as np

from nnlib.course.exercises import PieceExercise, find
from nnlib.course.exercises.checking import FunctionExercise, Verdict
from nnlib.course.exercises.lesson06 import CuresExercise
from nnlib.cuda import KernelError, force_simulator
from nnlib.teaching.marking.fresh import fresh
from nnlib.teaching.marking.marks import not_judged
from nnlib.teaching.marking.parts import right_in_part
from nnlib.teaching.marking.remote import TookTooLong, remote_function
from nnlib.teaching.marking.seal import sealed
from nnlib.teaching.marking.submission import NoAnswerError, Submission, answer_name


def main(path: str, seed: str, seconds: str, memory: str, parts: str, *names: str) -> None:
    key = bytes.fromhex(sys.stdin.readline())
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nothing, stream)
    resource.setrlimit(resource.RLIMIT_AS, (int(memory) << 20,) * 2)
    for name in names:
        try:
            verdict, stars, part = judged(
                path, find(name), int(seed), float(seconds), int(memory), parts == "parts"
            )
            said = {
                "judged": True,
                "solved": verdict.solved,
                "text": verdict.text,
                "stars": stars,
                "part": part,
            }
        except TookTooLong as late:
            said = not_judged(str(late))
        replies.write(sealed(key, name, said) + "\n")
        replies.flush()


def judged(
    path: str, exercise: Any, seed: int, seconds: float, memory: int, parts: bool = False
) -> tuple[Verdict, int, bool]:
    """What the notebook's answer is worth: the verdict, a piece's stars, and whether it is right in part.

    parts: whether that is asked for, which takes longer.
    """
    exercise.seed = seed
    name = answer_name(exercise.name)
    try:
        submission = Submission.read(path)
        if isinstance(exercise, FunctionExercise):
            return _function(exercise, submission.function(name), seconds, memory), 0, False
        if isinstance(exercise, CuresExercise):
            return exercise.judge(submission.value(name)), 0, False
        kernel = submission.kernel(name)
        with force_simulator():
            if not isinstance(exercise, PieceExercise):
                kernel.compile()
            verdict = exercise.judge(kernel)
            part = parts and not verdict.solved and right_in_part(exercise, kernel)
        return verdict, exercise.stars if isinstance(exercise, PieceExercise) else 0, part
    except NoAnswerError as error:
        problem = str(error)
    except KernelError as error:
        problem = f"the %%cuda cell of {name} does not compile:\n{error}"
    except MemoryError:
        problem = f"needs more than {memory} MB"
    return Verdict(False, f"✗ {exercise.name}: {problem}."), 0, False


def _function(exercise: FunctionExercise, source: str, seconds: float, memory: int) -> Verdict:
    through = ""
    if exercise.outcome:
        through = exercise.outcome.__name__
        exercise.outcome = lambda answer, case: answer(case)  # the worker does the rest
    exercise.inputs = [
        *exercise.inputs,
        *fresh(exercise.name, np.random.default_rng(exercise.seed)),
    ]
    with remote_function(source, answer_name(exercise.name), through, seconds, memory) as function:
        return exercise.judge(function)


if __name__ == "__main__":
    main(*sys.argv[1:])
