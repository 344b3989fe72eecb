"""The CUDA runtime and the C library, as host code calls them: one Python method for each of ../headers/program.h.

Each class has what its functions need of the run. They are called as function(site, *arguments): pointers and handles
are addresses, numbers are numbers.
"""
