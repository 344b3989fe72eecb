"""The process that judges one notebook: a verdict per line, for each exercise that it is asked for.

A student's Python does not run in this process, except for the repaired lines of lesson 06's clinic, which are checked to
be plain arithmetic. A student's CUDA C runs in the simulator; what it prints is discarded.
"""

from __future__ import annotations

import contextlib
import json
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
from nnlib.teaching.marking.remote import RemoteFunction, TookTooLong
from nnlib.teaching.marking.submission import NoAnswerError, Submission, answer_name


def main(memory: str) -> None:
    """Answer each question, the arguments of `judged` as a line of JSON, with a line that has the fields of a `Mark`."""
    questions, replies = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nothing, stream)
    resource.setrlimit(resource.RLIMIT_AS, (int(memory) << 20,) * 2)
    for question in questions:
        asked = json.loads(question)
        try:
            verdict, stars, part = judged(**asked | {"exercise": find(asked["exercise"])})
            said = {"solved": verdict.solved, "stars": stars, "said": verdict.text, "part": part}
        except TookTooLong as late:
            said = not_judged(str(late))
        replies.write(json.dumps(said) + "\n")
        replies.flush()


def judged(
    path: str, exercise: Any, seed: int, seconds: float, memory: int, parts: bool = False
) -> tuple[Verdict, int, bool]:
    """Judge the notebook's answer; return the verdict, a piece's stars, and whether it is right in part.

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
    function = RemoteFunction(source, answer_name(exercise.name), through, seconds, memory)
    with contextlib.closing(function):
        return exercise.judge(function)


if __name__ == "__main__":
    main(*sys.argv[1:])
