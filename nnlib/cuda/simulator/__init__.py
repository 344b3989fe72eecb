"""Runs CUDA C without a GPU, all threads in step, on NumPy; finds faults and counts what the hardware would do.

How a launch flows through the rooms:

    language/            text -> checked tree
    codegen/             tree -> Python source in which every line works on all threads of a chunk of blocks;
                         values that are the same for all threads stay scalars. See `Compiled.source`.
    running/             launching.py: one launch, its chunks, and undoing what failed; machine.py: what the generated code
                         runs on: indices, barriers, faults; progress.py: is a loop endless or only long? strands.py:
                         blocks, warps or threads that wait for each other; interleaving.py: warps that take turns
    masks.py             which threads are active
    memory/              spaces.py: global, constant and shared memory, pointers; local_memory.py for arrays of a thread,
                         local_structs.py for its structs; addresses.py: pointers that are kept in memory;
                         index.py: indices that stay for a loop, whose bounds, places and costs are looked at once
    functions/           what CUDA provides: mathematics, arithmetic of C, atomics, warps, printf
    observers/           see each access before it happens, each barrier, each branch: bounds, uninitialised reads,
                         races, counters, the trace. A new check is a new file there and a name in `running/launching.CHECKS`
    fault_report.py profile.py   how a fault and a profile read

Execution is lock-step: a divergent `if` runs both branches one after the other, a loop runs until its last
thread is done. Whether a program is right is judged by CUDA's rules, not by this order.
"""

from nnlib.cuda.simulator.compiled import Compiled
from nnlib.cuda.simulator.observers.tracing import Step, Touch, Trace
from nnlib.cuda.simulator.profile import Profile
from nnlib.cuda.simulator.running.interleaving import Interleaving, WarpAccess, interleave
from nnlib.cuda.simulator.running.launching import CHECKS, MAX_STEPS, launch, trace

__all__ = ["CHECKS", "MAX_STEPS", "Compiled", "Interleaving", "Profile", "Step", "Touch", "Trace", "WarpAccess",
           "compile_program", "interleave", "launch", "trace"]


def compile_program(program) -> Compiled:
    """Prepare a checked program for launches."""
    return Compiled(program)
