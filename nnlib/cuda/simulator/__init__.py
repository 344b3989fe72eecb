"""Runs CUDA C without a GPU, all threads in step, on NumPy; finds faults and counts what the hardware would do.

How a launch flows through the rooms:

    language/            text -> checked tree
    codegen/             tree -> Python source in which every line works on all threads of a chunk of blocks;
                         values that are the same for all threads stay scalars. See `Compiled.source`.
    launching.py         binds arguments to memories, runs the chunks, undoes a failed launch
    runtime.py masks.py  the machine the generated code talks to: indices, barriers, masks, faults
    functions/           what CUDA provides: mathematics warp atomics printf; C's arithmetic where NumPy differs
    memory.py            global, constant and shared memory, pointers; local_memory.py for arrays of a thread
    observers            see each access before it happens, each switched on by `launch`:
                         checks.py (bounds, uninitialised), races.py race_replay.py, counters.py, tracing.py
    report.py profile.py how a fault and a profile read

Execution is lock-step: a divergent `if` runs both branches one after the other, a loop runs until its last
thread is done. Whether a program is right is judged by CUDA's rules, not by this order.
"""

from nnlib.cuda.simulator.launching import MAX_STEPS, STEP_LIMIT, Compiled, launch, trace
from nnlib.cuda.simulator.observers.tracing import Step, Touch, Trace
from nnlib.cuda.simulator.profile import Profile

__all__ = ["MAX_STEPS", "STEP_LIMIT", "Compiled", "Profile", "Step", "Touch", "Trace", "compile_program", "launch",
           "trace"]


def compile_program(program) -> Compiled:
    """Prepare a checked program for launches."""
    return Compiled(program)
