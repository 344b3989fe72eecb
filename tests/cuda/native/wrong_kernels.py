"""What native code meets in each wrong kernel, beside what the simulator says of it: wrong_kernels.txt.

    python -m tests.cuda.native.wrong_kernels     writes it anew

The kernels are those that tests/benchmarks/faults.py counts. Native code stops at accesses out of bounds, divisions by
zero and loops without end. The other mistakes are for the checked launch to find, and a kernel that native code does
not take has every launch in the simulator.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from nnlib.cuda import KernelError, RawKernel, RawModule, force_simulator
from nnlib.cuda._engine.language.refusal import Refusal
from nnlib.cuda._engine.native.lowering import control
from tests.cuda.native.launching import Launch
from tests.cuda.seeded_faults import Seeded, seeded
from tests.cuda.test_broken import BROKEN, NAMES, Broken

FILE = Path(__file__).with_suffix(".txt")
LISTED = {  # name -> the simulator's error, and what native code meets
    name: (error, met)
    for name, error, met in (line.split("\t") for line in FILE.read_text().splitlines())
}
RECORDED = Path(__file__).parents[1] / "golden" / "sanitizer.json"


def wrong_launches() -> dict[str, Launch]:
    """Return a launch of each of them, by name."""
    recorded = json.loads(RECORDED.read_text())["data"]
    found = {broken.kernel: _of_broken(broken) for broken in BROKEN}
    found |= {edited.name: _of_edited(edited) for edited in seeded()}
    return {name: launch for name, launch in found.items() if name in recorded}


def _of_broken(broken: Broken) -> Launch:
    def kernel() -> RawKernel:
        return RawModule(broken.text).get_function(broken.kernel)

    def launch() -> tuple[Any, ...]:
        return eval(f"({broken.launch},)", dict(NAMES))  # type: ignore[no-any-return]

    grid, block, _, *shared = launch()
    return Launch(kernel, grid, block, lambda: launch()[2], *shared)


def _of_edited(edited: Seeded) -> Launch:
    case = edited.case

    def kernel() -> RawKernel:
        return RawModule(edited.text, options=case.options).get_function(case.kernel)

    return Launch(kernel, case.grid, case.block, case.arguments, case.shared_mem)


def met(launch: Launch) -> str:
    """Return what native code meets, "" for nothing, "refused: ..." where it is none."""
    try:
        return launch.natively()
    except Refusal as refusal:
        return f"refused: {refusal}"
    except KernelError as error:  # before anything runs
        return type(error).__name__


def simulated(launch: Launch) -> str:
    """Return the error of a checked launch."""
    try:
        with force_simulator():
            arguments = launch.arguments()
            launch.kernel()(launch.grid, launch.block, arguments, launch.shared, step_limit=20_000)
    except KernelError as error:
        return type(error).__name__
    return "nothing"


if __name__ == "__main__":
    control.BUDGET = 100_000
    FILE.write_text(
        "".join(
            f"{name}\t{simulated(launch)}\t{met(launch)}\n"
            for name, launch in wrong_launches().items()
        )
    )
