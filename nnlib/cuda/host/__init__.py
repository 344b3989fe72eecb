"""Whole CUDA programs: main, cudaMalloc, <<<grid, block>>>, without nvcc and without a GPU. Lesson 01.

    program.py    Program: a text, checked, run as often as one likes
    sources.py    one of several files; linkage.py: what each keeps to itself; outermost.py: declarations of a text
    lowering/     the host's functions as Python functions of one thread; bulk.py: their loops over arrays, in pieces
    memory.py     allocations and addresses; process.py: a run, and mistakes told with their line; printing.py: printf
    launches.py   <<<...>>>;  devices.py: the GPU, simulated or real;  reads.py: memory that nobody has written
    schedule.py   streams: what waits for what, and how long it takes; timeline.py, ownership.py: how it is shown
    gpu_device.py, device_text.py: the same on a real GPU; nvcc.py: through nvcc; cell.py: %%cu
    library/      the CUDA runtime and the C library in Python;  headers/: their declarations
"""

from nnlib.cuda.host.cell import register
from nnlib.cuda.host.program import Program, Run

__all__ = ["Program", "Run", "register"]
