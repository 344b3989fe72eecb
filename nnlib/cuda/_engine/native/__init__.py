"""The simulator's fast shadow: checked kernels as WebAssembly or through LLVM, for these sizes.

    lowering/   the kernel in its normal form -> operations on lanes: what differs between threads, parts between
                barriers, masks, loads and stores with their bounds
    code.py     the operations, and what folds; a target prints them
    wasm/ llvm/ the two targets, each with its runtime
    headers/    CUDA's functions of numbers, as CUDA C
    policy.py execution.py      whether a launch can run here, and how; routes.py says whether it does

It may always refuse, naming the construct; then the simulator runs the launch. What it computes has the simulator's
bits, but for sums of floats by atomics, kernels with races, and the sign of NaN.
"""

from .policy import (
    Outcome,
    Prospect,
    described,
    engine,
    native_engine,
    touches_fixed_places,
)

__all__ = ["Outcome", "Prospect", "described", "engine", "native_engine", "touches_fixed_places"]
