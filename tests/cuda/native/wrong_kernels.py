"""What native code meets in each wrong kernel, beside what the simulator says of it: wrong_kernels.txt.

    python -m tests.cuda.native.wrong_kernels     writes it anew

The kernels are those that tests/benchmarks/faults.py counts. Native code stops at accesses out of bounds, divisions by
zero and loops without end. The other mistakes are for the checked launch to find, and a kernel that native code does
not take has every launch in the simulator.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from nnlib.cuda import KernelError, RawModule, force_simulator
from nnlib.cuda._engine.language.refusal import Refusal
from nnlib.cuda._engine.native.lowering import control
from tests.cuda.native.launching import natively
from tests.cuda.seeded_faults import Seeded, seeded
from tests.cuda.test_broken import BROKEN, NAMES, Broken

FILE = Path(__file__).with_suffix(".txt")
RECORDED = Path(__file__).parents[1] / "golden" / "sanitizer.json"


class Wrong(NamedTuple):
    """simulate: a checked launch. native: what native code meets, "" for nothing, "refused: ..." where it is none."""

    name: str
    simulate: Callable[[], Any]
    native: Callable[[], str]


def wrong_kernels() -> Iterator[Wrong]:
    recorded = json.loads(RECORDED.read_text())["data"]
    for broken in BROKEN:
        if broken.kernel in recorded:
            yield Wrong(broken.kernel, broken.run, lambda broken=broken: _of_broken(broken))
    for edited in seeded():
        if edited.name in recorded:
            yield Wrong(edited.name, edited.launch, lambda edited=edited: _of_edited(edited))


def _of_broken(broken: Broken) -> str:
    return _met(RawModule(broken.text), broken.kernel, *eval(f"({broken.launch},)", dict(NAMES)))


def _of_edited(edited: Seeded) -> str:
    case = edited.case
    return _met(
        RawModule(edited.text, options=case.options),
        case.kernel,
        case.grid,
        case.block,
        case.arguments()[0],
        case.shared_mem,
    )


def _met(module: RawModule, kernel: str, *launch: Any) -> str:
    try:
        with force_simulator():
            return natively(module.get_function(kernel), *launch, way=("wasm", 1))
    except Refusal as refusal:
        return f"refused: {refusal}"
    except KernelError as error:  # before anything runs
        return type(error).__name__


def simulated(wrong: Wrong) -> str:
    try:
        with force_simulator():
            wrong.simulate()
    except KernelError as error:
        return type(error).__name__
    return "nothing"


if __name__ == "__main__":
    control.BUDGET = 100_000
    FILE.write_text(
        "".join(
            f"{wrong.name}\t{simulated(wrong)}\t{wrong.native()}\n" for wrong in wrong_kernels()
        )
    )
