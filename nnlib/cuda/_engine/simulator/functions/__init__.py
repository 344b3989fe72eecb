"""What kernels call: arithmetic, mathematics, warps, atomics, tensor cores, printf, on all threads at once."""
