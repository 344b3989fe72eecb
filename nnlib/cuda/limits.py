"""Limits of a GPU, and how it moves memory: the numbers that every kernel meets. Lesson 01.

From the CUDA C++ Programming Guide, "Compute Capabilities". They hold for every GPU since compute capability 7.5, but
for what is said to be an H100's, which the simulator allows; what differs from card to card stands in `occupancy.GPUS`.
"""

WARP = 32  # threads
MAX_THREADS = 1024  # of a block
MAX_BLOCK = (1024, 1024, 64)  # threads along x, y, z
MAX_GRID = (2**31 - 1, 65535, 65535)  # blocks along x, y, z
MAX_REGISTERS = 255  # of a thread

# Together on an H100, the most there is: what a cooperative launch may ask for.
MULTIPROCESSORS = 132
RESIDENT_THREADS = 2048  # of a multiprocessor
RESIDENT_BLOCKS = 32

# Bytes.
STATIC_SHARED = 48 * 1024  # that a block can declare; more only with extern __shared__
MAX_SHARED = 227 * 1024  # of a block on an H100, the most there is
MAX_CONSTANT = 64 * 1024  # of all __constant__ variables
MAX_LOCAL = 512 * 1024  # of a thread
MAX_PRINTED = 1024 * 1024  # of a launch, unless cudaDeviceSetLimit says otherwise

# How memory moves.
SECTOR = 32  # bytes of global memory, moved together
BANKS = 32  # of shared memory
BANK = 4  # bytes wide
