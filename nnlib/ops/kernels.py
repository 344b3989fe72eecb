"""Every operation as our own CUDA kernels: on the GPU, or, the same text, in the simulator. float32.

This is the only file that knows `nnlib.ops.fast`, where the operations choose their kernels, tiles and launches.
`kernel("matmul", "matmul_tiled")` is a kernel of nnlib/kernels, ready to launch.
"""

from nnlib.ops import fast
from nnlib.ops.fast import *  # noqa: F403
from nnlib.ops.fast.product import cut_depth
from nnlib.ops.launching import kernel, run

__all__ = ["cut_depth", "kernel", "run", *fast.__all__]
