"""What lesson 08's training step costs, counted: with plain kernels, and with the best that the course knows.

    python -m tests.benchmarks.step_cost

Exact counters of the simulator, the same on every machine, for one image; the fused kernels are in it. Students' copies
of the course lack the best versions and read the costs from results/step_cost.json.
"""

from __future__ import annotations

from nnlib import mine
from nnlib.course.steps import costs, launches, plan_of, profiled
from nnlib.cuda import force_simulator

from .timing import reference_network, store
from .your_step import own_folder, put


def counted() -> dict[str, int]:
    return costs(profiled(launches(plan_of(reference_network().to("cpu"), 1))))


def main() -> None:
    with own_folder(), force_simulator():
        plain = counted()
        for name, piece in mine.PIECES.items():
            if piece.best != piece.plain:
                put(name, piece.best)
        best = counted()
    for name in best.keys() & plain.keys():  # tiles of 64 rows do not pay for a single image
        best[name] = min(best[name], plain[name])
    print(f"plain: {sum(plain.values()):,}; best known: {sum(best.values()):,}")
    store("step_cost", {"plain": plain, "best known": best})


if __name__ == "__main__":
    main()
