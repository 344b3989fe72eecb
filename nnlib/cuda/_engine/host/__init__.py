"""Whole CUDA programs: main, cudaMalloc, <<<grid, block>>>, without nvcc and without a GPU. Lesson 01.

program.py    Program: a text, checked, run as often as one likes; execution.py: one run, from beginning to end
sources.py    a program of several files, and what each keeps to itself
lowering/     the host's functions as Python functions of one thread
loops/        their loops as native code, iteration by iteration
runtime/      what a run is made of: state.py: all of it; heap.py: memory whose every access is checked
              (address_space.py: allocations and addresses); mistakes.py: reports with their line; output.py;
              schedule.py: streams, and what waits for what (streams.py: by their handles); stream_races.py: what
              should have waited; devices.py: the GPU, simulated or real (gpu_device.py); reads.py: memory that nobody
              has written; native_launches.py: which launches are not simulated; repeats.py: and which are left out
library/      what a program calls: the CUDA runtime, launches, the C library
headers/      their declarations
timeline.py, ownership.py: how a run is shown; nvcc.py; cell.py: %%cu
"""

from .cell import register
from .program import Program, Run

__all__ = ["Program", "Run", "register"]
