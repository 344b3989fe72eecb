"""Runs CUDA C without a GPU, all threads in step, on NumPy; finds faults, counts what the hardware would do. Lesson 01.

Read these three files first, in this order. Together they have fewer than 750 lines, and the rest hangs on them:

    masks.py             which threads are active
    memory/spaces.py     global and shared memory: loads, stores, and what sees them before they happen
    running/machine.py   what generated code runs on: indices, memory, barriers, printf

Then print `Compiled.source` of a kernel to see the code that runs on that machine. A launch flows through these:

    language/            text -> checked tree
    codegen/             tree -> Python source in which every line works on all threads of a chunk of blocks;
                         values that are the same for all threads stay scalars
    compiled.py          a program, its Python, and its variables that outlive a launch
    running/             options.py: how a kernel is launched; launch.py: its limits, and what all chunks share;
                         launching.py: chunk by chunk, and undoing what failed; binding.py: arguments become memories;
                         faults.py: what stops a kernel; progress.py: is a loop endless or only long? pipeline.py:
                         asynchronous copies; coroutines.py: blocks, warps or threads that wait for each other;
                         interleaving.py: warps that take turns
    memory/              pointers.py: a memory and an offset; local_memory.py: a thread's own arrays and structs;
                         addresses.py: pointers that are kept in memory; index.py: indices that stay for a loop, whose
                         bounds, places and costs are looked at once
    functions/           what CUDA provides: mathematics, arithmetic of C, atomics, warps, printf
    observers/           see each access before it happens, each barrier, each branch: bounds, uninitialised reads,
                         races, counters, the trace. observer.py has the hooks, and what an observer may know of a
                         launch. checks.py lists those that stop a launch
    machine_protocol.py  what functions and observers may know of the machine, which calls them
    guards.py            which conditions let a thread come to an access, and what is wrong with them
    fault_report.py profile.py   how a fault and a profile read; traffic.py: what accesses cost

Execution is lock-step: a divergent `if` runs both branches one after the other, a loop runs until its last
thread is done. Whether a program is right is judged by CUDA's rules, not by this order.
"""

from .compiled import Compiled
from .observers.checks import CHECKS
from .observers.tracing import Step, Touch, Trace
from .profile import Counts, LaneAccess, Profile
from .running.interleaving import Interleaving, WarpAccess, interleave
from .running.launching import MAX_STEPS, launch, trace
from .running.options import LaunchOptions, sample

__all__ = [
    "CHECKS",
    "MAX_STEPS",
    "Compiled",
    "Counts",
    "Interleaving",
    "LaneAccess",
    "LaunchOptions",
    "Profile",
    "Step",
    "Touch",
    "Trace",
    "WarpAccess",
    "interleave",
    "launch",
    "sample",
    "trace",
]
