"""Is a piece right, does it do its task, and what does it cost: in the simulator, the same on every machine. Lesson 02.

Inputs of several ugly sizes, results against NumPy in float64, races and bounds watched; then one size at which the
exact counters are the score. One to three stars: beside the course's own first and best versions (scores.json).
"""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from nnlib.cuda import ArgumentError, KernelError, LaunchError, Profile, RawKernel, force_simulator
from nnlib.mine.contract import Case, Piece, Sizes, unwritten
from nnlib.mine.launch import LaunchLine, Shape, launch_of
from nnlib.mine.tasks import Trial, one_writer

STEP_LIMIT = 200_000  # at the ruler: more than any answer takes
_TRIAL_LIMIT = 50_000  # at the small sizes of the trials; an endless loop is told in some seconds
_RELATIVE = 1e-5  # float32 rounds at 6e-8; sums of a few hundred numbers stay well below
_STORED = Path(__file__).with_name("scores.json")
# Counter -> the question that leads to fewer of them.
_NEXT = {"sectors": "sectors. What do neighbouring lanes read, and what is read again that a block could keep?",
         "shared wavefronts": "shared wavefronts. What could a thread keep in registers and use several times?",
         "bank conflicts": "bank conflicts. Which lanes meet in one bank?"}


@dataclass
class Judgement:
    """What was found. problem: None when the piece is right and does its task; else a sentence.

    right: the results are right (the task may still be missing). sizes: of the case that failed; passed: how many came
    out right before it; launched: its grid and block; got: what the kernel wrote in it. error: the simulator's.
    counters, stars, line: of a solved piece; line is the source line that moves most. spare: the side of the grid of
    which half would do, "x", "y" or "z".
    """

    piece: Piece
    problem: str | None = None
    right: bool = False
    sizes: Sizes | None = None
    passed: int = 0
    launched: tuple[Shape, Shape] | None = None
    error: KernelError | None = None
    case: Case | None = None
    got: dict[str, np.ndarray] = field(default_factory=dict)
    precision: float = 0.0
    counters: dict[str, float] = field(default_factory=dict)
    stars: int = 0
    line: int = 0
    spare: str = ""

    @property
    def solved(self) -> bool:
        return self.problem is None

    @property
    def way(self) -> str:
        """How far a wrong kernel of a piece with stages came: "✓ one plane  ✗ channels"; empty for all others."""
        stages = self.piece.stages
        if not stages or self.sizes is None or self.right:
            return ""
        here = stages[self.passed] if self.passed < len(stages) else "other sizes"
        return "  ".join([*(f"✓ {stage}" for stage in stages[:self.passed]), f"✗ {here}"])

    def __str__(self) -> str:
        """Several lines: right or not, what it costs, the stars."""
        if self.problem is not None:
            return self.problem
        piece = self.piece
        lines = [f"Right: {len(piece.sizes)} shapes, {self.precision:.0e} from float64, no race."]
        first, best = scores()[piece.name]["plain"], scores()[piece.name]["best"]
        for name in ("sectors", "shared wavefronts", "bank conflicts"):
            if self.counters[name] or first[name] or best[name]:
                lines.append(f"{name} {self.counters[name]:,} (a first version {first[name]:,}, "
                             f"best known {best[name]:,})")
        lines[-1] += f" {show_stars(self.stars)}"
        if self.stars < 3:
            lines.append(f"Another star: the {_NEXT[self._heaviest(best)]} Most of the work is in line {self.line}.")
        if self.spare:
            lines.append(f"The grid is too large: with half as many blocks in {self.spare} nothing is missing. Those "
                         "that are too many start for nothing: of which sizes is it made?")
        return "\n".join(lines)

    def _heaviest(self, best: dict[str, float]) -> str:
        """The counter in which this text differs most from the best one."""
        more = {name: self.counters[name] - best[name] for name in _NEXT}
        if 2 * more["bank conflicts"] > more["shared wavefronts"]:  # they are a part of them
            more["shared wavefronts"] = 0
        else:
            more["bank conflicts"] = 0
        return max(more, key=lambda name: more[name])


class _Failed(Exception):
    def __init__(self, problem: str, **found: Any) -> None:
        super().__init__(problem)
        self.found = {"problem": problem, **found}


def judge(piece: Piece, text: str, *, score: bool = True, seed: int = 0) -> Judgement:
    """Try the kernel of this text at all sizes of its contract, on inputs drawn from the seed.

    `score=False` leaves the task and the counters out.
    """
    try:
        with force_simulator():
            kernel, launch = _prepared(piece, text)
            precision = _every_size(piece, kernel, launch, seed)
            for grid, block in piece.other_launches:
                _run(piece, kernel, launch, piece.sizes[0], (grid, block), seed)
            return _scored(piece, kernel, launch, precision) if score else Judgement(piece, right=True)
    except _Failed as failed:
        return Judgement(piece, **failed.found)


def _prepared(piece: Piece, text: str) -> tuple[RawKernel, LaunchLine]:
    kernel = RawKernel(text, piece.name)
    try:
        kernel.compile()
        _require_signature(piece, kernel)
        return kernel, launch_of(piece, text)
    except LaunchError as error:
        raise _Failed(str(error)) from None
    except KernelError as error:
        raise _Failed(str(error), error=error) from None


def _require_signature(piece: Piece, kernel: RawKernel) -> None:
    own = kernel.parameters or ()
    wanted = [str(p.type) for p in piece.signature]
    if [str(p.type) for p in own] != wanted:
        has = ", ".join(f"{p.type} {p.name}" for p in own) or "none"
        raise ArgumentError(f"{piece.name} has the parameters ({has}); its contract is ({piece.parameters})")


def _every_size(piece: Piece, kernel: RawKernel, launch: LaunchLine, seed: int) -> float:
    """The worst of what `_run` finds; who fails is told how many sizes were right."""
    worst = 0.0
    for passed, sizes in enumerate(piece.sizes):
        try:
            worst = max(worst, _run(piece, kernel, launch, sizes, seed=seed))
        except _Failed as failed:
            failed.found["passed"] = passed
            raise
    return worst


def _run(piece: Piece, kernel: RawKernel, launch: LaunchLine, sizes: Sizes,
         instead: tuple[int, int] | None = None, seed: int = 0) -> float:
    """Largest difference from float64, relative to the largest result; raises _Failed."""
    case = piece.case(sizes, seed)
    arguments = {k: v.copy() if isinstance(v, np.ndarray) else v for k, v in case.arguments.items()}
    found: dict[str, Any] = {"sizes": sizes, "case": case}
    where = ", ".join(f"{name} = {value}" for name, value in sizes.items())
    where += f", launched with <<<{instead[0]}, {instead[1]}>>>" if instead else ""
    try:
        grid, block, shared = launch.at(**sizes)
        if instead:
            grid, block = (instead[0], 1, 1), (instead[1], 1, 1)
        found["launched"] = grid, block
        kernel.profile(grid, block, tuple(arguments.values()), shared, step_limit=_TRIAL_LIMIT)
    except LaunchError as error:
        raise _Failed(str(error), **found) from None
    except KernelError as error:
        raise _Failed(f"{where}:\n{error}", error=error, **found) from None
    found["got"] = {name: arguments[name] for name in piece.written}
    for name, before in case.arguments.items():
        if isinstance(before, np.ndarray) and name not in piece.written and not np.array_equal(before, arguments[name]):
            raise _Failed(f"{where}: {name} is an input, and the kernel changed it. Write only to "
                          f"{' and '.join(piece.written)}.", **found)
    worst = 0.0
    for name, want in case.expected.items():
        difference = _difference(piece, name, arguments[name], want)
        if isinstance(difference, str):
            raise _Failed(f"{where}: {difference}", right=bool(instead), **found)
        worst = max(worst, difference)
    return worst


def _difference(piece: Piece, name: str, got: np.ndarray, want: np.ndarray) -> float | str:
    """How far `got` is from `want`, relative to its largest value, or what is wrong."""
    largest = float(np.abs(want).max(initial=0)) or 1.0
    with np.errstate(invalid="ignore"):
        error = np.abs(got - want)
        good = error <= _RELATIVE * np.abs(want) + piece.absolute.get(name, _RELATIVE * min(largest, 30.0))
    if good.all():
        return float(error.max(initial=0)) / largest
    first = np.unravel_index(good.argmin(), good.shape)
    place = f"{name}[{', '.join(map(str, first))}]"
    missing = unwritten(got)
    if missing[first]:
        return f"no thread wrote {place} ({missing.sum():,} of {got.size:,} are missing)."
    is_now, should_be = got[first] + 0.0, want[first] + 0.0  # 0, not -0
    return f"{place} is {is_now:.6g}, it should be {should_be:.6g} ({(~good).sum():,} of {got.size:,} differ)."


def _scored(piece: Piece, kernel: RawKernel, launch: LaunchLine, precision: float) -> Judgement:
    def again(sizes: Sizes, step_limit: int = STEP_LIMIT) -> Profile:
        grid, block, shared = launch.at(**sizes)
        return kernel.profile(grid, block, tuple(piece.case(sizes).arguments.values()), shared, step_limit=step_limit)

    try:
        profile = again(piece.ruler)
        trial = Trial(profile, piece.ruler, again)
        complaint = next((said for task in (*piece.task, one_writer) if (said := task(trial))), None)
    except KernelError as error:
        raise _Failed(str(error), error=error, sizes=piece.ruler) from None
    if complaint:
        raise _Failed(f"Right, but not yet what the lesson asks for: {complaint.rstrip('?')}"
                      f"{'?' if complaint.endswith('?') else '.'}", right=True)
    counted = counters(profile)
    heaviest = max(profile.lines, key=lambda line: _cost(counters(profile.lines[line])), default=0)
    return Judgement(piece, right=True, precision=precision, counters=counted, stars=stars(piece.name, counted),
                     line=heaviest, spare=_spare(piece, kernel, launch))


def _spare(piece: Piece, kernel: RawKernel, launch: LaunchLine) -> str:
    """The side of the grid whose second half writes nothing that is needed. A block that asks for gridDim would do more
    in a smaller grid, so nothing is known of it."""
    if "gridDim" in kernel.code:
        return ""
    grid, block, shared = launch.at(**piece.ruler)
    case = piece.case(piece.ruler)
    for axis, blocks in enumerate(grid):
        if blocks > 1:
            half = (*grid[:axis], (blocks + 1) // 2, *grid[axis + 1:])
            values = {k: v.copy() if isinstance(v, np.ndarray) else v for k, v in case.arguments.items()}
            kernel(half, block, tuple(values.values()), shared, checks=False)
            if not any(isinstance(_difference(piece, name, values[name], want), str)
                       for name, want in case.expected.items()):
                return "xyz"[axis]
    return ""


# --- score --------------------------------------------------------------------------------------


def counters(profile: Any) -> dict[str, float]:
    """The exact counters of a launch (or of one of its lines) that are kept as its score."""
    return {"sectors": profile.global_load.sectors + profile.global_store.sectors,
            "shared wavefronts": profile.shared_load.wavefronts + profile.shared_store.wavefronts,
            "bank conflicts": profile.shared_load.bank_conflicts + profile.shared_store.bank_conflicts,
            "atomics": profile.atomics, "active lanes": round(profile.active_lanes, 1), "flops": profile.flops}


def measured(piece: Piece, text: str) -> dict[str, float]:
    """The counters of a text at the piece's ruler, whatever its task says."""
    kernel, launch = _prepared(piece, text)
    grid, block, shared = launch.at(**piece.ruler)
    return counters(kernel.profile(grid, block, tuple(piece.case(piece.ruler).arguments.values()), shared))


@functools.cache
def scores() -> dict[str, dict[str, dict[str, float]]]:
    """name -> "plain" and "best" -> counters of the course's own versions; tests/benchmarks/pieces.py measures them."""
    return json.loads(_STORED.read_text("utf-8"))


def stars(name: str, counted: dict[str, float]) -> int:
    """3 up to 1.5 times the best known cost, 2 up to 2.5 times, else 1."""
    cost, best = _cost(counted), _cost(scores()[name]["best"])
    return 3 if cost <= 1.5 * best else 2 if cost <= 2.5 * best else 1


def show_stars(count: int) -> str:
    """2 -> "★★☆"."""
    return "★" * count + "☆" * (3 - count)


def _cost(counted: dict[str, float]) -> float:
    """Sectors and shared wavefronts go through the same pipe of a multiprocessor; an atomic is 32 of them."""
    return counted["sectors"] + counted["shared wavefronts"] + 32 * counted["atomics"]
