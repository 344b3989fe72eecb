"""Run all trials of a kernel, one after the other: its own sizes, its launch line, further sizes, the lesson's task."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from nnlib.cuda import KernelError, KernelTimeoutError, LaunchError, Profile
from nnlib.mine.contract import Sizes
from nnlib.mine.judgement import Failed, too_large
from nnlib.mine.launch import LaunchLine
from nnlib.mine.stars import WASTE, counters, work
from nnlib.mine.trials import purity, trial
from nnlib.mine.trials.reach import Coverage
from nnlib.mine.trials.tasks import Trial, no_atomics, one_writer
from nnlib.mine.trials.trial import Attempt


def every_size(answer: Attempt) -> float:
    """Return the worst precision; note in a failure how many sizes were right."""
    worst = 0.0
    for passed, sizes in enumerate(answer.piece.sizes):
        try:
            worst = max(worst, trial.run(answer, sizes))
        except Failed as failed:
            failed.found["passed"] = passed
            raise
    return worst


def further_sizes(answer: Attempt, drawn: Sequence[Sizes], named: Sequence[Sizes]) -> Profile:
    """Run the kernel at the ruler, at the drawn sizes and at those that its text names; return the profile at the ruler.

    Raise Failed where a result is wrong.
    """
    small, *wide = drawn
    trial.run(answer, small)
    profile = trial.counted(answer, answer.piece.ruler)
    launches = None, *sorted(answer.piece.other_launches)[:1]
    try:
        for sizes, launch in [
            *zip(wide, itertools.repeat(None)),
            *itertools.product(named, launches),
        ]:
            trial.run_unchecked(answer, answer.case(sizes), launch)
    except trial.Wasteful:
        require_task(answer, profile)  # which may know why
        raise
    return profile


def launch_line(answer: Attempt) -> str:
    """Return the axis on which the grid is too large, or "". Raise Failed where it is too small at large sizes."""
    if not isinstance(answer.launch, LaunchLine):
        return ""
    try:
        complaint, spare = Coverage(answer.piece, answer.silent, answer.launch).judged()
    except LaunchError as error:
        raise Failed(str(error)) from None
    except KernelError as error:
        raise Failed(str(error), error=error) from None
    if complaint:
        raise Failed(_about_atomics(answer) or complaint)
    return spare


def _about_atomics(answer: Attempt) -> str | None:
    """Complain about atomics that the task does not want, which explain a grid that does not grow with the results."""
    ruler = answer.piece.ruler
    if no_atomics not in answer.piece.task:
        return None
    try:
        said = no_atomics(Trial(trial.counted(answer, ruler), ruler, lambda *_: None))
    except Failed:  # the grid leaves results unwritten
        return None
    return said and f"{said[0].upper()}{said[1:]}."


def require_task(answer: Attempt, profile: Profile, spare: str = "") -> None:
    """Raise Failed for a kernel that is right, but not what the lesson asks for, or wasteful.

    spare: the axis on which its grid is too large, which is then why it wastes.
    """
    piece = answer.piece

    def again(sizes: Sizes, launch: tuple[int, int] | None = None) -> Profile | None:
        try:
            return trial.counted(answer, sizes, launch)
        except Failed as failed:
            if isinstance(failed.found.get("error"), KernelTimeoutError):
                return None
            raise

    def wasted(trial: Trial) -> str | None:
        """Refuse a kernel that computes many times as much as any version of the course."""
        times = work(piece.name, counters(trial.profile, trial.profile.as_compiled))
        if times <= WASTE:
            return None
        if spare:
            return too_large(spare)
        grid, block, _ = answer.launch.at(**piece.ruler)
        threads, results = math.prod((*grid, *block)), piece.results_at(piece.ruler)
        if "gridDim" in answer.kernel.code and threads > WASTE * results:
            return f"The grid is too large: it has {threads:,} threads for {results:,} results"
        return (
            f"the kernel makes {times:.0f} times the operations of the course's versions. What does a thread "
            "compute that nobody uses, or look at that it could skip?"
        )

    tried = Trial(
        profile, piece.ruler, again, piece.iterations(piece.ruler, piece.results_at(piece.ruler))
    )
    complaint = next(
        (said for task in (*piece.task, one_writer, wasted) if (said := task(tried))),
        purity.overflow(answer.launch.module.program, profile),
    )
    if complaint:
        raise Failed(
            f"Right, but not yet what the lesson asks for: {complaint.rstrip('?')}"
            f"{'?' if complaint.endswith('?') else '.'}",
            right=True,
        )
