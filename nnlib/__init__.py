"""Neural networks from scratch in CUDA: one kernel text that runs on a GPU and in a simulator.

The rooms, from the ground up: `device` (GPU or not), `cuda` (write a kernel, run it anywhere), `mine` (the kernels that
a student writes), `kernels` and `ops` (the operations of a network, on arrays, on our kernels or on the student's),
`layers`, `losses`, `optimizers`, `model` (a network, written out), `datasets` and `training`, and above all of them
`course`, which the lessons are written with.
"""

from nnlib.device import report

__version__ = "0.1.0"
__all__ = ["report"]
