"""Decides where a launch runs; every threshold that the decision depends on is here.

The seconds are what the simulator would take for a launch. native/policy.py estimates them from the launch's threads and
loops and never measures them, so that a launch takes the same route on every computer.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

# Seconds that the simulator would take for a launch.
AT_ONCE = 0.02  # from here on, even a first launch without checks is worth compiling
LONG = 0.5  # from here on, nobody waits for the checks of a launch that is known to be right
FAR = 2.0  # from here on, a GPU is worth sending the arrays to through WebGPU; native code takes about 50 ms
VERY_LONG = 3.0  # from here on, a program's first launch is checked in some blocks only

# Accesses and iterations of up to 1,024 threads (10 to 20 ms) from which a program's launch that repeats a checked one
# is worth compiling.
WORTH = 2_000
FIRST_STEPS = 4_096  # iterations of a single thread that are checked before native code takes over
CHECKED_THREADS = 4_096  # threads of a very long launch that are checked
CHECKED_STEPS = 4_096  # iterations of each that are checked
SLICE = 0.01  # seconds between two looks at whether a native launch is to be interrupted
# Values of an integer argument after which native code no longer compiles each value in
CHANGING = 3
LARGEST = 2**31 - 1  # bytes of all arrays of a native launch


class Route(enum.Enum):
    """What runs a launch.

    A native launch that meets an error changes no array; the simulator then runs it for the report.
    """

    GPU = "the GPU"
    WEBGPU = "a GPU through WebGPU"
    WEBGPU_ONLY = "a GPU through WebGPU, or an error that says why not"
    SIMULATOR = "the simulator, with the checks that were asked for"
    NATIVE = "native code"
    FIRST_STEPS = "the simulator for the first iterations, on copies; then native code"
    ANY_SIZE = "native code for launches of every size, or an error that says why not"
    SOME_BLOCKS = "the simulator for some blocks, on copies; then native code"


class Estimated(Protocol):
    """Native code's estimate of a launch before compiling. is_possible: nothing known so far speaks against it."""

    is_possible: bool

    @property
    def seconds(self) -> float | None:
        """Estimate how long the simulator takes for the launch; None where native code cannot run it."""

    @property
    def is_first(self) -> bool:
        """Return True the first time that native code is asked for a launch of these sizes."""


@dataclass(slots=True)
class LaunchFacts:
    """The facts about a launch on which its route depends.

    on_gpu: there is an NVIDIA GPU, and it is not switched off.
    webgpu: asks whether another GPU can run the launch; only_webgpu: nothing else may.
    native: native code is not switched off; required: only native code may run the launch.
    checked: errors are looked for.
    results_only: nothing but results is asked for, such as a profile, a sample of the blocks or a limit of steps.
    is_single: the launch has one thread.
    judged: the kernel has passed all checks at other sizes.
    estimate: asks native code for what it knows of the launch, where that matters.
    earlier: for a launch of a whole program, the work of earlier launches of these sizes, as the simulator counted it.
    repeats: checking such a launch again would find nothing new.
    """

    estimate: Callable[[], Estimated]
    webgpu: Callable[[], bool] = lambda: False
    only_webgpu: bool = False
    on_gpu: bool = False
    native: bool = True
    required: bool = False
    checked: bool = True
    results_only: bool = True
    is_single: bool = False
    judged: bool = False
    earlier: Sequence[float] | None = None
    repeats: bool = False


def decide(launch: LaunchFacts) -> Route:
    """Return where a launch runs: by the first row that fits.

    | launch                                                                           | route       |
    |----------------------------------------------------------------------------------|-------------|
    | WebGPU is required                                                               | WEBGPU_ONLY |
    | there is an NVIDIA GPU                                                           | GPU         |
    | native code is off, or a profile, a sample or a limit of steps is asked for      | SIMULATOR   |
    | unchecked, and native code is required                                           | ANY_SIZE    |
    | unchecked, in no program, FAR or impossible for native code, and WebGPU can      | WEBGPU      |
    | native code cannot run it, and no row above fits                                 | SIMULATOR   |
    | in a program, the first of its sizes, VERY_LONG                                  | SOME_BLOCKS |
    | in a program, repeated: each launch was WORTH compiling, or all together were    | NATIVE      |
    | in a program, any other                                                          | SIMULATOR   |
    | unchecked, the first of its sizes, finished before code is compiled (AT_ONCE)    | SIMULATOR   |
    | unchecked, any other                                                             | NATIVE      |
    | LONG, of a library kernel that was judged                                        | NATIVE      |
    | LONG, of one thread: it cannot race, and native code keeps its bounds            | FIRST_STEPS |
    | any other                                                                        | SIMULATOR   |
    """
    if launch.only_webgpu:
        return Route.WEBGPU_ONLY
    if launch.on_gpu:
        return Route.GPU
    if not (launch.native and launch.results_only):
        return Route.SIMULATOR
    if launch.required and not launch.checked:
        return Route.ANY_SIZE
    if launch.earlier is not None:
        return _in_a_program(launch, launch.earlier)
    if not launch.checked:
        if _is_far(launch.estimate()) and launch.webgpu():
            return Route.WEBGPU
        return Route.NATIVE if _is_worth_compiling(launch.estimate()) else Route.SIMULATOR
    if (launch.judged or launch.is_single) and (launch.estimate().seconds or 0) >= LONG:
        return Route.NATIVE if launch.judged else Route.FIRST_STEPS
    return Route.SIMULATOR


def _is_far(estimate: Estimated) -> bool:
    seconds = estimate.seconds
    return seconds is None or seconds >= FAR


def _is_worth_compiling(estimate: Estimated) -> bool:
    return estimate.is_possible and not (estimate.is_first and (estimate.seconds or 0) < AT_ONCE)


def _in_a_program(launch: LaunchFacts, earlier: Sequence[float]) -> Route:
    if not earlier:
        return (
            Route.SOME_BLOCKS if (launch.estimate().seconds or 0) >= VERY_LONG else Route.SIMULATOR
        )
    worth = min(earlier) >= WORTH or (launch.repeats and 0 not in earlier and sum(earlier) >= WORTH)
    return Route.NATIVE if worth else Route.SIMULATOR
