"""The student's own path in lesson 08: a training step, counted and timed after every change to the library."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from nnlib import device, mine
from nnlib.course import steps
from nnlib.course.timing import recorded
from nnlib.cuda import Profile
from nnlib.mine.contract import MissingTextError
from nnlib.mine.folder import Saved
from nnlib.model import Sequential
from nnlib.ops.recording import KernelNode

BATCH = 64  # images of the step that is timed; one of them is counted
# Kernels whose longest bar is cured in a workshop, and where that is on a GPU. On a processor the first section cures all.
_WORKSHOPS = {
    "conv_grad_input": "One read, several sums",
    "conv_grad_weight": "Few results, long sums",
    "conv_forward": "A tile of the image in shared memory",
}
_ALONE = {"conv_relu": "conv_forward", "conv_relu_pool": "conv_forward"}  # what a fused one does


@dataclass
class Snapshot:
    """A step as the library had it once.

    profiles: launch by launch, of one image. calls: of BATCH images. seconds: of each of these, once they are timed.
    library: kernel -> the version that the student's folder held.
    """

    words: str
    profiles: dict[str, Profile]
    calls: dict[str, KernelNode]
    library: dict[str, Saved | None]
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def keys(self) -> dict[str, Any]:
        """Return what decides how long each launch takes."""
        return {
            name: (
                call.kernel.code,
                call.grid,
                call.block,
                call.shared,
                tuple(getattr(value, "shape", value) for value in call.args),
            )
            for name, call in self.calls.items()
        }

    @property
    def costs(self) -> dict[str, int]:
        """Sectors and shared wavefronts of each launch."""
        return steps.costs(self.profiles)

    @property
    def cost(self) -> int:
        """Sectors and shared wavefronts of the step."""
        return sum(self.costs.values())

    @property
    def time(self) -> float:
        """Seconds of the step: of its launches, one after the other."""
        return sum(self.seconds.values())

    def time_beside(self, other: Snapshot) -> float:
        """Return the seconds of the launches that the other stage does not have."""
        theirs = {*other.keys.values()}
        return sum(self.seconds[name] for name, key in self.keys.items() if key not in theirs)


class OwnPath:
    """Count and time a training step whenever the library has changed.

    network: "cpu" or "gpu" -> the model.
    """

    def __init__(self, network: Callable[[str], Sequential]) -> None:
        self.network = network
        self.stages: list[Snapshot] = []
        self._known: dict[Any, float] = {}  # launches that were timed in an earlier stage

    def count(self, words: str) -> None:
        """Count the step of one image as the library has it now, and print it beside the stage before.

        A stage of the same words is counted anew, so that a cell can run twice. words: "kernels: version", to print
        recorded times of this version, too.
        """
        self.stages = [stage for stage in self.stages if stage.words != words]
        few = steps.launches(steps.plan_of(self.network("cpu"), 1))
        many = steps.plan_of(self.network("gpu" if device.has_gpu() else "cpu"), BATCH)
        library = {name: mine.saved(name) for name in mine.PIECES}
        now = Snapshot(words, steps.profiled(few), steps.launches(many, rate=0.0), library)
        before = self.stages[-1] if self.stages else None
        self.stages.append(now)
        if before and before.keys == now.keys:
            now.seconds = before.seconds
            print(f"{words}: the same kernels as in “{before.words}”")
        else:
            counted = f"{now.cost:,} sectors and wavefronts"
            if before:
                less = 1 - now.cost / before.cost
                more = "more" if less < 0 else "less"
                counted = f"{before.cost:,} -> {counted}, {abs(less):.0%} {more}"
            print(f"{words}: {counted}; {len(now.calls)} launches")
            print("largest:", max(now.costs, key=now.costs.__getitem__))
        kernels, _, version = words.partition(": ")
        for name, times in recorded("your_step")["rungs"].items():
            if name.split()[0] in kernels and version in times:
                plain, faster = (f"{1e6 * times[which]:,.0f} µs" for which in ("plain", version))
                print(f"H200, recorded: {name:22}{plain:>9} -> {faster}")

    def time(self) -> None:
        """Time the step of the last stage on this machine, and print what has changed."""
        now, *before = self.stages[::-1]
        if before and before[0].seconds and before[0].keys == now.keys:
            return
        keys = now.keys
        fresh = {name: call for name, call in now.calls.items() if keys[name] not in self._known}
        self._known |= {keys[name]: seconds for name, seconds in steps.timed(fresh).items()}
        now.seconds = {name: self._known[key] for name, key in keys.items()}
        timed = next((stage for stage in before if stage.seconds), None)
        print(
            steps.clock(), _beside(now.time, timed.time if timed else None), "a step of 64 images"
        )
        if not timed:
            return
        old = {_role(name): seconds for name, seconds in timed.seconds.items()}
        for name in fresh:
            print(f"  {name:26} {_beside(now.seconds[name], old.get(_role(name)))}")
        roles = {_role(name) for name in now.seconds}
        if gone := [name for name in timed.seconds if _role(name) not in roles]:
            saved = sum(timed.seconds[name] for name in gone)
            print(f"  no longer launched: {', '.join(gone)}, {steps.shown(saved)}")

    def longest(self) -> None:
        """Print what takes longest on this machine, what a repair is worth by Amdahl's law, and where to begin."""
        seconds = self.stages[0].seconds
        names = sorted(seconds, key=seconds.__getitem__, reverse=True)
        for name in names[:5]:
            share = seconds[name] / self.stages[0].time
            print(
                f"{name:28} {steps.shown(seconds[name]):>10}, {share:4.0%} of the step: "
                f"twice as fast -> step {1 / (1 - share / 2):.2f} times"
            )
        cured = next(name for name in names if name.split()[0] in _WORKSHOPS)
        piece = "conv_grad_input" if "processor" in steps.clock() else cured.split()[0]
        print(f"{cured} is cured in section “{_WORKSHOPS[piece]}”.")

    def summary(self) -> float:
        """Print the path's first and last stage, and the best recorded on an H200; return seconds of the fastest."""
        timed = [stage for stage in self.stages if stage.seconds]
        first, last = timed[0], timed[-1]
        fastest = min(stage.time for stage in timed)
        print(steps.clock())
        for label, seconds, counted in (
            (first.words, first.time, f"{first.cost:,} counted"),
            ("now", last.time, f"{last.cost:,} counted"),
            ("the fastest stage", fastest, ""),
        ):
            epoch = duration(-(-60_000 // BATCH) * seconds)
            print(
                f"{label:18} {counted:>18} {steps.shown(seconds):>10} a step, {epoch:>9} an epoch of MNIST, "
                f"{first.time / seconds:4.1f} times as fast"
            )
        slow, *_, fast = [row["graph"] for row in recorded("your_step")["path"]]
        print(
            f"{'best known':18} {sum(recorded('step_cost')['best known'].values()):10,} counted\n"
            f"on an H200, the recorded path: {1e6 * slow:,.0f} µs -> {1e6 * fast:,.0f} µs a step, "
            f"{slow / fast:.0f} times as fast"
        )
        return fastest

    def left(self) -> None:
        """Print what each launch costs now and with the best known kernels, the largest difference first."""
        known = {_role(name): cost for name, cost in recorded("step_cost")["best known"].items()}
        rows = [
            (name, cost, least)
            for name, cost in self.stages[-1].costs.items()
            if (least := known.get(_role(name)))
        ]
        for name, cost, least in sorted(rows, key=lambda row: row[2] - row[1])[:6]:
            print(f"{name:28} {cost:9,} counted, best known {least:9,}")


def ready() -> None:
    """Say whether this copy of the course has the plain version of every kernel, which lesson 08 begins with."""
    try:
        with mine.plain_versions():
            print("This copy of the course has everything that the lesson needs.")
    except MissingTextError:
        print(
            "This copy of the course lacks the plain versions with which this lesson compares yours. Ask your teacher for "
            "the package that `make student STUDENT_ARGS=--pieces` builds, install it, and begin again."
        )


def changed(path: OwnPath) -> list[tuple[str, str]]:
    """Return launches of the first stage that do products, and are other kernels in the last one: names in both."""
    first, last = path.stages[0], path.stages[-1]
    now = {_role(name): name for name in last.calls}
    return [
        (name, after)
        for name, call in first.calls.items()
        if (after := now.get(_role(name)))
        and steps.necessary(call)[0]
        and last.calls[after].kernel.code != call.kernel.code
    ]


def duration(seconds: float) -> str:
    """Write seconds as a person would: "0.57 ms", "42 s", "43.9 min", "3 h 5 min"."""
    if seconds < 1:
        return f"{1e3 * seconds:.3g} ms"
    if seconds < 100:
        return f"{seconds:.3g} s"
    if seconds < 3600:
        return f"{seconds / 60:.3g} min"
    return f"{seconds // 3600:.0f} h {seconds % 3600 / 60:.0f} min"


def _beside(now: float, before: float | None) -> str:
    if before is None:
        return steps.shown(now)
    return f"{steps.shown(before)} -> {steps.shown(now)}, {before / now:.3g} times as fast"


def _role(name: str) -> str:
    """Return what a launch does: a fused kernel stands in the place of its convolution."""
    piece, _, rest = name.partition(" ")
    return f"{_ALONE.get(piece, piece)} {rest}"
