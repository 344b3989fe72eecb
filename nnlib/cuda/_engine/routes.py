"""Where a launch runs: the one decision, and every threshold that it depends on.

Seconds are what the simulator takes for a launch. They are estimated from its threads and loops, by native/policy.py,
and never measured: what runs where is the same on every computer.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

AT_ONCE = 0.02  # seconds from which even a first launch without checks is worth compiling for
LONG = 0.5  # seconds from which waiting for the checks of a launch that is known to be right is no good
WORTH = 2_000  # accesses and iterations of up to 1,024 threads, some 10 or 20 ms, from which a program's launch that
# repeats a checked one is worth compiling for
FAR = 2.0  # seconds from which a launch without checks is worth sending its arrays to a GPU through WebGPU: native code
# takes some 50 ms
VERY_LONG = 3.0  # seconds from which a program's first launch is checked on some blocks only
FIRST_STEPS = (
    4096  # iterations of a single thread that are checked before native code goes on for it
)
CHECKED_THREADS, CHECKED_STEPS = (
    4_096,
    4_096,
)  # of a very long launch: threads that are checked, and iterations of each
SLICE = 0.01  # seconds between two looks at whether a native launch is to be interrupted
CHANGING = 3  # values of a whole number after which native code takes it as an argument instead of baking it in
LARGEST = 2**31 - 1  # bytes of all arrays of a native launch


class Route(enum.Enum):
    """What runs a launch. A native one that meets an error changes nothing; the simulator runs it for its report."""

    GPU = "the GPU"
    WEBGPU = "a GPU through WebGPU"
    WEBGPU_ONLY = "a GPU through WebGPU, or an error that says why not"
    SIMULATOR = "the simulator, with the checks that were asked for"
    NATIVE = "native code"
    FIRST_STEPS = "the simulator for the first iterations, on copies; then native code"
    ANY_SIZE = "native code for launches of every size, or an error that says why not"
    SOME_BLOCKS = "the simulator for some blocks, on copies; then native code"


class Estimated(Protocol):
    """A launch as native code would have it. is_possible: it can, as far as one knows before it compiles it."""

    is_possible: bool

    @property
    def seconds(self) -> float | None:
        """How long the simulator takes for it; None where native code cannot have it."""

    @property
    def is_first(self) -> bool:
        """No launch of these sizes was left to native code before; from now on, this one was."""


@dataclass(slots=True)
class LaunchFacts:
    """What the route of a launch depends on.

    on_gpu: there is a GPU, and it is not switched off. webgpu: another GPU can have it; asked only where it matters.
    only_webgpu: nothing else may have it. native: native code is not switched off. required: it is asked
    for. checked: errors are
    looked for. results_only: nothing else is asked for, such as a profile, a sample of the blocks or a limit of steps.
    is_single: it has one thread. estimate: asked only where it matters. judged: all checks have passed at other sizes.
    earlier: for a launch of a whole program, the work of those of the same sizes, as the simulator counted it;
    repeats: and whether checking them again would find nothing new.
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

    | launch                                                                            | route       |
    |-----------------------------------------------------------------------------------|-------------|
    | WebGPU is required                                                                | WEBGPU_ONLY |
    | there is a GPU                                                                    | GPU         |
    | native code is switched off; a profile, a sample or a limit of steps is asked for | SIMULATOR   |
    | without checks, and native code is required                                       | ANY_SIZE    |
    | without checks, not of a program, FAR or nothing for native code, and WebGPU can  | WEBGPU      |
    | native code cannot have it, whatever follows                                      | SIMULATOR   |
    | in a program, the first of its sizes, VERY_LONG                                   | SOME_BLOCKS |
    | in a program, again, and each was WORTH compiling for, or what repeats was in all | NATIVE      |
    | in a program, any other                                                           | SIMULATOR   |
    | without checks, the first of its sizes, over before code is compiled (AT_ONCE)    | SIMULATOR   |
    | without checks, any other                                                         | NATIVE      |
    | of a library kernel that was judged, LONG                                         | NATIVE      |
    | of one thread, LONG: it cannot race, and native code keeps its bounds             | FIRST_STEPS |
    | any other                                                                         | SIMULATOR   |
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
    worth = min(earlier) >= WORTH or launch.repeats and 0 not in earlier and sum(earlier) >= WORTH
    return Route.NATIVE if worth else Route.SIMULATOR
