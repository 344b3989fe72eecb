"""What native code meets in each wrong kernel, beside what the simulator says of it: wrong_kernels.txt.

    python -m tests.cuda.native.wrong_kernels     writes it anew

The kernels are those that tests/benchmarks/faults.py counts. Native code stops at accesses out of bounds, divisions by
zero and loops without end. The other mistakes are for the checked launch to find, and a kernel that native code does
not take has every launch in the simulator.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from nnlib.cuda import KernelError, RawKernel, RawModule, force_simulator
from nnlib.cuda._engine.language.refusal import Refusal
from nnlib.cuda._engine.native.lowering import control
from tests.cuda.native.launching import natively
from tests.cuda.seeded_faults import Seeded, seeded
from tests.cuda.test_broken import BROKEN, NAMES, Broken

FILE = Path(__file__).with_suffix(".txt")
LISTED_ERRORS = {
    name: error for name, error, _ in (line.split("\t") for line in FILE.read_text().splitlines())
}
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
        case.arguments(),
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


class WrongLaunch(NamedTuple):
    """A launch of a wrong kernel, wherever it may run."""

    name: str
    kernel: Callable[[], RawKernel]
    shape: tuple[Any, Any]
    arguments: Sequence[Any]
    shared: int = 0

    def launch(self) -> None:
        self.kernel()(*self.shape, self.arguments, self.shared)


def wrong_launches() -> Iterator[WrongLaunch]:
    """Yield all of them but those that are wrong before they run."""
    recorded = json.loads(RECORDED.read_text())["data"]
    for broken in BROKEN:
        if broken.kernel in recorded:
            grid, block, arguments, *shared = eval(f"({broken.launch},)", dict(NAMES))

            def compiled(broken: Broken = broken) -> RawKernel:
                return RawModule(broken.text).get_function(broken.kernel)

            yield WrongLaunch(broken.kernel, compiled, (grid, block), arguments, *shared)
    for edited in seeded():
        if edited.name in recorded:
            case = edited.case

            def changed(edited: Seeded = edited) -> RawKernel:
                options = edited.case.options
                return RawModule(edited.text, options=options).get_function(edited.case.kernel)

            arguments = case.arguments()
            yield WrongLaunch(
                edited.name, changed, (case.grid, case.block), arguments, case.shared_mem
            )


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
