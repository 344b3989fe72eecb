"""Wrong kernels: what the simulator names, beside what compute-sanitizer said of the same on a GPU.

    python -m tests.benchmarks.faults

Runs here what tests/cuda/golden/sanitizer.json has recorded (`python -m tests.cuda.golden.record sanitizer`): kernels
of tests/cuda/broken, and careless edits of textbook kernels. An edit that nobody complains about and that changes no
result is no fault, and not counted. Correct ones: textbook kernels and random ones. Writes results/faults.json; 40 s.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from nnlib.cuda import KernelError, force_simulator
from tests.cuda.corpus import CASES
from tests.cuda.golden.record import TOOLS, launch, random_results
from tests.cuda.seeded_faults import seeded
from tests.cuda.test_broken import BROKEN

from .timing import store

RECORDED = Path(__file__).parents[1] / "cuda" / "golden" / "sanitizer.json"
RANDOM = 200  # kernels of random_kernels.py
IN_WORDS = {
    "OutOfBoundsError": "beyond an array",
    "RaceError": "race",
    "BarrierError": "barrier or warp function",
    "UninitializedReadError": "read before it has a value",
    "MisalignedAccessError": "misaligned access",
    "KernelArithmeticError": "integer division by zero",
}


def main() -> None:
    recorded = json.loads(RECORDED.read_text())
    broken, edited = {each.kernel: each for each in BROKEN}, {each.name: each for each in seeded()}
    wrong, ours, theirs = Counter[str](), Counter[str](), Counter[str]()
    with force_simulator():
        for name, said in recorded["data"].items():
            if name in broken:
                kind, named = IN_WORDS[broken[name].error], accused(broken[name].run)
            elif name in edited:
                kind, named = f"edit: {edited[name].edit}", accused(edited[name].launch)
            else:
                continue
            complains = not set(TOOLS).isdisjoint(said)
            if named or complains or "result" in said:
                wrong[kind] += 1
                ours[kind] += named
                theirs[kind] += complains
        innocent = sum(accused(lambda case=case: launch(case)) for case in CASES.values())
        innocent += sum(
            accused(lambda seed=seed: random_results(range(seed, seed + 1)))
            for seed in range(RANDOM)
        )
    rows = [[kind, str(count), str(ours[kind]), str(theirs[kind])] for kind, count in wrong.items()]
    rows.append(["all", *(str(counts.total()) for counts in (wrong, ours, theirs))])
    rows.append(["correct launches, accused wrongly", str(len(CASES) + RANDOM), str(innocent), ""])
    store(
        "faults",
        {
            "table": [["fault", "kernels", "nnlib names it", "compute-sanitizer complains"], *rows],
            "versions": {"compute-sanitizer on": recorded["about"]["gpu"]},
        },
    )


def accused(work) -> bool:
    """Is a fault of the kernel reported?"""
    try:
        work()
    except KernelError:
        return True
    return False


if __name__ == "__main__":
    main()
