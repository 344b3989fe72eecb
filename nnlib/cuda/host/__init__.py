"""Whole CUDA programs: main, cudaMalloc, <<<grid, block>>>, without nvcc and without a GPU. Lesson 01.

    program.py    Program: a text, checked, run as often as one likes
    sources.py    one of several files; linkage.py: what each keeps to itself; outermost.py: declarations of a text
    lowering/     the host's functions as Python functions of one thread; runtime/bulk.py: their loops over arrays
    runtime/      memory.py: allocations and addresses; process.py: a run, and mistakes with their line;
                  launches.py: <<<...>>>; devices.py, gpu_device.py: the GPU, simulated or real; schedule.py: streams,
                  and what waits for what; reads.py: memory that nobody has written; printing.py: printf
    timeline.py, ownership.py: how a run is shown; device_text.py: its kernels for a real GPU; nvcc.py; cell.py: %%cu
    library/      the CUDA runtime and the C library in Python;  headers/: their declarations
"""

from nnlib.cuda.host.cell import register
from nnlib.cuda.host.program import Program, Run

__all__ = ["Program", "Run", "register"]
