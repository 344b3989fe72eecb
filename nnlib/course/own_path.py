"""The student's own path in lesson 08: a training step, counted and timed after every change to the library."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median
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
_PAIRS = 7  # times that a clock measures the old launches and then the new ones
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
    gains: how many times as fast as the stage before the launches are that differ, in each pair of measurements, sorted.
    library: kernel -> the version that the student's folder held.
    """

    words: str
    profiles: dict[str, Profile]
    calls: dict[str, KernelNode]
    library: dict[str, Saved | None]
    seconds: dict[str, float] = field(default_factory=dict)
    gains: list[float] = field(default_factory=list)

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

    def only_here(self, other: Snapshot) -> dict[str, KernelNode]:
        """Return the launches that the other stage does not have."""
        keys, theirs = self.keys, {*other.keys.values()}
        return {name: call for name, call in self.calls.items() if keys[name] not in theirs}


class OwnPath:
    """Count and time a training step whenever the library has changed.

    network: "cpu" or "gpu" -> the model.
    """

    def __init__(self, network: Callable[[str], Sequential]) -> None:
        self.network = network
        self.stages: list[Snapshot] = []

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
        if same := self._twin(now):
            now.seconds = same.seconds
            print(f"{words}: the same kernels as in “{same.words}”")
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
        """Time the last stage on this machine beside the one before, and print what has changed.

        The launches that differ are timed in turn, old and new, and each call measures again. The launches that both
        stages have keep their seconds, and the new ones get theirs from the gain, so that a machine that has become
        slower in the meantime changes nothing.
        """
        *stages, now = self.stages
        before = next((stage for stage in stages[::-1] if stage.seconds), None)
        if before is None:
            now.seconds = steps.timed(now.calls)
            print(steps.clock(), steps.shown(now.time), "a step of 64 images")
            return
        if now.seconds and self._twin(now):
            return
        old, new = before.only_here(now), now.only_here(before)
        pairs = [(steps.timed(old), steps.timed(new)) for _ in range(_PAIRS)]
        now.gains = sorted(sum(a.values()) / sum(b.values()) for a, b in pairs)
        was, is_now = (
            {name: median(pair[side][name] for pair in pairs) for name in calls}
            for side, calls in enumerate((old, new))
        )
        scale = sum(map(before.seconds.__getitem__, old)) / sum(was.values())
        known = {key: before.seconds[name] for name, key in before.keys.items()}
        now.seconds = {
            name: scale * is_now[name] if name in new else known[key]
            for name, key in now.keys.items()
        }
        print(f"{steps.clock()} {_PAIRS} times the old launches, then the new ones")
        for name in old | new:
            print(f"  {name:26} {_arrow(was.get(name), is_now.get(name))}")
        least, *_, most = now.gains
        verdict = ": cannot tell" if least <= 1 <= most else ""
        print(
            f"  {median(now.gains):.3g} times as fast, between {least:.3g} and {most:.3g}{verdict}"
        )
        print("a step of 64 images:", _arrow(before.time, now.time))

    def _twin(self, now: Snapshot) -> Snapshot | None:
        """Return the last other stage that had the same kernels."""
        return next(
            (one for one in self.stages[::-1] if one is not now and one.keys == now.keys), None
        )

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


def _arrow(*seconds: float | None) -> str:
    """Write two times with an arrow between them; a launch that a stage lacks has none."""
    return " -> ".join(steps.shown(one) if one else "–" for one in seconds)


def _role(name: str) -> str:
    """Return what a launch does: a fused kernel stands in the place of its convolution."""
    piece, _, rest = name.partition(" ")
    return f"{_ALONE.get(piece, piece)} {rest}"
